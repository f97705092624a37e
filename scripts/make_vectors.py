#!/usr/bin/env python3
"""Write the adversarial vectors `data/vectors/canonical.json` and `data/vectors/mint.json`.

The real records are plain ASCII, so they cannot tell a right canonicaliser from a wrong one; these cases can. The
oracle below is the published recipe in plain json, hashlib and base64 and never imports pithid, so that the two check
each other. `--check` regenerates and compares instead of writing; a test runs it.
"""

import argparse
import base64
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "data" / "vectors"
Case = dict[str, Any]


# --- the oracle ---


def canonical(value: Any) -> bytes:  # noqa: ANN401 - any JSON value
    """Return the canonical bytes by the published recipe."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def minted(record: dict[str, Any]) -> Case:
    """Return all that follows from a canonical record."""
    data = canonical(record)
    digest = hashlib.sha256(data)
    suffix = base64.b32encode(digest.digest()).decode()[:26]
    arxiv, version = record["source"]["id"], record["source"]["version"]
    return {
        "canonical_hex": data.hex(),
        "sha256": digest.hexdigest(),
        "number": f"pith:{record['metadata']['submitted_at'][:4]}:{suffix}",
        "aliases": {
            "arxiv": arxiv,
            "arxiv_version": f"{arxiv}v{version}",
            "doi": f"10.48550/arxiv.{arxiv}",
            "pith_short_12": suffix[:12],
            "pith_short_16": suffix[:16],
            "pith_short_8": suffix[:8],
        },
    }


def text_hash(text: str) -> str:
    """Return the hash of a title or an abstract by the published recipe."""
    return hashlib.sha256(" ".join(text.split()).lower().encode()).hexdigest()


# --- canonical.json ---

ONE_WAY: list[tuple[str, str, bytes, bytes]] = [
    ("empty-object", "the smallest object", b"{}", b"{}"),
    ("empty-array", "the smallest array", b"[]", b"[]"),
    ("scalar-at-the-root", "a document need not be an object", b' "x" ', b'"x"'),
    ("literals", "the three words stay, in array order", b"[true, false, null]", b"[true,false,null]"),
    ("true-is-not-one", "true and 1 differ, although Python calls them equal", b"[true,1]", b"[true,1]"),
    ("key-order", "keys ascend by code point: capitals first", b'{"b":1,"a":2,"B":3}', b'{"B":3,"a":2,"b":1}'),
    ("empty-key", "the empty key sorts first", b'{"a":1,"":0}', b'{"":0,"a":1}'),
    ("key-prefix", "a prefix sorts before the longer key", b'{"aa":1,"a":2}', b'{"a":2,"aa":1}'),
    ("key-digits", "keys sort as text, not as numbers", b'{"10":1,"9":2}', b'{"10":1,"9":2}'),
    ("key-jsonb-order", "PostgreSQL's order, short keys first, is undone", b'{"b":1,"aa":2}', b'{"aa":2,"b":1}'),
    ("nested-key-order", "sorting reaches every level", b'[{"y":{"b":1,"a":2},"x":0}]', b'[{"x":0,"y":{"a":2,"b":1}}]'),
    ("array-order", "arrays keep their order", b"[3,1,2]", b"[3,1,2]"),
    ("blanks", "blanks between tokens vanish, the final newline too", b'\r\n{\t"a" : [ 1 ] }\n', b'{"a":[1]}'),
    ("blanks-in-text", "blanks inside a text stay", b'"  a  b "', b'"  a  b "'),
    ("non-ascii-raw", "non-ASCII text is raw UTF-8", b'"\xc3\xa9"', b'"\xc3\xa9"'),
    ("non-ascii-escaped", "an escape of the same character gives the same bytes", b'"\\u00e9"', b'"\xc3\xa9"'),
    ("composed", "no Unicode normalisation: U+00E9 stays", b'"\xc3\xa9"', b'"\xc3\xa9"'),
    ("decomposed", "no Unicode normalisation: e and U+0301 stay", b'"e\xcc\x81"', b'"e\xcc\x81"'),
    ("ligature", "no compatibility normalisation: U+FB01 stays", b'"\xef\xac\x81"', b'"\xef\xac\x81"'),
    ("controls", "controls without a short escape", b'"\\u0000\\u001F\\u001b"', b'"\\u0000\\u001f\\u001b"'),
    ("short-escapes", "the five short escapes", b'"\\u0008\\u0009\\u000A\\u000c\\u000D"', b'"\\b\\t\\n\\f\\r"'),
    ("delete", "U+007F and U+0085 are not escaped", b'"\\u007f\\u0085"', b'"\x7f\xc2\x85"'),
    ("solidus", "a slash needs no escape", b'"a\\/b"', b'"a/b"'),
    ("quotes", "quotation mark and backslash", b'"\\u0022\\u005c"', b'"\\"\\\\"'),
    ("html", "nothing is escaped for HTML", b'"</script>&\'"', b'"</script>&\'"'),
    ("line-separators", "U+2028 and U+2029 are raw", b'"\\u2028\\u2029"', b'"\xe2\x80\xa8\xe2\x80\xa9"'),
    ("byte-order-mark-inside", "U+FEFF inside a text is a character", b'"\\ufeff"', b'"\xef\xbb\xbf"'),
    ("noncharacters", "U+FFFF and U+10FFFF are allowed", b'"\\uffff\\udbff\\udfff"', b'"\xef\xbf\xbf\xf4\x8f\xbf\xbf"'),
    ("surrogate-pair", "an escaped pair is one character", b'"\\ud83d\\ude00"', b'"\xf0\x9f\x98\x80"'),
    ("escaped-backslash", "no surrogate: the backslash itself is escaped", b'"\\\\ud83d"', b'"\\\\ud83d"'),
    ("key-non-ascii", "a key beyond ASCII sorts by code point", b'{"\xc3\xa9":1,"z":2}', b'{"z":2,"\xc3\xa9":1}'),
    (
        "key-private-use",
        "U+E000 is the last kind of key both rules sort alike",
        b'{"\\ue000":1}',
        b'{"\xee\x80\x80":1}',
    ),
    ("key-control", "a control in a key is escaped", b'{"\\u0000":1,"":2}', b'{"":2,"\\u0000":1}'),
    (
        "value-emoji",
        "only keys are limited to the basic plane",
        b'{"a":"\xf0\x9f\x98\x80"}',
        b'{"a":"\xf0\x9f\x98\x80"}',
    ),
    ("zero", "zero", b"0", b"0"),
    ("largest", "2^53-1 is exact everywhere", b"9007199254740991", b"9007199254740991"),
    ("smallest", "-(2^53-1) is exact everywhere", b"-9007199254740991", b"-9007199254740991"),
    ("depth-64", "64 levels around a value", b"[" * 64 + b"1" + b"]" * 64, b"[" * 64 + b"1" + b"]" * 64),
    ("depth-64-objects", "64 objects", b'{"a":' * 64 + b"1" + b"}" * 64, b'{"a":' * 64 + b"1" + b"}" * 64),
    ("broad", "many brackets are not deep", b"[" + b"[],{}," * 99 + b"[]]", b"[" + b"[],{}," * 99 + b"[]]"),
]
"""Valid documents: id, why, document, canonical bytes written by hand."""

NOT_LOADED: list[tuple[str, str, bytes, str, str | None]] = [
    ("empty", "no document", b"", "not-json", None),
    ("only-blanks", "no document", b" \n", "not-json", None),
    ("two-documents", "something after the end", b"{}{}", "not-json", None),
    ("trailing-text", "something after the end", b"{}\n# end", "not-json", None),
    ("trailing-nul", "a NUL after the end", b"{}\x00", "not-json", None),
    ("trailing-comma", "JSON has no trailing comma", b"[1,]", "not-json", None),
    ("unterminated", "cut off", b'{"a":[1', "not-json", None),
    ("comment", "JSON has no comments", b"[1/*x*/]", "not-json", None),
    ("single-quotes", "JSON has one kind of quotes", b"{'a':1}", "not-json", None),
    ("bare-key", "keys are quoted", b"{a:1}", "not-json", None),
    ("capital-word", "words are lower-case", b"True", "not-json", None),
    ("leading-zero", "numbers have no leading zero", b"01", "not-json", None),
    ("plus-sign", "numbers have no plus sign", b"+1", "not-json", None),
    ("bare-fraction", "a number starts with a digit", b".5", "not-json", None),
    ("bare-point", "a point needs digits after it", b"1.", "not-json", None),
    ("hexadecimal", "numbers are decimal", b"0x10", "not-json", None),
    ("fullwidth-digit", "digits are ASCII", "\uff11".encode(), "not-json", None),
    ("no-break-space", "U+00A0 is no blank of JSON", b"[1,\xc2\xa02]", "not-json", None),
    ("form-feed", "a form feed is no blank of JSON", b"[1,\x0c2]", "not-json", None),
    ("raw-newline", "a control must be escaped inside a text", b'"a\nb"', "not-json", None),
    ("raw-nul", "a NUL must be escaped inside a text", b'"a\x00b"', "not-json", None),
    ("bad-escape", "an unknown escape", b'"\\x41"', "not-json", None),
    ("utf-16-unmarked", "UTF-16 without a mark reads as NUL bytes", '{"a":1}'.encode("utf-16-le"), "not-json", None),
    ("utf-16-little", "UTF-16 with a mark", "{}".encode("utf-16"), "not-utf8", None),
    ("utf-16-big", "UTF-16 with a mark", b"\xfe\xff\x00{\x00}", "not-utf8", None),
    ("latin-1", "a Latin-1 letter", b'"\xe9"', "not-utf8", None),
    ("overlong", "an overlong slash", b'"\xc0\xaf"', "not-utf8", None),
    ("cut-character", "half a character", b'"\xc3"', "not-utf8", None),
    ("raw-surrogate", "a surrogate encoded as if it were a character", b'"\xed\xa0\x80"', "not-utf8", None),
    ("cesu-8", "an emoji as two encoded surrogates", b'"\xed\xa0\xbd\xed\xb8\x80"', "not-utf8", None),
    ("beyond-unicode", "U+110000", b'"\xf4\x90\x80\x80"', "not-utf8", None),
    ("byte-order-mark", "a byte order mark changes the hash unseen", b"\xef\xbb\xbf{}", "byte-order-mark", None),
    ("duplicate", "parsers disagree which one wins", b'{"a":1,"a":2}', "duplicate-key", "$.a"),
    ("duplicate-same", "equal values do not help", b'{"a":1,"a":1}', "duplicate-key", "$.a"),
    ("duplicate-escaped", "the same key in two spellings", b'{"a":1,"\\u0061":2}', "duplicate-key", "$.a"),
    ("duplicate-empty", "the empty key", b'{"":1,"":2}', "duplicate-key", '$[""]'),
    ("duplicate-deep", "at any level", b'{"x":[0,{"a":1,"a":2}]}', "duplicate-key", "$.x[1].a"),
    ("duplicate-hides", "a hazard in the losing value", b'{"a":NaN,"a":1}', "duplicate-key", "$.a"),
    ("nan", "NaN is not JSON, though many parsers take it", b'{"a":NaN}', "number", "$.a"),
    ("infinity", "Infinity is not JSON", b"[Infinity]", "number", "$[0]"),
    ("minus-infinity", "-Infinity is not JSON", b"-Infinity", "number", "$"),
    ("minus-zero", "-0 becomes 0 in some readers", b'{"a":-0}', "number", "$.a"),
    ("minus-zero-float", "-0.0 likewise", b"[-0.0]", "number", "$[0]"),
    ("minus-zero-exponent", "-0e1 likewise", b"-0e1", "number", "$"),
    ("minus-underflow", "rounds to -0.0", b"-1e-999", "number", "$"),
    ("beyond-largest", "2^53 is not exact in every reader", b"[9007199254740992]", "number", "$[0]"),
    ("beyond-smallest", "-2^53 likewise", b"-9007199254740992", "number", "$"),
    ("huge-integer", "400 digits", b"1" + b"0" * 400, "number", "$"),
    ("overflow", "1e400 is infinite in some readers", b'{"a":{"b":1e400}}', "number", "$.a.b"),
    ("lone-high", "half a pair", b'{"a":"\\ud83d"}', "lone-surrogate", "$.a"),
    ("lone-low", "half a pair", b'["\\uDE00"]', "lone-surrogate", "$[0]"),
    ("pair-reversed", "low before high is two halves", b'"\\ude00\\ud83d"', "lone-surrogate", "$"),
    ("pair-broken", "the second half is another character", b'"\\ud83d\\u0041"', "lone-surrogate", "$"),
    ("lone-in-key", "in a key", b'{"\\ud800":1}', "lone-surrogate", "$"),
    ("depth-65", "65 levels around a value", b"[" * 65 + b"1" + b"]" * 65, "too-deep", None),
    ("depth-65-objects", "65 objects", b'{"a":' * 65 + b"1" + b"}" * 65, "too-deep", None),
    ("depth-5000", "deeper than the stack of some parsers", b"[" * 5000 + b"]" * 5000, "too-deep", None),
]
"""Documents that no reader may take: id, why, document, rule, and the JSON path where one exists."""

NOT_CANONICAL: list[tuple[str, str, bytes, str, str | None]] = [
    ("float", "languages print floats differently", b'{"a":1.5}', "number", "$.a"),
    ("float-integral", "1.0 prints as 1.0 or as 1", b"[1.0]", "number", "$[0]"),
    ("float-exponent", "1e2 prints as 100.0, 100 or 1e2", b"1e2", "number", "$"),
    ("float-small", "1e-7 prints as 1e-07 or 1e-7", b'{"a":[0,1e-7]}', "number", "$.a[1]"),
    ("float-zero", "0.0 prints as 0.0 or as 0", b"0.0", "number", "$"),
    ("float-underflow", "1e-999 reads as 0.0", b"1e-999", "number", "$"),
    (
        "key-emoji",
        "U+1F600 sorts after U+E000 by code point, before it by UTF-16 unit",
        b'{"\\ue000":1,"\xf0\x9f\x98\x80":2}',
        "key",
        "$",
    ),
    (
        "key-astral-alone",
        "refused wherever it stands, so that a rule has no exception",
        b'[{"\\ud800\\udc00":1}]',
        "key",
        "$[0]",
    ),
]
"""Documents that load but have no canonical form."""


def canonical_cases() -> list[Case]:
    """Return the cases of canonical.json; the bytes written by hand must agree with the recipe."""
    cases: list[Case] = []
    for name, why, document, wanted in ONE_WAY:
        if canonical(json.loads(document)) != wanted:
            sys.exit(f"make_vectors: {name}: the recipe gives {canonical(json.loads(document))!r}, not {wanted!r}")
        digest = hashlib.sha256(wanted).hexdigest()
        cases.append(
            _head(name, why, valid=True) | _document(document) | {"canonical_hex": wanted.hex(), "sha256": digest}
        )
    for stage, rows in (("load", NOT_LOADED), ("canonical", NOT_CANONICAL)):
        for name, why, document, rule, path in rows:
            refusal = {"refused_at": stage, "error": "invalid-document", "rule": rule}
            cases.append(
                _head(name, why, valid=False) | _document(document) | refusal | ({"path": path} if path else {})
            )
    return cases


def _head(name: str, why: str, *, valid: bool) -> Case:
    return {"id": name, "why": why, "valid": valid}


def _document(data: bytes) -> Case:
    return {"document_hex": data.hex()}


# --- mint.json ---

HTTP = "http://arxiv.org/licenses/nonexclusive-distrib/1.0/"
SEED: dict[str, Any] = {
    "schema_version": "1.0",
    "source": {"kind": "arxiv", "id": "2010.10458", "version": 1},
    "metadata": {
        "title_canon_sha256": "77deb573b8ad155b588eb76d524992c77bdaa561b98808601a34e108cb7b6e37",
        "abstract_canon_sha256": "9b59880d431a40005655d89e18f9c734c6aba2a1252caedcf338ff6e730629e0",
        "primary_cat": "cs.DC",
        "cross_cats_sorted": ["cs.AI"],
        "license": HTTP,
        "submitted_at": "2020-10-20T17:16:29Z",
    },
}
SEED_NUMBER = "pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ"
"""The registry's own number for SEED: the anchor of everything below."""
SEED_JSON = json.dumps(SEED)
TITLE, ABSTRACT = SEED["metadata"]["title_canon_sha256"], SEED["metadata"]["abstract_canon_sha256"]


