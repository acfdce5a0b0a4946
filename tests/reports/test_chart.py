"""The chart of the standings."""

from __future__ import annotations

from lxml import etree

from gm.reports.chart import standings_chart

SVG = "{http://www.w3.org/2000/svg}"
POINTS = [
    ("Spring 1901", (("Austria", "Anna", 3), ("Italy", "Ivo", 3))),
    ("Autumn 1901", (("Austria", "Anna", 5), ("Italy", "Ivo", 3))),
    ("Spring 1902", (("Italy", "Ivo", 4),)),
]


def texts(svg: str) -> list[str]:
    return [element.text for element in etree.fromstring(svg).iter(f"{SVG}text")]


def test_one_point_is_no_chart() -> None:
    assert standings_chart(POINTS[:1], {}) == ""


def test_each_power_has_a_line_with_a_point_a_phase_and_its_last_score_beside() -> None:
    svg = standings_chart(POINTS, {"Austria": "#c8102e"})
    lines = list(etree.fromstring(svg).iter(f"{SVG}polyline"))
    assert [len(line.get("points").split()) for line in lines] == [3, 3]
    assert [line.get("stroke") for line in lines] == ["#c8102e", "#808080"]
    assert "Austria 0" in texts(svg) and "Italy 4" in texts(svg)


def test_years_stand_below_where_they_begin() -> None:
    svg = standings_chart(POINTS, {})
    assert [t for t in texts(svg) if t.startswith("19")] == ["1901", "1902"]


def test_phases_without_a_year_are_numbered() -> None:
    svg = standings_chart([("First", (("A", "", 1),)), ("Second", (("A", "", 2),))], {})
    assert texts(svg)[-3:] == ["1", "2", "A 2"]


def test_lines_at_the_same_score_and_their_labels_do_not_cover_each_other() -> None:
    svg = standings_chart(POINTS[:1] * 2, {})
    lines = [line.get("points") for line in etree.fromstring(svg).iter(f"{SVG}polyline")]
    assert lines[0] != lines[1]
    heights = [float(t.get("y")) for t in etree.fromstring(svg).iter(f"{SVG}text")][-2:]
    assert abs(heights[0] - heights[1]) >= 17


def test_many_powers_and_high_scores_stay_inside_the_picture() -> None:
    many = tuple((f"P{n}", "", n * 1000) for n in range(12))
    root = etree.fromstring(standings_chart([("a", many), ("b", many)], {}))
    assert all(0 < float(text.get("y")) <= 270 for text in root.iter(f"{SVG}text"))


def test_names_and_colours_cannot_break_out_of_the_picture() -> None:
    name = '"/><script>'
    svg = standings_chart([("<b>", ((name, "", 1),))] * 2, {name: 'red" onload="x'})
    etree.fromstring(svg)
    assert "<script" not in svg and "onload" not in svg
