from __future__ import annotations

import pytest

from webclean_scrapy.cleaning.body.signs import find_title_line, title_similarities, title_words
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table

TITLE = "Harbour bridge opens after two years"


def anchor(html: str, *titles: str) -> str | None:
    table = build_table(parse(html))
    line = find_title_line(table, title_similarities(table, titles or (TITLE,)))
    return None if line is None else f"{table.tag[table.lines.container[line]]} {line}"


def table_of(*lines: str) -> PageTable:
    return build_table(parse("".join(f"<p>{line}" for line in lines)))


def test_words_are_cjk_characters_lower_case_words_and_numbers() -> None:
    assert title_words("Der Süden: 12°, 大桥 opens_now!") == {
        "der", "süden", "12", "大", "桥", "opens", "now",
    }  # fmt: skip
    assert title_words("K팝 かな") == {"k", "팝", "か", "な"}
    assert title_words("– … !") == frozenset()


def test_a_line_is_as_like_as_the_title_it_is_most_like() -> None:
    table = table_of(TITLE, "Harbour bridge", "Weather", "!")
    found = title_similarities(table, ["Something else", TITLE])
    assert found == [1.0, pytest.approx(2 / 6), 0.0, 0.0]


def test_a_line_much_longer_than_the_title_is_not_looked_at() -> None:
    assert title_similarities(table_of(f"{TITLE} " * 3), [TITLE]) == [0.0]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (f"<p>x</p><h1>{TITLE}</h1>", "h1 1"),
        (f"<p>{TITLE}</p><h2>{TITLE}</h2>", "h2 1"),
        (f"<p>{TITLE}</p><p>{TITLE}</p>", "p 0"),
        (f"<p><a href=x>{TITLE}</a></p><p>{TITLE}</p>", "p 1"),
        ("<h1>The Daily Harbour</h1><h2>Harbour bridge opens at last</h2>", "h2 1"),
        ("<h1>The Daily Harbour</h1><p>Weather</p>", None),
        ("", None),
    ],
)
def test_headings_come_first_then_similarity_then_order(html: str, found: str | None) -> None:
    if "at last" in html:
        assert anchor(html, "Harbour bridge opens") == found
    else:
        assert anchor(html) == found


def test_a_line_much_shorter_than_the_title_does_not_repeat_it() -> None:
    assert title_similarities(table_of("港桥通车"), ["Harbour bridge", "港桥通车了"]) == [0.9]
    assert title_similarities(table_of("港"), ["港桥 in the harbour opens again"]) == [0.0]


def test_a_line_of_several_words_that_the_title_holds_repeats_it() -> None:
    title = f"{TITLE} of work on the north side"
    assert title_similarities(table_of("Harbour bridge opens after two years"), [title]) == [0.9]
    assert title_similarities(table_of("Harbour bridge opens after"), [title]) == [4 / 12]
    assert title_similarities(table_of(f"{TITLE} storm"), [title]) == [6 / 13]
    assert title_similarities(table_of("Harbour bridge"), ["Harbour bridge opens today"]) == [0.5]


@pytest.mark.cpu_seconds(10)
def test_many_lines_and_a_title_without_end() -> None:
    table = table_of(*["Harbour bridge"] * 20_000)
    assert (
        find_title_line(table, title_similarities(table, ["Harbour bridge", "x " * 200_000])) == 0
    )
