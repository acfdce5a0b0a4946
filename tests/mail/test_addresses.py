"""Reading address fields strictly, and our own addresses through all that mailers do to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.mail.addresses import (
    Mailbox,
    can_be_game_id,
    canonical_address,
    desk_address,
    game_address,
    play_address,
    read_mailboxes,
    read_recipient,
)
from gm.mail.tokens import (
    TOKEN_LENGTH,
    hash_password,
    make_token,
    read_token,
    token_hash,
    verify_password,
)

KEY = b"k" * 32
TOKEN = make_token(KEY, bytes(range(10)))
OURS = frozenset(("gm.example",))


def found(field: str) -> list[str]:
    return [box.address for box in read_mailboxes(field)]


# --- fields -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "addresses"),
    [
        ("a@x.example", ["a@x.example"]),
        ("Hans Meier <Hans@X.Example>", ["hans@x.example"]),
        ('"Meier, Hans" <hans@x.example>', ["hans@x.example"]),
        ("Hans (the \\) GM (old)) Meier <hans@x.example> (home)", ["hans@x.example"]),
        ("a@x.example, b@y.example", ["a@x.example", "b@y.example"]),
        ("a@x.example,, b@y.example,", ["a@x.example", "b@y.example"]),
        ("Players: a@x.example, b@y.example;", ["a@x.example", "b@y.example"]),
        ("undisclosed-recipients:;", []),
        ('"odd local"@x.example', ['"odd local"@x.example']),
        ('"plain"@x.example', ["plain@x.example"]),
        ("hans+games@x.example", ["hans+games@x.example"]),
        ("u%h!r=x@x.example", ["u%h!r=x@x.example"]),
        ("J\u00fcrgen <j@b\u00fccher.example>", ["j@xn--bcher-kva.example"]),
        ("j\u00fcrgen@x.example", ["j\u00fcrgen@x.example"]),
        ("=?utf-8?q?Meier,_Hans?= <hans@x.example>", ["hans@x.example"]),
        ("J. R. R. T. <jrrt@x.example>", ["jrrt@x.example"]),
    ],
)
def test_well_formed_fields_give_their_addresses(field: str, addresses: list[str]) -> None:
    assert found(field) == addresses


@pytest.mark.parametrize(
    "field",
    [
        "",
        "Hans Meier",
        "a@x )b@evil.example",
        "a@x]<b@evil.example>",
        "a@x.example <b@evil.example>",
        "<a@x.example>b@evil.example",
        "a@x.example b@evil.example",
        '"a"b@x.example',
        "=?utf-8?q?a?=@x.example",
        "a@b@x.example",
        "<a@x.example",
        "a@x.example>",
        "<<a@x.example>>",
        "<@relay.example:a@x.example>",
        "a@[127.0.0.1]",
        "a@localhost",
        ".a@x.example",
        "a..b@x.example",
        "a@-x.example",
        "a@x_y.example",
        "a@x..example",
        "@x.example",
        "a@",
        '""@x.example',
        "(never closed a@x.example",
        '"never closed a@x.example',
        "a\x00b@x.example",
        "g: h: a@x.example;;",
        "a@x.example;",
        "g: a@x.example",
        "l" * 65 + "@x.example",
        "a@" + "x" * 64 + ".example",
        "a@" + "xxxxxxx." * 40 + "example",
        "(" * 2000 + "a@x.example" + ")" * 2000,
        ", ".join(["a@x.example"] * 51),
        "a@x.example\udcff",
    ],
)
def test_a_field_that_is_no_address_list_gives_nothing_at_all(field: str) -> None:
    assert found(field) == []


def test_name_beside_the_address_is_kept() -> None:
    assert read_mailboxes('"Meier, Hans" <h@x.example>') == (
        Mailbox(address="h@x.example", name="Meier, Hans"),
    )


@given(st.text(alphabet='ab@.<>,;:()"\\ \u00e9', max_size=60))
def test_reading_a_field_is_total_and_gives_canonical_addresses(field: str) -> None:
    for box in read_mailboxes(field):
        assert canonical_address(box.address) == box.address


# --- ours ---------------------------------------------------------------------------------------------------


def test_token_is_24_lower_case_base32_characters_made_of_80_random_bits() -> None:
    assert len(TOKEN) == TOKEN_LENGTH == 24
    assert TOKEN[:16] == "aaaqeayeaudaocaj"  # RFC 4648 base32 of bytes 0 to 9
    assert make_token(KEY, bytes(10)) != make_token(b"other" * 8, bytes(10))


def test_token_needs_its_randomness() -> None:
    with pytest.raises(ValueError, match="10 random bytes"):
        make_token(KEY, b"short")


def test_store_keeps_only_the_sha256() -> None:
    assert (
        token_hash("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )  # FIPS 180-2 B.1


@pytest.mark.parametrize(
    "address",
    [
        f"play+{TOKEN}@gm.example",
        f"play-{TOKEN}@gm.example",
        f"play_{TOKEN}@gm.example",
        f"play={TOKEN}@gm.example",
        f"play.{TOKEN}@gm.example",
        f"play{TOKEN}@gm.example",
        f"{TOKEN}@gm.example",
        f"g-{TOKEN}@gm.example",
        f"PLAY+{TOKEN.upper()}@GM.EXAMPLE",
        f"<play+{TOKEN}@gm.example>",
        f"play+{TOKEN.replace('o', '0')}@gm.example",
        f"SRS0=HHHH=TT=gm.example=play+{TOKEN}@forwarder.example",
        f"srs0+hhhh=tt=gm.example=play+{TOKEN}@forwarder.example",
        f"SRS1=HHHH=first.example==HHHH=TT=gm.example=play+{TOKEN}@second.example",
        f"prvs=1234567890=play+{TOKEN}@gm.example",
        f"list-bounces+play+{TOKEN}=gm.example@lists.example",
        f"list-return-12-play-{TOKEN}=gm.example@lists.example",
    ],
)
def test_token_survives_what_mailers_do_to_addresses(address: str) -> None:
    recipient = read_recipient(address, OURS, KEY)
    assert recipient is not None
    assert (recipient.kind, recipient.token) == ("play", TOKEN)


@pytest.mark.parametrize(
    "local",
    [
        "play",
        "play+",
        "play+" + "a" * 24,
        "play+" + TOKEN[:-1],
        "play+" + TOKEN + "a",
        "play+" + TOKEN[:-1] + ("b" if TOKEN[-1] == "a" else "a"),
        "play+" + make_token(b"another key", bytes(10)),
        "bounce+12-aaaaaaaa",
        "srs0=x",
        "has space",
        "../../etc",
        "",
    ],
)
def test_wrong_tokens_are_unknown_without_a_look_up(local: str) -> None:
    recipient = read_recipient(f"{local}@gm.example", OURS, KEY)
    assert recipient is not None
    assert recipient.kind == "unknown"


@pytest.mark.parametrize("address", ["gm@other.example", "nobody", "", "@", "x" * 300 + "@gm.example"])
def test_address_elsewhere_is_none_of_ours(address: str) -> None:
    assert read_recipient(address, OURS, KEY) is None


@pytest.mark.parametrize(
    ("local", "kind", "game"),
    [
        ("gm", "desk", ""),
        ("GM", "desk", ""),
        ("gm+help", "desk", ""),
        ("postmaster", "postmaster", ""),
        ("abuse", "postmaster", ""),
        ("anduin-3", "game", "anduin-3"),
        ("Anduin-3+gondor", "game", "anduin-3"),
    ],
)
def test_desk_game_and_postmaster_addresses(local: str, kind: str, game: str) -> None:
    recipient = read_recipient(f"{local}@gm.example", OURS, KEY)
    assert recipient is not None
    assert (recipient.kind, recipient.game) == (kind, game)


def test_addresses_are_written_as_they_are_read() -> None:
    assert play_address("t", "gm.example") == "play+t@gm.example"
    assert play_address("t", "gm.example", "-") == "play-t@gm.example"
    assert game_address("anduin", "gm.example") == "anduin@gm.example"
    assert desk_address("gm.example") == "gm@gm.example"


@pytest.mark.parametrize(
    "game",
    ["gm", "postmaster", "play-1", "bounce", "", "-x", "A", "a b", "../x", "x" * 41, "\u0430nduin", "x\n"],
)
def test_game_may_not_have_an_id_that_mail_needs_or_cannot_carry(game: str) -> None:
    assert not can_be_game_id(game)
    with pytest.raises(ValueError, match="cannot be the address"):
        game_address(game, "gm.example")


@given(st.binary(min_size=10, max_size=10))
def test_every_token_is_read_back_in_any_case(entropy: bytes) -> None:
    token = make_token(KEY, entropy)
    assert read_token(KEY, f"PLAY-{token.upper()}") == token


@given(st.text(max_size=100))
def test_reading_a_recipient_is_total(local: str) -> None:
    read_recipient(f"{local}@gm.example", OURS, KEY)


# --- passwords ----------------------------------------------------------------------------------------------


def test_password_verifies_against_its_own_record_only() -> None:
    stored = hash_password(" Gr\u00fc\u00dfe 1 ", b"salt" * 4)
    assert "Gr" not in stored
    assert verify_password("Gru\u0308\u00dfe 1", stored)
    assert not verify_password("gr\u00fc\u00dfe 1", stored)
    assert hash_password("x", b"1" * 16) != hash_password("x", b"2" * 16)


@pytest.mark.parametrize(
    "stored", ["", "scrypt$1$2", "md5$1$1$1$a$b", "scrypt$3$8$1$c2FsdA==$eA==", "scrypt$a$b$c$d$e"]
)
def test_damaged_record_verifies_nothing(stored: str) -> None:
    assert not verify_password("x", stored)


@pytest.mark.parametrize("password", ["", "  ", "x" * 201])
def test_empty_and_overlong_passwords_are_refused(password: str) -> None:
    with pytest.raises(ValueError, match="1 to 200 characters"):
        hash_password(password, b"s" * 16)
    assert not verify_password(password, "scrypt$16384$8$1$c2FsdA==$eA==")
