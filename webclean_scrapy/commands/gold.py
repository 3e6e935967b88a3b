"""Compare the texts of cleaned pages with texts that were corrected by hand, by site."""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from webclean_scrapy.commands.row_files import read_rows
from webclean_scrapy.commands.terminal import columns
from webclean_scrapy.errors import FeedError
from webclean_scrapy.report.text_scores import (
    BAD,
    GOOD,
    harmonic,
    precision_recall,
    right_share,
    set_score,
)
from webclean_scrapy.web_addresses import host_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.items import ArticleItem

    Pairs = Sequence[tuple[float, float]]  # precision and recall of pages

MAX_WORST = 10  # pages that are named


class GoldTexts:
    """The right texts of pages, and how near the texts of cleaned pages are to them."""

    def __init__(self, name: str) -> None:
        """*name*: a file of rows as `clean` writes them. Raises FeedError, OSError."""
        self._texts: dict[str, str] = {}  # by file or address, of pages not met yet
        for row in read_rows(name):
            text = row.record.get("articleBody", row.record.get("text"))
            page = next(_names(row.record), "")
            if not page or not isinstance(text, str):
                problem = row.error or "a page needs url or file, and articleBody or text"
                raise FeedError(f"{row.position}: {problem}")
            self._texts[page] = text
        self._pairs: dict[str, list[tuple[float, float]]] = defaultdict(list)  # by site
        self._f1: dict[str, float] = {}  # by page

    @property
    def missing(self) -> int:
        """The number of labelled pages that were not met."""
        return len(self._texts)

    def compare(self, item: ArticleItem) -> None:
        """Score the text of a page, if it is labelled; "" of one that could not be cleaned."""
        names = _names({"webclean": item.webclean, "url": item.url})
        found = [name for name in names if name in self._texts]
        if found:
            pair = precision_recall(self._texts.pop(found[0]), item.articleBody or "")
            site = host_name(item.url) or PurePath(found[0]).parent.name or "(no site)"
            self._pairs[site].append(pair)
            self._f1[found[0]] = harmonic(*pair)

    def report(self) -> str:
        """Return a table with a line for each site, the worst first, and the worst pages."""
        if not self._pairs:
            return "no page is labelled"
        sites = sorted(self._pairs.items(), key=lambda one: set_score(one[1]).f1)
        rows = [["", "pages", "precision", "recall", "F1", f">= {GOOD}", f">= {BAD}"]]
        rows += [_row(site, pairs) for site, pairs in sites]
        rows.append(_row("all", [pair for _, pairs in sites for pair in pairs]))
        low = sorted((f1, page) for page, f1 in self._f1.items() if f1 < BAD)[:MAX_WORST]
        return "\n".join([columns(rows), *(f"F1 {f1:.3f}: {page}" for f1, page in low)])


def _names(page: dict[str, Any]) -> Iterator[str]:
    """Yield the names of a row or an item: its file, its address."""
    record = page.get("webclean")
    file = record.get("file") if isinstance(record, dict) else None
    yield from (str(name) for name in (file, page.get("file"), page.get("url")) if name)


def _row(site: str, pairs: Pairs) -> list[str]:
    score, pages = set_score(pairs), [harmonic(*pair) for pair in pairs]
    figures = score.precision, score.recall, score.f1, right_share(pages), right_share(pages, BAD)
    return [site, f"{len(pairs):,}", *(f"{one:.3f}" for one in figures)]
