"""Habits of other servers' players work: SIGNON blocks, PRESS TO letters, SET words, LIST, PHASE, comments."""

from __future__ import annotations

import pytest

from gm.store.mailtables import Inbound
from tests.world import DESK, DOMAIN, GM

WORD = "correcthorse"


def with_password(world, who, word=WORD):
    world.reply(who, f"SET PASSWORD {word}")


def letter_of(power: str) -> str:
    return power[0].upper()


@pytest.mark.parametrize("to", [DESK, f"spring99@{DOMAIN}"])
@pytest.mark.parametrize("variant", ["", " standard"])
def test_sign_on_with_letter_game_and_password_gives_orders(played, seats, to, variant):
    with_password(played, seats["austria"])
    text = f"SIGNON Aspring99 {WORD}{variant}\nPHASE S1901M\nA VIE - GAL\nSIGNOFF\nA BUD - SER"
    (receipt,) = played.write(seats["austria"], to, text)
    assert receipt.to == seats["austria"]
    assert "Austria: version 1, 1 order on file" in receipt.flat
    assert WORD not in receipt.raw.decode()
    assert "5 | A BUD - SER" in receipt.text, "what stands below SIGNOFF is named, not taken"
    assert "where I stop reading" in receipt.flat


@pytest.mark.case(10)
@pytest.mark.parametrize("glue", ["signoff", "SIGNOFF", " SignOff"])
def test_sign_off_glued_to_the_password_is_taken_off_with_a_warning(played, seats, glue):
    with_password(played, seats["austria"], "pw123")
    (receipt,) = played.write(seats["austria"], DESK, f"SIGNON Aspring99 pw123{glue}\nA VIE - GAL")
    assert "SIGNOFF stuck to your password" in receipt.flat
    assert "version 1, 1 order on file" in receipt.flat
    assert "pw123" not in receipt.raw.decode()


@pytest.mark.case(15)
def test_two_blocks_in_one_mail_are_two_games_with_a_sheet_each(played, seats):
    who = seats["austria"]
    played.create("autumn99")
    mails = []
    for n in range(7):
        sender = who if n == 0 else f"q{n}@club.example"
        mails += played.join(sender, f"JOIN autumn99 AS Q{n} PREFER " + ("Turkey" if n == 0 else "Italy"))
    other = next(m.power for m in mails if m.kind == "report" and m.to == who and m.power)
    played.write(who, played.newest[who].reply_to, f"SET PASSWORD {WORD}")
    text = (
        f"SIGNON Aspring99 {WORD}\nA VIE - GAL\nSIGNOFF\nsome words between\n"
        f"SIGNON {letter_of(other)}autumn99 {WORD}\nNO ORDERS\nSIGNOFF"
    )
    (receipt,) = played.write(who, DESK, text)
    assert "Austria: version 1, 1 order on file" in receipt.flat
    assert "that counts as orders received" in receipt.flat
    assert "Not read: it stands between two blocks" in receipt.flat


def test_wrong_password_in_a_reply_stops_the_mail_and_is_never_echoed(played, seats):
    with_password(played, seats["austria"])
    (receipt,) = played.reply(seats["austria"], "SIGNON Aspring99 wrongsecret\nA VIE - GAL")
    assert "That password is not right" in receipt.flat
    assert "Not done: it stands after a line that failed" in receipt.flat
    assert "no orders on file" in played.reply(seats["austria"], "SHOW")[0].flat
    assert "wrongsecret" not in receipt.raw.decode()


def test_wrong_password_without_other_proof_gets_no_answer_but_a_warning_to_the_owner(played, seats):
    with_password(played, seats["austria"])
    mails = played.write(seats["austria"], DESK, "SIGNON Aspring99 wrongsecret\nA VIE - GAL")
    assert [m.subject for m in mails] == ["[The Courier] Somebody may have written in your name"]
    assert "wrongsecret" not in mails[0].raw.decode()


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("Fspring99", "You do not play France in spring99"),
        ("Mspring99", "You are no GM of spring99"),
        ("Xspring99", "No power of spring99 has the letter X"),
        ("Aspring98", "There is no game 'Aspring98'"),
    ],
)
def test_sign_on_elsewhere_is_refused_with_the_reason_and_stops_the_mail(played, seats, who, said):
    with_password(played, seats["austria"])
    (receipt,) = played.write(seats["austria"], DESK, f"SIGNON {who} {WORD}\nA VIE - GAL")
    assert said in receipt.flat
    assert "Not done: it stands after a line that failed" in receipt.flat


def test_gm_signs_on_with_m(played):
    with_password(played, GM)
    played.write(GM, DESK, f"SIGNON Mspring99 {WORD}\nSET press = public\nSIGNOFF")
    assert played.game().settings["press"] == "public"


@pytest.mark.parametrize("word", ["ERESSEA", "PARTEI", "#ATLANTIS", "#orders", "faction"])
@pytest.mark.parametrize("end", ["#END", "NÄCHSTER", "NAECHSTER"])
def test_blocks_of_faction_games_with_a_quoted_password(played, seats, word, end):
    with_password(played, seats["austria"])
    (receipt,) = played.write(seats["austria"], DESK, f'{word} Austria "{WORD}"\nA VIE - GAL\n{end}')
    assert "Austria: version 1, 1 order on file" in receipt.flat
    assert WORD not in receipt.raw.decode()


