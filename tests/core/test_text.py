"""Canonical text of titles and abstracts."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.text import canonical_text, text_sha256

KEPT = [
    (r"Schr\"odinger", r"schr\"odinger", "TeX accents stay"),
    (r"$L^2(\mathbb{R})$", r"$l^2(\mathbb{r})$", "formulas stay, in lower case"),
    ("``a'' -- b --- c", "``a'' -- b --- c", "quotes and dashes stay"),
    ("a < b &amp; c", "a < b &amp; c", "nothing is escaped or unescaped"),
    ("A title.", "a title.", "a final stop stays"),
    ("{A} {B}", "{a} {b}", "braces stay"),
    ("Schrödinger", "schrödinger", "a composed letter stays composed"),
    ("Schro\u0308dinger", "schro\u0308dinger", "a decomposed letter stays decomposed"),
    ("Gauß", "gauß", "lower-casing, not case folding"),
    ("ẞ", "ß", "the capital sharp s has a small one"),
    ("İ", "i\u0307", "one capital becomes two characters"),
    ("ΛΟΓΟΣ", "λογος", "a final sigma has its own small letter"),
    ("ﬁeld", "ﬁeld", "no compatibility normalisation"),
    ("a\u200bb", "a\u200bb", "a zero-width space is no blank"),
    ("a\ufeffb", "a\ufeffb", "nor is a byte order mark"),
    ("a\x00b", "a\x00b", "nor is a NUL"),
]
BLANKS = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2003\u2009\u200a\u2028\u2029\u202f\u205f\u3000"


@pytest.mark.parametrize(("text", "expected", "why"), KEPT)
def test_only_blanks_and_case_change(text: str, expected: str, why: str) -> None:
    """Whatever is neither a blank nor a capital stays as it is."""
    assert canonical_text(text) == expected, why


@pytest.mark.parametrize("blank", BLANKS, ids=lambda blank: f"U+{ord(blank):04X}")
def test_blanks_fold(blank: str) -> None:
    """Every blank of Unicode counts: runs become one space, those at the ends vanish."""
    assert canonical_text(f"{blank}a{blank}{blank} b{blank}") == "a b"


@given(st.text())
def test_shape(text: str) -> None:
    """The form has no blank but single spaces between words, and none at its ends."""
    folded = canonical_text(text)
    assert folded == " ".join(folded.split())
    assert folded == folded.strip()


@given(st.text())
def test_idempotent(text: str) -> None:
    """Folding again changes nothing, so a text already folded hashes the same."""
    assert canonical_text(canonical_text(text)) == canonical_text(text)


@given(st.text(st.characters(codec="ascii")))
def test_ascii_is_the_obvious(text: str) -> None:
    """On ASCII, all that real titles hold, the form is what a reader would write by hand."""
    blanks = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"
    words = "".join(" " if c in blanks else chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text).split(" ")
    assert canonical_text(text) == " ".join(word for word in words if word)


@given(st.lists(st.text(st.characters(codec="ascii", exclude_categories=["Cc", "Zs"]), min_size=1), min_size=1))
def test_wrapping_does_not_count(words: list[str]) -> None:
    """However a source wraps the lines of an abstract, the hash is the same."""
    assert text_sha256("\n  ".join(words) + "\n") == text_sha256(" ".join(words))


@given(st.text())
def test_hash(text: str) -> None:
    """The hash is SHA-256 over the UTF-8 of the form, with no newline, in lower-case hex."""
    assert text_sha256(text) == hashlib.sha256(canonical_text(text).encode()).hexdigest()


def test_empty() -> None:
    """The hash of nothing is the well-known hash of no bytes."""
    assert text_sha256(" \n ") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_lone_surrogate() -> None:
    """A lone surrogate has no UTF-8 and so no hash."""
    with pytest.raises(UnicodeEncodeError):
        text_sha256("a\ud800")
