"""Mails laid out: values of `gm.reports.mails` and Jinja templates to subject, text and HTML.

Each kind of mail has three templates, ``<kind>.subject``, ``<kind>.txt`` and ``<kind>.html``; ``base.txt``,
``base.html`` and ``parts.html`` are shared. A GM who wants another look copies one of them into his own folder and
changes it there: that folder is looked in first.
"""

from __future__ import annotations

import difflib
import re
import traceback
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment

from gm.reports import layout, samples
from gm.reports.mails import REPLY_MARKER, NoticeMail, PressMail, ReceiptMail, Rendered, ReportMail
from gm.reports.scrub import scrubbed

Mail = ReceiptMail | ReportMail | NoticeMail | PressMail

KINDS: dict[type[Mail], str] = {
    ReceiptMail: "receipt",
    ReportMail: "report",
    NoticeMail: "notice",
    PressMail: "press",
}

SUBJECT_LENGTH = 78
"""RFC 5322 2.1.1: no line of a mail should be longer. Phones show about half of it."""


class TemplateFault(Exception):
    """A template can't be read or fails on a mail. The message names file, line and what is wrong."""

    def __init__(self, template: str, line: int, message: str) -> None:
        self.template, self.line = template, line
        super().__init__(f"{template}, line {line}: {message}" if line else f"{template}: {message}")


def render(mail: Mail, *, templates: Path | None = None, reply_marker: str = REPLY_MARKER) -> Rendered:
    """A mail ready for its envelope. Equal mails give equal bytes.

    `templates` is the GM's own folder. A mail that says nothing on replying (``footer.how_to_reply`` empty) gets no
    reply marker.

    Raises:
        TemplateFault: a template, most likely the GM's own, is broken.
    """
    kind = KINDS[type(mail)]
    values = {"mail": scrubbed(mail), "reply_marker": reply_marker if mail.footer.how_to_reply else ""}
    return Rendered(
        subject=one_line(_fill(_texts(templates), f"{kind}.subject", values)),
        text=layout.tidy(_fill(_texts(templates), f"{kind}.txt", values)),
        html=_fill(_pages(templates), f"{kind}.html", values).strip() + "\n",
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
    known = sorted(p.name for p in packaged_templates().iterdir())
    for path in own:
        if path.name not in known and not path.name.startswith("."):
            near = difflib.get_close_matches(path.name, known, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else f"; there are: {', '.join(known)}"
            raise TemplateFault(str(path), 0, "no mail uses a template of this name" + hint)
    for mail in samples.MAILS:
        render(mail, templates=templates)


def packaged_templates() -> Path:
    """The folder of the templates that come with the program: inside the wheel, or at the top of a checkout."""
    package = Path(str(resources.files("gm")))
    inside = package / "_templates"
    return inside if inside.is_dir() else package.parent / "templates"


def _fill(environment: ImmutableSandboxedEnvironment, name: str, values: dict[str, Any]) -> str:
    try:
        return environment.get_template(name).render(values)
    except TemplateSyntaxError as error:
        raise TemplateFault(error.filename or error.name or name, error.lineno, str(error.message)) from error
    except (
        Exception
    ) as error:  # a template is a program of its GM's: whatever it raises is its fault, not ours
        where, line = _place(error.__traceback__, name)
        kind = "" if isinstance(error, TemplateError) else f"{type(error).__name__}: "
        raise TemplateFault(where, line, f"{kind}{error}") from error


def _place(trace: TracebackType | None, name: str) -> tuple[str, int]:
    """File and line of the innermost template in a traceback: Jinja puts its own files' names there."""
    for frame in reversed(traceback.extract_tb(trace)):
        if re.search(r"\.(html|txt|subject)$", frame.filename):
            return frame.filename, frame.lineno or 0
    return name, 0


def _loader(templates: Path | None) -> BaseLoader:
    packaged = FileSystemLoader(packaged_templates())
    return ChoiceLoader([FileSystemLoader(templates), packaged]) if templates else packaged


@lru_cache(maxsize=16)
def _texts(templates: Path | None) -> ImmutableSandboxedEnvironment:
    environment = _environment(templates, autoescape=False)
    environment.globals |= {
        "rule": layout.rule,
        "edges": layout.edges,
        "table": layout.table,
        "standings": layout.standings_text,
    }
    environment.filters |= {
        "wrap": layout.wrap,
        "wrap_line": layout.wrap_line,
        "centre": layout.centre,
        "heading": layout.heading,
        "section": layout.section_text,
        "quoted": layout.quoted_line,
    }
    return environment


@lru_cache(maxsize=16)
def _pages(templates: Path | None) -> ImmutableSandboxedEnvironment:
    environment = _environment(templates, autoescape=True)
    environment.globals |= {"numeric_columns": layout.numeric_columns}
    environment.filters |= {"marked": layout.marked}
    environment.tests |= {"preformatted": layout.preformatted, "prose": layout.is_prose}
    return environment


def _environment(templates: Path | None, *, autoescape: bool) -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        loader=_loader(templates),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"failures": layout.failures}
    return environment
