"""An issue in print: A4, set by typst in a process of its own. Needs the extra ``pdf``.

The template gets the issue as one JSON text and shows every word of it as a string: nothing that anybody wrote is
read as markup.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gm.games.api import Section
from gm.reports import layout
from gm.reports.issue import Editorial, Issue, IssueGame, PhaseStory, cleaned
from gm.reports.prose import breakable, paragraphs, typographic
from gm.reports.templating import TemplateFault, packaged_templates

TEMPLATE = "issue/issue.typ"
SECONDS = 120
"""How long one issue may take: twelve games take about five."""
_LONGEST_UNBROKEN = 16
"""Letters of a part of a list in a table that a column has room for."""


class PdfUnavailable(RuntimeError):
    """No PDF can be made on this machine: the extra is missing, or the typesetter died. The message says which."""


def issue_pdf(issue: Issue, *, timestamp: int = 0, templates: Path | None = None) -> bytes:
    """An issue as a PDF. Equal arguments give equal bytes.

    Args:
        timestamp: when it was published, in Unix seconds, as the file's properties tell it.
        templates: the GM's own folder, where his ``issue/issue.typ`` is looked for first.

    Raises:
        PdfUnavailable: typst is not installed, or was stopped after `SECONDS`.
        gm.reports.issue.BadIssue: as `cleaned`.
        TemplateFault: the template is broken.
    """
    if find_spec("typst") is None:
        raise PdfUnavailable("PDF needs the extra 'pdf' of gm: pip install 'gm[pdf]'")
    template = _template(templates)
    with resources.as_file(resources.files(__package__)) as here:
        job = {
            "template": str(template),
            "inputs": {"issue": json.dumps(print_values(issue), ensure_ascii=False)},
            "fonts": [str(here / "fonts")],
            "timestamp": timestamp,
        }
        return _typeset(here / "typeset.py", json.dumps(job).encode(), template)


def _template(templates: Path | None) -> Path:
    own = templates / TEMPLATE if templates else None
    return own.resolve() if own and own.is_file() else packaged_templates() / TEMPLATE


def _typeset(script: Path, job: bytes, template: Path) -> bytes:
    # -I: neither the caller's folder nor its environment decides what the process imports.
    command = [sys.executable, "-I", str(script)]
    try:
        done = subprocess.run(command, input=job, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        raise PdfUnavailable(f"the typesetter was stopped after {SECONDS} seconds") from late
    if done.returncode == 2:
        raise TemplateFault(str(template), 0, done.stderr.decode(errors="replace").strip())
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise PdfUnavailable(f"the typesetter ended with code {done.returncode}: {last}")
    return done.stdout


def print_values(issue: Issue) -> dict[str, Any]:
    """An issue as the template gets it: texts as lists of paragraphs, lines of reports with their marks apart,
    every word short enough for a column, maps as SVG."""
    shown = cleaned(issue)
    maps = {game.slug: game.svg for game in issue.games}
    values = {
        "masthead": asdict(shown.masthead),
        "contents": [asdict(entry) for entry in shown.contents],
        "editorial": _essay(shown.editorial) if shown.editorial else None,
        "errata": [_prose(text) for text in shown.errata],
        "corrected": [_prose(text) for text in shown.corrected],
        "games": [_game(game) for game in shown.games],
        "letters": [
            {
                "name": letter.name,
                "body": _prose(letter.body),
                "answer": _essay(letter.answer) if letter.answer else None,
            }
            for letter in shown.letters
        ],
        "standings": [list(row.cells) for row in shown.standings],
        "forming": [asdict(call) for call in shown.forming],
        "standbys": [asdict(call) for call in shown.standbys],
        "calendar": [asdict(entry) for entry in shown.calendar],
        "zone": shown.zone,
        "colophon": asdict(shown.colophon),
    }
    ready: dict[str, Any] = _breakable(values)
    for game in ready["games"]:
        game["svg"] = maps[game["slug"]]
    return ready


def _prose(text: str) -> list[str]:
    return [typographic(paragraph) for paragraph in paragraphs(text)]


def _essay(essay: Editorial) -> dict[str, Any]:
    return {"body": _prose(essay.body), "signed": essay.signed}


def _game(game: IssueGame) -> dict[str, Any]:
    colours = dict(game.colours)
    return {
        "slug": game.slug,
        "anchor": game.anchor,
        "title": game.title,
        "ruleset": game.ruleset,
        "headline": game.headline,
        "state": game.state,
        "stories": [_story(story) for story in game.stories],
        "caption": game.caption,
        "standings_title": game.standings_title,
        "standings": [
            {"power": power, "player": player, "score": score, "colour": colours.get(power, "")}
            for power, player, score in game.standings
        ],
        "deadline": game.deadline,
        "press": [{"sender": p.sender, "body": _prose(p.body)} for p in game.press],
        "notes": [_prose(text) for text in game.notes],
        "errata": [_prose(text) for text in game.errata],
        "corrected": [_prose(text) for text in game.corrected],
    }


def _story(story: PhaseStory) -> dict[str, Any]:
    return {
        "title": story.title,
        "headline": story.headline.rstrip("."),
        "sections": [_section(section) for section in story.sections],
    }


def _section(section: Section) -> dict[str, Any]:
    by_hand = layout.preformatted(section)
    return {
        "title": section.title,
        "lines": [_line(line, by_hand=by_hand) for line in section.lines],
        "header": list(section.header),
        "rows": [[_cell(cell) for cell in row] for row in section.rows],
        "flush": list(layout.numeric_columns(section.header, section.rows)),
    }


def _cell(cell: str) -> str:
    """A list in a cell is broken behind its commas only: ``A KIE, F SWE``."""
    parts = cell.split(", ")
    if len(parts) == 1 or layout.is_prose(cell) or max(map(len, parts)) > _LONGEST_UNBROKEN:
        return cell
    return ", ".join(part.replace(" ", "\xa0") for part in parts)


def _line(line: str, *, by_hand: bool) -> dict[str, str]:
    mark, text = layout.marked(line)
    if by_hand:
        return {"kind": "pre", "words": line, "why": ""}
    words, why = (text, "") if mark == "sub" else layout.with_reason(text)
    kind = mark or ("say" if layout.is_prose(text) else "order")
    return {"kind": kind, "words": text if kind == "say" else words, "why": "" if kind == "say" else why}


def _breakable(value: Any) -> Any:
    if isinstance(value, str):
        return breakable(value)
    if isinstance(value, list | tuple):
        return [_breakable(item) for item in value]
    if isinstance(value, dict):
        return {key: _breakable(item) for key, item in value.items()}
    return value
