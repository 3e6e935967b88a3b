"""The page that ``webclean explain --compare`` compares with: named, or found in an index."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from scrapy.exceptions import UsageError

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.commands.page_sources import is_url
from webclean_scrapy.crawl.named_files import dedup_options, read_profile
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.dedup.redis.address import is_redis
from webclean_scrapy.errors import PageError, WebcleanError
from webclean_scrapy.report.side_by_side import Compared, fingerprint_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.report.explain import GivenPage
    from webclean_scrapy.settings import WebcleanConfig


_SQLITE = "sqlite:///"


def is_index(name: str | None) -> bool:
    """True if *name* is the URI of an index, not a page."""
    return bool(name) and (str(name).startswith(_SQLITE) or is_redis(name))


class IndexSearch:
    """Looks in an index for the page that one page is a near-duplicate of; changes nothing there.

    ``known``: the result in words; ``url``: the address of that page, if it can be fetched.
    """

    def __init__(self, uri: str, name: str, config: WebcleanConfig) -> None:
        """Open no index yet; *name* is the page that is looked for.

        Raises:
            UsageError: the file of the index is not there, and would be made by looking into it.
        """
        if uri.startswith(_SQLITE) and not Path(unquote(uri.removeprefix(_SQLITE))).exists():
            raise UsageError(f"--compare: there is no index {uri}")
        self._uri, self._name, self._config = uri, name, config
        self.known, self.url = "", ""

    def find(self, page: GivenPage) -> str | None:
        """Return the address of the page that *page* is a near-duplicate of, if there is one.

        What goes wrong is printed: it costs the comparison, not the explanation.
        """
        if page.name != self._name:
            return None
        options = dedup_options(self._config)
        try:
            cleaned = Cleaner(self._config.clean_config(read_profile(self._config))).inspect(
                page.raw
            )
            made = fingerprint_of(cleaned, DedupConfig.from_options(options))
            with DuplicateIndex(self._uri, clock=time.time, **options) as index:
                match = index.find(made)
        except WebcleanError as error:
            print(f"--compare: {error}", file=sys.stderr)
            return None
        if match is None:
            self.known = "The index has no page that this one is a near-duplicate of."
        elif match.key in {page.url, page.name}:
            self.known = "The index keeps this page itself: others are near-duplicates of it."
        else:
            relation = f"{match.verdict} of {match.key}, similarity {match.similarity:.2f}"
            self.known = f"By the index this page is a {relation}."
            self.url = match.key if is_url(match.key) else ""
        return self.url or None


def clean_other(
    page: GivenPage | None, siblings: Sequence[GivenPage], config: WebcleanConfig
) -> Compared | None:
    """Return the page to compare with, cleaned with those of *siblings* that are of its template.

    None without a page, and, after a line that says why, for one that cannot be cleaned.
    """
    if page is None:
        return None
    cleaner = Cleaner(config.clean_config(read_profile(config)))
    try:
        cleaned = cleaner.inspect(page.raw, [sibling.raw for sibling in siblings])
    except PageError as error:
        print(f"{page.name}: {error}", file=sys.stderr)
        return None
    dedup = DedupConfig.from_options(dedup_options(config))
    return Compared(cleaned, page.name, dedup)
