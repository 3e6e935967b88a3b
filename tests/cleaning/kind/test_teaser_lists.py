"""Pages with flat entries are lists; articles that look like them stay articles."""

import re

import pytest
from hypothesis import given

from tests.cleaning.kind.section_pages import (
    SEEN,
    UNSEEN,
    Made,
    make_articles,
    make_section,
    make_sections,
)
from tests.growth import assert_linear
from tests.reading import LONG_PARAGRAPH, OTHER_SENTENCE, PARAGRAPH, SENTENCE, evidence_of, trees
from webclean_scrapy.cleaning.body.evidence import Evidence
from webclean_scrapy.cleaning.cleaner import clean
from webclean_scrapy.cleaning.kind.teaser_lists import is_list_of_teasers

URL = "http://www.quay.example/city/"
HEADLINE = "The pier of the northern harbour"
SHORT = f"<p>{SENTENCE[:50]}.</p>"


def called_articles(pages: dict[tuple[str, str, int], Made]) -> list[tuple[str, str, int]]:
    return [key for key, page in pages.items() if clean(page.html, page.url).is_article]


@pytest.mark.parametrize(("shapes", "each"), [(SEEN, 10), (UNSEEN, 15)], ids=["seen", "unseen"])
def test_section_pages_of_flat_siblings_are_no_articles(shapes: list[str], each: int) -> None:
    assert len(called_articles(make_sections(shapes, each))) <= 1


def test_articles_that_look_like_section_pages_are_articles() -> None:
    pages = make_articles(8)

    assert set(called_articles(pages)) == set(pages)


def test_the_headlines_of_a_list_are_read_as_its_text() -> None:
    made = make_section("h2, p with a link to more", "en", 3)
    page = clean(made.html, made.url)

    assert page.kind == "listing"
    assert "lead to a page" in page.kind_reason
    for headline in re.findall("<h2><a [^>]*>([^<]*)", made.html):
        assert headline in page.text


def entries(
    count: int,
    href: str = "/story/{}",
    form: str = "<h3><a href='{href}'>{headline}</a></h3>{text}",
    text: str = PARAGRAPH,
) -> str:
    return "".join(
        form.format(href=href.format(n), headline=f"{HEADLINE} {n}", text=text)
        for n in range(count)
    )


def is_list(html: str, url: str | None = URL, *, dated: bool = False) -> bool:
    evidence = evidence_of(f"<div>{html}</div>", url=url)
    return is_list_of_teasers(evidence, range(len(evidence.table.lines)), dated=dated)


@pytest.mark.parametrize(
    "form",
    [
        "<h3><a href='{href}'>{headline}</a></h3>{text}",
        "<h3>{headline}</h3>{text}<p><a href='{href}'>More</a></p>",
    ],
)
def test_four_entries_are_a_list(form: str) -> None:
    assert is_list(entries(4, form=form), dated=True)
    assert not is_list(entries(3, form=form), dated=True)


