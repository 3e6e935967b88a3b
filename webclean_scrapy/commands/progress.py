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
    total: int | None, unit: str, *, prints: bool = False
) -> Iterator[Callable[[int], None]]:
    """Give a function that is told how many more are done. *total* None: not known.

    A command that *prints* its results on the same terminal needs no bar between them.
    """
    from tqdm import tqdm

    hidden = True if prints and sys.stdout.isatty() else None  # None: by standard error
    with tqdm(total=total, unit=unit, disable=hidden, file=sys.stderr, leave=False) as bar:

        def more(count: int) -> None:
            bar.update(count)

        yield more


@contextmanager
def crawl_progress(total: int | None, *, prints: bool) -> Iterator[Callable[[Crawler], None]]:
    """Give a function that counts the pages of a crawler; *total* None: not known."""
    with progress(total, " pages", prints=prints) as more:

        def count() -> None:
            more(1)

        def watch(crawler: Crawler) -> None:
            crawler.signals.connect(count, signal=signals.response_received, weak=False)

        yield watch
