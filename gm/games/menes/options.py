"""The house rules of MENES: the rulebook's numbers, and a named answer to each question it leaves open."""

from __future__ import annotations

from gm.games.api import Option

_NUMBERS = (
    ("start_gold", 300, 0, 100000, "Gold that each power starts with.", "menes C1"),
    ("army_price", 5, 0, 1000, "Gold for an army.", "menes C2"),
    ("fleet_price", 10, 0, 1000, "Gold for a fleet.", "menes C2"),
    ("unique_price", 10, 0, 1000, "Gold for a unique unit.", "menes C2"),
    ("upkeep", 3, 0, 1000, "Gold that each unit costs every turn.", "menes C2"),
    ("double_price", 2, 1, 10, "How many times the list price a captured or free city asks.", "menes 5.2"),
    ("player_city_income", 100, 0, 10000, "Gold from each player city, once a turn.", "menes 4.2"),
    ("free_city_income", 50, 0, 10000, "Gold from each free city, once a turn.", "menes 4.2"),
    ("province_income", 10, 0, 10000, "Gold from each province without a city.", "menes 4.2"),
    ("sea_income", 5, 0, 10000, "Gold from each sea in which you alone have ships.", "menes 4.2"),
    ("victory_points", 20, 1, 49, "Points that win the game.", "menes 2.6"),
    (
        "missed_turns_out",
        3,
        0,
        100,
        "Turns missed in a row that put a power out; 0 turns it off.",
        "menes 2.4",
    ),
    ("turn_limit", 60, 0, 1000, "Turns after which the best score wins; 0: no limit.", "menes R turn limit"),
    ("die_sides", 6, 2, 100, "Sides of the die.", "menes R die"),
    ("flee_on", 2, 0, 100, "An outnumbered unit flees on this roll or less.", "menes 8.6"),
    (
        "free_city_bonus",
        1,
        0,
        10,
        "Added to the owner's defence factor in a free city.",
        "menes R city bonus",
    ),
    (
        "player_city_bonus",
        2,
        0,
        10,
        "Added to the owner's defence factor in a player city.",
        "menes R city bonus",
    ),
    ("max_rounds", 50, 1, 1000, "Rounds after which a battle is broken off.", "menes R endless battle"),
    ("native_guns", 3, 0, 100, "Dice of an unclaimed city at dragons overhead; 0: none.", "menes R natives"),
    ("native_factor", 2, 0, 100, "What those dice hit on.", "menes R natives"),
)

_SWITCHES = (
    ("peace_at_sea", True, "Powers that both declared PEACE do not fight at sea.", "menes R peace"),
    (
        "peace_on_land",
        False,
        "The same on land; off: land units of two powers always fight.",
        "menes R peace",
    ),
    ("shared_sea_income", False, "A sea shared in peace pays each of those in it.", "menes R peace"),
    (
        "beaten_cargo_lands",
        False,
        "Cargo of a fleet that fled may still land this turn.",
        "menes R fleet losing",
    ),
    (
        "flee_aboard",
        True,
        "Landed troops may flee back aboard the ships that landed them.",
        "menes R where to flee",
    ),
    ("city_space_income", False, "A city also pays as a province.", "menes R city income"),
    (
        "elven_sail_on",
        True,
        "Elven ships sail on after a battle if alone in that sea.",
        "menes R elven ships",
    ),
    (
        "winner_owns_at_once",
        True,
        "A won space changes hands in the battle, not only at the end.",
        "menes R won space",
    ),
    (
        "after_move_from_city",
        False,
        "Horsemen may leave a free city that they entered this turn.",
        "menes R after-battle",
    ),
    (
        "landed_after_move",
        True,
        "Landed horsemen with a whole point left may move after a battle.",
        "menes R landed",
    ),
    ("single_price_abroad", False, "All cities sell at list price.", "menes 5.2"),
    ("out_powers_upkeep", False, "A power that is out still has income and upkeep.", "menes R out"),
)

_WORDS = (
    (
        "defender",
        "owner",
        ("owner", "nobody"),
        "Who uses defence factors: the owner of the space, or nobody.",
        "R who defends",
    ),
    (
        "later_target",
        "attack",
        ("attack", "defence"),
        "Factor of the target once the defender is gone.",
        "R several powers",
    ),
    (
        "spread_hits",
        "in_turn",
        ("in_turn", "largest"),
        "Hits on allies: one each in turn, or largest first.",
        "R dealing hits",
    ),
    (
        "free_city_stop",
        "not_owned",
        ("not_owned", "off"),
        "Free cities that stop a move that enters them.",
        "R free-city stop",
    ),
    (
        "natives_shoot",
        "empty",
        ("empty", "unclaimed"),
        "Natives shoot from unclaimed cities: only empty ones?",
        "R natives",
    ),
    (
        "flyover_shots",
        "all",
        ("all", "owner"),
        "Who shoots at dragons overhead: all below, or the owner.",
        "R fly-over",
    ),
    (
        "flight_retreat",
        "take_off",
        ("take_off", "nearest"),
        "Where dragons flee to after a flight.",
        "R flight by air",
    ),
    (
        "after_default",
        "common",
        ("common", "pursue", "stay"),
        "Horsemen after a battle, without an order.",
        "R horsemen and ents",
    ),
    (
        "upkeep_shortfall",
        "disband",
        ("disband", "forgive"),
        "Upkeep that is not covered.",
        "R upkeep not covered",
    ),
    (
        "excess_moves",
        "cut",
        ("cut", "refuse"),
        "An order for more units than stand there.",
        "R more than he has",
    ),
    ("excess_buys", "refuse", ("refuse", "cut"), "A purchase beyond the treasury.", "R more than he has"),
    ("victory_tie", "gold", ("gold", "shared"), "Several winners with equal points.", "R victory"),
)

OPTIONS: tuple[Option, ...] = (
    *(Option(name=n, default=d, minimum=lo, maximum=hi, help=h, rule=r) for n, d, lo, hi, h, r in _NUMBERS),
    *(Option(name=n, default=d, help=h, rule=r) for n, d, h, r in _SWITCHES),
    *(Option(name=n, default=d, choices=c, help=h, rule=f"menes {r}") for n, d, c, h, r in _WORDS),
)
