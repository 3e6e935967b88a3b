"""Why a page could not be fetched, in words that say what to do."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.spidermiddlewares.httperror import HttpError

if TYPE_CHECKING:
    from scrapy.http import Response

#: By the name of the error: Twisted's before Scrapy 2.15, later Scrapy's own.
_SAID = {
    "no host has this name; check its spelling": (
        "CannotResolveHostError", "DNSLookupError",
    ),
    "the host refuses the connection; is it up, and is the port right?": (
        "ConnectionRefusedError", "DownloadConnectionRefusedError",
    ),
    "the host does not answer in time; try again later, or with -s DOWNLOAD_TIMEOUT=SECONDS": (
        "DownloadTimeoutError", "TCPTimedOutError", "TimeoutError", "UserTimeoutError",
    ),
    "only http:// and https:// addresses are fetched": (
        "NotSupported", "UnsupportedURLSchemeError",
    ),
}  # fmt: skip
_SAID_OF = {name: said for said, names in _SAID.items() for name in names}
_STATUS_HINTS = {
    401: "; it wants a login",
    403: "; the site refuses this client, see -s USER_AGENT=...",
    404: "; check the address",
    410: "; the page is gone",
    429: "; ask more slowly, see -s DOWNLOAD_DELAY=SECONDS",
}


def describe_error(error: BaseException | None) -> str:
    """Return why a request failed."""
    if isinstance(error, HttpError):
        return describe_status(error.response.status)
    if isinstance(error, IgnoreRequest) and "robots.txt" in str(error):
        return "robots.txt forbids it; where you may fetch it all the same: -s ROBOTSTXT_OBEY=False"
    said = _SAID_OF.get(type(error).__name__)
    words = " ".join(str(error).split()) or "the request failed"
    return said or f"{words} ({type(error).__name__})"


def describe_status(status: int) -> str:
    """Return an HTTP status in words.

    >>> describe_status(404)
    'HTTP status 404 (Not Found); check the address'
    """
    try:
        phrase = f" ({HTTPStatus(status).phrase})"
    except ValueError:
        phrase = ""
    hint = "; the server fails, try again later" if status >= 500 else ""
    return f"HTTP status {status}{phrase}{_STATUS_HINTS.get(status, hint)}"


def describe_content(response: Response) -> str:
    """Return why a response cannot be cleaned; "" when it can."""
    if not response.body.strip():
        return "the page is empty"
    if isinstance(response, HtmlResponse):
        return ""
    content_type = response.headers.get("Content-Type") or b""
    kind = content_type.decode("latin-1").partition(";")[0].strip()
    return f"not an HTML page: its content type is {kind or 'not given'}"
