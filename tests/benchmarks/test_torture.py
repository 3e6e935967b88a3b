"""A little of what ``make torture`` does a million times, on a fixed seed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from benchmarks import torture
from benchmarks.fuzzing.target import BrokenError, Case, Target, draw_of, expect
from benchmarks.fuzzing.targets import TARGETS, find_problem
from benchmarks.torture import Plan, Results, repeat, run_one, torture_section

if TYPE_CHECKING:
    from pathlib import Path

SEED = 14
#: Executions of a target in the tests: of the cheap ones more.
FEW = {"page": 6, "metadata": 6, "index-files": 5, "index-texts": 3, "feeds": 6, "own-files": 12}
FEW |= {"siblings": 2, "explain": 2, "commands": 8, "stores": 10, "warcs": 20}


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_mutated_inputs_break_nothing(target: Target) -> None:
    unhurried = replace(target, most_s=60.0)
    for number in range(FEW.get(target.name, 60)):
        case = target.make(draw_of(SEED, number, target.name))
        assert find_problem(unhurried, case) is None, (number, case.values)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_a_seed_makes_the_same_case_again(target: Target) -> None:
    first, second = (target.make(draw_of(SEED, 3, target.name)) for _ in range(2))
    assert first.files == second.files
    assert repr(first.values) == repr(second.values)


def _fail(case: Case) -> None:
    expect(len(case.files["page.html"]) < 2, "it is\ntoo long")


FAULTY = Target(
    name="faulty",
    share=1.0,
    make=lambda draw: Case(files={"page.html": draw.randbytes(draw.randrange(4))}),
    run=_fail,
)


def test_a_finding_is_kept_with_its_input_and_what_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torture, "TARGETS", (FAULTY,))
    plan, results = Plan(seed=SEED, runs=20, out=tmp_path), Results()
    problems = [run_one(plan, number, results) for number in range(20)]
    found = [number for number, problem in enumerate(problems) if problem]
    folder = tmp_path / f"faulty-{SEED}-{found[0]}"
    assert len((folder / "page.html").read_bytes()) >= 2
    said = (folder / "finding.txt").read_text()
    assert said.startswith(f"python -m benchmarks torture --seed {SEED} --only {found[0]}\n")
    assert "BrokenError: it is" in said
    assert (results.runs["faulty"], sum(results.findings.values())) == (20, len(found))
    assert f"{len(found)} x faulty: " in torture_section(results, tmp_path)
    assert repeat(plan, found[0]) == 1
    assert "too long" in capsys.readouterr().out


def test_what_takes_too_long_is_a_finding_that_no_handler_catches() -> None:
    def run(_: Case) -> None:
        try:
            while True:
                pass
        except Exception as error:
            raise BrokenError("caught") from error

    slow = replace(FAULTY, run=run, most_s=0.05)
    problem = find_problem(slow, Case())
    assert problem is not None
    assert "more than 0.05 s of CPU" in problem
