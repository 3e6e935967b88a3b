"""Feeds, sitemaps and lists of a site, in the forms used by sites."""

import gzip
import json
from collections.abc import Iterable
from datetime import datetime, timezone
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import HtmlResponse, Response

from tests.crawling import Crawls
from tests.growth import assert_linear
from tests.toml_files import read_toml
from webclean_scrapy.spiders import discovery, documents, written_dates
from webclean_scrapy.spiders.discovery import DocumentReader, list_links
from webclean_scrapy.spiders.documents import (
    FEED,
    PAGE,
    ROBOTS,
    SITEMAP,
    Listed,
    list_document,
    read_opml,
)
from webclean_scrapy.spiders.written_dates import read_dates
from webclean_scrapy.web_addresses import home_address, is_of_site, page_address

HOME = "http://a.example/"


CASES = read_toml(Path(__file__).with_name("discovery.toml"))


def day(moment: int | None) -> str:
    found = datetime.fromtimestamp(moment, timezone.utc) if moment is not None else None
    return found.isoformat()[:10] if found else ""


@pytest.mark.parametrize("written", CASES["dates"]["read"])
def test_a_date_is_read_in_the_forms_that_sites_write(written: str) -> None:
    assert day(read_dates([written])[0]) == "2026-11-05"


@pytest.mark.parametrize("written", CASES["dates"]["unread"])
def test_a_date_that_nobody_can_read_is_none_and_never_another_day(written: str) -> None:
    assert read_dates([written]) == [None]


def test_the_order_of_day_and_month_is_that_of_the_other_dates_of_a_document() -> None:
    assert [*map(day, read_dates(["26/11/2026", "3/4/2026"]))] == ["2026-11-26", "2026-04-03"]
    assert [*map(day, read_dates(["3/4/2026", "11/26/2026"]))] == ["2026-03-04", "2026-11-26"]
    assert read_dates(["26/11/2026", "11/26/2026", "3/4/2026"])[2] is None


