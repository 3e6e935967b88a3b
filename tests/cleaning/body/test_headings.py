from pathlib import Path

import pytest

from tests.growth import assert_linear
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.body.signs import find_title_line, title_similarities, title_words
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table

TABLES = read_toml(Path(__file__).with_name("tables.toml"))


def table_of(*lines: str) -> PageTable:
    return build_table(parse("".join(f"<p>{line}" for line in lines)))


def test_words_are_cjk_characters_lower_case_words_and_numbers() -> None:
    assert title_words("Der Süden: 12°, 大桥 opens_now!") == {
        "der", "süden", "12", "大", "桥", "opens", "now",
    }  # fmt: skip
    assert title_words("K팝 かな") == {"k", "팝", "か", "な"}
    assert title_words("– … !") == frozenset()


@pytest.mark.parametrize(("line", "titles", "similarity"), TABLES["title_similarities"])
def test_how_like_the_titles_a_line_is(line: str, titles: list[str], similarity: float) -> None:
    assert title_similarities(table_of(line), titles) == [pytest.approx(similarity)]


@pytest.mark.parametrize(("title", "html", "found"), TABLES["title_lines"])
def test_headings_come_first_then_similarity_then_order(title: str, html: str, found: str) -> None:
    table = build_table(parse(html))
    line = find_title_line(table, title_similarities(table, [title]))
    assert found == ("" if line is None else f"{table.tag[table.lines.container[line]]} {line}")


def test_many_lines_and_a_title_without_end_take_time_in_proportion() -> None:
    def work(given: tuple[PageTable, str]) -> None:
        table, long = given
        assert find_title_line(table, title_similarities(table, ["Harbour bridge", long])) == 0

    assert_linear(work, lambda size: (table_of(*["Harbour bridge"] * size), "x " * size), 1_000)
