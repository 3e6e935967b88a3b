from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.metadata.author_marks import (
    ForeignElements,
    find_author_marks,
    lone_author_link,
)
from webclean_scrapy.cleaning.page.table import PageTable


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


def test_a_page_of_cards_takes_time_in_proportion() -> None:
    def work(table: PageTable) -> None:
        others = ForeignElements(table, [0])
        list(find_author_marks(table, range(len(table.lines)), others))

    assert_linear(
        work, lambda size: table_of("<h1>Title</h1>" + CARD.format(1, "Teaser Ted") * size), 150
    )
