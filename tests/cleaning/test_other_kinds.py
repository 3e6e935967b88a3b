"""Pages that are not articles are read with weights of their own kind."""

import pytest

from webclean_scrapy.cleaning.kind.page_kind import Kind

# The constants of the package, by value: a change of one fails here.
LIKELY = 0.8


@pytest.mark.parametrize(
    ("name", "article", "listing", "is_read"),
    [
        ("article", 0.9, 0.1, True),
        ("article", 0.3, LIKELY, True),
        ("article", 0.18, 0.82, False),
        ("listing", 0.1, 0.2, False),
        ("other", 0.0, 0.2, True),
    ],
)
def test_a_page_is_read_as_an_article_where_no_other_kind_is_likely(
    name: str, article: float, listing: float, is_read: bool
) -> None:
    kind = Kind(name, 0.5, "", {"article": article, "listing": listing, "other": 0.0})

    assert kind.is_read_as_article is is_read
