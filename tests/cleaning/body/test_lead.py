"""A lead between headline and text is taken in; one marked up as a heading is a paragraph."""

import numpy as np
import pytest

from tests.cleaning.body.test_after_selection import MORE, TEXT, TITLE, read
from tests.reading import PIER, page_of, row_of
from webclean_scrapy import clean
from webclean_scrapy.cleaning.body.evidence import gather
from webclean_scrapy.cleaning.body.lead import take_lead
from webclean_scrapy.cleaning.body.models import Body

#: A long text: of a short one the walk keeps what is above it.
LONG = "".join(
    f"<p>{one} So it stood in the report of the {n}th of May, which nobody had read.</p>"
    for n in range(4, 8)
    for one in (*PIER, *MORE)
)
DEEP = f"<div class=g><div class=long>{LONG}</div></div>"
LEAD = "Nobody may walk on the pier before next summer, and the ferry leaves from the fish market."
NO_STOP = LEAD.rstrip(".")
HEADED = f"<h2>{NO_STOP}</h2>"
BYLINE = "<div class=by>By Ada Venn, 3 May 2026</div>"


@pytest.mark.parametrize(
    "apart",
    [
        "<div class=col><p class=intro>{}</p></div>",
        "<div><img src=/pier.jpg width=600 height=400></div><div><p>{}</p></div>",
        "<section><div><p>{}</p></div></section>",
        "<div class=teaser-text><p>{}</p></div>",
        "<div class='position-relative'><p>{}</p></div>",
        "<div class='lg:relative'><p>{}</p></div>",
        "<div class=col><p>{}</p></div><div class=labels>Harbour</div>",
    ],
)
def test_a_lead_in_an_element_of_its_own_is_taken_in(apart: str) -> None:
    page = read(apart.format(LEAD) + DEEP, around="main")

    assert page.text.startswith(f"{LEAD}\n{PIER[0]}")
    assert f"<p>{LEAD}</p><p>{PIER[0]}" in page.html
    assert "Sport" not in page.text
    assert 0 < page.confidence < 1
    assert page.to_dict()["text"] == page.text


@pytest.mark.parametrize(
    "around",
    [
        "<main class=relative><header>{}</header>{}</main>",
        "<main><article class=newsletter-post><header>{}</header>{}</article></main>",
        "<main><header class=promo-head>{}</header>{}</main>",
        "<main class=page--promo-off><div class=author-head>{}</div>{}</main>",
    ],
)
@pytest.mark.parametrize("lead", [LEAD, NO_STOP, LEAD.replace("ferry", "<a href=/f>ferry</a>")])
def test_names_around_the_headline_say_nothing_of_its_lead(around: str, lead: str) -> None:
    head = f"<h1>{TITLE}</h1><p class=standfirst>{lead}</p>{BYLINE}"
    page = clean(f"<title>{TITLE}</title>{around.format(head, DEEP)}")

    assert page.text.startswith(NO_STOP)


@pytest.mark.parametrize(
    "no_lead",
    [
        "<div class=promo><p>{}</p></div>",
        "<div class=teaser><h3>Ferry</h3><p>{}</p></div>",
        "<div class=author-bio><p>{}</p></div>",
        "<div class=col><p><a href=/ferry>{}</a></p></div>",
        "<div><img src=/pier.jpg></div><p class=img-caption>{}</p>",
    ],
)
def test_boxes_captions_and_links_below_the_title_are_no_lead(no_lead: str) -> None:
    page = read(no_lead.format(LEAD) + DEEP, around="main")

    assert LEAD not in page.text


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


def test_a_lead_is_found_below_a_headline_that_the_page_declares_otherwise() -> None:
    page = clean(
        f"<title>Bay news of May</title><main><h1>Bay news</h1><div><h1>{TITLE}</h1>"
        f"<p>{LEAD}</p></div>{BYLINE}{DEEP}</main>"
    )

    assert page.text.startswith(LEAD)


def test_what_the_page_describes_itself_with_needs_no_likelihood() -> None:
    described = f"<meta name=description content='{LEAD}'>"
    lead = f"<ul><li><a href=/pier>Harbour</a></ul><p>{LEAD}</p>"

    assert read(lead + DEEP, head=described, around="main").text.startswith(LEAD)


CHINESE = "潜水员在旧码头的两根柱子上发现了裂缝，渡轮改从鱼市场开出"
SHORT = "Divers found cracks in two old pillars of the pier"


@pytest.mark.parametrize(
    ("above", "below", "is_heading"),
    [
        (f"<header><h2>{SHORT}</h2></header>", LONG, False),
        (f"<header><h2>{SHORT}</h2></header>", f"{LONG}<h3>The ferry</h3>{TEXT}", False),
        (f"<h2>{SHORT}</h2>", LONG, True),
        (f"<h2>{SHORT}</h2>", f"<ul><li>{LEAD}</li></ul>{LONG}", True),
        (f"<h2>{NO_STOP}</h2>", LONG, False),
        (f"<header><h2>{SHORT[:-9]}</h2></header>", LONG, True),
        (f"<header><h2>{SHORT}</h2></header>", f"{LONG}<h2 class=s>The ferry</h2>{TEXT}", True),
        (f"<header><h2>{NO_STOP}</h2></header>", f"{LONG}<h2 class=s>The ferry</h2>{TEXT}", False),
        (f"<header><h2>{NO_STOP}</h2></header>", f"{LONG}<h2>The ferry</h2>{TEXT}", True),
        (
            "<header><h2>潜水员在旧码头的两根柱子上发现了裂缝，渡轮改从鱼市场开出</h2></header>",
            LONG,
            True,
        ),
    ],
)
def test_a_lead_marked_up_as_a_heading_is_a_paragraph(
    above: str, below: str, is_heading: bool
) -> None:
    page = read(f"{above}<div class=text>{below}</div>" if "<header" in above else above + below)
    first = page.text.split("\n")[0]

    assert page.markdown.split("\n\n")[1] == f"{'## ' * is_heading}{first}"
    assert ("## The ferry" in page.markdown) is ("The ferry" in below)


POINTS = "<ul><li>Cracks in two pillars<li>No ferry before summer</ul>"


@pytest.mark.parametrize(
    ("above", "taken"),
    [
        (f"<div><h2>In short</h2>{POINTS}</div>", True),
        (f"<div><p>In short</p>{POINTS}</div>", False),
        (f"<div><h2>In short</h2><p>Tags</p>{POINTS}</div>", False),
        ("<div><h2>In short</h2><ul><li>Cracks in two pillars</ul></div>", False),
        (f"<div><h2>In short</h2>{POINTS.replace('No', '<a href=/f>No</a>')}</div>", False),
        (f"<div><h2>Tools</h2>{POINTS.replace('No', '<li>Send by e-mail<li>No')}</div>", False),
        (f"<div class=newsletter><h2>In short</h2>{POINTS}</div>", False),
    ],
)
def test_points_under_a_heading_right_below_the_title_are_taken_in(above: str, taken: bool) -> None:
    page = read(above + DEEP, around="main")

    assert ("Cracks in two pillars" in page.text) is taken
    assert ("In short" in page.text) is taken
