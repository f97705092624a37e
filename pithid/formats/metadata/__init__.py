"""Readers of paper metadata: every format arXiv's records come in, each in its module, all streaming.

A reader is imported when it is used. Whatever the input, each of its items gives one `Entry`: a `Paper`, a canonical
record as stated, or the error that says why it cannot be used.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import BinaryIO, cast

from pithid.formats.metadata.model import Entry, Options, Reader, Stated

__all__ = ["AUTO", "READERS", "Entry", "Options", "Reader", "Stated", "open_entries"]

AUTO = "auto"
"""Name that stands for whatever format the first bytes show."""


def _late(module: str) -> Reader:
    def read(stream: BinaryIO, options: Options) -> Iterator[Entry]:
        reader = cast("Reader", import_module(f"{__name__}.{module}").read)
        return reader(stream, options)

    return read


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "kaggle": _late("kaggle"),
        "arxivraw": _late("arxivraw"),
        "abs": _late("abs_file"),
        "atom": _late("atom"),
        "canonical": _late("canonical"),
    }
)
"""Every reader by the name of its format."""


def open_entries(stream: BinaryIO, *, name: str = AUTO, options: Options | None = None) -> Iterator[Entry]:
    """Unpack `stream` when it is compressed, find its format, and read it.

    An input that breaks off gives its entries up to there, then one with the error.

    Args:
        stream: a binary stream, neither seekable nor buffered by need; it is not closed.
        name: a key of `READERS`, or `AUTO`.
        options: what the caller adds.

    Raises:
        UnknownFormat: the format is none of those read; `found` is "empty" when there is nothing to read.
        Malformed: `name` is unknown, or not even the first bytes can be unpacked.
        Unavailable: the input cannot be read, or a package for its compression is missing.
    """
    from pithid.core.errors import Malformed  # noqa: PLC0415 - imported when reading, as all below
    from pithid.formats.metadata import compressed, detect, lines  # noqa: PLC0415

    if name != AUTO and name not in READERS:
        raise Malformed(f"{name[:40]!r} is not the name of a format; expected {AUTO} or one of {', '.join(READERS)}")
    try:
        plain = compressed.decompress(stream)
        head = plain.peek(detect.HEAD)[: detect.HEAD]
    except OSError as error:
        raise lines.stream_fault(error) from None
    if name == AUTO:
        name = detect.detect(head)
    else:
        detect.refuse_binary(head)
    return READERS[name](plain, options or Options())
