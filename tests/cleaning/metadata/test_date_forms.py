import pytest

from tests.growth import assert_linear
from webclean_scrapy.cleaning.metadata.date_forms import DateReader


def test_english_asks_for_no_language() -> None:
    def detect() -> str:
        raise AssertionError

    dates = DateReader("ru", detect).read("3 March 2026, 2026-03-04, 05.03.2026")
    assert [date.iso[-2:] for date in dates] == ["03", "04", "05"]


def test_numbers_in_an_order_that_nobody_can_tell_are_refused() -> None:
    reader = DateReader("en", lambda: "en", ["Meeting of 05/27/2026", "27/05/2026"])

    assert reader.read("03/02/2026") == []
    assert reader.refused == {"2026-02-03", "2026-03-02"}
    assert [date.iso for date in reader.read("31/12/2026")] == ["2026-12-31"]
    assert DateReader("").read("version 1/2/26/4") == []


def test_words_do_not_tell_the_order_of_numbers_with_dashes() -> None:
    reader = DateReader("en", lines=["The next boat: June 30, 2026"])
    assert reader.read("03-02-2026") == []
    assert [date.iso for date in reader.read("03/02/2026")] == ["2026-03-02"]


@pytest.mark.parametrize("unit", ["3 ", "3 de ", "märz ", "3. märz ", "2026 ", "03/02/", "a2026 "])
def test_long_lines_take_time_in_proportion(unit: str) -> None:
    def work(line: str) -> None:
        DateReader("de", lines=[line]).read(line + "2026 03/02/2026")

    assert_linear(work, lambda size: unit * size, 2_000)
