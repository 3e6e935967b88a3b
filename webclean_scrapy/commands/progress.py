"""Progress bars on standard error; nothing is drawn where that is no terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scrapy import signals

from webclean_scrapy.commands.terminal import plain_terminal
from webclean_scrapy.messages import hide_logins, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy.crawler import Crawler


@contextmanager
def progress(
    total: int | None, unit: str, *, prints: bool = False
) -> Iterator[Callable[[int], None]]:
    """Give a function that is told how many more are done. *total* None: not known.

    The unit "B", bytes, is shown as kB, MB and so on.

    A command that *prints* its results on the same terminal needs no bar between them.
    """
    from tqdm import tqdm

    hidden = True if prints and sys.stdout.isatty() else None  # None: by standard error
    with tqdm(
        total=total,
        unit=unit,
        unit_scale=unit == "B",
        disable=hidden,
        file=plain_terminal(),
        leave=False,
    ) as bar:

        def more(count: int) -> None:
            bar.update(count)

        yield more


def say(line: str) -> None:
    """Print a line on standard error, above a bar if one is drawn."""
    from tqdm import tqdm

    tqdm.write(hide_logins(visible(line)), file=plain_terminal())


@contextmanager
def crawl_progress(total: int | None, *, prints: bool) -> Iterator[Callable[[Crawler], None]]:
    """Give a function that counts the pages of a crawler; *total* None: not known."""
    with progress(total, " pages", prints=prints) as more:

        def count() -> None:
            more(1)

        def watch(crawler: Crawler) -> None:
            crawler.signals.connect(count, signal=signals.response_received, weak=False)

        yield watch
