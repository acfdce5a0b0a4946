"""Who may be written to."""

from __future__ import annotations

import pytest

from gm.app.known import known_recipient
from gm.mail import outbox
from gm.mail.tokens import make_token, token_hash
from gm.mail.vault import Vault
from gm.store.tables import Credential, Game, Player
from gm.turns.office import Office
from gm.turns.tokens import CHECK_PURPOSE
from tests.mail.wire.wire import NOW

VAULT = Vault(b"s" * 32)
TOKENS, BOUNCES = VAULT.key(CHECK_PURPOSE), VAULT.key("bounces")
LIVE, REVOKED, UNISSUED = (make_token(TOKENS, bytes([n]) * 10) for n in range(3))


def office(store) -> Office:
    return Office(store=store, now=lambda: NOW, vault=VAULT, domain="play.test", server_name="gm")


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
    return known_recipient(office(store))


@pytest.mark.parametrize(
    ("address", "taken"),
    [
        (f"play+{LIVE}@play.test", True),
        (f"PLAY+{LIVE.upper()}@Play.Test", True),
        (f"play-{LIVE}@play.test", True),
        (f"play+{REVOKED}@play.test", True),  # its owner is told that it no longer works
        (f"play+{REVOKED[:-1]}@play.test", False),
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
    known = known_recipient(office(None))
    assert known(f"play+{'a' * 24}@play.test") is False
    assert known(f"bounce+{'a' * 24}@play.test") is False
