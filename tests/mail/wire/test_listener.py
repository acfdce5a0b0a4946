"""The door, spoken to over real sockets."""

from __future__ import annotations

import smtplib
import socket
import time

import pytest

from gm.settings import Limits
from tests.mail.wire.wire import NOW, inbox, listening, mail
from tests.peers import wait_for

PLAY = "play+abc@play.test"


class Wire:
    """A client that says exactly what it is told."""

    def __init__(self, port: int, *, source: str = "127.0.0.1", greet: bytes = b"EHLO x\r\n") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10, source_address=(source, 0))
        self.file = self.socket.makefile("rb")
        self.banner = self.reply()
        if greet:
            self.say(greet)

    def reply(self) -> bytes:
        """One whole reply; empty when the connection is closed."""
        lines = b""
        while True:
            line = self.file.readline()
            lines += line
            if line[3:4] != b"-":
                return lines

    def say(self, data: bytes) -> bytes:
        self.socket.sendall(data)
        return self.reply()

    def envelope(self, *recipients: str) -> None:
        assert self.say(b"MAIL FROM:<ann@player.test>\r\n").startswith(b"250")
        for recipient in recipients or (PLAY,):
            assert self.say(f"RCPT TO:<{recipient}>\r\n".encode()).startswith(b"250")
        assert self.say(b"DATA\r\n").startswith(b"354")

    def close(self) -> None:
        self.file.close()
        self.socket.close()

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def test_a_mail_by_smtp_is_committed_before_250(store):
    with listening(store) as doors, smtplib.SMTP("127.0.0.1", doors.smtp) as client:
        client.sendmail("ann@player.test", [PLAY], mail())
        (row,) = inbox(store)
    assert (row.raw, row.envelope_from, row.recipient) == (mail(), "ann@player.test", PLAY)
    assert (row.peer, row.via, row.received_at) == ("127.0.0.1", "smtp", NOW)


def test_lmtp_answers_once_for_each_recipient(store):
    with listening(store) as doors, Wire(doors.lmtp, greet=b"LHLO x\r\n") as wire:
        wire.envelope("a@play.test", "b@play.test", "c@play.test")
        assert wire.say(mail() + b"\r\n.\r\n") == b"250 2.0.0 Taken\r\n"
        assert [wire.reply(), wire.reply()] == [b"250 2.0.0 Taken\r\n"] * 2
        assert wire.say(b"NOOP\r\n").startswith(b"250")
    assert [(row.recipient, row.via) for row in inbox(store)] == [
        ("a@play.test", "lmtp"),
        ("b@play.test", "lmtp"),
        ("c@play.test", "lmtp"),
    ]


def test_smtp_greetings_are_not_spoken_on_the_lmtp_port(one_store):
    with listening(one_store) as doors, Wire(doors.lmtp, greet=b"") as wire:
        assert wire.say(b"EHLO x\r\n").startswith(b"500")


def test_the_null_sender_is_stored_as_empty(one_store):
    with listening(one_store) as doors, smtplib.SMTP("127.0.0.1", doors.smtp) as client:
        client.sendmail("", [PLAY], mail())
    assert inbox(one_store)[0].envelope_from == ""


def test_a_sender_with_letters_of_his_own_alphabet_is_taken(one_store):
    with listening(one_store) as doors, smtplib.SMTP("127.0.0.1", doors.smtp) as client:
        client.sendmail("jürgen@müller.test", [PLAY], mail(), mail_options=["SMTPUTF8"])
    assert inbox(one_store)[0].envelope_from == "jürgen@müller.test"