def changed(path: str, value: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    """Return SEED with the member at `path` set to `value`."""
    record: dict[str, Any] = json.loads(SEED_JSON)
    *parents, last = path.split(".")
    place = record
    for name in parents:
        place = place[name]
    place[last] = value
    return record


def without(path: str) -> dict[str, Any]:
    """Return SEED without the member at `path`."""
    record: dict[str, Any] = json.loads(SEED_JSON)
    *parents, last = path.split(".")
    place = record
    for name in parents:
        place = place[name]
    del place[last]
    return record


MINTED: list[tuple[str, str, dict[str, Any]]] = [
    ("seed", "the registry's record of 2010.10458v1", SEED),
    ("version-2", "another version is another number", changed("source.version", 2)),
    ("version-largest", "four digits of version", changed("source.version", 9999)),
    ("old-style", "the slash of an old identifier stays", changed("source.id", "hep-th/9309160")),
    ("old-style-first", "the oldest month", changed("source.id", "hep-th/9108001")),
    ("old-style-hyphens", "an archive with a hyphen", changed("source.id", "math-ph/0612083")),
    ("four-digits", "new identifiers had four digits until 1412", changed("source.id", "0704.0001")),
    ("year-earlier", "the year is that of submission, not that of the identifier", changed("source.id", "2101.00001")),
    ("new-year-eve", "the last second of a year", changed("metadata.submitted_at", "2017-12-31T23:59:59Z")),
    ("leap-day", "2020 is a leap year", changed("metadata.submitted_at", "2020-02-29T00:00:00Z")),
    ("leap-century", "2000 is a leap year", changed("metadata.submitted_at", "2000-02-29T00:00:00Z")),
    ("license-empty", "no licence is the empty text", changed("metadata.license", "")),
    (
        "license-https",
        "a respelled licence is another number",
        changed("metadata.license", HTTP.replace("http", "https")),
    ),
    ("license-no-slash", "a licence without its slash is another number", changed("metadata.license", HTTP[:-1])),
    ("cross-empty", "no cross categories", changed("metadata.cross_cats_sorted", [])),
    (
        "cross-order",
        "ASCII order",
        changed("metadata.cross_cats_sorted", ["astro-ph", "astro-ph.CO", "cs.AI", "math-ph"]),
    ),
    (
        "cross-capitals",
        "capitals sort first",
        changed("metadata.cross_cats_sorted", ["cs.AI", "cs.IT", "cs.it", "math.IT"]),
    ),
]

SPELLED: list[tuple[str, str, str]] = [
    ("indented", "blanks in the document do not count", json.dumps(SEED, indent=2) + "\n"),
    ("reordered", "the order of members does not count", json.dumps(SEED, sort_keys=True)),
    ("reversed", "the order of members does not count", json.dumps(dict(reversed(SEED.items())))),
    ("escaped", "escapes do not count", SEED_JSON.replace("arxiv", "\\u0061rxiv").replace("/", "\\/")),
]
"""Other spellings of SEED."""

TIME = "metadata.submitted_at"
CROSS = "metadata.cross_cats_sorted"
REFUSED: list[tuple[str, str, Any, str]] = [
    ("root-array", "a record is an object", [SEED], "$"),
    ("root-null", "a record is an object", None, "$"),
    ("unknown-root", "an unknown member would change the hash", changed("authors", []), "$"),
    ("unknown-source", "an unknown member would change the hash", changed("source.doi", "10.1/x"), "source"),
    ("unknown-metadata", "an unknown member would change the hash", changed("metadata.title", "x"), "metadata"),
    ("unknown-case", "members are case-sensitive", changed("Source", {}), "$"),
    ("missing-schema", "a missing member has no default", without("schema_version"), "$"),
    ("missing-source", "a missing member has no default", without("source"), "$"),
    ("missing-version", "a missing member has no default", without("source.version"), "source"),
    ("missing-license", "no licence is the empty text, not absence", without("metadata.license"), "metadata"),
    ("missing-cross", "no cross categories is an empty list", without(CROSS), "metadata"),
    ("source-text", "source is an object", changed("source", "arxiv:2010.10458v1"), "source"),
    ("metadata-null", "metadata is an object", changed("metadata", None), "metadata"),
    ("schema-number", "the schema version is a text", changed("schema_version", 1), "schema_version"),
    ("schema-other", "another schema has other rules", changed("schema_version", "1.1"), "schema_version"),
    (
        "schema-page",
        "the page's spelling is not the record's",
        changed("schema_version", "pith-number/v1.0"),
        "schema_version",
    ),
    ("kind-capital", "the kind is lower-case", changed("source.kind", "arXiv"), "source.kind"),
    ("kind-other", "no other kind has been seen", changed("source.kind", "doi"), "source.kind"),
    ("kind-null", "the kind is a text", changed("source.kind", None), "source.kind"),
    ("version-bool", "true equals 1 in Python only", changed("source.version", True), "source.version"),  # noqa: FBT003
    ("version-float", "1.0 equals 1 in Python only", changed("source.version", 1.0), "source.version"),
    ("version-text", "the version is a number", changed("source.version", "1"), "source.version"),
    ("version-null", "the version is a number", changed("source.version", None), "source.version"),
    ("version-zero", "versions count from 1", changed("source.version", 0), "source.version"),
    ("version-negative", "versions count from 1", changed("source.version", -1), "source.version"),
    ("version-five-digits", "no paper has 10000 versions", changed("source.version", 10000), "source"),
    ("version-largest-integer", "no paper has 2^53-1 versions", changed("source.version", 2**53 - 1), "source"),
    ("id-number", "the identifier is a text", changed("source.id", 2010.10458), "source.id"),
    ("id-empty", "the identifier is empty", changed("source.id", ""), "source"),
    ("id-with-version", "the version stands apart", changed("source.id", "2010.10458v1"), "source"),
    ("id-with-scheme", "the identifier has no prefix", changed("source.id", "arXiv:2010.10458"), "source"),
    ("id-newline", "a final newline", changed("source.id", "2010.10458\n"), "source"),
    ("id-fullwidth", "digits are ASCII", changed("source.id", "2010.1045\uff18"), "source"),
    ("id-month-13", "there is no month 13", changed("source.id", "2013.10458"), "source"),
    ("id-four-digits-late", "five digits since 1501", changed("source.id", "2010.1045"), "source"),
    ("id-five-digits-early", "four digits until 1412", changed("source.id", "1412.00001"), "source"),
    ("id-subject-class", "the subject class is not part of it", changed("source.id", "math.GT/0309136"), "source"),
    ("id-capital-archive", "archives are lower-case", changed("source.id", "HEP-TH/9309160"), "source"),
    ("id-unknown-archive", "no such archive", changed("source.id", "hep-xx/9309160"), "source"),
    (
        "title-capitals",
        "hex is lower-case",
        changed("metadata.title_canon_sha256", TITLE.upper()),
        "metadata.title_canon_sha256",
    ),
    ("title-short", "63 digits", changed("metadata.title_canon_sha256", TITLE[1:]), "metadata.title_canon_sha256"),
    ("title-long", "65 digits", changed("metadata.title_canon_sha256", TITLE + "0"), "metadata.title_canon_sha256"),
    (
        "title-newline",
        "a final newline",
        changed("metadata.title_canon_sha256", TITLE + "\n"),
        "metadata.title_canon_sha256",
    ),
    ("title-null", "the hash is a text", changed("metadata.title_canon_sha256", None), "metadata.title_canon_sha256"),
    (
        "abstract-prefix",
        "no algorithm prefix",
        changed("metadata.abstract_canon_sha256", "sha256:" + ABSTRACT),
        "metadata.abstract_canon_sha256",
    ),
    (
        "abstract-letter",
        "g is no hex digit",
        changed("metadata.abstract_canon_sha256", "g" + ABSTRACT[1:]),
        "metadata.abstract_canon_sha256",
    ),
    (
        "primary-empty",
        "there is always a primary category",
        changed("metadata.primary_cat", ""),
        "metadata.primary_cat",
    ),
    ("primary-two", "one category", changed("metadata.primary_cat", "cs.DC cs.AI"), "metadata.primary_cat"),
    ("primary-cyrillic", "a look-alike letter", changed("metadata.primary_cat", "\u0441s.DC"), "metadata.primary_cat"),
    ("primary-newline", "a final newline", changed("metadata.primary_cat", "cs.DC\n"), "metadata.primary_cat"),
    ("cross-unsorted", "another order would be another hash", changed(CROSS, ["cs.LG", "cs.AI"]), CROSS),
    ("cross-twice", "each category once", changed(CROSS, ["cs.AI", "cs.AI"]), CROSS),
    ("cross-primary", "the primary is left out", changed(CROSS, ["cs.AI", "cs.DC"]), CROSS),
    ("cross-text", "a list, not a text", changed(CROSS, "cs.AI"), CROSS),
    ("cross-null", "a list, not null", changed(CROSS, None), CROSS),
    ("cross-number", "a list of texts", changed(CROSS, [1]), CROSS),
    ("cross-blank", "a blank inside a category", changed(CROSS, ["cs.AI cs.LG"]), CROSS),
    ("license-null", "no licence is the empty text", changed("metadata.license", None), "metadata.license"),
    ("license-blank", "a URL holds no blank", changed("metadata.license", HTTP + " "), "metadata.license"),
    ("license-newline", "a final newline", changed("metadata.license", HTTP + "\n"), "metadata.license"),
    ("license-non-ascii", "a URL is ASCII", changed("metadata.license", HTTP + "\u00e9"), "metadata.license"),
    ("time-leap-day", "2021 is no leap year", changed(TIME, "2021-02-29T00:00:00Z"), TIME),
    ("time-leap-century", "1900 was no leap year", changed(TIME, "1900-02-29T00:00:00Z"), TIME),
    ("time-april-31", "April has 30 days", changed(TIME, "2020-04-31T00:00:00Z"), TIME),
    ("time-month-0", "months count from 1", changed(TIME, "2020-00-10T00:00:00Z"), TIME),
    ("time-month-13", "there are 12 months", changed(TIME, "2020-13-10T00:00:00Z"), TIME),
    ("time-day-0", "days count from 1", changed(TIME, "2020-10-00T00:00:00Z"), TIME),
    ("time-hour-24", "midnight is hour 0", changed(TIME, "2020-10-20T24:00:00Z"), TIME),
    ("time-minute-60", "there are 60 minutes", changed(TIME, "2020-10-20T17:60:00Z"), TIME),
    ("time-second-60", "no leap seconds", changed(TIME, "2016-12-31T23:59:60Z"), TIME),
    ("time-year-0", "there is no year 0", changed(TIME, "0000-01-01T00:00:00Z"), TIME),
    ("time-offset", "UTC is written Z", changed(TIME, "2020-10-20T17:16:29+00:00"), TIME),
    ("time-lower-case", "UTC is written Z", changed(TIME, "2020-10-20t17:16:29z"), TIME),
    ("time-local", "a time without a zone", changed(TIME, "2020-10-20T17:16:29"), TIME),
    ("time-blank", "T between date and time", changed(TIME, "2020-10-20 17:16:29Z"), TIME),
    ("time-fraction", "whole seconds", changed(TIME, "2020-10-20T17:16:29.000Z"), TIME),
    ("time-date-only", "a date is no time", changed(TIME, "2020-10-20"), TIME),
    ("time-basic", "with hyphens and colons", changed(TIME, "20201020T171629Z"), TIME),
    ("time-fullwidth", "digits are ASCII", changed(TIME, "\uff12020-10-20T17:16:29Z"), TIME),
    ("time-newline", "a final newline", changed(TIME, "2020-10-20T17:16:29Z\n"), TIME),
    ("time-number", "the time is a text", changed(TIME, 1603214189), TIME),
]
"""Records that must not be minted: id, why, record, path of the fault."""

UNREADABLE: list[tuple[str, str, str]] = [
    ("duplicate-member", "two readers could mint two numbers", SEED_JSON[:-1] + ', "schema_version": "1.0"}'),
    ("duplicate-deep", "the same below the root", SEED_JSON.replace('"kind"', '"version": 1, "kind"')),
    ("nan-version", "NaN is not JSON", SEED_JSON.replace('"version": 1', '"version": NaN')),
    ("minus-zero-version", "minus zero", SEED_JSON.replace('"version": 1', '"version": -0')),
    ("byte-order-mark", "a byte order mark", "\ufeff" + SEED_JSON),
    ("lone-surrogate", "half a character", SEED_JSON.replace("cs.AI", "\\ud83d")),
    ("two-records", "something after the end", SEED_JSON + SEED_JSON),
]
"""Documents that must not even be read."""

PAPER: dict[str, Any] = {
    "arxiv": "2101.00001",
    "version": 1,
    "title": "A title",
    "abstract": "An abstract.",
    "categories": "cs.DL",
    "submitted_at": "2020-12-31T23:59:59Z",
    "license": "",
}

PAPERS: list[tuple[str, str, dict[str, Any]]] = [
    ("paper", "a made-up paper", {}),
    (
        "paper-blanks",
        "runs of blanks fold, ends are trimmed",
        {"title": "\n  A\t\ttitle \r\n", "abstract": "An\n  abstract.\n"},
    ),
    ("paper-case", "capitals fold", {"title": "A TITLE"}),
    ("paper-final-stop", "punctuation stays", {"title": "A title."}),
    ("paper-tex", "TeX stays", {"title": "Schr\\\"odinger, Poincar\\'e and $L^2(\\mathbb{R})$ ``quotes'' --- {X}"}),
    ("paper-html", "nothing is escaped or unescaped", {"title": "a < b &amp; c"}),
    ("paper-composed", "no Unicode normalisation", {"title": "Schr\u00f6dinger"}),
    ("paper-decomposed", "no Unicode normalisation: another number", {"title": "Schro\u0308dinger"}),
    ("paper-sharp-s", "lower-casing, not case folding", {"title": "Gau\u00df \u1e9e"}),
    ("paper-dotted-i", "one capital becomes two characters", {"title": "\u0130stanbul"}),
    ("paper-final-sigma", "a final sigma has its own small letter", {"title": "\u039b\u039f\u0393\u039f\u03a3"}),
    ("paper-ligature", "no compatibility normalisation", {"title": "\ufb01eld \u2168"}),
    ("paper-blank-kinds", "Unicode blanks count as blanks", {"title": "a\u00a0b\u2028c\u3000d\u2009e\u0085f"}),
    ("paper-controls", "the four separators count as blanks, NUL does not", {"title": "a\x1cb\x1fc\x00d"}),
    ("paper-zero-width", "a zero-width space is no blank", {"title": "a\u200bb\ufeffc"}),
    ("paper-emoji", "beyond the basic plane", {"title": "On \U0001f600"}),
    (
        "paper-categories",
        "cross categories are sorted, the primary left out, each once",
        {"categories": "math-ph math.MP cs.IT math-ph cs.IT"},
    ),
    (
        "paper-assumed-license",
        "the page's licence of old papers is none",
        {"license": "http://arxiv.org/licenses/assumed-1991-2003/"},
    ),
]
"""Metadata that mints: id, why, changes to PAPER."""

NOT_PAPERS: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("paper-no-title", "an empty title", {"title": ""}, "not-mintable", "title"),
    ("paper-blank-title", "a title of blanks", {"title": " \u00a0\n"}, "not-mintable", "title"),
    ("paper-no-abstract", "an empty abstract", {"abstract": ""}, "not-mintable", "abstract"),
    ("paper-no-categories", "no category", {"categories": "  "}, "not-mintable", "categories"),
    ("paper-surrogate", "half a character", {"title": "a\ud83d"}, "invalid-record", "title or abstract"),
    (
        "paper-comma",
        "categories are separated by blanks",
        {"categories": "cs.DL,cs.IT"},
        "invalid-record",
        "metadata.primary_cat",
    ),
    (
        "paper-time",
        "a time of another shape",
        {"submitted_at": "Thu, 31 Dec 2020 23:59:59 GMT"},
        "invalid-record",
        TIME,
    ),
]
"""Metadata that must not mint: id, why, changes to PAPER, error, place of the fault."""


