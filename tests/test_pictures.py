"""What docs/ draws is what the method found."""

from __future__ import annotations

from docs.trees import ALIKE, MAX_DEPTH, list_rows
from tests.reading import table_of
from webclean_scrapy.cleaning.templates.alignment import align


def rows_of(page: str, sibling: str) -> list[tuple[int, str, bool]]:
    target, other = (table_of(f"<body>{html}") for html in (page, sibling))
    pairs = dict(align(target, other).pairs)
    return [(row.depth, row.text, row.both) for row in list_rows(target, pairs)]


def test_nodes_of_both_pages_are_told_from_those_of_one() -> None:
    page = "<div id=menu><p>Home</p><p>News</p></div><div class='text main'>{}</div>"
    rows = rows_of(page.format("<p>Only here.</p>"), page.format("<p>Something else.</p>"))

    assert rows == [
        (0, "body", True),
        (1, "div#menu (3 nodes): Home News", True),
        (1, "div.text", True),
        (2, "p: Only here.", False),
    ]


def test_of_many_alike_the_first_are_drawn() -> None:
    page = "".join(f"<p>Line {word}</p>" for word in "abcdef")
    rows = rows_of(f"<h1>One</h1>{page}", "<h1>One</h1>")

    assert [text for _, text, _ in rows][2:] == ["p: Line a", "p: Line b", "p: Line c",
                                                 "… and more like it"]  # fmt: skip
    assert len(rows) == 2 + ALIKE + 1


def test_what_is_deep_is_part_of_its_row() -> None:
    deep = "<div>" * 9 + "{}" + "</div>" * 9
    rows = rows_of(deep.format("<b>x</b><p>here</p>"), deep.format("<b>x</b><p>there</p>"))

    depth, text, both = rows[-1]
    assert (depth, both) == (MAX_DEPTH, True)
    assert text == "div (5 nodes, 4 in both): x here"
