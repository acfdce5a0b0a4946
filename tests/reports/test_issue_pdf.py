"""An issue in print."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader

from gm.reports import issuepdf
from gm.reports.issue import Editorial, Issue
from gm.reports.issuepdf import PdfUnavailable, issue_pdf, print_values
from gm.reports.mails import PressItem
from gm.reports.templating import TemplateFault
from tests.reports.issue_games import real_issue
from tests.reports.issue_small import GAME, HOSTILE, ISSUE, hostile

PUBLISHED = 1796414400
"""2026-12-04 20:00 UTC."""


def read(pdf: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(pdf))


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page: the reader takes its time over maps, so ask once.

    Libertinus draws hyphen and soft hyphen with one glyph, which reads back as the soft one.
    """
    texts = (page.extract_text().replace("\u200b", "").replace("\xad", "-") for page in read(pdf).pages)
    return [" ".join(unicodedata.normalize("NFKC", text).split()) for text in texts]


def words(pdf: bytes) -> str:
    return " ".join(pages_of(pdf))


@pytest.fixture(scope="module")
def printed() -> bytes:
    return issue_pdf(ISSUE, timestamp=PUBLISHED)


@pytest.fixture(scope="module")
def real() -> bytes:
    return issue_pdf(real_issue(), timestamp=PUBLISHED)


@pytest.fixture(scope="module")
def real_pages(real: bytes) -> list[str]:
    return pages_of(real)


def test_every_part_is_in_print(printed: bytes) -> None:
    text = words(printed)
    for part in (
        "The Danube Courier",
        "By the Thursday club",
        "No. 12",
        "Friday 4 December 2026",
        "published every Friday",
        "IN THIS ISSUE",
        "who builds?",
        "The table in No. 11 was wrong.",
        "SPRING NINETY-NINE",
        "Seven smiles",
        "Spring 1901, movement",
        "After Spring 1901.",
        "SUPPLY CENTRES",
        "Ivo Rossi",
        "NEXT DEADLINE Friday 11 December 2026, 20:00 (UTC)",
        "A Bud - Ser",
        "Bounced with A War - Gal.",
        "France to all That was our sea.",
        "FROM THE GM I am away from Tuesday.",
        "The fleet was in Sevastopol.",
        "Oskar Brandt May I suggest a prize? You may.",
        "STANDINGS",
        "spring00: Diplomacy, wants 3 more Mail SIGNON ?spring00.",
        "STANDBYS WANTED spring99: Italy, 4 centres",
        "NEXT DEADLINES Fri 11 December, 20:00",
        "All times: UTC",
        "Edited by Henrik Vass.",
        "Back issues. Mail GET ZINE 11.",
        "Designed by Allan B. Calhamer.",
    ):
        assert part in text, part


def test_private_sections_are_left_out_whoever_put_them_there(printed: bytes) -> None:
    assert "Hidden" not in words(printed)


def test_pages_are_a4_with_running_heads_and_numbers_from_the_second_on(
    real: bytes, real_pages: list[str]
) -> None:
    sizes = {tuple(round(float(n)) for n in page.mediabox[2:]) for page in read(real).pages}
    assert sizes == {(595, 842)}
    first, *others = real_pages
    assert "❦" not in first
    for number, page in enumerate(others, 2):
        assert page.startswith("The Danube Courier No. 12 Friday 4 December 2026")
        assert f"❦ {number} ❦" in page


def test_every_game_of_a_real_issue_is_in_print_on_the_page_that_the_contents_name(
    real_pages: list[str],
) -> None:
    for game in real_issue().games:
        found = [n for n, page in enumerate(real_pages, 1) if game.title.upper() in page and n > 1]
        assert len(found) == 1
        assert f"{game.headline} {found[0]}" in real_pages[0]


def test_no_order_of_a_game_is_lost_between_columns_and_pages(real_pages: list[str]) -> None:
    text = "".join(real_pages).replace(" ", "")
    for game in real_issue().games:
        for story in game.stories:
            for section in story.sections:
                for line in section.lines:
                    order = line.removeprefix("! ").removeprefix("> ").partition(" (")[0]
                    assert order.replace(" ", "") in text, line


def test_the_files_properties_name_title_editors_and_day(printed: bytes) -> None:
    found = read(printed).metadata
    assert found is not None
    assert (found.title, found.author) == ("The Danube Courier No. 12", "Henrik Vass")
    assert found.creation_date is not None and found.creation_date.isoformat() == "2026-12-04T20:00:00+00:00"


def test_all_fonts_are_in_the_file_and_are_those_that_are_shipped(real: bytes) -> None:
    fonts = set()
    for page in read(real).pages:
        for font in page["/Resources"]["/Font"].values():
            inner = font.get_object()["/DescendantFonts"][0].get_object()
            fonts.add(inner["/BaseFont"].partition("+")[2].partition("-")[0])
            descriptor = inner["/FontDescriptor"].get_object()
            assert "/FontFile2" in descriptor or "/FontFile3" in descriptor
    assert fonts == {"LibertinusSerif", "DejaVuSansCondensed"}


