"""Pages that would keep the judging busy for minutes if a step of it were quadratic.

Each takes a second or two; the limits leave room for a slow machine. What
is known to take longer is not run, as it would take minutes: take the mark away with the fault.
"""

from collections.abc import Callable, Iterable

import pytest

from tests.reading import LONG_PARAGRAPH, PARAGRAPH, SENTENCE, page_of, trace_of

pytestmark = pytest.mark.no_cover  # measuring branches doubles the time

MANY = 20_000
LIMIT = 20  # seconds


def repeat(piece: str, count: int = MANY) -> str:
    """Return *piece* many times, with the number of each put into it."""
    return "".join(piece.format(number) for number in range(count))


PAGES: dict[str, Callable[[], str]] = {
    "100 000 links": lambda: repeat("<a href=/{0}>Story {0}</a> ", 100_000) + LONG_PARAGRAPH,
    "100 000 link lines": lambda: repeat("<p><a>Story {0}</a>", 100_000) + LONG_PARAGRAPH,
    "20 000 list items": lambda: "<ul>" + repeat("<li>Item {} of the list is here.") + "</ul>",
    "20 000 cards": lambda: repeat("<div class=c><a>Story {0}</a><p>" + SENTENCE + "</p></div>"),
    "20 000 tables": lambda: repeat("<table><tr><td>Cell {}</table>") + LONG_PARAGRAPH,
    "20 000 rows": lambda: "<table>" + repeat("<tr><td>Cell {0}<td>{0}") + "</table>" + PARAGRAPH,
    "20 000 breaks": lambda: "<div>" + repeat("Line {} is closed to all boats today.<br>"),
    "one line of 100 000 texts": lambda: "<p>" + repeat("<b>Pier {}</b> is closed. ", 50_000),
    "1 900 levels": lambda: "<div>" * 1_900 + LONG_PARAGRAPH * 3,
    "1 900 levels of tables": lambda: "<table><tr><td>" * 600 + LONG_PARAGRAPH * 3,
    "1 900 hidden levels": lambda: "<div hidden>" * 1_900 + repeat("<p>Pier {} is closed now."),
    "1 900 levels with a line each": lambda: ("<div>" + PARAGRAPH) * 1_900 + PARAGRAPH * 5_000,
    "1 900 levels and 20 000 lines": lambda: (
        ("<div>" + PARAGRAPH) * 1_900 + repeat("<div><p>Pier {} is closed now.</div>")
    ),
    "20 000 headlines and teasers": lambda: repeat(
        "<h3><a href=/{0}>Story {0} of the day from town</a></h3><p>" + SENTENCE
    ),
    "20 000 links with text between": lambda: repeat("<a href=/{0}>Story</a>" + SENTENCE * 3),
    "20 000 dated posts": lambda: repeat(
        "<li class=post>2026-03-02, reader {}: the pier is closed to all boats."
    ),
    "60 000 end headings": lambda: f"<div>{PARAGRAPH}{'<h3>Related</h3>' * 60_000}</div>",
    "20 000 pictures": lambda: repeat("<img src=/{}>") + LONG_PARAGRAPH,
    "20 000 lines of one text": lambda: "<p>Menu</p>" * MANY + LONG_PARAGRAPH,
}


def count_lines(html: str, titles: Iterable[str] = (), declared: Iterable[str] = ()) -> int:
    """Return how many lines of the page are body."""
    page = page_of(html, titles=tuple(titles), declared=tuple(declared))
    return len(trace_of(page).body.lines)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.cpu_seconds(LIMIT)
def test_a_large_page_is_judged_in_time(name: str) -> None:
    assert count_lines(PAGES[name]()) >= 1


@pytest.mark.cpu_seconds(LIMIT)
def test_two_thousand_titles_are_judged_in_time() -> None:
    titles = [f"The crack in pier number {number}" for number in range(2_000)]

    assert count_lines(repeat("<p>The pier {} is closed to all boats."), titles)


@pytest.mark.cpu_seconds(LIMIT)
def test_a_hundred_thousand_lines_and_long_told_bodies_are_judged_in_time() -> None:
    told = [f"{number} The pier is closed, the boats lie still. " * 6_000 for number in range(10)]

    assert count_lines(repeat("<p>The pier {} is closed to all boats.", 60_000), (), told)
