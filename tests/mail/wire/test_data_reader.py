"""The end of a mail, found in any bytes however they are cut into packets: nothing smuggled in, nothing eaten."""

from __future__ import annotations

import asyncio
import itertools
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gm.mail.listener import _Smtp

PIECES = st.lists(
    st.sampled_from([b".", b"\r", b"\n", b"\r\n", b"\r\n.", b".\r\n", b"a", b"\0", b"\xe9" * 7]), max_size=40
)


def read(packets: list[bytes], *, most: int, buffer: int) -> tuple[bytes | None, bytes]:
    """What the listener makes of the packets, and what it left unread."""

    async def run() -> tuple[bytes | None, bytes]:
        reader = asyncio.StreamReader(limit=buffer)
        connection = SimpleNamespace(
            _reader=reader, listener=SimpleNamespace(limits=SimpleNamespace(message_bytes=most))
        )

        async def feed() -> None:
            for packet in packets:
                reader.feed_data(packet)
                await asyncio.sleep(0)
            reader.feed_eof()

        feeding = asyncio.create_task(feed())
        content = await _Smtp._read_mail(connection)
        await feeding
        return content, await reader.read()

    return asyncio.run(run())


def meant(stream: bytes) -> tuple[bytes, bytes]:
    """RFC 5321 4.1.1.4 and 4.5.2, said simply: the content, dots unstuffed, and what follows the end."""
    whole = b"\r\n" + stream  # the CRLF of the DATA command counts
    end = whole.index(b"\r\n.\r\n")
    lines = whole[2 : end + 2].split(b"\r\n")
    return b"\r\n".join(line.removeprefix(b".") for line in lines), whole[end + 5 :]


@settings(max_examples=300, deadline=None)
@given(
    pieces=PIECES, cuts=st.sets(st.integers(0, 200), max_size=12), buffer=st.sampled_from([8, 16, 64, 65536])
)
@example(pieces=[b"a" * 100], cuts=set(), buffer=8)
@example(pieces=[b"\r\n.", b"\r"], cuts={3}, buffer=8)
def test_the_mail_ends_where_it_should_and_not_a_byte_later(pieces, cuts, buffer):
    stream = b"".join(pieces) + b"\r\n.\r\nMAIL FROM:<next@x.test>\r\n"
    borders = [0, *sorted(cut for cut in cuts if cut < len(stream)), len(stream)]
    packets = [stream[a:b] for a, b in itertools.pairwise(borders) if a < b]
    assert read(packets, most=10_000, buffer=buffer) == meant(stream)


@settings(max_examples=100, deadline=None)
@given(pieces=PIECES, buffer=st.sampled_from([8, 64]))
def test_a_mail_over_the_limit_ends_at_the_same_place(pieces, buffer):
    stream = b"x" * 50 + b"".join(pieces) + b"\r\n.\r\nNOOP\r\n"
    content, rest = read([stream], most=20, buffer=buffer)
    if not b"".join(pieces).startswith(b"\r\n.\r\n"):
        assert content is None
    assert rest == meant(stream)[1]


@pytest.mark.parametrize("size", [0, 1, 2, 99_999, 100_000])
def test_the_limit_is_of_the_content(size):
    stream = b"y" * size + b"\r\n.\r\n"
    assert read([stream], most=size + 2, buffer=65536) == (b"y" * size + b"\r\n", b"")
    assert read([stream], most=size + 1, buffer=65536) == (None, b"")