@pytest.mark.parametrize(
    ("href", "url", "expected"),
    [
        ("/story/{}", URL, True),
        ("http://quay.example/{}", URL, True),
        ("https://sport.quay.example/{}", URL, True),
        ("http://www.quay.example/{}", "http://city.www.quay.example/", True),
        ("http://other.example/{}", URL, False),
        ("//other.example/{}", URL, False),
        ("#{}", URL, False),
        ("/city/#{}", URL, False),
        ("?entry={}", URL, False),
        ("?id={}", "http://quay.example/news.php?section=2", True),
        ("?p={}", "http://quay.example", True),
        ("mailto:{}@quay.example", URL, False),
        ("javascript:open({})", URL, False),
        ("/one-story", URL, False),  # the same for all
        ("/story/{}", None, True),
        ("http://www.quay.example/{}", None, False),  # perhaps another site
        ("http://[{}", URL, False),
    ],
)
def test_each_leads_to_a_page_of_the_site_of_its_own(
    href: str, url: str | None, expected: bool
) -> None:
    assert is_list(entries(8, href), url) is expected


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("<p><b><a href='{href}'>{headline}</a></b></p>{text}", True),
        ("<p><a href='{href}'>{headline}</a> " + SENTENCE + "</p>", True),
        ("<p><a href='{href}'>{href}</a> " + SENTENCE + "</p>", False),  # a name
        ("<h3>{headline}</h3><p>" + SENTENCE + " <a href='{href}'>More</a></p>", True),
        ("<h3>{headline}</h3>{text}<p><a href='{href}'>More</a></p>", True),
        ("<h3>{headline}</h3><p>" + SENTENCE + " <a href='{href}'>{headline}</a></p>", False),
        ("<p><a href='{href}'>{headline}</a></p><h3>{headline}</h3>{text}", False),
        ("<h2><a href='{href}'>{headline}</a></h2><h3>{headline}</h3>{text}", True),
        ("<p><a href='{href}'>{headline}</a></p><h3>City</h3>{text}", True),  # a label
        ("<p><a href='{href}'>{headline}</a></p><h3>Thursday, 12 March 2026</h3>{text}", True),
        ("<p><a href='{href}'>{headline}</a></p>" + "<p>12</p>" * 7 + "{text}", True),
        ("<p><a href='{href}'>{headline}</a></p>" + "<p>12</p>" * 8 + "{text}", False),
        ("<h3><a href='{href}'>{headline}</a> (<i>12</i>)</h3>{text}", True),
        ("<p><a href='{href}'>{headline}?</a></p>{text}", True),
        ("<a href='{href}'><h3>{headline}</h3>{text}</a>", True),
        ("<p>" + "<a href='{href}'>Pier</a> " * 12 + "</p>{text}", False),  # a menu
    ],
)
def test_what_leads_to_a_page(form: str, expected: bool) -> None:
    assert is_list(entries(8, form=form)) is expected


@pytest.mark.parametrize(
    ("text", "undated", "dated"),
    [
        (PARAGRAPH, True, True),
        (PARAGRAPH * 2, True, False),
        (LONG_PARAGRAPH * 2, True, False),
        (f"<p>{SENTENCE} {SENTENCE} {SENTENCE}</p>" + LONG_PARAGRAPH, False, False),  # a part
        (LONG_PARAGRAPH + SHORT, True, False),
        (f"<p>By Ann Lee, 12 March 2026, 3 min.</p>{PARAGRAPH}", True, True),
    ],
)
def test_the_paragraphs_of_a_teaser(text: str, undated: bool, dated: bool) -> None:
    page = entries(8, text=text)

    assert (is_list(page), is_list(page, dated=True)) == (undated, dated)


@pytest.mark.parametrize(
    ("before", "undated", "dated"),
    [(PARAGRAPH, True, False), (PARAGRAPH * 2, False, False), (f"<p>{HEADLINE}</p>", True, True)],
)
def test_a_text_before_the_first_is_that_of_an_article(
    before: str, undated: bool, dated: bool
) -> None:
    page = before + entries(12)

    assert (is_list(page), is_list(page, dated=True)) == (undated, dated)


def test_most_of_the_text_leads_on() -> None:
    assert is_list(entries(8) + PARAGRAPH * 3, dated=True)
    assert not is_list(entries(8) + PARAGRAPH * 4, dated=True)
    assert not is_list(entries(8) + f"<p>{OTHER_SENTENCE * 8}</p>", dated=True)


@given(trees())
def test_any_tree_is_a_list_or_none(html: str) -> None:
    assert is_list(html) in {True, False}


def test_the_cost_grows_with_the_lines() -> None:
    def evidence(size: int) -> Evidence:
        return evidence_of(f"<div>{entries(size)}</div>", url=URL)

    assert_linear(
        lambda of: is_list_of_teasers(of, range(len(of.table.lines)), dated=False), evidence, 100
    )
