"""Tell the sources of commands apart - files, addresses, standard input - and read files.

Nothing of a crawl is imported, so that a command that fetches nothing starts faster.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from webclean_scrapy.engines.page_cleaner import read_file
from webclean_scrapy.safe_text import hide_login
from webclean_scrapy.settings import WebcleanConfig, idle_settings
from webclean_scrapy.web_addresses import has_host, has_login, is_web, plain_address

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_LOGIN_HEADER = 'DEFAULT_REQUEST_HEADERS={"Authorization": "Basic ..."}'  # in any Scrapy
_HOST = re.compile(r"www\.|([\w-]+\.)+\w+(:\d+)?/")  # the begin of an address without scheme
_MAX_FILE = 100_000_000  # bytes; the Cleaner refuses less


def read_config(settings: BaseSettings) -> WebcleanConfig:
    """Return our settings for a command that fetches nothing; print those without effect."""
    for what, change in idle_settings(settings):
        print(f"{what}; {change}", file=sys.stderr)
    return WebcleanConfig.from_settings(settings)


def scheme_hint(name: str) -> str:
    """Return a hint for a missing file whose name looks like a URL.

    >>> scheme_hint("www.example.com/story"), scheme_hint("page.html")
    ('; for an address add its scheme: https://www.example.com/story', '')
    """
    is_host = _HOST.match(name) and not Path(name).exists()
    return f"; for an address add its scheme: https://{name}" if is_host else ""


def read_bytes(name: str) -> bytes:
    """Read the bytes of a file, plain or gzip, or of standard input; not all of one without end.

    Raises OSError; EOFError or zlib.error of a damaged .gz file.
    """
    return sys.stdin.buffer.read(_MAX_FILE + 1) if name == "-" else read_file(name, _MAX_FILE)


def is_piped() -> bool:
    """True if standard input is a file or the output of another program."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # closed, or replaced
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode)


def read_url_list(name: str) -> list[str]:
    """Read the URLs of a file, one a line, each once; ``#`` begins a comment.

    Raises OSError; UsageError for a line that holds something else.
    """
    lines = read_bytes(name).decode("utf-8-sig", "replace").splitlines()
    urls = {
        n: plain_address(url)
        for n, line in enumerate(lines, 1)
        if (url := line.strip()) and url[0] != "#"
    }
    for number, url in urls.items():
        if problem := address_problem(url):
            raise UsageError(f"{name}:{number}: {hide_login(url)[:80]!r}: {problem}")
    return list(dict.fromkeys(urls.values()))


def address_problem(url: str) -> str:
    """Return why *url* cannot be requested; "" if it can."""
    if not is_web(url):
        return "this is no http address"
    if has_login(url):
        return f"a login in an address is not sent; send it as a header: -s '{_LOGIN_HEADER}'"
    return "" if has_host(url) else "this is not a valid address"
