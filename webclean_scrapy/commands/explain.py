"""``scrapy webclean explain FILE|URL|-``: how a page was cleaned, and why.

With ``--templates`` it shows the learned templates instead (`template_listing`).
"""

from __future__ import annotations

import json
import shutil
import sys
import zlib
from dataclasses import asdict
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from webclean_scrapy.commands.explained_page import (
    IndexSearch,
    check_options,
    clean_other,
    is_index,
    write_html,
)
from webclean_scrapy.commands.fetching import LEAVES_NO_TRACE, command_settings
from webclean_scrapy.commands.page_sources import fetch_pages, is_url, read_page
from webclean_scrapy.commands.template_listing import show_templates
from webclean_scrapy.crawl.named_files import read_profile
from webclean_scrapy.errors import PageError
from webclean_scrapy.report.explain import GivenPage, describe, inspect_page
from webclean_scrapy.report.explain_page import render_explanation, render_refusal
from webclean_scrapy.report.explain_text import render_text
from webclean_scrapy.settings import WebcleanConfig

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings


USAGE = "FILE|URL|- [--sibling FILE|URL ...] [options]"
DETAILS = ""
EXAMPLES = (
    "https://www.example.com/story",
    "page.html --sibling other.html --json",
    "https://www.example.com/story --html story.html",
    "page.html --html page-explained.html --compare copy.html",
    "--templates .jobs/example",
    "https://www.example.com/story --templates .jobs/example",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the page and the options of this subcommand."""
    parser.add_argument("sources", nargs="*", metavar="FILE|URL|-", help="what to explain")
    parser.add_argument("--json", action="store_true", help="print the explanation as JSON")
    parser.add_argument(
        "--html",
        metavar="OUT",
        help="write it as one page of HTML to look at; '-': standard output",
    )
    parser.add_argument(
        "--compare", metavar="FILE|URL|URI",
        help="with --html: another page, or the one that an index (a URI as in WEBCLEAN_DEDUP_URI) "
        "finds: what both say in the same words, and the verdict of de-duplication",
    )  # fmt: skip
    parser.add_argument(
        "--sibling", action="extend", nargs="+", default=[], metavar="FILE|URL",
        help="other pages of the same site; without them, a URL fetches its own sibling",
    )  # fmt: skip
    parser.add_argument(
        "--templates", metavar="FILE|JOBDIR",
        help="list the learned templates; with a URL: which of them would be used for it",
    )  # fmt: skip


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Print the explanation of one page and return the exit code: 1 when a page is missing."""
    sources: list[str] = opts.sources
    if opts.templates:
        return _show_templates(sources, opts)
    if len(sources) != 1:
        raise UsageError("explain needs exactly one page; use --sibling for others of its site")
    config = WebcleanConfig.from_settings(settings)
    check_options(opts)
    search = IndexSearch(opts.compare, sources[0], config) if is_index(opts.compare) else None
    compared = [opts.compare] if opts.compare and not search else []
    names = [*sources, *opts.sibling, *compared]
    pages, requests = _gather(names, settings, opts, search)
    missing = [name for name in names if name not in pages]
    if sources[0] not in pages:
        return 1
    other = search.url if search else opts.compare
    fetched = [name for name in pages if name not in {*names, other}]
    siblings = [pages[name] for name in [*opts.sibling, *fetched] if name in pages]
    try:
        inspection = inspect_page(
            pages[sources[0]], config.clean_config(read_profile(config)), siblings
        )
    except PageError as error:
        print(f"{sources[0]}: {error}", file=sys.stderr)
        if opts.html:
            write_html(opts.html, render_refusal(sources[0], str(error)))
        return 1
    if opts.json:
        print(json.dumps(asdict(describe(inspection, requests)), ensure_ascii=False))
    elif not opts.html:
        columns = shutil.get_terminal_size().columns
        print(render_text(describe(inspection, requests), columns), end="")
    if opts.html:
        second = clean_other(pages.get(other), siblings, config)
        known = search.known if search else ""
        write_html(opts.html, render_explanation(inspection, requests, second, known))
    counts = f"pages: {len(pages)}, siblings: {len(siblings)}"
    print(f"{counts}, sibling requests: {requests.get('requested', 0)}", file=sys.stderr)
    return int(bool(missing))


def _show_templates(sources: list[str], opts: argparse.Namespace) -> int:
    if len(sources) > 1 or not all(map(is_url, sources)):
        raise UsageError("explain --templates takes at most one URL")
    return show_templates(opts.templates, sources[0] if sources else None, opts)


def _gather(
    names: list[str], settings: Settings, opts: argparse.Namespace, search: IndexSearch | None
) -> tuple[dict[str, GivenPage], dict[str, int]]:
    """Return the pages that could be read, by name, and the stats of their sibling requests.

    With the page that *search* has found.
    """
    pages: dict[str, GivenPage] = {}

    def report(name: str, problem: str) -> None:
        print(f"{name}: {problem}", file=sys.stderr)

    for name in names:
        if not is_url(name):
            try:
                page = read_page(name)
                if page.strip():
                    pages[name] = GivenPage(name, page)
                else:
                    report(name, "the page is empty")
            except (OSError, EOFError, zlib.error) as error:
                report(name, getattr(error, "strerror", None) or str(error))
    found = search.find(pages[names[0]]) if search and names[0] in pages else None
    urls = [name for name in [*names, found] if name and is_url(name)]
    if not urls:
        return pages, {}
    asked = command_settings(settings, **LEAVES_NO_TRACE)
    if opts.sibling:
        asked.set("WEBCLEAN_SIBLING_ENABLED", False, "cmdline")
    alone = {opts.compare, found} - {names[0], *opts.sibling}
    ask_also = search.find if search else None
    fetched, requests = fetch_pages(urls, asked, report, alone=alone, ask_also=ask_also)
    return pages | fetched, requests
