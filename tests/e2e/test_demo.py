"""What ``make demo`` runs, against the gold of the portal."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

from spiders.demo_run import list_problems
from webclean_scrapy.demo import build_portal, compare
from webclean_scrapy.report.summary import summarize

ROOT = Path(__file__).parents[2]


def test_the_demo_agrees_with_the_gold_and_says_what_it_did(tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "spiders.demo_run"], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": path}, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.returncode == 0
    assert (tmp_path / "out" / "articles.jsonl").exists()
    numbers = {
        line.rsplit(maxsplit=1)[0]: line.rsplit(maxsplit=1)[1]
        for line in done.stdout.split("\n\n")[0].splitlines()
    }
    assert numbers["articles"] == "64"
    assert int(numbers["reposts dropped"]) == 12
    assert float(numbers["requests per page"]) <= 1.2
    assert int(numbers["link blocks removed"]) > 0


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
    assert len(problems_of(empty)) == 64
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
