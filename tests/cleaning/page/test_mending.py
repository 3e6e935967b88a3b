from collections.abc import Callable

import pytest

from tests.growth import assert_linear
from tests.reading import table_of


@pytest.mark.parametrize(
    "page",
    [
        lambda n: "<ul><li>a</li>" + "<ul><li>b</li></ul>" * n,
        lambda n: "<ul>" + "<li><input type=checkbox>a</li>" * n,
        lambda n: "<div><img src=a.png>" + "<input type=radio>" * n,
        lambda n: "<p>" + "a<small class=sidenote>b</small>" * n,
        lambda n: "<noscript><img src=a.png></noscript>" * n,
        lambda n: "<a href=#n id=r>1</a>" + "<aside id=n><a href=#r>1</a>b</aside>" * n,
    ],
)
def test_a_long_page_takes_time_in_proportion(page: Callable[[int], str]) -> None:
    assert_linear(table_of, page, 2_000)
