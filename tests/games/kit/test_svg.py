"""SVG text, words and signs of the drawing kit."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageFont

import gm.reports
from gm.games.kit import arrows, hatch, signs, svg, words
from gm.games.kit.colour import apart, lightness, mix
from gm.games.kit.plane import bowed

FONTS = Path(gm.reports.__file__).parent / "fonts"


def test_numbers_are_as_short_as_they_get() -> None:
    assert [svg.number(x) for x in (3, 3.04, 3.25, -0.01, -2.5, 100.0)] == [
        "3",
        "3",
        "3.2",
        "0",
        "-2.5",
        "100",
    ]


@given(st.text())
def test_any_text_gives_well_formed_svg_that_says_it(title: str) -> None:
    root = ElementTree.fromstring(svg.document(10, 10, title, svg.text(title, (0, 0), 5)))
    said = "".join(c for c in title if c.isprintable())
    assert [child.text or "" for child in root] == [said, said]


def test_attributes_are_escaped_and_none_is_left_out() -> None:
    assert svg.el("path", d='M"0&', stroke_width=1.0, class_="x", fill=None) == (
        '<path d=\'M"0&amp;\' stroke-width="1" class="x"/>'
    )


def test_paths_are_relative_and_exact_to_a_tenth() -> None:
    assert svg.line_path([(1, 1), (2.04, 1), (2.04, 1), (0, 3.5)]) == "M1 1l1 0-2 2.5"
    assert svg.ring_path([((0, 0), (1, 0), (1, 1))]) == "M0 0l1 0 0 1z"


@pytest.mark.parametrize("bold", [False, True])
def test_widths_of_words_are_those_of_the_shipped_fonts(bold: bool) -> None:
    file = FONTS / f"DejaVuSansCondensed{'-Bold' if bold else ''}.ttf"
    font = ImageFont.truetype(BytesIO(file.read_bytes()), 1000)
    for sample in ("MOS", "Spring 1901, movement", "3 centres, 4 units", "~{}|@"):
        assert words.width(sample, 100, bold=bold) == pytest.approx(
            font.getlength(sample, features=["-kern"]) / 10, rel=0.02
        )


def test_a_fitted_line_fits_and_a_short_one_keeps_its_size() -> None:
    long = "Spring 1901, movement of everybody"
    assert words.width(long, words.fitted(long, 100, 20)) == pytest.approx(100)
    assert words.fitted("x", 100, 20) == 20


def test_boxes_meet_and_lie_within_rings() -> None:
    ring = ((0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (10.0, 9.0), (0.0, 20.0))
    assert words.Box((10, 4), 5, 3).within(ring)
    assert not words.Box((10, 9), 5, 3).within(ring)  # the notch pokes into it, no corner is outside
    assert words.Box((0, 0), 5, 5).meets(words.Box((9, 9), 5, 5))
    assert not words.Box((0, 0), 5, 5).meets(words.Box((10, 0), 5, 5))
    assert words.Box((0, 0), 5, 5).meets(words.Box((10, 0), 5, 5), gap=1)


def test_a_box_is_placed_clear_of_what_is_taken_or_not_at_all() -> None:
    ring = ((0.0, 0.0), (40.0, 0.0), (40.0, 20.0), (0.0, 20.0))
    taken = words.Box((10, 10), 9, 9)
    found = words.place(ring, (8, 5), [taken], (10, 10))
    assert found is not None
    assert found.within(ring)
    assert not found.meets(taken)
    assert words.place(ring, (18, 5), [taken], (10, 10)) is None


def test_marks_on_pieces_are_readable_on_their_colour() -> None:
    for colour in ("#000000", "#27489a", "#f3d522", "#ffffff"):
        assert abs(lightness(signs.contrast(colour)) - lightness(colour)) > 0.35


def test_colours_mix_and_black_is_as_far_from_white_as_can_be() -> None:
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    assert apart("#000000", "#ffffff") == pytest.approx(1.0, abs=0.001)
    assert apart("#d02020", "#d02020", "deuteranopia") == 0


def test_red_and_green_of_equal_lightness_come_close_without_green_cones() -> None:
    assert apart("#c85a5a", "#6f8a2f", "deuteranopia") < apart("#c85a5a", "#6f8a2f") / 2


def test_all_signs_are_well_formed() -> None:
    line = bowed((0, 0), (80, 20), 0.1)
    parts = [
        signs.army((5, 5), "#27489a"),
        signs.fleet((5, 5), "#27489a"),
        signs.supply_centre((5, 5), None),
        signs.cross_mark((5, 5)),
        signs.burst((5, 5)),
        signs.ring((5, 5), "#ff0000", dashed=True),
        signs.badge((5, 5), "3<", "#ffffff"),
        signs.peak((5, 5)),
        arrows.arrow(line, "#27489a", dash="4 2"),
        arrows.support(line, "#27489a", cut=True),
        arrows.convoy(line, "#27489a"),
        hatch.patterns(tuple("abcdefgh")),
    ]
    root = ElementTree.fromstring(svg.document(100, 100, "", *parts))
    assert len(root) > len(parts)
