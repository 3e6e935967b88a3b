"""Faulty tasks of a worker, in a module that loads little: each process imports it."""

import os
import time
from pathlib import Path
from typing import Any

from webclean_scrapy.crawl.workers import tasks

SLOW_START_S = 6
start, tasks_clean = tasks.start, tasks.clean  # before a test replaces them


def start_slowly(*arguments: Any) -> None:
    """Take the place of a worker's start."""
    time.sleep(SLOW_START_S)
    start(*arguments)


def die(*arguments: object, **_: object) -> dict[str, Any]:
    """Take the place of a worker's function, and kill its process."""
    os._exit(1)


def die_on_a_host(cleaner: Any, page: Any, *arguments: Any) -> dict[str, Any]:
    """Take the place of a worker's function, and kill its process at the pages of one host."""
    if page.url.startswith("http://a.example/"):
        die()
    return tasks_clean(cleaner, page, *arguments)


def hang_on_a_host(cleaner: Any, page: Any, *arguments: Any) -> dict[str, Any]:
    if page.url.startswith("http://a.example/"):
        hang()
    return tasks_clean(cleaner, page, *arguments)


def hang(*_: object) -> None:
    time.sleep(1_000)


KILLS, FAILS = "<!--kills the parser-->", "<!--is too much for the memory-->"


def clean_or_die(task: Any, *rest: Any) -> Any:
    """Take the place of the cleaning of a page, and end the process where a page KILLS it."""
    from webclean_scrapy.cleaning import parsed_page
    from webclean_scrapy.cleaning.page.parse import parse
    from webclean_scrapy.engines.page_cleaner import clean_in_worker

    def parse_or_die(html: bytes) -> Any:
        if KILLS.encode() in html:
            die()
        if FAILS.encode() in html:
            raise MemoryError
        return parse(html)

    vars(parsed_page)["parse"] = parse_or_die
    return clean_in_worker(task, *rest)


def raise_error(kind: type[BaseException]) -> None:
    raise kind


def deep_list(levels: int) -> list[Any]:
    """Return a list that is too deep to be packed."""
    found: list[Any] = []
    for _ in range(levels):
        found = [found]
    return found


class Unreadable:
    """An answer that raises an error where it is read."""

    def __reduce__(self) -> tuple[type[int], tuple[str]]:
        return int, ("no number",)


def unreadable_once(path: Path) -> object:
    """Return what cannot be read, but once *path* is there."""
    if path.exists():
        return "read"
    path.touch()
    return Unreadable()


def explain_once(page: Any, config: Any, *rest: Any) -> Any:
    """Take the place of the explanation of a page, and hang where it would parse it."""
    from webclean_scrapy.report.explain import explain_page

    return hang() if config.max_body_bytes > 1 else explain_page(page, config, *rest)


def explain_or_die(page: Any, config: Any, siblings: Any = (), *rest: Any) -> Any:
    """Take the place of the explanation of a page, and die beside a sibling."""
    from webclean_scrapy.report.explain import explain_page

    if siblings:
        die()
    if FAILS.encode() in page.html and config.max_body_bytes > 1:
        raise MemoryError
    return explain_page(page, config, siblings, *rest)


def opened_files() -> set[str]:
    """Return the names of the files that this process has open, on Linux."""
    return {os.path.realpath(one) for one in Path("/proc/self/fd").iterdir()}