@pytest.mark.case(41)
def test_unknown_recipients_are_refused_at_rcpt_all_alike_and_no_sooner_than_others(one_store):
    def known(address: str) -> bool:
        if address.startswith("expired"):
            time.sleep(0.01)  # stands for a look in the database, which a guess does not cost
        return address == PLAY

    with listening(one_store, known=known) as doors, Wire(doors.smtp) as wire:
        wire.say(b"MAIL FROM:<ann@player.test>\r\n")
        replies, times = [], []
        for address in ("guessed@play.test", "expired@play.test", "a@elsewhere.test"):
            begun = time.monotonic()
            replies.append(wire.say(f"RCPT TO:<{address}>\r\n".encode()))
            times.append(time.monotonic() - begun)
        assert replies == [b"550 5.1.1 No such recipient here\r\n"] * 3
        assert min(times) >= 0.049
        assert wire.say(b"DATA\r\n").startswith(b"503")
    assert inbox(one_store) == []


def test_a_guesser_is_hung_up_on(one_store):
    with listening(one_store, known=lambda _: False) as doors, Wire(doors.smtp) as wire:
        wire.say(b"MAIL FROM:<ann@player.test>\r\n")
        replies = [wire.say(b"RCPT TO:<play+%d@play.test>\r\n" % n)[:3] for n in range(20)]
        assert replies == [b"550"] * 19 + [b"421"]
        assert wire.reply() == b""


def test_too_many_recipients_are_asked_to_come_in_a_second_mail(one_store):
    limits = Limits(recipients=2)
    with listening(one_store, limits=limits) as doors, Wire(doors.smtp) as wire:
        wire.say(b"MAIL FROM:<ann@player.test>\r\n")
        replies = [wire.say(b"RCPT TO:<p%d@play.test>\r\n" % n)[:3] for n in range(3)]
    assert replies == [b"250", b"250", b"452"]


@pytest.mark.parametrize("via", ["smtp", "lmtp"])
def test_a_failing_store_is_a_451_for_every_recipient(one_store, via):
    with listening(one_store) as doors:
        doors.listener.spool._store = None  # any exception at all
        with Wire(getattr(doors, via), greet=b"EHLO x\r\n" if via == "smtp" else b"LHLO x\r\n") as wire:
            wire.envelope("a@play.test", "b@play.test")
            replies = [wire.say(mail() + b"\r\n.\r\n")]
            replies += [wire.reply()] if via == "lmtp" else []
            assert {reply[:3] for reply in replies} == {b"451"}
            doors.listener.spool._store = one_store
            wire.envelope()
            assert wire.say(mail() + b"\r\n.\r\n").startswith(b"250")
    assert len(inbox(one_store)) == 1


def test_a_failing_look_at_the_recipient_is_a_451_too(one_store):
    def known(_: str) -> bool:
        raise RuntimeError("database is gone")

    with listening(one_store, known=known) as doors, Wire(doors.smtp) as wire:
        wire.say(b"MAIL FROM:<ann@player.test>\r\n")
        reply = wire.say(f"RCPT TO:<{PLAY}>\r\n".encode())
    assert reply == b"451 4.3.0 Temporary failure, please try again later\r\n"


def test_a_size_that_is_announced_too_big_is_refused_before_data(one_store):
    with listening(one_store) as doors, Wire(doors.smtp) as wire:
        assert b"250-SIZE 1000000\r\n" in wire.say(b"EHLO x\r\n")
        assert wire.say(b"MAIL FROM:<a@b.test> SIZE=99999999999\r\n").startswith(b"552")
        assert wire.say(b"MAIL FROM:<a@b.test> SIZE=1000000\r\n").startswith(b"250")


