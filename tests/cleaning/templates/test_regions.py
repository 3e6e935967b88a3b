"""Regions skipped on pages of a known template, and pages that are read whole."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree

from tests.cleaning.templates.test_shared_text import marked_up, paragraphs
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.result import CleanedPage
from webclean_scrapy.cleaning.templates.known_reading import (
    NEW_PLACES,
    NO_PLACE,
    SAME_ARTICLE,
    SHORT_BODY,
)
from webclean_scrapy.cleaning.templates.regions import BODY, CLOSED, OPEN, Regions
from webclean_scrapy.report.explain import GivenPage, explain_page

# The constants of the package, by value: a change of one fails here.
KNOWN_PAGES = 2
MAX_PAGES = 20
MAX_PLACES = 1000
MAX_TEXTS = 500

BRIDGE = "A new bridge over the river is open"


def page(name: str, *, text: str = "text", count: int = 6, stories: int = 5, more: str = "") -> str:
    """Return a news page: menu, byline, body in an element of the class *text*, other stories."""
    others = [words[:40] for words in paragraphs(f"others of {name}", stories)]
    links = "".join(f"<li><a href=/x/{n}>{words}</a></li>" for n, words in enumerate(others))
    return (
        f"<title>{name} - Harbour News</title><body><div class=top><ul>"
        f"{marked_up(['News', 'Sport', 'Weather of the coast'], 'li')}</ul></div>"
        f"<div class=story><h1>{name}</h1><div class=by>By Anna Berg, 3 March 2026</div>"
        f"<div class={text}>{marked_up(paragraphs(name, count))}</div></div>{more}"
        f"<div class=more><h2>Most read</h2><ul>{links}</ul></div>"
        "<div class=foot><p>Copyright Harbour News, the newspaper of the coast.</p></div>"
    )


def address(number: int) -> str:
    return f"http://news.example/story/{number}.html"


def cleaner_of(count: int = KNOWN_PAGES, **options: Any) -> Cleaner:
    cleaner = Cleaner(**options)
    for number in range(count):
        cleaner.clean(page(f"Story {number}"), address(number))
    return cleaner


def body(name: str, count: int = 6) -> str:
    return "\n".join(paragraphs(name, count))


def other_story(name: str) -> str:
    return paragraphs(f"others of {name}", 1)[0][:40]


def lines_read(cleaned: CleanedPage) -> str:
    return "\n".join(cleaned.trace.page.table.lines.text)


def test_a_known_page_that_teaches_leaves_the_means_of_its_template() -> None:
    cleaner = cleaner_of()
    for number in range(20, 30):
        inside = marked_up(paragraphs(f"new {number}", 2))
        new = f"<div class=box{chr(number + 77)}>{inside}</div>"
        cleaned = cleaner.clean(page(f"Story {number}", more=new), address(number))
        assert cleaned.denoised == "known"
    means, own = cleaned.link_blocks, Cleaner().clean(page(BRIDGE), address(99)).link_blocks
    assert [means[name] for name in ("count", "links")] == [own["count"], own["links"]]


def test_what_never_held_anything_of_an_article_is_not_read() -> None:
    found = cleaner_of().clean(page(BRIDGE), address(99))
    assert (found.denoised, found.text) == ("known", body(BRIDGE))
    assert (found.title, found.authors) == (BRIDGE, ["Anna Berg"])
    assert found.date_published == "2026-03-03"
    assert found.is_article
    assert "Sport" not in lines_read(found)
    assert other_story(BRIDGE) not in lines_read(found)
    whole = Cleaner().clean(page(BRIDGE), address(99))
    assert found.body_xpath == whole.body_xpath
    assert found.html == whole.html
    means, own = dict(found.link_blocks), dict(whole.link_blocks)
    assert (means.pop("of"), own.pop("of")) == ("template", "page")
    assert means == pytest.approx(own, abs=0.01)  # as all its pages


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (KNOWN_PAGES - 1, {}),
        (KNOWN_PAGES + 2, {"denoise": "lcs"}),
        (KNOWN_PAGES + 2, {"denoise": "off"}),
        (KNOWN_PAGES + 2, {"extractor": "decay"}),
    ],
)
def test_pages_are_read_whole_until_enough_are_known(count: int, options: dict[str, Any]) -> None:
    found = cleaner_of(count, **options).clean(page(BRIDGE), address(99))
    assert found.denoised != "known"
    assert "Sport" in lines_read(found)


def test_scripts_in_skipped_elements_are_no_new_text_and_declare_what_they_do() -> None:
    declared = '{"@type": "NewsArticle", "author": {"@type": "Person", "name": "Jo Lund"}}'
    scripts = (
        "<script>var said = 'Nothing of this was ever said by anybody on the coast of the sea.'"
        f"</script><script type=application/ld+json>{declared}</script></div>"
    )
    html = page(BRIDGE).replace("<div class=by>By Anna Berg, 3 March 2026</div>", "")
    found = cleaner_of().clean(html.removesuffix("</div>") + scripts, address(99))
    assert (found.denoised, found.text, found.authors) == ("known", body(BRIDGE), ["Jo Lund"])
    assert found.trace.reading is not None
    assert not found.trace.reading.opened


def test_the_base_of_addresses_is_kept_in_a_head_without_text() -> None:
    base = "<base href=http://other.example/a/>"
    html = page(BRIDGE).replace(f"<title>{BRIDGE} - Harbour News</title>", base)
    picture = "<p><img src=b.jpg width=600 height=400></p>"
    html = html.replace("<div class=text>", f"<div class=text>{picture}")
    found = cleaner_of().clean(html, address(99))
    assert found.denoised == "known"
    assert 'src="http://other.example/a/b.jpg"' in found.html


def test_with_siblings_a_page_is_read_whole() -> None:
    siblings = [(page("Another story"), address(50))]
    assert cleaner_of().clean(page(BRIDGE), address(99), siblings).denoised == "template"


@pytest.mark.parametrize(
    ("html", "expected", "reason"),
    [
        (page(BRIDGE, text="other"), body(BRIDGE), NO_PLACE),
        (page(BRIDGE, count=0), None, SHORT_BODY),
        (page("Story 1"), body("Story 1"), SAME_ARTICLE),
        (
            page("Signs", count=1, more=f"<section>{marked_up(paragraphs('Old', 12))}</section>"),
            None,
            NEW_PLACES,
        ),
    ],
)
def test_a_page_unlike_others_is_read_whole(html: str, expected: str | None, reason: str) -> None:
    cleaner = cleaner_of()
    if reason == SAME_ARTICLE:  # all that is known of the template
        cleaner = Cleaner()
        for number in range(KNOWN_PAGES + 4):
            cleaner.clean(page("Story 1"), address(number))
    found = cleaner.clean(html, address(99))
    assert found.trace.unlike == reason
    assert found.denoised != "known"
    assert "Weather of the coast" in lines_read(found)
    if expected is not None:
        assert found.text == expected


def test_a_closed_element_that_has_grown_is_read() -> None:
    """An article may have moved there; here it is a longer list."""
    found = cleaner_of().clean(page(BRIDGE, stories=40), address(99))
    assert (found.denoised, found.text) == ("known", body(BRIDGE))
    assert other_story(BRIDGE) in lines_read(found)
    assert "Sport" not in lines_read(found)


def test_what_some_pages_have_is_closed_as_well_once_enough_had_it() -> None:
    cleaner, weather = (
        cleaner_of(),
        "<div class=box><p>Wind and rain on all coasts today.</p></div>",
    )
    read = [
        "Wind" in lines_read(cleaner.clean(page(f"Rain {n}", more=weather), address(50 + n)))
        for n in range(5)
    ]
    assert read == [True, True, False, False, False]


def test_a_site_of_other_pages_than_articles_is_read_whole() -> None:
    cleaner = Cleaner()
    for number in range(KNOWN_PAGES + 1):
        links = marked_up([f"<a href=/{n}>{t[:50]}</a>" for n, t in enumerate(paragraphs("l", 30))])
        found = cleaner.clean(f"<title>List {number}</title><div>{links}</div>", address(number))
    assert (found.denoised, found.trace.unlike) == (None, None)


def test_a_new_design_is_read_whole_until_it_is_known() -> None:
    cleaner = cleaner_of(20)
    ways = []
    for number in range(20):
        html = page(f"Design {number}", text="article").replace("class=story", "class=main")
        found = cleaner.clean(html.replace("class=more", "class=story"), address(100 + number))
        assert found.text == body(f"Design {number}")
        ways.append(found.denoised)
    assert ways[-10:] == ["known"] * 10
    assert "known" not in ways[:KNOWN_PAGES]


def test_explain_says_how_a_page_is_read_after_its_siblings() -> None:
    def in_crawl(html: str, count: int) -> str:
        given = [GivenPage("", page(f"Story {n}").encode(), address(n)) for n in range(count)]
        return explain_page(GivenPage("", html.encode(), address(9)), CleanConfig(), given).in_crawl

    known = in_crawl(page(BRIDGE), KNOWN_PAGES)
    assert "9 of its 18 lines" in known
    closed = sum(map(len, ["News", "Sport", "Weather of the coast", *paragraphs("x", 0)]))
    assert int(known.split(" units")[0].split()[-1]) > closed
    assert NO_PLACE in in_crawl(page(BRIDGE, text="other"), KNOWN_PAGES)
    assert "no template" in in_crawl(page(BRIDGE), 1)
    assert not in_crawl(page(BRIDGE), 0)


def test_two_templates_at_addresses_of_one_shape_are_told_apart() -> None:
    cleaner = Cleaner()
    for number in range(4 * KNOWN_PAGES):
        name = f"Story {number}"
        html = page(name)
        if number % 2:
            html = html.replace("class=story", "class=video").replace("class=top", "class=bar")
        found = cleaner.clean(html, address(number))
        assert found.text == body(name)
    assert found.denoised == "known"


def test_regions_are_kept_in_the_file_of_templates(tmp_path: Path) -> None:
    cleaner_of().save(tmp_path / "t.json")
    loaded = Cleaner(CleanConfig())
    loaded.load(tmp_path / "t.json")
    assert loaded.clean(page(BRIDGE), address(99)).denoised == "known"


def regions(
    *places: int, state: int = CLOSED, pages: int = 1, texts: Sequence[int] = ()
) -> Regions:
    size = len(places)
    return Regions(
        np.array(places, np.uint32),
        np.full(size, state, np.uint8),
        np.full(size, pages, np.uint8),
        np.full(size, 9, np.uint32),
        np.array(texts, np.uint32),
        float(pages or 1),
        float(pages or 1),
        (float(places[0]), 0.5, 0.25),
    )


def test_regions_of_several_pages_are_open_where_any_page_is_and_bounded() -> None:
    merged = regions(1, 2).merged(regions(2, 3, state=OPEN)).merged(regions(3, state=BODY))
    assert merged.states.tolist() == [CLOSED, OPEN, BODY]
    assert merged.in_doubt == {2, 3}
    often = regions(1, pages=MAX_PAGES).merged(regions(1, pages=MAX_PAGES))
    assert (often.read, often.pages.tolist()) == (MAX_PAGES, [MAX_PAGES])
    assert merged.link_blocks == (2.0, 0.5, 0.25)  # the mean of all three
    many = often.merged(regions(*range(2, 2 * MAX_PLACES)))
    assert len(many.places) == MAX_PLACES
    assert many.places[0] == 1
    said = [regions(1, texts=range(first, first + 300)) for first in (0, 100, 300)]
    texts = said[0].merged(said[1]).merged(said[2]).texts.tolist()
    assert texts == list(range(600 - MAX_TEXTS, 600))


def test_a_place_is_closed_again_when_many_pages_in_a_row_held_nothing_there() -> None:
    held, idle = regions(1, state=OPEN, pages=0), regions(1)
    known = idle.merged(idle).merged(held)
    states = []
    for _ in range(10):
        known = known.merged(idle)
        states.append(known.states[0])
    assert states == [OPEN] * 6 + [CLOSED] * 4
    assert known.merged(held).merged(idle).states[0] == OPEN
    body = regions(1, state=BODY, pages=0)
    for _ in range(8):
        body = body.merged(held)
    assert body.states[0] == OPEN
    assert not body.in_doubt
    assert held.merged(idle).merged(held).in_doubt == frozenset()


def test_the_tree_of_a_page_of_another_template_is_as_before() -> None:
    known = cleaner_of().templates.known(address(9))[0].known_regions
    assert known is not None
    root = parse(page(BRIDGE, text="other", more="<x:y class=odd>a<b>c</b>d</x:y>e"))
    before = etree.tostring(root)
    assert known.close(root) is None
    assert etree.tostring(root) == before
    root = parse(page(BRIDGE))
    before = etree.tostring(root)
    assert known.close(root) is not None
    assert etree.tostring(root) != before
