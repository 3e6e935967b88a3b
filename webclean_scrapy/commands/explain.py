"""Explain how a page was cleaned.

examples:
  webclean explain https://www.example.com/story
  webclean explain page.html --sibling other.html --json
  webclean explain https://www.example.com/story --html story.html
  webclean explain https://www.example.com/story --templates .jobs/example
"""

from __future__ import annotations

import json
import shutil
import sys
import zlib
from contextlib import suppress
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from scrapy import Request
from scrapy.exceptions import UsageError

from webclean_scrapy import stats
from webclean_scrapy.cleaning.part_links import MAX_PARTS, is_later_part, part_links
from webclean_scrapy.cleaning.templates.template_store import TemplateStore
from webclean_scrapy.commands.sources import read_bytes, scheme_hint
from webclean_scrapy.crawl.request_meta import SIBLING_URL, WEBCLEAN
from webclean_scrapy.crawl.responses import header_charset
from webclean_scrapy.crawl.settings_files import read_profile
from webclean_scrapy.crawl.workers import process
from webclean_scrapy.crawl.workers.tasks import TEMPLATE_FILES
from webclean_scrapy.engines.saved_pages import saved_page
from webclean_scrapy.errors import PageError, TemplateFileError
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.report.explain import Explanation, GivenPage, explain_page, render_text
from webclean_scrapy.report.explain_page import render_explanation
from webclean_scrapy.report.template_report import list_templates
from webclean_scrapy.report.web_page import render_lines
from webclean_scrapy.settings import WebcleanConfig
from webclean_scrapy.web_addresses import is_web

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping

    from scrapy.http import HtmlResponse
    from scrapy.settings import Settings

