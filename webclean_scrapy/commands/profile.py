"""Learn an interest profile from kept pages.

The profile goes into the setting WEBCLEAN_INTEREST_PROFILE.

examples:
  webclean profile kept.html other.html -o interest.json
  webclean profile chosen.jsonl -o interest.json
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.commands.row_files import read_rows, rows_format
from webclean_scrapy.commands.sources import read_bytes, read_config
from webclean_scrapy.commands.terminal import progress, say
from webclean_scrapy.engines.saved_pages import saved_page
from webclean_scrapy.errors import FeedError, PageError, ProfileFileError
from webclean_scrapy.keywords.interest_profile import InterestProfile, make_profile
from webclean_scrapy.keywords.tag_weights import BODY, TITLE
from webclean_scrapy.keywords.tfidf import KeywordRanker

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings, Settings

USAGE = "FILE ... -o PROFILE.json [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    text = "saved page ('-': standard input), or a feed as webclean dedup reads it"
    parser.add_argument("files", nargs="*", metavar="FILE", help=text)
    parser.add_argument("-o", "--output", metavar="FILE", help="file of the profile")
    for name, default in (("text", "articleBody"), ("title", "headline")):
        text = f"field of a line that holds its {name}; default: {default}"
        parser.add_argument(f"--{name}", default=default, metavar="FIELD", help=text)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Write the profile, print its terms; return the exit code.

    It is 1 when a page could not be read, though the profile of the others is written.
    """
    if not opts.files or not opts.output:
        raise UsageError("profile needs at least one FILE, and -o PROFILE.json")
    # The profile of the settings may be the one that is to be made.
    settings.set("WEBCLEAN_INTEREST_PROFILE", "", priority="cmdline")
    if Path(opts.output).exists():
        InterestProfile.load(opts.output)  # or what is there is no profile, and stays
    problems: list[str] = []
    pages = _read_pages(opts, settings, problems)
    profile = make_profile(map(KeywordRanker().vector, pages))
    if not profile.terms:
        raise ProfileFileError(
            "no profile: the files have no page with keywords; a feed needs its text in the field"
            f" {opts.text}, or --text FIELD"
        )
    profile.save(opts.output)
    for word, weight in profile.terms:
        print(f"{weight:8.4f}  {word}")
    failed = f", failed: {len(problems):,}" if problems else ""
    counts = f"pages: {profile.pages:,}{failed}, terms: {len(profile.terms):,}"
    print(f"{counts}; result: {opts.output}", file=sys.stderr)
    return int(bool(problems))


def _read_pages(
    opts: argparse.Namespace, settings: BaseSettings, problems: list[str]
) -> Iterator[list[tuple[str, float]]]:
    """Yield the blocks of each page: (text, weight of its words).

    What cannot be read is printed and added to *problems*. A row of a feed has no markup, so only
    its title weighs more.
    """

    def report(problem: str) -> None:
        problems.append(problem)
        say(problem)

    cleaner = Cleaner(read_config(settings).clean_config())
    names = dict.fromkeys(opts.files)
    with progress(len(names), " files", prints=True) as more:
        for name in names:
            more(1)
            try:
                if not rows_format(name):
                    page = saved_page(read_bytes(name))
                    yield cleaner.inspect(page, remember=True).weighted_blocks
                    continue
                for row in read_rows(name):
                    found = (row.record.get(opts.title), TITLE), (row.record.get(opts.text), BODY)
                    if row.error:
                        report(f"{row.position}: {row.error}")
                    else:
                        yield [(text, weight) for text, weight in found if isinstance(text, str)]
            except (OSError, EOFError, zlib.error, FeedError, PageError) as error:
                report(f"{name}: {getattr(error, 'strerror', None) or error}")
