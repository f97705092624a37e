"""The SHA-256 digest behind a number, and the other standard spellings of the same 32 bytes.

Sources: RFC 6920 section 3 (`ni:` URI), the CID specification (CIDv1, raw codec 0x55, sha2-256 multihash 0x12 0x20),
multibase prefixes `b` (RFC 4648 base32, lower case, no padding) and `z` (base58btc).
"""

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Self

from pithid.core.errors import InvalidIdentifier

_HEX = re.compile(r"[0-9a-f]{64}")
_NI = re.compile(r"ni:///sha-256;([A-Za-z0-9_-]{43})")
_CID_BASE32 = re.compile(r"b[a-z2-7]{58}")
_CID_BASE58 = re.compile(r"z[1-9A-HJ-NP-Za-km-z]{48,49}")
_CID_HEADER = bytes([0x01, 0x55, 0x12, 0x20])


@dataclass(frozen=True, slots=True)
class Digest:
    """A SHA-256 digest; `value` is its 32 bytes. Each spelling has a strict `from_...` that inverts it."""

    value: bytes

    def __post_init__(self) -> None:
        if len(self.value) != 32:
            raise InvalidIdentifier("digest", self.value.hex(), "expected 32 bytes")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read 64 lower-case hex digits; the inverse of `str()`."""
        if _HEX.fullmatch(text) is None:
            raise InvalidIdentifier("digest", text, "expected 64 lower-case hex digits")
        return cls(bytes.fromhex(text))

    def __str__(self) -> str:
        return self.value.hex()

    @property
    def base32(self) -> str:
        """The first 26 base32 characters (RFC 4648, upper case): 130 bits of the whole digest, not of 16 bytes."""
        return base64.b32encode(self.value).decode("ascii")[:26]

    @property
    def ni(self) -> str:
        """The RFC 6920 URI without authority."""
        return "ni:///sha-256;" + base64.urlsafe_b64encode(self.value).decode("ascii").rstrip("=")

    @property
    def cid(self) -> str:
        """CIDv1 of the canonical bytes as a raw block, in base32."""
        return "b" + base64.b32encode(_CID_HEADER + self.value).decode("ascii").rstrip("=").lower()

    @property
    def cid_base58(self) -> str:
        """The same CIDv1 in base58btc."""
        import base58  # noqa: PLC0415 - late: only this spelling needs it

        return "z" + str(base58.b58encode(_CID_HEADER + self.value), "ascii")

    @classmethod
    def from_ni(cls, text: str) -> Self:
        """Read an RFC 6920 `ni:` URI with algorithm sha-256 and no authority."""
        match = _NI.fullmatch(text)
        if match is None:
            raise InvalidIdentifier("ni URI", text, "expected ni:///sha-256; and 43 base64url characters")
        found = cls(base64.urlsafe_b64decode(match[1] + "="))
        if found.ni != text:
            raise InvalidIdentifier("ni URI", text, "the last character carries bits that must be zero")
        return found

    @classmethod
    def from_cid(cls, text: str) -> Self:
        """Read a CIDv1 (raw, sha2-256) in base32 or base58btc."""
        raw = b""
        if _CID_BASE32.fullmatch(text) is not None:
            try:
                raw = base64.b32decode(text[1:].upper() + "======")
            except binascii.Error:
                raw = b""
        elif _CID_BASE58.fullmatch(text) is not None:  # the length is bounded: decoding base58 is quadratic
            import base58  # noqa: PLC0415 - late: only this spelling needs it

            raw = bytes(base58.b58decode(text[1:]))
        if len(raw) != 36 or raw[:4] != _CID_HEADER:
            raise InvalidIdentifier("CID", text, "expected a version 1 CID of a raw block with a sha2-256 hash")
        found = cls(raw[4:])
        if text not in {found.cid, found.cid_base58}:
            raise InvalidIdentifier("CID", text, "not the canonical spelling of its bytes")
        return found
