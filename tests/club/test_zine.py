"""The zine: what is printed when and for whom, once, whatever happens in between."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from gm.app.work import look_at_clock, read_mail
from gm.club import zine
from gm.club.campaigns import CampaignSettings
from gm.club.issuemaking import next_issue
from gm.store.clubtables import Contribution, Issue
from gm.store.db import Store
from gm.store.mailtables import Outbound
from gm.store.tables import Campaign, Player
from gm.turns.forgetting import forget
from tests.clubworld import ANN, BEN, found, play, process, receipt, wait, zines
from tests.world import DESK, GM, World

OTHER = "other@club.example"


@pytest.fixture
def club(one: World) -> World:
    """A campaign with one game, two players, and a zine that is published when the GM says so."""
    found(one)
    play(one)
    return one


def publish(world: World, campaign: str = "danube", gm: str = GM) -> dict[str, object]:
    """The GM publishes; what went out, by recipient."""
    world.reply(gm, f"CAMPAIGN {campaign}\nPUBLISH")
    return zines(wait(world, minutes=1))


def issues(world: World) -> list[tuple[int, dict]]:
    with world.store.read() as session:
        return [(i.number, i.content) for i in session.scalars(select(Issue).order_by(Issue.number))]


def due(world: World, slug: str = "danube") -> datetime | None:
    with world.store.read() as session:
        return session.scalar(select(Campaign.issue_due_at).where(Campaign.slug == slug))


def test_issue_goes_out_on_its_calendar_to_players_gms_and_readers(world: World) -> None:
    found(world)
    play(world)
    world.write("rosa@club.example", DESK, "SUBSCRIBE danube")
    world.reply("rosa@club.example", "yes")
    world.reply(GM, "CAMPAIGN danube\nSET zine = every Friday 21:00 Europe/London")
    assert due(world) == datetime(2026, 12, 4, 21, 0, tzinfo=UTC)
    assert zines(wait(world, days=3)) == {}
    first = zines(wait(world, hours=9))
    assert sorted(first) == [ANN, BEN, GM, "rosa@club.example"]
    assert {m.subject for m in first.values()} == {"The Danube Courier No. 1: Spring 1901, movement"}
    assert "No. 1 Friday 4 December 2026" in first[ANN].flat
    assert due(world) == datetime(2026, 12, 11, 21, 0, tzinfo=UTC)
    assert zines(wait(world, minutes=5)) == {}
    assert "No. 2" in zines(wait(world, days=6, hours=23, minutes=55))[ANN].subject


def test_issue_holds_reports_public_press_letters_editorial_errata_and_lists(club: World) -> None:
    club.write("eve@club.example", DESK, "WAIT FOR menes IN danube")
    club.reply("eve@club.example", "yes")
    club.reply(ANN, "GAME spring99\nPRESS TO ALL: Peace!\nPRESS TO France: A secret pact.\nA VIE - GAL")
    club.reply(BEN, "LETTER\nThe map is splendid.\nENDLETTER")
    club.reply(
        GM, "GAME spring99\nBROADCAST: The GM is away.\nEDITORIAL: Snow has come.\nERRATUM: It was eight."
    )
    process(club)
    club.reply(GM, "CAMPAIGN danube\nCREATE necromancer AS mirkwood TITLE Mirkwood")
    text = publish(club)[ANN].flat
    for words in (
        "Edited by gm",
        "Snow has come.",
        "It was eight.",
        "Spring 1901, movement",
        "A VIE - GAL",
        "Austria to all",
        "Peace!",
        "The GM is away.",
        "Ben Marsh writes: The map is splendid.",
        "Ann Adler 1 0",
        "Mirkwood",
        "wants 8 more",
        "waiting list: 1 of the",
        "a Diplomacy variant by Richard Egan",
    ):
        assert words in text, words
    assert "A secret pact" not in str(issues(club))
    assert "A secret pact" not in text


def test_nothing_is_printed_twice_and_a_rerun_is_printed_again(club: World) -> None:
    club.reply(BEN, "LETTER\nMy only letter.\nENDLETTER")
    process(club)
    publish(club)
    process(club)
    second = publish(club)[ANN].flat
    assert "My only letter" not in second
    assert "Fall 1901, movement" in second
    assert "No orders" not in second
    stories = [[s["title"] for s in c["issue"]["games"][0]["stories"]] for _, c in issues(club)]
    assert stories == [["Spring 1901, movement"], ["Fall 1901, movement"]]
    club.reply(GM, "GAME spring99\nROLLBACK TO F1901M")
    process(club)
    publish(club)
    assert [s["title"] for s in issues(club)[2][1]["issue"]["games"][0]["stories"]] == ["Fall 1901, movement"]


def test_table_of_the_position_stands_once_in_an_issue_with_the_last_phase(club: World) -> None:
    process(club)
    process(club)
    publish(club)
    stories = issues(club)[0][1]["issue"]["games"][0]["stories"]
    titles = [[section["title"] for section in story["sections"]] for story in stories]
    assert [story["title"] for story in stories] == ["Spring 1901, movement", "Fall 1901, movement"]
    assert ["Position" in found for found in titles] == [False, True]
    assert all("Austria" in found for found in titles)


def test_game_that_ended_is_told_once_more_and_then_no_longer(club: World) -> None:
    publish(club)
    club.reply(GM, "GAME spring99\nEND DRAW Austria, France")
    told = publish(club)
    assert "declared a draw between Austria, France" in told[BEN].flat
    assert "Ann Adler 1 50" in told[BEN].flat
    after = publish(club)
    assert sorted(after) == [GM], "its players have no game left; whoever wants the zine subscribes"
    assert "draw between" not in after[GM].flat


def test_game_that_strangers_see_late_is_printed_late_and_whole_at_its_end(one: World) -> None:
    found(one)
    play(one, "spring99", "danube", GM, "observer_delay = 1")
    one.reply(ANN, "GAME spring99\nA VIE - GAL\nPRESS TO ALL: Peace!")
    process(one)
    early = publish(one)[BEN]
    assert "VIE - GAL" not in early.text
    assert "Peace!" not in early.text
    assert "A GAL" not in str(issues(one))
    process(one)
    second = publish(one)[BEN].text
    assert "VIE - GAL" in second
    assert [s["title"] for s in issues(one)[1][1]["issue"]["games"][0]["stories"]] == [
        "Spring 1901, movement"
    ]
    one.reply(GM, "GAME spring99\nEND DRAW Austria, France")
    publish(one)
    assert [s["title"] for s in issues(one)[2][1]["issue"]["games"][0]["stories"]] == ["Fall 1901, movement"]


def test_server_that_was_down_publishes_one_issue_late_and_keeps_the_calendar(club: World) -> None:
    club.reply(GM, "CAMPAIGN danube\nSET zine = daily 21:00 UTC")
    assert len(zines(wait(club, days=5))) == 3
    assert due(club) == datetime(2026, 12, 6, 21, 0, tzinfo=UTC)
    assert [number for number, _ in issues(club)] == [1]


def test_private_page_is_in_its_readers_mail_and_nowhere_else(club: World) -> None:
    club.reply(ANN, "GAME spring99\nA VIE - GAL")
    sent = publish(club)
    assert "SPRING OF 99: AUSTRIA" in sent[ANN].text
    assert "On file: version 1, 1 orders." in sent[ANN].flat
    assert "On file" not in sent[BEN].flat
    assert "SPRING OF 99: FRANCE" in sent[BEN].text
    assert "For you only" not in sent[GM].flat
    assert "On file" not in str(issues(club))


def test_what_a_reader_may_not_know_changes_no_byte_of_his_issue(tmp_path, one_store: Store) -> None:
    from gm.store.db import open_store

    raws = []
    for secret in (
        "A BUD - SER\nWAIT\nPRESS TO GM: one",
        "A BUD - RUM\nPRESS TO GM: two\nPRESS TO Italy: three",
    ):
        store = open_store(f"sqlite:///{tmp_path}/{len(raws)}.db")
        store.migrate()
        world = World(store)
        found(world)
        play(world)
        world.reply(ANN, f"GAME spring99\nA VIE - GAL\n{secret}")
        raws.append(publish(world)[BEN].raw)
        store.close()
    assert raws[0] == raws[1]


def test_anonymous_games_names_are_in_no_issue_before_its_end(one: World) -> None:
    found(one)
    play(one, "spring99", "danube", GM, "anonymous = on")
    process(one)
    sent = publish(one)
    assert "Adler" not in sent[BEN].text
    assert "Adler" not in str(issues(one))
    one.reply(GM, "GAME spring99\nEND DRAW Austria, France")
    assert "Ann Adler" in publish(one)[BEN].text


@pytest.mark.parametrize("point", ["zine.made", "zine.told", "zine.committed", "zine.printed"])
def test_server_killed_while_publishing_publishes_once(world: World, monkeypatch, point: str) -> None:
    class Killed(BaseException):
        pass

    def die(name: str) -> None:
        if name == point:
            raise Killed

    found(world)
    play(world)
    world.reply(GM, "CAMPAIGN danube\nPUBLISH")
    monkeypatch.setattr(zine, "crash_point", die)
    with pytest.raises(Killed):
        look_at_clock(world.office)
    monkeypatch.undo()
    wait(world, minutes=1)
    wait(world, minutes=1)
    with world.store.read() as session:
        sent = session.scalars(select(Outbound.recipient).where(Outbound.kind == "zine")).all()
    assert sorted(sent) == [ANN, BEN, GM]
    assert [number for number, _ in issues(world)] == [1]


def test_letter_accepted_in_time_is_printed_though_it_was_not_read_yet(club: World) -> None:
    club.reply(GM, "CAMPAIGN danube\nPUBLISH")
    raw = b"From: ben@club.example\r\nMessage-ID: <slow@club.example>\r\n\r\nLETTER\r\nJust in time.\r\nENDLETTER\r\n"
    club.deliver(raw, BEN, club.newest[BEN].reply_to)
    assert zines(wait(club, seconds=0)) == {}
    read_mail(club.office)
    assert "Just in time." in zines(wait(club, minutes=1))[ANN].flat


def test_extra_issue_leaves_the_regular_one_when_it_was_due(club: World) -> None:
    club.reply(GM, "CAMPAIGN danube\nSET zine = every 2 weeks on Sunday 18:00 UTC")
    regular = due(club)
    assert regular == datetime(2026, 12, 6, 18, 0, tzinfo=UTC)
    sent = publish(club)
    assert "Sunday 6 December 2026, 18:00" in sent[ANN].flat
    assert due(club) == regular
    assert "No. 2" in zines(wait(club, days=6))[ANN].subject
    assert due(club) == regular + timedelta(days=14)


def test_preview_goes_to_the_gm_alone_and_publishes_nothing(club: World) -> None:
    club.reply(GM, "CAMPAIGN danube\nEDITORIAL: Not yet for your eyes.")
    mails = club.reply(GM, "CAMPAIGN danube\nPREVIEW ISSUE")
    assert [(m.kind, m.to) for m in mails] == [("zine", GM), ("receipt", GM)]
    assert mails[0].subject.startswith("Preview: The Danube Courier No. 1")
    assert "Not yet for your eyes." in mails[0].flat
    assert issues(club) == []
    with club.store.read() as session:
        assert session.scalar(select(func.count()).where(Contribution.issue_id.is_not(None))) == 0


def test_back_issue_comes_as_text_html_and_pdf(club: World) -> None:
    process(club)
    first = publish(club)[BEN]
    process(club)
    publish(club)
    mails = club.reply(BEN, "GET ZINE 1")
    copy = next(m for m in mails if m.kind == "zine")
    (pdf,) = [p for p in copy.mail.walk() if p.get_content_type() == "application/pdf"]
    assert pdf.get_filename() == "danube-001.pdf"
    assert pdf.get_payload(decode=True).startswith(b"%PDF")
    assert copy.mail.get_body(("html",)) is not None
    assert "Spring 1901, movement" in copy.flat
    assert "For you only" in first.flat
    assert "For you only" not in copy.flat
    assert "there are 1 to 2" in receipt(club.reply(BEN, "GET ZINE 12 OF danube"))
    assert "No. 2" in next(m for m in club.reply(BEN, "GET ZINE") if m.kind == "zine").subject


def test_issue_goes_out_without_a_typesetter(club: World, monkeypatch) -> None:
    monkeypatch.setattr(zine, "find_spec", lambda _name: None)
    assert sorted(publish(club)) == [ANN, BEN, GM]
    copy = next(m for m in club.reply(BEN, "GET ZINE 1") if m.kind == "zine")
    assert [p for p in copy.mail.walk() if p.get_content_type() == "application/pdf"] == []
    assert copy.mail.get_body(("html",)) is not None


def test_typesetter_that_fails_is_tried_once_and_holds_up_nothing(club: World, monkeypatch) -> None:
    tried = []

    def broken(*_args: object, **_kwargs: object) -> bytes:
        tried.append(1)
        raise zine.PdfUnavailable("it died")

    monkeypatch.setattr(zine, "issue_pdf", broken)
    assert sorted(publish(club)) == [ANN, BEN, GM]
    wait(club, minutes=1)
    assert tried == [1]


def test_published_issue_stays_as_it_was(club: World) -> None:
    process(club)
    publish(club)
    before = issues(club)[0]
    club.reply(ANN, "NAME Another Name")
    club.reply(GM, "GAME spring99\nROLLBACK TO S1901M")
    process(club)
    club.reply(GM, "CAMPAIGN danube\nSET tagline = quite another paper")
    assert issues(club)[0] == before
    copy = next(m for m in club.reply(BEN, "GET ZINE 1") if m.kind == "zine")
    assert "Ann Adler" in copy.text
    assert "quite another paper" not in copy.flat


def test_forgotten_players_name_is_in_no_back_issue(club: World) -> None:
    process(club)
    club.reply(ANN, "LETTER\nMy words stay.\nENDLETTER")
    publish(club)
    club.reply(ANN, "RESIGN spring99")
    with club.store.write() as session:
        ann = session.scalars(select(Player).where(Player.name == "Ann Adler")).one()
        forget(session, ann, club.now)
    assert "Adler" not in str(issues(club))
    assert "Ben Marsh" in str(issues(club))
    assert "My words stay." in str(issues(club))
    wait(club, minutes=1)
    copy = next(m for m in club.reply(BEN, "GET ZINE 1") if m.kind == "zine")
    assert "a former player writes" in copy.flat
    assert b"%PDF" in b"".join(p.get_payload(decode=True) or b"" for p in copy.mail.walk())


def test_fault_of_one_zine_stops_that_one_tells_its_gm_and_no_other_campaign(one: World, monkeypatch) -> None:
    one.with_office(creators=(GM, OTHER))
    found(one)
    found(one, "rhine", OTHER, "The Rhine Herald")
    real = zine.draft

    def broken(session, office, campaign, now):
        if campaign.slug == "danube":
            raise ZeroDivisionError("a secret of the position")
        return real(session, office, campaign, now)

    monkeypatch.setattr(zine, "draft", broken)
    one.reply(GM, "CAMPAIGN danube\nPUBLISH")
    one.reply(OTHER, "CAMPAIGN rhine\nPUBLISH")
    mails = wait(one, minutes=1)
    assert list(zines(mails)) == [OTHER]
    (notice,) = [m for m in mails if m.kind == "notice"]
    assert notice.to == GM
    assert "Trace: zine-danube-20261201120100-ZeroDivisionError" in notice.flat
    assert "a secret of the position" not in notice.text
    assert wait(one, minutes=1) == []
    monkeypatch.undo()
    assert list(publish(one)) == [GM]


def test_maps_go_with_the_mail_the_readers_own_first(one: World) -> None:
    one.with_office(pictures=True)
    found(one)
    one.reply(GM, "CAMPAIGN danube\nSET maps = 1")
    play(one)
    process(one)
    sent = publish(one)
    for who in (ANN, GM):
        pictures = [p for p in sent[who].mail.walk() if p.get_content_type() == "image/png"]
        assert [p["Content-ID"] for p in pictures] == ["<spring99.1@play.example>"]
    with one.store.read() as session:
        raw = session.scalars(select(Issue.content)).one()
    assert "<svg" not in str(raw)


def test_issues_keep_their_hour_over_the_change_of_the_clocks() -> None:
    rules = CampaignSettings(zine="every Friday 21:00 Europe/London")
    at = datetime(2026, 3, 6, 21, 0, tzinfo=UTC)
    seen = []
    for _ in range(60):
        at = next_issue(rules, at, at + timedelta(hours=5))  # each one published five hours late
        assert at is not None
        seen.append(at)
    hours = [f"{when:%m-%d %H}" for when in seen]
    assert hours[:4] == ["03-13 21", "03-20 21", "03-27 21", "04-03 20"]
    assert {when.hour for when in seen} == {20, 21}
    assert {when.weekday() for when in seen} == {4}
    assert (seen[-1].date() - seen[0].date()).days == 59 * 7


def test_message_ids_of_issues_name_no_reader(club: World) -> None:
    sent = publish(club)
    ids = [str(m.mail["Message-ID"]) for m in sent.values()]
    assert len(set(ids)) == 3
    assert all(identity.startswith("<zine.danube.zine.1.") for identity in ids)
    assert hashlib.sha256(ANN.encode()).hexdigest()[:10] not in "".join(ids)
