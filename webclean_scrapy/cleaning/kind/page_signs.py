"""Signs of the kind of a page other than its text; values are 0 to 1.

Its elements: pictures, prices, code, dates, buttons, fields and forms. Its links, its address, and
the kind that it declares: often that of a site's software and not of the page, so a declaration
only adds to what the page shows.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from webclean_scrapy.cleaning.body.wording import DATE
from webclean_scrapy.cleaning.page import row_flags as f
from webclean_scrapy.cleaning.page.lines import LOWER_CHARACTERS
from webclean_scrapy.cleaning.page.units import letters
from webclean_scrapy.cleaning.words.phrases import alternatives
from webclean_scrapy.web_addresses import host_name, join, may_select, split

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webclean_scrapy.cleaning.body.evidence import Evidence
    from webclean_scrapy.cleaning.body.models import Body
    from webclean_scrapy.cleaning.metadata.head import Head
    from webclean_scrapy.cleaning.parsed_page import ParsedPage

ELEMENTS = (
    "prices among the paragraphs", "price below the title", "date at title or body", "code",
    "pictures that are links", "comments", "boxes of related pages", "no date on the page",
    "paragraphs that name the site", "paragraphs that say we", "paragraphs that say I",
    "one article element", "a long headline", "fields to fill in",
)  # fmt: skip
_SHORT = 60  # units; a longer line is no price tag and no dateline
_AFTER_TITLE = 15  # lines in which the price of a product stands
_NAME = range(4, 31)  # letters and digits of a name that is looked for in the text
_DATE_NEAR = ((-3, 8), (-8, 2))  # lines about the title, and about the first of the body
# A number with a currency beside it.
_PRICE = re.compile(
    r"(?:[$€£¥₹₩₽₺]|\b(?:usd|eur|gbp|aud|cad|chf|rs\.?|kr|zł))\s?\d"
    r"|\d[\d.,]{0,9}\s?(?:[€£₽]|元|円|zł|kr\b|eur\b|usd\b|руб)"
)


def _spoken(role: str) -> Callable[[str], bool]:
    """Return a function that finds the words of a role: who offers something, or who tells.

    In upper case in English: "i" is a word of other languages.
    """
    # The regex engine goes by the character before a word, which is faster than by ``\b``.
    word = re.compile(rf"\W(?:{alternatives(role, run_on=False)})\b").search
    run_on = re.compile(alternatives(role, run_on=True)).search
    return lambda text: bool(word(f" {text}") or run_on(text))


_says_we, _says_i = _spoken("we"), _spoken("i")
_HEADLINE = 120  # units; a longer headline says no more
_TITLE_PARTS = re.compile(r"\s[-–—·:]\s|[|_»›]")
_MAX_TITLE = 400  # characters


def element_signs(page: ParsedPage, evidence: Evidence, body: Body) -> dict[str, float]:
    """Return features of the page's elements: pictures, prices, dates, code. Cost: O(rows)."""
    table = page.table
    paragraphs = int(np.count_nonzero(evidence.weights))
    columns, starts, inside = table.columns, table.lines.lower_starts, table.flags.inside
    short = [line for line in table.lines.numbered if table.lines.units[line] <= _SHORT]
    prices = [line for line in short if _PRICE.search(starts[line])]
    plain, dated = columns.plain, evidence.signs.dated  # lines without links have it
    dates = [n for n in short if dated[n] or (not plain[n] and DATE.search(starts[n]))]
    code = max(table.counts["code"], 2 * table.counts["pre"])
    pictures = (table.flags.own & f.IMAGE).nonzero()[0].tolist()
    linked = sum(table.link[row] for row in pictures)
    around = table.around_flags
    related = inside & f.RELATED > 0
    related[1:] &= ~related[table.arrays.parent[1:]]  # inside no other
    boxes = int(np.count_nonzero(related))
    commented = columns.units[around & f.COMMENTS > 0].sum()
    title = body.title_line
    beside = [] if title is None else range(title + 1, title + _AFTER_TITLE + 1)
    return {
        "prices among the paragraphs": len(prices) / (len(prices) + paragraphs + 1),
        "price below the title": any(line in beside for line in prices),
        "date at title or body": _is_dated(dates, body),
        "pictures that are links": linked / (linked + paragraphs + 1),
        "code": code / (code + 5),
        "comments": float(commented / max(columns.units.sum(), 1)),
        "boxes of related pages": boxes / (boxes + 3),
        "no date on the page": not dated.any(),
        "one article element": table.counts["article"] == 1,
        "a long headline": 0.0 if title is None else min(table.lines.units[title] / _HEADLINE, 1.0),
        "fields to fill in": page.fields / (page.fields + 5),
        **_voice_signs(page, evidence, body),
    }


