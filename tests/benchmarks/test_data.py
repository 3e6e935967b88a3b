from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.bodies import ALONE, OURS, Run, SetResult, measure_bodies
from benchmarks.data import load_demo, load_sets
from benchmarks.leave_out import ON_ALL, ON_OTHERS, leave_out_section
from benchmarks.made_pages import SIZES, make_page, make_real_page
from benchmarks.sections import low_pages
from benchmarks.speed import Growth
from webclean_scrapy import clean

if TYPE_CHECKING:
    from pathlib import Path


def write_set(folder: Path, entries: dict[str, dict[str, object]]) -> None:
    folder.mkdir()
    (folder / "gold.json").write_text(json.dumps(entries), "utf-8")
    (folder / "page.gz").write_bytes(gzip.compress("<p>渡船</p>".encode()))


def test_a_folder_of_sets_is_read(tmp_path: Path) -> None:
    entry: dict[str, object] = {
        "file": "page.gz", "url": "", "text": "渡船", "kind": "article",
        "siblings": ["b", "c", "gone"], "sameTemplate": ["c"], "date": None,
    }  # fmt: skip
    write_set(tmp_path / "one", {"a": entry, "b": entry, "c": entry})
    write_set(tmp_path / "two", {})

    assert list(load_sets(tmp_path)) == ["one", "two"]
    page = load_sets(tmp_path, ["one"])["one"]["a"]
    assert (page.text, page.url, page.siblings) == ("<p>渡船</p>", None, ("c", "b"))
    assert page.facts == {"date": ""}
    with pytest.raises(SystemExit, match="three"):
        load_sets(tmp_path, ["three"])


def test_without_a_folder_the_demo_portal_is_measured() -> None:
    pages = load_demo()
    few = dict(list(pages.items())[:8])

    result = measure_bodies(few, (), siblings=1)

    assert {page.kind for page in pages.values()} == {"article", "list"}
    assert result.runs[OURS].score.f1 > 0.9
    assert len(result.runs[OURS].pairs) == len(result.runs[ALONE].pairs) == result.articles
    assert sum(result.of_kind.values()) == 8
    assert result.scored
    assert all(few[key].kind == "article" for key in result.scored)
    assert len(result.scored) == result.articles


def test_pages_below_a_score_are_listed_lowest_first() -> None:
    runs = {
        OURS: Run(pairs=[(0.5, 0.5), (1.0, 1.0), (0.0, 0.0)]),
        ALONE: Run(pairs=[(0.25, 0.25), (0.0, 0.0), (1.0, 1.0)]),
    }

    lines = low_pages(SetResult(3, runs, ["half", "whole", "none"]), 0.85).splitlines()

    assert lines == [
        "F1 0.000 P 0.000 R 0.000 alone 1.000 none",
        "F1 0.500 P 0.500 R 0.500 alone 0.250 half",
    ]


def test_made_pages_have_their_size_and_an_article() -> None:
    for size in SIZES[:4]:
        page = make_page(size)
        assert size * 0.9 < len(page.encode()) < size * 1.1 + 5_000
        assert page == make_page(size)
        assert clean(page).is_article


def test_pages_made_like_those_of_news_have_an_article_in_either_language() -> None:
    pages = [make_real_page(number) for number in range(4)]
    assert pages == [make_real_page(number) for number in range(4)]
    found = [clean(page) for page in pages]
    assert all(article.is_article for article in found)
    assert [article.language for article in found] == ["en", "zh"] * 2


def test_growth_is_fitted_to_large_pages_only() -> None:
    square = {size: 0.1 + size**2 / 1e12 if size < 1e5 else size**2 / 1e12 for size in SIZES}

    assert Growth(square).exponent == pytest.approx(2)
    assert Growth(dict.fromkeys(SIZES[:4], 1.0)).exponent is None


def test_scores_of_the_fits_become_a_table() -> None:
    scores = {
        ON_ALL: {"zh": {False: 0.975, True: 0.9801}},
        ON_OTHERS: {"zh": {False: 0.97, True: 1}},
    }

    table = leave_out_section(scores)

    assert ".975" in table.splitlines()[2]
    assert "-.005" in table.splitlines()[2]
    assert "zh, with a sibling" in table.splitlines()[3]
    assert leave_out_section({}) == "Not measured."
