from tests.growth import assert_linear
from tests.reading import table_of


def test_a_large_formula_takes_time_in_proportion() -> None:
    deep = "<msup><mi>a</mi>"
    assert_linear(table_of, lambda n: f"a<math>{deep * (n // 20)}</math>" * 20, 2_000)
