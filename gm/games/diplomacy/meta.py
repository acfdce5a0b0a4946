"""What the world outside knows of the ruleset: powers, house rules, order syntax, phase names."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from gm.games.api import Clause, Meta, Option, Phase, Power

ID = "diplomacy"

POWERS = (
    Power(id="austria", name="Austria", adjective="Austrian", letter="A", colour="#a3301f",
          aliases=("austria-hungary", "austro-hungary")),
    Power(id="england", name="England", adjective="English", letter="E", colour="#27489a",
          aliases=("britain", "great britain", "uk")),
    Power(id="france", name="France", adjective="French", letter="F", colour="#74d0f4"),
    Power(id="germany", name="Germany", adjective="German", letter="G", colour="#29282b"),
    Power(id="italy", name="Italy", adjective="Italian", letter="I", colour="#40ae52"),
    Power(id="russia", name="Russia", adjective="Russian", letter="R", colour="#b072d2"),
    Power(id="turkey", name="Turkey", adjective="Turkish", letter="T", colour="#f3d522",
          aliases=("ottoman empire",)),
)  # fmt: skip

BY_ID = {power.id: power for power in POWERS}

OPTIONS = (
    Option(
        name="end_year",
        default=0,
        minimum=0,
        maximum=2100,
        help="The game ends after this autumn, drawn among the survivors; 0: it ends only by victory or vote.",
        rule="diplomacy 11.3",
    ),
    Option(
        name="win_centres",
        default=18,
        minimum=8,
        maximum=34,
        help="Supply centres that win the game, if no other power has as many.",
        rule="diplomacy 11.1",
    ),
)

SYNTAX = """\
One order a line. Provinces by their three letters or by name; the
A or F may be left out. Any dash or arrow will do for the hyphen.

Movement (Spring, Fall)
  A PAR H                    hold
  A PAR - BUR                move
  F STP/SC - BOT             move; coasts are /NC /SC /EC
  F GAS - SPA/NC             a fleet names its coast where two are open
  A MAR S A PAR              support to hold
  A MAR S A PAR - BUR        support a move
  F ENG C A LON - BEL        convoy
  A LON - BEL VIA            move by convoy, where it could also walk
A unit without an order holds. A later order for a unit replaces the
earlier one.

Retreats
  F NTH - HOL                retreat; no order: disbanded
  Disband F NTH

Adjustments (Winter)
  Build A PAR                only in your own, free home centres
  Build F STP/NC             fleets name a coast in St Petersburg
  Remove A BUR
  Waive                      leave one build unused

Abbreviations that fit several provinces (Nor, Liv) are not guessed:
you are asked. NWY Norway, NWG Norwegian Sea, NTH North Sea,
LVP Liverpool, LVN Livonia, TYR Tyrolia, TYS Tyrrhenian Sea.
"""

META = Meta(
    id=ID,
    title="Diplomacy",
    version="1.0",
    powers=POWERS,
    options=OPTIONS,
    credits="Diplomacy was designed by Allan B. Calhamer and is published by Avalon Hill / Renegade Game Studios; "
    "the name and the rules text are theirs. This program adjudicates by the rules and ships none of their text.",
    syntax=SYNTAX,
    keywords=frozenset(
        {
            "A", "F", "ARMY", "FLEET", "BUILD", "BUILDS", "REMOVE", "REMOVES", "DISBAND", "DISBANDS", "WAIVE", "WAIVES",
            "RETREAT", "RETREATS", "HOLD",
        }
    ),
)  # fmt: skip

_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
_KINDS = {"M": "movement", "R": "retreats", "A": "adjustments"}


def phase_of(name: str) -> Phase:
    """``"F1901R"`` as a `Phase`: Fall 1901, retreats."""
    season, year, kind = name[0], name[1:-1], _KINDS[name[-1]]
    return Phase(name=name, title=f"{_SEASONS[season]} {year}, {kind}", kind=kind, turn=name[:-1])


def is_phase_name(name: object) -> bool:
    """Whether a text names a phase of this game: S/F with M/R, W with A."""
    return (
        isinstance(name, str)
        and len(name) == 6
        and name[1:5].isascii()
        and name[1:5].isdigit()
        and (name[0] + name[5]) in ("SM", "SR", "FM", "FR", "WA")
    )


@cache
def clauses() -> tuple[Clause, ...]:
    """The rulebook's clauses, from clauses.toml."""
    text = resources.files(__package__).joinpath("clauses.toml").read_text("utf-8")
    return tuple(
        Clause(number=entry["number"], title=entry["title"], flavour=entry.get("flavour", ""))
        for entry in tomllib.loads(text)["clause"]
    )
