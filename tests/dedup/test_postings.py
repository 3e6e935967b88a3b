from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.dedup.stores.postings import FIRST_ROW, PostingTable

# Few codes, some of them of one shard and one slot, so that they collide.
codes = st.sampled_from([0, 1, 2, 1024, 1 << 20, 0xFFFFFFFF])
rows = st.integers(FIRST_ROW, 60)


@given(st.lists(st.tuples(st.booleans(), codes, rows), max_size=200))
def test_it_holds_what_a_dict_of_sets_would(steps: list[tuple[bool, int, int]]) -> None:
    table, model = PostingTable(), defaultdict[int, set[int]](set)
    for adds, code, row in steps:
        if not adds:
            table.discard([code], row)
            model[code].discard(row)
        elif row not in model[code]:
            table.add([code], row)
            model[code].add(row)
    found = table.get_all(list(model))
    assert {code: sorted(r) for code, r in found.items()} == {
        code: sorted(r) for code, r in model.items() if r
    }


def test_room_of_removed_entries_is_used_again() -> None:
    table = PostingTable()
    for row in range(FIRST_ROW, 5000):
        table.add([1024], row)
        table.discard([1024], row)
    assert table.get_all([1024]) == {}
    table.add([1024], 7)
    assert table.get_all([1024]) == {1024: [7]}


def test_a_full_table_grows_and_leaves_removed_entries_behind() -> None:
    table = PostingTable()
    for row in range(FIRST_ROW, 400):
        table.add([0], row)
        table.add([1024 * row], row)  # of the same shard
        if row % 3:
            table.discard([0], row)
    assert sorted(table.get_all([0])[0]) == [r for r in range(FIRST_ROW, 400) if r % 3 == 0]
    assert table.get_all([1024 * 77]) == {1024 * 77: [77]}


def test_a_search_ends_when_every_slot_was_used_once() -> None:
    table = PostingTable()
    for row in range(FIRST_ROW, 200):
        table.add([1024 * row], row)
        table.discard([1024 * row], row)
    assert table.get_all([1024 * 5, 1024 * 500]) == {}