def paper_record(paper: dict[str, Any]) -> dict[str, Any]:
    """Return the canonical record of a paper by the published rules."""
    primary, *cross = paper["categories"].split()
    assumed = paper["license"].endswith("/assumed-1991-2003/")
    return {
        "schema_version": "1.0",
        "source": {"kind": "arxiv", "id": paper["arxiv"], "version": paper["version"]},
        "metadata": {
            "title_canon_sha256": text_hash(paper["title"]),
            "abstract_canon_sha256": text_hash(paper["abstract"]),
            "primary_cat": primary,
            "cross_cats_sorted": sorted(set(cross) - {primary}),
            "license": "" if assumed else paper["license"],
            "submitted_at": paper["submitted_at"],
        },
    }


def mint_cases() -> list[Case]:
    """Return the cases of mint.json."""
    if minted(SEED)["number"] != SEED_NUMBER:
        sys.exit(f"make_vectors: the recipe gives {minted(SEED)['number']} for the seed, not {SEED_NUMBER}")
    cases = [
        _head(name, why, valid=True) | {"document": json.dumps(record)} | minted(record) for name, why, record in MINTED
    ]
    cases += [_head(name, why, valid=True) | {"document": document} | minted(SEED) for name, why, document in SPELLED]
    cases += [_bits_case()]
    for name, why, record, path in REFUSED:
        refusal = {"document": json.dumps(record), "error": "invalid-record", "path": path}
        cases.append(_head(name, why, valid=False) | refusal)
    for name, why, document in UNREADABLE:
        cases.append(_head(name, why, valid=False) | {"document": document, "error": "invalid-document"})
    for name, why, changes in PAPERS:
        cases.append(_head(name, why, valid=True) | {"paper": PAPER | changes} | minted(paper_record(PAPER | changes)))
    for name, why, changes, error, path in NOT_PAPERS:
        cases.append(_head(name, why, valid=False) | {"paper": PAPER | changes, "error": error, "path": path})
    return cases


