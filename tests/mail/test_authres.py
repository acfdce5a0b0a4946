"""Only what our own mail server found out proves a sender (RFC 8601)."""

from __future__ import annotations

import pytest

from gm.mail.authres import NOTHING, SenderProof, proof_from_pairs, sender_proof

US = "mx.gm.example"
HOP = ("Received", "from player.example by mx.gm.example")
SIGNED = ("DKIM-Signature", "v=1; a=rsa-sha256; d=player.example; s=k; h=from:to; bh=x; b=y")


def ar(rest: str, server: str = US) -> tuple[str, str]:
    return ("Authentication-Results", f"{server}; {rest}")


def test_our_field_on_top_is_believed() -> None:
    field = ar(
        "dkim=pass header.d=player.example;\n spf=pass smtp.mailfrom=hans@player.example;"
        " dmarc=pass header.from=player.example"
    )
    assert proof_from_pairs([HOP, field, SIGNED], US) == SenderProof(
        dkim=("player.example",), spf="player.example", dmarc="player.example"
    )
    assert proof_from_pairs([field, HOP, SIGNED], US).dkim == ("player.example",)


@pytest.mark.case(43)
def test_forged_field_below_ours_is_not_read() -> None:
    ours, forged = ar("dkim=fail header.d=player.example"), ar("dkim=pass header.d=player.example")
    assert proof_from_pairs([HOP, ours, SIGNED, forged], US) == NOTHING


@pytest.mark.case(43)
def test_forged_field_alone_below_the_hop_it_came_by_is_not_read() -> None:
    forged = ar("dkim=pass header.d=player.example")
    assert proof_from_pairs([HOP, HOP, forged, SIGNED], US) == NOTHING


@pytest.mark.case(43)
@pytest.mark.parametrize("server", ["mx.evil.example", "xmx.gm.example", "mx.gm.example.evil.example", ""])
def test_field_of_another_server_is_not_read(server: str) -> None:
    assert (
        proof_from_pairs([HOP, ar("spf=pass smtp.mailfrom=a@player.example", server), SIGNED], US) == NOTHING
    )


def test_without_a_server_of_ours_nothing_is_believed() -> None:
    assert proof_from_pairs([ar("spf=pass smtp.mailfrom=a@player.example", "")], "") == NOTHING


def test_signature_of_part_of_the_body_proves_nothing() -> None:
    partial = ("DKIM-Signature", "v=1; d=player.example;\n\tl=100; bh=x; b=y")
    assert proof_from_pairs([ar("dkim=pass header.d=player.example"), partial], US) == NOTHING


def test_pass_without_any_such_signature_in_the_mail_proves_nothing() -> None:
    assert proof_from_pairs([ar("dkim=pass header.d=player.example")], US) == NOTHING


@pytest.mark.parametrize(
    "rest", ["none", "dkim=fail header.d=player.example", "garbage ((", "\u00e9=pass", "spf=pass", ""]
)
def test_failures_and_garbage_prove_nothing(rest: str) -> None:
    assert proof_from_pairs([ar(rest), SIGNED], US) == NOTHING


@pytest.mark.parametrize(
    ("proof", "address", "vouched"),
    [
        (SenderProof(dkim=("player.example",)), "hans@player.example", True),
        (SenderProof(dkim=("player.example",)), "hans@mail.Player.example", True),
        (SenderProof(spf="player.example"), "hans@player.example", True),
        (SenderProof(dmarc="player.example"), "hans@player.example", True),
        (SenderProof(dkim=("evil.example",)), "hans@player.example", False),
        (SenderProof(dkim=("mail.player.example",)), "hans@player.example", False),
        (SenderProof(dkim=("example",)), "hans@player.example", False),
        (SenderProof(dkim=("layer.example",)), "hans@player.example", False),
        (NOTHING, "hans@player.example", False),
        (SenderProof(spf="player.example"), "", False),
    ],
)
def test_only_the_domain_itself_or_its_parent_vouches(
    proof: SenderProof, address: str, vouched: bool
) -> None:
    assert proof.vouches_for(address) is vouched


def test_proof_is_read_from_the_bytes_of_a_mail_above_its_body_only() -> None:
    head = b"Received: from x by mx.gm.example\r\n"
    ours = b"Authentication-Results: mx.gm.example;\r\n\tspf=pass smtp.mailfrom=hans@player.example\r\n"
    assert sender_proof(head + ours + b"\r\nA Vie H", US).vouches_for("hans@player.example")
    assert sender_proof(head + b"\r\n" + ours, US) == NOTHING
    assert sender_proof(b"", US) == NOTHING
