"""Metadata: how often title, date, author and source are exactly those of the labels.

Authors are counted by name as well: a page may have several, and an extractor may find one of them.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from dataclasses import dataclass, field
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
_SINGLE_NAMES = re.compile(
    r"\s*[,;、/]\s*|\s+(?:and|und|et)\s+|\s*&\s*|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])"
)
_BY = re.compile(r"\Aby\s+")
_NO_LETTER = re.compile(r"[\W_]+")
_ROLE = re.compile(r"[\u3400-\u9fff]{0,8}记者[:\s]*")


@dataclass(slots=True)
class FactCount:
    """Counts of one fact over the pages of a set."""

    known: int = 0  # labelled pages that have it
    right: int = 0  # of these, found exactly
    absent: int = 0  # labelled pages that have none
    invented: int = 0  # of these, given one
    names: int = 0  # of authors in the labels of all pages
    names_given: int = 0
    names_right: int = 0

    @property
    def precision(self) -> float:
        """The share of the names given that are in the labels; 1 when none was given."""
        return self.names_right / self.names_given if self.names_given else 1.0

    @property
    def recall(self) -> float:
        """The share of the labels' names that were given; 1 when there are none."""
        return self.names_right / self.names if self.names else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(slots=True)
class FactRun:
    """What an extractor knew."""

    counts: dict[str, FactCount] = field(default_factory=dict)
    wrong: list[tuple[str, str, str, str]] = field(default_factory=list)  # page, fact, want, have


def measure_facts(pages: Mapping[str, Page], peers: Sequence[str]) -> dict[str, FactRun]:
    """Return what the project and the *peers* know of the labelled articles of a set."""
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


def names_in(value: str) -> frozenset[str]:
    """Return the single names in *value*, normalised the same way for labels and extractors.

    >>> sorted(names_in("By Ada Marsh and Ben Low")), sorted(names_in("本报记者 王小明 李红"))
    (['adamarsh', 'benlow'], ['李红', '王小明'])
    """
    text = unicodedata.normalize("NFKC", value).lower().strip()
    pieces = _SINGLE_NAMES.split(_BY.sub("", _ROLE.sub("", text)))
    return frozenset(filter(None, (_NO_LETTER.sub("", piece) for piece in pieces)))


def _run(name: str, ask: Callable[[Page], dict[str, str]], pages: Mapping[str, Page]) -> FactRun:
    run = FactRun()
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
                _note(run, key, fact, page.facts[fact], found.get(fact, ""))
    return run


def _note(run: FactRun, key: str, fact: str, want: str, have: str) -> None:
    count = run.counts.setdefault(fact, FactCount())
    right = normal(fact, want) == normal(fact, have)
    if fact == "author":
        wanted, given = names_in(want), names_in(have)
        count.names += len(wanted)
        count.names_given += len(given)
        count.names_right += len(wanted & given)
    if want:
        count.known += 1
        count.right += right
    else:
        count.absent += 1
        count.invented += not right
    if not right:
        run.wrong.append((key, fact, want, have))
