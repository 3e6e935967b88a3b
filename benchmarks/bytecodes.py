"""Counts what a page costs in bytecodes, which no load of the machine changes.

They follow time within some percent, and differ by 1 in 30,000 between runs; calls of C code count
once, however long they take, so timings stay beside them. Other versions of Python, lxml and numpy
have other counts: those in ``bytecodes.json`` say of which they are.
"""

from __future__ import annotations

import json
import platform
import sys
from functools import partial
from importlib.metadata import version
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.data import ARTICLE, load_demo
from webclean_scrapy.cleaning.cleaner import Cleaner

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.data import Page

COUNTS = Path(__file__).with_name("bytecodes.json")
MOST_ABOVE = 0.01  # share by which a count may rise unsaid
PAGES = 32
_LEARNED, _KNOWN = 4, 4  # pages of a site before those that are counted, and these


def count_bytecodes(work: Callable[[], object]) -> int:
    """Return how many bytecodes *work* takes."""
    count = 0

    def trace(frame: Any, event: str, _: object) -> Any:
        nonlocal count
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def measure_bytecodes() -> dict[str, int]:
    """Return the bytecodes a page of the demo portal: whole record, body, and on a known site."""
    articles = [page for page in load_demo().values() if page.kind == ARTICLE]
    pages = articles[:: max(1, len(articles) // PAGES)][:PAGES]
    cleaner = Cleaner()

    def read_bodies() -> None:
        for page in pages:
            cleaner.inspect(page.raw).text  # noqa: B018

    def read_records() -> None:
        for page in pages:
            cleaner.inspect(page.raw).to_dict()

    read_records()  # models and tables are loaded once
    found = {
        "record": count_bytecodes(read_records) // len(pages),
        "body": count_bytecodes(read_bodies) // len(pages),
    }
    return {**found, "known": _count_known(articles)}


def _count_known(articles: list[Page]) -> int:
    counts = []
    for _, of_site in groupby(sorted(articles, key=_site), key=_site):
        cleaner = Cleaner()
        for number, page in enumerate(islice(of_site, _LEARNED + _KNOWN)):
            count = count_bytecodes(partial(_clean, cleaner, page))
            counts += [count] if number >= _LEARNED else []
    return sum(counts) // len(counts)


def _clean(cleaner: Cleaner, page: Page) -> None:
    cleaner.inspect(page.raw, remember=True).to_dict()


def _site(page: Page) -> str:
    return page.site


def versions() -> dict[str, str]:
    """Return the versions that the counts depend on."""
    minor = ".".join(platform.python_version_tuple()[:2])
    return {"python": minor, **{name: version(name) for name in ("lxml", "numpy")}}


def bytecodes_section(*, write: bool = False) -> tuple[str, bool]:
    """Return the counts beside the kept ones, and whether none has risen by more than MOST_ABOVE.

    They are only compared where the versions are the same. With *write* they are kept.
    """
    found, kept = measure_bytecodes(), json.loads(COUNTS.read_text("utf-8"))
    if write:
        COUNTS.write_text(json.dumps({**versions(), **found}, indent=1) + "\n", "utf-8")
    if not versions().items() <= kept.items():
        kept = {}
    changes = {name: found[name] / kept[name] - 1 if kept else 0 for name in found}
    lines = [f"{name}: {found[name]:,} bytecodes a page, {changes[name]:+.2%}" for name in found]
    if not kept:
        lines.append(f"not compared: {COUNTS.name} has those of other versions")
    return "\n".join(lines), max(changes.values()) <= MOST_ABOVE
