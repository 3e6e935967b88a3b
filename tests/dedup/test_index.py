"""Every store answers alike: each test runs on all of them."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.dedup.articles import make_article, verdict_of
from webclean_scrapy.dedup.index import DuplicateIndex, Match
from webclean_scrapy.errors import ConfigError

Opener = Callable[..., DuplicateIndex]


@pytest.fixture(params=["memory", "sqlite", "redis"])
def open_index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    opened: list[DuplicateIndex] = []
    place = None
    if request.param == "sqlite":
        place = f"sqlite:///{tmp_path}/pages{{}}.db"
    elif request.param == "redis":
        place = request.getfixturevalue("redis_server").uri("index{}")

    def open_one(**options: Any) -> DuplicateIndex:
        uri = place and place.format(len(opened))
        opened.append(DuplicateIndex(uri, **options))
        return opened[-1]

    yield open_one
    for index in opened:
        index.close()


@pytest.fixture
def index(open_index: Opener) -> DuplicateIndex:
    return open_index()


def test_an_article_is_not_a_copy_of_a_list_that_repeats_it(open_index: Opener) -> None:
    index = open_index()
    of_list = index.fingerprinter.make(make_article(1)).of_list()
    assert index.check_and_add("list", of_list) is None
    assert index.check_and_add("article", make_article(1)) is None
    assert verdict_of(index.check_and_add("again", of_list)) == ("list", "duplicate")
    assert verdict_of(index.check_and_add("copy", make_article(1))) == ("article", "duplicate")


def test_goods_are_copies_only_of_goods_with_their_name(index: DuplicateIndex) -> None:
    made = index.fingerprinter.make(make_article(1))
    lamp, chair, again = map(made.of_record, ("Lamp 12", "Chair", " lamp  12"))
    assert index.check_and_add("lamp", lamp) is None
    assert index.check_and_add("chair", chair) is None
    assert index.check_and_add("article", made) is None
    assert verdict_of(index.check_and_add("again", again)) == ("lamp", "duplicate")


def test_a_page_is_found_again_by_a_copy(index: DuplicateIndex) -> None:
    text = make_article(1)
    index.add("a", text, title="One")
    match = index.find("By our correspondent. " + text[:-60], title="Another title")
    assert match is not None
    assert (match.key, match.verdict) == ("a", "duplicate")
    assert 0.8 < match.similarity <= 1.0
    assert index.find(make_article(2)) is None


def test_few_comparisons_are_made(index: DuplicateIndex) -> None:
    for seed in range(40):
        index.add(str(seed), make_article(seed))
    before = index.comparisons
    for seed in range(40):
        assert index.find(make_article(seed)) == Match(
            key=str(seed), similarity=1.0, own=0.0, verdict="duplicate"
        )
    assert index.comparisons - before == 40


def test_a_copy_joins_the_cluster_and_is_not_compared_with(index: DuplicateIndex) -> None:
    text = make_article(1)
    assert index.check_and_add("a", text) is None
    for key in "bc":
        assert verdict_of(index.check_and_add(key, f"Version {key}: {text}")) == ("a", "duplicate")
    index.add("d", make_article(2))
    assert list(index.clusters()) == [("a", "b", "c")]
    assert len(index) == 4


def test_a_key_seen_again_is_no_duplicate_and_its_new_text_counts(index: DuplicateIndex) -> None:
    for _ in range(3):
        assert index.check_and_add("a", make_article(1)) is None
    assert len(index) == 1
    index.add("a", make_article(2))
    assert index.find(make_article(1)) is None
    assert index.find(make_article(2)) is not None
    assert len(index) == 1


def test_a_page_that_becomes_a_copy_moves_its_copies_and_may_be_a_page_again(
    index: DuplicateIndex,
) -> None:
    index.add("a", make_article(1))
    index.add("copy of a", make_article(1))
    index.add("b", make_article(2))
    index.add("a", make_article(2))
    assert list(index.clusters()) == [("a", "copy of a", "b")]
    assert index.find(make_article(1)) is None
    index.add("a", make_article(3))
    assert verdict_of(index.find(make_article(3))) == ("a", "duplicate")


def test_a_removed_copy_leaves_its_page_and_a_removed_page_takes_its_copies_along(
    index: DuplicateIndex,
) -> None:
    for key, seed in (("a", 1), ("b", 1), ("c", 1), ("d", 2)):
        index.add(key, make_article(seed))
    assert index.remove("c")
    assert index.find(make_article(1)) is not None
    assert list(index.clusters()) == [("a", "b")]
    assert [index.remove(key) for key in "aab"] == [True, False, False]
    assert len(index) == 1
    assert index.check_and_add("e", make_article(1)) is None


def test_pending_pages_count_for_their_run_confirmed_ones_for_all(index: DuplicateIndex) -> None:
    text = make_article(1)
    assert index.check_and_add("a", text, run="dead") is None
    assert index.check_and_add("b", text, run="now") is None
    assert verdict_of(index.check_and_add("a", text, run="now")) == ("b", "duplicate")
    assert index.find(text, run="now") is not None
    assert index.find(text) is None
    assert index.confirm(["b", "unknown"]) == 1
    assert index.confirm(["b"]) == 0
    assert index.check_and_add("c", text, run="next") is not None


def test_an_update_can_be_found_as_well_or_is_dropped(open_index: Opener) -> None:
    old, news = make_article(1), make_article(2) + "\n" + make_article(3)
    for updates, found_again in (("keep", True), ("drop", False)):
        index = open_index(updates=updates)
        index.add("old", old)
        assert verdict_of(index.check_and_add("new", news + "\n" + old)) == ("old", "update")
        assert list(index.clusters()) == [("old", "new")]
        assert (index.find(news) is not None) is found_again


@pytest.mark.parametrize("share", [0.1, 0.2, 0.4, 0.6])
def test_an_article_outlives_its_stub_unlike_copies(index: DuplicateIndex, share: float) -> None:
    sentences = make_article(1, 40).split("\n")
    index.add("stub", "\n".join(sentences[: round(share * 40)]))
    update = index.check_and_add("article", "\n".join(sentences), run="day")
    assert update is None or (update.key, update.verdict) == ("stub", "update")
    assert update is not None or share < 0.2
    index.confirm(["article"])
    for part in (sentences, sentences[1:], sentences[:-4], sentences[8:], sentences[10:32]):
        copy = index.find("\n".join(part))
        assert copy is not None
        assert copy.verdict == "duplicate"
        assert copy.key == "article" or len(part) < 36


def test_what_adds_less_than_a_quarter_is_a_duplicate_else_an_update(index: DuplicateIndex) -> None:
    sentences = make_article(1, 80).split("\n")
    verdicts = [
        verdict_of(index.check_and_add(f"{end}", "\n".join(sentences[:end])))
        for end in (30, 34, 45, 50, 70)  # what a live ticker says, hour by hour
    ]
    assert verdicts == [
        None, ("30", "duplicate"), ("30", "update"), ("45", "duplicate"), ("45", "update"),
    ]  # fmt: skip


def ticker(*hours: int) -> str:
    """A page that repeats at each hour its older text, below much that is new."""
    return "\n".join(make_article(n) + "\n" + make_article(50 + n) for n in reversed(hours))


def is_found_as(index: DuplicateIndex, text: str, run: str | None = None) -> str | None:
    match = index.find(text, run=run)
    return match.key if match else None


def test_a_confirmed_update_replaces_the_older_page(open_index: Opener) -> None:
    index = open_index(updates="replace")
    old = make_article(1)
    news = ticker(2)
    index.add("old", old)
    assert verdict_of(index.check_and_add("new", news + "\n" + old, run="r")) == ("old", "update")
    assert is_found_as(index, old) == "old"  # for other runs nothing has changed
    assert is_found_as(index, news) is None
    assert is_found_as(index, news, run="r") == "new"

    assert index.confirm(["new"]) == 1
    assert is_found_as(index, news) == is_found_as(index, old) == "new"
    assert list(index.clusters()) == [("old", "new")]
    assert index.remove("old")  # a copy by now
    assert is_found_as(index, old) == "new"


def test_an_update_that_was_never_exported_replaces_nothing(open_index: Opener) -> None:
    index = open_index(updates="replace")
    old = make_article(1)
    newer = ticker(2) + "\n" + old
    index.add("old", old)
    index.check_and_add("killed", newer, run="dead")
    index.check_and_add("lost", newer, run="now")
    index.remove("lost")
    assert is_found_as(index, old) == "old"
    assert verdict_of(index.check_and_add("new", newer, run="next")) == ("old", "update")
    index.confirm(["new"])
    assert is_found_as(index, old) == is_found_as(index, newer) == "new"
    # another run may still export its own: that one is replaced with the next version at most
    assert list(index.clusters()) == [("old", "killed", "new")]


def test_each_version_replaces_the_one_before_it(open_index: Opener) -> None:
    index = open_index(updates="replace")
    versions = [ticker(*range(1, 2**n)) for n in range(1, 5)]
    index.add("0", versions[0])
    for number in (1, 2, 3):
        update = index.check_and_add(f"{number}", versions[number], run="r")
        assert verdict_of(update) == (f"{number - 1}", "update")
    assert is_found_as(index, versions[3], run="r") == "3"
    assert index.confirm(["1", "3", "2"]) == 2  # by then "2" is but a copy of "3"
    for version in versions[2:]:  # the sample of "3" holds too few codes of the first ones
        assert is_found_as(index, version) == "3"
    assert is_found_as(index, versions[0]) is None


def test_an_update_that_is_added_confirmed_replaces_at_once(open_index: Opener) -> None:
    index = open_index(updates="replace")
    old, other = make_article(1), make_article(9)
    index.add("old", old)
    index.add("unlike", other)
    index.add("new", ticker(2) + "\n" + old)
    assert is_found_as(index, old) == "new"
    assert is_found_as(index, other) == "unlike"


def test_a_confirmed_page_that_a_run_adds_again_matches_itself(index: DuplicateIndex) -> None:
    index.check_and_add("a", make_article(1), run="first")
    assert index.check_and_add("a", make_article(1), run="first") is None  # its second item
    index.confirm(["a"])
    corrected = make_article(1) + "\nCorrected."
    assert verdict_of(index.check_and_add("a", corrected, run="second")) == ("a", "duplicate")
    assert is_found_as(index, make_article(1)) == "a"  # it still is confirmed
    assert index.check_and_add("a", make_article(2), run="second") is None
    assert len(index) == 1


def test_a_page_updated_under_its_own_key_is_an_update(open_index: Opener) -> None:
    old = make_article(1)
    newer = ticker(2) + "\n" + old
    for updates, is_kept in (("drop", False), ("keep", True), ("replace", True)):
        index = open_index(updates=updates)
        index.add("a", old)
        assert verdict_of(index.check_and_add("a", newer, run="r")) == ("a", "update")
        assert index.confirm(["a"]) == is_kept
        assert len(index) == 1
        match = index.find(newer)
        assert match is not None
        assert (match.verdict == "duplicate") is is_kept


def test_another_text_of_a_known_key_is_a_version_after_a_kill_too(open_index: Opener) -> None:
    index = open_index(versions="all", clock=lambda: 1_000.0)
    first, other = make_article(1), make_article(2)
    corrected = f"{first}\nCorrected on Friday."
    count = len(corrected.splitlines())
    index.check_and_add("a", first, run="one")
    index.confirm(["a"])
    for run in ("killed", "lost", "two"):  # the first two of them never export it
        match = index.check_and_add("a", corrected, run=run)
        assert match is not None
        assert verdict_of(match) == ("a", "version")
        assert match.change == (2, round(1 / (2 * count - 1), 3), 1, 0, 1_000)
        if run == "lost":
            index.remove("a")
            assert index.find(corrected) is None
    index.confirm(["a"])
    less, turned = corrected.split("\n", 1)[1], "\n".join(corrected.splitlines()[::-1])
    for key, same in (("a", less), ("a", turned), ("copy", corrected)):
        assert verdict_of(index.check_and_add(key, same, run="three")) == ("a", "duplicate")
    rewritten = index.check_and_add("a", other, run="four")
    assert rewritten is not None
    assert rewritten.change == (3, 1.0, len(other.splitlines()), count, 1_000)


@pytest.mark.parametrize(
    ("versions", "of", "verdict"), [("all", "b", "version"), ("first", "a", "duplicate")]
)
def test_a_known_key_that_repeats_another_page_is_a_copy(
    open_index: Opener, versions: str, of: str, verdict: str
) -> None:
    index = open_index(versions=versions)
    for key, text in zip("ab", (make_article(1), make_article(2)), strict=True):
        index.check_and_add(key, text, run="one")
    index.confirm("ab")
    assert verdict_of(index.check_and_add("a", make_article(2), run="two")) == (of, "duplicate")
    assert verdict_of(index.check_and_add("a", make_article(3), run="two")) == ("a", verdict)


def test_a_cluster_stays_when_one_of_two_representatives_is_removed(index: DuplicateIndex) -> None:
    old, news = make_article(1), make_article(2) + "\n" + make_article(3)
    index.add("old", old)
    index.add("new", news + "\n" + old)
    index.add("copy", news)
    assert index.remove("old")
    assert list(index.clusters()) == [("new", "copy")]
    index.add("new", make_article(4))
    assert index.find(make_article(4)) is not None


@pytest.mark.parametrize(
    ("limit", "most"), [({"max_pages_per_code": 3}, 3), ({"max_candidates": 2}, 2)]
)
def test_few_pages_over_one_boilerplate_are_compared_and_a_copy_is_found(
    open_index: Opener, limit: dict[str, Any], most: int
) -> None:
    index = open_index(own_share=0.01, **limit)
    texts = [make_article(seed)[:300] + make_article(0) for seed in range(1, 13)]
    for seed, text in enumerate(texts[:-1]):
        index.add(str(seed), text)
    before = index.comparisons
    assert index.find(texts[-1]) is None
    assert index.comparisons - before <= most
    assert verdict_of(index.find(texts[6])) == ("6", "duplicate")


def test_short_texts_are_found_only_if_equal(index: DuplicateIndex) -> None:
    assert index.is_short("Page not found", title="Westmere")
    assert index.is_short("")
    assert not index.is_short(make_article(1))
    index.add("a", "Page not found", title="Westmere")
    assert index.find("page not found!", title="Westmere") is not None
    assert index.find("Page not found", title="Eastmere") is None
    assert index.find("Page was not found", title="Westmere") is None
    index.add("empty", "")
    assert index.find("") is None


@pytest.mark.parametrize("text", ["\ud800", "a\0b", "?!" * 1000, " ", "\n" * 50])
def test_strange_texts_and_keys_are_accepted(index: DuplicateIndex, text: str) -> None:
    assert index.check_and_add("clé 键 \n", text) is None
    assert len(index) == 1
    assert index.remove("clé 键 \n")


def test_a_lone_surrogate_stays_in_a_key_and_counts_in_no_text(open_index: Opener) -> None:
    index = open_index()
    key, copy, run = "a\udcff", "b\ud83d", "run\udc00"
    assert index.check_and_add(key, make_article(1) + "\ud800", run=run) is None
    assert verdict_of(index.find(make_article(1), run=run)) == (key, "duplicate")
    assert index.confirm([key, "a?"]) == 1
    assert verdict_of(index.check_and_add(key, make_article(1), run=run)) == (key, "duplicate")
    assert verdict_of(index.check_and_add(copy, make_article(1), title="\ud83d")) == (
        key,
        "duplicate",
    )
    assert verdict_of(index.find(make_article(1))) == (key, "duplicate")
    assert [*index.clusters()] == [(key, copy)]
    assert index.remove(copy)
    assert index.remove(key)
    assert len(index) == 0


def test_a_wrong_option_or_address_is_refused() -> None:
    with pytest.raises(ConfigError, match="sampel"):
        DuplicateIndex(sampel=3)
    for uri in ("mysql://x", "sqlite://pages.db", "sqlite:///", "sqlite:///pages%00.db"):
        with pytest.raises(ConfigError, match="unknown store"):
            DuplicateIndex(uri)


def test_of_threads_that_add_one_page_one_is_accepted(index: DuplicateIndex) -> None:
    accepted: list[str] = []

    def bring(name: int) -> None:
        accepted.extend(
            str(seed)
            for seed in range(10)
            if index.check_and_add(f"{name}/{seed}", make_article(seed)) is None
        )

    threads = [threading.Thread(target=bring, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(accepted) == sorted(map(str, range(10)))
