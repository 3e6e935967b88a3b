"""Metadata: share of title, date, author and source that equal the labels."""

from __future__ import annotations

import re
import sys
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import webclean_scrapy
from benchmarks.data import ARTICLE_KINDS, FACTS
from benchmarks.peers import make_fact_peer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.data import Page

OURS = "webclean"
_DAY = re.compile(r"(\d{4})\D{0,2}(\d{1,2})\D{0,2}(\d{1,2})")
_BETWEEN_NAMES = re.compile(r"[\s,;、/]+")
_ROLE = re.compile(r"[\u3400-\u9fff]{0,8}记者[:\s]*")


@dataclass(slots=True)
class FactCount:
    """Counts of one fact over the pages of a set."""

    known: int = 0  # labelled pages that have it
    right: int = 0  # of these, found exactly
    absent: int = 0  # labelled pages that have none
    invented: int = 0  # of these, given one


FactCounts = dict[str, FactCount]  # by name of the fact


def measure_facts(pages: Mapping[str, Page], peers: Sequence[str]) -> dict[str, FactCounts]:
    """Extract metadata of the labelled articles of a set, by the project and by *peers*."""
    askers = {OURS: our_facts} | {name: make_fact_peer(name) for name in peers}
    return {name: _run(name, ask, pages) for name, ask in askers.items()}


def our_facts(page: Page) -> dict[str, str]:
    """Return the facts that the project finds."""
    found = webclean_scrapy.clean(page.html, url=page.url)
    return {
        "title": found.title,
        "date": found.date_published or "",
        "author": "; ".join(found.authors),
        "source": found.source or "",
    }


def normal(name: str, value: str) -> str:
    """Return *value* as it is compared: white space and width of characters do not count.

    A date is compared by its day; names without what is between them, and without the
    "staff reporter" that labels and pages put before them as they like.

    >>> normal("date", "2020年9月1日 08:00"), normal("author", "本报记者 Ada Marsh、Ben Low")
    ('2020-09-01', 'adamarshbenlow')
    """
    text = " ".join(unicodedata.normalize("NFKC", value).lower().split())
    if name == "date" and (match := _DAY.search(text)):
        return f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}"
    return _BETWEEN_NAMES.sub("", _ROLE.sub("", text)) if name == "author" else text


def _run(name: str, ask: Callable[[Page], dict[str, str]], pages: Mapping[str, Page]) -> FactCounts:
    counts: FactCounts = {}
    for key, page in pages.items():
        if page.kind not in ARTICLE_KINDS or not page.facts:
            continue
        try:
            found = ask(page)
        except Exception as error:  # noqa: BLE001, of an extractor we do not know
            print(f"{name} on {key}: {type(error).__name__}: {error}", file=sys.stderr)
            found = {}
        for fact in FACTS:
            if fact in page.facts:
                _note(counts, fact, page.facts[fact], found.get(fact, ""))
    return counts


def _note(counts: FactCounts, fact: str, want: str, have: str) -> None:
    count = counts.setdefault(fact, FactCount())
    right = normal(fact, want) == normal(fact, have)
    if want:
        count.known += 1
        count.right += right
    else:
        count.absent += 1
        count.invented += not right