def _voice_signs(page: ParsedPage, evidence: Evidence, body: Body) -> dict[str, float]:
    """Return how many paragraphs speak of the site or of "us", who offer something, or of "me".

    The site's name is the one that it declares, or what its title ends in.
    """
    starts = page.table.lines.lower_starts
    lines = [line for line in body.lines if evidence.weights[line]]
    paragraphs = [starts[line] for line in lines]
    parts = _TITLE_PARTS.split(page.titles[-1][:_MAX_TITLE]) if page.titles else []
    name = letters((page.head.site_name or "".join(parts[1:][-1:])).lower())
    may_name = [text for text in paragraphs if name[:1] in text] if len(name) in _NAME else []
    named = [name in letters(text) for text in may_name]
    spoken = [_says_we(text) for text in paragraphs]
    texts = page.table.lines.text
    told = [_says_i(texts[line][:LOWER_CHARACTERS]) for line in lines]
    return {
        "paragraphs that name the site": sum(named) / (len(paragraphs) + 2),
        "paragraphs that say we": sum(spoken) / (len(paragraphs) + 1),
        "paragraphs that say I": sum(told) / (len(paragraphs) + 1),
    }


def _is_dated(dates: list[int], body: Body) -> float:
    """Return 1 if a line of *dates* is beside the title or just before the body.

    Less if there are more in the body: then they are those of entries.
    """
    within = sum(body.lines[0] <= date <= body.lines[-1] for date in dates) if body.lines else 0
    at = [(body.title_line, _DATE_NEAR[0])] if body.title_line is not None else []
    at += [(body.lines[0], _DATE_NEAR[1])] if body.lines else []
    near = any(line + low <= date <= line + high for line, (low, high) in at for date in dates)
    return near / (1 + max(within - 1, 0) / 2)


_ARTICLES = ("article", "blogposting", "reportage")
_NO_ARTICLES = frozenset({"techarticle"})
#: The features of the head, and those of the address.
DECLARED = (
    "declared an article", "declared a list", "declared a discussion", "declared a product",
    "declared a service", "declared authors", "declared a path", "title is a question",
)  # fmt: skip
ADDRESS = (
    "address of a forum", "address of a product", "address of documentation",
    "address of a category", "address of a service", "date in the address",
    "words in the address", "number in the address", "query in the address", "address of a site",
)  # fmt: skip
_LISTS = frozenset("collectionpage searchresultspage itemlist offercatalog".split())
_FORUMS = frozenset("qapage discussionforumposting socialmediaposting question".split())
_PRODUCTS = frozenset("product productgroup individualproduct book videogame".split())
_SERVICES = frozenset("service localbusiness softwareapplication webapplication course".split())
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
_MAX_LINKS = 3_000  # that are looked at
_MAX_HREF = 300  # characters
#: The features of the links.
LINKS = (
    "links to places on the page", "links to members", "links to pages below",
    "links that hand an address on", "links to sign up, ask or call",
    "links to sign up, ask or call in the body", "links to other sites in the body",
    "links to a cart", "links to itself in a menu",
)  # fmt: skip
_NO_PAGE = ("#", "tel:", "mailto:")
_ABSOLUTE = ("http", "//")
_NOT_RELATIVE = ("http", "/", "javascript")
_BETWEEN = "\0"  # in no address
# Pages of members, as the software of forums and shops writes them, up to the next address.
# The first characters of the alternatives, one each, are what the regex engine goes by.
_USER = "(?:u|uid|user|userid|author)="
_MEMBER = re.compile(
    r"(?:/(?:users?|u|members?|profiles?|people|memberlist|account)[/.?-]"
    rf"|\?{_USER}|&{_USER})[^\0]*"
)
# What software calls the pages where a reader becomes a customer, and the cart of a shop.
_ASK = re.compile(
    r"/(?:log[-_]?in|sign[-_]?(?:in|up)|register|demo|get-started|contact|pricing|trial|quote"
    r"|book(?:ing)?|appointment)(?=[/.?_\0-]|$)"
)
_CALL = ("tel:", "mailto:")
_NO_RECEIVER = "mailto:?"  # hands the page on to a friend
_CARTS = ("cart", "basket", "checkout", "wishlist", "warenkorb", "panier")
_CART = re.compile(rf"(?<![a-z])(?:{'|'.join(_CARTS)})(?![a-z])")


