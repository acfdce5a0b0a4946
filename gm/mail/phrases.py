"""What people and mail programs put around a mail's words: greetings, closings, phone lines, footers.

Closings and phone lines are those of mail-parser-reply's tables in its thirteen languages, and those of ours that it
does not know, each with where it comes from. Its own patterns are not used: they match at the start of a line
("Take the ring" begins with the Danish "Tak", "Warning: I mail you" is a disclaimer) and then drop all that follows.

One alternative a line, each a regular expression matched at the start of a line in any case. None may repeat
anything without a bound: they run on strangers' text.
"""

from __future__ import annotations

import re

from mailparser_reply.constants import MAIL_LANGUAGES


def _any(alternatives: str, end: str = "") -> re.Pattern[str]:
    lines = (line.partition("  # ")[0].strip() for line in alternatives.strip().split("\n"))
    return re.compile(f"(?:{'|'.join(lines)}){end}", re.IGNORECASE)


def _library(key: str) -> str:
    """The library's phrases of one kind in all its languages, one a line, without the comma at their ends."""
    tables = [MAIL_LANGUAGES[language].get(key, "") for language in sorted(MAIL_LANGUAGES)]
    found = [phrase for table in tables for phrase in ([table] if isinstance(table, str) else table)]
    # "/name", a Swedish habit, would be any command with a slash.
    return "\n".join(p.rstrip(",，").replace(".*", ".{0,60}") for p in found if p and not p.startswith("/"))


PHONE = _any(
    _library("sent_from")
    + r"""
sent (?:from|via|with) (?:an?|the|yahoo|mail|outlook|proton|gmail|my|k-9)\b  # Yahoo, Samsung, Windows Mail, Proton
gesendet mit\b  # GMX and web.de apps
von meinem .{1,40} gesendet  # iPhone in German
diese nachricht wurde von mein\w{0,3} .{1,60} gesendet  # K-9, GMX
envoyé (?:de|à partir)\b  # iPhone and Outlook in French
verstuurd vanaf\b  # iPhone in Dutch
enviado do\b  # iPhone in Portuguese
lähetetty\b  # iPhone in Finnish
отправлено (?:с|из)\b  # iPhone, mail.ru
(?:outlook für|télécharger outlook|obtener outlook)\b  # Outlook on phones
do you yahoo!\?  # Yahoo of 2004
"""
)
"""The line that a phone or web mailer adds below what was written."""

CLOSING = _any(
    _library("signatures")
    + r"""
(?:with )?(?:many |kind |best |warm ){0,2}(?:regards|wishes|thanks)
(?:many )?(?:thanks|thank you)(?: a lot| again)?
cheers
thx
sincerely(?: yours)?
yours(?: \w{1,12})?
mfg
[lv]g
danke(?: schön)?
vielen dank
merci
bien à (?:toi|vous)
amicalement
saluti
grazie
groet(?:en|jes)?
mvg
abraços
obrigado
""",
    r"(?: (?:from|aus|de) [\w .]{1,30})?[\s,.!;:)-]{0,5}$",
)
"""A whole line that ends a letter; a name may follow. Ours are the short forms of friends."""

GREETING = _any(
    r"""
hi
hello
hey
dear
hallo
hoi
liebe[rs]?
guten (?:tag|morgen|abend)
moin
servus
bonjour
bonsoir
salut
chère?
hola
estimado
buenos días
ciao
buongiorno
beste
dag
olá
good (?:morning|evening|day|afternoon)
greetings
""",
    r"(?: [\w.']{1,20}){0,3}\s?[,!.:]{0,2}$",
)
"""A whole line that starts a letter. The library knows none."""

HTML_STUB = _any(r"""
\b(?:view|read|display|see)\b.{0,40}\bhtml\b
\bhtml\b.{0,60}\bmail (?:client|program|reader|viewer)
\bmail (?:client|program|reader|viewer).{0,60}\bhtml\b
\byour (?:e-?)?mail (?:client|program|reader) (?:does not|doesn't|cannot|can't)
""")
"""What stands in the text part of mail that was written in HTML only. Searched, not matched."""

LIST_FOOTER = re.compile(
    r"mailing list|unsubscribe|listinfo|mailman|abmelden|abbestellen|désabonn|désinscri|virus|disclaimer"
    r"|confidential|vertraulich|confidentiel|yahoo! groups|subscribed to|avast|\bavg\b|https?://",
    re.IGNORECASE,
)
"""What the lines below a ruler say when the ruler starts a footer. Searched, not matched."""

FOOTER = _any(r"""
this (?:e-?mail|message|mail|communication)(?: and| is| may| contains| was| has been|,|\W{1,3}including| transmission)\b
confidentiality notice\b
diese e-?mail (?:wurde|enthält|kann|ist|und)\b
ce(?:t|tte)? (?:message|e-?mail|courriel|mail) (?:et|est|peut|a été|contient)
virus-free\b  # Avast
l'absence de virus  # Avast in French
no virus found  # AVG
checked by avg
_{5,100} ?(?:information from|hinweis von)  # ESET
you received this message because  # Google Groups
to unsubscribe\b  # majordomo
yahoo! groups links
express yourself instantly\b  # Hotmail
get your (?:free|private)\b  # Hotmail of 2001
join the world's largest\b  # Hotmail of 1999
""")
"""The first line of a list's, virus scanner's or company's footer."""

OUT_OF_OFFICE_SUBJECT = _any(r"""
(?:(?:re|aw|tr|rv): ?)?auto(?:matic|mated|matische)?[- ]?(?:reply|response|antwort)
(?:(?:re|aw|tr|rv): ?)?out of (?:the )?office
ooo\b
on (?:vacation|holiday)
abwesenheit
abwesend
réponse automatique
absence (?:du bureau|de)\b
absente? du bureau
en congés?\b
je suis absente?
vacation
i am away
away from
""")
"""Matched at the start of a subject."""

OUT_OF_OFFICE = _any(r"""
\b(?:i am|i'm|i will be) (?:currently |now )?out of (?:the )?office
\b(?:i am|i'm|i will be) (?:currently |now )?(?:away (?:from|until)|on (?:vacation|holiday|leave))
\bi will (?:reply|respond|answer) (?:to your (?:e-?mail|message) )?(?:when|after|on my return|as soon as)
\blimited access to (?:my )?e-?mail
\bin dringenden fällen\b
\bich bin (?:derzeit |zur ?zeit |momentan |(?:vom|bis) .{1,30})?(?:abwesend|im urlaub|außer haus)
\bich bin (?:derzeit |zur ?zeit |momentan |(?:vom|bis) .{1,30})?nicht (?:im (?:büro|haus)|erreichbar)
\bihre (?:e-?mail|nachricht) wird nicht weitergeleitet
\bje suis (?:actuellement )?(?:absente?|en congés?|en vacances)
\ben cas d'urgence\b
\bde retour le\b
""")
"""Searched in the first lines of a text."""
