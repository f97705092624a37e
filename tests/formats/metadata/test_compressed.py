import gzip
import io
import sys
import tracemalloc
from collections.abc import Callable

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from pithid.core.errors import Malformed, PithError, Unavailable
from pithid.core.paper import Paper
from pithid.formats.metadata import Entry, open_entries
from pithid.formats.metadata.compressed import decompress

Write = dict[str, Callable[[Paper], bytes]]
Entries = Callable[..., list[Entry]]
Pack = Callable[[bytes], bytes]
SKIPPABLE = b"\x53\x2a\x4d\x18\x03\x00\x00\x00abc"


def pack_zstd(data: bytes) -> bytes:
    """Pack as one frame."""
    return zstandard.compress(data)


PACKERS = pytest.mark.parametrize("pack", [gzip.compress, pack_zstd])


@given(st.lists(st.binary(max_size=3000), max_size=3), st.sampled_from([gzip.compress, pack_zstd]))
def test_members_one_after_the_other_give_their_joined_bytes(parts: list[bytes], pack: Pack) -> None:
    """Members one after the other give their joined bytes."""
    joined = b"plain" + b"".join(parts)
    assert decompress(io.BytesIO(pack(b"plain") + b"".join(map(pack, parts)))).read() == joined
    assert decompress(io.BytesIO(joined)).read() == joined


def test_padding_and_skippable_frames_are_no_content() -> None:
    """Padding and skippable frames are no content."""
    assert decompress(io.BytesIO(gzip.compress(b"text") + b"\0" * 100)).read() == b"text"
    assert decompress(io.BytesIO(SKIPPABLE + pack_zstd(b"text") + SKIPPABLE)).read() == b"text"


@PACKERS
def test_a_second_layer_is_refused(pack: Pack) -> None:
    """A second layer is refused."""
    with pytest.raises(Malformed, match="again"):
        decompress(io.BytesIO(pack(gzip.compress(b"text"))))


@PACKERS
def test_an_input_that_is_cut_off_gives_the_good_entries_and_then_the_error(
    write: Write, paper: Paper, entries: Entries, pack: Pack
) -> None:
    """An input that is cut off gives the good entries and then the error."""
    line = write["kaggle"](paper)
    packed = pack(line * 3) + pack(line * 2)[:-5]
    for name in ("auto", "kaggle"):
        *good, last = entries(packed, name)
        assert len(good) >= 3
        assert all(isinstance(entry.content, Paper) for entry in good)
        assert "cut off" in str(last.content)
        assert last.line == len(good) + 1


@pytest.mark.parametrize("name", ["kaggle", "arxivraw", "abs", "canonical"])
def test_every_reader_ends_with_the_error_of_its_stream(
    write: Write, paper: Paper, entries: Entries, name: str
) -> None:
    """Every reader ends with the error of its stream."""
    item = paper.record().to_bytes() + b"\n" if name == "canonical" else write[name](paper) + b"\n"
    first, last = entries(gzip.compress(item) + gzip.compress(b"")[:-5])
    assert not isinstance(first.content, PithError)
    assert "cut off" in str(last.content)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (gzip.compress(b"text\n") + b"junk", "damaged"),
        (gzip.compress(b"text\n")[:-8] + b"\0" * 8, "damaged"),
        (pack_zstd(b"text\n") + b"junk of some length", "damaged"),
    ],
)
def test_damage_is_an_error_after_what_precedes_it(data: bytes, says: str) -> None:
    """Damage is an error after what precedes it."""
    stream = decompress(io.BytesIO(data))
    assert stream.readline() == b"text\n"
    with pytest.raises(Malformed, match=says):
        stream.read()


def test_what_cannot_be_unpacked_at_all_is_refused_at_once() -> None:
    """What cannot be unpacked at all is refused at once."""
    for data in (b"\x1f\x8b", b"\x1f\x8b\xff\xff", b"\x28\xb5\x2f\xfd", gzip.compress(b"text")[:12]):
        with pytest.raises(Malformed):
            open_entries(io.BytesIO(data))


def test_zstandard_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zstandard without its package names the extra."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(Unavailable, match=r"pithid\[zstd\]"):
        decompress(io.BytesIO(pack_zstd(b"text")))


@PACKERS
def test_a_bomb_is_refused_in_bounded_memory(entries: Entries, pack: Pack) -> None:
    """A bomb is refused in bounded memory."""
    bomb = pack(b'{"versions": "' + b" " * (96 << 20) + b'"}')
    tracemalloc.start()
    try:
        (entry,) = entries(bomb)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "bombs" in str(entry.content)
    assert peak < 32 << 20


def test_the_stream_of_the_caller_stays_open() -> None:
    """The stream of the caller stays open."""
    stream = io.BytesIO(gzip.compress(b"text"))
    decompress(stream).close()
    assert not stream.closed


def test_a_stream_that_cannot_be_read_is_the_machines_fault() -> None:
    """A stream that cannot be read is the machine's fault."""

    class Broken(io.BytesIO):
        def read1(self, _size: int | None = -1, /) -> bytes:
            raise OSError("no disk")

    with pytest.raises(Unavailable, match="no disk"):
        open_entries(Broken(), name="kaggle")


def test_streams_without_read1_are_read(write: Write, paper: Paper) -> None:
    """Streams without `read1` are read."""

    class Minimal(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self.data = io.BytesIO(data)

        def readable(self) -> bool:
            return True

        def read(self, size: int | None = -1, /) -> bytes:
            return self.data.read(size)

    (entry,) = open_entries(Minimal(write["kaggle"](paper)))  # type: ignore[arg-type]
    assert isinstance(entry.content, Paper)
