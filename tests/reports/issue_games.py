"""A whole issue with the results of real games, played by the rulesets' own bots and told to the public."""

from __future__ import annotations

from functools import cache

from gm.games import RULESETS, ruleset
from gm.games.api import reading
from gm.games.dice import SeededDice
from gm.reports.issue import (
    Appointment,
    Call,
    Colophon,
    Editorial,
    Issue,
    IssueGame,
    IssueMasthead,
    Letter,
    PhaseStory,
    StandingsRow,
)
from gm.reports.mails import PressItem

MASTHEAD = IssueMasthead(
    title="The Danube Courier",
    tagline="A weekly paper of promises made, promises kept, and the other kind",
    editors=("Henrik Vass", "Marian Cole"),
    number=12,
    date="Friday 4 December 2026",
    schedule="published every Friday",
)

EDITORIAL = """\
The first snow has come to the Danube, and with it the question that every
table asks at this time of the year: who will be building, and who will be
burying? In Spring Ninety-Nine the seas have gone quiet, which no old hand
will take for peace. In The Long Game the guns were heard as far as Vienna,
and at least one embassy has stopped answering its letters.

Your editor owes an apology. The last number gave the fleet in Sevastopol a
port that it has never seen; the map was right and the caption was wrong.
Rosa was kind enough to say that she would have liked the port.

A word on deadlines. They stay where they are over the holidays, with one
exception: nothing falls due between 24 December and 2 January. If you will
be away for longer, mail ABSENT with the two dates and name a deputy; a
deputy costs nothing, and an empty sheet costs a country.

Letters are welcome, verse is tolerated:

    Roses are red,
    Serbia's in doubt;
    I wrote you a treaty
    and then I found out.
"""


def story_of(name: str, seed: bytes, phases: int, *, told: int = 1) -> dict[str, object]:
    """Fields of an `IssueGame`: a game played for some phases, the last `told` of them as the public may know them."""
    rules = ruleset(name)
    state = rules.new_game({o.name: o.default for o in rules.meta.options}, SeededDice(seed, "setup"))
    stories = []
    svg = ""
    for _ in range(phases):
        phase = rules.phase(state)
        sheets = {
            due.power: rules.bot(rules.view(state, due.power), SeededDice(seed, f"{phase.name} {due.power}"))
            for due in rules.dues(state)
        }
        result = rules.adjudicate(state, sheets, SeededDice(seed, phase.name))
        before, after = rules.view(state, None), rules.view(result.state, None)
        known = reading(result, phase, None)
        report = rules.report(before, after, known)
        public = tuple(section for section in report.sections if not section.private)
        stories.append(PhaseStory(title=phase.title, headline=report.headline, sections=public))
        svg = rules.draw(after, known)
        state = result.state
    names = {power.id: power.name for power in rules.meta.powers}
    return {
        "ruleset": rules.meta.title,
        "stories": tuple(stories[-told:]),
        "state": f"{rules.phase(state).title} is open",
        "svg": svg,
        "caption": f"After {stories[-1].title}, with the orders drawn on it.",
        "standings": tuple((names[p], "", score) for p, score in rules.standings(rules.view(state, None))),
        "colours": tuple((power.name, power.colour) for power in rules.meta.powers),
    }


def _seated(fields: dict[str, object], players: dict[str, str]) -> dict[str, object]:
    rows = fields["standings"]
    assert isinstance(rows, tuple)
    return fields | {"standings": tuple((power, players.get(power, ""), n) for power, _, n in rows)}