def test_dates_that_nobody_can_read_hold_no_crawl_up(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    monkeypatch.setattr("dateparser.parse", lambda date, **_: tried.append(date))
    assert set(read_dates(f"the {number}th day" for number in range(50_000))) == {None}
    assert len(tried) < 20  # each takes a tenth of a second


def test_the_time_for_dates_is_bounded_by_what_they_could_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = ["Mar 3 " * 200_000, "1 " * 500_000, "2 March 2026", "2026-03-03"]
    assert [day(one) for one in read_dates(written)] == ["", "", "2026-03-02", "2026-03-03"]
    monkeypatch.setattr(written_dates, "MOST_S", 0.0)
    assert [day(one) for one in read_dates(written)] == ["", "", "", "2026-03-03"]


def page(head: str = "", body: str = "", **headers: str) -> HtmlResponse:
    whole = f"<html><head>{head}</head><body>{body}</body></html>"
    return HtmlResponse(HOME, body=whole.encode(), headers=headers)


@pytest.mark.parametrize("case", CASES["page"], ids=itemgetter("name"))
def test_a_page_names_what_its_case_says(case: dict[str, Any]) -> None:
    for head in case["heads"]:
        found = list_links(page(head))
        assert found.feeds == case.get("feeds", found.feeds)
        assert [one.url for one in found.sitemaps] == case.get("sitemaps", [])


@pytest.mark.parametrize("case", CASES["document"], ids=itemgetter("name"))
def test_a_document_lists_what_its_case_says(case: dict[str, Any]) -> None:
    for body in case["bodies"]:
        listed = listed_in(body, case.get("url", HOME))
        assert [f"{one.url} {day(one.dated)}".strip() for one in listed.pages] == case["pages"]
        assert listed.next_page == case.get("next", "")


def test_the_header_link_names_feeds_too() -> None:
    named = '</style.css>; rel=preload, </f>; rel="alternate"; type="application/rss+xml"'
    assert list_links(page(Link=named)).feeds == [f"{HOME}f"]


def test_a_link_header_that_ends_no_address_costs_in_proportion() -> None:
    def read(header: str) -> None:
        assert list_links(page(Link=header)).feeds == []

    assert_linear(read, lambda size: "<" * size, 4_000)


def listed_in(body: bytes | str, url: str = HOME) -> Listed:
    """Return what a document lists that is of a known format."""
    listed = list_document(body if isinstance(body, bytes) else body.encode(), url)
    assert listed is not None
    return listed


def read(crawls: Crawls, *sources: tuple[Response, str]) -> list[Listed | None]:
    """Return what a crawl reads of each response as a source of a kind."""
    reader = DocumentReader()
    try:
        return [crawls.wait_for(reader.list_source(*source)) for source in sources]
    finally:
        reader.close()


def test_the_bytes_of_a_document_decide_what_it_is(crawls: Crawls) -> None:
    rss = b"<rss version='2.0'><channel><item><link>/a</link></item></channel></rss>"
    served = HtmlResponse(HOME, body=b"<?xml version='1.0'?>" + rss)
    for listed in (list_document(rss, HOME), *read(crawls, (served, PAGE), (served, FEED))):
        assert listed is not None
        assert (listed.kind, listed.pages[0].url) == (FEED, f"{HOME}a")
    assert list_document(b'{"version": 1, "items": 2}', HOME) is None
    assert read(crawls, (page(body="<p>A wall</p>"), FEED)) == [None]


def test_a_document_that_takes_too_long_ends_the_reading_of_its_host_alone(
    crawls: Crawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "READ_S", 6.0)
    spaces = "".join(f'<x{n}:a xmlns:x{n}="u{n}"/>' for n in range(60_000))
    slow = f'<rss version="2.0"><channel>{spaces}</channel></rss>'.encode()
    rss = b"<rss version='2.0'><channel><item><link>/a</link></item></channel></rss>"
    sources = [(HtmlResponse("http://slow.example/feed", body=body), FEED) for body in (slow, rss)]
    found = read(crawls, *sources, (HtmlResponse(HOME, body=rss), FEED))
    assert [listed and listed.kind for listed in found] == [None, None, FEED]


def test_a_list_that_is_cut_off_is_not_whole() -> None:
    whole = page(body="<main><a href='/a'>A</a></main>")
    assert list_links(whole).is_whole
    assert not list_links(whole.replace(body=whole.body[:-24])).is_whole


def test_a_sitemap_may_be_a_text_or_dated_by_its_news() -> None:
    text = f"\ufeff# All pages\n{HOME}a\r\n\r\n{HOME}b.js\n# until today".encode()
    listed = listed_in(gzip.compress(text))
    assert (listed.kind, [one.url for one in listed.pages]) == (
        SITEMAP,
        [f"{HOME}a", f"{HOME}b.js"],
    )
    assert list_document(f"{HOME}a and more".encode(), HOME) is None
    assert list_document(b"# A readme\nwith a text", HOME) is list_document(b"# None", HOME) is None


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "UTF-16"])
def test_documents_in_utf_16_are_read(encoding: str) -> None:
    head = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>\n'
    documents = (
        f"<urlset><url><loc>{HOME}ä</loc></url></urlset>",
        f"<rss version='2.0'><channel><item><link>{HOME}ä</link></item></channel></rss>",
    )
    for written in documents:
        listed = listed_in((head + written).encode(encoding))
        assert [one.url for one in listed.pages] == [f"{HOME}ä"]


POST = "<link>http://b.example/x{0}</link><guid isPermaLink='{1}'>http://a.example/{0}</guid>"
ATOM = "<link href='http://b.example/x{0}'/><link rel='related' href='http://a.example/{0}'/>"


def is_own(url: str) -> bool:
    return url.startswith(HOME)


def entries(items: Iterable[str], tag: str = "item", head: str = "") -> Listed:
    """Return a feed of *items*, entries without their *tag*."""
    inside = head + "".join(f"<{tag}>{one}</{tag}>" for one in items)
    rss = f"<rss version='2.0'><channel>{inside}</channel></rss>"
    atom = f"<feed xmlns='http://www.w3.org/2005/Atom'>{inside}</feed>"
    return listed_in(rss if tag == "item" else atom, f"{HOME}feed")


