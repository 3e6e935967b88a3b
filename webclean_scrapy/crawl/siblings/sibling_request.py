"""The request for a sibling, and what its response must be before it is parsed.

Each choice prevents something that went wrong with a plain ``request.replace(url=...)``: logins
sent to other hosts, sessions overwritten, retries and redirects that kept a page waiting,
decompression bombs, siblings of siblings without end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK

from webclean_scrapy.meta import IS_SIBLING, RENDER

if TYPE_CHECKING:
    from webclean_scrapy.settings import WebcleanConfig

# The sibling has the origin of its page, so the page's login may be sent; cookies are not.
_SAME_HEADERS = ("Authorization", "Proxy-Authorization", "User-Agent", "Accept-Language")
# A sibling is rendered like its page: only then can the two be compared.
_SAME_META = ("download_slot", "proxy", "bindaddress", "depth", RENDER)


def sibling_request(url: str, page_request: Request, config: WebcleanConfig) -> Request:
    """Return a fresh request for *url*, which has the scheme, host and port of the page.

    It obeys robots.txt, offsite rules and the page's download slot, neither sends nor stores
    cookies, and costs one request at most: no retry, no redirect.
    """
    headers = {
        name: page_request.headers[name] for name in _SAME_HEADERS if name in page_request.headers
    }
    meta = {name: page_request.meta[name] for name in _SAME_META if name in page_request.meta}
    meta |= {
        IS_SIBLING: 1,
        "dont_merge_cookies": True,
        "dont_redirect": True,
        "dont_retry": True,
        "download_maxsize": config.sibling_max_bytes,
        "download_timeout": config.sibling_timeout_s,
    }
    return Request(url, callback=NO_CALLBACK, headers=headers, meta=meta)


def response_refusal(response: Response) -> str | None:
    """Return why *response* cannot be a sibling, None when it is an HTML page of status 200.

    ``status_<code>`` for other statuses (redirects too), ``not_html`` for other types.
    """
    if response.status != 200:
        return f"status_{response.status}"
    return None if isinstance(response, HtmlResponse) else "not_html"
