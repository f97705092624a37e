"""The record document: made from verified events, and verified in its turn."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pithid.core.canonical import load
from pithid.core.errors import NotFound
from pithid.core.identifiers import PithNumber
from pithid.core.keys import Keyring
from pithid.core.verify_documents import verify_record
from pithid.service.bundles import import_bundle
from pithid.service.record_document import record_document
from pithid.service.trust import load_keyring
from pithid.store.places import data_file
from pithid.store.sqlite import SqliteStore

NUMBER = PithNumber.parse("pith:2020:Z5NAPRQPUU4SIDOBV5N2FREXWZ")
KEYRING = load_keyring(data_file("trusted_keys.json"))


@pytest.fixture
def store(tmp_path: Path, root: Path) -> Iterator[SqliteStore]:
    """Return an index that holds the seed bundle."""
    made = SqliteStore.create(str(tmp_path / "index.sqlite3"))
    raw = (root / "data" / "seeds" / "bundle-2010.10458v1.json").read_bytes()
    import_bundle(made, load(raw), raw, KEYRING)
    yield made
    made.close()


def test_document_verifies_and_has_the_registrys_members(store: SqliteStore, root: Path) -> None:
    """What is made here passes every check, and its status is computed as the registry computes it."""
    document = record_document(store, NUMBER, KEYRING)
    assert isinstance(document, dict)
    theirs = json.loads((root / "data" / "seeds" / "record-2007.03298v2.json").read_text())

    assert verify_record(load(json.dumps(document)), KEYRING).verdict == "verified"
    assert document["verification_status"] == theirs["verification_status"]
    assert set(document) <= set(theirs)


def test_record_without_a_trusted_registry_has_no_document(store: SqliteStore) -> None:
    """Without a key that vouches for the record there is nothing to show."""
    with pytest.raises(NotFound, match="vouches"):
        record_document(store, NUMBER, Keyring())