def declared_signs(head: Head) -> dict[str, float]:
    """Return features of the kind declared in *head*."""
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
        "declared authors": bool(head.authors),
        "declared a path": "breadcrumblist" in names,
        "title is a question": "?" in title or "？" in title,
    }


def address_signs(url: str | None) -> dict[str, float]:
    """Return features of *url*; all 0 without one."""
    parts = split(url)
    pairs = (pair.partition("=") for pair in parts.query.split("&"))
    query = "&".join(name + sign + value for name, sign, value in pairs if may_select(name, value))
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
        "words in the address": min(leaf.count("-") / _SLUG, 1.0),
        "number in the address": sum(map(str.isdigit, leaf)) >= _ID,
        "query in the address": bool(query),
        "address of a site": bool(parts.netloc) and not segments,
    }


def link_signs(evidence: Evidence, body: Body) -> dict[str, float]:
    """Return features of the page's links, 0..1. Cost: O(links)."""
    table, url = evidence.table, evidence.url
    hrefs = [href[:_MAX_HREF] for href in islice(table.hrefs.values(), _MAX_LINKS)]
    total = max(len(hrefs), 1)
    pages = [href for href in hrefs if not href.startswith(_NO_PAGE)]
    others = [href for href in hrefs if href.startswith(_NO_PAGE)] if hrefs != pages else []
    places = sum(href[:1] == "#" and len(href) > 1 for href in others)
    addresses = _BETWEEN.join(dict.fromkeys(pages)).lower()
    members = len(_MEMBER.findall(addresses))
    calls = {one for one in others if one.startswith(_CALL) and not one.startswith(_NO_RECEIVER)}
    asked = len(_ASK.findall(addresses)) + len(calls)
    below = _count_below(pages, url)
    own = host_name(url) or "?"
    shared = 0
    if "=http" in addresses:
        shared = sum("=http" in href and own not in href.partition("?")[0] for href in pages)
    kept = frozenset(body.lines)
    lines = table.arrays.line_of[np.fromiter(islice(table.hrefs, _MAX_LINKS), np.int64)]
    first, last = (body.lines[0], body.lines[-1] + 1) if kept else (0, 0)
    among = slice(*np.searchsorted(lines, (first, last)).tolist())
    inside = hrefs[among]
    asking = len(_ASK.findall(_BETWEEN.join(inside).lower()))
    asking += sum(href.startswith(_CALL) for href in inside)
    texts = (one for line, one in zip(lines[among].tolist(), inside, strict=True) if line in kept)
    away = sum(href.startswith(_ABSOLUTE) and own not in href for href in texts)
    return {
        "links to places on the page": places / total,
        "links to members": members / (members + 4),
        "links to pages below": below / total,
        "links that hand an address on": shared / (shared + 2),
        "links to sign up, ask or call": asked / (asked + 3),
        "links to sign up, ask or call in the body": asking / (asking + 2),
        "links to other sites in the body": away / (away + 3),
        "links to a cart": any(cart in addresses for cart in _CARTS)
        and _CART.search(addresses) is not None,
        "links to itself in a menu": _is_in_menu(evidence),
    }


def _is_in_menu(evidence: Evidence) -> bool:
    """True if a menu leads to the page itself: offers, lists and manuals are in one, few articles.

    The root is in every menu.
    """
    table, own = evidence.table, split(evidence.url)
    path = own.path.rstrip("/")
    leaf = path.rpartition("/")[2]
    if not own.netloc or not leaf:
        return False
    in_block = evidence.signs.link_blocks.lines
    for row, href in islice(table.hrefs.items(), _MAX_LINKS):
        if leaf in href and "#" not in href and len(href) <= _MAX_HREF:
            line = table.line_of[row]
            is_menu = table.flags.inside[row] & f.NAV or (line < len(in_block) and in_block[line])
            to = split(join(evidence.url or "", href)) if is_menu else split("")
            is_own_host = is_menu and host_name(to.geturl()) == host_name(evidence.url)
            if is_own_host and to.path.rstrip("/") == path:
                return True
    return False


def _count_below(hrefs: Sequence[str], url: str | None) -> int:
    """Count the *hrefs* that lead into the page's directory.

    A root is no directory: every link of a site leads below it.
    """
    parts = split(url)
    directory = parts.path.rpartition("/")[0] + "/"
    if len(directory) <= 1:
        return 0
    own = parts.netloc + directory
    below = len([href for href in hrefs if href and not href.startswith(_NOT_RELATIVE)])
    for href in (href for href in hrefs if directory in href):
        if href.startswith(_ABSOLUTE):
            below += parts.netloc != "" and href.partition("//")[2].startswith(own)
        else:
            below += href[0] == "/" and href.startswith(directory)
    return below
