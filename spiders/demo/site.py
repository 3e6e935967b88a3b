"""Base of the sites of the demo portal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from spiders.demo.model import DemoPage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from spiders.demo.model import Article


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One list page: its articles, newest first, and where it stands among its pages."""

    section: str  # "" on the site's home page
    heading: str
    articles: tuple[Article, ...]
    page: int  # from 1
    pages: int


class Site(ABC):
    """A site with its own template. Subclasses write the HTML, this class orders the pages."""

    key: ClassVar[str]
    language: ClassVar[str]
    name: ClassVar[str]
    sections: ClassVar[Mapping[str, str]]  # code -> what readers call it
    encoding: ClassVar[str] = "utf-8"
    page_size: ClassVar[int] = 5

    def __init__(self, articles: tuple[Article, ...]) -> None:
        newest_first = sorted(articles, key=lambda article: (article.date, article.key))[::-1]
        self.articles = tuple(newest_first)

    @abstractmethod
    def path_of(self, article: Article) -> str:
        """The path of an article's page."""

    @abstractmethod
    def list_path(self, section: str, page: int = 1) -> str:
        """The path of a section's list page; the home page for section ``""``."""

    @abstractmethod
    def article_html(self, article: Article) -> str:
        """The whole page round an article."""

    @abstractmethod
    def list_html(self, listing: Listing) -> str:
        """The whole page round a list."""

    def content_type(self, path: str) -> str:
        """The Content-Type header of a page."""
        return f"text/html; charset={self.encoding}"

    def article_pages(self) -> Iterator[tuple[str, DemoPage]]:
        """Yield path and page of every article of the site, newest first."""
        for article in self.articles:
            path = self.path_of(article)
            yield path, self._page(path, self.article_html(article))

    def list_pages(self) -> Iterator[tuple[str, DemoPage]]:
        """Yield path and page of the home page and of every page of every section."""
        for listing in self.listings():
            path = self.list_path(listing.section, listing.page)
            yield path, self._page(path, self.list_html(listing))

    def optional_lines(self, article: Article) -> tuple[str, ...]:
        """Return the final lines of an article that may count as body or not."""
        return ()

    def other_pages(self) -> Iterator[tuple[str, DemoPage]]:
        """Yield pages that are neither article nor list. Most sites have none."""
        return iter(())

    def listings(self) -> Iterator[Listing]:
        """Yield the home page and the pages of each section."""
        home = self.articles[: 2 * self.page_size]
        yield Listing(section="", heading=self.name, articles=home, page=1, pages=1)
        for section, heading in self.sections.items():
            members = tuple(a for a in self.articles if a.section == section)
            pages = -(-len(members) // self.page_size)
            for page in range(1, pages + 1):
                part = members[(page - 1) * self.page_size : page * self.page_size]
                yield Listing(
                    section=section, heading=heading, articles=part, page=page, pages=pages
                )

    def related(self, article: Article, count: int, skip: int = 0) -> list[tuple[str, str]]:
        """Return (path, title) of *count* other articles: the next ones in the section first."""
        start = self.articles.index(article) + 1
        round_trip = self.articles[start:] + self.articles[: start - 1]
        near = sorted(round_trip, key=lambda other: other.section != article.section)
        return [self.entry(other) for other in near[skip : skip + count]]

    def entry(self, article: Article) -> tuple[str, str]:
        """Return (path, title) of an article."""
        return self.path_of(article), article.title

    def hot(self, count: int) -> list[tuple[str, str]]:
        """Return (path, title) of the site's most read articles: the same list on every page."""
        favourites = sorted(self.articles, key=lambda article: (len(article.title), article.key))
        return [self.entry(article) for article in favourites[:count]]

    def section_links(self) -> list[tuple[str, str]]:
        """Return (path, name) of every section."""
        return [(self.list_path(section), name) for section, name in self.sections.items()]

    def _page(self, path: str, html: str) -> DemoPage:
        return DemoPage(body=html.encode(self.encoding), content_type=self.content_type(path))
