"""Counts sibling fetches and their results, and limits them.

Three limits, each for something that went wrong without it: at most N fetches for a template (a
chain of useless links), a share of the host's pages for all its templates (a site with a thousand
URL patterns doubled its requests), and no fetches after several failures in a row (a slow host was
tried again for every template). A fetch whose response the crawl used itself costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy.utils.datatypes import LocalCache

from webclean_scrapy.cleaning.templates.url_shapes import leaf_pattern

if TYPE_CHECKING:
    from collections.abc import Container

FREE_FETCHES = 10  # of a host, so that its first templates can be learned
MAX_SHARE = 0.05  # fetches for each page of the host beyond these
MAX_FAILURES = 3  # in a row, after which nothing more is fetched from a host
MAX_TRIES = 6  # pages of the crawl tried as siblings, for each template: each costs parses
MAX_HOSTS = 10_000
REFUSING = frozenset({403, 429})  # statuses of a host that wants no such requests


@dataclass(slots=True)
class _Template:
    fetched: set[str] = field(default_factory=set)  # URLs
    suspects: set[str] = field(default_factory=set)  # leaf patterns of refused siblings
    tries: int = 0  # pages of the crawl that were tried as siblings


@dataclass(slots=True)
class _Host:
    pages: int = 0  # of the crawl
    unused: int = 0  # fetches whose response the crawl has not used
    failures: int = 0  # in a row
    has_template: bool = False


class FetchBudget:
    """Counts by URL shape and by host. Bounded: the oldest template or host is dropped first."""

    def __init__(self, *, max_fetches: int, max_templates: int) -> None:
        self._max_fetches = max_fetches
        self._templates: LocalCache[str, _Template] = LocalCache(limit=max_templates)
        self._hosts: LocalCache[str, _Host] = LocalCache(limit=MAX_HOSTS)

    def count_page(self, host: str) -> None:
        """Count a page of the crawl that may be an article."""
        self._host(host).pages += 1

    def add_known_host(self, host: str) -> None:
        """Remember that a template of *host* is known."""
        self._host(host).has_template = True

    def knows_host(self, host: str) -> bool:
        """Whether any template of *host* is known."""
        return self._host(host).has_template

    def limit_reached(self, shape: str, host: str) -> str | None:
        """Return why no sibling may be fetched now, None when one may.

        ``budget_spent`` for the template, ``host_spent``, or ``host_given_up``.
        """
        if len(self._template(shape).fetched) >= self._max_fetches:
            return "budget_spent"
        counts = self._host(host)
        if counts.failures >= MAX_FAILURES:
            return "host_given_up"
        if counts.unused >= FREE_FETCHES + MAX_SHARE * counts.pages:
            return "host_spent"
        return None

    def count_fetch(self, url: str, shape: str, host: str) -> None:
        """Count a fetch before it is sent."""
        self._template(shape).fetched.add(url)
        self._host(host).unused += 1

    def refund_fetch(self, host: str) -> None:
        """Take back a fetch whose response the crawl used: it was no extra request."""
        self._host(host).unused -= 1

    def count_failure(self, host: str) -> None:
        """Count a fetch without a response, or with one of a host in trouble."""
        self._host(host).failures += 1

    def count_response(self, host: str, status: int) -> None:
        """Count a response; a good one ends a row of failures."""
        if status >= 500 or status in REFUSING:
            self.count_failure(host)
        else:
            self._host(host).failures = 0

    def add_suspect(self, url: str, shape: str) -> None:
        """Remember that a page like that of *url* is no sibling for pages of *shape*."""
        self._template(shape).suspects.add(leaf_pattern(url))

    def may_try(self, shape: str) -> bool:
        """Whether pages of the crawl are still tried as siblings for *shape*."""
        return self._template(shape).tries < MAX_TRIES

    def count_try(self, shape: str) -> None:
        """Count a page of the crawl that is tried as a sibling."""
        self._template(shape).tries += 1

    def fetched(self, shape: str) -> Container[str]:
        """The URLs fetched for *shape*."""
        return self._template(shape).fetched

    def suspects(self, shape: str) -> Container[str]:
        """The leaf patterns of refused siblings, which come last for *shape*."""
        return self._template(shape).suspects

    def _template(self, shape: str) -> _Template:
        return self._templates.setdefault(shape, _Template())

    def _host(self, host: str) -> _Host:
        return self._hosts.setdefault(host, _Host())
