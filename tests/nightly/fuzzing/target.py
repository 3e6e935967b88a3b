"""Fuzzing targets: each makes a case out of a seed and checks its result."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class BrokenError(AssertionError):
    """A check of a target failed."""


class OverBudgetError(BaseException):
    """An execution takes more CPU time than allowed; no handler of the product catches it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One input: files, by name, and the plain values that they are read with."""

    files: dict[str, bytes] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A fuzzing target. The same seed makes the same case."""

    name: str
    share: float  # of all executions, in parts
    make: Callable[[random.Random], Case]
    run: Callable[[Case], None]  # raises for a finding
    most_s: float = 2.0  # CPU seconds of one execution


def draw_of(seed: int, number: int, name: str) -> random.Random:
    """Return the dice of one execution."""
    return random.Random(f"{seed}:{number}:{name}")


def pick_target(targets: Sequence[Target], seed: int, number: int) -> Target:
    """Return the target of execution *number*, by the shares."""
    draw = random.Random(f"{seed}:{number}")
    return draw.choices(targets, [target.share for target in targets])[0]


def expect(holds: object, message: str) -> None:
    """Raise BrokenError unless it *holds*."""
    if not holds:
        raise BrokenError(message)
