import pytest

from tests.growth import assert_linear
from webclean_scrapy.cleaning.metadata.head import Head
from webclean_scrapy.cleaning.metadata.nearby_lines import Nearby
from webclean_scrapy.cleaning.metadata.outlet import find_source


@pytest.mark.parametrize(
    "unit", ["来源：", "来 源 ", "港", "a ", "A& ", "·", "港湾/", "2026-", "转", " "]
)
def test_long_lines_take_time_in_proportion(unit: str) -> None:
    def work(long: str) -> None:
        head = Head(sources=(long,), publishers=(long,))
        find_source(head, Nearby((long, "2026-02-03"), (long,)))

    assert_linear(work, lambda size: unit * size, 2_000)
