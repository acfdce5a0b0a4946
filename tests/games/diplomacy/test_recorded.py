"""Movement phases of recorded games, judged as they were there. The file is not part of the project."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from gm.games.diplomacy.board import standard
from gm.games.diplomacy.resolve import resolve

BOARD = standard()
CHECKOUT = Path(__file__).resolve().parents[3]
FOLDERS = [os.environ.get("GM_RECORDED_PHASES"), CHECKOUT.parent / "shared" / "data" / "diplomacy"]
FILES = [Path(folder) / "recorded_phases.jsonl" for folder in FOLDERS if folder]
FILE = next((file for file in FILES if file.is_file()), None)
PHASES = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()] if FILE else []


@pytest.mark.skipif(
    FILE is None, reason="recorded_phases.jsonl is not here: set GM_RECORDED_PHASES to its folder"
)
@pytest.mark.parametrize("entry", PHASES, ids=[str(entry["id"]) for entry in PHASES])
def test_recorded_phase(entry):
    outcome = resolve(BOARD, entry["units"], entry["orders"])
    assert {power: sorted(names) for power, names in outcome.units.items() if names} == entry["after"]
    assert {BOARD.ids[at]: BOARD.ids[origin] for at, origin in outcome.dislodged.items()} == entry[
        "dislodged"
    ]
    assert {BOARD.ids[at]: places for at, places in outcome.retreats.items()} == entry["retreats"]
    assert [BOARD.ids[at] for at in outcome.contested] == entry["contested"]
    assert {at: outcome.word[BOARD.index[at]] or "ok" for at in entry["results"]} == entry["results"]
