"""Pages that would keep the judging busy for minutes if a step of it were quadratic."""

from collections.abc import Callable, Sequence

import pytest

from tests.growth import assert_linear
from tests.reading import LONG_PARAGRAPH, PARAGRAPH, SENTENCE, page_of, trace_of
from webclean_scrapy import clean

pytestmark = pytest.mark.no_cover  # measuring branches doubles the time

ITEMS, LEVELS = 600, 230  # of the small pages; a page has at most 2,000 levels


def repeat(piece: str, count: int) -> str:
    """Return *piece* many times, with the number of each put into it."""
    return "".join(piece.format(number) for number in range(count))


#: By the number of items.
WIDE: dict[str, Callable[[int], str]] = {
    "links": lambda n: repeat("<a href=/{0}>Story {0}</a> ", 4 * n) + LONG_PARAGRAPH,
    "link lines": lambda n: repeat("<p><a>Story {0}</a>", 2 * n) + LONG_PARAGRAPH,
    "list items": lambda n: "<ul>" + repeat("<li>Item {} of the list is here.", n) + "</ul>",
    "cards": lambda n: repeat("<div class=c><a>Story {0}</a><p>" + SENTENCE + "</p></div>", n),
    "tables": lambda n: repeat("<table><tr><td>Cell {}</table>", n) + LONG_PARAGRAPH,
    "rows": lambda n: "<table>" + repeat("<tr><td>Cell {0}<td>{0}", n) + "</table>" + PARAGRAPH,
    "breaks": lambda n: "<div>" + repeat("Line {} is closed to all boats today.<br>", n),
    "one line of many texts": lambda n: "<p>" + repeat("<b>Pier {}</b> is closed. ", 4 * n),
    "headlines and teasers": lambda n: repeat(
        "<h3><a href=/{0}>Story {0} of the day from town</a></h3><p>" + SENTENCE, n
    ),
    "links with text between": lambda n: repeat("<a href=/{0}>Story</a>" + SENTENCE * 3, n),
    "dated posts": lambda n: repeat(
        "<li class=post>2026-03-02, reader {}: the pier is closed to all boats.", n
    ),
    "end headings": lambda n: f"<div>{PARAGRAPH}{'<h3>Related</h3>' * 2 * n}</div>",
    "pictures": lambda n: repeat("<img src=/{}>", 4 * n) + LONG_PARAGRAPH,
    "lines of one text": lambda n: "<p>Menu</p>" * 2 * n + LONG_PARAGRAPH,
}
#: By the number of levels.
DEEP: dict[str, Callable[[int], str]] = {
    "levels": lambda n: "<div>" * n + LONG_PARAGRAPH * 3,
    "levels of tables": lambda n: "<table><tr><td>" * (n // 4) + LONG_PARAGRAPH * 3,
    "hidden levels": lambda n: "<div hidden>" * n + repeat("<p>Pier {} is closed now.", 3 * n),
    "levels with a line each": lambda n: ("<div>" + PARAGRAPH) * n + PARAGRAPH * 3 * n,
    "levels before lines": lambda n: (
        ("<div>" + PARAGRAPH) * n + repeat("<div><p>Pier {} is closed now.</div>", 3 * n)
    ),
}


def judge(html: str, titles: Sequence[str] = (), declared: Sequence[str] = ()) -> None:
    page = page_of(html, titles=titles, declared=declared)
    assert len(trace_of(page).body.lines) >= 1


@pytest.mark.parametrize(
    ("html", "size"),
    [*((html, ITEMS) for html in WIDE.values()), *((html, LEVELS) for html in DEEP.values())],
    ids=[*WIDE, *DEEP],
)
def test_a_page_is_judged_in_proportion_to_its_size(html: Callable[[int], str], size: int) -> None:
    assert_linear(judge, html, size)


def test_titles_and_told_bodies_are_judged_in_proportion() -> None:
    html = repeat("<p>The pier {} is closed to all boats.", 100)

    def titles(size: int) -> list[str]:
        return [f"The crack in pier number {number}" for number in range(size)]

    def verdicts_of(size: int) -> list[str]:
        return [f"{n} The pier is closed, the boats lie still. " * size for n in range(10)]

    assert_linear(lambda given: judge(html, titles=given), titles, 200)
    assert_linear(lambda given: judge(html, declared=given), verdicts_of, 200)


def test_lines_and_told_bodies_are_judged_in_proportion() -> None:
    def page(size: int) -> tuple[str, list[str]]:
        verdicts_of = [f"{n} The pier is closed, the boats lie still. " * size for n in range(10)]
        return repeat("<p>The pier {} is closed to all boats.", size), verdicts_of

    assert_linear(lambda given: judge(given[0], declared=given[1]), page, ITEMS)


def test_other_articles_and_prompts_are_found_in_linear_time() -> None:
    frost = "<p>Frost took half of the early cherries on Saturday, the growers have said.</p>"
    piece = (
        f"<div><article><h1><a href=/x>Frost</a></h1>{frost}</article><input type=email>"
        "<ul><li><a href=#a>a</a><li><a href=#b>b</a></ul><p>These are the six best ones:</p>"
        "<span class=sr-only>x</span><h2>Related</h2></div>"
    )
    page = f"<title>The pier</title><article><h1>The pier</h1>{LONG_PARAGRAPH * 4}"

    assert_linear(clean, lambda size: page + piece * size, 100)
