"""A lead between headline and text is taken in; one marked up as a heading is a paragraph."""

import numpy as np
import pytest

from tests.reading import PIER, page_of, row_of
from webclean_scrapy.cleaning.body.evidence import gather
from webclean_scrapy.cleaning.body.lead import take_lead
from webclean_scrapy.cleaning.body.models import Body

TITLE = "The old pier is closed for a year"
TEXT = "".join(f"<p>{one}</p>" for one in PIER)
LEAD = "Nobody may walk on the pier before next summer, and the ferry leaves from the fish market."
NO_STOP = LEAD.rstrip(".")
HEADED = f"<h2>{NO_STOP}</h2>"
BYLINE = "<div class=by>By Ada Venn, 3 May 2026</div>"


def takes(chance: float, *, lead: str = f"<p>{LEAD}</p>", between: str = "") -> bool:
    """Return whether *lead*, of this *chance*, is taken in from above the body."""
    html = f"<main><h1>{TITLE}</h1>{between}{lead}<div id=b>{TEXT}</div>"
    evidence = gather(page_of(html, titles=[TITLE]), None, None)
    row = row_of(evidence.table, "b")
    lines = (*evidence.table.lines_in(row),)
    body = Body(row, lines, len(lines), evidence.signs.title_line, ())
    taken = take_lead(evidence, body, np.full(len(evidence.weights), chance))
    return lines[0] - 1 in taken.lines


TEXT_BETWEEN = "<p>The ferry runs every hour, the harbour master said.</p>"
PICTURE = "<img src=/pier.jpg>"


@pytest.mark.parametrize(
    ("lead", "between", "least"),
    [
        (f"<p>{LEAD}</p>", "", 0.2),
        (f"<p>{LEAD}</p>", BYLINE, 0.2),
        (f"<p>{NO_STOP}</p>", "<p>Harbour</p>", 0.2),
        (HEADED, "", 0.2),
        (f"<p class=excerpt>{LEAD}</p>", "", 0.66),
        (f"<p>{LEAD}</p>", TEXT_BETWEEN, 0.66),
        (f"<p>{LEAD}</p>", PICTURE, 0.75),
    ],
)
def test_how_likely_a_lead_is_at_least(lead: str, between: str, least: float) -> None:
    chances = least - 0.01, least + 0.01

    assert [takes(chance, lead=lead, between=between) for chance in chances] == [False, True]


def test_a_lead_is_near_the_title_and_of_a_paragraph_s_length() -> None:
    long = f"{LEAD} " * 7
    sizes = (f"<p>{long[:size].rstrip(' ,')}.</p>" for size in (590, 610))
    assert [takes(0.9, between="<p>Tags</p>" * count) for count in (11, 12)] == [True, False]
    assert [takes(0.9, lead=lead) for lead in sizes] == [True, False]
    assert [takes(0.9, lead=f"<p>{NO_STOP[:size]}</p>") for size in (61, 59)] == [True, False]


@pytest.mark.parametrize(
    "lead",
    [
        f"<p>3 May 2026, {NO_STOP}</p>",
        "<p>We may earn a small commission if you buy what our links on this page lead to.</p>",
        "<p><a href=/a>News of the bay</a>, <a href=/b>News of the town</a> and what the sea says.",
        f"<div hidden><p>{LEAD}</p></div><p>{LEAD}</p>",
        f"<p class=hide>{LEAD}</p>",
        f"<blockquote><p>{LEAD}</p></blockquote>",
        f"{TEXT_BETWEEN}<p class=excerpt>{LEAD}</p>",
    ],
)
def test_days_disclosures_links_and_what_is_hidden_or_stands_twice_are_no_lead(lead: str) -> None:
    assert not takes(0.9, lead=lead)
