from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from benchmarks import hostile_pages
from benchmarks.hostile_pages import (
    SMALL,
    Fate,
    is_as_promised,
    kinds_table,
    measure_hostile,
    totals_section,
)
from tests.hostile.kinds import KINDS
from webclean_scrapy.cleaning.cleaner import Cleaner

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("one line", "a PDF file", "nothing")


@pytest.fixture(autouse=True)
def _cold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cleaner, "warm_up", lambda _: None)


def fates_of(*names: str) -> list[Fate]:
    kinds = [kind for kind in KINDS if kind.name in names]
    return [fate for _, fate in measure_hostile([1], kinds=kinds)]


def test_each_page_has_its_outcome_cost_and_marks() -> None:
    by_kind = {fate.kind: fate for fate in fates_of(*NAMES)}
    read, refused, empty = (by_kind[name] for name in NAMES)

    assert (read.outcome, read.saved) == ("parsed", read.marks)
    assert (refused.outcome, empty.outcome) == ("refused", "empty")
    assert "a PDF file" in refused.reason
    assert empty.reason
    assert read.peak > 10_000_000
    assert all(map(is_as_promised, (read, refused, empty)))
    assert "one line" in kinds_table([read, refused, empty])
    assert "crashes: 0; uncaught: 0" in totals_section([read, refused, empty])


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fail() -> None:
    raise RuntimeError("a fault")


@pytest.mark.parametrize(("fault", "outcome"), [(_die, "crash"), (_fail, "uncaught")])
def test_a_crash_and_an_uncaught_error_are_seen(
    monkeypatch: pytest.MonkeyPatch, fault: Callable[[], None], outcome: str
) -> None:
    monkeypatch.setattr(hostile_pages, "_clean", lambda *_: fault())

    (fate,) = fates_of("one line")

    assert fate.outcome == outcome
    assert not is_as_promised(fate)
    assert f"- one line: {outcome}" in totals_section([fate])


def test_slow_pages_are_counted_by_their_size() -> None:
    def fate(size: int, seconds: float) -> Fate:
        return Fate("x", "parsed", "", size, seconds, peak=1, marks=1, saved=1, may_refuse=False)

    found = totals_section([fate(SMALL, 2.1), fate(SMALL + 1, 2.1), fate(SMALL + 1, 10.1)])

    assert "over 2 s to 5 MB: 1" in found
    assert "over 10 s to 50 MB: 1" in found
