"""House rules: every choice that the rulebook leaves open, with our ruling as the default."""

from __future__ import annotations

from gm.games.api import Option
from gm.games.necromancer.model import Options

_HELP: tuple[tuple[str, str, str], ...] = (
    (
        "alignment",
        "Lórien, Fangorn, Barad Dûr, Dol Guldur, Moria and South Mirkwood repel units of the other side.",
        "21",
    ),
    (
        "second_moves_close_retreats",
        "No unit retreats into a province that a second move entered or stood off in.",
        "12.2",
    ),
    ("dislodged_lose_second_move", "A unit that held first and was driven out makes no second move.", "12.2"),
    ("fall_checks_victory_first", "In 3020 Sauron may still win in the adjustments before he falls.", "19.1"),
    (
        "wizard_and_nazgul_need_centres",
        "The Wizard and the Nazgûl need a supply centre like any army.",
        "16.13",
    ),
    (
        "zero_strength_stops_builds",
        "A move of the Wizard or the Nazgûl stops a fleet or an engine from being built.",
        "14.3",
    ),
    (
        "lone_wizard_or_nazgul_has_fortress",
        "A Wizard or Nazgûl alone in a fortress has its support, so that one attack does not drive it out.",
        "7.2",
    ),
    (
        "joint_retreats_bounce",
        "A Wizard or Nazgûl that retreats to the same province as its own army is disbanded with it.",
        "4",
    ),
    (
        "wizard_and_nazgul_coexist_in_eriador",
        "The Wizard and the Nazgûl may be in Eriador with units of other powers.",
        "6.3",
    ),
    (
        "hidden_supports_have_no_public_verdict",
        "Whether a support to the Wizard or the Nazgûl was valid is told to the supporter alone.",
        "16.9",
    ),
    (
        "miscounted_stack_voids_orders",
        "Orders for a multiple army that do not add up are misorders and the units hold; if off, "
        "they are read as plain moves, which stand each other off.",
        "13.2",
    ),
    (
        "saruman_builds_at_home",
        "Saruman may build in Isengard and Dunland too, not only where the Wizard is.",
        "16.3",
    ),
    ("activation_gives_centre", "Sauron owns the centre of a standing army from its activation on.", "17.2"),
    (
        "eriador_builds_per_adjustment",
        "How many units the Dwarves, and the Elves, may build in Eriador in one adjustment phase.",
        "6.5",
    ),
    ("nazgul_needs_vacant_home", "A new Nazgûl can be raised only in a home centre without a unit.", "18.13"),
    (
        "nazgul_needs_owned_home",
        "A new Nazgûl can be raised only in a home centre that Sauron owns.",
        "18.13",
    ),
    (
        "double_centres_in_comparison",
        "Dwarvish and Elvish centres that count double or triple do so also in 'more than anyone else'.",
        "20.2",
    ),
    (
        "stack_overcomes_alignment",
        "A multiple army of strength two has the support that alignment asks for within itself.",
        "21.6",
    ),
    (
        "wizard_supports_one_unit",
        "The Wizard counts as one centre for the upkeep of Saruman's armies.",
        "16.3",
    ),
    ("retreat_to_eriador", "A dislodged unit next to Eriador may retreat there.", "6.2"),
    (
        "all_joint_origins_closed",
        "A unit driven out by a joined attack may retreat to none of the provinces that it came from.",
        "13.9",
    ),
    (
        "void_lead_holds",
        "A Lead that does not match the led unit's order is void and the Nazgûl holds; if off, it goes "
        "with the unit but lends no strength.",
        "18.10",
    ),
    (
        "support_may_name_first_step",
        "A support for the first step of a double move counts though it leaves the second step unsaid.",
        "12.6",
    ),
    (
        "reveal_dragons_and_spiders",
        "Dragons or Spiders that decide another order's result are revealed, like the Nazgûl.",
        "17.4",
    ),
    (
        "illegal_order_loses_fortress",
        "An illegal order or a misorder costs a unit its fortress, as no order does.",
        "7.4",
    ),
    (
        "eriador_closes_after_builds",
        "Eriador closes to the Dwarves and Elves after the builds of the year in which Sauron falls.",
        "6.5",
    ),
    (
        "retreats_with_orders",
        "There is no retreat phase: retreats come with the movement orders, as a list of choices.",
        "17.6",
    ),
)

_DEFAULTS = Options()

OPTIONS: tuple[Option, ...] = tuple(
    Option(
        name=name,
        default=getattr(_DEFAULTS, name),
        help=text,
        rule=rule,
        minimum=1 if name == "eriador_builds_per_adjustment" else None,
        maximum=9 if name == "eriador_builds_per_adjustment" else None,
    )
    for name, text, rule in _HELP
)
"""The options as the contract lists them, with the defaults of `model.Options`."""
