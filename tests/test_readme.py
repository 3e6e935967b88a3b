"""README.md and docs/ say what is there."""

from __future__ import annotations

import argparse
import doctest
import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from docs.fill_readme import PICTURES, bodies_table, read_part, settings_table
from tests.crawling import PageSpider
from tests.pages import article
from tests.server import SiteServer
from webclean_scrapy import stats
from webclean_scrapy.commands.webclean import Command
from webclean_scrapy.items import ArticleItem
from webclean_scrapy.report.summary import LABELS
from webclean_scrapy.settings import SETTINGS

if TYPE_CHECKING:
    from tests.crawling import Crawls

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


def first_cells(header: str) -> list[str]:
    """Return the words in code in the first column of the table with this first header."""
    table = re.search(rf"^\| {header} \|.*\n\| ---.*\n((?:\|.*\n)+)", README, re.MULTILINE)
    assert table
    return re.findall(r"^\| `(\w+)`", table[1], re.MULTILINE)


def test_the_table_of_settings_is_the_one_in_the_code() -> None:
    assert read_part(README, "settings").splitlines() == settings_table().splitlines()


def test_the_table_of_bodies_is_that_of_the_results_page() -> None:
    rows = bodies_table().splitlines()

    assert read_part(README, "bodies").splitlines() == rows, "make readme fills it in anew"
    assert [row.split(" | ")[0] for row in rows[2:5]] == [
        "| webclean, 1 sibling", "| webclean, no sibling", "| trafilatura",
    ]  # fmt: skip


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_code_makes_of_the_pages(name: str) -> None:
    drawn = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert drawn.splitlines() == PICTURES[name]().splitlines(), "make readme draws it anew"


def test_every_field_of_the_item_is_explained_in_order() -> None:
    assert first_cells("Field") == [field.name for field in fields(ArticleItem)]


def test_every_key_of_the_record_is_explained(crawls: Crawls) -> None:
    with SiteServer({"/news/a.html": article(1)}) as site:
        (item,) = crawls.run(PageSpider, urls=[site.url("/news/a.html")]).items
    assert sorted(first_cells("Key")) == sorted(item["webclean"])


def test_the_summary_has_a_line_for_each_count() -> None:
    lines = read_part(README, "demo").splitlines()[1:-1]
    labels = [label for label in LABELS.values() if label != LABELS["seconds"]]
    assert [re.sub(r"  +[\d,.]+$", "", line) for line in lines] == labels


def test_the_session_in_the_readme_goes_as_written() -> None:
    (session,) = blocks("pycon")
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", None, 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_the_python_of_the_readme_runs() -> None:
    scope: dict[str, object] = {}
    for source in blocks("python"):
        exec(source, scope)  # noqa: S102, that is the test
    assert scope["ADDONS"] == {"webclean_scrapy.Addon": 500}
    assert "News" in scope


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_name_on_a_page_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"WEBCLEAN_\w*[A-Z]", text)) <= {setting.name for setting in SETTINGS}
    targets = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", text, re.MULTILINE)) <= set(targets)
    names = {value for name, value in vars(stats).items() if name.isupper()}
    found = set(re.findall(r"`(webclean/[\w/]+)`", text))
    assert {name for name in found if not name.startswith(tuple(names))} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_on_a_page_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        name, _, place = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if place:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert place in {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings}


def test_the_commands_of_the_readme_are_there() -> None:
    command = Command()
    command.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    shown = [line.partition("#")[0] for line in README.splitlines() if "scrapy webclean" in line]
    assert shown
    for line in shown:
        name, *rest = line.split("scrapy webclean ", 1)[1].split()
        assert name in command.syntax()
        _, unknown = parser.parse_known_args(rest)
        assert [word for word in unknown if word.startswith("-")] == []
