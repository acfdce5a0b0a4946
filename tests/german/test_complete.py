"""Everything that the program says to a reader is in the German catalogue, and nothing else is.

The code is read, not run: `tests.german.harvest` finds every sentence in it. A new one in English without German fails
`test_every_sentence_of_the_code_is_in_the_catalogue`, which shows it: write its German into
``gm/reports/words/de.toml`` or a file beside it in ``words/de/``. What stands in the code but is never read by
anybody is listed in `UNREAD`.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache

import pytest

from gm.desk.commands import COMMANDS, WORDS
from gm.desk.words import plain
from gm.games import RULESETS, ruleset
from gm.reports.tongue import read_words
from tests.german.harvest import ROOT, Sentence, sentences
from tests.german.reading import read

ROOMS = ("gm/desk", "gm/desk/handlers", "gm/club", "gm/turns", "gm/clock")
FILES = (
    "gm/app/work.py", "gm/games/__init__.py", "gm/games/api.py", "gm/mail/alternatives.py", "gm/mail/body.py",
    "gm/mail/message.py", "gm/reports/issue.py", "gm/reports/issuemail.py",
)  # fmt: skip
OPERATORS = frozenset({"archive.py", "forgetting.py", "manual.py", "replay.py"})
"""What these say is read on the command line and in the documents, which are in English."""

SAME = frozenset({"on", "off", "none", "by", "hand", *RULESETS})
"""Words that are written in house rules, whatever language a mail is in."""
PLACES = re.compile(
    r"\b(?:address|campaign|command|date|day|first|game|house|last|length|letter|name|number|phase|powers?|reason|"
    r"ruleset|rule|text|time|value|word|your|the|a|and|or|on|if|it|is)\b"
)
"""English words in the form of a command, which is then no example that stands for every language."""
OWN_WORDS = re.compile(r"(?: BECAUSE| TITLE|:).*", re.S)
"""In an example of a command, what somebody writes in his own language."""

UNREAD: dict[str, tuple[str, ...]] = {
    "a word of the database, the log or a key": (
        "reply tokens", "order of choice", "power by lot", "drawing powers", "away note", "roll back", "add gm",
        "press released", "press refused", "drop gm", "add standby", "drop standby", "drop letter", "add game",
        "refused proof", "gm {}", "{} scripted {}", "set aside after a fault", "the gm", "(a mail)",
        "an issue's number is 1 or more, not {}",
        "'{}' can't name a game of an issue: a-z, 0-9, - and _ only, each once",
    ),
    "the outcome of a mail that nobody answers": (
        "a stranger", "no such game", "unknown token", "revoked token", "no proof", "x {}",
    ),
    "a rule or its value, as it is written whatever the language": (
        "every Friday 20:00 UTC", "zine = {}", "tagline = {}", "tagline = none", "maps = {}",
    ),
    "in the pages of the zine, which are in English": ("After {}.",),
    "put in somebody's own words in place of a secret": ("{} [removed]",),
    "in the calendar file of a game, which is the same for every reader": (
        "{}: {} is due", "Orders for {} are due tomorrow",
    ),
    "a ruleset's words for a position that it can't read": ("{}: {} (did you mean '{}'?)",),
    "who wrote to whom, of which each name is put into German": (
        "Unsigned to {}", "GM to {}", "{} to {}", "Server to {}",
        "Unsigned to all", "GM to all", "{} to all", "Server to all",
    ),
    "a part of a sentence that stands whole in SAID": (
        "the phase that was due", "more time", "a call to late players", "a reminder", "{}{} ({} of {})",
        "has declined",
        "has not answered in time", "what happens to the open phase", "who plays", "the house rule", " until {}",
        "today TO {}", "You have said {}",
        "Your mailbox answered a mail of mine with a note that you are away{}. By itself that changes nothing: no "
        "deadline waits for you, and you are asked this once only.",
        "No moves received from", "Seats that fall vacant because no moves came again",
        "Without a player, so in civil disorder", "text has more than {:,} characters",
        "HTML has more than {:,} characters", "HTML has more than {:,} tags",
        "Your mail is too long: its {}. Nothing of it was read.",
        "Your mail is nested more than {} parts: send your orders as plain text.",
        "Your mail is in more than {} levels deep: send your orders as plain text.",
        "the header of your mail has {found:,} bytes", "a Content-Type field of your mail has {found:,} characters",
        "your mail has {found:,} mails or groups of parts inside it", "your mail has more than {limit:,} parts",
        "your mail has {found:,} lines",
        "Not read: {}; at most {} are read. Send your orders as a short plain text.",
        "Only in the {}: {}.", "The text and the HTML of your mail differ; the text was taken. {}", "{} lines more",
        "none given",
    ),
}  # fmt: skip
"""Texts in the code for which no reader needs German, by the reason."""

STATES = ("forming", "running", "paused", "parked", "finished")
SAID = (
    *(f"7 (8), 7: {state}" for state in STATES),
    *(f"7: 8, {state}" for state in STATES),
    *(f"7 (8), {state}" for state in STATES),
    *(f"7. {kind}, 8" for kind in ("letter", "editorial", "erratum", "answer")),
    *(f"{kind}, sent, 7, to 8" for kind in ("receipt", "report", "reminder", "notice", "press", "zine")),
    *(f"receipt, {state}, 7, to 8" for state in ("queued", "sending", "sent", "failed", "bounced", "held")),
    *(f"receipt, held ({why}), 7, to 8" for why in ("breaker", "suspended", "no address")),
    *(f"7: 8 {state}" for state in ("held", "held (breaker)", "failed", "bounced")),
    *(f"all games, 7, deputy 8 ({scope}): asked" for scope in ("orders", "orders+press")),
    *(f"all games, 7, deputy 8 (orders): {state}" for state in ("agreed", "confirmed", "active")),
    *(
        f"'7' is no possible date: {why}"
        for why in (
            "day is out of range for month",
            "day 31 must be in range 1..30 for month 2 in year 2027",
            "month must be in 1..12",
            "month must be in 1..12, not 13",
            "hour must be in 0..23",
            "hour must be in 0..23, not 24",
            "minute must be in 0..59",
            "minute must be in 0..59, not 60",
        )
    ),
    *(
        "observer",
        "player",
        "GM",
        "GMs",
        "Unsigned",
        "Server",
        "vacant",
        "(vacant)",
        "(scripted)",
        "taken",
        "server: 7",
    ),
    *("1 held; RELEASE and REFUSE take their numbers", "1 mails are let go", "1 mails wait for RELEASE MAIL"),
    "1 texts wait for the next issue; DROP LETTER and a number strikes one",
    "7 is open for sign-up, and 1 who waited are invited by mail",
    "7: 8, 1 games; SUBSCRIBE 7 gets its zine",
    *("GM (7)", "observer (7)", "No. 7:", "To No. 7:"),
    *("GM 7: ran 8", "gm: 7", "No. 7", "7: the deadline of 7 is 8"),
    *(f"7 is {state}: no phase is open." for state in STATES),
    *(
        f"7 is offered to 8 ({record}{more}) until 9."
        for record in (
            "no phase yet",
            "1 phase: 1 on time, 0 late, 0 missed",
            "12 phases: 9 on time, 2 late, 1 missed",
        )
        for more in ("", "; resigned 1 seat; lost for missed orders 2 seats")
    ),
    "The charset of your mail (none given) was wrong: check accented letters.",
    *(f"the {kind} of 7 is struck" for kind in ("letter", "editorial", "erratum", "answer")),
    "More time (7 of 8) failed. Nothing was changed or sent, no deadline runs, and all other games go on.",
    "A call to late players (7 of 8) failed. Nothing was changed or sent, no deadline runs, and all other games go on.",
    "A reminder (7 of 8) failed. Nothing was changed or sent, no deadline runs, and all other games go on.",
    "The phase that was due (7 of 8) failed. Nothing was changed or sent, no deadline runs, and all other games go on.",
    "PROCESS of 7 failed. Nothing was changed or sent, no deadline runs, and all other games go on.",
    *(f"receipt, bounced, 7, to 8: bounce of 7: {kind}, 5" for kind in ("hard", "soft", "big")),
    "receipt, bounced, 7, to 8: bounce of 7: soft",
    "7 has declined.",
    "It was not sent: it holds a reply address of yours or a password, which is taken out in any case and orders of "
    "your own for 7.",
    "7 has not answered in time.",
    "You have said WAIT",
    "You have said READY",
    "Your mailbox answered a mail of mine with a note that you are away. By itself that changes nothing: no deadline "
    "waits for you, and you are asked this once only.",
    "Your mailbox answered a mail of mine with a note that you are away until 7. By itself that changes nothing: no "
    "deadline waits for you, and you are asked this once only.",
    "No moves received from: 7.",
    "Seats that fall vacant because no moves came again: 7.",
    "Without a player, so in civil disorder: 7.",
    "Your mail is too long: its text has more than 7,000 characters. Nothing of it was read.",
    "Your mail is too long: its HTML has more than 7,000 characters. Nothing of it was read.",
    "Your mail is too long: its HTML has more than 7,000 tags. Nothing of it was read.",
    "Not read: the header of your mail has 7,000 bytes; at most 6 are read. Send your orders as a short plain text.",
    "Not read: a Content-Type field of your mail has 7 characters; at most 6 are read. Send your orders as a short "
    "plain text.",
    "Not read: your mail has 7 mails or groups of parts inside it; at most 6 are read. Send your orders as a short "
    "plain text.",
    "Not read: your mail has more than 7 parts; at most 6 are read. Send your orders as a short plain text.",
    "Not read: your mail has 7 lines; at most 6 are read. Send your orders as a short plain text.",
    "The text and the HTML of your mail differ; the text was taken. Only in the HTML: 7.",
    "The text and the HTML of your mail differ; the text was taken. Only in the text: 7.",
    "The text and the HTML of your mail differ; the text was taken. Only in the HTML: 7. Only in the text: 8.",
)
"""Sentences whose parts stand in more than one place of the code, as a reader gets them; 7 and 8 for any words."""


def reads(sentence: Sentence) -> bool:
    """Whether the text of a literal is words, and not a name, a pattern or a mark."""
    text = sentence.text.replace("\x00", "0")
    if text.startswith(("<", "-//", "text/")) or not re.search("[a-z]{2}", text):
        return False
    return " " in text.strip() or re.fullmatch(r"[A-Z][a-z]+[.:]?", text.strip()) is not None


def is_example(text: str) -> bool:
    """Whether a text is a command as it is sent: the same in every language but for words that stand for something."""
    head = OWN_WORDS.sub("", text)
    word = plain(head).split(" ")
    begins = any(" ".join(word[:n]) in WORDS for n in (1, 2, 3))
    return begins and head[:2].isupper() and not PLACES.search(head)


def left_of(text: str) -> str:
    """English words of a text that the catalogue does not have."""
    words = re.findall(r"[^\W\d_]+", read(text).left)
    return " ".join(word for word in words if word not in SAME and not word.isupper())


@cache
def harvest() -> tuple[Sentence, ...]:
    """All sentences of the code that somebody may read."""
    paths = [p for room in ROOMS for p in sorted((ROOT / room).glob("*.py")) if p.name not in OPERATORS]
    names = [str(path.relative_to(ROOT)) for path in paths] + list(FILES)
    unread = {text for texts in UNREAD.values() for text in texts}
    return tuple(s for name in names for s in sentences(name) if reads(s) and s.shown() not in unread)


def test_every_sentence_of_the_code_is_in_the_catalogue():
    missing = [
        f"{s.where}: {s.shown()}" for s in harvest() if not is_example(s.shown()) and left_of(s.filled())
    ]
    assert missing == [], "\n".join(["write German for", *dict.fromkeys(missing)])


def test_every_sentence_made_of_parts_is_in_the_catalogue():
    assert [text for text in SAID if left_of(text)] == []


def test_everything_listed_as_unread_stands_in_the_code():
    names = [str(path.relative_to(ROOT)) for room in ROOMS for path in (ROOT / room).glob("*.py")]
    there = {s.shown() for name in (*names, *FILES) for s in sentences(name)}
    assert [text for texts in UNREAD.values() for text in texts if text not in there] == []


# --- commands, templates, rulesets -----------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.name)
def test_form_and_help_of_every_command_are_in_the_catalogue(command):
    assert left_of(command.help) == ""
    assert is_example(command.form) or left_of(command.form) == ""


@pytest.mark.parametrize("name", RULESETS)
def test_what_every_option_of_a_ruleset_does_is_in_the_catalogue(name):
    missing = [
        o.help for o in ruleset(name).meta.options if left_of(f"{o.name} = 7: {o.help}".partition(": ")[2])
    ]
    assert missing == []


@cache
def said_by_rulesets() -> tuple[str, ...]:
    """Everything that stands in the code of the rulesets and is words, filled in."""
    paths = [path for name in RULESETS for path in sorted((ROOT / "gm/games" / name).glob("*.py"))]
    return tuple(s.filled() for path in paths for s in sentences(str(path.relative_to(ROOT))) if reads(s))


def test_what_a_ruleset_says_is_in_german_as_a_whole_or_not_at_all():
    mixed = [text for text in said_by_rulesets() if read(text).used - {"none"} and left_of(text)]
    assert mixed == []


TEMPLATES = sorted(
    [p for p in (ROOT / "templates").iterdir() if p.suffix in (".txt", ".html", ".subject")]
    + [ROOT / "templates/issue" / name for name in ("issue.subject", "issue.txt", "mail.html")]
)
"""All templates of mails."""
_SAID = re.compile(r"""\bt\("([^"]*)"(?: ~ [\w.]+ ~ "([^"]*)")?\)""")
_COMMENT = re.compile(r"\{#.*?#\}|<!--.*?-->|<style.*?</style>|\{% block style %\}.*?\{% endblock %\}", re.S)
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.S)
_TAG = re.compile(r"<[^<>]*>|&\w+;|&#\d+;", re.S)


def said_by_templates() -> list[str]:
    """All that templates of mails say, with 7 at its places."""
    found = []
    for path in TEMPLATES:
        for first, last in _SAID.findall(path.read_text(encoding="utf-8")):
            found.append(f"{first}7{last}" if last else first)
    return found


def test_all_that_templates_say_is_in_the_catalogue():
    assert [text for text in said_by_templates() if left_of(text)] == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: p.name)
def test_a_template_of_mails_says_nothing_but_by_the_catalogue(path):
    text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    bare = _TAG.sub(" ", _CODE.sub("", text))
    assert re.findall(r"[A-Za-z]{2,}", bare) == []


# --- the catalogue itself --------------------------------------------------------------------------------------


def places(text: str) -> Counter[str]:
    return Counter(re.findall(r"\{(\w+)\}", text))


def test_each_entry_has_the_same_places_in_both_languages():
    assert [
        e for e, german in read_words("de").items() if places(e) != places(german) or not german.strip()
    ] == []


def test_no_sentence_stands_in_two_files():
    words = ROOT / "gm/reports/words"
    files = [words / "de.toml", *sorted((words / "de").glob("*.toml"))]
    found = Counter(
        english
        for file in files
        for english, german in tomllib.loads(file.read_text(encoding="utf-8")).items()
        if isinstance(german, str)
    )
    assert [english for english, times in found.items() if times > 1] == []


def test_no_entry_is_of_a_sentence_that_nobody_says():
    said = [s.filled() for s in harvest()] + list(SAID) + said_by_templates()
    said += [text for command in COMMANDS for text in (command.form, command.help, command.example)]
    said += [option.help for name in RULESETS for option in ruleset(name).meta.options]
    said += said_by_rulesets()
    used = {entry for text in said for entry in read(text).used}
    assert [entry for entry in read_words("de") if entry not in used] == []
