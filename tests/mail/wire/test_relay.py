"""Sending by SMTP to a relay that misbehaves in all the ways relays do."""

from __future__ import annotations

import shutil
import ssl
import subprocess

import pytest
from pydantic import SecretStr

from gm.mail.relay import SmtpRelay, is_bad_address
from gm.mail.transport import Parcel, Verdict
from gm.settings import Relay
from tests.mail.wire.sink import DROP, sinking
from tests.peers import free_port

SEVEN = ["ann", "bob", "cyd", "dan", "eve", "fay", "gus"]


def parcel(name: str, raw: bytes = b"Subject: hi\r\n\r\n.dotted\r\nend\r\n") -> Parcel:
    return Parcel(
        message_id=f"<{name}@play.test>",
        sender="bounce+1@play.test",
        recipient=f"{name}@player.test",
        raw=raw,
    )


def relay_to(port: int, **more: object) -> SmtpRelay:
    context = more.pop("context", None)
    return SmtpRelay(Relay(host="127.0.0.1", port=port, **more), "play.test", context=context)


def test_a_mail_arrives_whole_with_its_envelope():
    with sinking() as sink:
        relay = relay_to(sink.port)
        assert relay.send(parcel("ann")) == Verdict("sent", "250 2.0.0 queued")
        relay.close()
    assert sink.mails == [("bounce+1@play.test", "ann@player.test", parcel("ann").raw)]
    assert (sink.commands[0].lower(), sink.commands[-1].lower()) == ("ehlo play.test", "quit")


def test_a_hundred_mails_share_a_connection_and_the_next_one_has_a_new_one():
    with sinking() as sink:
        relay = relay_to(sink.port)
        for n in range(101):
            assert relay.send(parcel(f"p{n}")).outcome == "sent"
        relay.close()
    assert (len(sink.mails), sink.connections) == (101, 2)


@pytest.mark.case(34)
def test_550_for_one_of_seven_stops_none_of_the_six():
    def refuse_bob(line: str) -> str:
        return "550 5.1.1 no such user" if "bob" in line else ""

    with sinking(answers={"RCPT": refuse_bob}) as sink:
        relay = relay_to(sink.port)
        verdicts = [relay.send(parcel(name)) for name in SEVEN]
        relay.close()
    assert [v.outcome for v in verdicts] == ["sent", "never", "sent", "sent", "sent", "sent", "sent"]
    assert verdicts[1].bad_address
    assert sink.connections == 1
    assert "rset" in [command.lower() for command in sink.commands]


@pytest.mark.case(35)
@pytest.mark.parametrize("command", ["CONNECT", "MAIL", "RCPT", "DATA", "END"])
def test_421_at_any_step_is_an_absent_relay_and_the_next_mail_gets_a_new_connection(command):
    moods = iter(["421 4.3.2 shutting down"])
    with sinking(answers={command: lambda _: next(moods, "")}) as sink:
        relay = relay_to(sink.port)
        assert relay.send(parcel("ann")).outcome == "unavailable"
        assert relay.send(parcel("ann")).outcome == "sent"
        relay.close()
    assert sink.connections == 2


def test_a_connection_lost_after_data_is_tried_again_later_as_a_repeat():
    moods = iter([DROP])
    with sinking(answers={"END": lambda _: next(moods, "")}) as sink:
        relay = relay_to(sink.port)
        first = relay.send(parcel("ann"))
        assert (first.outcome, first.reply.startswith("connection lost")) == ("later", True)
        assert relay.send(parcel("bob")).outcome == "sent"
        assert relay.send(parcel("ann")).outcome == "sent"
        relay.close()
    assert [recipient for _, recipient, _ in sink.mails] == [
        "ann@player.test",
        "bob@player.test",
        "ann@player.test",
    ]


