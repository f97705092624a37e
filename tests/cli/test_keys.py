"""`pithid keys` as a user runs it: what is printed, what is asked, what is refused and with which exit code."""

import json
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pithid.core.keys import PublicKey
from pithid.core.signing import SeedSigner
from pithid.service.keyfiles import new_key
from tests.cli.conftest import Ran, Run, environment

SEED = bytes(range(100, 132))
KEY = SeedSigner(SEED).key
REGISTRY = "8d4b5ee74e4693bcd1df2446408b0d54"
REGISTRY_KEY = "b2d552b68890857171a78b36a5dccf368a953413288c353f7c9d9d6f94b709b3"
SHIPPED = f"{REGISTRY}\tpith-v1-2026-05\tpith.science\tpith_registry\t-\t-\ttrusted\tshipped\n"
WEAK = PublicKey(b"\x01" + bytes(31))


@pytest.fixture
def document(home: Path) -> str:
    """Return the name of a key document in the folder of the runs."""
    (home / "registry.json").write_text(json.dumps(KEY.document("k")), encoding="utf-8")
    return "registry.json"


@pytest.fixture
def private(home: Path) -> str:
    """Return the name of a private key file in the folder of the runs."""
    new_key(str(home / "private.json"), seed=SEED)
    return "private.json"


def trust(run: Run, source: str, *more: str, **extra: Any) -> Ran:  # noqa: ANN401 - passed on
    """Trust a key for the usual signer."""
    return run("keys", "trust", source, "--signer-id", "registry.example", *more, **extra)


def assert_one_line(ran: Ran, code: int, *words: str) -> None:
    """Assert an exit code, nothing on stdout, and one line on stderr that has the words."""
    assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1), ran
    assert all(word in ran.err for word in words), ran.err


def assert_no_secret(*texts: str) -> None:
    """Assert that nothing of the private key is shown."""
    for text in texts:
        assert SEED.hex()[:12] not in text
        assert SEED.hex()[-12:] not in text


def test_new(run: Run, home: Path) -> None:
    """A new key is in a private file, its public side printed, its private side not."""
    ran = run("keys", "new", "--output", "author.json")
    content = json.loads((home / "author.json").read_text(encoding="utf-8"))
    names = dict(line.split() for line in ran.out.splitlines())
    assert (ran.code, names) == (0, {"fingerprint": content["fingerprint"], "did": content["did_key"]})
    assert stat.S_IMODE((home / "author.json").stat().st_mode) == 0o600
    assert content["seed_hex"] not in ran.out + ran.err
    assert "author.json" in ran.err


def test_new_as_document(run: Run, home: Path) -> None:
    """With --json the document is printed, under the key id given or the did:key; two keys are never the same."""
    named = json.loads(run("keys", "new", "-o", "a.json", "--key-id", "my-key", "--json").out)
    bare = json.loads(run("keys", "new", "-o", "b.json", "--json").out)
    for found, name in ((named, "a.json"), (bare, "b.json")):
        key = PublicKey.parse(json.loads((home / name).read_text(encoding="utf-8"))["public_key_hex"])
        assert found == key.document("my-key" if found is named else key.did)
    assert named["public_key_hex"] != bare["public_key_hex"]


def test_new_without_a_name(run: Run, home: Path) -> None:
    """Without --output the key is beside the index, and a second one is refused."""
    assert run("keys", "new").code == 0
    (path,) = home.rglob("private_key.json")
    before = path.read_bytes()
    assert_one_line(run("keys", "new"), 6, "exists already", "private_key.json")
    assert path.read_bytes() == before


def test_new_overwrites_nothing(run: Run, home: Path) -> None:
    """A file of that name stays as it is; a folder that is missing is a fault of the machine."""
    (home / "thesis.tex").write_text("all of it")
    assert_one_line(run("keys", "new", "--output", "thesis.tex"), 6, "exists already")
    assert (home / "thesis.tex").read_text() == "all of it"
    assert_one_line(run("keys", "new", "--output", "none/key.json"), 6, "No such file")


CARD = f"""hex              {KEY}
base64           {KEY.base64}
fingerprint      {KEY.fingerprint}
fingerprint_b32  {KEY.fingerprint_base32}
did              {KEY.did}
"""


