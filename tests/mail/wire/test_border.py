"""Who may be written to."""

from __future__ import annotations

import pytest

from gm.mail import outbox
from gm.mail.border import known_recipients
from gm.mail.tokens import make_token, token_hash
from gm.store.tables import Credential, Game, Player
from tests.mail.wire.wire import NOW

TOKENS, BOUNCES = b"t" * 32, b"b" * 32
LIVE, REVOKED, UNISSUED = (make_token(TOKENS, bytes([n]) * 10) for n in range(3))


@pytest.fixture
def known(store):
    with store.write() as session:
        player = Player(name="Ann", created_at=NOW)
        session.add(player)
        session.add(
            Game(
                slug="first",
                title="First",
                ruleset="diplomacy",
                rules_version="1",
                options={},
                settings={},
                seed=b"s" * 32,
                created_at=NOW,
            )
        )
        session.flush()
        for token, revoked in ((LIVE, None), (REVOKED, NOW)):
            session.add(
                Credential(
                    kind="seat",
                    token_hash=token_hash(token),
                    nonce=b"",
                    player_id=player.id,
                    game_id=1,
                    power="france",
                    issued_at=NOW,
                    revoked_at=revoked,
                )
            )
        outbox.enqueue(
            session, message_id="<1@play.test>", kind="report", recipient="ann@player.test", raw=b"", now=NOW,
            key=BOUNCES,
        )  # fmt: skip
    return known_recipients(store, domains=frozenset(["play.test"]), tokens_key=TOKENS, bounces_key=BOUNCES)


@pytest.mark.parametrize(
    ("address", "taken"),
    [
        (f"play+{LIVE}@play.test", True),
        (f"PLAY+{LIVE.upper()}@Play.Test", True),
        (f"play-{LIVE}@play.test", True),
        (f"play+{REVOKED}@play.test", False),
        (f"play+{UNISSUED}@play.test", False),
        (f"play+{'a' * 24}@play.test", False),
        (f"play+{LIVE}@elsewhere.test", False),
        ("first@play.test", True),
        ("second@play.test", False),
        ("gm@play.test", True),
        ("postmaster@play.test", True),
        ("gm@elsewhere.test", False),
        ("noreply@play.test", False),
        (outbox.bounce_address(outbox.verp_word(BOUNCES, "<1@play.test>"), "play.test"), True),
        (outbox.bounce_address(outbox.verp_word(BOUNCES, "<1@play.test>"), "elsewhere.test"), False),
        (outbox.bounce_address(outbox.verp_word(BOUNCES, "<2@play.test>"), "play.test"), False),
        (outbox.bounce_address(outbox.verp_word(TOKENS, "<1@play.test>"), "play.test"), False),
        ("", False),
        ("@", False),
        ("'; DROP TABLE game--@play.test", False),
        ("a" * 10_000 + "@play.test", False),
        ("\udcff@play.test", False),
    ],
)
def test_who_may_be_written_to(known, address, taken):
    assert known(address) is taken


def test_a_guess_costs_no_look_at_the_store():
    known = known_recipients(None, domains=frozenset(["play.test"]), tokens_key=TOKENS, bounces_key=BOUNCES)
    assert known(f"play+{'a' * 24}@play.test") is False
    assert known(f"bounce+{'a' * 24}@play.test") is False
