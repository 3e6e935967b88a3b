from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.page.removals import KeptRows, Removal, line_spans
from webclean_scrapy.cleaning.page.table import PageTable

PAGE = "<div><p>one <b>two</b> three<p>four<br>five<ul><li>six<li><a href=x>seven</a></ul></div>"
SPANS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).map(sorted).map(tuple))


def table() -> PageTable:
    return table_of(PAGE)


def removal(*spans: tuple[int, int]) -> Removal:
    return Removal("line", "test", spans)


def test_a_removal_takes_its_rows_and_no_others() -> None:
    kept_rows = KeptRows(table())
    bold = kept_rows.table.tag.index("b")
    kept_rows.remove([removal((bold, kept_rows.table.end[bold]))])
    assert [row for row, kept in enumerate(kept_rows.mask) if not kept] == [bold, bold + 1]
    assert kept_rows.line_text(0) == "one three"
    assert kept_rows.has_line(0)


def test_a_removal_knows_how_much_text_it_takes() -> None:
    page = table()
    assert removal().units(page) == 0
    assert removal(line_spans(page, [0])[0]).units(page) == len("one") + len("two") + len("three")
    assert removal(*line_spans(page, [1, 4])).units(page) == len("four") + len("seven")
    assert removal((0, len(page))).units(page) == page.text_length(0)


@given(SPANS)
def test_what_is_removed_is_gone_and_nothing_else(spans: list[tuple[int, int]]) -> None:
    kept_rows = KeptRows(table())
    size = len(kept_rows.table)
    inside = [(min(start, size), min(stop, size)) for start, stop in spans]
    kept_rows.remove([removal(span) for span in inside])
    dropped = {row for start, stop in inside for row in range(start, stop)}
    assert [row for row in range(size) if not kept_rows.mask[row]] == sorted(dropped)
    for line in range(len(kept_rows.table.lines)):
        assert kept_rows.has_line(line) == (kept_rows.line_text(line) != "")
    assert len(kept_rows.mask) == size
