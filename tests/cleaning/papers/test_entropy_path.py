from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.papers.entropy_path import PathConfig, PathVote, find_path, path_of
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.table import PageTable

CONFIG = PathConfig()
SENTENCE = "A sentence of the report, as long as sentences of reports are. "
MAIN = "body > div#main > div.text"


def page(words: str = SENTENCE * 9, *, ident: str = "main", rest: str = "Imprint") -> PageTable:
    return table_of(f"<div id={ident}><h1>Title</h1><div class=text>{words}</div></div><p>{rest}")


def vote_on(*tables: PageTable, by: str = "text") -> PathVote:
    vote = PathVote()
    for table in tables:
        vote.add(table, table.classes.index(by))
    return vote


def test_a_path_names_id_or_classes_or_the_tag_alone() -> None:
    table = table_of(
        "<body id=p7 class=single><div id=post-123 class=x><section class=' b2  a b7 '><ul><li>x"
    )
    assert path_of(table, table.tag.index("li")) == "body > div#post-0 > section.a.b0 > ul > li"
    assert path_of(table, 0) == ""


def test_an_id_with_blanks_is_one_step() -> None:
    table = table_of('<div id="a > b"><p id="c d">x')
    row = table.tag.index("p")
    assert path_of(table, row) == "body > div#a>b > p#cd"
    assert find_path(table, path_of(table, row)) == row


def test_a_path_finds_the_same_place_on_another_page() -> None:
    other = table_of("<div id=head>x</div><div id=main><p>y</p><div class=text>z</div></div>")
    assert find_path(other, path_of(page(), page().classes.index("text"))) == other.classes.index(
        "text"
    )


def test_of_several_places_the_one_with_the_most_text_is_found() -> None:
    table = table_of("<p>a</p><p>bbb</p><p><a>cccccc</a></p><p>ddd</p>")
    assert find_path(table, "body > p") == table.tag.index("p") + 2


@pytest.mark.parametrize("path", ["", "body > div#gone", "p", "body > div#main > #text"])
def test_a_path_that_leads_nowhere_finds_nothing(path: str) -> None:
    assert find_path(page(), path) is None


@given(
    st.recursive(
        st.sampled_from(["x", "<p>y</p>", "<p class='b a'>z</p>"]),
        lambda inner: st.builds(
            lambda mark, parts: f"<div {mark}>{''.join(parts)}</div>",
            st.sampled_from(["", "id=a1", "class='c d'", 'id="e f"', "id=x.y#z"]),
            st.lists(inner, max_size=3),
        ),
        max_leaves=12,
    )
)
def test_every_path_leads_to_a_row_of_this_path(html: str) -> None:
    table = table_of(html)
    for row in range(1, len(table)):
        if table.tag[row] not in {"#text", "html"}:
            at = find_path(table, path_of(table, row))
            assert at is not None
            assert path_of(table, at) == path_of(table, row)
            assert table.plain_length(at) >= table.plain_length(row)


def test_a_path_is_used_when_enough_pages_agree() -> None:
    vote = vote_on(page(), page())
    assert vote.agreed(CONFIG) is None
    vote.add(page(), page().classes.index("text"))
    assert vote.agreed(CONFIG) == MAIN
    new = page("Short news. ", rest="")
    assert vote.follow(new, CONFIG) == new.classes.index("text")
    assert vote.misses == 0


def test_pages_that_disagree_drop_the_path() -> None:
    vote = vote_on(page(), page(), page(ident="story"))
    assert vote.agreed(CONFIG) is None
    assert vote.agreed(PathConfig(min_agreement=0.6)) == MAIN
    assert vote.follow(page(), CONFIG) is None
    assert vote.misses == 0


def test_a_path_that_finds_nothing_falls_back_and_is_dropped_in_time() -> None:
    vote = vote_on(page(), page(), page())
    strange = page(ident="story")
    assert vote.follow(strange, CONFIG) is None
    assert vote.misses == 1
    assert vote.agreed(CONFIG) == MAIN
    assert vote.follow(strange, CONFIG) is None
    assert vote.agreed(CONFIG) is None


def test_a_path_that_finds_much_less_than_usual_falls_back() -> None:
    vote = vote_on(page(), page(), page())
    elsewhere = page("Read on. ", rest=SENTENCE * 9)
    assert vote.follow(elsewhere, CONFIG) is None
    assert vote.misses == 1
    assert vote.follow(elsewhere, PathConfig(min_share=0)) is not None


def test_a_path_that_never_held_text_is_not_followed() -> None:
    empty = page("", rest="")
    vote = vote_on(empty, empty, empty)
    assert vote.agreed(CONFIG) == MAIN
    assert vote.follow(empty, CONFIG) is None
    nothing = table_of("<div></div>")
    vote = PathVote({"body > div": 3}, {"body > div": 0.0})
    assert vote.follow(nothing, CONFIG) is None


def test_votes_for_the_root_or_for_nothing_agree_on_nothing() -> None:
    vote = PathVote()
    for _ in range(3):
        vote.add(page(), 0)
    assert vote.agreed(CONFIG) is None
    assert PathVote(misses=9).agreed(CONFIG) is None


def test_a_site_with_a_new_path_on_each_page_takes_no_more_memory() -> None:
    vote = PathVote()
    for number in range(100):
        table = page(ident="m" * (number + 1))
        vote.add(table, table.classes.index("text"))
    assert len(vote.votes) == len(vote.shares) == 16
    assert vote.misses == 84
    assert vote.agreed(CONFIG) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [("min_pages", 0), ("min_agreement", 0.5), ("min_agreement", 1.1), ("min_share", -0.1)],
)
def test_a_config_that_means_nothing_is_refused(field: str, value: float) -> None:
    with pytest.raises(ConfigError, match=field):
        PathConfig(**{field: value})  # type: ignore[arg-type]


@pytest.mark.cpu_seconds(20)
def test_a_path_over_a_deep_page_and_one_with_many_places_is_no_matter() -> None:
    deep = table_of("<div>" * 1_800 + "<p>x")
    assert find_path(deep, path_of(deep, deep.tag.index("p"))) == deep.tag.index("p")
    wide = table_of("<div><p>x</p></div>" * 30_000)
    assert find_path(wide, "body > div > p") == wide.tag.index("p")
