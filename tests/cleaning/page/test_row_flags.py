from __future__ import annotations

import pytest

from tests.reading import row_of, table_of
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.row_flags import find_row_facts


def test_names_are_read_where_there_is_text_only() -> None:
    table = table_of("<div class=sidebar id=full>a</div><div class=sidebar id=bare><img></div>")
    facts = find_row_facts(table)
    full, bare = (int(facts.own[row_of(table, ident)]) for ident in ("full", "bare"))

    assert full & f.SAYS_OTHER
    assert not bare & f.SAYS_OTHER
    assert full & bare & f.REPEATABLE


@pytest.mark.parametrize("filler", ["", "x" * 50 + " ", "x" * 500 + " "])
def test_a_name_says_the_same_however_long_it_is(filler: str) -> None:
    table = table_of(f"<div id=no class='{filler}col'>a</div><div id=yes class='{filler}nav'>b")
    facts = find_row_facts(table)
    said = [bool(facts.own[row_of(table, ident)] & f.SAYS_OTHER) for ident in ("no", "yes")]

    assert said == [False, True]


@pytest.mark.parametrize(
    ("attribute", "bit", "told"),
    [
        ("itemprop=articleBody", f.BODY_MARKED, True),
        ("itemprop=name", f.BODY_MARKED, False),
        ("role=main", f.BODY_MARKED, True),
        ("role=articleBody", f.BODY_MARKED, False),
        ("hidden", f.HIDDEN, True),
        ("style='Display: None'", f.HIDDEN, True),
        ("style='display:block;float:none'", f.HIDDEN, False),
    ],
)
def test_what_attributes_say_holds_for_all_below(attribute: str, bit: int, told: bool) -> None:
    table = table_of(f"<div id=around {attribute}><p id=inside>a</p></div><p id=behind>b</p>")
    bits = find_row_facts(table).bits
    idents = ("around", "inside", "behind")

    assert [bool(bits[row_of(table, ident)] & bit) for ident in idents] == [told, told, False]


@pytest.mark.parametrize(
    ("attribute", "told"),
    [("align=center", True), ("align=left", False), ("style='text-align : center'", True)],
)
def test_an_element_is_centred_not_what_is_in_it(attribute: str, told: bool) -> None:
    table = table_of(f"<div id=around {attribute}><p id=inside>a</p></div>")
    own = find_row_facts(table).own
    centred = [bool(own[row_of(table, ident)] & f.CENTRED) for ident in ("around", "inside")]

    assert centred == [told, False]
