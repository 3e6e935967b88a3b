"""Parse a page with lxml without losing text, at any depth and nesting.

All steps start from it; it becomes the feature tree (CTree) of Song et al. 2011 (papers.md).

``lxml.html.fromstring`` stops at 256 levels and loses the rest of the page; with ``huge_tree``
libxml2 keeps 2,048, and past that it stops too. That it stopped is read off its error log, so an
ordinary page pays nothing for the check.
Plain elements, not ``HtmlElement``: the parse costs the same (6.5 ms a MB), but each element's
first visit costs half of what the class with its mixins does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from webclean_scrapy.errors import PageTooLargeError

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_DEPTH = 2_000  # levels of open elements; libxml2's own end is 2,048

# End tags that may always be left out. Where libxml2 meets </html> it stops, but browsers go on,
# and pages put together from parts have text after it.
_END_OF_PAGE = re.compile(rb"</(?:html|body)[^<>]{0,20}>", re.IGNORECASE)
_FIRST_END = re.compile(rb"</html", re.IGNORECASE)  # the regex engine finds it faster than ``find``
_EMPTY = b"<html><body></body></html>"
# lxml writes no character into a tree that is none of XML. What is white space to Python becomes a
# blank, others DEL, which is as invisible and begins no tag either.
_OF_XML = bytes.maketrans(bytes(range(1, 32)), b"\x7f" * 8 + b"\t\n  \r" + b"\x7f" * 14 + b" " * 4)
_LAST_TWO = re.compile(b"\xef\xbf[\xbe\xbf]")  # U+FFFE and U+FFFF
_REFERENCE = re.compile(
    rb"&#(?:0*(?:[1-8]|1[124-9]|2\d|3[01]|6553[45])(?!\d)"
    rb"|[xX]0*(?:[1-8bcefBCEF]|1[\da-fA-F]|[fF]{3}[efEF])(?![\da-fA-F]));?"
)


def parse(html: str | bytes) -> _Element:
    """Return the root, always an ``html`` element; an empty document for empty *html*.

    Bytes must be valid UTF-8, as `charset.as_utf8` gives them. Comments and processing instructions
    are left out; NUL characters are dropped, others that are none of XML become blanks or DEL,
    surrogates are joined or become U+FFFD. A ``meta`` that names a charset is ignored: *html* is
    decoded. Cost: one pass of libxml2, about 6.5 ms a megabyte, and 1.1 before it.

    Raises:
        PageTooLargeError: elements are nested deeper than libxml2 can hold (2,048), so that the
            rest of the page would be missing.

    >>> [element.tag for element in parse("<p>one<p>two").iter()]
    ['html', 'body', 'p', 'p']
    """
    data = to_utf8(html) if isinstance(html, str) else html.replace(b"\0", b"")
    data = _REFERENCE.sub(b" ", data.translate(_OF_XML))
    if b"\xef" in data:  # in few pages, and a byte is found in no time
        data = _LAST_TWO.sub(b"\x7f", data)
    parser = etree.HTMLParser(
        encoding="utf-8",
        recover=True,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,  # a table of ids costs a twentieth of the parse, and nothing reads it
    )
    root = _parse_bytes(_without_early_end(data), parser)
    log = parser.error_log
    if log and log[-1].level >= etree.ErrorLevels.FATAL:  # libxml2 gave up before the end
        raise PageTooLargeError("levels of nested elements", MAX_DEPTH + 1, MAX_DEPTH)
    return root


def _without_early_end(html: bytes) -> bytes:
    """Return *html* without ``</html>`` and ``</body>`` that are followed by markup."""
    first = _FIRST_END.search(html)
    if first is None or html.rfind(b"<") == first.start():
        return html
    return _END_OF_PAGE.sub(b"", html)


def to_utf8(text: str) -> bytes:
    """Return *text* as valid UTF-8 without NUL characters.

    Surrogate pairs are joined to the character they mean, lone ones become U+FFFD.
    """
    try:
        # libxml2 before 2.14 ends the page at a NUL, which is found in bytes in no time.
        return text.encode().replace(b"\0", b"")
    except UnicodeEncodeError:
        pairs = text.replace("\0", "").encode("utf-16-le", "surrogatepass")
        return pairs.decode("utf-16-le", "replace").encode()


def _parse_bytes(data: bytes, parser: etree.HTMLParser) -> _Element:
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:  # how older libxml2 reports that there is no element
        root = None
    return etree.fromstring(_EMPTY, parser) if root is None else root