@pytest.mark.parametrize("line", [b"x" * 998 + b"\r\n", b"x" * 70_000, b"\r", b"\n", b".", b".\r\n"])
def test_a_mail_over_the_limit_is_drained_in_little_memory_and_refused(one_store, line):
    limits = Limits(message_bytes=100_000)
    with listening(one_store, limits=limits) as doors, Wire(doors.smtp) as wire:
        wire.envelope()
        # A dot at the start of a line would end the mail.
        data = b"x" + line.replace(b".\r\n", b"..\r\n") * (300_000 // len(line) + 1)
        assert wire.say(data + b"\r\n.\r\n") == b"552 5.3.4 Message too big: the limit is 100000 bytes\r\n"
        wire.envelope()
        assert wire.say(mail() + b"\r\n.\r\n").startswith(b"250")
    assert len(inbox(one_store)) == 1


def test_a_mail_of_just_the_limit_is_taken_and_one_byte_more_is_not(one_store):
    limits = Limits(message_bytes=10_000)
    with listening(one_store, limits=limits) as doors, Wire(doors.smtp) as wire:
        for size, code in ((10_000, b"250"), (10_001, b"552")):
            wire.envelope()
            assert wire.say(b"x" * (size - 2) + b"\r\n.\r\n")[:3] == code
    assert [len(row.raw) for row in inbox(one_store)] == [10_000]


@pytest.mark.parametrize("length", [1000, 1001, 5000, 65_535, 65_536, 65_537, 131_073, 900_000])
def test_long_lines_arrive_whole(one_store, length):
    line = b"y" * length
    with listening(one_store) as doors, Wire(doors.smtp) as wire:
        wire.envelope()
        assert wire.say(line + b"\r\nnext\r\n.\r\n").startswith(b"250")
    assert inbox(one_store)[0].raw == line + b"\r\nnext\r\n"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (b".\r\n", b""),
        (b"\r\n.\r\n", b"\r\n"),
        (b"..\r\n.\r\n", b".\r\n"),
        (b"..a\r\n...b\r\nc.\r\n.d\r\n.\r\n", b".a\r\n..b\r\nc.\r\nd\r\n"),
        (b"a.\r\n\r\n.\r\n", b"a.\r\n\r\n"),
        (b"one\r\ntwo.\r\n.\r\n", b"one\r\ntwo.\r\n"),
    ],
)
@pytest.mark.parametrize("slowly", [False, True])
def test_dots_are_unstuffed_and_only_a_lone_dot_ends_the_mail(one_store, sent, kept, slowly):
    with listening(one_store) as doors, Wire(doors.smtp) as wire:
        wire.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wire.envelope()
        if slowly:
            for at in range(len(sent) - 1):
                wire.socket.sendall(sent[at : at + 1])
            reply = wire.say(sent[-1:])
        else:
            reply = wire.say(sent)
        assert reply.startswith(b"250")
    assert inbox(one_store)[0].raw == kept


SMUGGLED = b"MAIL FROM:<evil@player.test>\r\nRCPT TO:<play+victim@play.test>\r\nDATA\r\nsmuggled\r\n.\r\n"


@pytest.mark.parametrize(
    "end",
    [b"\n.\n", b"\r.\r", b"\n.\r\n", b"\r\n.\n", b"\r\n.\r", b"\r\n\0.\r\n", b"\r.\r\n", b"\n\n.\r\n", b"\r\n.\r\r\n",
     b"\r\r\n.\r\r\n", b"\r\n..\r\n", b"\r\n. \r\n", b"\xe2\x80\xa8.\r\n"],
)  # fmt: skip
def test_no_other_end_of_data_smuggles_a_second_mail_in(one_store, end):
    with listening(one_store) as doors, Wire(doors.smtp) as wire:
        wire.envelope()
        assert wire.say(mail() + end + SMUGGLED).startswith(b"250")
        assert wire.say(b"NOOP\r\n").startswith(b"250")
    (row,) = inbox(one_store)
    assert row.recipient == PLAY
    assert b"smuggled" in row.raw


def test_pipelined_mails_are_taken_one_by_one(one_store):
    one = b"MAIL FROM:<a@b.test>\r\nRCPT TO:<%s>\r\nDATA\r\n%%s\r\n.\r\n" % PLAY.encode()
    with listening(one_store) as doors, Wire(doors.smtp) as wire:
        wire.socket.sendall(one % b"first" + one % b"second")
        replies = [wire.reply()[:3] for _ in range(8)]
    assert replies == [b"250", b"250", b"354", b"250"] * 2
    assert [row.raw for row in inbox(one_store)] == [b"first\r\n", b"second\r\n"]


