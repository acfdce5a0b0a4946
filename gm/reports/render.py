"""Mails laid out: values of `gm.reports.mails` and Jinja templates to subject, text and HTML.

Each kind of mail has three templates, ``<kind>.subject``, ``<kind>.txt`` and ``<kind>.html``; ``base.txt``,
``base.html`` and ``parts.html`` are shared. A GM who wants another look copies one of them into his own folder and
changes it there: that folder is looked in first.
"""

from __future__ import annotations

import difflib
from functools import partial
from pathlib import Path

from gm.reports import layout, samples
from gm.reports.mails import NoticeMail, PressMail, ReceiptMail, Rendered, ReportMail
from gm.reports.scrub import scrubbed
from gm.reports.templating import TemplateFault, fill_html, fill_text, packaged_templates
from gm.reports.tongue import LANGUAGES, in_language, say

__all__ = ["TemplateFault", "check_templates", "render"]

Mail = ReceiptMail | ReportMail | NoticeMail | PressMail

KINDS: dict[type[Mail], str] = {
    ReceiptMail: "receipt",
    ReportMail: "report",
    NoticeMail: "notice",
    PressMail: "press",
}

SUBJECT_LENGTH = 78
"""RFC 5322 2.1.1: no line of a mail should be longer. Phones show about half of it."""


def render(mail: Mail, *, templates: Path | None = None, language: str = "en") -> Rendered:
    """A mail ready for its envelope, which adds the line above which to reply. Equal mails give equal bytes.

    `templates` is the GM's own folder, `language` one of `gm.reports.tongue.LANGUAGES`.

    Raises:
        TemplateFault: a template, most likely the GM's own, is broken.
    """
    kind = KINDS[type(mail)]
    values = {
        "mail": scrubbed(in_language(mail, language)),
        "t": partial(say, language=language),
        "language": language,
    }
    return Rendered(
        subject=one_line(fill_text(templates, f"{kind}.subject", values)),
        text=layout.tidy(fill_text(templates, f"{kind}.txt", values)),
        html=fill_html(templates, f"{kind}.html", values),
    )


def one_line(subject: str, length: int = SUBJECT_LENGTH) -> str:
    """A subject without newlines, cut at a word if it is too long."""
    subject = " ".join(subject.split())
    if len(subject) <= length:
        return subject
    cut = subject[: length - 3]
    whole = cut.rpartition(" ")[0]
    return (whole if len(whole) > length // 2 else cut).rstrip(" ,;:-") + "..."


def check_templates(templates: Path | None = None) -> None:
    """Read every template and try each kind of mail once, so that a broken one is found before a turn needs it.

    Raises:
        TemplateFault: as `render`; also for a file in the GM's folder whose name no mail uses.
    """
    own = sorted(p for p in templates.iterdir() if p.is_file()) if templates and templates.is_dir() else []
    if templates and not templates.is_dir():
        raise TemplateFault(str(templates), 0, "there is no such folder")
    known = sorted(p.name for p in packaged_templates().iterdir() if p.is_file())
    for path in own:
        if path.name not in known and not path.name.startswith("."):
            near = difflib.get_close_matches(path.name, known, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else f"; there are: {', '.join(known)}"
            raise TemplateFault(str(path), 0, "no mail uses a template of this name" + hint)
    for mail in samples.MAILS:
        for language in LANGUAGES:
            render(mail, templates=templates, language=language)
