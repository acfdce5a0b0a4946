"""Mails read a second, and mails composed, on one core: processor time, so that other work does not count.

The mail read is a Gmail reply of 2.2 KB, text and HTML, with two orders, an attribution and a quoted report. Beside
ours, in the same run, Python's own email package: it parses the mail and takes its text, with no quotation told from
own words, and composes the same report, with no check of what it made. The last line is the lower of the two ratios.

    python benchmarks/read_mail.py [--count 2000]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gm.mail.compose import File, OutgoingMail, Party, compose
from gm.mail.message import read_message
from tests.mail.samples import HEAD, multi, part
from tests.mail.test_clients import HTML, PLAIN

RECEIVED = "".join(
    f"Received: from mail{n}.player.example (mail{n}.player.example [192.0.2.{n}])\n\tby mx.gm.example with ESMTPS id"
    f" 4711{n}\n\tfor <play+token@gm.example>; Sun, 29 Nov 2026 10:00:00 +0100 (CET)\n"
    for n in range(3)
)
REPORT = "".join(f"> line {n} of the quoted report of the turn\n" for n in range(16))
REPLY = multi(
    part(PLAIN["gmail"] + REPORT),
    part(HTML["gmail"], "text/html; charset=utf-8"),
    kind="alternative",
    head=RECEIVED + HEAD,
)
OUTGOING = OutgoingMail(
    message_id="<anduin.f1901.1@gm.example>",
    date=datetime(2026, 11, 29, tzinfo=UTC),
    sender=Party(address="anduin@gm.example", name="Anduin"),
    to=Party(address="hans@player.example", name="Hans"),
    subject="Anduin: Fall 1901",
    text="A line of the report, long enough to be wrapped at some seventy-two columns by us.\n" * 50,
    html="<html><body>" + "<p>A line of the report of Fall 1901</p>\n" * 100 + "</body></html>",
    reply_above=True,
)


def rate(work: Callable[[], object], count: int) -> float:
    """Best of five rounds, calls a second of processor time."""
    best = 0.0
    for _ in range(5):
        start = time.process_time()
        for _ in range(count // 5):
            work()
        best = max(best, count / 5 / (time.process_time() - start))
    return best


def plainly_read() -> str:
    """The text of the mail as the email package gives it."""
    mail = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(REPLY)
    body = mail.get_body(("plain",))
    return str(body.get_content()) if body else ""


def plainly_composed() -> bytes:
    """The report as the email package composes it."""
    mail = EmailMessage(policy=policy.SMTP)
    mail["From"], mail["To"] = "Anduin <anduin@gm.example>", "Hans <hans@player.example>"
    mail["Subject"], mail["Date"] = OUTGOING.subject, OUTGOING.date
    mail["Message-ID"] = OUTGOING.message_id
    mail.set_content(OUTGOING.text)
    mail.add_alternative(OUTGOING.html, subtype="html")
    return mail.as_bytes()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    count = parser.parse_args().count
    picture = File(
        name="map.png", content_type="image/png", data=bytes(range(256)) * 130, cid="map@gm.example"
    )
    with_map = replace(OUTGOING, files=(picture,))
    print(
        f"reply of {len(REPLY):,} bytes; report of {len(compose(OUTGOING)):,}, with a map {len(compose(with_map)):,}"
    )
    print(f"compose with a map of 33 KB: {rate(lambda: compose(with_map), count):.0f}/s")
    ratios = []
    for what, ours, theirs in (
        ("read", lambda: read_message(REPLY), plainly_read),
        ("compose", lambda: compose(OUTGOING), plainly_composed),
    ):
        mine, peer = rate(ours, count), rate(theirs, count)
        ratios.append(mine / peer)
        print(f"{what} {mine:.0f}/s, the email package {peer:.0f}/s")
    print(f"ratio {min(ratios):.2f}")


if __name__ == "__main__":
    main()
