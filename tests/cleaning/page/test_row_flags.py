from __future__ import annotations

import pytest

from tests.reading import row_of, table_of
from webclean_scrapy.cleaning.page import row_flags as f


def test_names_are_read_where_there_is_text_only() -> None:
    table = table_of("<div class=sidebar id=full>a</div><div class=sidebar id=bare><img></div>")
    flags = table.flags
    full, bare = (int(flags.own[row_of(table, ident)]) for ident in ("full", "bare"))

    assert full & f.SAYS_OTHER
    assert not bare & f.SAYS_OTHER
    assert full & bare & f.REPEATABLE


@pytest.mark.parametrize(
    ("attribute", "bit", "expected"),
    [
        ("itemprop=articleBody", f.BODY_MARKED, True),
        ("role=main", f.BODY_MARKED, True),
        ("hidden", f.HIDDEN, True),
        ("style='Display: None'", f.HIDDEN, True),
        ("style='display:block;float:none'", f.HIDDEN, False),
        ("style='Visibility : hidden'", f.UNSEEN, True),
        ("style='visibility:visible;overflow:hidden'", f.UNSEEN, False),
        ("aria-hidden=true", f.UNSEEN, True),
        ("aria-hidden=false", f.UNSEEN, False),
        ("class=sr-only", f.UNSEEN, True),
        ("role=dialog", f.DIALOG, True),
        ("aria-modal=true", f.DIALOG, True),
    ],
)
def test_what_attributes_say_holds_for_all_below(attribute: str, bit: int, expected: bool) -> None:
    table = table_of(f"<div id=around {attribute}><p id=inside>a</p></div><p id=behind>b</p>")
    inside = table.flags.inside
    idents = ("around", "inside", "behind")

    assert [bool(inside[row_of(table, ident)] & bit) for ident in idents] == [
        expected,
        expected,
        False,
    ]
