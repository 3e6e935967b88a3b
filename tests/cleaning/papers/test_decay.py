import pytest

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.papers.decay import DecayConfig, clean_tree, find_body

CONFIG = DecayConfig(max_decay=0.34)


def named(table: PageTable, row: int) -> str:
    return table.ident[row] or table.tag[row]


def body(html: str, config: DecayConfig = CONFIG) -> str:
    table = table_of(html)
    return named(table, find_body(table, config))


def text(units: int, tag: str = "p") -> str:
    return f"<{tag}>{'x' * units}</{tag}>"


def test_the_walk_stops_where_going_on_would_lose_more_than_the_share() -> None:
    menu = "<div id=menu><a href=x>Home</a></div>"
    paragraphs = "".join(text(50) for _ in range(4))
    html = f"{menu}<div id=page><div id=main><div id=text>{paragraphs}</div>{text(90)}</div></div>"
    assert body(html) == "text"
    assert body(html.replace("x" * 90, "x" * 120)) == "main"


def test_a_step_may_lose_34_of_100_and_not_35() -> None:
    """Chen et al. 2012: (C - Lc) / C > T, worked by hand at the printed T."""
    html = "<div id=all><div id=main>{}{}</div><div id=rest>{}</div></div>"
    printed = DecayConfig(max_decay=0.34)
    assert body(html.format(text(33), text(33), text(34)), printed) == "main"
    assert body(html.format(text(33), text(32), text(35)), printed) == "all"


def test_a_dominating_paragraph_does_not_take_its_siblings_with_it() -> None:
    assert body(f"<div id=text>{text(20)}{text(500)}{text(30)}</div>") == "text"
    assert body(f"<div id=text>{text(20, 'h2')}<ul><li>{'x' * 500}</ul></div>") == "text"
    assert body(f"<div id=text>{text(20)}<p>y <b><i>{'x' * 500}</i></b></div>") == "text"


def test_a_layout_cell_that_holds_the_body_is_the_body_and_a_data_cell_is_not() -> None:
    rows = "<table id=t><tr><td id=menu>Home<td id={}>{}</table>"
    assert body(rows.format("text", text(90) + text(90) + text(90))) == "text"
    assert body("<div id=out>" + rows.format("cell", text(90) + text(90))) == "t"


def cut(html: str, config: DecayConfig = CONFIG) -> list[str]:
    table = table_of(html)
    removals = clean_tree(table, 0, config)
    assert all((r.what, r.why) == ("clean_tree", "link_density") for r in removals)
    return [named(table, start) for removal in removals for start, _ in removal.spans]


LINKS = "<a href=x>One story</a> <a href=y>Another</a> "


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (f"<div id=out>{text(90)}<ul id=list>{LINKS}</ul></div>", ["list"]),
        (f"<div id=out>{text(90)}<div id=a><div id=b>{LINKS}</div></div></div>", ["a"]),
        (f"{text(90)}<div id=one><a href=x>Alone</a></div>", []),
        (f"<p id=prose>{LINKS}{'word ' * 10}</p>", []),
        (f"{text(90)}<div id=none></div><p id=a>{LINKS}</p>x<p id=b>{LINKS}</p>", ["a", "b"]),
    ],
)
def test_blocks_of_links_are_cut_outermost_first(html: str, found: list[str]) -> None:
    assert cut(html) == found


def test_a_density_at_the_bound_stays() -> None:
    html = f"{text(90)}<div id=d><a href=x>{'x' * 6}</a><a href=y>{'x' * 7}</a>{'y' * 7}</div>"
    assert cut(html) == []
    assert cut(html, DecayConfig(max_link_density=0.64)) == ["d"]
    assert cut(html, DecayConfig(max_link_density=0.64, min_links=3)) == []


def test_deep_and_wide_pages() -> None:
    deep = table_of("<div>" * 1_900 + text(90) + text(90))
    assert deep.arrays.depth[find_body(deep, CONFIG)] > 1_890
    assert clean_tree(deep, 0, CONFIG) == []

    def work(wide: PageTable) -> None:
        assert wide.tag[find_body(wide, CONFIG)] == "body"
        assert clean_tree(wide, 0, CONFIG) == []

    assert_linear(work, lambda size: table_of("<p>x <a href=x>y</a>" * size), 1_000)
