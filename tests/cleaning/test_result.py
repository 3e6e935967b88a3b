import gc
import json
import weakref
from collections.abc import Iterator

import pytest
from lxml import html as lxml_html

from spiders.demo import build_portal
from tests.reading import PIER, squeeze
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner, clean
from webclean_scrapy.cleaning.result import CleanedPage
from webclean_scrapy.keywords.interest_profile import make_profile

FIELDS = {
    "url", "title", "text", "html", "is_article", "kind", "kind_reason", "confidence",
    "kind_confidence", "kind_probabilities",
    "date_published", "authors", "source", "language", "keywords", "body_xpath", "sibling_url",
    "removed", "denoised", "extractor", "fallback", "link_blocks", "repaired",
    "canonical_url", "description",
    "main_image", "images", "site_name", "date_modified", "parts",
}  # fmt: skip
PAGE = (
    "<html lang=en-GB><head><title>Old pier closed after cracks were found - Harbour News</title>"
    '<meta name=author content="Ann Lee">'
    '<meta property="article:published_time" content="2026-03-02T08:00:00+01:00"></head><body>'
    "<script>x()</script><div id=menu><a href=/>Home</a></div><div id=story>"
    "<h1>Old pier closed after cracks were found</h1>"
    f"<p>{PIER[0]}</p><script>y()</script><p>{PIER[1]} <a href='/office'>Office</a></p>"
    f"<p>{PIER[2]}</p></div></body></html>"
)
URL = "https://harbour.invalid/news/1.html"


@pytest.fixture(scope="module")
def page() -> CleanedPage:
    return clean(PAGE, url=URL)


def test_a_record_has_every_field_as_plain_values(page: CleanedPage) -> None:
    record = page.to_dict()
    assert set(record) == FIELDS
    assert json.loads(json.dumps(record, ensure_ascii=False)) == record


def test_a_record_has_the_fields_that_are_asked_for_and_no_other_is_computed() -> None:
    page = clean(PAGE, url=URL)
    record = page.to_dict(("title", "removed"))
    assert record == {name: page.to_dict()[name] for name in ("title", "removed")}

    fresh = clean(PAGE, url=URL)
    fresh.to_dict(["text", "date_published"])
    computed = vars(fresh).keys()
    assert "date_published" in computed
    assert not {"keywords", "language", "html", "confidence", "authors"} & computed
    with pytest.raises(ValueError, match=r"no field of a page: 'headline'; known: url, title"):
        page.to_dict(["headline"])


def test_a_page_is_freed_when_nobody_holds_it() -> None:
    """A cycle would keep its tree until Python's next collection: a crawl holds many pages."""
    page = clean(PAGE, url=URL)
    page.to_dict()
    gone, collects = weakref.ref(page), gc.isenabled()
    gc.disable()
    try:
        del page
        assert gone() is None
    finally:
        if collects:
            gc.enable()


def test_the_html_is_of_the_body_with_absolute_urls(page: CleanedPage) -> None:
    assert '<a href="https://harbour.invalid/office">Office</a>' in page.html
    assert "<script" not in page.html
    assert "Home" not in page.html
    assert f"<p>{PIER[0]}</p>" in page.html


def test_the_path_leads_to_the_body_in_the_page_as_it_came(page: CleanedPage) -> None:
    assert page.body_xpath is not None
    (found,) = lxml_html.document_fromstring(PAGE).xpath(page.body_xpath)
    assert found.get("id") == "story"


def test_a_page_of_nothing_has_every_field_too() -> None:
    record = clean("").to_dict()
    assert set(record) == FIELDS
    assert (record["text"], record["html"], record["body_xpath"]) == ("", "", None)
    assert (record["title"], record["keywords"], record["removed"]) == ("", [], [])


def test_a_page_says_what_it_is(page: CleanedPage) -> None:
    assert repr(page) == f"<CleanedPage article '{URL}', {len(page.text)} characters>"
    assert page.kind_confidence == pytest.approx(page.kind_probabilities["article"], abs=1e-3)
    assert sum(page.kind_probabilities.values()) == pytest.approx(1.0, abs=0.01)
    assert 0.0 <= page.confidence <= 1.0
    assert page.kind_reason


