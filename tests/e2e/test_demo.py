"""The program behind ``make demo``, compared with the portal's gold."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lxml import html as parser

from spiders.demo.compare import path_of_url
from tests.commands.running import call, read_records
from tests.warcs import write_warc

ROOT = Path(__file__).parents[2]
TEXTS = 65  # of the portal, copies aside
TITLE = "Tidal mill grinds again, and the baker sets her alarm by the moon"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """Run the program behind ``make demo`` in its ``cwd``."""
    folder = tmp_path_factory.mktemp("demo")
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "spiders.demo_run"], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": path}, check=False,
    )  # fmt: skip
    done.args = folder
    return done


def test_the_demo_agrees_with_the_gold_and_says_so(demo: subprocess.CompletedProcess[str]) -> None:
    # On a busy machine: how many pages a second, or seconds a page.
    assert all(re.search("pages/s|s/ pages", line) for line in demo.stderr.splitlines())
    assert demo.returncode == 0
    assert (demo.args / "out" / "articles.jsonl").exists()
    numbers = {
        line.rsplit(maxsplit=1)[0]: line.rsplit(maxsplit=1)[1]
        for line in demo.stdout.split("\n\n")[1].splitlines()
    }
    updates = int(numbers["updates of earlier pages kept"])
    assert updates >= 1  # the article whose teaser was crawled before it
    assert int(numbers["articles"]) == TEXTS + updates
    assert int(numbers["reposts dropped"]) == 13 - updates
    assert float(numbers["requests per page"]) <= 1.2
    assert int(numbers["link blocks removed"]) > 0


def test_the_demo_shows_an_article_and_writes_pages_to_look_at(
    demo: subprocess.CompletedProcess[str],
) -> None:
    records = read_records(demo.args / "out" / "articles.jsonl")
    (shown_one,) = (record for record in records if record["headline"] == TITLE)
    assert shown_one["webclean"]["confidence"] > 0.8
    said = demo.stdout.splitlines()
    place = said.index(f"  {TITLE}")
    shown = " ".join(line.strip() for line in said[place + 1 : place + 4]).removesuffix("…")
    assert len(shown) > 100
    assert " ".join(shown_one["articleBody"].split()).startswith(shown.strip())
    pages = [line.split()[0] for line in said if re.match(r"\s+out/\w+\.html ", line)]
    for page in pages:
        assert "<html" in (demo.args / page).read_text("utf-8")
    assert len(pages) == 2
    assert TITLE in (demo.args / pages[0]).read_text("utf-8")


def test_console_and_report_count_alike_and_no_link_leads_to_the_server(
    demo: subprocess.CompletedProcess[str],
) -> None:
    pages = {name: read_html(demo.args / "out" / f"{name}.html") for name in ("report", "explain")}
    said = {
        label: tuple(re.findall(rf"^{label} +(\d+)$", demo.stdout, re.MULTILINE))
        for label in ("pages fetched", "articles", "reposts dropped", "siblings fetched")
    }
    (sites,) = pages["report"].xpath("//*[@aria-label='Sites']//tbody/tr")
    fetched, _, exported, copies, _, _, _, siblings, _ = (td.text for td in sites.findall("td"))
    assert [(fetched,), (exported,), (copies,), (siblings,)] == list(said.values())
    (line,) = pages["report"].xpath("//h1/following-sibling::p[1]/text()")
    assert re.findall(r"\d+", line) == [exported, fetched, copies]
    links = [link for page in pages.values() for link in page.xpath("//a/@href")]
    assert [link for link in links if not link.startswith("#")] == []
    assert pages["report"].xpath("//code[@class='command']") == []


def test_the_item_of_the_readme_is_one_of_the_demo(demo: subprocess.CompletedProcess[str]) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    shown = json.loads(block)
    path = path_of_url(shown.pop("url"))
    records = read_records(demo.args / "out" / "articles.jsonl")
    (record,) = (each for each in records if path_of_url(each["url"]) == path)
    note = shown.pop("webclean")
    assert note.pop("confidence") > 0.8  # it depends on which of its pages came first
    assert note.items() <= record["webclean"].items()
    for name, value in shown.items():
        if isinstance(value, str) and value.endswith("…"):
            assert record[name].startswith(value.removesuffix("…"))
        else:
            assert record[name] == value


def read_html(path: Path) -> Any:
    return parser.fromstring(path.read_text("utf-8"))


def test_an_archive_of_the_portal_gives_the_articles_of_its_crawl(
    demo: subprocess.CompletedProcess[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write_warc(demo.args / "portal.warc.gz", "http://portal.example")
    out = demo.args / "archive.jsonl"
    words = "clean", str(demo.args / "portal.warc.gz"), "--json", "-o", str(out)
    assert call(capsys, *words).code == 0
    cleaned = {path_of_url(record["url"]): record["articleBody"] for record in read_records(out)}
    crawled = read_records(demo.args / "out" / "articles.jsonl")
    different = [
        record["url"]
        for record in crawled
        if cleaned[path_of_url(record["url"])] != record["articleBody"]
    ]
    assert len(crawled) >= TEXTS
    assert different == []
