"""What stands in the report of a turn, beside the ruleset's own words."""

from __future__ import annotations

from tests.world import World


def test_what_is_due_next_is_said_once_and_not_in_an_old_report(played: World, seats: dict[str, str]) -> None:
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    first = next(m for m in played.tick(minutes=1) if m.kind == "report" and m.to == seats["austria"])
    assert first.text.count("F TRI") == 3, "in the orders, the position and what is due"
    assert "YOUR ORDERS NEXT" in first.text
    assert "YOU OWE ORDERS FOR" not in first.text
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    played.tick(minutes=1)
    old = next(m for m in played.reply(seats["austria"], "RESULTS S1901M") if m.kind == "report")
    assert "YOUR ORDERS NEXT" not in old.text
    assert "SPRING 1901" in old.text.upper()
