import pytest

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.metadata.author_marks import (
    ForeignElements,
    find_author_marks,
    lone_author_link,
)
from webclean_scrapy.cleaning.page.table import PageTable


def marks(html: str) -> list[tuple[list[tuple[str, ...]], bool]]:
    table = table_of(html)
    return list(find_author_marks(table, range(len(table.lines))))


@pytest.mark.parametrize(
    ("html", "is_sure"),
    [
        ("<p class=byline>Ann Lee</p>", False),
        ("<p>By <span class='post-author'>Ann Lee</span></p>", False),
        ("<p>By <span class='author vcard'>Ann Lee</span></p>", True),
        ("<p>By <a rel=author href=/x>Ann Lee</a></p>", True),
        ("<p>Von <a href=/autoren/ann-lee>Ann Lee</a></p>", True),
        ("<p>By <a href=/author/admin>Ann Lee</a></p>", False),
        ("<p><a href=/autor/zo%C3%A9-lee/>Zoé Lee</a></p>", True),
        ("<p class=authorization>Ann Lee</p>", None),  # no mark
        ("<div id=comments><p class=author>Troll</p></div>", None),
        ("<div class=author>" + "<p>A line of the text</p>" * 9 + "</div>", None),
    ],
)
def test_the_innermost_element_with_an_author_is_marked(html: str, is_sure: bool | None) -> None:
    name = "Zoé Lee" if "Zoé" in html else "Ann Lee"
    expected = [] if is_sure is None else [([(name,)], is_sure)]
    assert marks(f"<h1>Title</h1>{html}<p>Text</p>") == expected


def test_elements_of_a_class_beside_each_other_are_one_byline() -> None:
    one = "<a class=author-name>{}</a>"
    pair = f"<p>{one.format('Ann Lee')} and {one.format('Bo Ek')}</p>"

    assert marks(pair) == [([("Ann Lee",), ("Bo Ek",)], True)]


def test_several_links_to_authors_name_none() -> None:
    link = "<p><a href=/author/{}>{}</a></p>"
    ann, bo = link.format("ann-lee", "Ann Lee"), link.format("bo-ek", "Bo Ek")

    assert lone_author_link(table_of(ann + ann)) == "Ann Lee"
    assert lone_author_link(table_of(ann + bo)) is None
    assert lone_author_link(table_of(link.format("ann-lee", "All her stories"))) is None


def test_a_page_of_marks_takes_time_in_proportion() -> None:
    def find(table: PageTable) -> None:
        list(find_author_marks(table, range(len(table.lines))))

    assert_linear(
        find, lambda size: table_of("<p class=author>" + "<b class=byline>A</b>" * size), 300
    )
    assert_linear(
        lone_author_link, lambda size: table_of("<a href=/author/x>x y</a>" * size), 1_000
    )


CARD = "<div class=card><h3><a href=/s/{0}>Story {0}</a></h3><b class=author>{1}</b></div>"
PRAISE = "<div class=voice><p>It runs well in fog and rain.</p><b class=author>{}</b></div>"


@pytest.mark.parametrize(
    "beside",
    [
        CARD.format(1, "Teaser Ted"),
        PRAISE.format("Teaser Ted") + PRAISE.format("Guest Gil"),
        "<blockquote><p>Late.</p><i class=author>Teaser Ted</i></blockquote>",
        "<figure><img src=a.jpg><figcaption class=author>Teaser Ted</figcaption></figure>",
        "<div class=pull-quote><p>Late.</p><i class=author>Teaser Ted</i></div>",
        "<div itemprop=review><i class=author>Teaser Ted</i></div>",
        "<div class=hreview><i class=vcard>Teaser Ted</i></div>",
    ],
)
def test_quotations_reviews_and_cards_have_authors_of_their_own(beside: str) -> None:
    table = table_of(f"<main><h1>Title</h1><p>Text</p></main><div>{beside}</div>")
    others = ForeignElements(table, [0, 1])

    assert list(find_author_marks(table, range(len(table.lines)), others)) == []
    assert list(find_author_marks(table, range(len(table.lines))))


@pytest.mark.parametrize(
    "box",
    [
        "<div class=author-box><b class=author-name>Ann Lee</b><p>She writes of ferries.</p></div>",
        "<div class=by><h3><a href=/author/ann-lee class=author-name>Ann Lee</a></h3></div>",
        "<div class=foot><h4><a href='#'>Share</a></h4><b class=author-name>Ann Lee</b></div>",
        f"<b class=author-name>Ann Lee</b><section>{CARD.format(1, 'Teaser Ted')}</section>",
    ],
)
def test_a_box_about_the_author_is_the_articles(box: str) -> None:
    table = table_of(f"<main><h1>Title</h1><p>Text</p></main><div>{box}</div>")

    found = find_author_marks(table, range(len(table.lines)), ForeignElements(table, [0, 1]))

    assert {elements[0][0] for elements, _ in found} == {"Ann Lee"}


def test_a_page_of_cards_takes_time_in_proportion() -> None:
    def work(table: PageTable) -> None:
        others = ForeignElements(table, [0])
        list(find_author_marks(table, range(len(table.lines)), others))

    assert_linear(
        work, lambda size: table_of("<h1>Title</h1>" + CARD.format(1, "Teaser Ted") * size), 150
    )


@pytest.mark.parametrize(
    ("beside", "is_own"),
    [
        ("<a href=/s/1>渡船晚点</a>", False),
        ("<a href=/author/ann>Page</a>", True),
        ("<a href=#>Page</a>", True),
    ],
)
def test_cards_with_short_headlines_have_authors_of_their_own(beside: str, is_own: bool) -> None:
    card = f"<div class=card>{beside}<span class=author>{{}}</span></div>"
    table = table_of(f"<h1>Title</h1><p>Text</p>{card.format('Ann Lee')}{card.format('Bo Ek')}")
    found = find_author_marks(table, range(len(table.lines)), ForeignElements(table, (0, 1)))

    assert any(("Ann Lee",) in names for names, _ in found) == is_own
