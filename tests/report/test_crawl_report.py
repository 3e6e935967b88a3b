from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest
from lxml import html

from tests.report.crawl_reports import data_of, fill_tally, news_url
from webclean_scrapy.errors import ReportFileError
from webclean_scrapy.report.crawl_report import render_report
from webclean_scrapy.report.crawl_tables import page_of
from webclean_scrapy.report.crawl_tally import ARTICLE, EXPORTED, CrawlTally, ItemNote
from webclean_scrapy.report.wording import size_of, time_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

SECTIONS = (
    "funnel", "charts", "least", "copies", "lost", "hosts", "templates", "settings", "stats",
)  # fmt: skip


@pytest.fixture(scope="module")
def large() -> str:
    """The report of a crawl of 10,000 pages on 300 sites."""
    return render_report([data_of(fill_tally(10_000, news_url))])


def words_of(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())


def test_a_report_of_many_pages_is_small_and_says_what_it_leaves_out(large: str) -> None:
    assert 100_000 < len(large.encode()) < 1_000_000
    page = html.fromstring(large)
    assert len(page.get_element_by_id("c1-hosts").findall(".//tbody/tr")) == 200
    assert "100 smaller hosts are not shown" in words_of(page.get_element_by_id("c1-hosts"))
    assert len(page.get_element_by_id("c1-least").findall(".//ol/li")) == 50
    assert "smaller pages with copies are not shown" in words_of(
        page.get_element_by_id("c1-copies")
    )
    assert "smaller templates are not shown" in words_of(page.get_element_by_id("c1-templates"))


def test_every_section_is_there_once_and_every_link_inside_leads_somewhere(large: str) -> None:
    page = html.fromstring(large)
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {f"c1-{name}" for name in SECTIONS} <= set(ids)
    assert {link[1:] for link in page.xpath("//a/@href") if link.startswith("#")} <= set(ids)


def test_nothing_needs_what_the_policy_of_the_page_forbids(large: str) -> None:
    page = html.fromstring(large)
    assert page.xpath("//@style") == []
    assert page.xpath("//@*[starts-with(name(), 'on')]") == []
    assert page.xpath("//link | //img | //iframe | //script[@src] | //object | //form") == []
    assert "default-src 'none'" in page.xpath("//meta[@http-equiv]/@content")[0]


def test_each_of_the_least_confident_pages_has_its_command(large: str) -> None:
    page = html.fromstring(large)
    rows = page.get_element_by_id("c1-least").findall(".//ol/li")
    scores = []
    for place, row in enumerate(rows, 1):
        words = shlex.split(row.findtext(".//code") or "")
        (url,) = row.xpath(".//a/@href")
        assert words == ["webclean", "explain", url, "--html", f"explain-{place}.html"]
        scores.append(float(row.findtext("span") or "nan"))
    assert scores == sorted(scores)


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)", " http://a.example/", "data:text/html,x", "ftp://a.example/", "",
        "-o /etc/passwd", "http://a.example/" + "x" * 900 + "…",
    ],
)  # fmt: skip
def test_only_whole_addresses_of_the_web_are_links_and_have_a_command(url: str) -> None:
    page = page_of(url, "a.html")
    assert (page.text, page.href, page.command) == (url, "", "")


def test_a_command_is_one_word_for_the_shell_whatever_the_address_holds() -> None:
    url = 'http://a.example/?a=1&b=$(reboot)\'; rm -rf "x" #'
    assert shlex.split(page_of(url, "a.html").command)[2] == url


def test_what_pages_say_is_text_in_the_report() -> None:
    evil = "</title></script><img src=x onerror=fire()>{{ 7 * 7 }}"
    tally = CrawlTally()
    url = f'http://a.example/"><script>fire()</script>{evil}'
    note = ItemNote(url, ARTICLE, evil, 0.2, 10, "2026-01-01", evil[:20], evil)
    tally.add_response(url, 200)
    tally.add_item(note, EXPORTED)
    tally.add_item(note, f"dropped/{evil}")
    tally.add_reason("item", f"dropped/{evil}", url, evil)
    data = data_of(tally, **{evil: evil})
    data |= {"spider": evil, "settings": {evil: evil}, "feeds": {evil: 1}}
    for template in data["templates"]:
        template |= {"pages": [url, "javascript:fire()"], "body": evil}
    page = html.fromstring(render_report([data]))
    assert page.xpath("//img") == []
    assert len(page.xpath("//script")) == 1
    assert [link for link in page.xpath("//a/@href") if not re.match(r"https?://|#", link)] == []
    assert "49" not in words_of(page.xpath("//h1/..")[0])
    assert page.text_content().count("{{ 7 * 7 }}") >= 6


def test_several_crawls_are_compared_and_each_is_whole() -> None:
    data = [data_of(fill_tally(count, news_url)) for count in (60, 120)]
    page = html.fromstring(render_report(data, ["monday", "tuesday"]))
    rows = page.xpath("(//table)[1]/tbody/tr")
    assert [words_of(row[0])[-7:] for row in rows] == [" monday", "tuesday"]
    assert [words_of(row.findall("td")[-5]) for row in rows] == ["60", "120"]  # fetched
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {f"c{n}-{name}" for n in (1, 2) for name in SECTIONS} <= set(ids)


@pytest.mark.parametrize(
    ("hosts", "said"),
    [
        (1, "news · h0.example · 2026-11-22 20:15 UTC"),
        (3, "news · h0.example and 2 others · 2026-11-22 20:15 UTC"),
    ],
)
def test_the_head_names_the_site(hosts: int, said: str) -> None:
    tally = fill_tally(9, lambda number: f"http://h{number % hosts}.example/{number}")
    page = html.fromstring(render_report([data_of(tally)]))
    assert words_of(page.find_class("eyebrow")[0]) == f"Crawl report · {said}"


def test_an_empty_crawl_has_a_report() -> None:
    page = html.fromstring(render_report([data_of(CrawlTally())]))
    assert words_of(page.xpath("//h1")[0]) == "Went wrong"
    assert "Nothing was exported" in page.text_content()


@pytest.mark.parametrize(
    "damage",
    [
        {"stats": None}, {"stats": {"elapsed_time_seconds": "long"}}, {"fates": {}},
        {"statuses": {"two hundred": 1}}, {"confidence": [None]}, {"days": {"soon": 1}},
        {"least": [{"url": "http://a.example/"}]}, {"clusters": {"rows": [{}]}},
        {"hosts": {"rows": [7], "left_out": 0, "left_out_size": 0}}, {"templates": [7]},
        {"settings": ["a"]}, {"feeds": 7},
    ],
    ids=str,
)  # fmt: skip
def test_damaged_data_are_an_error_that_says_so(damage: dict[str, Any]) -> None:
    with pytest.raises(ReportFileError, match="the data of a crawl report are damaged"):
        render_report([{**data_of(CrawlTally()), **damage}])


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (size_of(0), "0 B"), (size_of(999), "999 B"), (size_of(1_500), "1.5 kB"),
        (size_of(47_200), "47 kB"), (size_of(3e9), "3.0 GB"), (time_of(7.64), "7.6 s"),
        (time_of(61), "1 min"), (time_of(3_660), "1 h 1 min"),
    ],
)  # fmt: skip
def test_sizes_and_times_are_short(shown: str, expected: str) -> None:
    assert shown == expected
