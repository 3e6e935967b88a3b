"""Read the page of a file that a browser saved with its pictures: MHTML (RFC 2557).

The parts are split here, and the `email` package reads their headers: its own parser of whole
messages is quadratic in parts that are nested in each other.
"""

from __future__ import annotations

import re
from email import message_from_bytes
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.guard import MHTML, other_type
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.web_addresses import is_askable

if TYPE_CHECKING:
    from email.message import Message

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_ADDRESS = ("Content-Location", "Snapshot-Content-Location")
_MOST_PARTS = 100  # that are looked at; the page is one of the first
_MOST_HEAD = 50_000  # bytes of the headers of a part
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")


def saved_page(content: bytes, url: str = "") -> RawPage:
    """Return the page of a file; of MHTML, decoded, at the address that it was saved from.

    *url* is used in place of that. MHTML without a page is returned as it is.
    """
    page = _page_of_mhtml(content) if other_type(content) == MHTML else None
    return RawPage(content, url) if page is None else page._replace(url=url or page.url)


def _page_of_mhtml(content: bytes) -> RawPage | None:
    waiting, url = [content], ""
    for _ in range(_MOST_PARTS):
        if not waiting:
            break
        head, body = _split(waiting.pop().lstrip())
        part = message_from_bytes(head)
        if part.get_content_type() in _HTML:
            part.set_payload(body.decode("ascii", "surrogateescape"))
            html = part.get_payload(decode=True)
            if isinstance(html, bytes):
                return RawPage(html, _address(part) or url, part.get_content_charset())
        elif boundary := part.get_boundary():
            url = url or _address(part)
            waiting += body.split(b"--" + boundary.encode("utf-8", "surrogateescape"))[:0:-1]
    return None


def _split(part: bytes) -> tuple[bytes, bytes]:
    end = _END_OF_HEAD.search(part, 0, _MOST_HEAD)
    return (part[: end.end()], part[end.end() :]) if end else (part[:_MOST_HEAD], b"")


def _address(part: Message) -> str:
    for name in _ADDRESS:
        url = "".join(str(part[name] or "").split()).partition("#")[0]  # long ones are folded
        if is_askable(url):
            return url
    return ""
