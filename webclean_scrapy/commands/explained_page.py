"""``webclean explain --html``: checks before the work, the page to compare with, the file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.errors import PageError
from webclean_scrapy.report.explain_page import Compared
from webclean_scrapy.report.web_page import check_library, write_page

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from webclean_scrapy.report.inspection import GivenPage
    from webclean_scrapy.settings import WebcleanConfig


def check_options(opts: argparse.Namespace) -> None:
    """Refuse what cannot be written, before a page is fetched.

    Raises:
        UsageError: options that do not go together, or a folder in place of a file.
        ConfigError: jinja2 is not installed.
    """
    if opts.compare and not opts.html:
        raise UsageError("--compare needs --html OUT, the page that shows what is shared")
    if not opts.html:
        return
    if opts.html == "-" and opts.json:
        raise UsageError("--html - and --json both write to standard output; name a file")
    if Path(opts.html).is_dir():
        raise UsageError(f"--html: {opts.html} is a folder; name a file in it")
    check_library()


def clean_other(
    page: GivenPage | None, siblings: Sequence[GivenPage], config: WebcleanConfig
) -> Compared | None:
    """Return the page to compare with, cleaned with those of *siblings* that are of its template.

    None without a page, and, after a line that says why, for one that cannot be cleaned.
    """
    if page is None:
        return None
    cleaner = Cleaner(config.clean_config())
    try:
        cleaned = cleaner.inspect(page.raw, [sibling.raw for sibling in siblings])
    except PageError as error:
        print(f"{page.name}: {error}", file=sys.stderr)
        return None
    dedup = DedupConfig.from_options(config.dedup_options())
    return Compared(cleaned, page.name, dedup)


def write_html(path: str, html: str) -> None:
    """Write the page to a file, or to standard output (``-``). Raises OSError."""
    if path == "-":
        print(html)
        return
    write_page(path, html)
    print(f"page: {path}, {len(html.encode('utf-8', 'replace')):,} bytes", file=sys.stderr)
