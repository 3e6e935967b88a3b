"""docs/ becomes a site: every page in its contents, every link and anchor there, nothing loaded."""

from __future__ import annotations

import doctest
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from lxml import html

import docs.conf
import docs.generate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FORM = re.compile(r"https://[a-z0-9-]+(\.[a-z0-9-]+)+(/[\w./~%@#?=&+()-]*)?")
TOOLS = {"genindex.html", "search.html", "index.html"}  # pages that Sphinx adds, and the contents


def build(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """Make the site as ``make docs`` does."""
    options = [
        "-b",
        "html",
        "-W",
        "--keep-going",
        "-n",
        "-q",
        "-d",
        str(target.with_suffix(".trees")),
    ]
    return subprocess.run(
        [sys.executable, "-m", "sphinx", *options, str(source), str(target)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site") / "docs"
    done = build(DOCS, target)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return target


def written() -> set[str]:
    """Return the pages that are to be there besides the index."""
    return {str(path.relative_to(DOCS).with_suffix(".html")) for path in DOCS.rglob("*.md")} - TOOLS


def pages(site: Path) -> dict[Path, html.HtmlElement]:
    """Return the pages of a site, parsed."""
    return {path: html.fromstring(path.read_bytes()) for path in site.rglob("*.html")}


def lost_links(site: Path) -> Iterator[tuple[str, str]]:
    """Yield (page, link) of each link of the site to a page or a place that is not there."""
    found = pages(site)
    ids = {path: {str(one) for one in page.xpath("//@id")} for path, page in found.items()}
    for path, page in found.items():
        for link in page.xpath("//a/@href"):
            parts = urlsplit(str(link))
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if not target.exists() or (place and place not in ids.get(target, {place})):
                yield path.name, str(link)


def test_each_page_is_in_the_site_and_every_link_leads_to_its_place(site: Path) -> None:
    made = {str(path.relative_to(site)) for path in site.rglob("*.html")} - TOOLS
    assert made == written()
    assert list(lost_links(site)) == []


def test_each_page_is_in_the_contents_beside_it(site: Path) -> None:
    (contents,) = pages(site)[site / "index.html"].xpath("//*[@class='sidebar-tree']")
    listed = {urlsplit(str(link)).path for link in contents.xpath(".//a/@href")}
    assert listed == written()


def test_a_reader_can_search_for_a_setting_a_stat_and_a_message(site: Path) -> None:
    index = (site / "searchindex.js").read_text("utf-8")
    terms = json.loads(index[index.index("(") + 1 : index.rindex(")")])["terms"]
    assert {"webclean_dedup_uri", "low_confid", "sibl", "encod"} <= set(terms)


def test_a_page_of_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    for path, page in pages(site).items():
        loaded = page.xpath("//script/@src | //img/@src | //link[@rel='stylesheet']/@href")
        assert [one for one in loaded if urlsplit(str(one)).netloc] == [], path.name


def test_a_link_to_elsewhere_is_an_address_of_the_open_web(site: Path) -> None:
    """There is no network to ask whether it answers: only its form is checked."""
    links = {str(link) for page in pages(site).values() for link in page.xpath("//a/@href")}
    outside = {link for link in links if urlsplit(link).scheme or urlsplit(link).netloc}
    assert outside
    assert [link for link in outside if not FORM.fullmatch(link)] == []


@pytest.mark.parametrize("module", [docs.conf, docs.generate])
def test_the_examples_in_the_scripts_are_true(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted
    assert found.failed == 0


def test_what_is_wrong_with_a_page_ends_the_build(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    shutil.copy(DOCS / "conf.py", source)
    index = "# Docs\n\n## Pages\n\n| Page | Answers |\n| --- | --- |\n| [in.md](in.md) | ? |\n"
    (source / "index.md").write_text(index)
    (source / "in.md").write_text("# In\n\n[a](index.md#no-such-place) and [b](no-such-page.md)\n")
    (source / "lost.md").write_text("# Lost\n\nIn no table of the index.\n")
    done = build(source, tmp_path / "site")
    assert done.returncode
    faults = ("no-such-place", "no-such-page", "lost.md: WARNING: document isn't included in any")
    assert [fault for fault in faults if fault not in done.stderr] == []
