"""Who may order, and by what proof."""

from __future__ import annotations

import pytest
from sqlalchemy import select, text

from gm.app.known import known_recipient
from gm.store.tables import Audit, Credential
from tests.world import DESK, GM, World

GAME = "spring99@play.example"


def everything_written(world: World) -> str:
    """All that the store holds, but for mails as they came in."""
    with world.store.read() as session:
        tables = ("press", "audit", "sheet", "outbound", "player", "credential", "once", "deadline_change")
        rows = [
            str(tuple(row)) for table in tables for row in session.execute(text(f"SELECT * FROM {table}"))
        ]
        rows += [str(row.outcome) for row in session.execute(text("SELECT outcome FROM inbound"))]
    return "\n".join(rows)


# --- reply addresses -----------------------------------------------------------------------------------------


@pytest.mark.case(42)
def test_forged_from_without_token_or_password_changes_nothing_and_the_owner_is_told_once(played, seats):
    austria = seats["austria"]
    mails = played.write(austria, GAME, "A VIE - GAL")
    assert [(m.to, m.subject) for m in mails] == [
        (austria, "[The Courier] Somebody may have written in your name")
    ]
    assert played.write(austria, GAME, "RESIGN spring99") == []
    with played.store.read() as session:
        assert len(session.scalars(select(Audit).where(Audit.action == "refused proof")).all()) == 2
    (receipt,) = played.reply(austria, "GAME spring99\nSHOW")
    assert "no orders on file" in receipt.flat


@pytest.mark.case(42)
def test_reply_address_from_a_foreign_address_is_taken_with_a_warning_to_the_owner(played, seats):
    austria = seats["austria"]
    (receipt,) = played.write("thief@evil.example", played.newest[austria].reply_to, "A VIE - GAL")
    assert receipt.to == austria
    assert "it came from thief@evil.example, which is no address of yours that I know" in receipt.flat
    assert "1 order on file" in receipt.flat


@pytest.mark.case(42)
@pytest.mark.parametrize(
    ("policy", "taken", "warned"), [("off", True, False), ("warn", True, True), ("require", False, False)]
)
def test_policy_for_reply_addresses_from_elsewhere(played, seats, policy, taken, warned):
    played.with_office(proof=policy)
    (mail,) = played.write("x@elsewhere.example", played.newest[seats["austria"]].reply_to, "A VIE - GAL")
    assert mail.to == seats["austria"]
    assert ("1 order on file" in mail.flat) is taken
    assert ("no address of yours" in mail.flat and taken) is warned
    if not taken:
        assert mail.kind == "notice"
        assert "Nothing was done with it" in mail.flat


def results(server: str, outcome: str, domain: str = "club.example") -> str:
    found = f"spf={outcome} smtp.mailfrom=p@{domain}; dkim={outcome} header.d={domain}"
    return f"Authentication-Results: {server}; {found}\r\n"


@pytest.mark.case(43)
@pytest.mark.parametrize(
    ("headers", "believed"),
    [
        (results("mx.play.example", "pass"), True),
        (results("mx.play.example", "fail"), False),
        (results("mx.evil.example", "pass"), False),
        (results("mx.play.example", "pass", "evil.example"), False),
        (results("mx.play.example", "fail") + results("mx.play.example", "pass"), False),
        ("", False),
    ],
)
def test_only_our_own_servers_findings_prove_a_from(played, seats, headers, believed):
    played.with_office(proof="require", authserv_id="mx.play.example")
    austria = seats["austria"]
    proof = "DKIM-Signature: v=1; d=club.example; s=x; b=x\r\n" + headers
    (mail,) = played.write(austria, played.newest[austria].reply_to, "A VIE - GAL", headers=proof)
    assert ("1 order on file" in mail.flat) is believed
    if not believed:
        assert "found no proof (SPF or DKIM)" in mail.flat


def test_reply_address_of_another_game_gives_no_power_in_this_one(played, seats):
    played.create("autumn99")
    for n in range(7):
        played.join(f"q{n}@club.example", f"JOIN autumn99 AS Q{n}")
    (receipt,) = played.reply("q1@club.example", "GAME spring99\nA VIE - GAL\nVOTE DRAW")
    assert "You hold no power in spring99" in receipt.flat
    assert "no orders on file" in played.reply(seats["austria"], "SHOW")[0].flat


def test_guessed_address_is_refused_at_the_door_and_does_nothing(played, seats):
    real = played.newest[seats["austria"]].reply_to
    local, _, domain = real.partition("@")
    forged = f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{domain}"
    assert known_recipient(played.office)(real)
    assert not known_recipient(played.office)(forged)
    assert played.write(seats["austria"], forged, "A VIE - GAL") == []