def test_orders_for_a_phase_that_is_not_open_are_not_taken(played, seats):
    (receipt,) = played.reply(seats["austria"], "PHASE F1901M\nA VIE - GAL")
    assert (
        "Orders are taken for the open phase of spring99 only, which is Spring 1901, movement" in receipt.flat
    )
    assert "no orders on file" in played.reply(seats["austria"], "SHOW")[0].flat


@pytest.mark.case(18)
@pytest.mark.parametrize(
    ("to", "powers"),
    [
        ("F G", {"france", "germany"}),
        ("T", {"turkey"}),
        ("Turkey", {"turkey"}),
        ("Turkey, I", {"turkey", "italy"}),
    ],
)
def test_letters_alone_are_powers_and_a_name_is_one_power(played, seats, to, powers):
    mails = played.reply(seats["austria"], f"PRESS TO {to}\nHello.\nENDPRESS")
    assert {m.power for m in mails if m.kind == "press"} == powers


@pytest.mark.case(18)
def test_letters_run_together_are_no_list_of_powers(played, seats):
    mails = played.reply(seats["austria"], "PRESS TO FG\nHello.\nENDPRESS")
    assert [m.kind for m in mails] == ["receipt"]
    assert "is no power" in mails[0].flat


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("SET WAIT", "the phase will not run before its deadline"),
        ("SET NOWAIT", "for you the phase may run before its deadline"),
        ("SET PREFERENCE Italy", "You are not waiting for spring99 to start"),
        ("SET PREFERENCES Italy", "You are not waiting for spring99 to start"),
        ("SET ADDRESS nonsense", "is no mail address"),
        ("LIST", "the games are below"),
        ("LIST spring99", "the state of the game is below"),
        ("HISTORY", "the history of the game is below"),
        ("RESIGN", "To give up your seat for good, name the game"),
        ("OBSERVE spring99", "You play in spring99"),
        ("SET DEADLINE 10 Jan", "Only a GM of spring99 can do this"),
    ],
)
def test_words_of_other_servers_do_what_ours_do(played, seats, line, said):
    assert said in played.reply(seats["austria"], line)[0].flat


def test_a_house_rule_is_set_though_its_name_is_a_word_of_its_own(played):
    played.reply(GM, "SET zone = Europe/Berlin\nSET absence = none")
    assert played.game().settings["zone"] == "Europe/Berlin"
    assert played.game().settings["absence"] == "none"


@pytest.mark.parametrize(
    ("line", "ours"),
    [("TAKEOVER Fspring99", "JOIN game AS your name"), ("ROLLFORWARD", "PROCESS"), ("SET DRAW", "VOTE DRAW"),
     ("TERMINATE", "END ABANDONED"), ("WHOIS ann", "STATUS")],
)  # fmt: skip
def test_word_of_another_server_is_answered_with_ours_and_does_nothing(played, line, ours):
    (receipt,) = played.reply(GM, line)
    assert f"Did you mean: {ours}" in receipt.flat
    assert played.game().status == "running"


@pytest.mark.case(17)
@pytest.mark.parametrize(
    ("line", "meant"),
    [("RES spring99", ("RESIGN", "RESULTS", "RESUME")), ("ABBRUCH", ("CLEAR", "LEAVE", "RESIGN")),
     ("CANCEL everything", ("CLEAR", "LEAVE", "RESIGN"))],
)  # fmt: skip
def test_ambiguous_word_is_refused_with_the_candidates(played, seats, line, meant):
    played.reply(seats["austria"], "A VIE - GAL")
    (receipt,) = played.reply(seats["austria"], line)
    assert "with a problem" in receipt.flat
    for word in meant:
        assert word in receipt.flat.partition("Did you mean")[2]
    assert "version 1, 1 order on file" in played.reply(seats["austria"], "SHOW")[0].flat


def test_comments_are_no_lines_of_orders(played, seats):
    text = "; my plan\n// another\n# third\nA VIE - GAL // to see the Russian off\nA BUD - SER"
    (receipt,) = played.reply(seats["austria"], text)
    assert "version 1, 2 orders on file" in receipt.flat
    assert "with a problem" not in receipt.flat


def test_semicolon_between_orders_is_part_of_them(played, seats):
    (receipt,) = played.reply(seats["austria"], "A VIE - GAL; A BUD - SER")
    assert "version 1, 2 orders on file" in receipt.flat


def test_no_password_of_a_block_is_kept_outside_the_mail_itself(played, seats):
    with_password(played, seats["austria"])
    played.write(seats["austria"], DESK, f"SIGNON Aspring99 {WORD}\nPRESS TO F: my word is {WORD}\nSIGNOFF")
    with played.store.read() as session:
        tables = {t.name: t for t in Inbound.metadata.sorted_tables}
        for name, table in tables.items():
            if name == "inbound":
                continue
            for row in session.execute(table.select()):
                assert WORD not in repr(row), name
