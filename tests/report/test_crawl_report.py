import shlex
from pathlib import Path

import pytest
from lxml import html
from lxml.html import HtmlElement

from tests.report.crawl_reports import data_of, fill_tally, news_url
from webclean_scrapy.report.crawl_report import read_report, render_report, write_report
from webclean_scrapy.report.crawl_tally import ARTICLE, EXPORTED, CrawlTally, ItemNote

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
    assert 100_000 < len(large.encode()) < 466_000
    page = html.fromstring(large)
    assert len(page.get_element_by_id("c1-hosts").findall(".//tbody/tr")) == 200
    assert "100 smaller ones are not shown" in words_of(page.get_element_by_id("c1-hosts"))
    assert len(page.get_element_by_id("c1-least").findall(".//ol/li")) == 50
    assert "smaller ones are not shown" in words_of(page.get_element_by_id("c1-templates"))


def test_every_section_is_there_once_and_every_link_inside_leads_somewhere(large: str) -> None:
    page = html.fromstring(large)
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {f"c1-{name}" for name in SECTIONS} <= set(ids)
    assert {link[1:] for link in page.xpath("//a/@href") if link.startswith("#")} <= set(ids)


def test_each_of_the_least_confident_pages_has_its_command() -> None:
    url = 'http://a.example/?a=1&b=$(reboot)\'; rm -rf "x" #'
    tally = fill_tally(600, news_url)
    tally.add_item(ItemNote(url, ARTICLE, 0.0), EXPORTED)
    page = html.fromstring(render_report([data_of(tally)]))
    rows = page.get_element_by_id("c1-least").findall(".//ol/li")
    scores = [float(row.findtext("span") or "nan") for row in rows]
    assert scores == sorted(scores)
    for row in rows:
        words = shlex.split(row.findtext(".//code") or "")
        assert words[:2] == ["webclean", "explain"]
        assert words[2:4] == [*row.xpath(".//a/@href"), "--html"]
    assert shlex.split(rows[0].findtext(".//code") or "")[2] == url


def test_several_crawls_are_compared_and_each_is_whole() -> None:
    data = [data_of(fill_tally(count, news_url)) for count in (60, 120)]
    page = html.fromstring(render_report(data, ["monday", "tuesday"]))
    rows = page.xpath("(//table)[1]/tbody/tr")
    assert [words_of(row[0])[-7:] for row in rows] == [" monday", "tuesday"]
    assert [words_of(row.findall("td")[-5]) for row in rows] == ["60", "120"]  # fetched
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {f"c{n}-{name}" for n in (1, 2) for name in SECTIONS} <= set(ids)


def test_data_come_back_as_they_were_written(tmp_path: Path) -> None:
    data = {**data_of(CrawlTally()), "spider": "\ud800"}
    write_report(data, tmp_path / "r.json")
    read = read_report(tmp_path / "r.json")
    assert {name: read[name] for name in data} == data
    write_report(data, tmp_path / "r.HTML")
    assert (tmp_path / "r.HTML").read_text("utf-8").startswith("<!doctype html>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.HTML", "r.json"]
