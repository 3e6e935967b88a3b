import pytest

from tests.growth import assert_linear
from webclean_scrapy.cleaning.body.signs import find_title_line, title_similarities, title_words
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table

TITLE = "Harbour bridge opens after two years"


def table_of(*lines: str) -> PageTable:
    return build_table(parse("".join(f"<p>{line}" for line in lines)))


def test_words_are_cjk_characters_lower_case_words_and_numbers() -> None:
    assert title_words("Der Süden: 12°, 大桥 opens_now!") == {
        "der", "süden", "12", "大", "桥", "opens", "now",
    }  # fmt: skip
    assert title_words("K팝 かな") == {"k", "팝", "か", "な"}
    assert title_words("– … !") == frozenset()


LONG_TITLE = f"{TITLE} of work on the north side"


@pytest.mark.parametrize(
    ("line", "titles", "similarity"),
    [
        (TITLE, ["Something else", TITLE], 1.0),  # that of the title it is most like
        ("Harbour bridge", ["Something else", TITLE], 2 / 6),
        ("Weather", [TITLE], 0.0),
        ("!", [TITLE], 0.0),
        (f"{TITLE} " * 3, [TITLE], 0.0),  # much longer: not looked at
        ("港桥通车", ["Harbour bridge", "港桥通车了"], 0.9),
        ("港", ["港桥 in the harbour opens again"], 0.0),  # much shorter
        # several words that the title holds repeat it
        ("Harbour bridge opens after two years", [LONG_TITLE], 0.9),
        ("Harbour bridge opens after", [LONG_TITLE], 4 / 12),
        (f"{TITLE} storm", [LONG_TITLE], 6 / 13),
        ("Harbour bridge", ["Harbour bridge opens today"], 0.5),
    ],
)
def test_how_like_the_titles_a_line_is(line: str, titles: list[str], similarity: float) -> None:
    assert title_similarities(table_of(line), titles) == [pytest.approx(similarity)]


SHORT = "Harbour bridge opens"


@pytest.mark.parametrize(
    ("title", "html", "found"),
    [
        (TITLE, f"<p>x</p><h1>{TITLE}</h1>", "h1 1"),
        (TITLE, f"<p>{TITLE}</p><h2>{TITLE}</h2>", "h2 1"),
        (TITLE, f"<p>{TITLE}</p><p>{TITLE}</p>", "p 0"),
        (TITLE, f"<p><a href=x>{TITLE}</a></p><p>{TITLE}</p>", "p 1"),
        (SHORT, "<h1>The Daily Harbour</h1><h2>Harbour bridge opens at last</h2>", "h2 1"),
        (TITLE, "<h1>The Daily Harbour</h1><p>Weather</p>", None),
        (TITLE, "", None),
    ],
)
def test_headings_come_first_then_similarity_then_order(
    title: str, html: str, found: str | None
) -> None:
    table = build_table(parse(html))
    line = find_title_line(table, title_similarities(table, [title]))
    assert found == (None if line is None else f"{table.tag[table.lines.container[line]]} {line}")


def test_many_lines_and_a_title_without_end_take_time_in_proportion() -> None:
    def work(given: tuple[PageTable, str]) -> None:
        table, long = given
        assert find_title_line(table, title_similarities(table, ["Harbour bridge", long])) == 0

    assert_linear(work, lambda size: (table_of(*["Harbour bridge"] * size), "x " * size), 1_000)
