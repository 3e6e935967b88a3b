from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.metadata.head import Head
from webclean_scrapy.cleaning.metadata.microdata import marked_elements, with_marked


@pytest.mark.parametrize(
    ("html", "authors"),
    [
        ("<span itemprop=author>Ann  Lee</span>", ("Ann Lee",)),
        ("<a rel=author href=/ann>Ann Lee</a>", ("Ann Lee",)),
        ("<div itemprop=author>By <b itemprop=name>Ann Lee</b>, staff</div>", ("Ann Lee",)),
        ("<meta itemprop=author content='Ann Lee'>", ("Ann Lee",)),
        ("<p><a rel=author>Ann Lee</a> and <a rel=author>Bo Ek</a></p>", ("Ann Lee", "Bo Ek")),
        ("<p><a rel=author>Ann Lee</a></p><p><a rel=author>Teaser Ted</a></p>", ("Ann Lee",)),
        ("<div itemprop=comment><b itemprop=author>Troll</b></div>", ()),
        ("<i itemprop=author></i><p itemprop=author>Ann Lee</p>", ("Ann Lee",)),
        (f"<p itemprop=author>{'long ' * 100}</p>", ()),
    ],
)
def test_the_first_marked_author_and_those_beside_it(html: str, authors: tuple[str, ...]) -> None:
    assert with_marked(Head(), marked_elements(table_of(f"<body>{html}</body>"))).authors == authors


def test_dates_and_publishers_are_read_from_attributes_and_text() -> None:
    table = table_of(
        "<time itemprop=datePublished datetime='2026-02-03T04:05'>Tuesday</time>"
        "<div itemprop=publisher><img><meta itemprop=name content='Harbour Post'></div>"
    )

    head = Head(published=("2026-02-03T04:05",), publishers=("Harbour Post",))
    assert with_marked(Head(), marked_elements(table)) == head


@given(st.text(alphabet=st.sampled_from("<>/='\" abitempropulnkauthor\n")))
def test_any_page_can_be_read(html: str) -> None:
    assert isinstance(
        with_marked(Head(), marked_elements(table_of(f"<p itemprop=author>{html}"))), Head
    )


@pytest.mark.cpu_seconds(10)
@pytest.mark.parametrize("unit", ["<p itemprop=author>x", "<i itemprop=author>", "<a rel=author>"])
def test_a_page_of_marks_takes_no_long_time(unit: str) -> None:
    with_marked(Head(), marked_elements(table_of(unit * 1_900)))
    with_marked(Head(), marked_elements(table_of((unit + "</p></i></a>") * 50_000)))
