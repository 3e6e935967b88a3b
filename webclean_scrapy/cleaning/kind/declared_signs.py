"""Features of the kind that a page declares and of its address.

Values are 0 to 1. A declaration is often that of a site's software and not of the page, so it only
adds to what the page shows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webclean_scrapy.cleaning.templates.url_shapes import is_list_url

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.metadata.head import Head

_ARTICLES = ("article", "blogposting", "reportage")
_NO_ARTICLES = frozenset({"techarticle"})
#: The features of the head, and those of the address.
DECLARED = (
    "declared an article", "declared a list", "declared a discussion", "declared a product",
    "declared a service", "declared a price", "declared authors", "title is a question",
)  # fmt: skip
ADDRESS = (
    "address of a forum", "address of a product", "address of documentation",
    "address of a category", "address of a service", "date in the address",
    "depth of the address", "words in the address", "number in the address",
    "query in the address", "address of a site", "address of a directory",
)  # fmt: skip
_LISTS = frozenset("collectionpage searchresultspage itemlist offercatalog".split())
_FORUMS = frozenset("qapage discussionforumposting socialmediaposting question".split())
_PRODUCTS = frozenset("product productgroup individualproduct book videogame".split())
_SERVICES = frozenset("service localbusiness softwareapplication webapplication course".split())
_DEPTH = 6  # segments of a path
_SLUG = 8  # hyphens in the last segment
_ID = 4  # digits in it
# Words that the software of a site writes into its addresses, in English whatever the language.
_FORUM_PATH = re.compile(
    r"(?:^|[./_-])(?:forums?|threads?|topics?|t|questions?|(?:view|show)(?:topic|thread)|community"
    r"|discuss(?:ions?)?|boards?|bbs|answers|comments|r)(?=[./?_-]|$)"
)
_PRODUCT_PATH = re.compile(r"/(?:products?|p|dp|item|itm|shop|store|buy|sku)(?=[/.?-]|$)")
_DOCS_PATH = re.compile(
    r"(?:^|[./])(?:docs?|documentation|reference|manual|guides?|api|help|support|tutorials?"
    r"|learn|latest|stable)(?=[/.]|$)"
)
_LIST_PATH = re.compile(
    r"/(?:collections?|categor(?:y|ies)|c|cat|browse|tags?|topics|search|directory|archive|shop)"
    r"(?=[/.?]|$)"
)
_SERVICE_PATH = re.compile(
    r"/(?:services?|solutions?|features?|pricing|plans?|what-we-do)(?=[/.?]|$)"
)
_YEAR = re.compile(r"/(?:19|20)\d\d[/-]?[01]?\d")
_TRACKING = re.compile(r"(?:^|&)(?:utm_\w+|srsltid|spm|fbclid|gclid|ref|src)=[^&]*")


def declared_signs(head: Head) -> dict[str, float]:
    """Return what *head* says of the kind, by feature."""
    marked = {name.lower() for name in head.marked_types}
    names = {name.lower() for name in head.types} | marked
    og_type = (head.og_type or "").lower()
    title = head.titles[0] if head.titles else ""
    return {
        "declared an article": any(
            name.endswith(_ARTICLES) and name not in _NO_ARTICLES for name in names
        ),
        "declared a list": bool(names & _LISTS),
        "declared a discussion": bool(names & _FORUMS) and "faqpage" not in names,
        "declared a product": bool(names & _PRODUCTS)
        or og_type.startswith(("product", "og:product")),
        "declared a service": bool(names & _SERVICES)
        or any(name.endswith("business") for name in names),
        "declared a price": head.priced,
        "declared authors": bool(head.authors),
        "title is a question": "?" in title or "？" in title,
    }


def address_signs(url: str | None) -> dict[str, float]:
    """Return what *url* says of the kind, by feature; all 0 without one."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        parts = urlsplit("")
    query = _TRACKING.sub("", parts.query)
    address = f"{parts.netloc}{parts.path}".lower() + (f"?{query.lower()}" if query else "")
    segments = [segment for segment in parts.path.split("/") if segment]
    leaf = segments[-1] if segments else ""
    return {
        "address of a forum": _FORUM_PATH.search(address) is not None,
        "address of a product": _PRODUCT_PATH.search(address) is not None,
        "address of documentation": _DOCS_PATH.search(address) is not None,
        "address of a category": _LIST_PATH.search(address) is not None,
        "address of a service": _SERVICE_PATH.search(address) is not None,
        "date in the address": _YEAR.search(parts.path) is not None,
        "depth of the address": min(len(segments) / _DEPTH, 1.0),
        "words in the address": min(leaf.count("-") / _SLUG, 1.0),
        "number in the address": sum(map(str.isdigit, leaf)) >= _ID,
        "query in the address": bool(query),
        "address of a site": bool(parts.netloc) and not segments,
        "address of a directory": bool(parts.netloc) and is_list_url(url or ""),
    }
