"""The other methods: what each finds, what it misses by its nature, and where it works."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from webclean_scrapy.dedup.feature_strings import longest_common_run
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.dedup.text_words import WordReader
from webclean_scrapy.errors import ConfigError, StoreSchemeError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Article = Callable[[int], str]

METHODS = ["codes", "keywords", "feature-string", "minhash"]
OTHERS = METHODS[1:]


@pytest.fixture(params=METHODS)
def index(request: pytest.FixtureRequest) -> DuplicateIndex:
    return DuplicateIndex(method=request.param)


def test_a_slightly_edited_copy_is_found_and_another_page_is_not(
    index: DuplicateIndex, make_article: Article, chinese: list[str]
) -> None:
    index.add("a", make_article(1))
    index.add("b", "\n".join(chinese))
    edited = make_article(1) + "\nFrom our partners."
    match = index.find(edited)
    assert match is not None
    assert (match.key, match.verdict) == ("a", "duplicate")
    assert 0.5 <= match.similarity <= 1.0
    match = index.find("\n".join([*chinese, "来源：滨海日报"]))
    assert match is not None
    assert match.key == "b"
    assert index.find(make_article(2)) is None
    assert index.comparisons >= 2


def test_an_equal_text_has_similarity_one(index: DuplicateIndex, make_article: Article) -> None:
    index.add("a", make_article(1))
    match = index.find(make_article(1).upper())
    assert match is not None
    assert match.similarity == 1.0


def test_texts_without_words_are_no_copies_of_each_other(index: DuplicateIndex) -> None:
    index.add("a", "?!")
    index.add("b", "")
    assert index.find("...") is None
    assert list(index.clusters()) == []


def test_pages_can_be_confirmed_replaced_and_removed(
    index: DuplicateIndex, make_article: Article
) -> None:
    assert index.check_and_add("a", make_article(1), run="r") is None
    assert index.find(make_article(1)) is None
    assert index.confirm(["a"]) == 1
    assert index.check_and_add("b", make_article(1)) is not None
    assert list(index.clusters()) == [("a", "b")]
    index.add("a", make_article(2))
    assert index.find(make_article(2)) is not None
    assert index.remove("a")
    assert index.find(make_article(2)) is None
    assert len(index) <= 1


def test_only_codes_separate_reports_with_other_numbers(make_article: Article) -> None:
    report = "\n".join(f"{line[:-1]} {{}} times." for line in make_article(1).split("\n"))
    matched = {}
    for method in METHODS:
        with DuplicateIndex(method=method) as index:
            index.add("a", report.replace("{}", "21"))
            matched[method] = index.find(report.replace("{}", "9")) is not None
    assert not matched["codes"]
    assert matched["keywords"]


def test_moved_paragraphs_break_the_feature_string_alone(make_article: Article) -> None:
    lines = make_article(1).split("\n")
    matching = []
    for method in METHODS:
        with DuplicateIndex(method=method) as index:
            index.add("a", "\n".join(lines))
            if index.find("\n".join(lines[::-1])) is not None:
                matching.append(method)
    assert "feature-string" not in matching
    assert {"codes", "keywords"} <= set(matching)


@pytest.mark.parametrize("method", ["keywords", "feature-string"])
def test_a_file_keeps_the_pages_of_its_method(
    method: str, tmp_path: Path, make_article: Article
) -> None:
    uri = f"sqlite:///{tmp_path}/pages.db"
    with DuplicateIndex(uri, method=method) as index:
        index.add("a", make_article(1))
    with DuplicateIndex(uri, method=method) as index:
        assert index.find(make_article(1) + "\nMore.") is not None
    with pytest.raises(StoreSchemeError, match=method):
        DuplicateIndex(uri)


@pytest.mark.parametrize(
    ("method", "uri", "message"),
    [
        ("minhash", "sqlite:///x.db", "does not support a sqlite store; use None"),
        ("keywords", "redis://localhost/0?prefix=x", "use None .memory. or 'sqlite"),
        ("feature-string", "redis://localhost/0?prefix=x", "or the method 'codes'"),
        ("simhash", None, "method must be one of"),
    ],
)
def test_a_store_that_a_method_cannot_use_is_refused(
    method: str, uri: str | None, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        DuplicateIndex(uri, method=method)


def test_without_datasketch_minhash_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasketch", None)
    with pytest.raises(ConfigError, match=r"webclean-scrapy\[minhash\]"):
        DuplicateIndex(method="minhash")
    DuplicateIndex(method="keywords").close()


def test_the_longest_common_run() -> None:
    assert longest_common_run([], [1]) == 0
    assert longest_common_run([1, 2, 1, 2, 3], [9, 1, 2, 3, 9, 1, 2]) == 3
    assert longest_common_run([5, 5, 5], [5, 5]) == 2


def test_own_words_change_the_fingerprint_and_the_scheme(
    tmp_path: Path, make_article: Article
) -> None:
    uri = f"sqlite:///{tmp_path}/pages.db"
    DuplicateIndex(uri).close()
    for options in ({"stop_words": ["amber"]}, {"user_words": ["渡口委 5"]}, {"idf": {"a": 1.0}}):
        with pytest.raises(StoreSchemeError, match="words"):
            DuplicateIndex(uri, **options)


def test_values_of_an_idf_table_are_bounded() -> None:
    assert WordReader(idf={"harbour": 99.0}).read(["harbour"]).weights.tolist() == [15.0]
