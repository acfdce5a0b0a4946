"""What the world outside knows of the ruleset: powers, house rules, credits, and how to write orders."""

from __future__ import annotations

from gm.games.api import Meta
from gm.games.necromancer.options import OPTIONS
from gm.games.necromancer.powers import POWERS

CREDITS = """\
Necromancer, version 0.4.5 of August 1998, is a Diplomacy variant by
Richard Egan, made with the help of John Cudmore, Andy Bate and Mike
Lay; this version was edited by Gary Duke. The designer thanks Hartley
Patterson, Glover Richardson, John Norris, Iain Bowen, Martin Lewis,
Richard Walkerdine, Bridget Davidson and Gary Stevens. It first
appeared in Bill O'Neill's zine Exidio and was first played in Paul
Norris' zine Die Grosse Dampfmaschine.

The rules are copyright 1989-1994 Richard Egan. They may be freely
reprinted as long as these credits are given and this notice stays with
them, are declared to be in the public domain, and may not be used for
profit. They come without any warranty. Names that may be trademarks
are used without any challenge to them. Errors and ideas are welcome at
the address of Gary Duke, or at the UK Variant Bank.

The printed map is lost: the one used here is partly reconstructed, as
the page on the ruleset tells."""

SYNTAX = """\
HOW TO WRITE ORDERS

One order a line, or several with semicolons between them. Places by
their abbreviation (Pel) or name (Pelargir), with or without accents;
brackets may be left out. Any arrow or dash will do.

Units: A army, C cavalry (Rohan), W Wizard (Saruman), N Nazgul, D
Dragons, S Spiders (Sauron). 3A is a multiple army, A/F an army with a
fleet, A/E one with a siege engine, 2A/2F two armies with two fleets.

MOVEMENT
  A(Pel) -> Los                 move
  A(Pel) Hold                   hold: keeps the help of a fortress!
  A(Los) S A(Pel) -> SIt        support a move (S or Support)
  A(Los) S A(Pel)               support a unit that stays
  C(Hel) -> Gap -> Agr          cavalry and Nazgul may move twice
  C(Wol) Hold -> EMu            ... or stand first
  A(Cit) B F                    build a fleet (Build Fleet)
  A(Los) B E                    build a siege engine (Build Engine)
  N(MMo) Lead A(MMo) -> SIt     repeat the led unit's whole order,
                                and give the unit that order too

MULTIPLE ARMIES: every part states the total, also one that stays.
  A(Pel) -> 2A(SIt)             two armies join in SIt ...
  A(SIt) -> 2A(SIt)             ... where one of them stands
  A(Los) -> Pel                 to split a 3A(Los), give each part
  2A(Los) -> SIt                its own order; there is no merge or
                                divide order, and no 3*A
The parts must add up, or all of them are misorders and hold.

RETREATS, best first; also after an order, or under "Retreats:"
  A(Pel) -> Los, Leb            in the retreat phase
  A(Pel) Retreat Los, Leb       with the movement orders
  A(Pel) Disband

ADJUSTMENTS (turns that end in 0); also with the movement orders
  Build A(DAm) and 2A(MTi)      2A: the strength that stands there
  Build A(DAm) or A(Pel)        the second if the first can't be
  Build C(Wol)                  Remove A(Pel)            Waive
  Activate Gun, or Gob          Sauron: with alternatives
  Activate D(Wit)               ... or S(NMi), S(EMi)
  Raise N(MMo), N(DGu)          a new Nazgul

BEFORE THE GAME
  Place A(Gap)                  Saruman's third army
  Activate Mor                  Sauron's choice

A later mail replaces earlier orders for the same unit, all parts of
a stack together, and a later list of builds the earlier list."""

META = Meta(
    id="necromancer",
    title="Necromancer",
    version="0.4.5-1",
    powers=POWERS,
    options=OPTIONS,
    credits=CREDITS,
    syntax=SYNTAX,
    keywords=frozenset(
        {
            "BUILD",
            "REMOVE",
            "DISBAND",
            "WAIVE",
            "ACTIVATE",
            "RAISE",
            "PLACE",
            "RETREAT",
            "RETREATS",
            "HOLD",
            "MOVE",
        }
        | {"A", "C", "W", "N", "D", "S", "ARMY", "CAVALRY", "WIZARD", "NAZGUL", "DRAGONS", "SPIDERS"}
    ),
)
