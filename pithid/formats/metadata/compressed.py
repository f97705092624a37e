"""Compressed inputs, unpacked while they are read: gzip and Zstandard, told by their first bytes.

One layer only, bounded memory, and an error instead of a silent end when the input is cut off or damaged: whoever
reads the returned stream gets all bytes before the damage, then a `PithError`.
"""

import io
import zlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO, cast

from pithid.core.errors import Malformed, PithError, Unavailable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BUFFER = 1 << 18
MAX_RATIO = 500
"""Most bytes out for each byte in. Metadata shrinks to a third or a tenth; only bombs reach hundreds."""
RATIO_FROM = 1 << 25
"""Bytes out before the ratio is looked at, so that a small file of one repeated line passes."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZSTD_SKIPPABLE = b"\x2a\x4d\x18"
"""Bytes 2 to 4 of a skippable frame, which parallel compressors put first; byte 1 is 0x50 to 0x5f."""
_READ = 1 << 16
_ZSTD_STEP = 128
"""Bytes given to Zstandard at once. It answers with all they hold, at most 128 KiB for every 4 bytes: 4 MiB."""
_ZSTD_WINDOW = 1 << 27
"""Largest window a Zstandard frame may ask for, the default of the command-line tool."""


def decompress(stream: BinaryIO) -> io.BufferedReader:
    """Return the unpacked bytes of `stream` as a buffered stream; what is not compressed passes unchanged.

    Closing the returned stream does not close `stream`.

    Raises:
        Malformed: nothing can be unpacked, or what comes out is compressed again.
        Unavailable: Zstandard data, and the package for it is not installed.
    """
    plain: io.BufferedReader = io.BufferedReader(_Chunks(_read(stream)), BUFFER)
    kind = _kind(plain.peek(4))
    if kind is None:
        return plain
    unpack = _unpack_gzip if kind == "gzip" else _unpack_zstd
    unpacked: io.BufferedReader = io.BufferedReader(_Chunks(_bounded(plain, unpack, kind)), BUFFER)
    if (inner := _kind(unpacked.peek(4))) is not None:
        raise Malformed(f"{kind} data inside of which is {inner} data again; unpack it once before")
    return unpacked


def _kind(head: bytes) -> str | None:
    if head.startswith(_GZIP):
        return "gzip"
    if head.startswith(_ZSTD) or (head[1:4] == _ZSTD_SKIPPABLE and 0x50 <= head[0] <= 0x5F):
        return "zstd"
    return None


class _Chunks(io.RawIOBase):
    """A raw stream over pieces of bytes. An error of the pieces comes after all bytes that precede it."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = memoryview(b"")
        self._error: Exception | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        target = memoryview(buffer).cast("B")
        filled = 0
        # Filled to the brim, so that a peek sees as much as it can even when pieces are small.
        while filled < len(target) and (self._rest or self._next()):
            size = min(len(target) - filled, len(self._rest))
            target[filled : filled + size] = self._rest[:size]
            self._rest = self._rest[size:]
            filled += size
        if not filled and self._error is not None:
            raise self._error
        return filled

    def _next(self) -> bool:
        if self._error is None:
            try:
                self._rest = memoryview(next(self._chunks, b""))
            except (PithError, OSError, EOFError) as error:
                self._error = error
        return len(self._rest) > 0


def _read(stream: BinaryIO) -> Iterator[bytes]:
    read = cast("Callable[[int], bytes]", getattr(stream, "read1", stream.read))
    while data := read(_READ):
        yield data


def _bounded(plain: BinaryIO, unpack: "Callable[[Iterator[bytes]], Iterator[bytes]]", kind: str) -> Iterator[bytes]:
    """Unpack and compare what goes in with what comes out."""
    taken = given = 0

    def counted() -> Iterator[bytes]:
        nonlocal taken
        for data in _read(plain):
            taken += len(data)
            yield data

    for data in unpack(counted()):
        given += len(data)
        if given > max(RATIO_FROM, MAX_RATIO * taken):
            raise Malformed(f"the {kind} data swells to more than {MAX_RATIO} times its size, as only bombs do")
        yield data


def _unpack_gzip(packed: Iterator[bytes]) -> Iterator[bytes]:
    """Unpack members one after the other; zero bytes after the last one are padding, as for gzip itself."""
    data = next(packed, b"")
    while data:
        member = zlib.decompressobj(wbits=31)
        while True:
            before = member.copy()
            try:
                unpacked = member.decompress(data, _READ)
            except zlib.error as error:
                yield from _up_to_damage(before, data)
                raise Malformed(f"the gzip data is damaged: {error}") from None
            if unpacked:
                yield unpacked
            if member.eof:
                break
            data = member.unconsumed_tail
            # A full answer may have a remainder inside, which comes without further input.
            if not data and len(unpacked) < _READ and not (data := next(packed, b"")):
                raise Malformed("the gzip data is cut off in the middle")
        data = member.unused_data or next(packed, b"")
        while data and not (data := data.lstrip(b"\0")):
            data = next(packed, b"")


def _up_to_damage(member: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    """Yield what precedes the damage, which zlib throws away together with the step that fails."""
    for at in range(len(data)):
        try:
            unpacked = member.decompress(data[at : at + 1])
        except zlib.error:
            return
        if unpacked:
            yield unpacked


def _unpack_zstd(packed: Iterator[bytes]) -> Iterator[bytes]:
    """Unpack frames one after the other."""
    try:
        import zstandard  # noqa: PLC0415 - an extra, needed by few
    except ImportError:
        raise Unavailable("Zstandard data needs an extra: pip install 'pithid[zstd]'") from None
    codec = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    steps = (data[at : at + _ZSTD_STEP] for data in packed for at in range(0, len(data), _ZSTD_STEP))
    data = next(steps, b"")
    while data:
        frame = codec.decompressobj()
        while not frame.eof:
            if not data and not (data := next(steps, b"")):
                raise Malformed("the Zstandard data is cut off in the middle")
            try:
                unpacked = frame.decompress(data)
            except zstandard.ZstdError as error:
                raise Malformed(f"the Zstandard data is damaged: {error}") from None
            if unpacked:
                yield unpacked
            data = b""
        data = frame.unused_data or next(steps, b"")
