from __future__ import annotations

import pytest

from tests.reading import table_of
from webclean_scrapy.cleaning.kind.link_signs import LINKS, link_signs

URL = "https://a.example/book/tides.html"


def sign(links: str, name: str, url: str | None = URL) -> float:
    signs = link_signs(table_of(links), url)
    assert set(signs) == set(LINKS)
    return signs[name]


def test_links_to_places_of_the_page_are_counted_and_buttons_are_not() -> None:
    links = "<a href=#one>One</a><a href=#>Menu</a><a href=/b>Two</a><a href=#two>Three</a>"

    assert sign(links, "links to places on the page") == pytest.approx(0.5)


def test_each_member_counts_once() -> None:
    links = "".join(
        f"<a href=/{n}>x</a>" for n in ("User/ann", "User/ann", "members/lee", "uses/x")
    )

    assert sign(links, "links to members") == pytest.approx(2 / 6)


@pytest.mark.parametrize(
    ("href", "below"),
    [
        ("waves.html", True),
        ("/book/waves.html", True),
        ("https://a.example/book/waves.html", True),
        ("/news/waves.html", False),
        ("javascript:void(0)", False),
    ],
)
def test_links_into_the_directory_of_the_page(href: str, below: bool) -> None:
    assert sign(f'<a href="{href}">Waves</a>', "links to pages below") == float(below)
