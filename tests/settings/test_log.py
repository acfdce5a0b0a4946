"""Logs: one JSON object a line, and nothing private in them."""

from __future__ import annotations

import io
import json
import logging
import smtplib

import pytest
import structlog

from gm.log import logger, set_up_logging
from tests.mail.wire.wire import listening, mail


@pytest.fixture
def log():
    root, mail_log = logging.getLogger(), logging.getLogger("mail.log")
    before = root.handlers[:], root.level, mail_log.level
    stream = io.StringIO()
    set_up_logging(stream=stream)
    yield stream
    root.handlers[:], root.level, mail_log.level = before
    structlog.reset_defaults()


def test_a_line_is_a_json_object_with_time_level_and_concern(log):
    logger("intake").info("taken", mails=(17,))
    (line,) = log.getvalue().splitlines()
    told = json.loads(line)
    assert (told["event"], told["level"], told["concern"], told["mails"]) == ("taken", "info", "intake", [17])
    assert told["timestamp"].endswith("Z")


def test_a_fault_has_its_traceback_in_the_same_line(log):
    try:
        raise ValueError("a fault")
    except ValueError:
        logger("work").exception("failed")
    (line,) = log.getvalue().splitlines()
    assert "ValueError: a fault" in json.loads(line)["exception"]


def test_the_libraries_speak_json_too(log):
    logging.getLogger("some.library").warning("odd: %s", 7)
    assert json.loads(log.getvalue())["event"] == "odd: 7"


@pytest.mark.case(44)
def test_neither_addresses_nor_words_of_mails_get_into_the_log(log, one_store):
    with listening(one_store) as doors, smtplib.SMTP("127.0.0.1", doors.smtp) as client:
        client.sendmail("ann@player.test", ["play+abc@play.test"], mail("PASSWORD hunter2\n"))
        client.docmd("PASSWORD", "hunter2")  # a client that lost its place in the protocol
        client.docmd("VRFY", "ann@player.test")
        client.docmd("MAIL FROM:<ann@player.test")
    said = log.getvalue()
    assert '"event": "taken"' in said
    for private in ("hunter2", "ann@", "play+abc", "127.0.0.1"):
        assert private not in said
