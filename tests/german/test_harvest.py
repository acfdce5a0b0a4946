"""The reader of the code finds a sentence in all its forms, and nothing that nobody reads."""

from __future__ import annotations

from tests.german.harvest import DATE, sentences
from tests.german.test_complete import left_of

CODE = '''
"""A docstring is read by nobody."""
WORDS = {"a": "one thing", "b": "another thing"}

def more(count: int) -> str:
    return f", {count} of them yours" if count else ""

def told(game, kind, late):
    """Neither is this."""
    log.info("a word for the log")
    note(desk, "a word for the record")
    state = "waits for you" if late else "runs by itself"
    for verb, number in (("won", game.n), ("lost", game.m)):
        parts.append(f"{verb} {number} times")
    answer("Games", [f"{game.title} {state}{more(game.n)}"])
    raise Refusal(f"{kind!r} is none of " + WORDS.get(kind, kind) + f", due {in_zone(game.at)}")
'''


def found(tmp_path, code: str) -> list[str]:
    path = tmp_path / "module.py"
    path.write_text(code)
    return [sentence.shown() for sentence in sentences(str(path))]


def test_every_form_of_a_sentence_is_found_and_no_word_for_the_log(tmp_path):
    assert found(tmp_path, CODE) == [
        "won {} times",
        "lost {} times",
        "Games",
        "{} waits for you, {} of them yours",
        "{} waits for you",
        "{} runs by itself, {} of them yours",
        "{} runs by itself",
        f"'{{}}' is none of one thing, due {DATE}",
        f"'{{}}' is none of another thing, due {DATE}",
        f"'{{}}' is none of {{}}, due {DATE}",
    ]


def test_a_new_sentence_is_missed_by_the_catalogue_and_a_half_known_one_too():
    assert left_of("Quite a new sentence.") == "Quite a new sentence"
    assert left_of("No phase was run yet.") == ""
    assert left_of("No phase was run yet. Quite a new sentence.") == "Quite a new sentence"
    assert left_of("The deadline of 7 was moved: quite a new cause.") == "quite a new cause"
