"""What the report of a crawl counts while it runs: bounded, whatever the crawl's length.

Everything is plain values, so that they can be written as JSON: `CrawlTally.to_data`. The limits
stand in `LIMITS`, and what they leave out is counted.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.cleaning.method_names import LOW_CONFIDENCE
from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.messages import hide_logins, visible_line
from webclean_scrapy.report.bounded import Groups, Lowest
from webclean_scrapy.report.wording import shorten

if TYPE_CHECKING:
    from webclean_scrapy.dedup.match import Match

#: What is kept. Groups take twice the memory in between, see `Groups`.
LIMITS = {
    "hosts": 1_000, "shapes": 1_000, "clusters": 500, "copies": 4, "least": 50, "reasons": 200,
    "examples": 3, "languages": 100, "days": 4_000,
}  # fmt: skip
ARTICLE, OTHER, UNCLEANED = "article", "other", "uncleaned"  # what an item's page is
EXPORTED = "exported"
CONFIDENCE_STEPS = 20
#: Lower ends of the steps of length, in characters.
LENGTHS = (0, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
MAX_URL, MAX_TITLE, MAX_DETAIL = 1_000, 160, 300  # characters
_LOGIN = re.compile(r"(?<=://)[^/?#\s]*@")
_DAY = re.compile(r"(?:19[5-9]|20[0-9])[0-9]-[0-9]{2}-[0-9]{2}")


class ItemNote(NamedTuple):
    """What is known of an item, and of its page, when it leaves the pipelines."""

    url: str
    group: str  # ARTICLE, OTHER or UNCLEANED
    kind: str | None = None
    confidence: float | None = None  # 0..1
    length: int | None = None  # characters of the body
    date: str | None = None  # of publication, ISO 8601
    language: str | None = None
    title: str | None = None


@dataclass(slots=True)
class HostRow:
    """What became of one host; the mean confidence is ``confidence / rated``."""

    fetched: int = 0  # responses for the spider
    refused: int = 0  # of these, those with a status of 400 and above
    nbytes: int = 0  # downloaded, as sent
    items: int = 0
    exported: int = 0
    copies: int = 0
    rated: int = 0  # exported articles with a confidence
    low: int = 0  # of these, those below LOW_CONFIDENCE
    confidence: float = 0.0
    siblings: int = 0  # requests
    sibling_nbytes: int = 0

    @property
    def size(self) -> int:
        return self.fetched + self.items


@dataclass(slots=True)
class ShapeRow:
    """What became of the pages of one URL shape."""

    items: int = 0
    articles: int = 0
    exported: int = 0
    copies: int = 0
    rated: int = 0
    low: int = 0
    confidence: float = 0.0
    siblings: int = 0  # requests
    learned: int = 0  # responses that taught a template
    least: tuple[float, str] | None = None  # (confidence, URL) of the least confident page

    @property
    def size(self) -> int:
        return self.items


@dataclass(slots=True)
class ClusterRow:
    """The copies of one page."""

    size: int = 0
    title: str = ""
    lowest: float = 1.0  # similarity
    copies: list[dict[str, Any]] = field(default_factory=list)  # the first ones


@dataclass(slots=True)
class ReasonRow:
    """Pages and items that were lost for one reason."""

    size: int = 0
    examples: list[dict[str, str]] = field(default_factory=list)  # the first ones


class CrawlTally:
    """Counts pages and items; takes a few MB at most."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()  # of the responses for the spider
        self.fates: dict[str, Counter[str]] = {
            group: Counter() for group in (ARTICLE, OTHER, UNCLEANED)
        }
        self.kinds: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()
        self.days: Counter[str] = Counter()
        self.confidence = [0] * CONFIDENCE_STEPS
        self.lengths = [0] * len(LENGTHS)
        self.hosts = Groups(LIMITS["hosts"], HostRow)
        self.shapes = Groups(LIMITS["shapes"], ShapeRow)
        self.clusters = Groups(LIMITS["clusters"], ClusterRow)
        self.reasons = Groups(LIMITS["reasons"], ReasonRow)
        self.least: Lowest[dict[str, Any]] = Lowest(LIMITS["least"])

    def add_response(self, url: str, status: int) -> None:
        """Count a response for the spider."""
        self.statuses[str(status)] += 1
        host = self.hosts.of(shown_host(url))
        host.fetched += 1
        if status >= 400:
            host.refused += 1
            self.add_reason("status", str(status), url)

    def add_download(self, url: str, nbytes: int, *, is_sibling: bool) -> None:
        """Count what a response took, those that no spider sees as well."""
        host = self.hosts.of(shown_host(url))
        host.nbytes += nbytes
        if is_sibling:
            host.sibling_nbytes += nbytes

    def add_sibling_request(self, page_url: str) -> None:
        """Count a sibling request for a page."""
        self.hosts.of(shown_host(page_url)).siblings += 1
        self.shapes.of(_shape_of(page_url)).siblings += 1

    def add_learned(self, page_url: str) -> None:
        """Count a sibling that taught the template of a page."""
        self.shapes.of(_shape_of(page_url)).learned += 1

    def add_item(self, note: ItemNote, fate: str) -> None:
        """Count an item that was exported, or lost for the reason *fate*."""
        self.fates[note.group][fate] += 1
        if note.kind:
            self.kinds[note.kind] += 1
        host, shape = self.hosts.of(shown_host(note.url)), self.shapes.of(_shape_of(note.url))
        host.items += 1
        shape.items += 1
        shape.articles += note.group == ARTICLE
        if fate == EXPORTED:
            host.exported += 1
            shape.exported += 1
            self._add_exported(note, host, shape)

    def add_copy(self, note: ItemNote, match: Match, *, is_kept: bool) -> None:
        """Count a near-duplicate, which *is_kept* or was dropped."""
        self.hosts.of(shown_host(note.url)).copies += 1
        self.shapes.of(_shape_of(note.url)).copies += 1
        cluster = self.clusters.of(shown_url(match.key))
        cluster.size += 1
        cluster.lowest = min(cluster.lowest, match.similarity)
        cluster.title = cluster.title or shown_text(note.title, MAX_TITLE)
        if len(cluster.copies) < LIMITS["copies"]:
            cluster.copies.append(
                {
                    "url": shown_url(note.url),
                    "similarity": round(match.similarity, 3),
                    "verdict": match.verdict,
                    "is_kept": is_kept,
                }
            )

    def add_reason(self, stage: str, reason: str, url: str, detail: object = "") -> None:
        """Count what was lost at *stage* for *reason*, and keep the first examples."""
        row = self.reasons.of(f"{stage}/{shown_text(reason, MAX_DETAIL)}")
        row.size += 1
        if len(row.examples) < LIMITS["examples"]:
            row.examples.append({"url": shown_url(url), "detail": shown_text(detail, MAX_DETAIL)})

    def to_data(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "statuses": dict(self.statuses),
            "fates": {group: dict(fates) for group, fates in self.fates.items()},
            "kinds": dict(self.kinds),
            "languages": dict(self.languages),
            "days": dict(sorted(self.days.items())),
            "confidence": self.confidence,
            "lengths": self.lengths,
            "least": self.least.ranked(),
            "hosts": _groups_data(self.hosts),
            "shapes": _groups_data(self.shapes),
            "clusters": _groups_data(self.clusters),
            "reasons": _groups_data(self.reasons),
        }

    def _add_exported(self, note: ItemNote, host: HostRow, shape: ShapeRow) -> None:
        if note.length is not None:
            self.lengths[sum(note.length >= step for step in LENGTHS) - 1] += 1
        self.days[self._day(note.date)] += 1
        self.languages[self._language(note.language)] += 1
        confidence = note.confidence
        if confidence is None or note.group != ARTICLE:
            return
        self.confidence[min(int(confidence * CONFIDENCE_STEPS), CONFIDENCE_STEPS - 1)] += 1
        for row in (host, shape):
            row.rated += 1
            row.confidence += confidence
            row.low += confidence < LOW_CONFIDENCE
        if shape.least is None or confidence < shape.least[0]:
            shape.least = (confidence, shown_url(note.url))
        self.least.add(confidence, lambda: _page_data(note))

    def _language(self, code: str | None) -> str:
        code = shown_text(code, 20)
        has_room = code in self.languages or len(self.languages) < LIMITS["languages"]
        return code if has_room else OTHER

    def _day(self, stated: str | None) -> str:
        """Return the day; of more days than are kept, the first one of its year."""
        day = day_of(stated)
        has_room = day in self.days or len(self.days) < LIMITS["days"]
        return day if has_room or not day else f"{day[:4]}-01-01"


