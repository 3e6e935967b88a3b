"""What ``make demo`` runs, against the gold of the portal."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spiders.demo import build_portal, compare
from spiders.demo.compare import path_of_url
from spiders.demo_run import list_problems
from tests.commands.running import call
from tests.warcs import write_warc
from webclean_scrapy.report.summary import summarize

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """What ``make demo`` runs, in the folder of its ``cwd``."""
    folder = tmp_path_factory.mktemp("demo")
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "spiders.demo_run"], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": path}, check=False,
    )  # fmt: skip
    done.args = folder
    return done


def test_the_demo_agrees_with_the_gold_and_says_what_it_did(
    demo: subprocess.CompletedProcess[str],
) -> None:
    assert demo.stderr == ""
    assert demo.returncode == 0
    assert (demo.args / "out" / "articles.jsonl").exists()
    numbers = {
        line.rsplit(maxsplit=1)[0]: line.rsplit(maxsplit=1)[1]
        for line in demo.stdout.split("\n\n")[0].splitlines()
    }
    assert numbers["articles"] == "69"
    assert int(numbers["reposts dropped"]) == 9
    assert int(numbers["updates of earlier pages kept"]) == 4
    assert float(numbers["requests per page"]) <= 1.2
    assert int(numbers["link blocks removed"]) > 0


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
    assert len(crawled) == 69
    assert different == []


def read_records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def perfect_records() -> list[dict[str, str]]:
    return [
        {"url": f"http://x{path}", "headline": article.title, "articleBody": article.text}
        for path, article in build_portal().articles.items()
        if article.repost_of is None
    ]


def problems_of(records: list[dict[str, str]], requests: int = 110) -> list[str]:
    found = {"webclean/clean/pages": 100, "downloader/request_count": requests}
    return list_problems(compare(records, build_portal().articles), summarize(found))


def test_a_perfect_crawl_has_no_problems() -> None:
    assert problems_of(perfect_records()) == []


def test_every_kind_of_problem_is_reported() -> None:
    records = perfect_records()
    lost, first = records.pop(), records[0]
    assert problems_of(records) == [f"missing: {lost['url'].removeprefix('http://x')}"]
    assert problems_of([*perfect_records(), first])[0].startswith("doubled: /")
    assert problems_of([*perfect_records(), {"url": "http://x/hexi/"}]) == ["extra: /hexi/"]
    assert problems_of(perfect_records(), requests=121) == ["1.21 requests per page, limit 1.2"]
    repost = next(path for path, a in build_portal().articles.items() if a.repost_of)
    kept = [*perfect_records(), {"url": f"http://x{repost}"}]
    assert f"reposts_kept: {repost}" in problems_of(kept)
    empty = [{**record, "articleBody": ""} for record in perfect_records()]
    assert len(problems_of(empty)) == 65
    assert problems_of([*records[1:], {**first, "articleBody": "x"}, lost]) == [
        f"another body: {first['url'].removeprefix('http://x')} "
        + compare([{**first, "articleBody": "x"}], build_portal().articles).differences[
            first["url"].removeprefix("http://x")
        ]
    ]


def test_the_limits_are_those_that_are_promised() -> None:
    from spiders import demo_run

    assert demo_run.MAX_REQUESTS_PER_PAGE == 1.2
    assert {field.name for field in dataclasses.fields(summarize({}))} >= {"siblings", "lists"}
