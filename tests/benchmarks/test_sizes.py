"""Tests of the sizes of rooms that ``make lint`` prints."""

from collections import Counter

from benchmarks.sizes import BUDGETS, LONG, NUMBERS, PATTERNS, measure_sizes, sizes_table

SOURCES = [
    ("webclean_scrapy/stats.py", "import re\nMOST = 3\nLEAST, SHARE = 1, 0.5\nNAME = 'x'\n"),
    ("webclean_scrapy/cleaning/page/rows.py", "import re\nWORD = re.compile('a')\n" + "\n" * 420),
    ("tests/test_stats.py", "MOST = 3\n"),
]


def test_lines_count_for_each_room_above_them_and_totals_for_the_package() -> None:
    sizes = measure_sizes(SOURCES)
    rooms = [sizes[f"webclean_scrapy{room}"] for room in ("", "/cleaning", "/cleaning/page")]
    assert rooms == [426, 422, 422]
    assert sizes["tests"] == 1
    assert (sizes[PATTERNS], sizes[NUMBERS], sizes[LONG]) == (1, 2, 1)


def test_the_table_marks_what_is_over_its_budget() -> None:
    room = "webclean_scrapy/settings"
    table = sizes_table(Counter({room: 1_000}), Counter({room: 990}))
    (row,) = (line for line in table.splitlines() if line.endswith("over"))
    assert row.split() == [room, "1000", "+10", str(BUDGETS[room]), "over"]
