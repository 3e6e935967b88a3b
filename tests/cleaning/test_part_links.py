"""The links of a page to other pages of its article, by the form of their addresses."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.toml_files import read_toml
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.cleaning.part_links import PartLinks, later_keys, part_links

SITE = "https://a.example"
CASES = read_toml(Path(__file__).with_name("part_links.toml"))["case"]


def read(url: str, *links: str, head: str = "") -> PartLinks:
    body = "".join(link if "<" in link else f'<a href="{link}">go on</a>' for link in links)
    return part_links(RawPage(f"<head>{head}</head><body><p>Text.</p>{body}", SITE + url))


@pytest.mark.parametrize(
    ("name", "row"), [(case["name"], row) for case in CASES for row in case["rows"]]
)
def test_a_page_leads_to_the_parts_that_its_case_says(name: str, row: dict[str, Any]) -> None:
    found = read(row["url"], *row["links"], head=row.get("head", ""))
    numbered = {str(number): address for number, address in found.numbered.items()}

    assert [*numbered] == row.get("numbers", [*numbered]), name
    assert numbered == row.get("numbered", numbered), name
    assert found.first == row.get("first", found.first), name
    assert found.whole or not row.get("whole"), name


@pytest.mark.parametrize(
    ("href", "is_found"),
    [("?view=full", True), ("/story?page=all", True), ("/story/all/", True),
     ("story_full.html", True), ("?show_all=1", True), ("/story?full", True),
     ("?view=fuller", False), ("/story/allies", False), ("/story?fullname=x", False),
     ("/story?print=1", False), ("/storyall", False)],
)  # fmt: skip
def test_the_whole_is_found_where_no_numbers_are(href: str, is_found: bool) -> None:
    page = RawPage(f'<p>Text.</p><a href="{href}">On</a>', f"{SITE}/story")
    assert bool(part_links(page, [href])) is is_found


@given(st.text(), st.text())
def test_any_page_and_address_can_be_read(html: str, link: str) -> None:
    part_links(RawPage(f'{html}<a href="{link}">2</a><a href="?page=2">2</a>', SITE + "/a"))
    part_links(RawPage(f'<base href="{link}"><a href="?page=2">2</a>', SITE + "/" + link))


def test_a_long_query_takes_time_in_proportion() -> None:
    assert_linear(later_keys, lambda size: f"{SITE}/story?{'a=1&' * size}", 300)


def test_rows_of_numbers_are_told_apart_by_their_form() -> None:
    found = read("/story", "?cpage=2", "?cpage=3", "?page=2", "/story/2")
    assert [sorted(one) for one in found.series.values()] == [[2, 3], [2], [2]]
