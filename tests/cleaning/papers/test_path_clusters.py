from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.reading import OTHER_SENTENCE, SENTENCE, row_of, table_of
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.papers.entropy_path import PathConfig
from webclean_scrapy.cleaning.papers.path_clusters import CLUSTERS_COMPARED, PathBook

HOST = "a.example"
TWO_PAGES = PathConfig(min_pages=2)
Vote = tuple[PageTable, int]


def page(body: str = SENTENCE * 4, feed: str = OTHER_SENTENCE, kind: str = "story") -> PageTable:
    """Return a page of the template *kind*."""
    return table_of(
        f"<div class={kind}><div id=head>Head</div><div id=text>{body}</div></div>"
        f"<div class=side><div id=feed>{feed}</div></div>"
    )


def vote(ident: str = "text", **parts: str) -> Vote:
    table = page(**parts)
    return table, row_of(table, ident)


def book_of(*votes: Vote, config: PathConfig = TWO_PAGES) -> PathBook:
    book = PathBook(50, path=config)
    for number, (table, row) in enumerate(votes):
        book.learn(HOST, f"https://{HOST}/{number}", table, row)
    return book


def followed(book: PathBook, table: PageTable, others: tuple[Vote, ...] = ()) -> str | None:
    row = book.follow(HOST, table, others)
    return None if row is None else table.ident[row]


def test_the_path_of_a_template_is_used_once_enough_pages_agree() -> None:
    assert followed(book_of(vote()), page()) is None
    assert followed(book_of(vote(), vote()), page()) == "text"
    assert book_of(vote(), vote()).follow("b.example", page()) is None


def test_each_template_has_a_path_of_its_own() -> None:
    book = book_of(vote(), vote("feed", kind="index"), vote("feed", kind="index"), vote())

    assert len(book) == 2
    assert followed(book, page()) == "text"
    assert followed(book, page(kind="index")) == "feed"
    assert followed(book, page(kind="other")) is None


def test_pages_that_disagree_have_no_path() -> None:
    assert followed(book_of(vote(), vote("feed")), page()) is None


def test_a_page_votes_once() -> None:
    book = PathBook(50, path=TWO_PAGES)
    for _ in range(2):
        book.learn(HOST, "https://a.example/same", *vote())

    assert followed(book, page()) is None


def test_pages_on_which_the_path_fails_speak_against_it_until_it_is_dropped() -> None:
    book = book_of(*[vote()] * 3)
    short = page(body="Short.", feed=OTHER_SENTENCE * 9)
    assert followed(book, page()) == "text"
    assert followed(book, short) is None

    for number in range(2):  # 3 of 5 pages: below the .7 that must agree
        book.learn(HOST, f"https://a.example/short{number}", short, row_of(short, "feed"))

    assert followed(book, page()) is None


def test_following_remembers_nothing() -> None:
    book = book_of(*[vote()] * 3)
    data = book.to_data()
    for _ in range(5):
        book.follow(HOST, page(body="Short.", feed=OTHER_SENTENCE * 9), [vote("feed")])

    assert book.to_data() == data


def test_pages_given_beside_it_vote_this_once() -> None:
    book = book_of()

    assert followed(book, page(), (vote(), vote())) == "text"
    assert followed(book, page(), (vote(), vote(kind="index"))) is None
    assert followed(book, page()) is None
    assert followed(book_of(vote()), page(), (vote(),)) == "text"


def test_the_cluster_used_last_is_the_last_to_go() -> None:
    book = PathBook(2, path=PathConfig(min_pages=1))
    for kind in ("one", "two"):
        book.learn(HOST, f"https://a.example/{kind}", *vote(kind=kind))
    assert followed(book, page(kind="one")) == "text"
    book.learn(HOST, "https://a.example/three", *vote(kind="three"))

    assert len(book) == 2
    assert [followed(book, page(kind=kind)) for kind in ("one", "two", "three")] == [
        "text", None, "text",
    ]  # fmt: skip


def test_only_the_newest_clusters_of_a_host_are_compared() -> None:
    book = PathBook(1_000, path=PathConfig(min_pages=1))
    kinds = [f"kind-{chr(97 + n)}" for n in range(CLUSTERS_COMPARED + 1)]
    for kind in kinds:
        book.learn(HOST, f"https://a.example/{kind}", *vote(kind=kind))

    assert followed(book, page(kind=kinds[0])) is None
    assert followed(book, page(kind=kinds[1])) == "text"


def test_what_was_learned_can_be_kept() -> None:
    book, other = book_of(*[vote()] * 3), PathBook(50, path=TWO_PAGES)
    other.add_data(book.to_data())

    assert other.to_data() == book.to_data()
    assert followed(other, page()) == "text"
    other.learn(HOST, "https://a.example/0", *vote("feed"))  # has voted
    assert other.to_data() == book.to_data()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("host", None), ("labels", []), ("labels", [["div"]]), ("labels", 5),
        ("children", [[0]]), ("children", [[2, 1]]), ("children", None),
        ("votes", []), ("votes", {"body": 0}), ("votes", {"new": 1}), ("shares", {}),
        ("misses", "many"), ("voters", ["x"]), ("voters", 3),
    ],
)  # fmt: skip
def test_data_of_another_form_are_refused_whole(name: str, value: Any) -> None:
    data = copy.deepcopy(book_of(vote()).to_data())
    data.append({key: each for key, each in data[0].items() if key != name})
    if value is not None:
        data[-1][name] = value
    book = PathBook(50)

    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        book.add_data(data)
    assert len(book) == 0


def test_a_tree_that_is_none_is_refused() -> None:
    data = book_of(vote()).to_data()
    count = len(data[0]["labels"])
    data[0]["children"] = [[], *[[n] for n in range(1, count)]]  # each its own parent

    with pytest.raises(ValueError, match="tree"):
        PathBook(50).add_data(data)
