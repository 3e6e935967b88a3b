"""A lead between headline and text is taken in; one marked up as a heading is a paragraph."""

from pathlib import Path

import numpy as np
import pytest

from tests.reading import PIER, page_of, row_of
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.body.evidence import gather
from webclean_scrapy.cleaning.body.lead import take_lead
from webclean_scrapy.cleaning.body.models import Body

TABLES = read_toml(Path(__file__).with_name("tables.toml"))
TITLE = "The old pier is closed for a year"
TEXT = "".join(f"<p>{one}</p>" for one in PIER)
LEAD = "Nobody may walk on the pier before next summer, and the ferry leaves from the fish market."
NO_STOP = LEAD.rstrip(".")


def takes(chance: float, *, lead: str = f"<p>{LEAD}</p>", between: str = "") -> bool:
    """Return whether *lead*, of this *chance*, is taken in from above the body."""
    html = f"<main><h1>{TITLE}</h1>{between}{lead}<div id=b>{TEXT}</div>"
    evidence = gather(page_of(html, titles=[TITLE]), None, None)
    row = row_of(evidence.table, "b")
    lines = (*evidence.table.lines_in(row),)
    body = Body(row, lines, len(lines), evidence.signs.title_line, ())
    taken = take_lead(evidence, body, np.full(len(evidence.weights), chance))
    return lines[0] - 1 in taken.lines


@pytest.mark.parametrize(("lead", "between", "least"), TABLES["least_chances"])
def test_how_likely_a_lead_is_at_least(lead: str, between: str, least: float) -> None:
    chances = least - 0.01, least + 0.01

    assert [takes(chance, lead=lead, between=between) for chance in chances] == [False, True]


def test_a_lead_is_near_the_title_and_of_a_paragraph_s_length() -> None:
    long = f"{LEAD} " * 7
    sizes = (f"<p>{long[:size].rstrip(' ,')}.</p>" for size in (590, 610))
    assert [takes(0.9, between="<p>Tags</p>" * count) for count in (11, 12)] == [True, False]
    assert [takes(0.9, lead=lead) for lead in sizes] == [True, False]
    assert [takes(0.9, lead=f"<p>{NO_STOP[:size]}</p>") for size in (61, 59)] == [True, False]


@pytest.mark.parametrize("lead", TABLES["no_leads"])
def test_days_disclosures_links_and_what_is_hidden_or_stands_twice_are_no_lead(lead: str) -> None:
    assert not takes(0.9, lead=lead)
