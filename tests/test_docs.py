"""README.md and docs/ lead where they say, and their generated parts are those of the code."""

from __future__ import annotations

import doctest
import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docs.generate import PARTS, demo_summary, read_part
from tests.crawling import PageSpider
from tests.pages import article, listing
from tests.server import SiteServer
from webclean_scrapy import stats
from webclean_scrapy.items import ArticleItem
from webclean_scrapy.keywords.interest_profile import InterestProfile
from webclean_scrapy.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docs.generate import Part
    from tests.crawling import Crawls

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
COMPARED = [part for part in PARTS if part.make is not demo_summary]


def without_blocks(page: Path) -> str:
    text = page.read_text("utf-8")
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return what links may name behind ``#``: the headings as GitHub writes them."""
    headings = re.findall(r"^#+ (.*)$", without_blocks(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> Iterator[str]:
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", without_blocks(page)):
        name, _, place = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (place and place not in anchors(target)):
            yield link


def first_cells(page: Path, header: str) -> list[str]:
    """Return the words in code in the first column of the table with this first header."""
    text = page.read_text("utf-8")
    table = re.search(rf"^\| {header} \|.*\n\| ---.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table
    return re.findall(r"^\| `(\w+)`", table[1], re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_on_a_page_leads_somewhere(page: Path) -> None:
    assert list(broken_links(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_setting_stat_and_target_on_a_page_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    settings = {setting.name.partition("[")[0] for setting in SETTINGS}
    assert set(re.findall(r"WEBCLEAN_\w*[A-Z]", text)) <= settings
    counted = tuple(value for value in vars(stats).values() if isinstance(value, str))
    groups = tuple(f"{name.rpartition('/')[0]}/" for name in counted)
    named = set(re.findall(r"`(webclean/[\w/]+)`", text))
    assert [name for name in named if not name.startswith(counted) and name not in groups] == []
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", text, re.MULTILINE)) <= set(targets)


@pytest.mark.parametrize("part", COMPARED, ids=lambda part: part.name)
def test_a_generated_part_is_what_the_code_makes(part: Part) -> None:
    content = read_part(part.page.read_text("utf-8"), part.name)
    assert content
    assert content.splitlines() == part.make().splitlines(), "make readme writes it anew"


def test_every_field_of_the_item_is_explained_in_order() -> None:
    assert first_cells(DOCS / "item.md", "Field") == [field.name for field in fields(ArticleItem)]


def test_every_key_of_the_record_is_explained(crawls: Crawls, tmp_path: Path) -> None:
    InterestProfile((("amber", 1.0),), pages=1).save(tmp_path / "profile")
    profile = str(tmp_path / "profile")
    settings = {"WEBCLEAN_INTEREST_PROFILE": profile, "WEBCLEAN_MIN_CONFIDENCE": 1.0}
    with SiteServer({"/news/a.html": article(1)}) as site:
        (item,) = crawls.run(PageSpider, settings, urls=[site.url("/news/a.html")]).items
    assert sorted(first_cells(DOCS / "item.md", "Key")) == sorted(item["webclean"])


def test_the_first_spider_of_the_readme_stays_on_its_site(crawls: Crawls) -> None:
    (source,) = re.findall(r"```python\n([^`]*class News[^`]*)```", README.read_text("utf-8"))
    scope: dict[str, Any] = {}
    exec(source, scope)  # noqa: S102, that is the test
    links = ["/news/a.html", "javascript:void(0)", "mailto:desk@a.example", "#top", "/paper.pdf"]
    with SiteServer({"/": article(1)}) as other, SiteServer({}) as site:
        elsewhere = other.url("/", host="localhost")
        site.routes |= {"/": listing([*links, elsewhere]), "/news/a.html": article(2)}
        start = {"start_urls": [site.url("/")], "allowed_domains": ["127.0.0.1"]}
        crawled = crawls.run(type("Here", (scope["News"],), start))
        assert sorted({*site.paths()} - {"/news/", "/sport/", "/about/"}) == ["/", "/news/a.html"]
    assert other.asked == []
    assert "spider_exceptions/count" not in crawled.stats
    assert any(item["articleBody"] for item in crawled.items)


def test_the_example_of_the_readme_runs_as_printed() -> None:
    flags = doctest.ELLIPSIS | doctest.FAIL_FAST
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=flags)
    assert (failed, tried > 5) == (0, True)
