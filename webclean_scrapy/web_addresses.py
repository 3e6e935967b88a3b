"""URLs: host, site and origin; joining, and canonical addresses of pages.

What is taken off an address never selects what a page shows: who sent the reader, the number of a
click, the session. The list is short on purpose: wider ones, as courlan's (``source``, ``ref``,
``cid``, ``uid``, ``keyword``), hold names by which some sites select their pages.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urljoin, urlsplit

from w3lib.url import safe_url_string, url_query_cleaner

if TYPE_CHECKING:
    from collections.abc import Iterable

PORTS = {"http": 80, "https": 443}  # defaults
MAX_LENGTH = 2083  # of an address, as in Scrapy
_ROUTES = ("!", "/")  # begin fragments by which scripts select what they show

#: Campaigns: Google Analytics and most others (utm), Matomo (mtm, pk), HubSpot.
TRACKING_PREFIXES = ("utm_", "mtm_", "pk_", "_hs")
#: Numbers of clicks: advertisements (fbclid to yclid), letters (mc_), searches (srsltid), the way
#: through Alibaba's sites and those that took it over (spm), visitors (_ga, _gl).
TRACKING = frozenset(
    "fbclid gclid dclid gbraid wbraid msclkid twclid ttclid yclid igshid igsh mc_cid mc_eid "
    "srsltid spm _ga _gl ref_src isappinstalled".split()
)
#: ``from`` selects pages on some sites (departures, offsets) and tracks on others; these values are
#: what WeChat adds to a page that is shared.
SHARED_BY = {"from": frozenset("timeline singlemessage groupmessage".split())}
#: Names that track on most sites and select pages on a few: they stay in addresses, and say nothing
#: of the template or the kind of a page.
_MAY_TRACK = re.compile(r"from|src|ref|source|share.*")
#: Names of sessions; the last two, of phpBB and vBulletin, name other things on other sites.
SESSIONS = frozenset("jsessionid phpsessid sessionid session_id oscsid zenid sid s".split())
_is_session = re.compile(r"(?=\D*\d)[0-9a-z]{26}(?:[0-9a-z]{6,38})?", re.IGNORECASE).fullmatch
_is_md5 = re.compile(r"[0-9a-f]{32}", re.IGNORECASE).fullmatch
#: A path from the root without segments of dots, query or fragment, and the origin of a plain URL.
_is_path = re.compile(r"/(?![/.])(?:[\w%+~:@=&,-]|[./](?![./]))*", re.ASCII).fullmatch
_ORIGIN = re.compile(r"https?://[\w.:-]+(?=[/?#]|\Z)", re.ASCII)
_session_path = re.compile(r";jsessionid=[\w.!-]+", re.IGNORECASE)


def split(url: str | None) -> SplitResult:
    """Return the parts of a URL, as `urlsplit` does; all are empty for an invalid one."""
    try:
        return urlsplit(url or "")
    except ValueError:  # such as an IPv6 address without its bracket
        return urlsplit("")


def host_of(url: str | None) -> str:
    """Return the host of a URL as written, with its port; "" without one."""
    return split(url).netloc


def host_name(url: str | None) -> str:
    """Return the host name in lower case; "" without one.

    >>> host_name("https://me@A.example:444/2")
    'a.example'
    """
    return split(url).hostname or ""


def origin_of(url: str) -> str:
    """Return scheme, host and port, without the default port; "" for other than web URLs.

    >>> origin_of("https://me@A.example:443/2")
    'https://a.example'
    """
    parts = split(url)
    if parts.scheme not in PORTS or not has_host(url):
        return ""
    name = f"[{parts.hostname}]" if ":" in str(parts.hostname) else parts.hostname
    return f"{parts.scheme}://{name}{_port(parts)}"


def has_host(url: str) -> bool:
    """True if a URL has a host, and no invalid port."""
    parts = split(url)
    try:
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # such as a port of letters
        return False


def _port(parts: SplitResult) -> str:
    is_default = parts.port in {None, PORTS.get(parts.scheme)}
    return "" if is_default else f":{parts.port}"


def join(base: str, link: str) -> str:
    """Return the absolute URL of *link* on a page at *base*; "" for an invalid one."""
    if _is_path(link) and (origin := _ORIGIN.match(base)):  # half of all, in a tenth of the time
        return origin[0] + link
    try:
        return urljoin(base, link.strip())
    except ValueError:  # such as an IPv6 address without its bracket
        return ""


def is_below(url: str, folders: tuple[str, ...]) -> bool:
    """True if the path of *url* is inside one of *folders*."""
    return (split(url).path or "/").startswith(folders)


def shorten(url: str) -> str:
    """Return *url* without tracking parameters, session, default port and plain fragment.

    What is left stays as it is written and in its order.

    >>> shorten("http://a.example:80/b?utm_source=x&page=2&from=30#top")
    'http://a.example/b?page=2&from=30'
    """
    base, hash_sign, fragment = url.partition("#")
    if fragment.startswith(_ROUTES):
        return shorten(base) + hash_sign + fragment
    scheme, slashes, rest = base.partition("://")
    host = re.split("[/?]", rest, maxsplit=1)[0]  # a query may stand behind it without a path
    base = scheme + slashes + host.removesuffix(f":{PORTS.get(scheme)}") + rest[len(host) :]
    return without_tracking(base)


def without_tracking(url: str) -> str:
    """Return *url* without tracking parameters and session, otherwise as written.

    >>> without_tracking("http://a.example/b?utm_source=x&page=2&from=30#top")
    'http://a.example/b?page=2&from=30#top'
    """
    if ";" in url:
        url = _session_path.sub("", url)
    query = url.partition("#")[0].partition("?")[2]
    parameters = (one.partition("=") for one in query.split("&")) if query else ()
    if names := [name for name, _, value in parameters if is_tracking(name, value)]:
        url = url_query_cleaner(url, names, remove=True, unique=False, keep_fragments=True)
    return url


def is_tracking(name: str, value: str) -> bool:
    """True if a parameter of an address never selects what its page shows."""
    lower = name.lower().removeprefix("amp;")  # a link that was encoded twice
    if lower in SESSIONS or lower.startswith("aspsessionid"):
        return (_is_md5 if lower in {"s", "sid"} else _is_session)(value) is not None
    return (
        lower in TRACKING
        or lower.startswith(TRACKING_PREFIXES)
        or value in SHARED_BY.get(lower, ())
    )


def may_select(name: str, value: str) -> bool:
    """True if a parameter of an address most likely selects what its page shows."""
    return not is_tracking(name, value) and not _MAY_TRACK.fullmatch(name)


def site_of(url: str) -> tuple[str, str]:
    """Return host without ``www.`` and port ("" for the default one). Raises: ValueError.

    >>> site_of("https://www.a.example:443/b")
    ('a.example', '')
    """
    parts = urlsplit(url)
    return (parts.hostname or "").removeprefix("www."), _port(parts)


def page_key(url: str) -> tuple[str, str, str]:
    """Return the part of a URL that identifies its page: host, path and query.

    Scheme, ``www.``, a last slash, what tracks readers and a plain fragment make no other page.

    >>> page_key("https://www.a.example/b/?utm_source=x#top") == page_key("http://a.example/b")
    True
    """
    try:
        parts = urlsplit(shorten(safe_url_string(url.strip())))
        host, port = site_of(parts.geturl())
    except ValueError:  # such as an IPv6 address without its bracket
        return "", "", ""
    query = f"{parts.query}#{parts.fragment}" if parts.fragment else parts.query
    return host + port, parts.path.rstrip("/"), query


def page_address(url: str, homes: Iterable[str]) -> str:
    """Return the canonical URL of a page of the site with first pages *homes*, or "".

    Without what tracks readers, and spelled as Scrapy asks for it.
    """
    try:
        url = shorten(safe_url_string(url.strip()))
    except ValueError:  # such as an IPv6 address without its bracket
        return ""
    return url if any(is_of_site(url, home) for home in homes) else ""


def is_of_site(url: str, home: str) -> bool:
    """True if *url* is on the host of *home*, or a subdomain, and may be requested."""
    if not is_askable(url):
        return False
    (host, port), (own, own_port) = site_of(url), site_of(home)
    return port == own_port and (host == own or host.endswith(f".{own}"))


def is_askable(url: str) -> bool:
    """True for an HTTP URL of acceptable length without a login."""
    return is_web(url) and has_host(url) and len(url) <= MAX_LENGTH and not has_login(url)


def has_login(url: str) -> bool:
    """True if a URL has a user before its host.

    >>> has_login("http://me:secret@host/"), has_login("http://host/@me?to=a@b")
    (True, False)
    """
    return "@" in re.split(r"[/?#\\]", url.partition("://")[2], maxsplit=1)[0]


def is_web(url: str) -> bool:
    """True if *url* begins like an HTTP URL."""
    return url.startswith(("http://", "https://"))


def part_of(home: str) -> str:
    """Return the folder of the part of a site with this first page; "/": the whole site.

    >>> part_of("http://a.example/news/en/"), part_of("http://a.example/news")
    ('/news/en/', '/')
    """
    path = urlsplit(home).path
    return path if path.endswith("/") else "/"


def is_of_shard(url: str, shard: str) -> bool:
    """True if the host of *url* is in the part *shard* of all hosts, such as ``2/8``.

    The same host is in the same part on every machine, with ``www.`` and without. Raises:
    ValueError for a *shard* that is none.
    """
    return in_shard(site_of(home_address(url))[0] if shard else "", shard)


def in_shard(name: str, shard: str) -> bool:
    """True if *name* is in the part *shard* of all names, such as ``2/8``.

    Raises: ValueError for a *shard* that is none.
    """
    if not shard:
        return True
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", shard)
    number, count = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= number <= count:
        raise ValueError(f"a shard is a number and a count such as 2/8, got {shard!r}")
    return number_of(name, 6) % count == number - 1


def number_of(text: str, size: int) -> int:
    """Return a hash of a text in *size* bytes, the same on every machine."""
    return int.from_bytes(
        blake2b(text.encode(errors="surrogatepass"), digest_size=size).digest(), "big"
    )


def plain_address(url: str, scheme: str = "http") -> str:
    """Return *url* without the scheme of feed readers.

    >>> plain_address("feed://a.example/rss"), plain_address("feed:https://a.example/rss")
    ('http://a.example/rss', 'https://a.example/rss')
    >>> plain_address("feed")  # a relative link
    'feed'
    """
    name, colon, address = url.partition(":")
    if name.lower() != "feed" or not colon:
        return url
    return f"{scheme}:{address}" if address.startswith("//") else address


def home_address(url: str) -> str:
    """Return the URL of a first page with its scheme and a path.

    An international name is in Punycode, as Scrapy asks for it.
    """
    url = plain_address(url)
    whole = url if "://" in url else f"https://{url}"
    return safe_url_string(whole if urlsplit(whole).path else f"{whole}/")
