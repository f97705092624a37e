"""Canonical JSON: one value, one byte string, and no document that two readers could understand differently."""

import enum
import json
import re
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.canonical import MAX_BYTES, MAX_DEPTH, MAX_INT, Json, canonical_bytes, load
from pithid.core.errors import InvalidDocument, Malformed

KEYS = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]))
SCALARS = st.none() | st.booleans() | st.integers(-MAX_INT, MAX_INT) | st.text()
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=40
)


def _fails(rule: str, path: str, act: Any) -> InvalidDocument:  # noqa: ANN401 - a callable without arguments
    with pytest.raises(InvalidDocument) as failure:
        act()
    assert (failure.value.rule, failure.value.path) == (rule, path)
    return failure.value


@given(VALUES)
def test_equals_rfc8785(value: Json) -> None:
    """On its whole domain the form is that of RFC 8785, byte for byte."""
    assert canonical_bytes(value) == rfc8785.dumps(value)


@given(VALUES)
def test_load_inverts(value: Json) -> None:
    """Loading canonical bytes gives the value back, and canonicalising again the same bytes."""
    data = canonical_bytes(value)
    assert load(data) == value
    assert load(data.decode()) == value
    assert canonical_bytes(load(data)) == data


@given(VALUES, st.integers(0, 4), st.booleans())
def test_spelling_does_not_count(value: Json, indent: int, ascii_only: bool) -> None:  # noqa: FBT001
    """However a sender indents or escapes a value, its canonical bytes are the same."""
    assert canonical_bytes(load(json.dumps(value, indent=indent, ensure_ascii=ascii_only))) == canonical_bytes(value)


@given(st.dictionaries(KEYS, SCALARS, max_size=8), st.randoms(use_true_random=False))
def test_order_does_not_count(value: dict[str, Json], random: Any) -> None:  # noqa: ANN401 - hypothesis' own Random
    """However a sender orders members, the canonical bytes are the same."""
    members = list(value.items())
    random.shuffle(members)
    assert canonical_bytes(dict(members)) == canonical_bytes(value)


@given(st.binary(max_size=64))
def test_any_bytes(data: bytes) -> None:
    """Whatever arrives is loaded or refused with the one error; nothing else escapes."""
    try:
        load(data)
    except InvalidDocument as error:
        assert str(error)  # noqa: PT017 - success is allowed too


@given(st.text(alphabet='{}[]",:\\u0dD8e1.-+NaInfty \ufeff\ud800', max_size=40))
def test_any_text(text: str) -> None:
    """The same for texts made of the dangerous characters."""
    try:
        value = load(text)
    except InvalidDocument:
        return
    assert json.loads(text) == value


@given(st.floats())
def test_no_float(value: float) -> None:
    """No float has a canonical form, wherever it stands."""
    _fails("number", "$", lambda: canonical_bytes(value))
    _fails("number", "$.a[1]", lambda: canonical_bytes({"a": [0, value]}))


@given(st.integers(min_value=MAX_INT + 1) | st.integers(max_value=-MAX_INT - 1))
def test_no_inexact_integer(value: int) -> None:
    """No integer that some reader rounds is written or read."""
    _fails("number", "$[0]", lambda: canonical_bytes([value]))
    _fails("number", "$[0]", lambda: load(f"[{value}]"))


class _Level(enum.IntEnum):
    LOW = 1


class _Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    ("value", "rule", "path", "why"),
    [
        ({"a": _Level.LOW}, "type", "$.a", "a subclass of int may print as something else"),
        ([_Text("a")], "type", "$[0]", "a subclass of str likewise"),
        ((1, 2), "type", "$", "a tuple would come back as a list"),
        ({1, 2}, "type", "$", "a set has no order"),
        (b"a", "type", "$", "bytes are no text"),
        ({"a": object()}, "type", "$.a", "an object has no form"),
        ({1: 2}, "type", "$", "a key is a text: 1 and '1' would collide"),
        ({None: 2}, "type", "$", "json.dumps would write null as a key"),
        ({"a": {True: 2}}, "type", "$.a", "json.dumps would write true as a key"),
        ({_Text("a"): 2}, "type", "$", "a subclass of str as a key"),
        ({"a": ["\ud800"]}, "lone-surrogate", "$.a[0]", "half a character"),
        ({"\udfff": 1}, "lone-surrogate", "$", "half a character in a key"),
        ({"\ue000": 1, "\U0001f600": 2}, "key", "$", "RFC 8785 sorts the two the other way round"),
        ({"a": {"\U00010000": 1}}, "key", "$.a", "the first character beyond the basic plane"),
        ({"a b": [1.5]}, "number", '$["a b"][0]', "a path quotes keys that are no plain word"),
        ({"é": 1.5}, "number", '$["\\u00e9"]', "a path is ASCII"),
        ({"": 1.5}, "number", '$[""]', "the empty key"),
    ],
)
def test_no_canonical_form(value: Any, rule: str, path: str, why: str) -> None:  # noqa: ANN401 - wrong on purpose
    """A value without a single canonical form is refused, and the error names the rule and the place."""
    assert _fails(rule, path, lambda: canonical_bytes(value)).why, why


