"""How the cost of work grows with its input: the same on a slow machine and on a busy one."""

import gc
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
TIMES = 8  # the size of the large input, in small ones: quadratic work takes 64 times as long
MOST = 2.0  # costs in proportion: 1 of linear work, 1.5 beyond a cache, 8 of quadratic work
TRIES = 6


def assert_linear(work: Callable[[T], object], make: Callable[[int], T], size: int) -> None:
    """Fail if *work* on ``make(8 * size)`` takes far more CPU time than 8 of ``make(size)``.

    Linear work takes as long on the one as on the others, so what else the machine does meets both
    alike. Inputs are made anew for each run, not timed: they may keep what is found of them.

    >>> assert_linear(lambda size: [a for a in range(size)], int, 20_000)
    >>> assert_linear(lambda size: [a for a in range(size) for _ in range(size)], int, 50)
    ... # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: size 400: ... s of CPU, 8 of 50: ... s
    """
    work(make(size))  # loads what is loaded once
    small = large = float("inf")
    gc.disable()  # the garbage of other tests would count
    try:
        for _ in range(TRIES):
            small = min(small, sum(_seconds(work, make(size)) for _ in range(TIMES)))
            large = min(large, _seconds(work, make(TIMES * size)))
            if large <= MOST * small:
                return
    finally:
        gc.enable()
    costs = f"{large:.3f} s of CPU, {TIMES} of {size:,}: {small:.3f} s"
    raise AssertionError(f"size {TIMES * size:,}: {costs}")


def _seconds(work: Callable[[T], object], given: T) -> float:
    start = time.process_time()
    work(given)
    return time.process_time() - start