def test_show_in_every_spelling(run: Run, private: str, document: str) -> None:
    """Any spelling, from a file, stdin or the command line, shows the same key, and never the private side."""
    for text in (str(KEY), KEY.base64, KEY.did):
        assert run("keys", "show", text).out == CARD
        assert run("keys", "show", "-", stdin=text.encode() + b"\n").out == CARD
    ran = run("keys", "show", private)
    assert (ran.code, ran.out, ran.err) == (0, CARD, "")
    assert_no_secret(ran.out)
    ran = run("keys", "show", document)
    assert (ran.code, ran.out) == (0, f"key_id           k\n{CARD}")


def test_show_as_document(run: Run, private: str, document: str) -> None:
    """With --json the registry's key document is printed, which shows again and is the same."""
    assert json.loads(run("keys", "show", document, "--json").out) == KEY.document("k")
    ran = run("keys", "show", private, "--json")
    assert json.loads(ran.out) == KEY.document(KEY.did)
    assert_no_secret(ran.out)
    again = run("keys", "show", "-", "--json", "--key-id", "mine", stdin=ran.out.encode())
    assert json.loads(again.out) == KEY.document("mine")


def test_show_refuses_a_file_open_to_others(run: Run, home: Path, private: str) -> None:
    """A private key that others can read is a fault of the machine, with the command that mends it."""
    (home / private).chmod(0o644)
    assert_one_line(run("keys", "show", private), 6, "chmod 600 private.json")
    assert_one_line(trust(run, private, "--key-id", "k", "--confirm", str(KEY)), 6, "chmod 600")


MALFORMED: dict[str, bytes] = {
    "empty": b"",
    "text": b"not a key",
    "short hex": str(KEY).encode()[:-2],
    "upper case": str(KEY).upper().encode(),
    "base64 without padding": KEY.base64.rstrip("=").encode(),
    "another did method": b"did:web:example.org",
    "list": b"[]",
    "document without key": b'{"key_id": "k"}',
    "document of two keys": json.dumps(KEY.document("k") | {"public_key_b64": WEAK.base64}).encode(),
    "duplicate member": b'{"key_id": "k", "key_id": "l"}',
    "cut private key": b'{"pithid_private_key": 1, "seed_hex": "' + SEED.hex().encode(),
    "private key of another seed": b'{"pithid_private_key": 1, "seed_hex": "' + SEED.hex().encode() + b'"}',
    "binary": bytes(range(256)),
    "large": b"0" * 100_000,
    "escape": b'{"\x1b[2J": 1}',
}


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_no_key_is_malformed(run: Run, name: str) -> None:
    """What holds no key exits with 3 and one line, which repeats no private key."""
    ran = run("keys", "show", "-", stdin=MALFORMED[name])
    assert_one_line(ran, 3, "stdin")
    assert_no_secret(ran.err)
    assert "\x1b" not in ran.err


def test_missing_file(run: Run) -> None:
    """A file that is missing is a fault of the machine."""
    assert_one_line(run("keys", "show", "none.json"), 6, "none.json")


@pytest.mark.parametrize("form", ["hex", "did", "document"])
def test_weak_key(run: Run, form: str) -> None:
    """A weak key is neither shown nor trusted."""
    text = {"hex": str(WEAK), "did": WEAK.did, "document": json.dumps(WEAK.document("k"))}[form]
    assert_one_line(run("keys", "show", "-", stdin=text.encode()), 1, "weak")
    assert_one_line(trust(run, "-", "--key-id", "k", "--confirm", str(WEAK), stdin=text.encode()), 1, "weak")
    assert run("keys", "list").out == SHIPPED


def test_trust_and_list(run: Run, document: str) -> None:
    """A confirmed key is trusted, listed after the shipped one, and its bounds can be changed."""
    line = f"{KEY.fingerprint}\tk\tregistry.example\tpith_registry\t-\t-\ttrusted\town\n"
    ran = trust(run, document, "--confirm", str(KEY))
    assert (ran.code, ran.out, ran.err) == (0, line, "")
    assert run("keys", "list").out == SHIPPED + line
    bounds = ("--valid-from", "2026-05-01T00:00:00Z", "--valid-until", "2026-06-01T00:00:00Z")
    assert trust(run, document, "--confirm", str(KEY), *bounds).code == 0
    assert json.loads(run("keys", "list", "--json").out)[1] == {
        "key_id": "k",
        "public_key_hex": str(KEY),
        "fingerprint_sha256_hex": KEY.fingerprint,
        "did": KEY.did,
        "signer_id": "registry.example",
        "signer_type": "pith_registry",
        "valid_from": "2026-05-01T00:00:00Z",
        "valid_until": "2026-06-01T00:00:00Z",
        "revoked": False,
        "source": "own",
        "note": "confirmed by the whole key, with pithid keys trust",
    }


