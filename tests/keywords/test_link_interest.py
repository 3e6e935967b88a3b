from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from webclean_scrapy.keywords.interest_profile import (
    MAX_DEPTH,
    MAX_LINK_TEXTS,
    STEPS,
    InterestProfile,
    LinkInterest,
)

LINKS = LinkInterest(InterestProfile((("bridge", 2.0), ("大桥", 2.0), ("ferry", 1.0)), pages=3))
words = st.text(alphabet="abridge ferry大桥<&\0\ud800", max_size=30)


def priority(text: str, link: str, *, depth: int = 0) -> int:
    return LINKS.priorities(text, [("u", link)], depth=depth)["u"]


def test_the_words_of_a_link_count_most_and_then_those_of_its_page() -> None:
    ladder = [
        priority("a bridge", "The old bridge"),
        priority("nothing", "The old bridge"),
        priority("nothing", "The bridge, a council and many other words"),
        priority("a bridge", "Home"),
        priority("nothing", "Home"),
    ]
    assert ladder == sorted(ladder, reverse=True)
    assert len(set(ladder)) == 5
    assert priority("nothing", "大桥通车") > 0


def test_what_promises_nothing_comes_after_all_else_and_the_deepest_last() -> None:
    order = [priority("nothing", "Home", depth=depth) for depth in (0, 1, 5, 19, 20, 1_000)]
    assert order == [-1, -2, -6, -MAX_DEPTH, -MAX_DEPTH, -MAX_DEPTH]


def test_a_url_has_the_best_of_its_texts_and_its_first_place() -> None:
    links = [("a", ""), ("b", "Home"), ("a", "A bridge"), ("a", "Home")]
    found = LINKS.priorities("nothing", links)
    assert list(found) == ["a", "b"]
    assert found["a"] == priority("nothing", "A bridge") > 0 > found["b"]


@given(words, words, st.integers(0, 10_000))
def test_priorities_are_few_and_whole(text: str, link: str, depth: int) -> None:
    found = priority(text, link, depth=depth)
    assert isinstance(found, int)
    assert -MAX_DEPTH <= found <= STEPS
    assert found != 0


def links_of(count: int) -> list[tuple[str, str]]:
    return [(f"u{n}", f"bridge {n} " + "ferry " * 50) for n in range(count)]


def test_only_the_first_texts_of_a_page_of_very_many_links_count() -> None:
    found = LINKS.priorities("bridge " * 1_000, links_of(MAX_LINK_TEXTS + 2))
    assert len(found) == MAX_LINK_TEXTS + 2
    assert found["u0"] > found[f"u{MAX_LINK_TEXTS + 1}"] > 0


def test_the_time_is_in_proportion_to_the_links() -> None:
    assert_linear(lambda links: LINKS.priorities("bridge", links), links_of, MAX_LINK_TEXTS // 8)
