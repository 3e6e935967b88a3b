"""README.md and docs/ say what is there, and lead where they say."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from docs.generate import PARTS, PICTURES, bodies_table, demo_summary, read_part, read_settings
from docs.stat_notes import NOTES
from tests.crawling import PageSpider
from tests.pages import article, listing
from tests.server import SiteServer
from webclean_scrapy import stats
from webclean_scrapy.commands.command_line import SUBCOMMANDS
from webclean_scrapy.items import ArticleItem
from webclean_scrapy.keywords.interest_profile import InterestProfile
from webclean_scrapy.report.summary import LABELS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docs.generate import Part
    from tests.crawling import Crawls

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
COMPARED = [part for part in PARTS if part.make is not demo_summary]
PACKAGE = ROOT / "webclean_scrapy"
HOMES = [
    ROOT,
    PACKAGE,
    PACKAGE / "cleaning",
    ROOT / "spiders",
]  # what a path in the documents begins at
SOURCES = ("webclean_scrapy", "benchmarks", "spiders", "docs")

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", read(page), re.DOTALL | re.MULTILINE)


def code_files() -> list[Path]:
    return [path for source in SOURCES for path in (ROOT / source).rglob("*.py")]


def without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def first_cells(page: Path, header: str) -> list[str]:
    """Return the words in code in the first column of the table with this first header."""
    table = re.search(rf"^\| {header} \|.*\n\| ---.*\n((?:\|.*\n)+)", read(page), re.MULTILINE)
    assert table
    return re.findall(r"^\| `(\w+)`", table[1], re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Return what links may name behind ``#``: the headings as GitHub writes them."""
    headings = re.findall(r"^#+ (.*)$", without_blocks(text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def broken_links(page: Path, text: str) -> Iterator[str]:
    """Yield each relative link of *text*, as a part of *page*, that leads nowhere."""
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", without_blocks(text)):
        name, _, place = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists() or (place and place not in anchors(read(target))):
            yield link


def stat_names() -> list[str]:
    """Return the names of all stats."""
    values = [value for name, value in vars(stats).items() if name.isupper()]
    return [one for one in values if isinstance(one, str) and one != stats.PREFIX]


@each_page
def test_every_link_on_a_page_leads_somewhere(page: Path) -> None:
    assert list(broken_links(page, read(page))) == []


@pytest.mark.parametrize("link", ["no-such.md", "item.md#no-such", "#no-such", "docs/item.md"])
def test_a_broken_link_is_seen(link: str) -> None:
    text = f"[good](item.md#the-webclean-record), [broken]({link}), [elsewhere](https://a.example)"
    assert list(broken_links(DOCS / "recipes.md", text)) == [link]


def test_every_page_is_in_the_index() -> None:
    listed = set(re.findall(r"\]\(([\w/-]+\.md)\)", read(DOCS / "index.md")))
    assert listed == {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} - {"index.md"}


@each_page
def test_a_page_begins_with_a_sentence_on_its_use(page: Path) -> None:
    title, _, rest = read(page).partition("\n\n")
    assert re.fullmatch(r"# .+", title)
    assert re.match(r"[A-Z`][^|#!]*?[.?](\s|$)", rest), "one sentence: what a reader gets from it"


@each_page
def test_every_name_on_a_page_is_there(page: Path) -> None:
    begin, end = "<!-- begin findings -->", "<!-- end findings -->"  # sentences of the package
    text = re.sub(f"{begin}.*?{end}", "", read(page), flags=re.DOTALL)
    settings = {setting.name for setting in read_settings()}
    assert set(re.findall(r"WEBCLEAN_\w*[A-Z]", text)) <= settings
    targets = re.findall(r"^([a-z]+):.*## ", read(ROOT / "Makefile"), re.MULTILINE)
    assert set(re.findall(r"(?:`|^)make ([a-z]+)", text, re.MULTILINE)) <= set(targets)
    names = tuple(stat_names())
    groups = tuple(f"{name.rpartition('/')[0]}/" for name in names)
    shown = set(re.findall(r"`(webclean/[\w/]+)`", text))
    assert {name for name in shown if not name.startswith(names) and name not in groups} == set()


@each_page
def test_every_path_on_a_page_is_there(page: Path) -> None:
    names = re.findall(r"`([\w/]+\.(?:py|json|sh)|(?:[a-z_]+/)+)`", without_blocks(read(page)))
    paths = {name for name in names if not name.startswith(stats.PREFIX)}
    assert {path for path in paths if not any((home / path).exists() for home in HOMES)} == set()


def test_no_hint_asks_an_index_for_the_package_by_its_name() -> None:
    asked = re.compile(r"pip install[^\n]*webclean[-_]scrapy")
    assert [path for path in [*PAGES, *code_files()] if asked.search(read(path))] == []


def test_every_document_that_the_code_names_is_there() -> None:
    named = {
        (str(path.relative_to(ROOT)), document)
        for path in [*code_files(), ROOT / "pyproject.toml", ROOT / ".importlinter"]
        for document in re.findall(r"docs/[\w/-]+\.md", read(path))
    }
    assert named
    assert [name for name in named if not (ROOT / name[1]).exists()] == []


@pytest.mark.parametrize("part", COMPARED, ids=lambda part: part.name)
def test_a_generated_part_is_what_the_code_makes(part: Part) -> None:
    content = read_part(read(part.page), part.name)
    assert content
    assert content.splitlines() == part.make().splitlines(), "make readme writes it anew"


def test_every_stat_is_explained_once() -> None:
    names = stat_names()
    row = (
        r"^\| `(webclean/[\w/]+)` \| \S.* \| \w.* \| \S.* \| .*\|$"  # meaning, unit, what is normal
    )
    rows = re.findall(row, read(DOCS / "stats.md"), re.MULTILINE)
    assert sorted(rows) == sorted(names) == sorted(NOTES)


def test_the_table_of_bodies_begins_with_ours() -> None:
    assert [row.split(" | ")[0] for row in bodies_table().splitlines()[2:5]] == [
        "| webclean, 1 sibling", "| webclean, no sibling", "| trafilatura",
    ]  # fmt: skip


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_code_makes_of_the_pages(name: str) -> None:
    assert read(DOCS / name).splitlines() == PICTURES[name]().splitlines(), "make readme draws it"


def test_every_field_of_the_item_is_explained_in_order() -> None:
    assert first_cells(DOCS / "item.md", "Field") == [field.name for field in fields(ArticleItem)]


def test_every_key_of_the_record_is_explained(crawls: Crawls, tmp_path: Path) -> None:
    InterestProfile((("amber", 1.0),), pages=1).save(tmp_path / "profile")
    profile = str(tmp_path / "profile")
    settings = {"WEBCLEAN_INTEREST_PROFILE": profile, "WEBCLEAN_MIN_CONFIDENCE": 1.0}
    with SiteServer({"/news/a.html": article(1)}) as site:
        (item,) = crawls.run(PageSpider, settings, urls=[site.url("/news/a.html")]).items
    assert sorted(first_cells(DOCS / "item.md", "Key")) == sorted(item["webclean"])


def test_the_summary_has_a_line_for_each_count() -> None:
    lines = read_part(read(README), "demo").splitlines()[1:-1]
    labels = [label for label in LABELS.values() if label != LABELS["seconds"]]
    assert [re.sub(r"  +[\d,.]+$", "", line) for line in lines] == labels


def test_the_first_spider_of_the_readme_stays_on_its_site(crawls: Crawls) -> None:
    (source,) = [block for block in blocks(README, "python") if "class News" in block]
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


def test_the_readme_is_short_and_shows_the_commands() -> None:
    assert len(read(README).splitlines()) <= 200
    shown = "".join(blocks(README, "sh"))
    assert [name for name in SUBCOMMANDS if f"webclean {name}" not in shown] == []


def test_the_glossary_is_short_and_each_of_its_terms_is_used() -> None:
    glossary = DOCS / "glossary.md"
    terms = re.findall(r"^- \*\*([\w ]+)\*\*: [A-Za-z]", read(glossary), re.MULTILINE)
    assert len(set(terms)) == read(glossary).count("\n- "), "each item is a term, once"
    assert 0 < len(terms) <= 25
    files = [page for page in PAGES if page != glossary]
    text = re.sub(r"[\s_]+", " ", " ".join(map(read, [*files, *code_files()]))).lower()
    assert [term for term in terms if not re.search(rf"\b{term.lower()}", text)] == []
