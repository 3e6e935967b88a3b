"""Make a page of what a crawl has counted, or compare several.

DATA.json is what a crawl with WEBCLEAN_REPORT = "DATA.json" has written. Of several
crawls, a table compares them, and each follows whole.

examples:
  webclean report monday.json -o monday.html
  webclean report monday.json tuesday.json -o week.html
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from webclean_scrapy.crawl.named_files import check_report_path
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.report.crawl_report import PAGE, read_report, render_report

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

USAGE = "DATA.json ... [-o report.html]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="DATA.json", help="data of a crawl")
    text = f"file of the page; default: that of the first file, ending in {PAGE}"
    parser.add_argument("-o", "--output", metavar="FILE", help=text)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Write the page, print its path, and return the exit code."""
    paths = [Path(name) for name in opts.files]
    if not paths:
        raise UsageError("report needs at least one DATA.json, which WEBCLEAN_REPORT names")
    beside = f"{paths[0].parent / paths[0].stem}{PAGE}"  # also of ".", which has no name
    output = Path(opts.output or beside)
    if output.suffix.lower() != PAGE:
        raise UsageError(f"-o must end in {PAGE}, got {output}")
    try:
        check_report_path(str(output))
    except ConfigError as error:
        raise UsageError(f"-o: {error}") from error
    crawls = [read_report(path) for path in paths]
    names = [path.stem for path in paths] if len(paths) > 1 else []
    replace_text(output, render_report(crawls, names))
    print(f"crawls: {len(crawls)}; result: {output}", file=sys.stderr)
    return 0
