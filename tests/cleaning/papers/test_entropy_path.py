"""Templates by simple tree matching, each with one path to the body."""

import functools

from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.reading import OTHER_SENTENCE, SENTENCE, row_of, table_of
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.papers.entropy_path import EntropyConfig, EntropyMethod
from webclean_scrapy.cleaning.papers.simple_trees import (
    SimpleTree,
    are_alike,
    build_simple_tree,
    match_trees,
    tree_similarity,
)

CONFIG = EntropyConfig()
NODES = st.recursive(
    st.sampled_from(["<div></div>", "<ul></ul>", "<div id=a></div>", "text", "<p>x</p>"]),
    lambda inner: st.lists(inner, min_size=1, max_size=4).map(
        lambda parts: f"<div>{''.join(parts)}</div>"
    ),
    max_leaves=14,
)
PAGES = st.lists(NODES, max_size=4).map("".join)


def tree_of(html: str) -> SimpleTree:
    return build_simple_tree(table_of(html), CONFIG.depth)


def plain_match(one: SimpleTree, other: SimpleTree, a: int = 0, b: int = 0) -> int:
    """Return STM by its definition."""
    if one.labels[a] != other.labels[b]:
        return 0
    left, right = one.children[a], other.children[b]

    @functools.cache
    def best(i: int, j: int) -> int:
        if not i or not j:
            return 0
        pair = best(i - 1, j - 1) + plain_match(one, other, left[i - 1], right[j - 1])
        return max(pair, best(i - 1, j), best(i, j - 1))

    return 1 + best(len(left), len(right))


def test_a_tree_has_the_containers_of_three_levels() -> None:
    tree = tree_of(
        "<body id=p1 class=w9><div id=A class='B c9'><p>x</p>"
        "<ul><li><div></div></li></ul><span><div></div></span></div>"
    )
    assert tree.labels == (("body", "", ""), ("div", "a", "b c0"), ("ul", "", ""), ("li", "", ""))
    assert tree.children == ((1,), (2,), (3,), ())


@given(PAGES, PAGES)
def test_the_match_is_simple_tree_matching(one: str, other: str) -> None:
    left, right = tree_of(one), tree_of(other)
    assert match_trees(left, right) == plain_match(left, right) == match_trees(right, left)
    assert 0 < tree_similarity(left, right) <= 1
    assert tree_similarity(left, left) == 1


def test_a_page_is_of_a_cluster_whose_first_page_is_alike() -> None:
    """Entropy path: 2 STM / (|A| + |B|), from .80, worked by hand."""
    divs = [f"<div id={name}></div>" for name in "abcdefghi"]
    news = tree_of("".join(divs))
    alike = tree_of("".join(divs[:7]))  # 2 * 8 / 18 = .89
    further = tree_of("".join(divs[:5]))  # .75 to the first page, .86 to the second
    other = tree_of("".join(divs).replace("<div id=", "<ul id="))
    assert are_alike(alike, news, CONFIG.same_from)
    assert are_alike(further, alike, CONFIG.same_from)
    assert not are_alike(further, news, CONFIG.same_from)
    assert not are_alike(other, news, CONFIG.same_from)


def test_hostile_pages_cost_no_more_than_the_limit() -> None:
    wide = tree_of("<div><div></div></div>" * 1_000)
    deep = tree_of("<div>" * 1_900)
    assert len(wide) == 300
    assert len(deep) == 4
    assert tree_similarity(wide, wide) == 1
    assert match_trees(wide, deep) == 2
    assert_linear(tree_of, lambda size: "<div><div></div></div>" * size, 1_000)


HOST = "a.example"
TWO_PAGES = EntropyConfig(min_pages=2)
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


def book_of(*votes: Vote, config: EntropyConfig = TWO_PAGES) -> EntropyMethod:
    book = EntropyMethod(config, 50)
    for number, (table, row) in enumerate(votes):
        book.vote(f"https://{HOST}/{number}", table, row)
    return book


def followed(book: EntropyMethod, table: PageTable, others: tuple[Vote, ...] = ()) -> str | None:
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


def test_pages_on_which_the_path_fails_speak_against_it_until_it_is_dropped() -> None:
    book = book_of(*[vote()] * 3)
    short = page(body="Short.", feed=OTHER_SENTENCE * 9)
    assert followed(book, page()) == "text"
    assert followed(book, short) is None

    for number in range(2):  # 3 of 5 pages: below the .7 that must agree
        book.vote(f"https://a.example/short{number}", short, row_of(short, "feed"))

    assert followed(book, page()) is None


def test_pages_given_beside_it_vote_this_once() -> None:
    book = book_of()

    assert followed(book, page(), (vote(), vote())) == "text"
    assert followed(book, page(), (vote(), vote(kind="index"))) is None
    assert followed(book, page()) is None
    assert followed(book_of(vote()), page(), (vote(),)) == "text"