def test_rotated_address_says_so_once_and_the_new_one_works(played, seats):
    austria = seats["austria"]
    old = played.newest[austria].reply_to
    (receipt,) = played.reply(austria, "NEWADDRESS")
    assert receipt.reply_to != old
    (notice,) = played.write("thief@evil.example", old, "A VIE - GAL")
    assert (notice.to, notice.subject) == (austria, "[The Courier] That reply address no longer works")
    assert played.write("thief@evil.example", old, "A VIE - BUD") == []
    (receipt,) = played.write(austria, receipt.reply_to, "A VIE - GAL")
    assert "version 1, 1 order on file" in receipt.flat


def test_reply_address_is_stored_hashed_and_reads_in_lower_case(played, seats):
    token = played.newest[seats["austria"]].reply_to
    assert token == token.lower()
    secret = token.partition("@")[0].removeprefix("play-").removeprefix("play+").removeprefix("play")
    with played.store.read() as session:
        for row in session.scalars(select(Credential)):
            assert secret not in row.token_hash
            assert secret.encode() not in row.nonce
    (receipt,) = played.write(seats["austria"], token.upper(), "SHOW")
    assert receipt.kind == "receipt"


def test_every_reader_and_every_phase_has_an_address_of_its_own(played, seats):
    first = {who: played.newest[who].reply_to for who in [*seats.values(), GM]}
    assert len(set(first.values())) == 8
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    played.tick(minutes=1)
    second = {who: played.newest[who].reply_to for who in seats.values()}
    assert not set(second.values()) & set(first.values())


def test_replies_after_the_end_may_talk_but_not_order(played, seats):
    played.reply(GM, "END ABANDONED")
    mails = played.reply(seats["austria"], "A VIE - GAL\nPRESS TO France: good game")
    receipt = next(m for m in mails if m.kind == "receipt")
    assert "no phase is open" in receipt.flat
    assert [m.to for m in mails if m.kind == "press"] == [seats["france"]]


@pytest.mark.case(27)
def test_old_report_still_serves_for_talk_and_questions(played, seats):
    old = played.newest[seats["austria"]].reply_to
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    played.tick(minutes=1)
    mails = played.write(
        seats["austria"], old, "PRESS TO Italy: still friends?\nSTATUS\nWAIT\nREADY\nA VIE - GAL"
    )
    receipt = next(m for m in mails if m.kind == "receipt")
    assert [m.to for m in mails if m.kind == "press"] == [seats["italy"]]
    assert receipt.flat.count("This answers a mail about Spring 1901, movement, which is over") == 3
    assert receipt.flat.count("Fall 1901, movement is open now") == 3


def test_gm_who_plays_in_his_own_game_orders_by_one_address_and_commands_by_the_other(one):
    one.create()
    one.join(GM, "JOIN spring99 AS Boss PREFER Austria")
    one.newest.clear()
    for n in range(6):
        mails = one.join(f"p{n}@club.example", f"JOIN spring99 AS P{n}")
    seat = next(m for m in mails if m.to == GM and m.power == "austria")
    chair = next(m for m in mails if m.to == GM and m.kind == "report" and m.power is None)
    (receipt,) = one.write(GM, seat.reply_to, "A VIE - GAL\nSET press = none")
    assert "Only a GM of spring99 can do this, by reply to a mail to its GM" in receipt.flat
    assert "Austria: version 1, 1 order on file" in receipt.flat
    (receipt,) = one.write(GM, chair.reply_to, "A VIE - TYR\nSTATUS")
    assert "I don't understand this line" in receipt.flat
    assert "No orders yet from: England" in receipt.flat


def test_lost_seat_leaves_no_rights_in_old_addresses(played, seats):
    austria = seats["austria"]
    old = played.newest[austria].reply_to
    mails = played.reply(GM, "REPLACE Austria WITH ben@club.example AS Ben")
    assert {m.to for m in mails} == {GM, austria, "ben@club.example"}
    assert "Austria was given to another player" in next(m for m in mails if m.to == austria).subject
    (receipt,) = played.write(austria, old, "A VIE - GAL\nVOTE DRAW")
    assert "You no longer hold the power that this reply address was made for" in receipt.flat
    assert "no orders on file" in played.reply("ben@club.example", "SHOW")[0].flat


# --- passwords -----------------------------------------------------------------------------------------------


@pytest.mark.case(1)
@pytest.mark.case(44)
def test_orders_by_password_at_the_games_address_and_the_password_is_kept_nowhere(
    played, seats, caplog, capsys
):
    austria = seats["austria"]
    secret = "Correct-Horse 77"
    (receipt,) = played.reply(austria, f"SET PASSWORD {secret}")
    assert "your password is set" in receipt.flat
    mails = played.write(
        austria,
        GAME,
        f"PASSWORD {secret}\nA VIE - GAL\nPRESS TO France\nmy password is {secret}, trust me\nENDPRESS\n"
        f"PAWSSWORD {secret}\nquit\nPASSWORD {secret}",
    )
    receipt = next(m for m in mails if m.kind == "receipt")
    assert "version 1, 1 order on file" in receipt.flat
    assert [m.kind for m in mails] == ["receipt"], "press with a password in it is held, and asked about"
    assert "SEND IT" in receipt.flat
    written = everything_written(played).lower()
    assert secret.lower() not in written
    assert "horse" not in written
    seen = capsys.readouterr()
    assert "horse" not in (seen.out + seen.err + caplog.text).lower()


