"""Absence, deputy, late players and a standby in one game, on each database."""

from __future__ import annotations

import pytest

from tests.world import GM

BEN = "ben@club.example"


@pytest.mark.case(63)
def test_absence_deputy_missed_phase_and_standby(world):
    seats = world.start_diplomacy("standby = auto", "nmr_extend_hours = 24", "reminder_hours = 0")
    world.write(BEN, "gm@play.example", "JOIN spring99 AS Ben")
    world.reply(BEN, "yes")
    first = world.phase().due_at

    world.reply(seats["austria"], "ABSENT 3 Dec TO 6 Dec")
    assert (world.phase().due_at - first).days == 7
    world.reply(seats["italy"], "DEPUTY cat@club.example FROM 1 Dec TO 20 Dec PRESS")
    world.reply("cat@club.example", "yes")
    world.reply(seats["italy"], "yes")
    mails = world.outgoing() or world.tick(minutes=1)
    assert world.newest["cat@club.example"].power == "italy"
    assert all(m.to != seats["france"] for m in mails)
    world.reply("cat@club.example", "NO ORDERS")
    for power, who in seats.items():
        if power not in ("italy", "turkey"):
            world.reply(who, "NO ORDERS")

    world.skip(seconds=(world.phase().due_at - world.now).total_seconds() + 60)
    mails = world.tick()
    assert world.phase().name == "S1901M"
    assert any("nmr_extend_hours" in m.flat for m in mails)
    world.skip(hours=24)
    mails = world.tick()
    assert world.phase().name == "F1901M"
    report = next(m for m in mails if m.to == seats["france"])
    assert "No moves received from: Turkey." in report.flat
    assert any(m.to == BEN and "will you take over Turkey?" in m.subject for m in mails)

    mails = world.reply(BEN, "ACCEPT spring99")
    packet = next(m for m in mails if m.to == BEN and m.kind == "report")
    assert "You take over Turkey" in packet.flat
    (receipt,) = world.reply(BEN, "A CON - BUL\nRELIABILITY")
    assert "Turkey: version 1, 1 order on file" in receipt.flat
    (records,) = world.reply(GM, "GAME spring99\nRELIABILITY")
    assert "Turkey, Ben: no phase yet" in records.flat
    assert "1 phase: 1 on time, 0 late, 0 missed" in records.flat
