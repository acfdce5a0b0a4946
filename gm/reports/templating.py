"""Jinja environments and the folders that templates come from: the GM's own first, then the program's."""

from __future__ import annotations

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
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment

from gm.reports import layout, prose


class TemplateFault(Exception):
    """A template can't be read or fails on a mail. The message names file, line and what is wrong."""

    def __init__(self, template: str, line: int, message: str) -> None:
        self.template, self.line = template, line
        super().__init__(f"{template}, line {line}: {message}" if line else f"{template}: {message}")


def packaged_templates() -> Path:
    """The folder of the templates that come with the program: inside the wheel, or at the top of a checkout."""
    package = Path(str(resources.files("gm")))
    inside = package / "_templates"
    return inside if inside.is_dir() else package.parent / "templates"


def fill_text(templates: Path | None, name: str, values: dict[str, Any]) -> str:
    """A plain text template filled in. Raises TemplateFault."""
    return _fill(_texts(templates), name, values)


def fill_html(templates: Path | None, name: str, values: dict[str, Any]) -> str:
    """An HTML template filled in, every value escaped. Raises TemplateFault."""
    return _fill(_pages(templates), name, values).strip() + "\n"


def _fill(environment: Environment, name: str, values: dict[str, Any]) -> str:
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
        if re.search(r"\.(html|txt|subject|css)$", frame.filename):
            return frame.filename, frame.lineno or 0
    return name, 0


def _loader(templates: Path | None) -> BaseLoader:
    packaged = FileSystemLoader(packaged_templates())
    return ChoiceLoader([FileSystemLoader(templates), packaged]) if templates else packaged


@lru_cache(maxsize=16)
def _texts(templates: Path | None) -> Environment:
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
        "spaced": layout.spaced,
        "heading": layout.heading,
        "section": layout.section_text,
        "quoted": layout.quoted_line,
    }
    return environment


@lru_cache(maxsize=16)
def _pages(templates: Path | None) -> Environment:
    environment = _environment(templates, autoescape=True)
    environment.globals |= {"numeric_columns": layout.numeric_columns}
    environment.filters |= {"marked": layout.marked, "with_reason": layout.with_reason, "fromitems": dict}
    environment.tests |= {"preformatted": layout.preformatted, "prose": layout.is_prose}
    return environment


def _environment(templates: Path | None, *, autoescape: bool) -> Environment:
    # The sandbox and the look at each file's age cost a third of a mail's layout; only a GM's own folder needs them.
    made = ImmutableSandboxedEnvironment if templates else Environment
    environment = made(
        loader=_loader(templates),
        autoescape=autoescape,
        auto_reload=templates is not None,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"failures": layout.failures}
    environment.filters |= {"paragraphs": prose.paragraphs, "typographic": prose.typographic}
    return environment