def _bits_case() -> Case:
    """Return SEED once more, with the number that a cut to 128 bits would wrongly give."""
    case = minted(SEED)
    wrong = base64.b32encode(bytes.fromhex(case["sha256"])[:16]).decode()[:26]
    why = "26 characters are 130 bits of the digest; 16 bytes padded with zeros give another last character"
    return _head("bits-130", why, valid=True) | {"document": SEED_JSON} | case | {"not_number": f"pith:2020:{wrong}"}


# --- files ---

CANONICAL_SCHEMA = """document_hex: bytes of a document. valid: it loads, and canonical_hex are its canonical bytes,
sha256 their hash. Otherwise refused_at says whether loading or canonicalising refuses it; error, rule and path say why
(path where the place is the same for every parser)."""
MINT_SCHEMA = """document: text of a canonical record, or paper: metadata. valid: canonical_hex, sha256, number and
aliases follow from it; not_number is a known wrong answer. Otherwise error and path say why it is refused."""

FILES = {
    "canonical.json": ("docs/protocol.md section 1", CANONICAL_SCHEMA, canonical_cases),
    "mint.json": ("docs/protocol.md sections 2, 3, 4 and 6", MINT_SCHEMA, mint_cases),
}


def rendered(name: str) -> str:
    """Return the text of a vector file."""
    source, schema, cases = FILES[name]
    rows = cases()
    twice = len(rows) - len({row["id"] for row in rows})
    if twice:
        sys.exit(f"make_vectors: {name}: {twice} ids occur twice")
    return json.dumps({"source": source, "schema": " ".join(schema.split()), "cases": rows}, indent=1) + "\n"


def main() -> int:
    """Write the files, or compare them under `--check`."""
    parser = argparse.ArgumentParser(description="Write data/vectors/canonical.json and data/vectors/mint.json.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing; exit 1 if a file differs")
    check: bool = parser.parse_args().check
    stale = []
    for name in FILES:
        path, text = FOLDER / name, rendered(name)
        if not check:
            path.write_text(text, encoding="utf-8", newline="\n")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    for name in stale:
        print(f"data/vectors/{name} differs from what scripts/make_vectors.py writes", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