@pytest.mark.parametrize(
    ("step", "reply", "verdict"),
    [
        ("RCPT", "450 4.2.1 greylisted", Verdict("later", "450 4.2.1 greylisted")),
        ("RCPT", "452 4.2.2 full", Verdict("later", "452 4.2.2 full")),
        ("RCPT", "552 5.2.2 full", Verdict("never", "552 5.2.2 full")),
        ("RCPT", "550 unknown user", Verdict("never", "550 unknown user", bad_address=True)),
        ("RCPT", "554 5.7.1 relay access denied", Verdict("never", "554 5.7.1 relay access denied")),
        ("END", "451 4.3.0 later", Verdict("later", "451 4.3.0 later")),
        ("END", "554 5.7.1 spam", Verdict("never", "554 5.7.1 spam")),
        ("END", "552 5.3.4 too big", Verdict("never", "552 5.3.4 too big")),
        ("MAIL", "552 5.3.4 too big", Verdict("never", "552 5.3.4 too big")),
        ("MAIL", "530 5.7.0 log in first", Verdict("unavailable", "530 5.7.0 log in first")),
        ("MAIL", "451 4.3.0 queue full", Verdict("unavailable", "451 4.3.0 queue full")),
    ],
)
def test_each_refusal_has_its_verdict(step, reply, verdict):
    with sinking(answers={step: lambda _: reply}) as sink:
        relay = relay_to(sink.port)
        assert relay.send(parcel("ann")) == verdict
        relay.close()


@pytest.mark.parametrize(
    ("reply", "at_recipient", "bad"),
    [
        ("550 5.1.1 unknown", False, True),
        ("550 5.2.1 mailbox disabled", True, True),
        ("550 5.7.1 policy", True, False),
        ("550 no such user", True, True),
        ("550 mailbox full", True, False),
        ("550 blocked by spam filter", True, False),
        ("550 rejected", False, False),
    ],
)
def test_only_words_about_the_address_count_against_it(reply, at_recipient, bad):
    assert is_bad_address(reply, at_recipient=at_recipient) is bad


def test_nobody_listening_is_an_absent_relay():
    verdict = relay_to(free_port()).send(parcel("ann"))
    assert verdict.outcome == "unavailable"
    assert "refused" in verdict.reply


def test_an_address_that_would_be_a_second_command_is_never_sent():
    with sinking() as sink:
        relay = relay_to(sink.port)
        bad = Parcel(
            message_id="<1@x>", sender="b@play.test", recipient="a@b.test>\r\nRCPT TO:<c@d.test", raw=b""
        )
        assert relay.send(bad).outcome == "never"
        relay.close()
    assert not any("c@d.test" in command for command in sink.commands)


@pytest.mark.case(35)
def test_a_refused_login_is_an_absent_relay_and_tells_no_password():
    with sinking(user="gm", password="right") as sink:
        relay = relay_to(sink.port, user="gm", password=SecretStr("wrong-password"))
        verdict = relay.send(parcel("ann"))
        assert verdict == Verdict("unavailable", "login as gm: 535 5.7.8 bad credentials")
        relay.close()
        good = relay_to(sink.port, user="gm", password=SecretStr("right"))
        assert good.send(parcel("ann")).outcome == "sent"
        good.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder / "cert.pem", folder / "key.pem"


@pytest.mark.case(35)
def test_starttls_comes_before_the_login_and_the_certificate_is_checked(certificate):
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(*certificate)
    trusted = ssl.create_default_context(cafile=str(certificate[0]))
    with sinking(tls=server, user="gm", password="right") as sink:
        relay = relay_to(
            sink.port, security="starttls", user="gm", password=SecretStr("right"), context=trusted
        )
        assert relay.send(parcel("ann")).outcome == "sent"
        relay.close()
    names = [command.split(" ")[0].upper() for command in sink.commands]
    assert names[:4] == ["EHLO", "STARTTLS", "EHLO", "AUTH"]


def test_a_relay_that_offers_no_starttls_gets_neither_password_nor_mail():
    with sinking(user="gm", password="right") as sink:
        relay = relay_to(sink.port, security="starttls", user="gm", password=SecretStr("right"))
        assert relay.send(parcel("ann")).outcome == "unavailable"
        relay.close()
    assert not any(command.startswith(("AUTH", "MAIL")) for command in sink.commands)