@pytest.mark.case(39)
def test_a_mail_that_runs_in_a_circle_is_refused_for_good(one_store):
    limits = Limits(received_headers=50)
    hop = b"Received: from a by b\r\n"
    with listening(one_store, limits=limits) as doors, Wire(doors.smtp) as wire:
        wire.envelope()
        assert wire.say(hop * 50 + mail() + b"\r\n" + hop * 60 + b".\r\n").startswith(b"250")
        wire.envelope()
        assert wire.say(hop * 51 + mail() + b"\r\n.\r\n").startswith(b"554 5.4.6")


def test_connections_are_limited_by_peer_and_in_all(one_store):
    limits = Limits(connections=3, connections_per_peer=2)
    with listening(one_store, limits=limits) as doors:
        first, second = Wire(doors.smtp), Wire(doors.lmtp, greet=b"LHLO x\r\n")
        turned_away = Wire(doors.smtp, greet=b"")
        assert turned_away.banner.startswith(b"421 4.7.0")
        assert turned_away.reply() == b""
        other = Wire(doors.smtp, source="127.0.0.2")
        with Wire(doors.smtp, source="127.0.0.3", greet=b"") as one_more:
            assert one_more.banner.startswith(b"421")
        first.close()
        wait_for(lambda: doors.listener.peers["127.0.0.1"] == 1)
        with Wire(doors.smtp) as again:
            assert again.banner.startswith(b"220")
        for wire in (second, turned_away, other):
            wire.close()
        wait_for(lambda: not doors.listener.peers)


def test_a_silent_connection_is_closed(one_store):
    limits = Limits(idle_seconds=1)
    with listening(one_store, limits=limits) as doors, Wire(doors.smtp) as wire:
        assert wire.reply() == b""


def test_a_slow_mail_is_not_idle_but_the_whole_session_has_an_end(one_store):
    limits = Limits(idle_seconds=1, session_seconds=2)
    with listening(one_store, limits=limits) as doors, Wire(doors.smtp) as wire:
        wire.envelope()
        begun = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - begun < 10:
                wire.socket.sendall(b"x")
                time.sleep(0.05)  # a slow sender
        assert 1.9 < time.monotonic() - begun < 5


@pytest.mark.parametrize("command", [b"NOOP", b"VRFY ann", b"HELP", b"EHLO x", b"EXPN list"])
def test_floods_of_idle_commands_end_the_session(one_store, command):
    with listening(one_store) as doors, Wire(doors.smtp, greet=b"") as wire:
        replies = [wire.say(command + b"\r\n") for _ in range(21)]
        assert b"421" not in {reply[:3] for reply in replies[:20]}
        assert replies[20].startswith(b"421")
        assert wire.reply() == b""
        assert b"ann" not in b"".join(replies)


def test_a_browser_is_sent_away(one_store):
    with listening(one_store) as doors, Wire(doors.smtp, greet=b"") as wire:
        wire.socket.sendall(b"GET / HTTP/1.1\r\n" + b"Header: x\r\n" * 10)
        replies = wire.file.read()
    assert replies.endswith(b"goodbye.\r\n")


@pytest.mark.parametrize(
    "steps",
    [
        [],
        [b"EHLO x\r\n"],
        [b"EHLO x\r\n", b"MAIL FROM:<a@b.test>\r\n"],
        [b"EHLO x\r\n", b"MAIL FROM:<a@b.test>\r\n", f"RCPT TO:<{PLAY}>\r\n".encode()],
        [b"EHLO x\r\n", b"MAIL FROM:<a@b.test>\r\n", f"RCPT TO:<{PLAY}>\r\n".encode(), b"DATA\r\n"],
    ],
)
def test_a_connection_lost_at_any_step_leaves_nothing(one_store, steps):
    with listening(one_store) as doors:
        wire = Wire(doors.smtp, greet=b"")
        for step in steps:
            wire.say(step)
        wire.socket.sendall(b"half a mail\r\n")
        wire.close()
        wait_for(lambda: not doors.listener.peers)
        with Wire(doors.smtp) as another:
            assert another.say(b"NOOP\r\n").startswith(b"250")
    assert inbox(one_store) == []


