"""Pages that are read without a parser: how the cost grows, and how close their bodies are.

Each shape is made in three sizes, each twice the one before. Tags with many attributes are not
given to lxml for comparison: they would hang it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from lxml import etree

from benchmarks.data import ARTICLE
from benchmarks.made_pages import make_page
from benchmarks.markdown import share, table, times
from benchmarks.scoring import precision_recall, set_score
from benchmarks.speed import Growth
from benchmarks.timing import best_of
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.page.raw_page import RawPage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.data import Page
    from benchmarks.scoring import SetScore

SIZES = (2_500_000, 5_000_000, 10_000_000)  # bytes
ROUNDS = 2
_UNPARSED = "attributes of one tag"  # keeps libxml2 busy for a time quadratic in them
_SENTENCE = b"The ferry to the island was two hours late this morning, because of fog in the bay. "
_SHAPES = {
    "paragraphs": b"<p>" + 3 * _SENTENCE + b"</p>\n",
    "one text": _SENTENCE,
    "paragraphs of a letter": b"<p>x</p>",
    "nested elements": b"<div>",
    "line breaks": b"<br>",
    "cells": b"<tr><td>12</td><td>ab</td></tr>",
    "links": b"<li><a href=/page.html>a link of the menu</a></li>",
    "unclosed links": b"<a href=/page.html>a link of the menu ",
    "comments": b"<!-- a comment --> text ",
    "unclosed comments": b"<!-- a comment ",
    "unclosed tags": b"<div ",
    "unclosed quotation marks": b"<a b='",
    "unclosed scripts": b"<script>",
    "angle brackets in values": b"<p title='a > b'>text</p>",
    "character references": b"&amp; &bogus &#x110000; ",
}
_CONFIG = CleanConfig(max_body_bytes=1)  # no page is parsed


@dataclass(frozen=True, slots=True)
class ScanCost:
    """What pages of one shape cost: CPU seconds by size in bytes."""

    scan: Growth  # the whole page: decoding, guard, scan, table, body and kind
    parse: Growth | None  # lxml's parse alone, of the same bytes


def make_shape(name: str, size: int) -> bytes:
    """Return a page of about *size* bytes, an article behind what *name* says."""
    story = make_page(10_000).encode()
    if name == "article":
        return make_page(size).encode()
    if name == _UNPARSED:
        tag = b" ".join(b"a%07d=1" % number for number in range((size - len(story)) // 11))
        return b"<body><div " + tag + b">" + story
    unit = _SHAPES[name]
    return b"<body>" + unit * ((size - len(story)) // len(unit)) + story


def measure_source_costs(
    sizes: tuple[int, ...] = SIZES, rounds: int = ROUNDS
) -> dict[str, ScanCost]:
    """Return the cost of every shape, the least of *rounds*."""
    cleaner = Cleaner(_CONFIG)
    cleaner.warm_up()
    costs = {}
    for name in ("article", *_SHAPES, _UNPARSED):
        scan: dict[int, float] = {}
        parse: dict[int, float] = {}
        for size in sizes:
            html = make_shape(name, size)
            calls: dict[str, Callable[[], object]] = {
                "scan": partial(cleaner.inspect, RawPage(html))
            }
            if name != _UNPARSED:
                calls["parse"] = partial(_parse, html)
            best = best_of(calls, rounds)
            scan[len(html)] = best["scan"]
            if "parse" in best:
                parse[len(html)] = best["parse"]
        costs[name] = ScanCost(Growth(scan), Growth(parse) if parse else None)
    return costs


def costs_table(costs: Mapping[str, ScanCost]) -> str:
    """Return the costs as a table in Markdown."""
    first = next(iter(costs.values()))
    sizes = [f"{size / 1e6:.1f} MB" for size in first.scan.seconds]
    rows = []
    for name, cost in costs.items():
        seconds = list(cost.scan.seconds.values())
        exponent = cost.scan.exponent
        parse = list(cost.parse.seconds.values())[-1] if cost.parse else None
        rows.append(
            [
                name,
                *(f"{spent:.2f}" for spent in seconds),
                "-" if exponent is None else f"{exponent:.2f}",
                times(seconds[-1] / parse) if parse else "-",
            ]
        )
    return table(["CPU seconds", *sizes, "exponent", "by lxml's parse"], rows)


def measure_source_bodies(pages: Mapping[str, Page]) -> dict[str, SetScore]:
    """Return how close bodies are when every page is read without a parser, and by default."""
    cleaners = {"source": Cleaner(_CONFIG), "webclean, no sibling": Cleaner()}
    articles = [page for page in pages.values() if page.kind == ARTICLE]
    return {
        name: set_score([_score(cleaner, page) for page in articles])
        for name, cleaner in cleaners.items()
    }


def bodies_table(results: Mapping[str, Mapping[str, SetScore]]) -> str:
    """Return the scores of all sets as a table in Markdown."""
    rows = [
        [name, method, share(score.f1), share(score.precision), share(score.recall)]
        for name, scores in results.items()
        for method, score in scores.items()
    ]
    return table(["set", "method", "F1", "precision", "recall"], rows)


def _score(cleaner: Cleaner, page: Page) -> tuple[float, float]:
    found = cleaner.inspect(RawPage(page.html, page.url or ""))
    text = f"{found.title}\n{found.text}" if page.title_in_gold else found.text
    return precision_recall(page.gold, text, page.optional)


def _parse(html: bytes) -> object:
    return etree.fromstring(html, etree.HTMLParser(encoding="utf-8", huge_tree=True, recover=True))
