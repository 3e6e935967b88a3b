import pytest

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy import clean


def test_a_long_listing_takes_time_in_proportion() -> None:
    assert_linear(table_of, lambda n: "<pre>" + "<div><span class=line>a</span></div>" * n, 2_000)


@pytest.mark.parametrize("unit", [" ", "kopi"])
def test_a_long_text_beside_a_listing_takes_time_in_proportion(unit: str) -> None:
    assert_linear(table_of, lambda n: f"<div>x{unit * n}!</div><pre>a = 1</pre>", 400)


@pytest.mark.parametrize(
    "listing",
    [
        "<table class=code><tr><td class=linenos>{}<td><pre>a = 1</pre></table>",
        "<pre><span>{} </span>a\n<span>{} </span>b\n<span>{} </span>c</pre>",
    ],
)
def test_a_number_of_many_digits_numbers_no_line(listing: str) -> None:
    digits = "1" * 5_000  # Python makes no number of so many
    assert digits in (clean(listing.replace("{}", digits)).text or "")
