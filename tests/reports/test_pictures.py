"""Pictures: the same bytes each time, text in the shipped fonts, pieces in their colours, few bytes."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO

import pytest
from PIL import Image

from gm.games.diplomacy import RULESET
from gm.games.diplomacy.meta import POWERS
from gm.games.diplomacy.state import new_game
from gm.games.kit import svg
from gm.games.kit.colour import apart, text
from gm.reports import pictures


def start_map() -> str:
    state = new_game({"end_year": 0, "win_centres": 18})
    return RULESET.draw(RULESET.view(state, None), None)


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def test_a_map_becomes_a_palette_png_of_the_asked_width_below_150_kilobytes() -> None:
    made = pictures.png(start_map(), 1000)
    with opened(made) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "P", (1000, 906))
    assert len(made) < 150_000


def test_two_processes_make_the_same_bytes() -> None:
    code = (
        "import sys; from tests_pictures_svg import SVG; from gm.reports.pictures import png; "
        "sys.stdout.buffer.write(png(SVG, 200))"
    )
    picture = svg.document(100, 50, "x", svg.text("Gm", (10, 30), 20))
    code = code.replace("from tests_pictures_svg import SVG", f"SVG = {picture!r}")
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _ in range(2)
    ]
    assert runs[0] == runs[1] == pictures.png(picture, 200)


def test_the_same_picture_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = svg.document(40, 40, "once", svg.el("rect", width=20, height=20))
    first = pictures.png(picture, 40)
    monkeypatch.setattr(pictures, "_made", lambda _svg, _width: pytest.fail("made again"))
    assert pictures.png(picture, 40) is first


def test_no_more_than_the_allowed_bytes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "KEPT_BYTES", 2500)
    monkeypatch.setattr(pictures, "_made", lambda svg, _width: svg.encode() * 1000)
    for letter in "abcde":
        assert pictures.png(letter, 1) == letter.encode() * 1000
    assert sum(map(len, pictures._kept.values())) <= 2500
    assert pictures.png("e", 1) == b"e" * 1000


@pytest.mark.parametrize("weight", ["normal", "bold"])
def test_text_is_drawn_without_fonts_of_the_machine(weight: str) -> None:
    picture = svg.document(100, 40, "x", svg.text("Gondor", (5, 30), 20, font_weight=weight))
    with opened(pictures.png(picture, 100)) as image:
        assert len(image.convert("L").getcolors() or ()) > 4


def test_the_palette_keeps_the_colour_of_every_power() -> None:
    with opened(pictures.png(start_map(), 1000)) as image:
        counted = image.convert("RGB").getcolors(256) or []
    shown = [text((r / 255, g / 255, b / 255)) for _, (r, g, b) in counted]
    for power in POWERS:
        assert min(apart(power.colour, colour) for colour in shown) < 0.025, power.id


def test_what_is_no_svg_is_refused() -> None:
    with pytest.raises(ValueError, match="1:1"):
        pictures.png("not an svg", 100)


def test_libraries_are_loaded_at_the_first_picture_only() -> None:
    code = "import sys, gm.reports.pictures; sys.exit('PIL' in sys.modules or 'resvg_py' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
