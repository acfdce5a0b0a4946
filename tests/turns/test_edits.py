"""Positions edited by a GM: what changes, who is told what, and that the game still replays."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from gm.games import ruleset
from gm.games.api import canonical, check_options
from gm.games.dice import SeededDice
from gm.store.tables import Audit, Game, PhaseRow
from gm.turns.edits import _lines as edit_lines
from gm.turns.edits import edited_state
from gm.turns.replay import replay
from gm.turns.starting import GameError
from tests.world import GM


def units(world, power):
    return world.phase().state["units"].get(power, [])


EDIT = 'EDIT BECAUSE the fleet was misread: sorry\nunits.austria = ["A VIE", "A BUD", "F ALB"]\nENDEDIT'


def test_edit_changes_what_it_names_and_tells_everybody_why_and_what(played, seats):
    played.reply(seats["italy"], "A VEN H")
    mails = played.reply(GM, EDIT)
    assert sorted(units(played, "austria")) == ["A BUD", "A VIE", "F ALB"]
    assert units(played, "italy") == ["F NAP", "A ROM", "A VEN"]
    assert {m.to for m in mails if m.kind == "report"} == {GM, *seats.values()}
    for mail in mails:
        if mail.kind == "report":
            said = (
                "The GM has edited the position before Spring 1901, movement: the fleet was misread: sorry."
            )
            assert said in mail.flat
            assert "No longer: Position: Austria, A BUD, F TRI, A VIE" in mail.flat
            assert "Now: Position: Austria, F ALB, A BUD, A VIE" in mail.flat
            assert "Now: Position: Italy" not in mail.flat
    italy = next(m for m in mails if m.to == seats["italy"])
    assert "Your orders for it stay on file" in italy.flat
    (receipt,) = played.write(seats["austria"], played.newest[seats["austria"]].reply_to, "F ALB - ION")
    assert "1 order on file" in receipt.flat


def test_edited_game_replays_and_the_record_has_both_positions(played, seats):
    before = played.phase().state
    played.reply(GM, EDIT)
    played.reply(
        GM, EDIT.replace("F ALB", "F VEN").replace("units.austria", 'units.italy = ["A ROM"]\nunits.austria')
    )
    row = played.phase()
    assert row.edit["computed"] == before
    assert row.edit["by"].startswith("gm ")
    played.reply(seats["austria"], "F VEN - APU")
    played.reply(GM, "PROCESS")
    assert played.phase().name == "F1901M"
    with played.store.write() as session:
        game = session.scalars(select(Game)).one()
        assert replay(session, game) == (1, [])
        done = session.scalars(select(PhaseRow).where(PhaseRow.status == "done")).one()
        done.edit = None  # as if nothing had been edited
        assert [d.what for d in replay(session, game)[1]] == ["the position before it"]
        edits = session.scalars(select(Audit).where(Audit.action == "edit")).all()
        assert [e.detail["why"] for e in edits] == ["the fleet was misread: sorry"] * 2


def test_report_of_an_edited_phase_says_so_in_every_copy(played, seats):
    played.reply(GM, EDIT)
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    played.tick(minutes=30)
    assert played.phase().name == "S1901M", "an edited phase does not run early"
    mails = played.reply(GM, "PROCESS")
    reports = [m for m in mails if m.kind == "report"]
    assert len(reports) == 8
    for mail in reports:
        assert (
            "The position before Spring 1901, movement was edited: the fleet was misread: sorry" in mail.flat
        )


def test_rollback_to_an_edited_phase_keeps_the_edit_and_still_replays(played, seats):
    played.reply(GM, EDIT)
    played.reply(GM, "PROCESS S1901M")
    played.reply(GM, "ROLLBACK TO S1901M BECAUSE of me")
    assert "F ALB" in units(played, "austria")
    played.reply(GM, "PROCESS S1901M")
    with played.store.read() as session:
        assert replay(session, session.scalars(select(Game)).one()) == (1, [])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('EDIT\nunits.austria = ["A VIE"]\nENDEDIT', "EDIT needs its reason"),
        ("EDIT BECAUSE x\nunits.austria = [A VIE]\nENDEDIT", "not readable as TOML"),
        ('EDIT BECAUSE x\nunits.austria = ["A ATL"]\nENDEDIT', "'A ATL' is no unit"),
        ('EDIT BECAUSE x\nunits.ruritania = ["A VIE"]\nENDEDIT', "is no power"),
        ('EDIT BECAUSE x\nunits.austria = ["A VEN"]\nENDEDIT', "is in VEN already"),
        ('EDIT BECAUSE x\nphase = "F1901M"\nENDEDIT', "an edit can't hold 'phase'; it holds units, centres"),
        ('EDIT BECAUSE x\nunits.austria = ["A BUD", "F TRI", "A VIE"]\nENDEDIT', "nothing would change"),
        ('EDIT BECAUSE x\nunits.austria = ["A VIE"]', "There is no line ENDEDIT"),
    ],
)
def test_edit_that_is_not_legal_changes_nothing_and_says_why(played, seats, text, said):
    before = played.phase().state
    mails = played.reply(GM, text)
    assert [m.kind for m in mails] == ["receipt"]
    assert said in mails[0].flat
    assert played.phase().state == before
    assert played.phase().edit is None


def test_centre_given_to_one_power_is_taken_from_the_other_and_phones_quotes_are_read(played, seats):
    played.reply(GM, "EDIT BECAUSE of a slip\ncentres.turkey = [“ANK”, “CON”, “SMY”, “SEV”]\nENDEDIT")
    centres = played.phase().state["centres"]
    assert centres["turkey"] == ["ANK", "CON", "SEV", "SMY"] or "SEV" in centres["turkey"]
    assert "SEV" not in centres["russia"]


@pytest.mark.parametrize("name", ["diplomacy", "necromancer", "menes"])
def test_what_scenario_notation_has_no_word_for_stays_as_it_was(name):
    rules = ruleset(name)
    options = check_options(rules.meta, {})
    game = Game(ruleset=name, options=options)
    state = rules.new_game(options, SeededDice(b"x" * 32, "set-up"))
    for _ in range(3):
        dice = SeededDice(b"x" * 32, rules.phase(state).name)
        sheets = {
            due.power: rules.parse(
                state, due.power, "\n".join(rules.bot(rules.view(state, due.power), dice))
            ).orders
            for due in rules.dues(state)
        }
        state = rules.adjudicate(state, sheets, dice).state
    power, mine = next(iter(rules.position(state)["units"].items()))
    edited = edited_state(game, state, f"units.{power} = {mine[:-1]!r}".replace("'", '"'))
    assert rules.position(edited)["units"][power] == mine[:-1]
    changed = [key for key in state if canonical(state[key]) != canonical(edited[key])]
    assert changed == ["units"]
    with pytest.raises(GameError):
        edited_state(game, state, f"units.{power} = {mine!r}".replace("'", '"'))


def test_reader_who_may_not_know_is_told_nothing_of_it():
    """Treasuries of MENES are their owners' secret: an edit of one changes no line that anybody else is shown."""
    rules = ruleset("menes")
    options = check_options(rules.meta, {})
    game = Game(ruleset="menes", options=options, settings={})
    state = rules.new_game(options, SeededDice(b"x" * 32, "set-up"))
    edited = edited_state(game, state, "[treasury]\nmen = 17")
    assert (state["treasury"]["men"], edited["treasury"]["men"]) == (300, 17)
    for power in (None, "elves", "dwarves"):
        assert edit_lines(game, rules.view(state, power)) == edit_lines(game, rules.view(edited, power)), (
            power
        )
    assert edit_lines(game, rules.view(state, "men")) != edit_lines(game, rules.view(edited, "men"))