@pytest.mark.parametrize(
    ("tag", "entry"),
    [
        ("item", POST.replace("{1}", "true")),
        ("item", POST.replace("{1}", "false")),
        ("entry", ATOM + "<id>tag:{0}</id>"),
        ("entry", "<link href='http://b.example/x{0}'/><id>http://a.example/{0}</id>"),
        ("entry", "<link href='http://a.example/{0}'/><link href='http://b.example/x{0}'/>"),
    ],
)
def test_a_post_about_a_page_of_another_site_is_that_of_the_own_site(tag: str, entry: str) -> None:
    listed = entries(map(entry.format, range(4)), tag).of_site(is_own)

    assert [one.url for one in listed.pages] == [f"{HOME}{n}" for n in range(4)]
    assert listed.page_elsewhere(is_own) == ""


def test_a_feed_of_the_site_itself_does_not_move_it_to_where_its_entries_lead() -> None:
    links = [f"<link>http://b.example/x{n}</link>" for n in range(4)]

    assert entries(links).page_elsewhere(is_own) == "http://b.example/x0"
    assert entries(links, head=f"<link>{HOME}</link>").page_elsewhere(is_own) == ""
    items = [{"url": f"http://b.example/x{n}"} for n in range(4)]
    feed = {"version": "https://jsonfeed.org/version/1.1", "feed_url": f"{HOME}f", "items": items}
    listed = listed_in(json.dumps(feed).encode(), f"{HOME}f")
    assert listed.page_elsewhere(is_own) == ""


def test_outlines_are_read_in_any_case_of_their_attributes_and_others_are_named() -> None:
    outlines = (
        "xmlUrl='http://a.example/f' htmlUrl='http://a.example/'",
        "XMLURL='feed://b.example/f' HTMLURL='https://b.example/'",
        "xmlurl='feed:http://c.example/f'",
        "htmlUrl='http://d.example/'",
        "text='a folder'",
        "type='link' url='http://e.example/'",
        "xmlUrl='ftp://f.example/f'",
        "xmlUrl='feed' htmlUrl='http://g.example/'",
    )
    text = "".join(f"<outline {one}><outline/></outline>" for one in outlines)
    text += "<outline text='a name alone'/>"

    assert read_opml(f"<opml><body>{text}</body></opml>".encode()) == (
        {
            "http://a.example/": ["http://a.example/f"],
            "https://b.example/": ["https://b.example/f"],
            "http://c.example/": ["http://c.example/f"],
            "http://d.example/": [],
            "http://g.example/": [],
        },
        ["http://e.example/", "ftp://f.example/f", "feed", "a name alone"],
    )


def feed_of(count: int, description: str) -> bytes:
    entry = f"<item><link>/{{}}</link><description>{description}</description></item>"
    return f"<rss version='2.0'>{''.join(map(entry.format, range(count)))}</rss>".encode()


def test_long_texts_hide_no_entry_of_a_feed(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = listed_in(feed_of(6, "some words of it " * 40_000))
    assert len(listed.pages) == 6
    monkeypatch.setattr(documents, "LEAST_FEED", 1_000)
    monkeypatch.setattr(documents, "MAX_MARKS", 300)  # these cost time
    for description in ("A &amp; B " * 10, "<![CDATA[<p>A</p>]]>" * 5):
        listed = listed_in(feed_of(100, description))
        assert 5 < len(listed.pages) < 40


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffSitemap: /m.xml\nUser-agent: *",
        "SITEMAP : http://a.example/m.xml",
        "sitemap:/m.xml\r",
    ],
)
def test_robots_txt_names_sitemaps_as_others_read_it(crawls: Crawls, text: str) -> None:
    robots = HtmlResponse(f"{HOME}robots.txt", body=text.encode())
    (listed,) = read(crawls, (robots, ROBOTS))
    assert listed is not None
    assert [one.url for one in listed.sitemaps] == [f"{HOME}m.xml"]


def test_a_host_has_one_spelling() -> None:
    own = home_address("http://fährhaus.example")
    assert page_address("http://fährhaus.example/ä b", [own]) == f"{own}%C3%A4%20b"
    assert is_of_site("http://news.fährhaus.example/", own) is False  # spelled as it is asked for
    assert page_address("http://news.fährhaus.example/", [own])
