from __future__ import annotations

import pytest

from webclean_scrapy.cleaning.kind.declared_signs import (
    DECLARED,
    address_signs,
    declared_signs,
)
from webclean_scrapy.cleaning.metadata.head import Head


def declared(head: Head) -> set[str]:
    return {name for name, value in declared_signs(head).items() if value}


def addressed(url: str | None) -> set[str]:
    return {name for name, value in address_signs(url).items() if value == 1.0}


@pytest.mark.parametrize(
    ("head", "signs"),
    [
        (Head(types=("NewsArticle",)), {"declared an article"}),
        (Head(og_type="product.item"), {"declared a product"}),
        (Head(types=("CollectionPage",)), {"declared a list"}),
        (Head(types=("QAPage", "Question")), {"declared a discussion"}),
        (Head(types=("FAQPage", "Question")), set()),
        (Head(titles=("Why do eels climb?",)), {"title is a question"}),
        (Head(priced=True, authors=("Ann",)), {"declared a price", "declared authors"}),
    ],
)
def test_what_a_head_declares(head: Head, signs: set[str]) -> None:
    assert declared(head) == signs
    assert set(declared_signs(head)) == set(DECLARED)


@pytest.mark.parametrize(
    ("path", "sign"),
    [
        ("/forum/eels", "address of a forum"),
        ("/products/brass-bell", "address of a product"),
        ("/docs/tides", "address of documentation"),
        ("/2026/03/04/pier", "date in the address"),
        ("/", "address of a site"),
        ("/news/", "address of a directory"),
        ("/a?id=4", "query in the address"),
        ("/a/88120.html", "number in the address"),
    ],
)
def test_what_an_address_says(path: str, sign: str) -> None:
    assert sign in addressed(f"https://a.example{path}")
