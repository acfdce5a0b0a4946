"""German and French words of the language: each means one command, none is an order, accents are optional."""

from __future__ import annotations

import pytest

from gm.desk.commands import BY_NAME, COMMANDS, WORDS
from gm.desk.language import command_of, statements
from gm.desk.words import _DATA, AMBIGUOUS, ELSEWHERE, FOREIGN, plain, spellings
from gm.games import RULESETS, ruleset

PAIRS = [
    (language, name, word)
    for language in ("also", "de", "fr")
    for name, words in _DATA[language].items()
    for word in words
]


@pytest.mark.parametrize(("language", "name", "word"), PAIRS)
def test_each_word_is_one_command_with_and_without_its_accents(language, name, word):
    assert name in BY_NAME
    for written in (word, word.lower(), plain(word), *spellings(word), f"{word}:"):
        assert command_of(written, WORDS, frozenset())[0] == name


def test_no_word_stands_for_two_commands():
    owner: dict[str, str] = {}
    for _language, name, word in PAIRS:
        for spelling in spellings(word):
            assert owner.setdefault(spelling, name) == name, word
    for command in COMMANDS:
        for word in command.words:
            assert WORDS[word] == command.name, word


def test_words_of_commands_are_as_they_are_compared():
    assert [word for word in WORDS if word != plain(word)] == []


@pytest.mark.parametrize("game", RULESETS)
def test_no_word_begins_an_order_of_any_ruleset(game):
    keywords = ruleset(game).meta.keywords
    taken = {word for word in [*FOREIGN, *AMBIGUOUS, *ELSEWHERE] if word.split()[0] in keywords}
    assert taken == set()


@pytest.mark.parametrize("language", ["de", "fr"])
def test_no_word_alone_is_read_as_an_order(played, seats, language):
    words = [w for code, _name, word in PAIRS if code == language for w in (word, plain(word))]
    phase = played.phase()
    parsed = ruleset("diplomacy").parse(phase.state, "austria", "\n".join(words))
    assert parsed.orders == ()


def test_ambiguous_words_and_those_of_other_servers_are_no_commands():
    assert [word for word in [*AMBIGUOUS, *ELSEWHERE] if word in WORDS] == []
    for names in AMBIGUOUS.values():
        assert len(names) > 1
        assert [name for name in names if name not in BY_NAME] == []


def test_what_other_servers_words_are_answered_with_is_a_command():
    for form in ELSEWHERE.values():
        assert form.startswith("reply") or command_of(form, WORDS, frozenset())[0], form


@pytest.mark.parametrize(
    ("text", "command", "argument", "block"),
    [
        ("PRESSE AN Austria, F\nHallo.\nENDPRESSE", "PRESS", "TO Austria, F", "Hallo."),
        ("Presse à A F\nSalut.\nFINPRESSE", "PRESS", "TO A F", "Salut."),
        ("NACHRICHT AN ALLE AUSSER Turkey: Hallo an alle", "PRESS", "TO ALL BUT Turkey", "Hallo an alle"),
        ("PRESSE ANONYM AN ALLE: Gerücht", "PRESS", "UNSIGNED TO ALL", "Gerücht"),
        ("PRESSE À TOUS SAUF Turkey: non", "PRESS", "TO ALL BUT Turkey", "non"),
        ("BEITRETEN spring99 ALS Als Ob WUNSCH Italy", "JOIN", "spring99 AS Als Ob PREFER Italy", ""),
        ("REJOINDRE spring99 COMME Anne", "JOIN", "spring99 AS Anne", ""),
        ("STIMME REMIS", "VOTE", "DRAW", ""),
        ("VOTER NULLE", "VOTE", "DRAW", ""),
        ("STIMME AUFGABE AN France", "VOTE", "CONCEDE TO France", ""),
        ("Hilfe Befehle", "HELP", "ORDERS", ""),
        ("Zeitzone Europe/Berlin", "ZONE", "Europe/Berlin", ""),
        ("loeschen", "CLEAR", "", ""),
        ("pas d’ordres", "NO ORDERS", "", ""),
        ("PRET", "READY", "", ""),
    ],
)
def test_german_and_french_lines_are_read_as_ours(text, command, argument, block):
    (found,) = statements(text, WORDS)
    assert (found.command, found.argument, found.block) == (command, argument, block)


@pytest.mark.parametrize(
    "lines",
    [
        (
            "BEREIT",
            "HILFE",
            "STAND",
            "VERLAUF",
            "KEINE BEFEHLE",
            "ZEIGE",
            "WARTEN",
            "NICHT WARTEN",
            "HAUSREGELN",
        ),
        ("PRÊT", "AIDE", "ÉTAT", "HISTORIQUE", "PAS D'ORDRES", "MONTRE", "ATTENDRE", "RÈGLEMENT"),
    ],
)
def test_a_mail_of_such_words_is_carried_out(played, seats, lines):
    played.reply(seats["austria"], "A VIE - GAL")
    (receipt,) = played.reply(seats["austria"], "\n".join(lines))
    assert "with a problem" not in receipt.flat
    assert "that counts as orders received" in receipt.flat


def test_press_in_german_reaches_whom_it_names_and_ends_where_it_says(played, seats):
    text = "PRESSE AN France, Germany\nLassen wir München in Ruhe?\nENDPRESSE\nA VIE - GAL"
    mails = played.reply(seats["austria"], text)
    assert {m.power for m in mails if m.kind == "press"} == {"france", "germany"}
    assert "1 order on file" in next(m for m in mails if m.kind == "receipt").flat
