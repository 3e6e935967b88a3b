"""What the tests of the demo portal share."""

import re
from collections.abc import Callable
from urllib.parse import urljoin

import pytest
from lxml import html

from spiders.demo import DemoPage, Portal, build_portal


def _page_text(page: DemoPage) -> str:
    try:
        return page.body.decode("utf-8")
    except UnicodeDecodeError:
        return page.body.decode("gbk")


def _page_links(portal: Portal, path: str) -> set[str]:
    page = portal.pages[path]
    if not page.content_type.startswith("text/html"):
        return set()
    document = html.fromstring(_page_text(page))
    links = (
        urljoin(path, link) for link in document.xpath("//a/@href | //img/@src | //link/@href")
    )
    return {link for link in links if not re.match(r"[a-z]+:|#", link) and "#" not in link}


@pytest.fixture(scope="session")
def portal() -> Portal:
    return build_portal()


@pytest.fixture(scope="session")
def page_text() -> Callable[[DemoPage], str]:
    """The page's HTML as text, whichever of the two encodings it is in."""
    return _page_text


@pytest.fixture(scope="session")
def page_links() -> Callable[[Portal, str], set[str]]:
    """The paths within the portal that a page links, pictures and style sheets included."""
    return _page_links
