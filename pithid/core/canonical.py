"""Canonical JSON: the bytes every hash of the protocol is taken over, and the loader that admits only those.

Source: docs/protocol.md section 1. The form is Python's sorted, compact `json.dumps` in raw UTF-8. It is defined
here only where RFC 8785 says the same, so that each can check the other.
"""

import json
import re
from typing import Any, NoReturn, TypeAlias, cast

from pithid.core.errors import InvalidDocument

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MAX_BYTES = 32 * 1024 * 1024
"""Largest document read: a hundred times the largest public bundle seen."""
MAX_DEPTH = 64
"""Deepest nesting read or written: signed documents nest 8 deep; beyond this only attacks are known."""
MAX_INT = 2**53 - 1
"""Largest magnitude of an integer that every JSON reader keeps exactly (RFC 7493 section 2.2)."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def canonical_bytes(value: Json) -> bytes:
    """Return the canonical UTF-8 bytes of `value`: sorted keys, no blanks, non-ASCII text raw, no final newline.

    Args:
        value: exact JSON types only; no float, no integer beyond `MAX_INT`, at most `MAX_DEPTH` levels.

    Raises:
        InvalidDocument: `value` holds anything else; its `path` says where.

    >>> canonical_bytes({"b": [1, True, None], "a": "x"})
    b'{"a":"x","b":[1,true,null]}'
    """
    _check_canonical(value, "$", 0)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def received_bytes(value: Json) -> bytes:
    """Return the same form for a value that was received, and may hold what nobody should create.

    Floats come out as Python prints them, which is what the registry's own code would hash. Use it to check, never to
    make; `is_portable` tells whether another implementation must come to the same bytes.

    Raises:
        InvalidDocument: the value cannot be written as UTF-8 at all.
    """
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidDocument("lone-surrogate", "$", "a lone surrogate") from None


def is_portable(value: Json) -> bool:
    """Tell whether `value` is within the domain of `canonical_bytes`."""
    try:
        _check_canonical(value, "$", 0)
    except InvalidDocument:
        return False
    return True


def load(data: bytes | str, *, max_bytes: int = MAX_BYTES) -> Json:
    """Read one JSON document and refuse whatever two readers could understand differently.

    Refused: invalid UTF-8, a byte order mark, UTF-16, duplicate keys, NaN and infinities, numbers out of range,
    minus zero, lone surrogates, more than `MAX_DEPTH` levels, more than `max_bytes` bytes, anything after the end.

    Raises:
        InvalidDocument: with the rule that was broken and the JSON path of the place.
    """
    text = _decode(data, max_bytes)
    defects: list[_Defect] = []
    try:
        value = json.loads(
            text,
            object_pairs_hook=lambda pairs: _object(pairs, defects),
            parse_constant=lambda word: _number(defects, word, f"{word} is not JSON"),
            parse_float=lambda digits: _float(digits, defects),
            parse_int=lambda digits: _int(digits, defects),
        )
    except RecursionError:
        raise InvalidDocument("too-deep", "$", f"more than {MAX_DEPTH} levels of nesting") from None
    except json.JSONDecodeError as error:
        raise InvalidDocument("not-json", f"line {error.lineno} column {error.colno}", error.msg) from None
    if defects or _ESCAPED_SURROGATE.search(text) or text.count("{") + text.count("[") > MAX_DEPTH:
        _check_loaded(value, "$", 0)
    return cast("Json", value)


class _Defect:
    """Stands in the loaded value where something must be refused, so that a walk can name its path."""

    def __init__(self, rule: str, why: str, key: str | None = None) -> None:
        self.rule, self.why, self.key = rule, why, key


def _decode(data: bytes | str, max_bytes: int) -> str:
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise InvalidDocument("too-large", "$", f"{size} bytes, the limit is {max_bytes}")
    if isinstance(data, bytes):
        if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
            raise InvalidDocument("not-utf8", "byte 0", "UTF-16 text; save it as UTF-8 without a byte order mark")
        try:
            data = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidDocument("not-utf8", f"byte {error.start}", "invalid UTF-8") from None
    if data.startswith("\ufeff"):
        raise InvalidDocument("byte-order-mark", "byte 0", "starts with a byte order mark")
    if (lone := _SURROGATE.search(data)) is not None:
        raise InvalidDocument("lone-surrogate", f"character {lone.start()}", "a lone surrogate")
    return data


def _object(pairs: list[tuple[str, Any]], defects: list[_Defect]) -> Any:  # noqa: ANN401 - hook of json.loads
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            defect = _Defect("duplicate-key", "a key that occurs twice", key)
            defects.append(defect)
            return defect
        seen.add(key)
    raise AssertionError("unreachable")  # fewer keys than pairs means one repeats


def _number(defects: list[_Defect], digits: str, why: str) -> _Defect:
    del digits
    defect = _Defect("number", why)
    defects.append(defect)
    return defect


def _float(digits: str, defects: list[_Defect]) -> float | _Defect:
    value = float(digits)
    if value in {float("inf"), float("-inf")}:
        return _number(defects, digits, f"{digits[:40]} is out of range")
    if value == 0 and digits.startswith("-"):
        return _number(defects, digits, "minus zero")
    return value


def _int(digits: str, defects: list[_Defect]) -> int | _Defect:
    if digits == "-0":
        return _number(defects, digits, "minus zero")
    if len(digits) > 17 or abs(int(digits)) > MAX_INT:  # the length first: int() of a long text is slow
        return _number(defects, digits, f"{digits[:40]} is out of range")
    return int(digits)


def _check_loaded(value: Any, path: str, depth: int) -> None:  # noqa: ANN401 - may hold _Defect
    if isinstance(value, _Defect):
        raise InvalidDocument(value.rule, path if value.key is None else member_path(path, value.key), value.why)
    if isinstance(value, list | dict) and depth >= MAX_DEPTH:
        raise InvalidDocument("too-deep", path[:200], f"more than {MAX_DEPTH} levels of nesting")
    if isinstance(value, str):
        if _SURROGATE.search(value):
            raise InvalidDocument("lone-surrogate", path, "a lone surrogate")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check_loaded(item, f"{path}[{index}]", depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            if _SURROGATE.search(key):
                raise InvalidDocument("lone-surrogate", path, "a lone surrogate in a key")
            _check_loaded(item, member_path(path, key), depth + 1)


def _check_canonical(value: object, path: str, depth: int) -> None:
    """Refuse what has no single canonical form. Types are compared exactly: an IntEnum is a caller's mistake."""
    kind = type(value)
    if depth >= MAX_DEPTH and kind in {list, dict}:
        raise InvalidDocument("too-deep", path[:200], f"more than {MAX_DEPTH} levels of nesting")
    if kind is str:
        _check_text(cast("str", value), path)
    elif kind is int:
        if abs(cast("int", value)) > MAX_INT:
            raise InvalidDocument("number", path, "an integer beyond 2^53-1")
    elif kind is list:
        for index, item in enumerate(cast("list[object]", value)):
            _check_canonical(item, f"{path}[{index}]", depth + 1)
    elif kind is dict:
        for key, item in cast("dict[object, object]", value).items():
            _check_canonical(item, member_path(path, _checked_key(key, path)), depth + 1)
    elif value is not None and kind is not bool:
        _refuse_type(value, path)


def _checked_key(key: object, path: str) -> str:
    if type(key) is not str:
        raise InvalidDocument("type", path, f"a key of type {type(key).__name__}")
    _check_text(key, path)
    if key and max(key) > "\uffff":
        raise InvalidDocument("key", path, "a key outside the basic plane, which RFC 8785 sorts differently")
    return key


def _refuse_type(value: object, path: str) -> NoReturn:
    if isinstance(value, float):
        raise InvalidDocument("number", path, "a float, which has no portable canonical form")
    raise InvalidDocument("type", path, f"a value of type {type(value).__name__}")


def _check_text(text: str, path: str) -> None:
    if not text.isascii() and _SURROGATE.search(text):
        raise InvalidDocument("lone-surrogate", path, "a lone surrogate")


def member_path(path: str, key: str) -> str:
    """Return the JSON path of a member; a key that is no plain word is quoted, so that paths are unambiguous."""
    return f"{path}.{key}" if key.isascii() and key.isidentifier() else f"{path}[{json.dumps(key[:80])}]"
