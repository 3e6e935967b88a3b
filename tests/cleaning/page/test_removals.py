from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.page.removals import Living, Removal, line_span, line_spans
from webclean_scrapy.cleaning.page.table import TEXT, PageTable

PAGE = "<div><p>one <b>two</b> three<p>four<br>five<ul><li>six<li><a href=x>seven</a></ul></div>"
SPANS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).map(sorted).map(tuple))


def table() -> PageTable:
    return table_of(PAGE)


def removal(*spans: tuple[int, int]) -> Removal:
    return Removal("line", "test", spans)


def test_everything_lives_at_first() -> None:
    living = Living(table())
    assert all(living.mask)
    assert len(living.mask) == len(living.table)
    lines = range(len(living.table.lines))
    assert [living.line_text(line) for line in lines] == living.table.lines.text
    assert all(living.has_line(line) for line in lines)


def test_a_removal_takes_its_rows_and_no_others() -> None:
    living = Living(table())
    bold = living.table.tag.index("b")
    living.remove([removal((bold, living.table.end[bold]))])
    assert [row for row, alive in enumerate(living.mask) if not alive] == [bold, bold + 1]
    assert living.line_text(0) == "one three"
    assert living.has_line(0)


def test_a_line_without_living_text_is_gone() -> None:
    living = Living(table())
    living.remove([removal(line_span(living.table, 0))])
    assert living.line_text(0) == ""
    assert not living.has_line(0)
    assert living.has_line(1)


def test_elements_alone_do_not_make_a_line_live() -> None:
    living = Living(table())
    texts = [row for row in range(*line_span(living.table, 0)) if living.table.tag[row] == TEXT]
    living.remove([removal(*((row, row + 1) for row in texts))])
    assert living.mask[living.table.tag.index("b")]
    assert not living.has_line(0)


def test_a_removal_knows_how_much_text_it_takes() -> None:
    page = table()
    assert removal().units(page) == 0
    assert removal(line_span(page, 0)).units(page) == len("one") + len("two") + len("three")
    assert removal(*line_spans(page, [1, 4])).units(page) == len("four") + len("seven")
    assert removal((0, len(page))).units(page) == page.text_length(0)


def test_the_spans_of_lines_hold_their_texts() -> None:
    page = table()
    assert line_spans(page, []) == ()
    for line, (first, behind) in enumerate(line_spans(page, range(len(page.lines)))):
        assert (first, behind) == line_span(page, line)
        assert "".join(page.text[first:behind]) == page.lines.text[line]


@given(SPANS)
def test_what_is_removed_and_restored_lives_as_before(spans: list[tuple[int, int]]) -> None:
    living = Living(table())
    size = len(living.table)
    inside = [(min(start, size), min(stop, size)) for start, stop in spans]
    living.remove([removal(span) for span in inside])
    dead = {row for start, stop in inside for row in range(start, stop)}
    assert [row for row in range(size) if not living.mask[row]] == sorted(dead)
    for line in range(len(living.table.lines)):
        assert living.has_line(line) == (living.line_text(line) != "")
    living.restore(inside)
    assert all(living.mask)
    assert len(living.mask) == size


@given(SPANS, SPANS)
def test_removing_twice_is_removing_once(
    one: list[tuple[int, int]], other: list[tuple[int, int]]
) -> None:
    both, either = Living(table()), Living(table())
    size = len(both.table)
    left, right = (
        removal(*((min(start, size), min(stop, size)) for start, stop in spans))
        for spans in (one, other)
    )
    both.remove([left, right, left])
    either.remove([right, left])
    assert both.mask == either.mask
