"""What is cut from a mail, what is kept, and what is named as not taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.mail.marker import END_MARKER, REPLY_MARKER
from gm.mail.quotes import Cut, own_words, press_blocks
from tests.mail.samples import raw, words


def own(text: str) -> list[str]:
    return list(own_words(text.split("\n")).own)


def cuts(text: str) -> list[tuple[str, str]]:
    return [(cut.text, cut.why) for cut in own_words(text.split("\n")).after_cut]


# --- our own mail in the reply ------------------------------------------------------------------------------

OURS = f"{REPLY_MARKER}\n\nReport of Fall 1901\n\n  A Ven H\n  A Rom - Apu\n\n{END_MARKER}"


def test_everything_from_our_marker_down_is_dropped_and_not_offered() -> None:
    words_ = own_words(f"A Vie - Bud\n\n{OURS}".split("\n"))
    assert words_.own == ("A Vie - Bud",)
    assert words_.after_cut == ()
    assert "  A Ven H" in words_.quoted


def test_outlook_header_above_our_marker_goes_with_it() -> None:
    text = f"A Vie - Bud\n\nFrom: GM\nSent: today\nTo: me\nSubject: Fall\n\n{OURS}"
    assert own(text) == ["A Vie - Bud"]
    assert cuts(text) == []


@pytest.mark.parametrize(
    "marker",
    [
        "#### Reply above this line [gm-reply-mark] ####",
        "   ####  REPLY  ABOVE THIS LINE  [GM-Reply-Mark]  ####",
        "#### Bitte über dieser Zeile antworten [gm-reply-mark] ####",
        "#### Reply above this line ####",
        "#### Reply above this\nline [gm-reply-mark] ####",
        "#### Reply above this line\n[gm-reply-mark] ####",
        "**#### Reply above this line [gm-reply-mark] ####**",
    ],
)
def test_marker_is_found_after_rewrapping_translation_and_upper_casing(marker: str) -> None:
    assert own(f"A Vie - Bud\n{marker}\n\nA Ven H\n") == ["A Vie - Bud"]


def test_quoted_marker_is_no_more_than_a_quoted_line() -> None:
    quoted = "\n".join("> " + line for line in OURS.split("\n"))
    assert own(f"The GM wrote:\n{quoted}\n\nA Vie - Bud") == ["A Vie - Bud"]


def test_orders_written_below_our_unmarked_mail_are_named_not_lost() -> None:
    assert cuts(f"{OURS}\n\nA Vie - Bud") == [("A Vie - Bud", "below our mail")]


@pytest.mark.case(14)
def test_whole_report_sent_back_with_orders_on_top_gives_only_the_orders() -> None:
    report = "\n".join(f"  F {n} H" for n in range(60))
    assert own(f"A Vie - Bud\n{REPLY_MARKER}\n{report}\n{END_MARKER}") == ["A Vie - Bud"]


@pytest.mark.case(16)
def test_sixty_quoted_lines_run_no_command() -> None:
    quoted = "\n".join(f"> HELP {n}" for n in range(60))
    assert words(raw(f"On 29.11.2026 10:00, The GM wrote:\n{quoted}\n")) == []


# --- press --------------------------------------------------------------------------------------------------


def test_nothing_is_cut_inside_press() -> None:
    text = (
        "A Vie - Bud\nPRESS TO Turkey\nOn Mon, 23 Nov 2026 at 10:00, Hans <h@x.example> wrote:\n> I will move\n"
        "-- \nyours\nFrom: a\nSent: b\nTo: c\nSubject: d\nSent from my iPhone\nENDPRESS\nA Bud - Ser"
    )
    assert own(text) == text.split("\n")


def test_on_monday_i_wrote_in_press_swallows_nothing() -> None:
    text = "PRESS TO ALL\nOn Monday I wrote:\nAustria is weak.\nENDPRESS\nF Tri - Alb"
    assert own(text) == text.split("\n")


def test_on_monday_i_wrote_outside_press_swallows_nothing() -> None:
    text = "On Monday I wrote:\nplease hold my army.\nA Vie H"
    assert own(text) == text.split("\n")


def test_press_that_is_never_closed_protects_nothing() -> None:
    assert own("PRESS TO ALL\nhello\n> A Ven H\nA Vie - Bud") == ["PRESS TO ALL", "hello", "A Vie - Bud"]


def test_press_is_not_closed_by_help_text_below_our_marker() -> None:
    text = f"PRESS TO ALL\nhello\n{REPLY_MARKER}\nTo write: PRESS TO x\nENDPRESS\n"
    assert own(text) == ["PRESS TO ALL", "hello"]


def test_press_is_not_closed_by_a_quoted_endpress() -> None:
    assert own("PRESS TO ALL\nhello\n> ENDPRESS\n> A Ven H") == ["PRESS TO ALL", "hello"]


def test_press_blocks_are_found_by_their_heads_and_ends() -> None:
    text = "press to all:\nhi\nend press\nBROADCAST\nhi\nENDPRESS\nEndBroadcast\nPressing on\nENDPRESS"
    assert press_blocks(text.split("\n")) == [(0, 2), (3, 6)]


def test_one_line_press_before_a_block_is_whole_by_itself() -> None:
    text = "PRESS TO France: hello\n> A Ven H\nPRESS TO ALL\nhi\nENDPRESS"
    assert press_blocks(text.split("\n")) == [(2, 4)]


# --- signatures, letters, footers ---------------------------------------------------------------------------


@pytest.mark.case(9)
@pytest.mark.parametrize("delimiter", ["-- ", "--", "__"])
def test_signature_is_not_read_even_if_it_holds_an_order(delimiter: str) -> None:
    text = f"A Vie - Bud\n{delimiter}\nMove on!\nA Mun - Ber"
    assert own(text) == ["A Vie - Bud"]
    assert cuts(text) == [("Move on!", "signature"), ("A Mun - Ber", "signature")]


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from my phone",
        "Sent from Yahoo Mail on Android",
        "Sent via the Samsung Galaxy S21",
        "Get Outlook for Android",
        "Gesendet von meinem iPhone",
        "Von meinem iPad gesendet",
        "Diese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Inviato da iPhone",
        "Verstuurd vanaf mijn iPhone",
        "Skickat från min iPhone",
        "Отправлено с iPhone",
        "Gesendet mit der GMX Mail App",
        "Enviado do meu iPhone",
        "Lähetetty iPhonesta",
        "Sendt fra min iPhone",
        "Odesláno z mého iPhonu",
        "Wysłano z iPhone'a",
        "Hent Outlook til iOS",
        "Outlook für iOS beziehen",
        "Télécharger Outlook pour iOS",
        "Obtener Outlook para Android",
    ],
)
def test_phone_line_is_dropped_alone(line: str) -> None:
    text = f"A Vie - Bud\n\n{line}\n\nA Bud - Ser"
    assert [x for x in own(text) if x] == ["A Vie - Bud", "A Bud - Ser"]
    assert cuts(text) == [(line, "signature")]


@pytest.mark.parametrize(
    "closing",
    [
        "Best regards",
        "Mit freundlichen Grüßen",
        "Cordialement,",
        "Med vänliga hälsningar",
        "S pozdravem,",
        "Z poważaniem",
        "Un saludo,",
        "Met vriendelijke groet",
        "Cordiali saluti",
        "Warm wishes,",
        "Cheers",
        "Thx!",
        "Yours truly",
        "MfG",
        "LG",
        "Vielen Dank",
        "Merci",
        "Bien à toi",
        "Amicalement",
        "Grazie",
        "Groetjes",
        "Abraços",
    ],
)
def test_closing_and_the_name_below_it_are_a_signature(closing: str) -> None:
    assert own(f"A Vie - Bud\n\n{closing}\nHans") == ["A Vie - Bud"]
    assert cuts(f"A Vie - Bud\n\n{closing}\nHans") == [(closing, "signature"), ("Hans", "signature")]


@pytest.mark.parametrize(
    "line",
    ["Take the ring", "Tak Frodo west", "Warning: I mail you", "/help", "Khand moves", "Best H", "- A Vie H"],
)
def test_orders_that_begin_like_a_closing_or_disclaimer_are_kept(line: str) -> None:
    assert own(f"A Vie - Bud\n{line}\nA Bud - Ser") == ["A Vie - Bud", line, "A Bud - Ser"]


def test_closing_with_more_than_a_name_below_goes_alone() -> None:
    text = "A Vie - Bud\nThanks\nA Bud - Ser\nF Tri H\nA Gal H\nA Tyr H\nA Boh H"
    assert own(text) == ["A Vie - Bud", "A Bud - Ser", "F Tri H", "A Gal H", "A Tyr H", "A Boh H"]
    assert cuts(text) == [("Thanks", "courtesy")]


def test_thanks_before_the_orders_are_no_signature() -> None:
    assert own("Thanks!\nA Vie - Bud\nF Tri H\nA Bud - Ser") == ["A Vie - Bud", "F Tri H", "A Bud - Ser"]


@pytest.mark.parametrize(
    "footer",
    [
        "_______________________________________________\nAnduin mailing list\nAnduin@lists.example\nhttps://lists.example/",
        "-----------------------------------------\nTo unsubscribe, mail majordomo",
        "--\nThis email has been checked for viruses by Avast antivirus software.",
        "This e-mail has been checked for viruses by Avast.",
        "Virus-free. www.avast.com",
        "Diese E-Mail wurde von Avast Antivirus-Software auf Viren geprüft.",
        "L'absence de virus dans ce courrier électronique a été vérifiée par Avast.",
        "CONFIDENTIALITY NOTICE: This e-mail is for the addressee.\nA Mun - Ber",
        "This email and any files transmitted with it are confidential.",
        "Diese E-Mail enthält vertrauliche Informationen.",
        "Ce message et ses pièces jointes sont confidentiels.",
        "No virus found in this incoming message.\nChecked by AVG",
        "__________ Information from ESET NOD32 Antivirus __________",
        "Get your FREE download of MSN Explorer at http://explorer.msn.com",
        "Join the world's largest e-mail service with MSN Hotmail.",
        "Express yourself instantly with MSN Messenger!",
        "Yahoo! Groups Links\n\n<*> To visit your group",
        "You received this message because you are subscribed to the Google Groups",
    ],
)
def test_footers_of_lists_scanners_and_companies_are_cut(footer: str) -> None:
    assert [x for x in own(f"A Vie - Bud\nA Bud - Ser\n\n{footer}\n") if x] == ["A Vie - Bud", "A Bud - Ser"]


def test_a_drawn_line_between_orders_is_only_left_out() -> None:
    assert own("A Vie - Bud\n-----\nA Bud - Ser") == ["A Vie - Bud", "A Bud - Ser"]


# --- quotation ----------------------------------------------------------------------------------------------


def test_tail_of_a_quoted_line_that_a_mailer_wrapped_is_asked_about_not_taken() -> None:
    text = f"> {'x' * 66} and then\nA Mun - Ber\n> more\nA Vie - Bud"
    assert own(text) == ["A Vie - Bud"]
    assert cuts(text) == [("A Mun - Ber", "wrapped quote")]


def test_order_between_short_quoted_lines_is_taken() -> None:
    assert own("> A Vie?\nA Vie - Bud\n> A Bud?") == ["A Vie - Bud"]


@pytest.mark.parametrize("mark", ["> ", ">", ">> ", "> > ", "GM> ", "|> "])
def test_quote_marks_of_all_kinds(mark: str) -> None:
    assert own(f"{mark}A Ven H\nA Vie - Bud") == ["A Vie - Bud"]


def test_text_below_an_unmarked_quotation_is_named_not_taken() -> None:
    text = "A Vie - Bud\nOn 29.11.2026 10:00, GM <gm@gm.example> wrote:\nA Ven H\nA Bud - Ser"
    words_ = own_words(text.split("\n"))
    assert words_.own == ("A Vie - Bud",)
    assert words_.after_cut == (
        Cut(text="A Ven H", why="quoted mail"),
        Cut(text="A Bud - Ser", why="quoted mail"),
    )


@pytest.mark.parametrize(
    "line",
    [
        "In Spring 1901 Austria wrote:",
        "I wrote on 29.11.2026 at 10:00:",
        "From: Vienna to Budapest",
        "Date: today",
        "A Vie - Bud:",
        "Game 12:30 orders:",
        "my letter says:",
        "De: a",
        "A: Ven H\nA: Rom - Apu",
        "Data: 29.11.2026",
        "Do: something",
        "To: GM\nSubject: orders\nDate: 29.11.2026",
        "On 29.11.2026 at 10:00 I wrote:",
    ],
)
def test_lines_that_only_resemble_an_attribution_are_kept(line: str) -> None:
    assert own(f"A Vie H\n{line}\nA Bud - Ser") == ["A Vie H", *line.split("\n"), "A Bud - Ser"]


@pytest.mark.parametrize(
    "line",
    [
        "I would rather keep all of my armies in the east, where they have stood so well.",
        "On Monday I keep all of my armies in the east, where they have stood for the whole",
    ],
)
def test_long_line_above_an_attribution_is_no_part_of_it(line: str) -> None:
    text = f"{line}\nOn 29.11.2026 10:00, GM <gm@gm.example> wrote:\n> A Ven H\nA Vie - Bud"
    assert own(text) == [line, "A Vie - Bud"]


def test_orders_with_times_above_a_colon_are_no_attribution() -> None:
    text = "On 29.11. at 10:00 I attack\nA Vie - Bud\nas he wrote:\nA Bud - Ser"
    assert own(text) == text.split("\n")


def test_no_line_but_blank_ones_is_lost_or_doubled() -> None:
    text = f"Hi,\nA Vie - Bud\n> x\n-----\nSent from my iPhone\nThe GM wrote:\n> y\n--\nHans\n{OURS}\nend"
    result = own_words(text.split("\n"))
    found = [*result.own, *result.quoted, *(cut.text for cut in result.after_cut)]
    assert sorted(x for x in found if x.strip()) == sorted(x for x in text.split("\n") if x.strip())


PIECES = [
    "A Vie - Bud",
    "",
    "> A Ven H",
    "-- ",
    "-----",
    "Hi,",
    "Thanks",
    "Sent from my iPhone",
    "PRESS TO ALL",
    "ENDPRESS",
    "On Monday I wrote:",
    "On 29.11.2026 at 10:00, GM <gm@gm.example>",
    "wrote:",
    "From: a",
    "Sent: b",
    "Subject: c",
    "-----Original Message-----",
    REPLY_MARKER,
    END_MARKER,
    "This e-mail is confidential",
    "x" * 70,
    "> " + "x" * 70,
]


@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_every_line_comes_out_exactly_once(lines: list[str]) -> None:
    result = own_words(lines)
    found = [*result.own, *result.quoted, *(cut.text for cut in result.after_cut)]
    assert sorted(x for x in found if x.strip()) == sorted(x for x in lines if x.strip())


@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_quoted_lines_are_own_words_only_inside_press(lines: list[str]) -> None:
    inside = {n for first, last in press_blocks(lines) for n in range(first, last + 1)}
    outside = [line for n, line in enumerate(lines) if n not in inside and line.startswith("> ")]
    own_quotes = [line for line in own_words(lines).own if line.startswith("> ")]
    assert len(own_quotes) <= sum(line.startswith("> ") for line in lines) - len(outside)
