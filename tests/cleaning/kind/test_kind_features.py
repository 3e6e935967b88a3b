from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

from tests.reading import LONG_PARAGRAPH, OTHER_PARAGRAPH, PARAGRAPH, SENTENCE, row_of, table_of
from webclean_scrapy.cleaning.body.body_finder import BodyConfig, extract_body
from webclean_scrapy.cleaning.kind.kind_features import kind_facts
from webclean_scrapy.cleaning.metadata.head import Head, read_head
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import build_table

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.kind.page_kind import KindFacts

TITLE = "Northern pier closed after divers found a crack"
TEXT = PARAGRAPH + OTHER_PARAGRAPH + LONG_PARAGRAPH


def facts_of(html: str, title: str = TITLE, *, list_url: bool = False) -> KindFacts:
    root = parse(f"<title>{title}</title>{html}")
    head = read_head(root)
    table = build_table(root)
    body = extract_body(table, head.titles, None, BodyConfig())
    if "text" in table.ident:  # whatever the extractor thinks of it
        row = row_of(table, "text")
        body = dataclasses.replace(body, row=row, lines=tuple(table.lines_in(row)))
    return kind_facts(table, head, body, list_url=list_url)


def test_sizes_are_those_of_page_and_body() -> None:
    foot = "<footer><a href=/a>About the paper</a></footer>"
    facts = facts_of(f"<div>{TEXT}</div>{foot}", "Untold")

    assert facts.body_units == facts.page_units - len("About the paper")
    assert (facts.link_units, facts.body_link_units) == (len("About the paper"), 0)
    assert (facts.lines, facts.paragraphs) == (3, 3)
    assert facts.run == facts.body_units
    assert not any((facts.dated, facts.titled, facts.answers, facts.in_the_way, facts.message))
    listed = facts_of(TEXT, list_url=True)
    assert listed == dataclasses.replace(facts_of(TEXT), list_url=True)


def test_a_page_without_a_body_has_facts_too() -> None:
    facts = facts_of("")

    assert (facts.body_units, facts.lines, facts.titled, facts.answers) == (0, 0, False, False)


def test_what_the_head_says_is_passed_on() -> None:
    facts = facts_of(
        "<meta property=article:published_time content=2026-03-04>"
        f"<div itemscope itemtype=https://schema.org/QAPage>{TEXT}</div>"
    )

    assert facts.dated
    assert facts.declared == "other"


def test_a_heading_with_the_title_leads_to_the_body() -> None:
    assert facts_of(f"<h1>{TITLE}</h1>{TEXT}").titled
    assert not facts_of(f"<h1><a href=/>{TITLE}</a></h1>{TEXT}").titled
    assert not facts_of(f"<h1>{TITLE}</h1>{'<p>No</p>' * 50}<div id=text>{TEXT}</div>").titled
    assert not facts_of(f"<div id=text>{TEXT}</div><div><h4>{TITLE}</h4></div>").titled


@pytest.mark.parametrize(
    "count",
    [
        "3 answers",
        "12 Answers",
        "1 answer:",
        "4个回答",
        "共 12 个回答",
        "6回复贴，共1页",
        "3 Antworten",
    ],
)
def test_a_count_of_answers_before_the_body_is_noticed(count: str) -> None:
    assert facts_of(f"<h1>{TITLE}</h1><h2>{count}</h2><div>{TEXT}</div>").answers


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>{TITLE}</h1><h2>3 comments</h2><div>{TEXT}</div>",
        f"<h1>{TITLE}</h1><p><a href=#c>3 answers</a></p><div>{TEXT}</div>",
        f"<p>3 answers</p><h1>{TITLE}</h1><div>{TEXT}</div>",
        f"<h1>{TITLE}</h1><div>{TEXT}</div><h2>3 answers</h2>",
        f"<h1>{TITLE}</h1><p>She gave 3 answers</p><div>{TEXT}</div>",
    ],
)
def test_other_counts_and_those_elsewhere_are_not(html: str) -> None:
    assert not facts_of(html).answers


def test_most_of_the_body_must_stand_behind_the_count() -> None:
    question = "<p>It stands in the garden, empty since October.</p>"

    assert facts_of(f"<div>{question}<h2>3 answers</h2>{TEXT}</div>").answers
    assert not facts_of(f"<div>{TEXT}<h2>3 answers</h2>{question}</div>").answers


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Log in | The Courier", True),
        ("The Courier - Sign in", True),
        ("Sign in to continue", True),
        ("登录_新闻网", True),
        ("用户注册", True),
        ("404 Not Found", True),
        ("Page not found – Blog", True),
        ("您访问的页面不存在", True),
        ("Just a moment...", True),
        ("Contact - Boat Yard", True),
        ("联系我们_新闻网", True),
        ("百度安全验证", True),
        ("404 days in space", False),
        ("Body not found in river", False),
        ("How to log in without a password", False),
        ("登录月球五十年", False),
    ],
)
def test_titles_of_pages_that_are_in_the_way(title: str, expected: bool) -> None:
    assert facts_of(TEXT, title).in_the_way is expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        (f"{SENTENCE[:30]}... - Shortly", True),
        (f"“{SENTENCE[:30]}… | Ann", True),
        ("The harbour... - Shortly", False),  # too little to tell by
        (f"{SENTENCE[:-4]}...", False),  # the body does not go on
        ("Another beginning of a text... - Shortly", False),
        (SENTENCE[:30], False),
        (f"Harbour office on Shortly: “{SENTENCE}” / Shortly", True),
        ("Harbour office: “We closed it on Monday”", False),
        ("News - @harbour_office - Shortly", True),
        ("Harbour office (@harbour@social.example)", True),
        ("What @harbour_office wrote", False),
    ],
)
def test_titles_that_are_made_for_a_message(title: str, expected: bool) -> None:
    assert facts_of(f"<div id=text>{TEXT}</div>", title).message is expected


def test_a_message_has_no_heading_of_its_own() -> None:
    title = f"{TITLE} by the harbour office... - Shortly"
    text = f"<p>{TITLE} by the harbour office on Monday morning, it was said.</p>{TEXT}"

    html = f"<div id=text>{text}</div>"
    assert facts_of(html, title).message
    assert not facts_of(f"<h1>{TITLE} by the harbour office</h1>{html}", title).message


def test_no_head_says_nothing() -> None:
    table = table_of(f"<div>{TEXT}</div>")
    body = extract_body(table, (), None, BodyConfig())

    facts = kind_facts(table, Head(), body, list_url=False)

    assert (facts.declared, facts.in_the_way, facts.message) == ("", False, False)
