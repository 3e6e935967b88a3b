"""Pages with flat entries are lists; articles that look like them stay articles."""

import pytest
from hypothesis import given

from tests.growth import assert_linear
from tests.reading import LONG_PARAGRAPH, PARAGRAPH, evidence_of, trees
from webclean_scrapy.cleaning.body.evidence import Evidence
from webclean_scrapy.cleaning.kind.teaser_lists import is_list_of_teasers

URL = "http://www.quay.example/city/"
HEADLINE = "The pier of the northern harbour"


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
    ("before", "undated", "dated"),
    [(PARAGRAPH, True, False), (PARAGRAPH * 2, False, False), (f"<p>{HEADLINE}</p>", True, True)],
)
def test_a_text_before_the_first_is_that_of_an_article(
    before: str, undated: bool, dated: bool
) -> None:
    page = before + entries(12)

    assert (is_list(page), is_list(page, dated=True)) == (undated, dated)


@pytest.mark.parametrize(
    ("href", "expected"), [("/story/{}", True), ("http://www.quay.example/{}", False)]
)
def test_an_address_with_a_host_may_lead_to_another_site_where_the_page_has_none(
    href: str, expected: bool
) -> None:
    assert is_list(entries(8, href), None) is expected


def test_a_link_around_headline_and_text_and_two_long_paragraphs_make_an_entry() -> None:
    assert is_list(entries(8, form="<a href='{href}'><h3>{headline}</h3>{text}</a>"))
    assert is_list(entries(8, text=LONG_PARAGRAPH * 2))


@given(trees())
def test_any_tree_is_a_list_or_none(html: str) -> None:
    assert is_list(html) in {True, False}


def test_the_cost_grows_with_the_lines() -> None:
    def evidence(size: int) -> Evidence:
        return evidence_of(f"<div>{entries(size)}</div>", url=URL)

    assert_linear(
        lambda of: is_list_of_teasers(of, range(len(of.table.lines)), dated=False), evidence, 100
    )
