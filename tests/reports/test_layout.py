"""Plain text: wrapping, alignment, and orders that stay whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.games.api import Section
from gm.reports import layout

WORDS = st.text(alphabet="abcdefghijklmnop", min_size=1, max_size=20)
UNITS = st.builds(
    lambda kind, where: f"{kind}({where})", st.sampled_from("ANF"), st.sampled_from(["Pel", "SIt"])
)
ORDERS = st.builds(
    lambda unit, verb, words: f"{unit} {verb} " + " -> ".join(words),
    UNITS,
    st.sampled_from(["->", "S", "Convoy"]),
    st.lists(UNITS, min_size=1, max_size=9),
)


def test_a_sentence_is_wrapped_at_72_columns_with_a_hanging_indent() -> None:
    text = "word " * 20
    assert layout.wrap(text, "- ", "  ").split("\n") == [
        "- " + ("word " * 14).strip(),
        "  " + ("word " * 6).strip(),
    ]


def test_lines_that_fit_keep_the_breaks_and_spaces_of_their_writer() -> None:
    verse = "Roses are red,\n    violets   blue\n\nand the fleet is at sea"
    assert layout.wrap(verse) == verse


def test_a_word_longer_than_the_line_stands_alone_unbroken() -> None:
    assert layout.wrap("see " + "x" * 90 + " there").split("\n") == ["see", "x" * 90, "there"]


def test_wide_characters_count_as_two_columns_and_combining_ones_as_none() -> None:
    assert layout.display_width("日本") == 4
    assert layout.display_width("e\u0301") == 1


def test_an_order_too_long_for_the_line_is_broken_only_before_its_reason() -> None:
    order = "A(Pel) Convoy 2A(SIt) -> A(Los) -> A(Leb) -> A(DAm) -> A(Gun)"
    lines = layout.wrap_line(f"{order} (void, the army stayed)", "  ", "      ").split("\n")
    assert lines == [f"  {order}", "      (void, the army stayed)"]


@given(ORDERS)
def test_orders_of_any_length_stay_on_one_line(order: str) -> None:
    assert order in layout.section_text(Section(title="x", lines=(f"! {order}",))).split("* ", 1)[1].split(
        "\n"
    )


@given(st.lists(WORDS, min_size=1, max_size=60))
def test_sentences_never_pass_72_columns_and_lose_no_word(words: list[str]) -> None:
    sentence = " ".join(words) + "."
    wrapped = layout.wrap_line(sentence, "  ", "      ")
    assert all(len(line) <= 72 for line in wrapped.split("\n"))
    assert wrapped.split() == sentence.split()


def test_a_failed_order_has_a_star_in_the_margin_and_its_reason_below() -> None:
    section = Section(title="Austria", lines=("A Bud - Ser", "! A Vie - Gal", "> Bounced."))
    assert layout.section_text(section) == "AUSTRIA\n-------\n  A Bud - Ser\n* A Vie - Gal\n      Bounced."


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("A VIE - GAL (stood off (twice))", ("A VIE - GAL", "(stood off (twice))")),
        ("A(Pel) -> 2A(SIt)", ("A(Pel) -> 2A(SIt)", "")),
        ("A(Pel) -> 2A(SIt) (cut)", ("A(Pel) -> 2A(SIt)", "(cut)")),
        ("A VIE - GAL", ("A VIE - GAL", "")),
        (") (", (") (", "")),
        ("", ("", "")),
    ],
)
def test_the_remark_in_brackets_is_told_from_its_order(line: str, parts: tuple[str, str]) -> None:
    assert layout.with_reason(line) == parts


def test_numbers_in_tables_are_flush_right_and_words_left() -> None:
    assert layout.table(("Power", "Now"), (("Austria", "4"), ("Italy", "12"))).split("\n") == [
        "  Power    Now",
        "  -------  ---",
        "  Austria    4",
        "  Italy     12",
    ]


def test_a_table_too_wide_is_narrowed_in_its_widest_column() -> None:
    rows = (("Austria", "a town and " * 9 + "a city.", "4"),)
    lines = layout.table(("Power", "Owns", "Now"), rows).split("\n")
    assert all(len(line) <= 72 for line in lines)
    assert lines[2].startswith("  Austria  a town") and lines[2].endswith("  4")
    assert lines[3].startswith("           ")


def test_a_list_in_a_table_is_broken_at_its_commas() -> None:
    rows = (("Austria", "Vienna, Budapest, Trieste, Serbia, Rumania, Constantinople", "5"),)
    assert layout.table(("Power", "Owner of", "Now"), rows).split("\n") == [
        "  Power    " + "Owner of".ljust(56) + "  Now",
        "  -------  " + "-" * 56 + "  ---",
        "  Austria  " + "Vienna, Budapest, Trieste, Serbia, Rumania,".ljust(56) + "    5",
        "           Constantinople",
    ]


def test_a_headline_is_centred_in_lines_of_like_length() -> None:
    assert layout.centre("one two three four five", 20, 20) == "   one two three\n     four five"


def test_a_table_that_cannot_be_narrowed_is_set_as_records() -> None:
    order = "A(Pel) Convoy 2A(SIt) -> A(Los) -> A(Leb)"
    rows = ((order, order, "ok"),)
    assert layout.table(("First", "Second", "Result"), rows).split("\n") == [
        f"  First: {order}",
        f"  Second: {order}",
        "  Result: ok",
    ]


def test_rows_shorter_or_longer_than_the_header_are_filled_or_cut() -> None:
    assert layout.table(("A", "B"), (("1",), ("2", "x", "y"))).split("\n")[2:] == ["  1", "  2  x"]


def test_help_set_out_by_hand_in_72_columns_is_printed_as_it_is() -> None:
    syntax = "A Vie - Gal".ljust(40) + "an army moves from Vienna there."
    assert len(syntax) == 72
    assert layout.section_text(Section(title="", lines=(syntax,))) == syntax


def test_ends_of_a_line_that_do_not_fit_go_to_two_lines() -> None:
    assert layout.edges("left", "right", 11) == "left  right"
    assert layout.edges("left", "right", 10) == "left\n     right"
    assert layout.edges("left", "", 10) == "left"
    assert layout.edges("", "right", 10) == "     right"


def test_standings_have_a_bar_as_long_as_the_score() -> None:
    assert layout.standings_text((("Austria", "Anna", 10), ("Italy", "", 0))).split("\n") == [
        "  Austria  Anna  10  ##########",
        "  Italy           0",
    ]


def test_bars_of_high_scores_are_drawn_in_proportion() -> None:
    assert layout.bars((("a", "", 200), ("b", "", 100), ("c", "", -5)), 34) == [34, 17, 0]


def test_tidy_squeezes_blank_lines_and_trailing_spaces() -> None:
    assert layout.tidy("\n\na  \n\n\n\nb\n\n") == "a\n\nb\n"