def text_of(html: str) -> Iterator[str]:
    return lxml_html.fragment_fromstring(html, create_parent="div").itertext()


def test_text_and_html_of_the_demo_portal_hold_the_same_and_removals_add_up() -> None:
    cleaner = Cleaner()
    articles = 0
    for path, page in build_portal().pages.items():
        if not page.content_type.startswith("text/html"):
            continue
        found = cleaner.clean(page.body, f"https://portal.invalid{path}")
        assert squeeze("".join(text_of(found.html))) == squeeze(found.text), path
        assert all(removed.how_much >= 0 for removed in found.removed)
        assert all(removed.what and removed.why for removed in found.removed)
        articles += found.is_article
    assert articles >= 70


def test_headings_emphasised_lines_and_phrases_of_the_body_are_marked() -> None:
    html = PAGE.replace(
        f"<p>{PIER[1]}",
        "<h3>Cracks in two pillars</h3><p><b>The ferry leaves from the quay behind the market, the "
        f"<i>office</i> said.</b></p><p>{PIER[1]} <b>It said so</b>",
    )
    page = clean(html, url=URL)
    assert page.marked_texts == {
        "It said so": 1.5,
        "Cracks in two pillars": 2.0,
        "The ferry leaves from the quay behind the market, the office said.": 1.5,
    }
    assert all(text in page.text for text in page.marked_texts)


def test_words_of_emphasised_phrases_and_of_the_meta_elements_weigh_more() -> None:
    html = (
        PAGE.replace(
            "quay behind the fish market, it",
            "<b>quay <i>be</i>hind</b> the <em>fish</em> market, it",
        )
        .replace(
            f"<p>{PIER[1]}",
            f"<h3>Cracks in <b>two</b> pillars</h3><p><b>{PIER[0]} <i>So</i> it was.</b></p>"
            f"<p>{PIER[1]}",
        )
        .replace(
            "<meta name=author",
            "<meta name=keywords content='Fish market, News, harbour office'>"
            "<meta name=description content='Cracks stop the ferry'><meta name=author",
        )
    )
    sources = clean(html, url=URL).blocks_by_source
    assert [text for text, _ in sources["text"]][1] == PIER[0]
    assert sources["emphasis"] == [("quay behind", 0.5), ("fish", 0.5)]
    assert sources["meta"] == [("Fish market\nharbour office", 1.0), ("Cracks stop the ferry", 0.5)]
    assert clean(PAGE, url=URL).blocks_by_source["meta"] == [("", 1.0), ("", 0.5)]


def test_a_page_read_from_its_source_has_interest_and_link_blocks() -> None:
    menu = "".join(f"<li><a href=/{name}>{name}</a>" for name in "ABCDEF")
    text = "<p>The harbour pier is closed for repairs. </p>" * 20
    html = f"<title>Pier</title><body><ul>{menu}</ul>{text}<a href=/g>All the news</a>"
    profile = make_profile([{"harbour": 1.0, "pier": 1.0}])
    found = {
        limit: clean(html, config=CleanConfig(interest_profile=profile, max_body_bytes=limit))
        for limit in (100, 5_000_000)
    }

    assert [one.extractor for one in found.values()] == ["source", "webclean"]
    assert all((one.to_dict()["interest"] or 0) > 0 for one in found.values())
    for one in found.values():
        count, links, code = one.link_shares
        assert (count, links) == (1, 0.857)  # 6 of 7
        assert 0.0 < code < 0.5


@pytest.mark.parametrize(("count", "kept"), [(190, 190), (210, 200)])
def test_the_first_two_hundred_pictures_are_named(count: int, kept: int) -> None:
    pictures = "".join(f"<img src={number}.png>" for number in range(count))

    assert len(clean(PAGE.replace("Office</a>", f"Office</a>{pictures}"), url=URL).images) == kept
