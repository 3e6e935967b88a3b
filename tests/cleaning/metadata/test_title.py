import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from webclean_scrapy.cleaning.metadata.head import Head
from webclean_scrapy.cleaning.metadata.title import clean_title, page_title


@given(st.text(), st.none() | st.text())
def test_a_title_with_something_is_not_cut_to_nothing(title: str, site_name: str | None) -> None:
    assert bool(clean_title(title, site_name)) == bool(title.split())


@pytest.mark.parametrize("unit", ["- ", " -", "_", "-", "文-", "a | "])
def test_long_titles_take_time_in_proportion(unit: str) -> None:
    assert len(clean_title(unit * 2_000, unit * 1_000)) <= 500
    assert_linear(lambda title: clean_title(title * 2, title), lambda size: unit * size, 2_000)


def test_the_address_tells_the_title_of_a_page_without_headings() -> None:
    head = Head(titles=("Coracle | Harbour of the west for all who like boats",))

    assert page_title(head, [], address="https://www.pier.invalid/coracle") == "Coracle"
