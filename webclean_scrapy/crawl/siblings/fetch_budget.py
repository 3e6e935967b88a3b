"""Counts sibling fetches and their results, and limits them.

Three limits, each for something that went wrong without it: at most N fetches for a template (a
chain of useless links), a share of the host's pages for all its templates (a site with a thousand
URL patterns doubled its requests), and no fetches after several failures in a row (a slow host was
tried again for every template). A fetch whose response the crawl used itself costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy import stats

FREE_FETCHES = 10  # of a host, so that its first templates can be learned
MAX_SHARE = 0.05  # fetches for each page of the host beyond these
MAX_FAILURES = 3  # in a row, after which nothing more is fetched from a host
MAX_TRIES = 6  # pages of the crawl tried as siblings, for each template: each costs parses
MAX_HOSTS = 10_000
REFUSING = frozenset({403, 429})  # statuses of a host that wants no such requests


@dataclass(slots=True)
class TemplateCounts:
    """The attempts made to learn one template."""

    fetched: set[str] = field(default_factory=set)  # URLs
    suspects: set[str] = field(default_factory=set)  # leaf patterns of refused siblings: come last
    tries: int = 0  # pages of the crawl that were tried as siblings


@dataclass(slots=True)
class HostCounts:
    """The pages of one host, and the fetches from it."""

    pages: int = 0  # of the crawl that may be articles
    unused: int = 0  # fetches whose response the crawl has not used
    failures: int = 0  # in a row: no response, or one of a host in trouble
    has_template: bool = False  # whether any is known


class FetchBudget:
    """Counts by URL shape and by host. Bounded: the oldest template or host is dropped first."""

    def __init__(self, *, max_fetches: int, max_templates: int) -> None:
        self._max_fetches = max_fetches
        self._templates: LocalCache[str, TemplateCounts] = LocalCache(limit=max_templates)
        self._hosts: LocalCache[str, HostCounts] = LocalCache(limit=MAX_HOSTS)

    def template(self, shape: str) -> TemplateCounts:
        """Return the counts of the pages of *shape*."""
        return self._templates.setdefault(shape, TemplateCounts())

    def host(self, host: str) -> HostCounts:
        """Return the counts of *host*."""
        return self._hosts.setdefault(host, HostCounts())

    def limit_reached(self, shape: str, host: str) -> str | None:
        """Return the stat that says why no sibling may be fetched now, None when one may."""
        if len(self.template(shape).fetched) >= self._max_fetches:
            return stats.SIBLING_SPENT
        counts = self.host(host)
        if counts.failures >= MAX_FAILURES:
            return stats.SIBLING_HOST_GIVEN_UP
        if counts.unused >= FREE_FETCHES + MAX_SHARE * counts.pages:
            return stats.SIBLING_HOST_SPENT
        return None