@pytest.mark.parametrize("blanks", ["", " ", "\n"])
def test_confirmed_in_groups(run: Run, document: str, blanks: str) -> None:
    """Digits read from paper, in groups and upper case, confirm too."""
    groups = blanks.join(str(KEY).upper()[i : i + 8] for i in range(0, 64, 8))
    assert trust(run, document, "--confirm", groups).code == 0


@pytest.mark.parametrize("given", ["", KEY.fingerprint, str(KEY)[:32], str(KEY)[:-1], KEY.did, KEY.base64, "yes"])
def test_part_of_a_key_does_not_confirm(run: Run, document: str, given: str) -> None:
    """A fingerprint or some digits, which a search can match, are wrong usage."""
    ran = trust(run, document, "--confirm", given)
    assert (ran.code, ran.out) == (2, "")
    assert "--confirm" in ran.err
    assert run("keys", "list").out == SHIPPED


def test_another_key_does_not_confirm(run: Run, document: str) -> None:
    """A key that differs from the confirmed one is not trusted: this is what a substituted key looks like."""
    assert_one_line(trust(run, document, "--confirm", str(KEY)[:-1] + "0"), 1, "not-confirmed")
    assert run("keys", "list").out == SHIPPED


def test_never_asks_without_a_terminal(run: Run, document: str) -> None:
    """Without a terminal nothing is asked: the usage says to compare over another channel and what to pass."""
    ran = trust(run, document, stdin=str(KEY).encode() + b"\n")
    assert (ran.code, ran.out) == (2, "")
    assert all(word in " ".join(ran.err.split()) for word in ("another channel", "--confirm"))
    ran = run("keys", "revoke", REGISTRY, stdin=b"y\n")
    assert (ran.code, ran.out) == (2, "")
    assert "--yes" in ran.err
    assert run("keys", "list").out == SHIPPED