@cache
def real_issue() -> Issue:
    """Two games of Diplomacy, and one of MENES where the program has it."""
    spring = IssueGame(
        slug="spring99",
        title="Spring Ninety-Nine",
        standings_title="Supply centres",
        deadline="Friday 11 December 2026, 20:00 (Europe/London)",
        link="https://gm.example.org/spring99/",
        press=(
            PressItem(
                sender="France to all",
                body="England, that was our Channel.\n\nYours in sorrow,\nthe Republic",
            ),
            PressItem(
                sender="Unsigned to all",
                body="A certain Emperor counts his winter builds already, and looks at Venice while he\n"
                "counts; let him who has eyes to see put a fleet where it will be of use before the\n"
                "snow comes.",
            ),
            PressItem(sender="Turkey to Russia", body="The Black Sea is wide enough for one of us."),
        ),
        notes=("I am away from Tuesday; deadlines run without me.",),
        errata=(
            "In No. 11 the caption put the Russian fleet in Odessa. It was, and is, in Sevastopol; no order was "
            "affected.",
        ),
        **_seated(
            story_of("diplomacy", b"a" * 32, 5),
            {
                "Austria": "Anna Adler",
                "England": "Edwin Marsh",
                "France": "Florence Okafor",
                "Germany": "Greta Lind",
                "Italy": "Ivo Rossi",
                "Russia": "Rosa Quist",
                "Turkey": "Tom Yilmaz",
            },
        ),
    )
    long_game = IssueGame(
        slug="long-game",
        title="The Long Game",
        standings_title="Supply centres",
        deadline="Sunday 13 December 2026, 18:00 (Europe/London)",
        link="https://gm.example.org/long-game/",
        press=(PressItem(sender="Germany to all", body="Berlin regrets the noise, and will repeat it."),),
        **story_of("diplomacy", b"b" * 32, 13, told=2),
    )
    games = (spring, long_game)
    calendar = (
        Appointment(
            when="Fri 11 December, 20:00", game="Spring Ninety-Nine", what=spring.state.split(" is")[0]
        ),
        Appointment(
            when="Sun 13 December, 18:00", game="The Long Game", what=long_game.state.split(" is")[0]
        ),
    )
    if "menes" in RULESETS:
        menes = IssueGame(
            slug="nile",
            title="Two Lands",
            deadline="Wednesday 9 December 2026, 20:00 (Europe/London)",
            link="https://gm.example.org/nile/",
            **story_of("menes", b"c" * 32, 3),
        )
        games = (*games, menes)
        calendar = (Appointment(when="Wed 9 December, 20:00", game="Two Lands"), *calendar)
    return Issue(
        masthead=MASTHEAD,
        editorial=Editorial(body=EDITORIAL, signed="Henrik Vass"),
        errata=("The standings in No. 11 counted one game of Greta's twice. The table below is right.",),
        games=games,
        letters=(
            Letter(
                name="Oskar Brandt, Graz",
                body="Sir, I have now been stabbed in four games of this campaign, three times by the same hand.\n"
                "I do not name it, since it reads this page before the postman has left.\n\n"
                "May I suggest a prize?",
                answer=Editorial(
                    body="You may. It would have to be a small one: there are many claims.", signed="HV"
                ),
            ),
            Letter(
                name="Florence Okafor",
                body="The map of The Long Game ought to hang in a frame. Could we have the borders a little "
                "darker in the printed number? My eyes are not what they were in 1901.",
            ),
        ),
        standings=(
            StandingsRow(player="Florence Okafor", games=4, points=61),
            StandingsRow(player="Greta Lind", games=3, points=48),
            StandingsRow(player="Tom Yilmaz", games=3, points=40),
            StandingsRow(player="Anna Adler", games=2, points=22),
            StandingsRow(player="Ivo Rossi", games=2, points=19),
            StandingsRow(player="Oskar Brandt", games=4, points=7),
        ),
        forming=(
            Call(
                game="spring99b",
                text="Diplomacy, wants 3 more",
                how="Mail SIGNON ?spring99b to zine@gm.example.org.",
            ),
            Call(game="nile2", text="MENES for three, wants 1 more", how="Mail SIGNON ?nile2."),
        ),
        standbys=(
            Call(
                game="The Long Game", text="Italy, three centres, Winter 1902", how="Mail STANDBY long-game."
            ),
        ),
        calendar=calendar,
        zone="Europe/London",
        colophon=Colophon(
            about=(
                "The Danube Courier is laid out and mailed by gm. Its games are run by their GMs, not by their luck.",
            ),
            credits=(("Diplomacy", ruleset("diplomacy").meta.credits),),
            how=(
                ("Subscribe", "Mail SUBSCRIBE DANUBE to zine@gm.example.org."),
                ("Unsubscribe", "Mail UNSUBSCRIBE DANUBE from the address that gets it."),
                ("Write a letter", "Mail LETTER on the first line, then what you have to say."),
                ("Back issues", "Mail GET ZINE 11, or any other number."),
            ),
        ),
    )