@pytest.mark.case(69)
def test_wrong_password_is_told_at_once_and_changes_nothing(played, seats):
    austria = seats["austria"]
    played.reply(austria, "SET PASSWORD correct horse")
    (notice,) = played.write(austria, GAME, "PASSWORD wrong horse\nA VIE - GAL")
    assert notice.to == austria
    assert "came with a wrong password. Nothing was done with it" in notice.flat
    (receipt,) = played.write(austria, GAME, "PASSWORD correct horse\nSHOW")
    assert "no orders on file" in receipt.flat


def test_ten_wrong_passwords_an_hour_are_tried_and_right_ones_are_not_counted(played, seats):
    austria = seats["austria"]
    played.reply(austria, "SET PASSWORD correct horse")
    for _ in range(3):
        assert played.write(austria, GAME, "PASSWORD correct horse\nSHOW")
    for n in range(10):
        played.write(austria, GAME, f"PASSWORD wrong {n}\nSHOW")
    assert played.write(austria, GAME, "PASSWORD correct horse\nSHOW") == []
    played.tick(hours=1)
    (receipt,) = played.write(austria, GAME, "PASSWORD correct horse\nSHOW")
    assert receipt.kind == "receipt"


def test_password_of_another_player_is_no_proof(played, seats):
    played.reply(seats["austria"], "SET PASSWORD correct horse")
    mails = played.write(seats["france"], GAME, "PASSWORD correct horse\nA PAR - BUR")
    assert [m.subject for m in mails] == ["[The Courier] Somebody may have written in your name"]


# --- addresses -----------------------------------------------------------------------------------------------


@pytest.mark.case(37)
def test_second_address_counts_once_its_mail_was_answered(played, seats):
    austria = seats["austria"]
    question, receipt = played.reply(austria, "ADDRESS new@club.example")
    assert (question.to, receipt.to) == ("new@club.example", austria)
    (receipt,) = played.write("new@club.example", question.reply_to, "ok")
    assert receipt.to == "new@club.example"
    (receipt,) = played.write("new@club.example", played.newest[austria].reply_to, "SHOW")
    assert "no address of yours" not in receipt.flat


def test_question_answered_with_no_or_by_a_machine_does_nothing(played, seats):
    austria = seats["austria"]
    question = played.reply(austria, "ADDRESS new@club.example")[0]
    away = "I am out of the office until Monday and will read your mail then."
    assert played.write("new@club.example", question.reply_to, away) == []
    (answer,) = played.write("new@club.example", question.reply_to, "No, that was not me.")
    assert "You said no, so nothing was done" in answer.flat
    assert [m.subject for m in played.write("new@club.example", question.reply_to, "yes")] == [
        "[The Courier] That reply address no longer works"
    ]


@pytest.mark.case(45)
def test_address_of_somebody_else_gets_no_mail_and_gives_no_other_answer(played, seats):
    free = played.reply(seats["austria"], "ADDRESS free@club.example")[-1]
    taken = played.reply(seats["austria"], f"ADDRESS {seats['france']}")
    assert [m.to for m in taken] == [seats["austria"]]
    assert (
        taken[0].flat.replace(seats["france"], "free@club.example").count("a mail went to free@club.example")
        == 1
    )
    assert "a mail went to free@club.example" in free.flat


def test_only_so_many_questions_a_day_go_to_addresses_that_somebody_names(played, seats):
    mails = [
        played.reply(seats["austria"], f"ADDRESS a{n}@club.example\nDROP ADDRESS a{n}@club.example")
        for n in range(8)
    ]
    assert sum(m.to.startswith("a") and m.to.endswith("@club.example") for found in mails for m in found) == 6


def test_stranger_asked_in_prose_with_the_command_below_is_asked_back(played):
    played.create("autumn99")
    text = "Hi there, I'd like to play with you.\nJOIN autumn99 AS Ann\nPREFER Turkey\nZONE Europe/Paris"
    (question,) = played.write("ann@new.example", DESK, text)
    for line in ("JOIN autumn99 AS Ann", "PREFER Turkey", "ZONE Europe/Paris"):
        assert line in question.flat
    (receipt,) = played.reply("ann@new.example", "yes")
    assert "your wishes: Turkey" in receipt.flat
    assert "times are shown to you in Europe/Paris" in receipt.flat


@pytest.mark.case(41)
@pytest.mark.case(45)
@pytest.mark.parametrize(
    "text", ["WHOIS p1@club", "STATUS", "A VIE - GAL", "JOIN us today and win", "Dear sir\nJOIN nothing"]
)
def test_stranger_learns_nothing_from_anything_else(played, text):
    mails = played.write("spy@new.example", DESK, text)
    assert all("p1@club" not in m.text for m in mails)
    assert mails == [] or "There is no game" in mails[0].flat
