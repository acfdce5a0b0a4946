"""Replies as the mail programs of forty years write them: the player's orders, and nothing that he quotes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mail.samples import HEAD, ORDERS, multi, part, raw, words

ORDER_TEXT = "\n".join(ORDERS)
QUOTED = "A Ven H\nA Rom - Apu\nF Nap - Ion"
MARKED = "\n".join("> " + line for line in QUOTED.split("\n"))


def sections(name: str) -> dict[str, str]:
    """Samples of a file by the client's name."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    for key, value in (
        ("{ORDERS}", ORDER_TEXT),
        ("{MARKED}", MARKED),
        ("{QUOTED}", QUOTED),
        ("{QUOTED_BR}", QUOTED.replace("\n", "<br>")),
    ):
        text = text.replace(key, value)
    found = [chunk.split("\n", 1) for chunk in text.split("=== ")[1:]]

    return dict(found)


PLAIN = sections("replies.txt")
HTML = sections("replies_html.txt")


@pytest.mark.parametrize("client", PLAIN)
@pytest.mark.case(16)
def test_plain_reply_gives_the_orders_and_nothing_quoted(client: str) -> None:
    assert words(raw(PLAIN[client])) == ORDERS


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
def test_transfer_encodings_change_nothing(encoding: str) -> None:
    assert words(raw(PLAIN["german letter"], encoding=encoding)) == ORDERS


@pytest.mark.parametrize("client", HTML)
@pytest.mark.case(2)
def test_html_only_reply_gives_the_orders_as_text(client: str) -> None:
    assert words(raw(HTML[client], "text/html; charset=utf-8")) == ORDERS


@pytest.mark.case(1)
def test_alternative_takes_orders_once_from_the_text_part() -> None:
    html = part(HTML["gmail"], "text/html; charset=utf-8")
    assert words(multi(part(PLAIN["gmail"]), html, kind="alternative")) == ORDERS


def test_blank_text_alternative_gives_way_to_html() -> None:
    html = part(HTML["outlook"], "text/html; charset=utf-8")
    assert words(multi(part(" \n\u00a0\n"), html, kind="alternative")) == ORDERS


@pytest.mark.parametrize(
    "stub",
    [
        "This message is in HTML. Please use a mail reader that shows HTML.",
        "To view this message, please use an HTML compatible email viewer!",
        "Your mail client does not support this format.",
    ],
)
def test_text_part_that_only_points_to_the_html_gives_way_to_it(stub: str) -> None:
    html = part(HTML["outlook"], "text/html; charset=utf-8")
    assert words(multi(part(stub), html, kind="alternative")) == ORDERS


def test_apple_mail_in_pieces_around_a_picture_is_read_as_one() -> None:
    picture = part("iVBORw0KGgo=", 'image/png; name="map.png"', "Content-Transfer-Encoding: base64\n")
    assert (
        words(multi(part("A Vie - Bud\n"), picture, part("\nF Tri S A Vie - Bud\nA Bud - Ser\n"))) == ORDERS
    )


def test_nested_related_and_alternative_are_found() -> None:
    alternative = multi(
        part(ORDER_TEXT), part("<p>x", "text/html"), kind="alternative", boundary="in", head=""
    )
    picture = part("R0lGODlh", "image/gif", "Content-Transfer-Encoding: base64\nContent-ID: <a@b>\n")
    assert words(multi(multi(alternative, picture, kind="related", boundary="mid", head=""))) == ORDERS


def test_mail_without_any_mime_header_is_read() -> None:
    assert words(b"From: a@b.example\r\n\r\nA Vie - Bud\r\n") == ["A Vie - Bud"]


def test_header_names_in_odd_case_are_read() -> None:
    data = (HEAD + "CONTENT-TYPE: TEXT/HTML; CHARSET=UTF-8\n\n<p>A Vie <i>-</i> Bud").encode()
    assert words(data) == ["A Vie - Bud"]
