from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from benchmarks import cost_meter, stages
from benchmarks.cost_meter import CPU_TIME, INSTRUCTIONS, open_meter
from benchmarks.data import load_demo

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.data import Page


def no_peer(**_: bool) -> Callable[[Page], str]:
    def work(page: Page) -> str:
        return page.text.upper() * 3

    return work


def test_the_meter_counts_what_is_done() -> None:
    unit, read = open_meter()
    before = read()
    sum(range(2_000_000))
    assert unit in {INSTRUCTIONS, CPU_TIME}
    assert read() > before


def test_without_a_counter_cpu_time_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_meter, "_CALLS", {})
    assert open_meter() == (CPU_TIME, time.process_time)


def test_every_stage_and_field_is_charged_and_the_sums_are_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stages, "trafilatura_body", no_peer)
    pages = list(load_demo().values())[:2]
    unit, costs = stages.measure_stages(pages, rounds=1)

    assert len(costs) == 2
    for cost in costs:
        assert cost.keys() == {
            stages.PARSE, *stages.STAGES, stages.REST_OF_BODY, stages.BODY, *stages.FIELDS,
            stages.REST_OF_RECORD, stages.RECORD, stages.DEFAULTS, stages.WITH_METADATA,
        }  # fmt: skip
        parts = sum(cost[name] for name in (*stages.STAGES, stages.REST_OF_BODY))
        assert cost[stages.BODY] == pytest.approx(parts)
        assert cost[stages.RECORD] > cost[stages.BODY]
    shown = stages.stages_section({"demo": (unit, costs)})
    assert shown.startswith(f"2 pages, in {unit}.")
    assert "| keywords" in shown
    assert "demo (2 pages)" in shown
    assert stages.stages_section({"none": (unit, [])}) == "no page was cleaned"


def test_pages_that_are_not_cleaned_or_crash_a_peer_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def crashing(**_: bool) -> Callable[[Page], str]:
        def crash(_: Page) -> str:
            raise RuntimeError

        return crash

    pages = list(load_demo().values())[:1]
    monkeypatch.setattr(stages, "trafilatura_body", crashing)
    assert stages.measure_stages(pages, rounds=1)[1] == []
