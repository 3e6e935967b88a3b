"""Changes of constants: each way once for a constant, and valid Python."""

import ast
import random

import pytest

from tests.marks import nightly
from tests.nightly.mutations import ROOMS, ROOT, find_mutations

SAMPLE = 150  # mutations of a room


@pytest.mark.parametrize("room", [ROOMS[0], *nightly(*ROOMS[1:])])
def test_a_change_of_a_constant_is_another_valid_module(room: str) -> None:
    found = [*find_mutations(room, random.Random(1))]
    for mutation in found[:: max(1, len(found) // SAMPLE)]:  # all are tried by night
        source = (ROOT / mutation.path).read_bytes()
        changed = source[: mutation.start] + mutation.text + source[mutation.end :]

        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source)), str(mutation)


def test_numbers_go_both_ways_and_patterns_lose_a_word() -> None:
    found = {(one.name, one.way) for one in find_mutations("cleaning", random.Random(1))}

    assert {("SAME_TEMPLATE", "up"), ("SAME_TEMPLATE", "down"), ("CAPTION_END", "word")} <= found
    assert ("de leads_on", "word") in found
