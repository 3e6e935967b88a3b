"""Progress bars on standard error; nothing is drawn where that is no terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scrapy import signals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy.crawler import Crawler


@contextmanager
def progress(
    total: int | None, unit: str, *, scale: bool = False
) -> Iterator[Callable[[int], None]]:
    """Give a function that is told how many more are done. *total* None: not known."""
    from tqdm import tqdm

    with tqdm(
        total=total, unit=unit, unit_scale=scale, disable=None, file=sys.stderr, leave=False
    ) as bar:
        yield lambda count: bar.update(count) and None


@contextmanager
def crawl_progress(total: int | None) -> Iterator[Callable[[Crawler], None]]:
    """Give a function that counts the pages of a crawler; *total* None: not known."""
    with progress(total, " pages") as more:

        def count() -> None:
            more(1)

        def watch(crawler: Crawler) -> None:
            crawler.signals.connect(count, signal=signals.response_received, weak=False)

        yield watch
