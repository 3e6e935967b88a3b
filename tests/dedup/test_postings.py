from __future__ import annotations

import random
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webclean_scrapy.dedup.stores import postings
from webclean_scrapy.dedup.stores.postings import FIRST_ROW, PostingTable

if TYPE_CHECKING:
    from collections.abc import Iterator

# Few codes, some of them of one shard and one slot, so that they collide.
codes = st.sampled_from([0, 1, 2, 1024, 1 << 20, 0xFFFFFFFF])
rows = st.integers(FIRST_ROW, 60)


@pytest.fixture(scope="module", autouse=True, params=[False, True])
def _form(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run each test in numpy, and in C where that was built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "IS_COMPILED", request.param and postings.IS_COMPILED)
        yield


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
    rows = table.get_all(list(model))
    assert {code: sorted(r) for code, r in rows.items()} == {
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


def test_it_loses_and_doubles_nothing_as_it_grows() -> None:
    draw = random.Random(1)
    frequent = [draw.getrandbits(32) for _ in range(40)]
    table, pages = PostingTable(), dict[int, set[int]]()
    for row in range(FIRST_ROW, 1500):
        pages[row] = {draw.getrandbits(32) for _ in range(12)} | set(draw.sample(frequent, 4))
        table.add([*pages[row]], row)
        if row % 5 == 0:
            removed = draw.choice([*pages])
            table.discard([*pages.pop(removed), 12345], removed)
    assert table._buckets > 1024  # more than one round
    model = defaultdict[int, list[int]](list)
    for row, codes in pages.items():
        for code in codes:
            model[code].append(row)
    assert {code: sorted(rows) for code, rows in table.get_all([*model]).items()} == model


def test_entries_of_a_full_bucket_move_into_new_ones() -> None:
    table, codes = PostingTable(), [1024 * n for n in range(40)]  # of one bucket
    table.add(codes, 1)
    assert table.get_all(codes) == {code: [1] for code in codes}
    assert len(table._spilled[0]) == 40 - 8
    draw = random.Random(2)
    while table._buckets < 70_000:  # the array was copied into a larger one
        table.add([draw.getrandbits(32) | 1 for _ in range(5000)], 2)
    assert table.get_all(codes) == {code: [1] for code in codes}
    assert 0 not in table._spilled
