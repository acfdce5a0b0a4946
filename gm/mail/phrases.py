"""What people and mail programs put around a mail's words: greetings, closings, phone lines, footers.

One alternative a line, each a regular expression matched at the start of a line in any case. None may repeat
anything without a bound: they run on strangers' text.
"""

from __future__ import annotations

import re


def _any(alternatives: str, end: str = "") -> re.Pattern[str]:
    lines = (line.strip() for line in alternatives.strip().split("\n"))
    return re.compile(f"(?:{'|'.join(lines)}){end}", re.IGNORECASE)


PHONE = _any(r"""
sent (?:from|via|with|using) (?:my|an?|the|yahoo|mail|outlook|samsung|proton|gmail|web|mobile|blackberry)\b
sent (?:from|via|with|using) (?:spark|aol|thunderbird|mailbird|fairemail|k-9)\b
get outlook for\b
gesendet (?:von|mit|über|aus)\b
von (?:meinem|mobil|samsung|unterwegs)\b.{0,30}gesendet
diese nachricht wurde von mein\w{0,3} .{1,60} gesendet
envoyé (?:de|depuis|à partir)\b
enviado (?:desde|do|a partir)\b
obtener outlook\b
inviato (?:da|con)\b
verstuurd vanaf\b
verzonden (?:vanaf|met|via)\b
skickat från\b
sendt fra\b
lähetetty\b
wysłan[eo] z\b
odesláno z\b
отправлено (?:с|из)\b
iphone'dan\b
télécharger outlook\b
outlook für (?:ios|android)\b
do you yahoo!\?
""")
"""The line that a phone or web mailer adds below what was written."""

CLOSING = _any(
    r"""
(?:with )?(?:many |kind |best |warm ){0,2}(?:regards|wishes)
(?:all the )?best
cheers
(?:many )?thanks(?: a lot| again)?
thank you
thx
sincerely(?: yours)?
yours(?: \w{1,12})?
mfg
lg
vg
gru(?:ss|ß)
(?:viele|liebe|beste|schöne|herzliche) gr(?:ü|ue)(?:ß|ss)e
mit (?:freundlichen|besten) gr(?:ü|ue)(?:ß|ss)en
danke(?: schön)?
vielen dank
(?:bien )?cordialement
bien à (?:toi|vous)
amicalement
merci
(?:un )?saludos?
gracias
(?:cordiali )?saluti
grazie
(?:met )?(?:vriendelijke )?groet(?:en|jes)?
bedankt
mvg
mvh
hälsningar
hilsen
pozdrawiam
abraços
obrigado
""",
    r"(?: (?:from|aus|de) [\w .]{1,30})?[\s,.!;:)-]{0,5}$",
)
"""A whole line that ends a letter; a name may follow."""

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
"""A whole line that starts a letter."""

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
the (?:information|contents?) (?:contained )?(?:in|of) this (?:e-?mail|message)
(?:e-?mail )?(?:confidentiality )?(?:notice|disclaimer)\s?:
confidentiality notice\b
virus-free\b
virenfrei\b
no virus found
checked by avg
this message was scanned
diese e-?mail (?:wurde|enthält|kann|ist|und)\b
der inhalt dieser e-?mail
ce(?:t|tte)? (?:message|e-?mail|courriel|mail) (?:et|est|peut|a été|contient)
l'absence de virus
garanti sans virus
libre de virus
este (?:mensaje|correo|e-?mail)\b
questo (?:messaggio|e-?mail)\b
dit (?:bericht|e-?mailbericht)\b
privilegi?ed[ /]
wichtiger hinweis\s?:
aviso legal
you received this message because
to unsubscribe\b
yahoo! groups links
express yourself instantly\b
get your (?:free|private)\b
free e-?mail from\b
download today\b
join the world's largest\b
_{5,100} ?(?:information from|hinweis von)
please consider the environment
bitte (?:denken|prüfen) sie .{0,40}(?:umwelt|ausdruck)
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