_SIBLING = f"{stats.PREFIX}sibling/"
USAGE = "FILE|URL|- [--sibling FILE|URL ...] [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("sources", nargs="*", metavar="FILE|URL|-", help="what to explain")
    add("--json", action="store_true", help="print the explanation as JSON")
    add("--html", metavar="OUT", help="write it as a page of HTML; '-': standard output")
    siblings = "other pages of the same site; without them, a URL fetches its own sibling"
    add("--sibling", action="extend", nargs="+", default=[], metavar="FILE|URL", help=siblings)
    learned = "list the learned templates; with a URL: which of them would be used for it"
    add("--templates", metavar="FILE|JOBDIR", help=learned)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Print the explanation of a page; return the exit code, 1 if a page is missing."""
    sources: list[str] = opts.sources
    if opts.templates:
        return _show_templates(opts)
    if len(sources) != 1:
        raise UsageError("explain needs exactly one page; use --sibling for others of its site")
    config = WebcleanConfig.from_settings(settings)
    if opts.html == "-" and opts.json:
        raise UsageError("--html - and --json both write to standard output; name a file")
    if opts.html and Path(opts.html).is_dir():
        raise UsageError(f"--html: {opts.html} is a folder; name a file in it")
    names = [*sources, *opts.sibling]
    pages, requests = _gather(names, settings, opts)
    if sources[0] not in pages:
        return 1
    parts = _parts_of(pages, sources[0])
    fetched = [name for name in pages if name not in {*names, *parts}]
    siblings = [pages[name] for name in [*opts.sibling, *fetched] if name in pages]
    try:
        others = [pages[name] for name in parts]
        explained = _explain(config, pages[sources[0]], siblings, requests, others)
    except (PageError, process.WorkerFailedError) as error:
        said = error if isinstance(error, PageError) else f"its process {error}"
        print(f"{sources[0]}: {said}", file=sys.stderr)
        return 1
    if opts.json:
        print(json.dumps(asdict(explained), ensure_ascii=False))
    elif not opts.html:
        print(render_text(explained, shutil.get_terminal_size().columns), end="")
    if opts.html == "-":
        print(render_explanation(explained))
    elif opts.html:
        Path(opts.html).parent.mkdir(parents=True, exist_ok=True)
        replace_text(opts.html, render_explanation(explained))
    counts = f"pages: {len(pages)}, siblings: {len(siblings)}"
    counts += f", sibling requests: {requests.get('requested', 0)}"
    print(f"{counts}; page: {opts.html}" if opts.html else counts, file=sys.stderr)
    return int(not pages.keys() >= {*names})


def _explain(
    config: WebcleanConfig, page: GivenPage, siblings: list[GivenPage], *rest: Any
) -> Explanation:
    """Return the result of `explain_page`, in a process that has the time limit of each page.

    Where that fails, the page is explained without its siblings, and then as it is read from its
    source. Raises: PageError; WorkerFailedError, when its source cannot be read either.
    """
    cleaning = config.clean_config(read_profile(config))
    most = config.worker_timeout_s * (2 + len(siblings))  # it is cleaned with each, and with all
    # Else the time limit pays for the imports.
    worker = process.WorkerProcess(import_module, GivenPage.__module__, timeout_s=most)
    if not is_web(page.name):  # a crawl has other threads
        worker.fork()
    tries: list[tuple[str, tuple[Any, ...]]] = [("", (cleaning, siblings, *rest))]
    tries += [("its siblings are left out", (cleaning, [], *rest))] * bool(siblings)
    tries += [("its source is read", (replace(cleaning, max_body_bytes=1),))]
    failed: Exception | None = None
    try:
        for how, arguments in tries:
            if failed is not None:
                known = isinstance(failed, process.WorkerFailedError)
                why = failed if known else f"failed with {failed!r:.200}"
                print(f"{page.name}: its process {why}; {how}", file=sys.stderr)
            try:
                with suppress(process.WorkerLostError):
                    return worker.submit(explain_page, page, *arguments).result()
                return explain_page(page, *arguments)
            except PageError:
                raise
            except Exception as error:  # noqa: BLE001, an explanation of less is better than none
                failed = error
        raise process.WorkerFailedError(process.ERROR) from failed
    finally:
        process.close_all([(worker, None)], process.EXIT_S)


def _parts_of(pages: Mapping[str, GivenPage], name: str) -> list[str]:
    """Return the names of the pages linked from *name* as parts, in order."""
    if is_later_part(pages[name].raw.url or ""):
        return []
    found = dict(part_links(pages[name].raw).numbered)
    for other in pages:
        if other in found.values():
            found = part_links(pages[other].raw).numbered | found
    return [found[number] for number in sorted(found) if found[number] in pages]


def _gather(
    names: list[str], settings: Settings, opts: argparse.Namespace
) -> tuple[dict[str, GivenPage], dict[str, int]]:
    """Return the readable pages by name, and the stats of their sibling requests."""
    pages: dict[str, GivenPage] = {}

    def report(name: str, problem: str) -> None:
        print(f"{name}: {problem}{scheme_hint(name)}", file=sys.stderr)

    urls = list(filter(is_web, names))
    for name in names:
        try:
            if name in urls:
                continue
            page = saved_page(read_bytes(name))
            if page.html.strip():
                pages[name] = GivenPage(name, cast("bytes", page.html), page.url, page.charset)
            else:
                report(name, "the page is empty")
        except (OSError, EOFError, zlib.error) as error:
            report(name, getattr(error, "strerror", None) or str(error))
    if not urls:
        return pages, {}
    from webclean_scrapy.commands import fetching

    asked = fetching.command_settings(settings, **fetching.ISOLATED_SETTINGS)
    if opts.sibling:
        asked.set("WEBCLEAN_SIBLING_ENABLED", False, "cmdline")
    parts: set[str] = set()

    def keep(response: HtmlResponse, name: str) -> Iterator[Request]:
        """Keep a page; request its parts and its sibling, which is answered from memory."""
        charset = header_charset(response)
        page = pages[name] = GivenPage(name, response.body, response.url, charset)
        options: dict[str, Any] = {"meta": {WEBCLEAN: False}}
        if name in parts or (name in urls and not is_later_part(response.url)):
            links = [url for url in part_links(page.raw).numbered.values() if url not in pages]
            for url in links[: MAX_PARTS - len(parts)]:
                parts.add(url)
                yield Request(url, cb_kwargs={"asked": url}, **options)
        if sibling := response.meta.get(SIBLING_URL):
            yield Request(sibling, cb_kwargs={"asked": sibling}, dont_filter=True, **options)

    crawler = fetching.run_crawl(
        asked, fetching.AskingSpider, prints=True, urls=urls, report=report, take=keep
    )
    return pages, {
        name.removeprefix(_SIBLING): count
        for name, count in crawler.stats.get_stats().items()
        if name.startswith(_SIBLING) and name != stats.SIBLING_HANDED_OVER
    }


def _show_templates(opts: argparse.Namespace) -> int:
    """Print the templates of a file, or of a JOBDIR; return 1 if a file cannot be read."""
    if len(opts.sources) > 1 or not all(map(is_web, opts.sources)):
        raise UsageError("explain --templates takes at most one URL")
    path, pattern = Path(opts.templates), TEMPLATE_FILES.format("*")
    files = sorted(path.glob(pattern)) if path.is_dir() else [path]
    store, problems = TemplateStore(10**6), []  # more than any file has
    for file in files:
        try:
            store.load(file)
        except TemplateFileError as error:  # noqa: PERF203, a few files
            problems.append(str(error))
    if not files:
        problems = [f"no learned templates: {path} contains no {pattern}"]
    for problem in problems:
        print(problem, file=sys.stderr)
    if len(problems) < max(1, len(files)):
        views = list_templates(store, *opts.sources)
        if opts.json:
            print(json.dumps(list(map(asdict, views)), ensure_ascii=False))
        else:
            width = shutil.get_terminal_size().columns
            print(render_lines("templates", width, views=views), end="")
    return int(bool(problems))
