"""Read links, text and charset of a response."""

from __future__ import annotations

import html
import re
from email.utils import parsedate_to_datetime
from itertools import islice
from typing import TYPE_CHECKING, TypeGuard, TypeVar

from scrapy.http import HtmlResponse, TextResponse
from scrapy.utils.response import get_base_url
from w3lib.encoding import http_content_type_encoding, resolve_encoding

from webclean_scrapy.cleaning.page.charset import DECLARED, decode
from webclean_scrapy.cleaning.page.guard import GuardConfig, check_page
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.errors import PageError, PageTooLargeError
from webclean_scrapy.keywords.segment import HAN
from webclean_scrapy.web_addresses import is_askable, join, shorten, site_of, split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
    from scrapy.http import Response

logger = safe_logger(__name__)
_Text = TypeVar("_Text", bound=TextResponse)

#: The list of a whole site is larger than a page to clean; its links take 13 s at worst.
LINKS_GUARD = GuardConfig(max_bytes=10_000_000, max_tags=500_000)
RETRY_LATER_S = 3600.0  # where a site that asks for patience does not say how long
LONGEST_PAUSE_S = 86_400.0
TOO_MANY, UNAVAILABLE = 429, 503
_END = re.compile(rb"</(?:html|body)\s*>", re.IGNORECASE)
_begins_page = re.compile(rb"[\s\xef\xbb\xbf]*<(?:!doctype\s+)?html\b", re.IGNORECASE).match
_ALWAYS_CLOSED = (b"main", b"article")  # elements that pages always close
_BASE = re.compile(r"<base\b", re.IGNORECASE)
_MAX_HEAD = 200_000  # bytes
_link_header = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w*]+\s*=\s*(?:\"[^\"]*\"|[^\s\",;]+))*)").findall
_link_attributes = re.compile(r"(?<!\w)(\w+)\*?\s*=\s*\"?([^\";]*)").findall
# A search for the end of what is never closed, from each of many beginnings, takes minutes.
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_CANONICAL = re.compile(r"<link\b[^<>]{0,1000}\bcanonical\b[^<>]{0,1000}>", re.IGNORECASE)
_OG_URL = re.compile(r"<meta\b[^<>]{0,1000}\bog:url\b[^<>]{0,1000}>", re.IGNORECASE)
_TITLE, _HEADING = (
    re.compile(rf"<{tag}\b[^<>]*>((?:[^<]|<(?!/?{tag}\b)){{0,1000}})</{tag}", re.IGNORECASE)
    for tag in ("title", "h1")
)
_CARD_TITLE = re.compile(
    r"<meta\b[^<>]{0,1000}\b(?:og|twitter):title\b[^<>]{0,1000}>", re.IGNORECASE
)
_TAG = re.compile("<[^>]*>")
_MAX_HEADINGS = 2  # the name of the site may be one; lists have one for each entry
_title_words = re.compile(rf"(?=([{HAN}\u3040-\u30ff]{{2}}))|([^\W_{HAN}\u3040-\u30ff]+)").findall
_high_frame = re.compile(  # by its attributes, or by a rule of style
    r"iframe\b[^{}<>]{0,500}(?:\{[^{}<>]{0,500})?(?:height\W{1,3}100(?:%|vh)|inset\W{1,3}0)",
    re.IGNORECASE,
).search
_VALUE = re.compile(
    r"""\b(?:href|content)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)


def decodable(response: _Text) -> _Text:
    """Return *response*, or a copy that is decoded as its bytes say.

    A page may name any codec of Python. With those that decode no text ("zlib", "idna") `text`,
    `selector` and the link extractors of Scrapy raise an error at each use; others make markup of
    text ("unicode_escape").
    """
    if resolve_encoding(response.encoding) in DECLARED:
        return response
    encoding = decode(response.body)[1]
    return response if response.encoding == encoding else response.replace(encoding=encoding)


def readable(response: TextResponse) -> TextResponse:
    """Return *response*, or a repaired copy with readable text and base address.

    With a ``<base>`` whose port is none Scrapy raises an error as with codecs, see `decodable`.
    Cost: none, the response caches what is read.
    """
    response = decodable(response)
    try:
        get_base_url(response)
    except ValueError:
        body = _BASE.sub("<x-base", response.text).encode("utf-8", "replace")
        response = response.replace(body=body, encoding="utf-8")
    return response


def page_text(response: TextResponse) -> str:
    """Return the text nodes of *response* in document order, without scripts and styles.

    Cost: one parse, which the response caches for the spider.
    """
    nodes = response.selector.root.xpath("//text()[not(parent::script or parent::style)]")
    return "\n".join(nodes)


def canonical_address(response: TextResponse) -> str:
    """Return a canonical URL that differs from the page's address, or "".

    By a ``link`` or the header ``Link`` (RFC 6596), else by ``og:url``. One that leads to a first
    page, or differs in scheme, ``www.`` or a slash at its end alone, says nothing. Cost: a search
    in the source.
    """
    links = header_links(response)
    named = [_as_utf8(one["href"]) for one in links if "canonical" in one.get("rel", "").lower()]
    written = next(iter(named or named_addresses(response.body)), "")
    url = shorten(join(response.url, written)) if written else ""
    is_page = is_askable(url) and split(url).path.strip("/") + split(url).query
    return url if is_page and _bare(url) != _bare(shorten(response.url)) else ""


def header_links(response: TextResponse) -> Iterator[dict[str, str]]:
    """Yield the links in the header ``Link`` (RFC 8288), each with its attributes and ``href``."""
    header = b", ".join(response.headers.getlist("Link")).decode("latin-1")
    for url, written in _link_header(header):
        attributes = {name.lower(): value for name, value in _link_attributes(written)}
        yield {**attributes, "href": url}


def named_addresses(page: bytes) -> Iterator[str]:
    """Yield the canonical URLs of a page as written: ``link``, then ``og:url``.

    Cost: a search in the source.
    """
    source = _COMMENT.sub("", page[:_MAX_HEAD].decode("latin-1"))
    for pattern in (_CANONICAL, _OG_URL):
        for tag in pattern.findall(source):
            for match in _VALUE.findall(tag)[:1]:
                yield _as_utf8(html.unescape("".join(match)))


def named_titles(source: str) -> Iterator[str]:
    """Yield the titles of a page: of its head, of its cards for other sites, its headings.

    Cost: a search in the source.
    """
    for pattern, most in ((_TITLE, 1), (_HEADING, _MAX_HEADINGS)):
        for match in islice(pattern.finditer(source), most):
            yield html.unescape(_TAG.sub("", match[1]))
    for tag in islice(_CARD_TITLE.finditer(source), 2):
        for value in _VALUE.findall(tag[0])[:1]:
            yield html.unescape("".join(value))


def title_words(title: str) -> list[str]:
    """Return the words of a title in lower case; of Chinese and Japanese, pairs of characters."""
    return [(pair or word).casefold() for pair, word in _title_words(title)]


def _as_utf8(text: str) -> str:
    return text.encode("latin-1", "replace").decode("utf-8", "replace")


def _bare(url: str) -> tuple[object, ...]:
    parts = split(url)
    return site_of(url), parts.path.rstrip("/"), parts.query


def is_parsable(response: TextResponse, guard: GuardConfig | None = None) -> bool:
    """True if the guard lets the page pass to a parser.

    Without a guard, `LINKS_GUARD` does, and a warning names the limit that a page exceeds.
    """
    try:
        check_page(response.body, guard or LINKS_GUARD)
    except PageError as error:
        if guard is None and isinstance(error, PageTooLargeError):
            logger.warning("%s: its links are not followed: %s", response.url, error)
        return False
    return True


def is_cut_off(body: bytes) -> bool:
    """True if a page with ``<html>`` breaks off inside its article or a text.

    A server that breaks off, a packed body without its end, and a length in characters in place of
    bytes leave no other trace. Some complete pages leave the last end tags out, as HTML allows.
    """
    if b"<html" not in body[:2000].lower() or _END.search(body[-2000:]):
        return False
    ends_in_text = not body[-100:].rstrip(b"\0 \t\r\n").endswith(b">")
    return ends_in_text or any(body.count(b"<" + n) > body.count(b"</" + n) for n in _ALWAYS_CLOSED)


def header_charset(response: TextResponse) -> str | None:
    """Return the charset of the HTTP header, or None."""
    content_type = response.headers.get("Content-Type") or b""
    return http_content_type_encoding(content_type.decode("latin-1"))


def wanted_pause(response: Response, now: float) -> float | None:
    """Return the delay wanted by the site in seconds, a day at most; None without one.

    It does by status 429, and by a 503 with ``Retry-After``; one without is a fault like others.
    """
    value = (response.headers.get("Retry-After") or b"").decode("latin-1").strip()
    try:
        moment = None if value.isdigit() else parsedate_to_datetime(value).timestamp()
        seconds = float(value[:12]) if moment is None else max(0.0, moment - now)
    except (ValueError, OverflowError):
        return RETRY_LATER_S if response.status == TOO_MANY else None
    return min(seconds, LONGEST_PAUSE_S) if response.status in {TOO_MANY, UNAVAILABLE} else None


def is_html(response: Response | None) -> TypeGuard[TextResponse]:
    """True for an HTML page; a class that does not tell, as of scrapy-splash, begins as one."""
    if not isinstance(response, TextResponse):
        return False
    return isinstance(response, HtmlResponse) or bool(_begins_page(response.body))


def raw_page(response: TextResponse) -> RawPage:
    """Return the page as input of the Cleaner."""
    return RawPage(response.body, response.url, header_charset(response))


def is_of_a_command(request: Request) -> bool:
    """True if the response is for ``scrapy fetch`` or ``scrapy shell``, not a spider."""
    module = getattr(request.callback, "__module__", None) or ""
    return module.startswith(("scrapy.commands.", "twisted."))


def framed_page(response: HtmlResponse) -> str:
    """Return the address of the only frame on a page without links, or "".

    An ``<iframe>`` counts as a frame if it is as high as the page.
    """
    if not is_parsable(response, LINKS_GUARD):
        return ""
    page = readable(response)
    shown = "[not(ancestor::noframes or ancestor::noscript)]"
    if page.xpath(f"//a[@href]{shown}"):
        return ""
    sources = page.xpath("//frame/@src").getall()
    if not sources and _high_frame(page.text):
        sources = page.xpath(f"//iframe{shown}/@src").getall()
    named = {join(get_base_url(page), source) for source in sources} - {response.url}
    found = [*filter(is_askable, named)]
    return found[0] if len(found) == 1 else ""