def shown_url(url: str) -> str:
    """Return *url* as it is shown: on one line, without a login, cut where it is long.

    >>> shown_url("http://me:secret@a.example/b@c")
    'http://a.example/b@c'
    """
    return shorten(_LOGIN.sub("", visible_line(url[: 2 * MAX_URL])), MAX_URL)


def shown_text(text: object, limit: int) -> str:
    """Return *text* on one line of at most *limit* characters, without logins; "" for None."""
    if text is None:
        return ""
    return shorten(hide_logins(visible_line(" ".join(str(text)[: 4 * limit].split()))), limit)


def shown_host(url: str) -> str:
    """Return host and port of *url* as they are shown, "" when it has none."""
    rest = url.partition("://")[2]
    return re.split(r"[/?#\\]", rest, maxsplit=1)[0].rpartition("@")[2].lower()[:255]


def day_of(stated: str | None) -> str:
    """Return the day of a date in ISO 8601, "" when it states none.

    >>> day_of("2024-05-06T07:08:09+02:00"), day_of("2024-02-31"), day_of(None)
    ('2024-05-06', '', '')
    """
    found = _DAY.match(stated or "")
    try:
        return date.fromisoformat(found.group()).isoformat() if found else ""
    except ValueError:
        return ""


def _shape_of(url: str) -> str:
    return shown_text(url_shape(url), MAX_DETAIL)


def _page_data(note: ItemNote) -> dict[str, Any]:
    return {
        "url": shown_url(note.url),
        "title": shown_text(note.title, MAX_TITLE),
        "confidence": round(note.confidence or 0.0, 3),
        "length": note.length,
    }


def _groups_data(groups: Groups[Any]) -> dict[str, Any]:
    rows = [{"name": name, **asdict(row)} for name, row in groups.largest()]
    return {
        "rows": rows,
        "left_out": groups.left_out,
        "left_out_size": groups.left_out_size,
    }
