"""Output files: after a failure at any moment all of the new one is there, or what was there before."""

import contextlib
import errno
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import BinaryIO, Self

from pithid.core.errors import Unavailable

_MARK = ".pithid-"
"""What the names of unfinished files start with."""
_STALE_SECONDS = 3600


class Taken(Unavailable):
    """There is a file of that name already, and it may not be replaced."""


class OutputFile:
    """A file to write text to. Used as a context manager, it is in place when the block ends without an error.

    A regular file is replaced by the whole new one, which keeps its permissions; symbolic links are followed. Anything
    else, such as a pipe or a device, is written to as it is.

    Raises:
        Unavailable: it cannot be written.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._part = self._target = ""
        try:
            self._stream = self._open()
        except OSError as error:
            raise _not_written(path, error) from None

    def _open(self) -> BinaryIO:
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            self._mode = 0o666 & ~_umask()
        else:
            if is_descriptor(2, found):  # opened by its name, what it holds already would be lost
                return open(os.dup(2), "wb")
            if not stat.S_ISREG(found.st_mode):
                return open(self.path, "wb")
            self._mode = stat.S_IMODE(found.st_mode)
        self._target = os.path.realpath(self.path)
        descriptor, self._part = tempfile.mkstemp(prefix=_MARK, suffix=".part", dir=os.path.dirname(self._target))
        return open(descriptor, "wb")

    def write(self, text: str) -> None:
        """Write a text as UTF-8."""
        try:
            self._stream.write(text.encode("utf-8"))
        except OSError as error:
            raise _not_written(self.path, error) from None

    def commit(self) -> None:
        """Write out what is still held back and give the file its name."""
        try:
            self._stream.flush()
            if not self._part:
                return
            os.chmod(self._part, self._mode)
            os.fsync(self._stream.fileno())
            self._stream.close()
            os.replace(self._part, self._target)
            sync(os.path.dirname(self._target))
        except OSError as error:
            raise _not_written(self.path, error) from None
        finally:
            self.discard()

    def discard(self) -> None:
        """Let go of the file; what was there before stays."""
        with contextlib.suppress(OSError):
            self._stream.close()
        with contextlib.suppress(OSError):
            os.unlink(self._part)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.commit()
        else:
            self.discard()


@contextmanager
def new_file(path: str) -> Iterator[str]:
    """Yield another name to write a new file under; when the block ends without an error, it gets its own.

    Raises:
        Taken: there is a file of that name; nothing is overwritten, even if it came while the block ran.
        Unavailable: the folder cannot be written.
    """
    target, work = os.path.realpath(path), ""
    folder = os.path.dirname(target)
    taken = Taken(f"{path} exists already and is not overwritten; name another file")
    if os.path.lexists(target):
        raise taken
    try:
        work = tempfile.mkdtemp(prefix=_MARK, dir=folder)
        part = os.path.join(work, "part")
        yield part
        place(part, target, folder)
    except FileExistsError:
        raise taken from None
    except OSError as error:
        raise _not_written(path, error) from None
    finally:
        if work:
            shutil.rmtree(work, ignore_errors=True)


def remove_leftovers(folder: str) -> None:
    """Remove what processes that were killed an hour ago or earlier left unfinished."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if (
                entry.name.startswith(_MARK)
                and time.time() - entry.stat(follow_symlinks=False).st_mtime > _STALE_SECONDS
            ):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)


def is_descriptor(descriptor: int, found: os.stat_result) -> bool:
    """Tell whether a file is the one that is open under a descriptor."""
    try:
        return os.path.samestat(os.fstat(descriptor), found)
    except OSError:
        return False


def place(part: str, path: str, folder: str) -> None:
    """Give a new file its name. A link, unlike a rename, fails where the name is taken.

    Raises:
        FileExistsError: it is taken.
        OSError: it cannot be written.
    """
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # no links on this file system: reserve the name, then rename over what is ours
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            os.replace(part, path)
        except OSError:
            os.unlink(path)
            raise
    try:
        sync(folder)
    except OSError:
        os.unlink(path)
        raise


def sync(folder: str) -> None:
    """Write a folder's names to the disk."""
    if os.name != "posix":
        return  # folders cannot be opened
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # the file system has no such operation
            raise
    finally:
        os.close(descriptor)


def _umask() -> int:
    mask = os.umask(0o077)  # it can only be read by setting it
    os.umask(mask)
    return mask


def _not_written(path: str, error: OSError) -> Unavailable:
    return Unavailable(f"{path}: not written: {error.strerror or error}")
