import pytest

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.metadata.head import Head, marked_elements, read_head, with_marked
from webclean_scrapy.cleaning.page.parse import parse as parse_root
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.page.walk import Elements


def parse(html: str) -> Elements:
    return Elements(parse_root(html))


def head(html: str, opening: str = "<html>") -> Head:
    return read_head(parse(f"{opening}<head>{html}</head><body><p>Text.</p></body></html>"))


def meta(name: str, content: str, key: str = "property") -> str:
    return f'<meta {key}="{name}" content="{content}">'


def test_a_page_of_meta_tags_is_read_up_to_a_limit() -> None:
    def page(size: int) -> Elements:
        return parse("".join(meta("author", f"A{number}", "name") for number in range(size)))

    assert len(read_head(page(3_000)).authors) == 2_000
    assert_linear(read_head, page, 2_000)


def test_types_are_read_from_microdata_of_elements_that_can_hold_a_page() -> None:
    head = read_head(
        parse(
            "<html itemscope itemtype='https://schema.org/QAPage'><body>"
            "<div itemtype=http://schema.org/Question><span itemtype=http://schema.org/Person>"
            "</span></div><section itemtype='https://schema.org/Answer/'>x</section>"
        )
    )

    assert set(head.marked_types) == {"QAPage", "Question", "Answer"}
    assert head.types == ()


def test_the_first_marked_author_is_the_pages_and_no_commenter_is() -> None:
    def marked(html: str) -> Head:
        return with_marked(Head(), marked_elements(table_of(html)))

    author = "<p><a rel=author>{}</a></p>"
    assert marked(author.format("Ann Lee") + author.format("Teaser Ted")).authors == ("Ann Lee",)
    assert marked("<div itemprop=comment><b itemprop=author>Troll</b></div>").authors == ()


@pytest.mark.parametrize("unit", ["<p itemprop=author>x", "<i itemprop=author>", "<a rel=author>"])
@pytest.mark.parametrize(("ends", "size"), [("", 230), ("</p></i></a>", 600)])
def test_a_page_of_marks_takes_time_in_proportion(unit: str, ends: str, size: int) -> None:
    def work(table: PageTable) -> None:
        with_marked(Head(), marked_elements(table))

    assert_linear(work, lambda size: table_of(f"{unit}{ends}" * size), size)


@pytest.mark.parametrize(("length", "kept"), [(1_900, 1_900), (2_100, 2_000)])
def test_long_values_are_cut(length: int, kept: int) -> None:
    assert len(head(meta("description", "a" * length, "name")).description or "") == kept
