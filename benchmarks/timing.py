"""CPU time of alternating calls, so that noise of the machine affects all alike."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    T = TypeVar("T")


class Turn(NamedTuple):
    """Result and CPU time of one call."""

    result: object  # of the call, or the exception it raised
    seconds: float  # of CPU


def take_turn(call: Callable[[], object]) -> Turn:
    """Call and time *call*; a crash is a result too."""
    start = time.process_time()
    try:
        result = call()
    except Exception as error:  # noqa: BLE001, of an extractor we do not know
        result = error
    return Turn(result, time.process_time() - start)


def take_turns(calls: Mapping[str, Callable[[], object]], number: int) -> dict[str, Turn]:
    """Return a turn of each call by name; who begins goes round with *number*."""
    names = list(calls)
    first = number % len(names)
    return {name: take_turn(calls[name]) for name in (*names[first:], *names[:first])}


def best_of(calls: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the minimal CPU seconds of each call over several rounds.

    Garbage is collected between rounds, not in them. Raises what a call raises.
    """
    best = dict.fromkeys(calls, float("inf"))
    for number in range(rounds):
        gc.collect()
        for name, turn in take_turns(calls, number).items():
            if isinstance(turn.result, Exception):
                raise turn.result
            best[name] = min(best[name], turn.seconds)
    return best
