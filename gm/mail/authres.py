"""What our own mail server found out about a sender: SPF, DKIM and DMARC results (RFC 8601).

Anybody can write an Authentication-Results field. Only one is believed: the topmost that bears our server's name
and stands where our server puts it, above the hops that the mail took before it reached us.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from email.policy import compat32

from authres import AuthenticationResultsHeader, AuthResError

from gm.mail.headers import parameters
from gm.mail.limits import MAX_HEADER_BYTES, MAX_HEADER_TEXT


@dataclass(frozen=True, kw_only=True)
class SenderProof:
    """Domains that vouch for a mail, as our own server found. Empty: nothing is proved."""

    dkim: tuple[str, ...] = ()
    """Domains with a valid signature of the whole body, lower case."""
    spf: str = ""
    """Domain of the envelope sender, if the sending host may send for it."""
    dmarc: str = ""
    """Domain of From, if DMARC passed."""

    def vouches_for(self, address: str) -> bool:
        """Whether the domain of a From address is proved: by DMARC, or by a passed check of that domain or of a
        parent of it (relaxed alignment, RFC 7489 3.1)."""
        domain = address.rpartition("@")[2].lower()
        if not domain:
            return False
        return any(_aligned(domain, proved) for proved in (self.dmarc, self.spf, *self.dkim) if proved)


NOTHING = SenderProof()


def sender_proof(raw: bytes, authserv_id: str, *, our_hops: int = 1) -> SenderProof:
    """Read the one Authentication-Results field that our server wrote; anything odd proves nothing.

    Args:
        raw: the mail as it was received.
        authserv_id: the name that our server puts into the field; empty: we have none, nothing is believed.
        our_hops: Received lines that our own servers add on top. The field stands above any line below those.
    """
    if not authserv_id:
        return NOTHING
    head = raw[:MAX_HEADER_BYTES].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    message = BytesHeaderParser(policy=compat32).parsebytes(head)
    return proof_from_pairs(
        [(name, str(value)) for name, value in message.raw_items()], authserv_id, our_hops
    )


def proof_from_pairs(pairs: list[tuple[str, str]], authserv_id: str, our_hops: int = 1) -> SenderProof:
    """As `sender_proof`, from header fields in their order."""
    hops = 0
    for name, value in pairs:
        key = name.lower()
        hops += key == "received"
        if hops > our_hops or not authserv_id:
            return NOTHING
        if key == "authentication-results" and _server(value) == authserv_id.lower():
            return _read(value, _whole_body(pairs))
    return NOTHING


def _server(value: str) -> str:
    words = re.sub(r"\([^()]{0,200}\)", " ", value[:300]).partition(";")[0].split()
    return words[0].lower() if words else ""


def _read(value: str, whole: frozenset[str]) -> SenderProof:
    text = " ".join(value.split())
    if len(text) > MAX_HEADER_TEXT * 4 or not text.isascii():
        return NOTHING
    try:
        parsed = AuthenticationResultsHeader.parse(f"Authentication-Results: {text}")
    except (AuthResError, ValueError, IndexError, AttributeError, TypeError):
        return NOTHING
    dkim: list[str] = []
    spf = dmarc = ""
    for result in parsed.results:
        if result.result != "pass":
            continue
        facts = {f"{p.type}.{p.name}".lower(): str(p.value).lower() for p in result.properties}
        if result.method == "dkim":
            domain = facts.get("header.d") or facts.get("header.i", "").rpartition("@")[2]
            if domain in whole:
                dkim.append(domain)
        elif result.method == "spf":
            spf = facts.get("smtp.mailfrom", "").rpartition("@")[2]
        elif result.method == "dmarc":
            dmarc = facts.get("header.from", "").rpartition("@")[2]
    return SenderProof(dkim=tuple(dict.fromkeys(dkim)), spf=spf, dmarc=dmarc)


def _whole_body(pairs: list[tuple[str, str]]) -> frozenset[str]:
    """Domains all of whose signatures cover the whole body: with ``l=`` anybody may add lines below."""
    whole: dict[str, bool] = {}
    for name, value in pairs:
        if name.lower() != "dkim-signature":
            continue
        _, tags = parameters(";" + " ".join(value[:MAX_HEADER_TEXT].split()))
        domain = tags.get("d", "").lower()
        whole[domain] = whole.get(domain, True) and "l" not in tags and len(value) <= MAX_HEADER_TEXT
    return frozenset(domain for domain, good in whole.items() if good and domain)


def _aligned(domain: str, proved: str) -> bool:
    if domain == proved:
        return True
    # A parent needs two labels at least, so that nobody can vouch for a whole top-level domain.
    return domain.endswith("." + proved) and proved.count(".") >= 1
