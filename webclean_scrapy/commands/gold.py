"""Compare the texts of cleaned pages with texts that were corrected by hand, by site."""

from __future__ import annotations

from collections import defaultdict, deque
from pathlib import Path, PurePath
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
from webclean_scrapy.web_addresses import host_name, is_web, page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.items import ArticleItem

    Pairs = Sequence[tuple[float, float]]  # precision and recall of pages

MAX_WORST = 10  # pages that are named


class GoldTexts:
    """The right texts of pages, and how near the texts of cleaned pages are to them."""

    def __init__(self, name: str) -> None:
        """*name*: a file of rows as `clean` writes them. Raises FeedError, OSError."""
        self._file, self._first = name, ""  # the first labelled page
        #: By page, until the page is met. A page with several labels has them in the order of rows.
        self._texts: dict[object, deque[str]] = defaultdict(deque)
        for row in read_rows(name):
            texts = (row.record.get(field) for field in ("articleBody", "text"))
            text = next((one for one in texts if isinstance(one, str)), None)
            page = next(_names(row.record), "")
            if not page or text is None:
                problem = row.error or "a page needs url or file, and articleBody or text"
                raise FeedError(f"{row.position}: {problem}")
            self._first = self._first or page
            self._texts[_key(page)].append(text)
        if not self._first:
            raise FeedError(f"{name}: no page is labelled")
        self._pairs: dict[str, list[tuple[float, float]]] = defaultdict(list)  # by site
        self._f1: list[tuple[float, str]] = []  # of pages
        self._unknown = ""  # a page without a label

    @property
    def missing(self) -> int:
        """The number of labelled pages that were not met."""
        return sum(map(len, self._texts.values()))

    @property
    def problem(self) -> str:
        """Why nothing was compared, or ""."""
        if self._pairs:
            return ""
        other = f", not {self._unknown}" if self._unknown else ""
        return f"no page is labelled; {self._file} names {self._first}{other}"

    def compare(self, item: ArticleItem) -> None:
        """Score the text of a page, if it is labelled; "" of one that could not be cleaned."""
        names = [*_names({"webclean": item.webclean, "url": item.url})]
        found = next((name for name in names if self._texts.get(_key(name))), None)
        if found is None:
            self._unknown = self._unknown or next(iter(names), "")
            return
        pair = precision_recall(self._texts[_key(found)].popleft(), item.articleBody or "")
        site = host_name(item.url) or PurePath(found).parent.name or "(no site)"
        self._pairs[site].append(pair)
        self._f1.append((harmonic(*pair), found))

    def report(self) -> str:
        """Return a table with a line for each site, the worst first, and the worst pages.

        At least one page was compared.
        """
        sites = sorted(self._pairs.items(), key=lambda one: set_score(one[1]).f1)
        rows = [["", "pages", "precision", "recall", "F1", f">= {GOOD}", f">= {BAD}"]]
        rows += [_row(site, pairs) for site, pairs in sites]
        rows.append(_row("all", [pair for _, pairs in sites for pair in pairs]))
        low = sorted(one for one in self._f1 if one[0] < BAD)[:MAX_WORST]
        return "\n".join([columns(rows), *(f"F1 {f1:.3f}: {page}" for f1, page in low)])


def _names(page: dict[str, Any]) -> Iterator[str]:
    record = page.get("webclean")
    file = record.get("file") if isinstance(record, dict) else None
    yield from (str(name) for name in (file, page.get("file"), page.get("url")) if name)


def _key(name: str) -> object:
    """Return the key shared by all names of one page, files and addresses."""
    return page_key(name) if is_web(name) else Path(name).absolute()


def _row(site: str, pairs: Pairs) -> list[str]:
    score, pages = set_score(pairs), [harmonic(*pair) for pair in pairs]
    figures = score.precision, score.recall, score.f1, right_share(pages), right_share(pages, BAD)
    return [site, f"{len(pairs):,}", *(f"{one:.3f}" for one in figures)]
