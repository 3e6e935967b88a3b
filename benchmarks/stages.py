"""Stages: what each stage of cleaning and each field costs, beside the parse and trafilatura.

Ours and theirs alternate on every page in one process. The functions of the stages are wrapped
while a page is cleaned, and each is charged what it uses itself, without the stages inside it.
What two fields share is charged to the one that is asked first.
"""

from __future__ import annotations

import gc
from contextlib import ExitStack, contextmanager
from functools import partial, wraps
from statistics import median
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from lxml import etree

from benchmarks.cost_meter import open_meter
from benchmarks.markdown import table
from benchmarks.peers import trafilatura_body
from webclean_scrapy.cleaning import cleaner as composition
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.page import parsed_page
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from benchmarks.data import Page

    Cost = dict[str, float]  # of one page, by stage

PARSE = "bare lxml parse"
BODY, RECORD = "**body and kind**", "**every field**"
DEFAULTS, WITH_METADATA = "trafilatura, its defaults", "trafilatura with metadata"
ROUNDS = 2
#: The functions of each stage, as the modules that call them know them.
STAGES: dict[str, tuple[tuple[Any, str], ...]] = {
    "decode and guard": ((composition, "parse_page"),),
    "parse": ((parsed_page, "parse"),),
    "head and JSON-LD": ((parsed_page, "read_head"),),
    "table": ((parsed_page, "build_table"),),
    "facts and evidence": ((composition, "gather"),),
    "lines": ((composition, "estimate_lines"),),
    "walk": ((composition, "walk_down"),),
    "removals": tuple(
        (composition, name)
        for name in ("select_lines", "remove_excluded", "remove_lines", "trim_body")
    ),
    "kind": ((composition, "kind_features"), (composition, "page_kind")),
}
REST_OF_BODY, REST_OF_RECORD = "text and the rest of the body", "the rest of the record"
#: The fields that cost, in the order in which they are asked.
FIELDS = {
    "HTML": "html",
    "title": "title",
    "language": "language",
    "keywords": "keywords",
    "date": "date_published",
    "authors": "authors",
    "confidence": "confidence",
    "link blocks": "link_blocks",
    "pictures": "images",
}


class _Ledger:
    """Charges what is used to the stage that runs, the innermost one."""

    def __init__(self, read: Callable[[], float]) -> None:
        self.spent: Cost = {}
        self._read = read
        self._open: list[str] = []
        self._last = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self._charge()
        self._open.append(name)
        try:
            yield
        finally:
            self._charge()
            self._open.pop()

    def _charge(self) -> None:
        now = self._read()
        if self._open:
            name = self._open[-1]
            self.spent[name] = self.spent.get(name, 0.0) + now - self._last
        self._last = self._read()

    def wrapped(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with self.stage(name):
                return function(*args, **kwargs)

        return run


def measure_stages(pages: Iterable[Page], *, rounds: int = ROUNDS) -> tuple[str, list[Cost]]:
    """Return what was counted, and the cost of each stage on each page, the least of *rounds*.

    Pages that are not cleaned, or on which trafilatura crashes, are left out.
    """
    unit, read = open_meter()
    cleaner = Cleaner()
    cleaner.warm_up()
    peers = {DEFAULTS: trafilatura_body(), WITH_METADATA: trafilatura_body(with_metadata=True)}
    costs = []
    for page in pages:
        gc.collect()
        calls: list[Callable[[_Ledger], None]] = [
            partial(_parse, page), partial(_clean, cleaner, page),
            *(partial(_ask, name, peer, page) for name, peer in peers.items()),
        ]  # fmt: skip
        best: Cost = {}
        try:
            for number in range(rounds):
                ledger = _Ledger(read)
                for at in range(len(calls)):
                    calls[(at + number) % len(calls)](ledger)
                best = {n: min(spent, best.get(n, spent)) for n, spent in ledger.spent.items()}
        except (PageError, _PeerError):
            continue
        costs.append(_with_sums(best))
    return unit, costs


class _PeerError(Exception):
    """A peer has crashed."""


def _parse(page: Page, ledger: _Ledger) -> None:
    data = page.text.encode("utf-8", "replace")
    with ledger.stage(PARSE):
        etree.fromstring(data, etree.HTMLParser(encoding="utf-8", huge_tree=True))


def _ask(name: str, peer: Callable[[Page], str], page: Page, ledger: _Ledger) -> None:
    try:
        with ledger.stage(name):
            peer(page)
    except Exception as error:
        raise _PeerError from error


def _clean(cleaner: Cleaner, page: Page, ledger: _Ledger) -> None:
    with ExitStack() as stack:
        for name, functions in STAGES.items():
            for module, function in functions:
                run = ledger.wrapped(name, getattr(module, function))
                stack.enter_context(patch.object(module, function, run))
        with ledger.stage(REST_OF_BODY):
            cleaned = cleaner.inspect(RawPage(page.html, page.url or ""))
    for name, field in FIELDS.items():
        with ledger.stage(name):
            getattr(cleaned, field)
    with ledger.stage(REST_OF_RECORD):
        cleaned.to_dict()


def _with_sums(cost: Cost) -> Cost:
    body = sum(cost.get(name, 0.0) for name in (*STAGES, REST_OF_BODY))
    return cost | {BODY: body, RECORD: body + sum(cost[n] for n in (*FIELDS, REST_OF_RECORD))}


def stages_section(measured: Mapping[str, tuple[str, Sequence[Cost]]]) -> str:
    """Return a table of the costs of all sets, and one of body and record by set."""
    every = [cost for _, costs in measured.values() for cost in costs]
    if not every:
        return "no page was cleaned"
    unit = next(iter(measured.values()))[0]
    names = [*STAGES, REST_OF_BODY, BODY, *FIELDS, REST_OF_RECORD, RECORD, DEFAULTS, WITH_METADATA]
    head = ["", "× parse", "of trafilatura", "of it with metadata", "of all its cost",
            "with metadata"]  # fmt: skip
    rows = [[name, *_shares(every, name)] for name in names]
    sets = [
        [f"{name} ({len(costs)} pages)", *_shares(costs, BODY)[1:], *_shares(costs, RECORD)[1:]]
        for name, (_, costs) in measured.items()
        if costs
    ]
    shares = head[2:]
    said = (
        f"{len(every)} pages, in {unit}. The first three are medians over pages, the others of the "
        "sums over all pages."
    )
    by_set = ["", *(f"body {one}" for one in shares), *(f"record {one}" for one in shares)]
    return "\n\n".join((said, table(head, rows), table(by_set, sets)))


def _shares(costs: Sequence[Cost], name: str) -> list[str]:
    """Return medians of the cost in parses and in shares of the peer, then the shares of sums."""
    medians = [
        median(cost.get(name, 0.0) / cost[base] for cost in costs)
        for base in (PARSE, DEFAULTS, WITH_METADATA)
    ]
    total = sum(cost.get(name, 0.0) for cost in costs)
    sums = [total / sum(cost[base] for cost in costs) for base in (DEFAULTS, WITH_METADATA)]
    return [f"{medians[0]:.2f}", *(f"{share:.3f}" for share in (*medians[1:], *sums))]
