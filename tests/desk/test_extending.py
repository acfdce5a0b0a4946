"""VOTE EXTEND: more time by vote of the players."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.world import GM

FRIDAY = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)
POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")


@pytest.mark.case(52)
@pytest.mark.case(57)
def test_majority_moves_the_deadline_once_by_the_longest_time_that_enough_agree_to(played, seats):
    played.reply(GM, "SET extend_vote = majority")
    for power, length in zip(POWERS[:3], ("48h", "72h", "24h"), strict=True):
        mails = played.reply(seats[power], f"VOTE EXTEND {length}")
        assert len(mails) == 1, "nobody else learns of it"
    assert played.phase().due_at == FRIDAY
    mails = played.reply(seats["germany"], "VOTE EXTEND 48h")
    assert played.phase().due_at == FRIDAY + timedelta(hours=24)
    notices = [m for m in mails if m.kind == "notice"]
    assert len(notices) == 8
    assert all("was moved: extended by 24 hours by vote of the players." in m.flat for m in notices)
    for power in ("italy", "russia", "turkey", "austria"):
        (receipt,) = played.reply(seats[power], "VOTE EXTEND 48h")
        assert "The players have extended this phase once already." in receipt.flat
    assert played.phase().due_at == FRIDAY + timedelta(hours=24)


def test_all_means_every_player(played, seats):
    played.reply(GM, "SET extend_vote = all")
    for power in POWERS[:-1]:
        (receipt,) = played.reply(seats[power], "VOTE EXTEND 2 days")
    assert "it takes all players" in receipt.flat
    played.reply(seats["turkey"], "VOTE EXTEND 3 days")
    assert played.phase().due_at == FRIDAY + timedelta(days=2)


def test_vote_taken_back_or_changed_counts_once(played, seats):
    played.reply(GM, "SET extend_vote = majority")
    for power in POWERS[:3]:
        played.reply(seats[power], "VOTE EXTEND 24h\nVOTE EXTEND 48h")
    played.reply(seats["austria"], "VOTE NONE")
    played.reply(seats["germany"], "VOTE EXTEND 24h")
    assert played.phase().due_at == FRIDAY


@pytest.mark.parametrize(
    ("rule", "line", "said"),
    [
        ("none", "VOTE EXTEND 48h", "In this game players do not vote on deadlines."),
        ("all", "VOTE EXTEND soon", "'soon' is no length of time"),
        ("all", "VOTE EXTEND 30 days", "A vote may extend by 14 days at most."),
    ],
)
def test_what_cannot_be_voted_is_refused(played, seats, rule, line, said):
    played.reply(GM, f"SET extend_vote = {rule}")
    (receipt,) = played.reply(seats["austria"], line)
    assert said in receipt.flat