@pytest.mark.parametrize(
    "command",
    [
        b"MAIL FROM:<" + b"a" * 600 + b"@b.test>",
        b"MAIL FROM:a@b.test]<b@evil>",
        b"MAIL FROM:<\xff\xfe@b.test>",
        b"MAIL FROM:<@a,@b:c@d.test>",
        b"MAIL FROM:<(((((((((((((((>",
        b'MAIL FROM:<"unclosed@b.test>',
        b"MAIL",
        b"MAIL FROM:",
        b"\x00\x00",
        b"\xc3\xa4",
        b"BDAT 10",
        b"STARTTLS",
        b"AUTH PLAIN AGEAYg==",
    ],
)
def test_no_command_brings_the_session_down(one_store, command):
    with listening(one_store) as doors, Wire(doors.smtp) as wire:
        assert wire.say(command + b"\r\n")[:1] in (b"2", b"4", b"5")
        wire.say(b"RSET\r\n")
        wire.envelope()
        assert wire.say(mail() + b"\r\n.\r\n").startswith(b"250")


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("<ann@player.test>", "ann@player.test"),
        ("ann@player.test", "ann@player.test"),
        (" <ann@player.test> SIZE=100 BODY=8BITMIME", "ann@player.test"),
        ("<@hop.test,@hop2.test:ann@player.test>", "ann@player.test"),
        ('<"ann smith"@player.test>', '"ann smith"@player.test'),
        ('<"a\\"b<c>"@player.test>', '"a\\"b<c>"@player.test'),
        ("<a!b%c+d=e@player.test>", "a!b%c+d=e@player.test"),
        ("<ann@[192.0.2.1]>", "ann@[192.0.2.1]"),
        ("<>", ""),
    ],
)
def test_senders_as_the_grammar_allows_them(one_store, written, stored):
    with listening(one_store) as doors, Wire(doors.smtp) as wire:
        assert wire.say(f"MAIL FROM:{written}\r\n".encode()).startswith(b"250")
        assert wire.say(f"RCPT TO:<{PLAY}>\r\n".encode()).startswith(b"250")
        wire.say(b"DATA\r\n")
        assert wire.say(mail() + b"\r\n.\r\n").startswith(b"250")
    assert inbox(one_store)[0].envelope_from == stored


@pytest.mark.parametrize(
    "written",
    ["<ann@player.test", "ann@player.test>", "<a b@c.test>", "<a@b@c.test>", "<a@b.test>x", '<"a@b.test>', "<a\x00@b>",
     "a@x )b@evil.test", "<a@x]<b@evil.test>"],
)  # fmt: skip
def test_senders_that_could_be_read_in_two_ways_are_refused(one_store, written):
    with listening(one_store) as doors, Wire(doors.smtp) as wire:
        assert wire.say(f"MAIL FROM:{written}\r\n".encode()).startswith(b"5")


def test_the_postmaster_needs_no_domain(one_store):
    with listening(one_store) as doors, Wire(doors.smtp) as wire:
        wire.say(b"MAIL FROM:<ann@player.test>\r\n")
        assert wire.say(b"RCPT TO:<Postmaster>\r\n").startswith(b"250")
        wire.say(b"DATA\r\n")
        assert wire.say(mail() + b"\r\n.\r\n").startswith(b"250")
    assert inbox(one_store)[0].recipient == "postmaster@play.test"


def test_a_command_line_without_end_takes_no_memory_and_no_other_session(one_store):
    with listening(one_store) as doors, Wire(doors.smtp) as wire:
        wire.socket.sendall(b"N" * 2_000_000)
        with Wire(doors.smtp) as other:
            assert other.say(b"NOOP\r\n").startswith(b"250")
        assert wire.say(b"\r\n").startswith(b"500")