def test_oracle_disagrees_where_refused() -> None:
    """The refused keys are exactly those on which sorting by code point and RFC 8785 part."""
    keys = {"\ue000": 1, "\U0001f600": 2}
    plain = json.dumps(keys, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert plain != rfc8785.dumps(keys)


def test_depth() -> None:
    """A value may stand under 64 levels, on both ways, and not under 65."""
    deep: Json = 1
    for _ in range(MAX_DEPTH):
        deep = [deep]
    assert load(canonical_bytes(deep)) == deep
    deeper: Json = [deep]
    path = "$" + "[0]" * MAX_DEPTH
    _fails("too-deep", path[:200], lambda: canonical_bytes(deeper))
    _fails("too-deep", path[:200], lambda: load(json.dumps(deeper)))


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_bomb(opening: str) -> None:
    """A million open brackets neither crash nor hang."""
    with pytest.raises(InvalidDocument) as failure:
        load(opening * 1_000_000)
    assert failure.value.rule in {"too-deep", "not-json"}


def test_size() -> None:
    """A document beyond the limit is refused by its size in bytes, before anything is read."""
    assert load('"éé"', max_bytes=6) == "éé"
    _fails("too-large", "$", lambda: load('"éé"', max_bytes=5))
    _fails("too-large", "$", lambda: load('"éé"'.encode(), max_bytes=5))
    _fails("too-large", "$", lambda: load(b" " * (MAX_BYTES + 1)))


@pytest.mark.parametrize(
    ("document", "rule", "path"),
    [
        (b"\xef\xbb\xbf{}", "byte-order-mark", "byte 0"),
        ("\ufeff{}", "byte-order-mark", "byte 0"),
        (b"\xff\xfe{\x00}\x00", "not-utf8", "byte 0"),
        (b"\xfe\xff\x00{\x00}", "not-utf8", "byte 0"),
        (b'{"a":"\xe9"}', "not-utf8", "byte 6"),
        ('"\ud800"', "lone-surrogate", "character 1"),
        (b"[1,\n 2 3]", "not-json", "line 2 column 4"),
        (b'{"a":{"b":[1,{"c":1,"c":1}]}}', "duplicate-key", "$.a.b[1].c"),
        (b'{"a b":NaN}', "number", '$["a b"]'),
        (b'{"a":[{"a":1,"a":NaN}],"b":1,"b":2}', "duplicate-key", "$.b"),
    ],
)
def test_place_is_named(document: bytes | str, rule: str, path: str) -> None:
    """A refusal names the rule and the place: byte, character, line and column, or JSON path."""
    _fails(rule, path, lambda: load(document))


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=2, max_size=8))
def test_every_duplicate(keys: list[str]) -> None:
    """An object loads exactly if no key occurs twice."""
    text = "{" + ",".join(f'"{key}":{index}' for index, key in enumerate(keys)) + "}"
    if len(set(keys)) == len(keys):
        assert load(text) == {key: index for index, key in enumerate(keys)}
        return
    second = next(key for index, key in enumerate(keys) if key in keys[:index])
    _fails("duplicate-key", f"$.{second}", lambda: load(text))


@pytest.mark.parametrize("half", ["\\ud800", "\\uDBFF", "\\udc00", "\\uDfFf"])
@pytest.mark.parametrize("around", ['["x%sy"]', '["%s"]', '["%s\\u0020"]', '["\\ud83d\\ude00%s"]'])
def test_escaped_halves(half: str, around: str) -> None:
    """Half a surrogate pair is refused in every spelling and neighbourhood."""
    _fails("lone-surrogate", "$[0]", lambda: load(around % half))


def test_controls() -> None:
    """All 32 controls are escaped, in the short form where JSON has one, in lower-case hex otherwise."""
    text = canonical_bytes("".join(map(chr, range(32)))).decode()
    assert re.findall(r"\\(?:u00[01][0-9a-f]|[bfnrt])", text) == [json.dumps(chr(i))[1:-1] for i in range(32)]
    assert text.isprintable()


def test_long_integers_are_cheap() -> None:
    """A number of a million digits is refused by its length, not by computing it."""
    _fails("number", "$", lambda: load("9" * 1_000_000))
    _fails("number", "$", lambda: load("-" + "9" * 1_000_000))


def test_error_family() -> None:
    """A refusal is a `Malformed` and a `ValueError` with a stable code and a message that holds reason and place."""
    error = _fails("number", "$", lambda: load("NaN"))
    assert isinstance(error, Malformed)
    assert isinstance(error, ValueError)
    assert (error.code, str(error)) == ("invalid-document", "NaN is not JSON at $")


def test_argument_is_not_changed() -> None:
    """Canonicalising leaves its argument alone."""
    value: Json = {"b": [1, {"d": 1, "c": 2}], "a": 2}
    before = repr(value)
    canonical_bytes(value)
    assert repr(value) == before
