"""Ed25519 over 32 raw digest bytes: the only module that imports nacl.

Source: RFC 8032 section 5.1; PyNaCl (libsodium) refuses small-order keys, points that are not canonical and S out of
range, which other libraries accept.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, Self

from nacl.bindings import (
    crypto_core_ed25519_is_valid_point,
    crypto_sign,
    crypto_sign_open,
    crypto_sign_seed_keypair,
)
from nacl.exceptions import BadSignatureError

from pithid.core.errors import PithError
from pithid.core.keys import InvalidKey, PublicKey

_HEX = re.compile(r"[0-9a-f]{64}")


class BadSignature(PithError, ValueError):
    """A signature does not verify."""

    code = "bad-signature"


def verify(key: PublicKey, digest: bytes, signature: bytes) -> None:
    """Check an Ed25519 signature over a raw digest; return None or raise.

    Args:
        key: already trusted by the caller.
        digest: 32 raw bytes, recomputed from what was received, never read from it.
        signature: 64 raw bytes, R then S.

    Raises:
        BadSignature: it does not verify; also for wrong lengths, so that no other error escapes.
    """
    if not is_valid(key.raw, digest, signature):
        raise BadSignature("the signature does not verify")


def is_valid(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether `signature` over `message` verifies under the raw `key`; False for anything malformed."""
    if len(key) != 32 or len(signature) != 64:
        return False
    try:
        crypto_sign_open(signature + message, key)
    except (BadSignatureError, ValueError):
        return False
    return True


@lru_cache(maxsize=4096)
def is_weak(key: PublicKey) -> bool:
    """Tell whether a key must be refused: no point of the curve, of small order, or outside the main subgroup.

    Under a key of small order one signature is valid for every message. Answers are kept, as the test costs as much as
    a signature and few keys sign many documents.
    """
    return not crypto_core_ed25519_is_valid_point(key.raw)


def refuse_weak(key: PublicKey) -> None:
    """Refuse a weak key.

    Raises:
        InvalidKey: the key is weak.
    """
    if is_weak(key):
        raise InvalidKey(
            f"the key with fingerprint {key.fingerprint} is weak: one signature could be valid for every message"
        )


class Signer(Protocol):
    """What can sign; the private key may live elsewhere."""

    @property
    def key(self) -> PublicKey:
        """The public key."""

    def sign(self, digest: bytes) -> bytes:
        """Return the 64 bytes of the signature over 32 digest bytes."""


@dataclass(frozen=True, slots=True, repr=False)
class SeedSigner:
    """Signs with a private key held in memory; its text form never shows it."""

    seed: bytes

    def __post_init__(self) -> None:
        if len(self.seed) != 32:
            raise InvalidKey(f"a private key seed has 32 bytes, not {len(self.seed)}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the seed from 64 lower-case hex digits."""
        if _HEX.fullmatch(text) is None:
            raise InvalidKey("a private key is 64 lower-case hex digits")  # never echo what was given
        return cls(bytes.fromhex(text))

    @property
    def key(self) -> PublicKey:
        """The public key."""
        return PublicKey(crypto_sign_seed_keypair(self.seed)[0])

    def sign(self, digest: bytes) -> bytes:
        """Return the 64 bytes of the signature over 32 digest bytes."""
        if len(digest) != 32:
            raise BadSignature(f"only digests of 32 bytes are signed, not {len(digest)} bytes")
        return bytes(crypto_sign(digest, crypto_sign_seed_keypair(self.seed)[1])[:64])
