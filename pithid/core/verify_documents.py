"""Verifying the documents beside the bundle: record JSON, merged state, stand-alone receipt.

Source: docs/protocol.md sections 5, 10 and 12. Each carries less than a bundle, so each leaves more unsigned, and says
so.
"""

import re
from collections.abc import Iterator

from pithid.core import receipts
from pithid.core.canonical import Json
from pithid.core.checks import Check, Verification, distinct
from pithid.core.digest import Digest
from pithid.core.errors import Malformed
from pithid.core.keys import Keyring
from pithid.core.merge import MERGE_VERSION, STATE_TYPE, STATE_VERSION, state_sha256
from pithid.core.mint import Minted, mint
from pithid.core.records import CanonicalRecord
from pithid.core.seals import REASONS, Checked
from pithid.core.snapshot import check_sections
from pithid.core.text import text_sha256
from pithid.core.verify import alias_checks, leaves, record_checks

RECORD_TYPE = "pith_number_record"
_EXCERPT = 600
"""Characters of the abstract that a record document carries at most."""
_EXACT = frozenset({"$.record_type", "$.canonical_sha256", "$.pith_number", "$.short_pith_number"})
_INSIDE = ("$.canonical_record.", "$.source.")
_ALIAS = re.compile(r"\$\.aliases\[[0-9]+\]\.alias_(?:kind|value)")


def verify_record(value: Json, keyring: Keyring) -> Verification:
    """Check a record document: only its canonical record is vouched for, by the receipt; the rest is labelled."""
    if not isinstance(value, dict) or value.get("record_type") != RECORD_TYPE:
        return Verification("record", (Check("shape", "failed", f"record_type is not {RECORD_TYPE}"),))
    minted = _minted(value)
    if isinstance(minted, str):
        return Verification("record", (Check("shape", "passed"), Check("canonical_record", "failed", minted)))
    checked, receipt = _receipt(value.get("receipt"), minted.digest, keyring)
    paper = value.get("paper")
    texts = list(_text_checks(paper if isinstance(paper, dict) else {}, minted))
    sections = [
        Check(f"snapshot {section.section}", section.result, section.detail)
        for section in check_sections(value.get("graph_snapshot"))
    ]
    rows = value.get("aliases")
    checks = (
        Check("shape", "passed"),
        *record_checks(value, minted),
        *alias_checks(rows, minted),
        receipt,
        *texts,
        *sections,
    )
    held = {f"$.paper.{check.name}" for check in texts if check.result == "passed"}
    unsigned = tuple(path for path in leaves(value, "$") if not _is_held(path, held))
    return Verification("record", checks, unsigned, distinct([checked.entry if not checked.reasons else None]))


def verify_state(value: Json, keyring: Keyring) -> Verification:
    """Check a merged state: its hash, its record and its receipt; the events themselves do not travel with it."""
    if not isinstance(value, dict) or value.get("state_type") != STATE_TYPE:
        return Verification("state", (Check("shape", "failed", f"state_type is not {STATE_TYPE}"),))
    constants = (value.get("state_version"), value.get("merge_version"))
    current = value.get("current")
    if constants != (STATE_VERSION, MERGE_VERSION) or not isinstance(current, dict):
        why = f"versions {constants}, expected {(STATE_VERSION, MERGE_VERSION)}, and an object `current`"
        return Verification("state", (Check("shape", "failed", why),))
    minted = _minted(current)
    if isinstance(minted, str):
        return Verification("state", (Check("shape", "passed"), Check("canonical_record", "failed", minted)))
    computed = state_sha256(value)
    fine = value.get("state_sha256") == computed
    rows = current.get("source_aliases")
    created = current.get("record_created")
    payload = created.get("payload") if isinstance(created, dict) else None
    checked, receipt = _receipt(payload.get("receipt") if isinstance(payload, dict) else None, minted.digest, keyring)
    checks = (
        Check("shape", "passed"),
        Check("canonical_record", "passed"),
        Check.of("pith_number", fine=value.get("pith_number") == str(minted.number), detail=str(minted.number)),
        *alias_checks(rows, minted),
        Check.of("state_sha256", fine=fine, detail=computed if fine else f"the state hashes to {computed}"),
        receipt,
        Check("events", "not_checkable", "a state carries no signatures; verify the bundle it was merged from"),
    )
    unsigned = tuple(path for path in leaves(value, "$") if not path.startswith("$.current.canonical_record."))
    return Verification("state", checks, unsigned, distinct([checked.entry if not checked.reasons else None]))


def verify_receipt(value: Json, keyring: Keyring) -> Verification:
    """Check a stand-alone receipt: it vouches for a digest, and for nothing else."""
    stated = value.get("canonical_sha256") if isinstance(value, dict) else None
    try:
        digest = Digest.parse(stated if isinstance(stated, str) else "")
    except Malformed:
        return Verification("receipt", (Check("shape", "failed", "canonical_sha256 is no digest"),))
    checked, check = _receipt(value, digest, keyring)
    if "receipt_shape" in checked.reasons or "signature_shape" in checked.reasons:
        return Verification("receipt", (Check("shape", "failed", check.detail),))
    about = Check("record", "absent", f"the receipt is about the record that hashes to {digest}")
    unsigned = tuple(f"$.{name}" for name in receipts.UNSIGNED)
    used = distinct([checked.entry if not checked.reasons else None])
    return Verification("receipt", (Check("shape", "passed"), check, about), unsigned, used)


def _minted(value: dict[str, Json]) -> Minted | str:
    """Return the minted record of a document, or why it has none."""
    try:
        return mint(CanonicalRecord.from_json(value.get("canonical_record")))
    except Malformed as error:
        return str(error)


def _receipt(value: Json, digest: Digest, keyring: Keyring) -> tuple[Checked, Check]:
    if value is None:
        return Checked(("receipt_shape",)), Check("receipt", "failed", "no receipt: no registry vouches for the record")
    checked = receipts.check(value, digest, keyring)
    why = "; ".join(f"{word}: {REASONS[word]}" for word in checked.reasons)
    return checked, Check.of("receipt", fine=not checked.reasons, detail=why)


def _text_checks(paper: dict[str, Json], minted: Minted) -> Iterator[Check]:
    """Check the texts shown against the hashes; a cut abstract cannot be checked."""
    title, excerpt = paper.get("title"), paper.get("abstract_excerpt")
    metadata = minted.record.metadata
    if isinstance(title, str):
        fine = text_sha256(title) == metadata.title_canon_sha256
        yield Check.of("title", fine=fine, detail="letter case and blanks are not part of the hash" if fine else "")
    else:
        yield Check("title", "absent")
    if not isinstance(excerpt, str):
        yield Check("abstract_excerpt", "absent")
    elif text_sha256(excerpt) == metadata.abstract_canon_sha256:
        yield Check("abstract_excerpt", "passed")
    elif len(excerpt) >= _EXCERPT:
        yield Check("abstract_excerpt", "not_checkable", f"only the first {_EXCERPT} characters travel")
    else:
        yield Check("abstract_excerpt", "failed", "a whole abstract that does not hash to the record's")


def _is_held(path: str, texts: set[str]) -> bool:
    """Tell whether a leaf is fixed by the record's hash, the aliases' rule or the receipt's signature."""
    if path in texts or path in _EXACT or path.startswith(_INSIDE):
        return True
    if path.startswith("$.receipt."):
        return path.removeprefix("$.receipt.") not in receipts.UNSIGNED
    return _ALIAS.fullmatch(path) is not None
