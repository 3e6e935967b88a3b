"""The edit language of the reposts, and the marks of the texts."""

from __future__ import annotations

import pytest

from spiders.demo.articles import _edited
from spiders.demo.markup import BodyStyle, body_html, fill, links, number, pick
from spiders.demo.model import Article, Block


def article(*texts: str) -> Article:
    blocks = tuple(Block(kind="p", text=text) for text in texts)
    return Article(key="s/a", title="T", date="2026-03-01T08:00", section="s", blocks=blocks)


def edited(*lines: str) -> list[str]:
    return [block.text for block in _edited(article("one", "two", "three"), list(lines))]


def test_blocks_are_copied_moved_changed_and_added() -> None:
    assert edited("@2-3", "@1", "~ one => 1", "new") == ["two", "three", "1", "new"]


@pytest.mark.parametrize("lines", [("@1", "~ two => 2"), ("@1-3", "~ e => E")])
def test_an_edit_that_does_not_fit_once_is_refused(lines: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="must occur exactly once in the copied blocks"):
        edited(*lines)


def test_marks_become_markup_in_the_page_and_nothing_in_the_gold() -> None:
    made = article("a [[b]] & **c**")
    assert made.paragraphs == ("a b & c",)
    style = BodyStyle(paragraph="<p>{}</p>", link="<a>{}</a>", strong="<b>{}</b>")
    assert body_html(made.blocks, style) == "<p>a <a>b</a> &amp; <b>c</b></p>"


def test_items_rows_and_code_are_gathered_in_one_element_each() -> None:
    blocks = [
        Block(kind="li", text="i"), Block(kind="li", text="j"),
        Block(kind="row", text="h | k"), Block(kind="row", text="1 | 2"),
        Block(kind="code", text="a < b"), Block(kind="code", text="  [[c]]"),
        Block(kind="p", text="p"),
    ]  # fmt: skip
    assert body_html(blocks, BodyStyle(paragraph="<p>{}</p>"), {1: "<hr>", 9: "<end>"}) == (
        "<ul>\n<li>i</li>\n<li>j</li>\n</ul>\n"
        "<table>\n<tr><th>h</th><th>k</th></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n"
        "<pre><code>a &lt; b\n  [[c]]</code></pre>\n<p>p</p><hr><end>"
    )


def test_a_listing_is_one_text_and_a_row_is_its_cells() -> None:
    blocks = (
        Block(kind="code", text="a"), Block(kind="code", text=" b"),
        Block(kind="row", text="x | y"), Block(kind="figure", text="caption"),
    )  # fmt: skip
    made = Article(key="s/a", title="T", date="2026-03-01T08:00", section="s", blocks=blocks)
    assert made.paragraphs == ("a\n b", "x y")


def test_patterns_with_the_wrong_number_of_places_are_refused() -> None:
    assert fill("{}-{}", "{}", "b") == "{}-b"
    with pytest.raises(ValueError, match="2 placeholders for 1 texts"):
        fill("{}-{}", "a")


def test_links_are_escaped() -> None:
    assert links([("/a", "x < y")], "<a href='{}'>{}</a>") == "<a href='/a'>x &lt; y</a>"


def test_picked_things_are_the_same_on_every_machine() -> None:
    assert [pick(key, "abcde") for key in ("x", "y", "hexi/reservoir")] == ["d", "e", "d"]
    assert [number(key, 10, 99) for key in ("x", "y")] == [73, 59]
