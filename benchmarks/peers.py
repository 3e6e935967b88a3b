"""The other extractors, each at its defaults and without comments: ``pip install '.[peers]'``.

A peer gets the page decoded, by the project's own decoder, so that nobody loses on the charset.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from benchmarks.data import Page

    Body = Callable[[Page], str]
    Facts = Callable[[Page], dict[str, str]]

ADDRESS = "https://example.com/a"  # for a peer that will not go without
#: Name -> distribution, and the modules it needs.
PEERS = {
    "trafilatura": ("trafilatura", "trafilatura"),
    "trafilatura_precision": ("trafilatura", "trafilatura"),
    "readability": ("readability-lxml", "readability", "html_text"),
    "resiliparse": ("resiliparse", "resiliparse"),
    "newspaper4k": ("newspaper4k", "newspaper"),
    "gne": ("gne", "gne"),
}
FACT_PEERS = ("trafilatura", "newspaper4k", "gne")


def installed(names: Iterable[str] | None = None) -> list[str]:
    """Return *names*, or all installed peers for None.

    Raises:
        SystemExit: one that was asked for is unknown or not installed.
    """
    there = [name for name, (_, *modules) in PEERS.items() if all(map(find_spec, modules))]
    if names is None:
        return there
    for name in (asked := list(names)):
        if name not in there:
            raise SystemExit(f"no {name} here; known: {', '.join(PEERS)}: pip install '.[peers]'")
    return asked


def version_of(name: str) -> str:
    """Return the version of a peer's or other distribution; "-" if it is not installed."""
    try:
        return version(PEERS.get(name, (name,))[0])
    except PackageNotFoundError:
        return "-"


def make_peer(name: str) -> Body:
    """Return a function from a page to its body text; it may raise any error."""
    return _MAKERS[name]()


def make_fact_peer(name: str) -> Facts:
    """Return a function from a page to title, date, author and source, as far as supported."""
    makers = {"trafilatura": _trafilatura_facts, "newspaper4k": _newspaper_facts, "gne": _gne_facts}
    return makers[name]()


def _trafilatura(**mode: bool) -> Body:
    extract = import_module("trafilatura").extract
    return lambda page: extract(page.text, url=page.url, include_comments=False, **mode) or ""


def _readability() -> Body:
    document = import_module("readability").Document
    to_text = import_module("html_text").extract_text
    return lambda page: to_text(document(page.text).summary())


def _resiliparse() -> Body:
    extract = import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda page: extract(page.text, main_content=True, alt_texts=False)


def _newspaper() -> Body:
    parse = _newspaper_parser()
    return lambda page: str(parse(page).text)


def _newspaper_parser() -> Callable[[Page], Any]:
    newspaper: Any = import_module("newspaper")

    def parse(page: Page) -> Any:
        language = "zh" if page.language == "zh" else "en"
        article = newspaper.Article(page.url or ADDRESS, language=language, fetch_images=False)
        article.download(input_html=page.text)
        article.parse()
        return article

    return parse


def _gne() -> Body:
    extractor = import_module("gne").GeneralNewsExtractor
    return lambda page: extractor().extract(page.text)["content"]


def _trafilatura_facts() -> Facts:
    extract = import_module("trafilatura").extract_metadata
    names = {"title": "title", "date": "date", "author": "author", "source": "sitename"}

    def facts(page: Page) -> dict[str, str]:
        found = extract(page.text, default_url=page.url)
        return {name: getattr(found, its) or "" for name, its in names.items()}

    return facts


def _newspaper_facts() -> Facts:
    parse = _newspaper_parser()

    def facts(page: Page) -> dict[str, str]:
        found = parse(page)
        return {
            "title": found.title or "",
            "date": str(found.publish_date or ""),
            "author": "; ".join(found.authors),
            "source": found.meta_site_name or "",
        }

    return facts


def _gne_facts() -> Facts:
    extractor = import_module("gne").GeneralNewsExtractor
    names = {"title": "title", "date": "publish_time", "author": "author"}

    def facts(page: Page) -> dict[str, str]:
        found = extractor().extract(page.text)
        return {name: found[its] for name, its in names.items()}

    return facts


_MAKERS: dict[str, Callable[[], Body]] = {
    "trafilatura": _trafilatura,
    "trafilatura_precision": lambda: _trafilatura(favor_precision=True),
    "readability": _readability,
    "resiliparse": _resiliparse,
    "newspaper4k": _newspaper,
    "gne": _gne,
}
