"""The index of seen pages, which detects their copies.

Features 7 (papers.md): inverted index, clusters, representatives. Deviations: see `feature_codes`,
`comparison` and `stores.store`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from webclean_scrapy.dedup.config import DedupConfig, sqlite_file
from webclean_scrapy.dedup.fingerprint import Fingerprint, Match
from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter
from webclean_scrapy.dedup.stores.redis_store import RedisStore
from webclean_scrapy.dedup.stores.sqlite_store import MEMORY, SqliteStore
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.redis_server import is_redis
from webclean_scrapy.safe_text import hide_login

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from webclean_scrapy.dedup.stores.store import Clock, Store

    Text = str | Fingerprint
    IndexPage = tuple[str, Text, str] | tuple[str, Text, str, Mapping[str, float] | None]

__all__ = ["DuplicateIndex", "Match"]


class DuplicateIndex(AbstractContextManager["DuplicateIndex"]):
    """Stores pages under keys (usually URLs) and finds near-duplicates.

    *uri*: None or "memory:", "sqlite:///pages.db" (relative to the working folder; four slashes
    begin an absolute path), or "redis://host:port/0?prefix=site" with the extra `redis` (more
    options there: ttl and timeout in seconds). *options*: those of `DedupConfig`.
    *clock*: what the option `expire_days` is counted by in memory and SQLite, such as `time.time`.
    Threads may share one. Raises: ConfigError, StoreSchemeError, StoreUnavailableError.

    >>> text = (
    ...     "The council opened a bridge over the river Amber on Friday morning, after seven years "
    ...     "of building and two floods. The mayor crossed it first, with a wheelbarrow full of "
    ...     "letters that had waited on the other bank since spring. Nobody counted them."
    ... )
    >>> with DuplicateIndex() as index:
    ...     index.add("a", text)
    ...     match = index.find("From our reporter: " + text)
    >>> match.key, match.verdict
    ('a', 'duplicate')
    """

    def __init__(
        self, uri: str | None = None, *, clock: Clock | None = None, **options: Any
    ) -> None:
        self.config = DedupConfig.from_options(options)
        self.fingerprinter = PageFingerprinter(self.config)
        if uri is None or uri == "memory:":
            self._store: Store = SqliteStore(MEMORY, self.config, clock)
        elif path := sqlite_file(uri):
            self._store = SqliteStore(path, self.config, clock)
        elif is_redis(uri):
            self._store = RedisStore(uri, self.config, clock)
        else:
            raise ConfigError(
                f"unknown store {hide_login(uri)!r}; use 'memory:', 'sqlite:///file.db' or "
                "'redis://host:port/0?prefix=name'"
            )

    def add(self, key: str, text: str, *, title: str = "") -> None:
        """Add a page, confirmed at once; a copy of a known page joins its cluster."""
        self.check_and_add(key, text, title=title)

    def find(self, text: Text, *, title: str = "", run: str | None = None) -> Match | None:
        """Return the page of which *text* is a copy or an update, or None. Changes nothing.

        *text* may be a fingerprint, as for `check_and_add`. *run*: pages that are pending for it
        match as well.
        """
        return self._store.find(self._make(text, title), run=run)

    def check_and_add(
        self,
        key: str,
        text: Text,
        *,
        title: str = "",
        run: str | None = None,
        marked: Mapping[str, float] | None = None,
    ) -> Match | None:
        """Return the result of `find`, and add the page, in one atomic step.

        A page that is kept beside one with a third of its text or more has a match, too: of the
        verdict "overlap".

        With *run* the page is pending: until `confirm` it counts for pages of the same run, and in
        an SQLite file for those of other open indexes while this one is open. A known key is
        replaced and is no duplicate of itself, with one exception: when a *run* adds a page again
        that is confirmed, or pending in another open index, the match names the key itself. The
        option ``versions`` makes a new text of a known key a version, unless another page has it.
        *marked*: weights of lines of *text* that weigh more than others, such as headings, and of
        phrases inside lines. *text* may be the fingerprint that a `PageFingerprinter` of the same
        configuration has made.
        """
        return self.check_and_add_many([(key, text, title, marked)], run=run)[0]

    def check_and_add_many(
        self, pages: Iterable[IndexPage], *, run: str | None = None
    ) -> list[Match | None]:
        """Return the result of `check_and_add` for each (key, text, title), in order.

        *marked* may be the fourth part. Up to 50 pages are added in one transaction.
        """
        prints = [(page[0], self._make(*page[1:])) for page in pages]
        return self._store.check_and_add_many(prints, run=run)

    def is_short(self, text: Text, *, title: str = "") -> bool:
        """True if a page is so short that only an equal text is its duplicate."""
        return self._make(text, title).length < self.config.short_words

    def _make(
        self, text: Text, title: str, marked: Mapping[str, float] | None = None
    ) -> Fingerprint:
        if isinstance(text, Fingerprint):
            return text
        return self.fingerprinter.make(text, title=title, marked=marked)

    def confirm(self, keys: Iterable[str]) -> int:
        """Make exported pages count for all runs; return the number that were pending.

        With the option ``updates="replace"`` each represents the pages that it is an update of.
        """
        return self._store.confirm(keys)

    def remove(self, key: str) -> bool:
        """Remove a page, and the copies of a representative; return False if it was unknown."""
        return self._store.remove(key)

    def clusters(self) -> Iterator[tuple[str, ...]]:
        """Yield the keys of each group of two or more near-duplicates, the oldest first.

        Pending and dropped pages are among them. Others may write meanwhile.
        """
        return self._store.clusters()

    def advice(self) -> list[str]:
        """Return a warning for each setting of the store that can lose pages."""
        return self._store.advice()

    def reconnect(self) -> None:
        """Check after a failure that the store is reachable and unchanged.

        Raises: StoreUnavailableError, StoreSchemeError.
        """
        self._store.reconnect()

    @property
    def comparisons(self) -> int:
        """The number of full comparisons of two fingerprints."""
        return self._store.comparisons

    def __len__(self) -> int:
        """Return the number of pages, copies included."""
        return len(self._store)

    def close(self) -> None:
        """Close the store; the index cannot be used afterwards."""
        self._store.close()

    def __exit__(self, *error: object) -> None:
        self.close()
