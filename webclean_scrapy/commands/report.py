"""Make a page of the counts of one or several crawls, or summarise the rounds of a watch.

DATA.json is what a crawl with WEBCLEAN_REPORT = "DATA.json" has written, STATE.db the state of
webclean watch; several are those of its shards.

examples:
  webclean report monday.json -o monday.html
  webclean report monday.json tuesday.json -o week.html
  webclean report .watch-*.db
"""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from webclean_scrapy.crawl.settings_files import check_report_path
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.report.crawl_report import PAGE, read_report, render_report
from webclean_scrapy.safe_text import visible_line
from webclean_scrapy.spiders.watch.state import WatchState
from webclean_scrapy.spiders.watch.state_file import index_beside

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import Settings

    from webclean_scrapy.spiders.watch.rounds import Trouble

USAGE = "DATA.json ... [-o report.html] | STATE.db ..."
SILENT_S = 3 * 86_400  # at least: many sites rest at night and at weekends
#: Of a site, for `line_of`. A feed that has failed once may work again.
COLUMNS = """home, round, failures, articles, low, latest, fruitful, last_new - began,
    ended - last_new, (SELECT group_concat(url || ' (' || failures || ')', ', ') FROM sources
    WHERE sources.site = sites.site AND kind = 'feed' AND failures > 1)"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="data of a crawl, or STATE.db")
    text = f"file of the page; default: that of the first file, ending in {PAGE}"
    parser.add_argument("-o", "--output", metavar="FILE", help=text)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Write the page, print its path; return the exit code."""
    paths = [Path(name) for name in opts.files]
    if not paths:
        raise UsageError("report needs at least one DATA.json, which WEBCLEAN_REPORT names")
    if all(path.suffix == ".db" and path.is_file() for path in paths):
        return _print_rounds(paths)
    # Beside the first file, also of ".", which has no name.
    output = Path(opts.output or f"{paths[0].parent / paths[0].stem}{PAGE}")
    if output.suffix.lower() != PAGE:
        raise UsageError(f"-o must end in {PAGE}, got {output}")
    try:
        check_report_path(str(output))
    except ConfigError as error:
        raise UsageError(f"-o: {error}") from error
    names = [path.stem for path in paths] if len(paths) > 1 else []
    replace_text(output, render_report(list(map(read_report, paths)), names))
    print(f"crawls: {len(paths)}; result: {output}", file=sys.stderr)
    return 0


def _print_rounds(paths: list[Path]) -> int:
    states = (one for folder in {path.parent for path in paths} for one in folder.glob("*.db"))
    indexes = {*map(index_beside, states)}  # a shell finds them by .watch-*.db, too
    for path in [one for one in paths if one not in indexes] or paths:
        with closing(WatchState(path, time.time)) as state:
            for row in state.history(COLUMNS):
                for line in (line_of(row), *map(trouble_line, state.troubles(row[0]))):
                    print(visible_line(line))
    return 0


def line_of(row: tuple[Any, ...]) -> str:
    """Return a line on the outcome of a site's rounds, with its last problem."""
    home, rounds, failures, articles, low, latest, fruitful, busy_s, quiet_s, broken = row
    said = f"{home}: {articles:,} articles in {rounds:,} rounds, the last ones: {latest or 'none'}"
    if articles:
        said += f"; {low / articles:.0%} of low confidence"
    elif rounds > 1:
        said += "; NO ARTICLE YET"
    if failures:
        said += f"; NO ANSWER in {failures} rounds"
    # Seven times the mean pause: once in a thousand times, were new articles independent.
    if fruitful > 2 and quiet_s > max(7 * busy_s / (fruitful - 1), SILENT_S):
        said += f"; SILENT for {quiet_s // 86_400} days"
    return f"{said}; BROKEN FEEDS: {broken}" if broken else said


def trouble_line(one: Trouble) -> str:
    """Return a line on an address without an article yet, with the reason."""
    again = time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(one.due))
    end = "GIVEN UP" if one.is_given_up else f"waits until {again}"
    return f"    {one.url}: {one.why}; {end}"