def test_printed_twice_the_bytes_are_the_same(real: bytes) -> None:
    assert issue_pdf(real_issue(), timestamp=PUBLISHED) == real


def test_what_people_wrote_is_set_as_text_and_run_by_nobody() -> None:
    text = words(issue_pdf(hostile()))
    for part in ("#{7*7}", "#sys.inputs", "$x^2$", "*bold*", "_under_", "`raw`", "@label <tag>", "\\u{41}"):
        assert part in text, part
    assert "{{ 7*7 }}" in text and "// gone /* gone */" in text and "#eval(" in text
    assert "49" not in text
    assert not {"\u202e", "\x1b", "\x00"} & set(text)


@pytest.mark.parametrize("word", ["x" * 10_000, "ü" * 3_000, "x " * 5_000, "e\u0301" * 500, "中文" * 500])
def test_words_and_texts_of_any_length_stay_within_the_page(word: str) -> None:
    issue = replace(
        ISSUE,
        editorial=Editorial(body=word, signed="HV"),
        games=(replace(GAME, title=word[:200], press=(PressItem(sender=word[:300], body=word),)),),
    )
    lines = [line for page in read(issue_pdf(issue)).pages for line in page.extract_text().splitlines()]
    assert max(map(len, lines)) < 300
    if word.startswith("xx"):
        # Editorial and press, each whole: nothing ran over the foot of a page.
        assert "".join(lines).replace("\u200b", "").replace(" ", "").lower().count("x") >= 2 * 10_000


def test_a_long_letter_goes_on_over_pages_and_none_of_it_is_lost() -> None:
    body = "\n\n".join(f"Paragraph {n} of a letter that did not want to end." for n in range(400))
    issue = replace(ISSUE, editorial=Editorial(body=body), games=(), letters=())
    text = words(issue_pdf(issue)).replace("- ", "")
    assert all(f"Paragraph {n} " in text for n in range(400))


def test_an_issue_with_nothing_but_a_masthead_prints() -> None:
    assert len(read(issue_pdf(Issue(masthead=ISSUE.masthead))).pages) == 1


def test_maps_are_drawn_as_vectors(real: bytes) -> None:
    assert b"/Subtype /Image" not in real and b"/Subtype/Image" not in real


def test_without_typst_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(issuepdf, "find_spec", lambda name: None)
    with pytest.raises(PdfUnavailable, match=r"extra 'pdf'.*pip install 'gm\[pdf\]'"):
        issue_pdf(ISSUE)


def test_a_typesetter_that_hangs_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(issuepdf, "SECONDS", 0.01)
    with pytest.raises(PdfUnavailable, match="stopped after"):
        issue_pdf(ISSUE)


def test_a_gms_own_template_is_used_and_its_faults_are_named(tmp_path: Path) -> None:
    own = tmp_path / "issue" / "issue.typ"
    own.parent.mkdir()
    own.write_text("#let issue = json(bytes(sys.inputs.issue))\n#issue.masthead.title, my own way")
    assert words(issue_pdf(ISSUE, templates=tmp_path)) == "The Danube Courier, my own way"
    own.write_text("#nothing")
    with pytest.raises(TemplateFault, match=r"unknown variable: nothing"):
        issue_pdf(ISSUE, templates=tmp_path)


def test_no_other_file_can_be_read_by_a_template(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("the seed")
    own = tmp_path / "templates" / "issue" / "issue.typ"
    own.parent.mkdir(parents=True)
    own.write_text('#read("../../secret.txt")')
    with pytest.raises(TemplateFault):
        issue_pdf(ISSUE, templates=tmp_path / "templates")


def test_typst_is_not_loaded_into_the_server() -> None:
    code = (
        "import sys; from gm.reports.issuepdf import issue_pdf; from gm.reports.issue import *; "
        "issue_pdf(Issue(masthead=IssueMasthead(title='T', number=1, date='today'))); "
        "sys.exit('typst' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_goes_to_the_typesetter_is_the_issue_and_no_more() -> None:
    assert set(print_values(ISSUE)) == {
        "masthead",
        "contents",
        "editorial",
        "errata",
        "corrected",
        "games",
        "letters",
        "standings",
        "forming",
        "standbys",
        "calendar",
        "zone",
        "colophon",
    }
    assert "Hidden" not in json.dumps(print_values(ISSUE))
    assert HOSTILE.count("#sys.inputs") == 1


def test_twelve_games_print_in_a_sane_time_and_size() -> None:
    spring, other = real_issue().games[:2]
    games = tuple(replace((spring, other)[n % 2], slug=f"g{n}", title=f"Game {n}") for n in range(12))
    start = time.monotonic()
    pdf = issue_pdf(replace(real_issue(), games=games))
    assert time.monotonic() - start < 60
    assert len(pdf) < 5_000_000
    assert 13 <= len(read(pdf).pages) <= 25
