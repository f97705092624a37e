"""Numbered lines of a stream, in bounded memory whatever a line's length."""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from pithid.core.errors import InvalidDocument, Malformed, PithError, Unavailable

KEPT = 4096
"""Bytes of an item that is too long which are kept, so that a person can find it."""
_SKIP = 1 << 16


class Line(NamedTuple):
    """One line.

    Attributes:
        number: counted from 1.
        data: its bytes with the line end; only the first `KEPT` of them when it is too long.
        fault: why the line cannot be used: it is too long, or the stream broke here and this is the last line.
    """

    number: int
    data: bytes
    fault: PithError | None


def read_lines(stream: BinaryIO, limit: int) -> Iterator[Line]:
    """Yield the lines of `stream`; one longer than `limit` bytes is read past and yielded with a fault."""
    number = 0
    while True:
        number += 1
        try:
            data = stream.readline(limit + 1)
            if not data:
                return
            size = len(data)
            if size > limit and not data.endswith(b"\n"):
                size += _skip_line(stream)
        except (PithError, OSError, EOFError) as error:
            yield Line(number, b"", stream_fault(error))
            return
        if size > limit + 1:
            fault = InvalidDocument("too-large", f"line {number}", f"{size} bytes, the limit of a line is {limit}")
            yield Line(number, data[:KEPT], fault)
        else:
            yield Line(number, data, None)


def stream_fault(error: Exception) -> PithError:
    """Return why a stream cannot be read further; errors of a decompressor have been worded already."""
    if isinstance(error, PithError):
        return error
    if isinstance(error, EOFError):
        return Malformed(f"the compressed input is cut off: {error}")
    return Unavailable(f"the input cannot be read further: {error}")


def _skip_line(stream: BinaryIO) -> int:
    """Read to the end of the line, keeping nothing; return how many bytes that were."""
    skipped = 0
    while data := stream.readline(_SKIP):
        skipped += len(data)
        if data.endswith(b"\n"):
            break
    return skipped
