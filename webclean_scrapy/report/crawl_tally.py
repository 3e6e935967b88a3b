"""Bounded counts for a report beyond the crawl's stats.

Everything is plain values, so that they can be written as JSON: `CrawlTally.to_data`.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.cleaning.confidence import LOW_CONFIDENCE
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.safe_text import shown_text, shown_url
from webclean_scrapy.web_addresses import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webclean_scrapy.dedup.fingerprint import Match

#: What is kept; rows take twice the memory in between, see `Rows`.
LIMITS = {
    "hosts": 1_000, "shapes": 1_000, "copies": 500, "reasons": 200, "examples": 3, "least": 50,
    "languages": 100, "least_copies": 50,
}  # fmt: skip
ARTICLE, OTHER, UNCLEANED = "article", "other", "uncleaned"  # kinds of an item's page
EXPORTED, ALREADY_EXPORTED = "exported", "already_exported"
CONFIDENCE_STEPS = 20
#: Lower ends of the steps of length, in characters.
LENGTHS = (0, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
MAX_TITLE, MAX_DETAIL = 160, 300  # characters
#: Counts of a host or URL shape; the mean confidence is ``confidence / rated``.
SITE_COUNTS = (
    "fetched", "refused", "nbytes", "items", "exported", "copies", "rated", "low", "confidence",
    "siblings", "sibling_nbytes",
)  # fmt: skip
_ONE = {"size": 1}
_RANKS: dict[str, Callable[[dict[str, Any]], float]] = {
    "least": itemgetter("confidence"),
    "least_copies": lambda row: -row["own"],
}


class ItemNote(NamedTuple):
    """Values of an item and its page when it leaves the pipelines."""

    url: str
    group: str  # ARTICLE, OTHER or UNCLEANED
    confidence: float | None = None  # 0..1
    length: int | None = None  # characters of the body
    language: str | None = None
    title: str | None = None


class Rows:
    """Counts and first examples of the ``size`` largest names.

    At most twice *limit* names: when there would be more, the smaller half is removed, and one of
    these that comes again begins anew. Cost of a call: O(log limit) in the mean.
    """

    def __init__(self, limit: int, counts: tuple[str, ...] = ()) -> None:
        self._limit, self._counts = limit, counts
        self._rows: dict[str, dict[str, Any]] = {}
        self.left_out = 0  # names that were removed

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self, name: str, counts: Mapping[str, float], example: dict[str, str] | None = None
    ) -> None:
        """Add *counts* to the row *name*, and *example* while it has few."""
        row = self._rows.get(name)
        if row is None:
            if len(self._rows) >= 2 * self._limit:
                self._halve()
            row = self._rows[name] = {
                "name": name, "size": 0, "examples": [], **dict.fromkeys(self._counts, 0)
            }  # fmt: skip
        for key, count in counts.items():
            row[key] += count
        if example and len(row["examples"]) < LIMITS["examples"]:
            row["examples"].append(example)

    def to_data(self) -> dict[str, Any]:
        """Return at most *limit* rows, the largest first, and the number of removed names."""
        self._halve()
        return {"rows": list(self._rows.values()), "left_out": self.left_out}

    def _halve(self) -> None:
        ranked = sorted(self._rows.values(), key=lambda row: -row["size"])
        self.left_out += max(len(ranked) - self._limit, 0)
        self._rows = {row["name"]: row for row in ranked[: self._limit]}


class CrawlTally:
    """Counts pages and items in a few MB at most."""

    def __init__(self) -> None:
        self.statuses = Counter[str]()  # of the responses for the spider
        self.fates = Counter[str]()  # EXPORTED, or why an item was lost
        self.exported = Counter[str]()  # items by the kind of their page
        self.languages = Counter[str]()
        self.confidence = [0] * CONFIDENCE_STEPS
        self.lengths = [0] * len(LENGTHS)
        self.hosts = Rows(LIMITS["hosts"], SITE_COUNTS)
        self.shapes = Rows(LIMITS["shapes"], SITE_COUNTS)
        self.copies = Rows(LIMITS["copies"])  # by the page that they repeat
        self.least_copies: list[dict[str, Any]] = []  # dropped, the least certain first
        self.reasons = Rows(LIMITS["reasons"])
        self.least: list[dict[str, Any]] = []  # exported articles of the lowest confidence

    def add_response(self, url: str, status: int) -> None:
        """Count a response for the spider."""
        self.statuses[str(status)] += 1
        self.add_counts(url, size=1, fetched=1, refused=status >= 400)
        if status >= 400:
            self.add_reason(f"status/{status}", url)

    def add_counts(self, url: str, **counts: float) -> None:
        """Add to the counts of the host and of the URL shape of *url*."""
        self.hosts.add(shown_host(url), counts)
        self.shapes.add(shown_text(url_shape(url), MAX_DETAIL), counts)

    def add_item(
        self, note: ItemNote, fate: str, match: Match | None = None, detail: object = None
    ) -> None:
        """Count an item, exported or lost for the reason *fate*.

        *match*: the page that it repeats; *detail*: the message of the error.
        """
        self.fates[fate] += 1
        exported = fate == EXPORTED
        counts: dict[str, float] = {"size": 1, "items": 1, "exported": exported}
        counts["copies"] = match is not None and not exported
        if exported:
            counts |= self._add_exported(note)
        self.add_counts(note.url, **counts)
        if match is not None:
            detail = f"{match.verdict}, similarity {match.similarity:.3f}"
            detail += "" if match.own is None else f", {match.own:.0%} its own"
            detail += ", kept" if exported else ""
            title = shown_text(note.title, MAX_TITLE)
            example = {"url": shown_url(note.url), "detail": detail, "title": title}
            self.copies.add(shown_url(match.key), _ONE, example)
        elif not exported and fate != ALREADY_EXPORTED:
            self.add_reason(f"item/{fate}", note.url, detail)

    def add_copy(self, note: ItemNote, match: Match, original_title: str) -> None:
        """Keep a dropped copy if it is among the least certain ones."""
        if match.own is None:
            return
        row = {
            "own": match.own,
            "similarity": match.similarity,
            "url": shown_url(note.url),
            "title": shown_text(note.title, MAX_TITLE),
            "original": shown_url(match.key),
            "original_title": shown_text(original_title, MAX_TITLE),
        }
        self._add_ranked("least_copies", row)

    def _add_ranked(self, name: str, row: dict[str, Any]) -> None:
        ranked = getattr(self, name)
        ranked.append(row)
        if len(ranked) >= 2 * LIMITS[name]:
            self._rank(name)

    def _rank(self, name: str) -> None:
        setattr(self, name, sorted(getattr(self, name), key=_RANKS[name])[: LIMITS[name]])

    def add_reason(self, reason: str, url: str, detail: object = None) -> None:
        """Count a loss for *reason* ("stage/reason"), and keep the first examples."""
        example = {"url": shown_url(url), "detail": shown_text(detail, MAX_DETAIL)}
        self.reasons.add(shown_text(reason, MAX_DETAIL), _ONE, example)

    def _add_exported(self, note: ItemNote) -> dict[str, float]:
        """Count the values of an exported item; return the counts of its confidence."""
        self.exported[note.group] += 1
        if note.length is not None:
            self.lengths[sum(note.length >= step for step in LENGTHS) - 1] += 1
        language = shown_text(note.language, 20)
        known = language in self.languages or len(self.languages) < LIMITS["languages"]
        self.languages[language if known else OTHER] += 1
        confidence = note.confidence
        if confidence is None or note.group != ARTICLE:
            return {}
        self.confidence[min(int(confidence * CONFIDENCE_STEPS), CONFIDENCE_STEPS - 1)] += 1
        page = {"url": shown_url(note.url), "title": shown_text(note.title, MAX_TITLE)}
        self._add_ranked("least", {"confidence": confidence, "length": note.length, **page})
        return {"rated": 1, "low": confidence < LOW_CONFIDENCE, "confidence": confidence}

    def to_data(self) -> dict[str, Any]:
        """Return all counts as plain values."""
        for name in _RANKS:
            self._rank(name)
        return {
            name: counts.to_data() if isinstance(counts, Rows) else copy(counts)
            for name, counts in vars(self).items()
        }


def shown_host(url: str) -> str:
    """Return host and port of *url* for display, or ""."""
    return host_of(url).rpartition("@")[2].lower()[:255]
