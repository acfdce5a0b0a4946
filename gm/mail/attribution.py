"""How mail programs introduce the mail they quote: "On … wrote:", "-----Original Message-----", header blocks.

Each function looks at a few lines cut to `CLIP` characters, so none can be made slow by a long line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

CLIP = 200
"""Characters of a line that are looked at. No mail program's line of this kind is longer."""
_LONGEST = 4
"""Lines over which an attribution may be wrapped."""

_VERB = (
    r"\b(?:wrote|writes|said|says|schrieb(?:st|en)?|schreibt|(?:a )?[ée]crit|escribi[óo]|ha scritto|scrisse|schreef"
    r"|escreveu|napisał(?:a|\(a\))?|skrev|kirjoitti|napsal(?:a|\(a\))?|napísal(?:a|\(a\))?|írta|a scris|yazdı"
    r"|написал(?:а|\(а\))?|пишет|έγραψε)(?![\w@])|(?:写道|寫道|님이 (?:작성|씀)\S{0,6}|のメール)\s?(?=:)"
)
_WROTE = re.compile(_VERB + r".{0,120}:[\s-]{0,10}$", re.IGNORECASE)
_FIRST_PERSON = re.compile(
    r"\b(?:I|we|you|he|she|they|ich|wir|er|sie|je|nous) (?:wrote|said|schrieb|schrieben|écris)", re.I
)
_OPENING = re.compile(
    r"(?:on|am|le|el|il|op|em|den|dne|dnia|w dniu|in (?:article|a message|reply)|quoting|zitat|at|--)\b|-{2,4} |.*<$",
    re.IGNORECASE,
)
"""How an attribution starts that goes on in the next line; a date or an address in the first line will do too."""
_QUOTING = re.compile(r"(?:quoting|zitat von|citando|citat från|citation de)\b.{1,150}:\s*$", re.IGNORECASE)
_BARE = re.compile(r"(?:\* )?(?:.{0,80}<[^<>\s]+@[^<>\s]+>.{0,60}|\d{4}[-/]\d\d?[-/]\d\d? .{3,100}):\s*$")
_ADDRESS = re.compile(r"[\w.+-]@[\w-]+\.|\[mailto:", re.IGNORECASE)
_DATE = re.compile(
    r"\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}[:.h]\d\d\b"
    r"|\b\d{1,2}(?:st|nd|rd|th|\.|er|º)?,?\s+(?:de\s+)?[^\W\d]{3,10}\.?,?\s+(?:de\s+)?\d{4}\b"
    r"|\b[^\W\d]{3,10}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:at\s+)?\d{4}\b|\d{4} ?[年년]"
)

_SEPARATOR = re.compile(
    r"[-_=*\s]{2,}(?:original[- ]?(?:message|appointment|nachricht)|urspr(?:ü|ue)ngliche (?:nachricht|e-?mail)"
    r"|message (?:d'origine|original|transféré)|e-?mail d'origine|mensaje (?:original|reenviado)"
    r"|messaggio (?:originale|inoltrato)|oorspronkelijk bericht|doorgestuurd bericht|mensagem (?:original|encaminhada)"
    r"|(?:oryginalna wiadomość|wiadomość oryginalna)|ursprungligt meddelande|vidarebefordrat meddelande"
    r"|opp?rinde?lig meddelelse|opprinnelig melding|alkuperäinen viesti|původní (?:zpráva|e-?mail)|eredeti üzenet"
    r"|исходное сообщение|пересылаемое сообщение|forwarded (?:message|by .{1,60})|weitergeleitete nachricht"
    r"|reply (?:message|to message)|antwort)\s*[-_=*\s]{2,}\s*$",
    re.IGNORECASE,
)
_FORWARD = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:réexpédié|transféré)"
    r"|inizio (?:del )?messaggio inoltrato|inicio del mensaje reenviado|begin doorgestuurd bericht)\s*:\s*$",
    re.IGNORECASE,
)

_FIELDS = {
    "from": "from von de da van od fra från lähettäjä от expéditeur afzender remitente mittente",
    "date": "sent date gesendet datum envoyé enviado enviada fecha data inviato verzonden skickat sendt wysłano"
    " odesláno lähetetty отправлено дата dato",
    "to": "to an à a para aan till til do komu kime vastaanottaja кому",
    "subject": "subject betreff objet asunto oggetto onderwerp assunto ämne emne temat předmět aihe тема",
    "cc": "cc kopie kopia copie",
}
_KIND = {word: kind for kind, words in _FIELDS.items() for word in words.split()}
_FIELD = re.compile(r"[*_|\s]{0,4}([^\W\d_]{1,15}(?: le)?)[*_]{0,2}\s?:")
_BLOCK_LINES = 9


def is_separator(line: str) -> bool:
    """A line such as ``-----Original Message-----`` or ``Begin forwarded message:``, in the common languages."""
    clipped = line[:CLIP].strip()
    return bool(_SEPARATOR.match(clipped) or _FORWARD.match(clipped))


def header_block(lines: Sequence[str], start: int) -> int:
    """How many lines from `start` on are the head of a quoted mail; 0 if they are none.

    It has From, Date or Subject, and three kinds of field at least, in any of the common languages.
    """
    if not _field(lines[start]):
        return 0
    kinds: set[str] = set()
    last = 0
    for n, line in enumerate(lines[start : start + _BLOCK_LINES], start=1):
        if kind := _field(line):
            kinds.add(kind)
            last = n
    return last if "from" in kinds and kinds & {"date", "subject"} and len(kinds) >= 3 else 0


def _field(line: str) -> str:
    match = _FIELD.match(line[:CLIP])
    return _KIND.get(match[1].lower().split()[0], "") if match else ""


def attribution(lines: Sequence[str], start: int) -> tuple[int, bool]:
    """How many lines from `start` on are an attribution ("On … wrote:"), 0 for none, and whether it is certain.

    It is certain when it names a mail address, a date or a time. "On Monday I wrote:" is not certain: only
    a line of quotation right below makes it an attribution.
    """
    joined = ""
    for count, line in enumerate(lines[start : start + _LONGEST], start=1):
        clipped = line[:CLIP].strip()
        if not clipped or clipped.startswith(">"):
            break
        if (
            count == 2
            and not _OPENING.match(joined)
            and not _ADDRESS.search(joined)
            and not _DATE.search(joined)
        ):
            break
        joined = f"{joined} {clipped}" if joined else clipped
        if not clipped.rstrip(" -").endswith(":"):
            continue
        certain = bool(_ADDRESS.search(joined) or _DATE.search(joined)) and not _FIRST_PERSON.search(joined)
        if _WROTE.search(joined) or _QUOTING.match(joined) or _BARE.match(joined):
            return count, certain
        break
    return 0, False
