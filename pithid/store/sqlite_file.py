"""The index file: opening, migrating, transactions, and what the database's errors mean to a person."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pithid.store import schema
from pithid.store.origin import IndexFault
from pithid.store.places import file_uri, is_there

_BUSY_SECONDS = 30.0


def open_to_read(path: str, *, published: bool) -> sqlite3.Connection:
    """Open an existing index read-only; `published` files never change, so their locks are left out."""
    expect_there(path)
    try:
        return _opened(path, "immutable=1" if published else "mode=ro")
    except IndexFault:
        # An index with a write-ahead log in a folder that cannot be written opens only as a published one.
        # What the log still holds would be missing from the answers, so it must be empty.
        log = f"{path}-wal"
        pending = os.path.exists(log) and os.path.getsize(log) > 0
        if published or pending or os.access(os.path.dirname(os.path.abspath(path)), os.W_OK):
            raise
        return _opened(path, "immutable=1")


def open_to_write(path: str) -> sqlite3.Connection:
    """Open an index for writing, making it or bringing its schema up to date first."""
    _refuse_folder(path)
    database = _connected(path, "mode=rwc")
    try:
        _migrate(database, path)
    except BaseException:
        database.close()
        raise
    return database


def expect_there(path: str) -> None:
    """Refuse a path where no file is, or a folder, before the database makes something of it."""
    try:
        there = is_there(path)
    except ValueError:  # a NUL character
        there = False
    except OSError as error:
        raise IndexFault(f"index {path}: {error.strerror or error}") from None
    if not there:
        raise IndexFault(f"there is no index at {path}; make one with 'pithid import FILE'")
    _refuse_folder(path)


def run(database: sqlite3.Connection, path: str, sql: str, values: Sequence[Any] = ()) -> list[Any]:
    """Run one statement and return its rows."""
    try:
        return database.execute(sql, values).fetchall()
    except sqlite3.Error as error:
        raise fault(error, path) from None


def stream(database: sqlite3.Connection, path: str, sql: str) -> Iterator[Any]:
    """Run one query and yield its rows."""
    try:
        # Not `yield from`: it would close the cursor of a database that is closed already.
        for row in database.execute(sql):  # noqa: UP028
            yield row
    except sqlite3.Error as error:
        raise fault(error, path) from None


@contextmanager
def transaction(database: sqlite3.Connection, path: str) -> Iterator[None]:
    """Run a block in a write transaction: all of it is kept, or nothing."""
    run(database, path, "BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if database.in_transaction:  # a full disk rolls back by itself
            run(database, path, "ROLLBACK")
        raise
    run(database, path, "COMMIT")


def fault(error: sqlite3.Error, path: str) -> IndexFault:
    """Say what to do about an error of the database."""
    text = str(error)
    for sign, advice in (
        ("locked", "another process is writing to it; try again"),
        ("not a database", "it is not an index made by pithid"),
        ("malformed", "it is damaged; rebuild it with 'pithid import' or restore a copy"),
        ("full", "the disk is full; nothing of this batch was kept"),
        ("readonly", "it cannot be written; check its permissions"),
        ("unable to open", "it cannot be opened; check that the folder exists and its permissions"),
    ):
        if sign in text:
            return IndexFault(f"index {path}: {advice} ({text})")
    return IndexFault(f"index {path}: {text}")


def _refuse_folder(path: str) -> None:
    if os.path.isdir(path):
        raise IndexFault(f"{path} is a folder; name the index file")


def _connected(path: str, mode: str) -> sqlite3.Connection:
    try:
        return sqlite3.connect(file_uri(path, mode), uri=True, isolation_level=None, timeout=_BUSY_SECONDS)
    except sqlite3.Error as error:
        raise fault(error, path) from None
    except UnicodeEncodeError:
        raise IndexFault(f"index {path}: its path is no UTF-8") from None


def _opened(path: str, mode: str) -> sqlite3.Connection:
    database = _connected(path, mode)
    try:
        run(database, path, "PRAGMA trusted_schema = OFF")
        _expect_current(database, path)
    except BaseException:
        database.close()
        raise
    return database


def _state(database: sqlite3.Connection, path: str) -> tuple[int, int]:
    application = run(database, path, "PRAGMA application_id")[0][0]
    return application, run(database, path, "PRAGMA user_version")[0][0]


def _expect_current(database: sqlite3.Connection, path: str) -> None:
    version = _version(database, path)
    if version < len(schema.MIGRATIONS):
        raise IndexFault(f"{path} has the older schema version {version}; 'pithid import' brings it up to date")


def _version(database: sqlite3.Connection, path: str) -> int:
    """Return the schema version of an index; refuse other files and newer versions."""
    application, version = _state(database, path)
    if application != schema.APPLICATION_ID:
        raise IndexFault(f"{path} is not an index made by pithid")
    if version > len(schema.MIGRATIONS):
        raise IndexFault(f"{path} has schema version {version}, this pithid knows {len(schema.MIGRATIONS)}; upgrade it")
    return version


def _migrate(database: sqlite3.Connection, path: str) -> None:
    run(database, path, "PRAGMA trusted_schema = OFF")
    if run(database, path, "SELECT count(*) FROM sqlite_master") == [(0,)]:
        run(database, path, "PRAGMA journal_mode = WAL")
    elif _version(database, path) == len(schema.MIGRATIONS):
        run(database, path, "PRAGMA synchronous = NORMAL")
        return
    run(database, path, "PRAGMA synchronous = NORMAL")
    with transaction(database, path):  # the version is read inside: two processes may open a new file at once
        for script in schema.MIGRATIONS[_state(database, path)[1] :]:
            for statement in script.split(";\n"):
                run(database, path, statement)
        run(database, path, f"PRAGMA application_id = {schema.APPLICATION_ID}")
        run(database, path, f"PRAGMA user_version = {len(schema.MIGRATIONS)}")
