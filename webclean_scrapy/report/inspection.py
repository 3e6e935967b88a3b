"""One page looked at: cleaned with its siblings, and with each of them alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.page.raw_page import RawPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.cleaning.config import CleanConfig
    from webclean_scrapy.cleaning.result import CleanedPage, Trace

OFF = "not_asked"  # why a sibling was not used: by the configuration pages are not compared


class GivenPage(NamedTuple):
    """A page to look at."""

    name: str  # for people: its address, or the file it was in
    html: bytes
    url: str | None = None
    charset: str | None = None  # of the HTTP header

    @property
    def raw(self) -> RawPage:
        """The page as the cleaner takes it."""
        return RawPage(self.html, self.url or "", self.charset)


@dataclass(frozen=True, slots=True)
class SiblingLook:
    """The page cleaned with one sibling alone."""

    name: str
    refused: str | None  # why the sibling was no use; None when it was
    trace: Trace | None  # of the page; None when the sibling was refused


@dataclass(frozen=True, slots=True)
class Inspection:
    """The page as it was cleaned, with all steps, and what each sibling does alone."""

    name: str
    config: CleanConfig
    cleaned: CleanedPage
    siblings: tuple[SiblingLook, ...]


def inspect_page(
    page: GivenPage, config: CleanConfig, siblings: Sequence[GivenPage] = ()
) -> Inspection:
    """Return how *page* is cleaned with *siblings*, pages of the same site.

    Cost: cleaning it once with all and once more with each.

    Raises:
        PageError: the page is no HTML, or too large even to be read without a parser.
    """
    cleaned = Cleaner(config).inspect(page.raw, [sibling.raw for sibling in siblings])
    looks = tuple(_look_at(page.raw, sibling, config) for sibling in siblings)
    return Inspection(page.name, config, cleaned, looks)


def _look_at(page: RawPage, sibling: GivenPage, config: CleanConfig) -> SiblingLook:
    if config.denoise == "off":
        return SiblingLook(sibling.name, OFF, None)
    cleaner = Cleaner(config)
    trace = cleaner.inspect(page, [sibling.raw]).trace
    if trace.comparison.template is None:
        refused = cleaner.refuse_sibling(page, sibling.raw) or "unlike"
        return SiblingLook(sibling.name, refused, None)
    return SiblingLook(sibling.name, None, trace)
