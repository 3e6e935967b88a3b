import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import assert_linear
from tests.reading import row_of, table_of
from webclean_scrapy.cleaning.page import row_flags as f


def test_names_are_read_where_there_is_text_only() -> None:
    table = table_of("<div class=sidebar id=full>a</div><div class=sidebar id=bare><img></div>")
    flags = table.flags
    full, bare = (int(flags.own[row_of(table, ident)]) for ident in ("full", "bare"))

    assert full & f.SAYS_OTHER
    assert not bare & f.SAYS_OTHER
    assert full & bare & f.REPEATABLE


CAPTION = f.SAYS_CAPTION << f.OWN


def says(names: str, *bits: int) -> tuple[bool, ...]:
    """Return for each of *bits* whether the names set it."""
    return tuple(f.read_names(names) & bit > 0 for bit in bits)


@given(st.text("comentrladpsip-_ \xa0\n", max_size=30))
def test_words_of_a_name_say_what_the_whole_name_does(names: str) -> None:
    whole = (f._PART_SAYS.get(part, 0) for part in f._PARTS.findall(names))
    known = {bit for part in whole for bit in (f.NAMED_BODY, f.NAMED_OTHER) if part & bit}

    for bit in (f.NAMED_BODY, f.NAMED_OTHER):
        assert says(names, bit) == (bit in known,)
    assert says(names, CAPTION) == (f.says_caption(names),)
    for bit, pattern in f._PARTS_SAY:
        assert says(names, bit) == (pattern.search(names) is not None,)


def test_a_name_without_end() -> None:
    assert says("content-" * 10_000, f.NAMED_BODY, f.NAMED_OTHER) == (True, False)
    endless = "user-post-img-most-" * 5_000
    assert not any(says(endless, CAPTION, f.COMMENTS, f.RELATED))


@pytest.mark.parametrize("unit", ["content-", "user-post-img-most-"])
def test_a_long_name_takes_time_in_proportion(unit: str) -> None:
    assert_linear(f.read_names, lambda size: unit * size, 1_000)
