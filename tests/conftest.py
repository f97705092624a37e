"""Fixtures that every test may use."""

from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

settings.register_profile("pithid", deadline=None)  # a busy machine is no failure
settings.load_profile("pithid")


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of material that may be read but not published; skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the folder `shared` beside the checkout is absent: its texts may not be published")
    return SHARED
