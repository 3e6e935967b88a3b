from __future__ import annotations

import gzip
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.data import load_articles, load_demo
from benchmarks.paper_bodies import alignment_table, decay_table, entropy_tables
from benchmarks.paper_commands import print_page, run_papers
from benchmarks.paper_links import link_blocks_table, measure_link_blocks
from benchmarks.paper_runs import ALONE, CRAWL, PaperRun, Way, join, run_ways
from webclean_scrapy import CleanConfig

if TYPE_CHECKING:
    from pathlib import Path

PAGES = dict(list(load_demo().items())[:12])


def test_right_pages_are_counted_by_site() -> None:
    run = PaperRun([(1.0, 1.0), (0.9, 0.9), (0.5, 0.5)], ["a", "a", "b"])

    assert run.right(0.85) == pytest.approx(2 / 3)
    assert run.right(0.95, "a") == 0.5
    assert run.right(0.85, "b") == 0
    assert join([run, run]).right(0.85) == run.right(0.85)
    assert len(join([run, run]).pairs) == 6


def test_ways_know_what_they_should() -> None:
    lcs = CleanConfig(extractor="lcs")
    runs = run_ways(PAGES, {"no": Way(lcs, ALONE), "one": Way(lcs), "crawl": Way(lcs, CRAWL)})

    articles = len(runs["one"].pairs)
    assert runs["no"].given_way == articles > 2  # there is nothing to align a page with
    assert runs["one"].given_way < articles
    assert 0 < runs["crawl"].given_way < articles  # of each site the first page
    assert runs["no"].sites == runs["one"].sites
    assert runs["no"].f1 > 0.97  # by the default method


def test_asked_for_pages_alone_are_run() -> None:
    key = next(key for key, page in PAGES.items() if page.kind == "article")

    assert len(run_ways(PAGES, {"default": Way()}, [key])["default"].pairs) == 1


def test_every_table_has_its_ways() -> None:
    sets = {"demo": PAGES}

    decay, alignment, entropy = decay_table(sets), alignment_table(sets), entropy_tables(sets)

    assert "T = 0.34" in decay
    assert "default" in decay
    assert "Ts = 0.6" in alignment.split("\n")[0]
    assert "F1 ≥ .85" in alignment
    assert "CPU, `webclean`, alone = 1" in entropy
    assert "`lcs`, alone" not in entropy


def test_more_distance_and_fewer_links_put_more_links_into_blocks() -> None:
    found = measure_link_blocks({"demo": load_demo()})

    assert set(found) == {"articles", "index pages"}
    for shares in found.values():
        means = {key: sum(one[0] for one in some) / len(some) for key, some in shares.items()}
        assert means["text", 5, 3] < means["text", 40, 3] <= 1
        assert means["code", 10, 3] < means["code", 120, 3] <= 1
        assert means["text", 5, 5] <= means["text", 5, 3]
    assert len(link_blocks_table(found).split("\n")) == 2 + 16


def test_an_unknown_part_is_refused() -> None:
    options: Any = SimpleNamespace(data=None, sets=None, only="decoy", output=None)

    with pytest.raises(SystemExit, match="decay, alignment"):
        run_papers(options)


def test_sets_without_articles_or_siblings_are_said(tmp_path: Path) -> None:
    page = {"file": "a.gz", "url": "", "text": "", "kind": "list", "siblings": []}
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "a.gz").write_bytes(gzip.compress(b"<p>Home"))
    (tmp_path / "lists" / "gold.json").write_text(json.dumps({"a": page}), "utf-8")
    alone = {key: replace(page, siblings=()) for key, page in PAGES.items()}

    assert alignment_table({"demo": alone}).startswith("No article")
    with pytest.raises(SystemExit, match="no article in the sets"):
        load_articles(tmp_path)


def test_what_is_printed_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_page(iter(["one", "two"]), tmp_path / "new" / "page.md")

    assert (tmp_path / "new" / "page.md").read_text("utf-8") == capsys.readouterr().out