def on_terminal(home: Path, answer: str, *arguments: str) -> tuple[int, str, str]:
    """Run on a pseudo-terminal and type an answer; return exit code, stdout and what the terminal showed."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "pithid", *arguments]
    with subprocess.Popen(
        command, stdin=follower, stderr=follower, stdout=subprocess.PIPE, env=environment(home), cwd=home, text=True
    ) as running:
        os.write(leader, answer.encode() + b"\n")
        out = running.communicate(timeout=60)[0]
    os.close(follower)
    shown = os.read(leader, 65_536).decode()
    os.close(leader)
    return running.returncode, out, shown


def test_typed_on_a_terminal(run: Run, home: Path, document: str) -> None:
    """On a terminal the whole key is asked for, and only that key is accepted; the question does not show it."""
    arguments = ("keys", "trust", document, "--signer-id", "registry.example")
    assert on_terminal(home, KEY.fingerprint, *arguments)[0] == 2
    code, _, shown = on_terminal(home, str(WEAK), *arguments)
    assert code == 1
    assert KEY.fingerprint in shown
    assert str(KEY) not in shown
    assert run("keys", "list").out == SHIPPED
    code, out, _ = on_terminal(home, str(KEY), *arguments)
    assert (code, out.count("\n")) == (0, 1)


def test_revocation_is_asked_for_on_a_terminal(run: Run, home: Path) -> None:
    """On a terminal a revocation is confirmed; anything but yes leaves everything as it was."""
    code, out, shown = on_terminal(home, "", "keys", "revoke", REGISTRY)
    assert (code, out) == (1, "")
    assert "pith.science pith-v1-2026-05" in shown
    assert run("keys", "list").out == SHIPPED
    code, out, _ = on_terminal(home, "y", "keys", "revoke", REGISTRY)
    assert (code, out) == (0, SHIPPED.replace("trusted\tshipped", "revoked\town"))


def test_revoke(run: Run, document: str) -> None:
    """A revoked key is listed as such, by fingerprint and by the whole key, and cannot be trusted again."""
    trust(run, document, "--confirm", str(KEY))
    assert run("keys", "revoke", REGISTRY_KEY, "--yes").code == 0
    assert run("keys", "revoke", KEY.fingerprint, "--yes").code == 0
    assert run("keys", "revoke", KEY.fingerprint, "--yes").code == 0
    assert [line.split("\t")[6:] for line in run("keys", "list").out.splitlines()] == [["revoked", "own"]] * 2
    assert_one_line(trust(run, document, "--confirm", str(KEY)), 1, "trust-conflict", "revoked")


def test_revoking_what_is_not_known(run: Run) -> None:
    """An unknown key exits with 4, what names no key with 3."""
    assert_one_line(run("keys", "revoke", "0" * 32, "--yes"), 4, "not-found")
    assert_one_line(run("keys", "revoke", str(KEY), "--yes"), 4, "not-found")
    assert_one_line(run("keys", "revoke", "pith-v1-2026-05", "--yes"), 3)


def test_names_of_the_key(run: Run, document: str) -> None:
    """The key id comes from the document or the option; two that differ, or none, are wrong usage."""
    confirm = ("--confirm", str(KEY))
    for arguments in ((document, "--key-id", "other", *confirm), (str(KEY), *confirm), (KEY.did, *confirm)):
        ran = trust(run, *arguments)
        assert (ran.code, "--key-id" in ran.err) == (2, True)
    assert trust(run, document, "--key-id", "k", *confirm).code == 0
    assert trust(run, KEY.did, "--key-id", "k2", *confirm).code == 0
    assert run("keys", "trust", document, *confirm).code == 2


def test_same_key_id_of_another_key(run: Run, document: str) -> None:
    """Another key under a trusted key id is allowed, as in a rotation, and pointed out."""
    ran = trust(run, str(KEY), "--key-id", "pith-v1-2026-05", "--confirm", str(KEY))
    assert (ran.code, REGISTRY in ran.err) == (0, True)
    assert trust(run, document, "--confirm", str(KEY)).err == ""


def test_faults_of_an_entry(run: Run, document: str) -> None:
    """A signer that contradicts a trusted one exits with 1, a bound or name that breaks a rule with 3."""
    confirm = ("--confirm", str(KEY))
    assert_one_line(trust(run, document, *confirm, "--valid-from", "2026-05-01"), 3, "valid_from")
    bounds = ("--valid-from", "2026-06-01T00:00:00Z", "--valid-until", "2026-05-01T00:00:00Z")
    assert_one_line(trust(run, document, *confirm, *bounds), 3, "valid_from")
    assert_one_line(run("keys", "trust", document, *confirm, "--signer-id", "\x1b[2J"), 3, "signer_id")
    assert trust(run, document, *confirm).code == 0
    assert_one_line(run("keys", "trust", document, *confirm, "--signer-id", "other.example"), 1, "trust-conflict")


def test_named_trust_file(run: Run, home: Path, document: str) -> None:
    """--trust and PITHID_TRUST name a file in place of all others; the option goes first."""
    assert_one_line(run("keys", "list", "--trust", "none.json"), 6, "none.json")
    ran = trust(run, document, "--confirm", str(KEY), "--trust", "only.json")
    assert ran.out.endswith("trusted\tfile\n")
    assert run("keys", "list", "--trust", "only.json").out == ran.out
    assert run("keys", "list", PITHID_TRUST="only.json").out == ran.out
    assert run("keys", "list", "--trust", "only.json", PITHID_TRUST="none.json").out == ran.out
    assert run("keys", "list").out == SHIPPED
    assert run("keys", "revoke", KEY.did, "--yes", PITHID_TRUST="only.json").out.endswith("revoked\tfile\n")
    (home / "only.json").write_text("[")
    assert_one_line(run("keys", "list", "--trust", "only.json"), 3, "invalid-trust", "only.json")
    (home / "only.json").write_text("[]")
    assert json.loads(run("keys", "list", "--trust", "only.json", "--json").out) == []


def test_own_key_for_own_registry(run: Run, home: Path) -> None:
    """A private key file can be trusted by its public side; nothing private reaches the trust file."""
    run("keys", "new", "--output", "mine.json")
    content = json.loads((home / "mine.json").read_text(encoding="utf-8"))
    ran = trust(run, "mine.json", "--key-id", "k", "--confirm", content["public_key_hex"])
    assert ran.code == 0
    (own,) = home.rglob("trusted_keys.json")
    assert content["seed_hex"] not in own.read_text(encoding="utf-8") + ran.out + ran.err


@pytest.mark.parametrize("command", ["new", "show", "list", "trust", "revoke"])
def test_help_has_an_example(run: Run, command: str) -> None:
    """Every command explains itself with an example."""
    ran = run("keys", command, "--help")
    assert (ran.code, f"Example: pithid keys {command}" in ran.out) == (0, True)
