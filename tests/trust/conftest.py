"""Fixtures of the trust tests: the seed bundle and the pinned key."""

from pathlib import Path

import pytest

from pithid.core.canonical import Json, load
from pithid.core.keys import Keyring
from tests.trust.signers import read_trust


@pytest.fixture(scope="session")
def seed_bytes(root: Path) -> bytes:
    """Return the file of the seed bundle."""
    return (root / "data" / "seeds" / "bundle-2010.10458v1.json").read_bytes()


@pytest.fixture(scope="session")
def seed(seed_bytes: bytes) -> dict[str, Json]:
    """Return the seed bundle; shared, so never changed in place."""
    value = load(seed_bytes)
    assert isinstance(value, dict)
    return value


@pytest.fixture(scope="session")
def keyring(root: Path) -> Keyring:
    """Return the pinned registry key."""
    return read_trust(root / "data" / "trusted_keys.json")
