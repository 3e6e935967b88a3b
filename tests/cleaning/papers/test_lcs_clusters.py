"""Parts that only the page has and not its sibling, in scored clusters."""

import pytest

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.page.layout import Layout
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.papers.lcs_clusters import (
    Cluster,
    ScoreConfig,
    content_clusters,
    find_clusters,
    measure_clusters,
    other_clusters,
    score_clusters,
)
from webclean_scrapy.cleaning.papers.paper_method import common_row
from webclean_scrapy.cleaning.templates.alignment import (
    AlignConfig,
    SimilarityConfig,
    build_features,
)

CONFIG, ALIGN = ScoreConfig(), AlignConfig()
HEAD = "<div id=head class=bar><ul><li><a>Home</a><li><a>World</a></ul></div>"
FOOT = "<div id=foot class=end><p>Imprint</p></div>"
FERRY = "<p>The ferry left the island at noon.</p><p>Nobody was hurt, said the captain.</p>"
MARKET = "<p>The market will open again in May.</p><p>Traders are content with the date.</p>"


def page(body: str, related: str) -> PageTable:
    side = "".join(f"<li><a>{title}</a></li>" for title in related.split("|"))
    html = f"{HEAD}<div id=main><div id=text>{body}</div></div><div id=side><ul>{side}</ul></div>"
    return table_of(html + FOOT)


def content_of(
    target: PageTable,
    sibling: PageTable,
    score: ScoreConfig = CONFIG,
    alignment: AlignConfig = ALIGN,
    layouts: tuple[Layout | None, Layout | None] = (None, None),
) -> list[Cluster]:
    features = build_features(sibling, SimilarityConfig(), layouts[1])
    vars(target)["layout"] = layouts[0]
    return content_clusters(target, features, score, alignment)


def names(table: PageTable, clusters: list[Cluster]) -> list[str]:
    rows = [row for cluster in clusters for row in cluster.rows]
    return [table.ident[row] or table.tag[row] for row in rows]


def rendered(table: PageTable, height: float) -> Layout:
    size = len(table)
    return Layout([100.0] * size, [height] * size, [0.0] * size, [0.0] * size)


def test_what_both_pages_have_is_template_and_the_body_is_content() -> None:
    target = page(FERRY, "Ten ideas for June|A new bridge")
    sibling = page(MARKET, "Storm in the north|Cup final")
    everything = ScoreConfig(close=0.01)
    assert names(target, content_of(target, sibling)) == ["p", "p"]
    assert [cluster.score for cluster in content_of(target, sibling, everything)] == [15, 1]


def test_code_is_tags_marks_and_text() -> None:
    table = table_of("<div id=ab class=cde>four<a>link</a><b></b></div>")
    (found,) = measure_clusters(table, [[table.tag.index("div")]], CONFIG)
    link = 2 * 1 + 5 + 4
    code = (2 * 3 + 5 + 2 + 3) + 4 + link + (2 * 1 + 5)
    assert (found.text, found.content_tags) == (8, 1)
    assert found.link_rate == pytest.approx(link / code)
    assert found.text_rate == pytest.approx(8 / code)
    assert found.area is None is found.effective_area


def test_the_points_of_clusters_worked_by_hand() -> None:
    """Song et al. 2011: 5, 3 and 1 points for the top three of a measure, less of the link rate."""
    line = "<p>ten letter"
    table = table_of(
        f"<div id=a>{line * 4}</div><div id=b>{line * 3}</div><div id=c>{line * 2}</div>"
        "<div id=d><p><a>ten letter</a></div>"
    )
    found = score_clusters(table, [[table.ident.index(name)] for name in "abcd"], CONFIG)
    # Text 40, 30, 20, 10 units; content tags 4, 3, 2, 1; text by code .50, .48, .43, .28; links: d.
    assert [cluster.score for cluster in found] == [5 + 5 + 5, 3 + 3 + 3, 1 + 1 + 1, -5]


def test_rendered_boxes_of_both_pages_compare_nodes() -> None:
    target, sibling = page(FERRY, "a|b"), page(MARKET * 9, "c|d")
    plain = names(target, content_of(target, sibling))
    one, other = rendered(target, 10.0), rendered(sibling, 20.0)

    def content(*layouts: Layout | None) -> list[str]:
        return names(target, content_of(target, sibling, layouts=(layouts[0], layouts[1])))

    assert content(one, other) == plain
    for at in (one.width, one.top, one.left):
        at[:] = [side + 7.0 for side in at]
    assert content(one, other) == ["head", "main", "side", "foot"]
    assert content(one, None) == plain


def test_what_lies_between_the_content_is_no_body() -> None:
    table = table_of(
        "<div><p id=a>One.</p><p id=b>Two.</p><i id=c>Three.</i><p id=d>Four.</p></div>"
    )
    kept = [table.ident.index(name) for name in ("a", "c")]
    row = common_row(table, kept)
    assert table.tag[row] == "div"
    (removal,) = other_clusters(table, row, kept)
    gone = {at for span in removal.spans for at in range(*span)}
    texts = [table.text[at] for at in range(len(table)) if at not in gone]
    assert [text for text in texts if text] == ["One.", "Three."]
    assert common_row(table, kept[:1]) == kept[0]
    assert other_clusters(table, kept[0], kept[:1]) == ()


PAGE = """<div id=a><p id=b></p><div id=c><p id=d></p><div id=e><p id=f></p></div></div></div>
<div id=g><div id=h><p id=i></p></div><div id=j><p id=k></p></div></div>"""


def clusters_of(*names: str) -> list[str]:
    table = table_of(PAGE)
    found = find_clusters(table, [table.ident.index(name) for name in names])
    return ["".join(table.ident[row] for row in rows) for rows in found]


def test_candidates_with_one_parent_are_one_cluster() -> None:
    assert clusters_of("a", "g") == ["ag"]
    assert clusters_of("b", "i") == ["b", "i"]


def test_a_candidate_joins_those_whose_parent_is_its_grandparent() -> None:
    assert clusters_of("b", "d") == ["bd"]
    assert clusters_of("b", "f") == ["b", "f"]  # one level too deep


def test_very_many_candidates_take_time_in_proportion() -> None:
    def work(table: PageTable) -> None:
        items = [row for row, tag in enumerate(table.tag) if tag == "p"]
        assert len(find_clusters(table, items)) == len(items)
        items.append(table.tag.index("li"))
        assert len(find_clusters(table, items)) == 1

    assert_linear(work, lambda size: table_of("<ul>" + "<li><p>x</p>" * size + "</ul>"), 800)
