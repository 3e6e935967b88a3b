"""``dedup FILE...``: existing feeds without near-duplicates."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from webclean_scrapy.commands.command_line import STOPPED
from webclean_scrapy.commands.feed_job import Counts, split_key, write_whole
from webclean_scrapy.commands.feed_run import FeedRun, deduplicate, prepare_run
from webclean_scrapy.crawl.named_files import dedup_options
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.settings import WebcleanConfig

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scrapy.settings import Settings


LABELS = {
    "lines": "lines read",
    "kept": "lines kept",
    "duplicates": "duplicates",
    "updates": "updates kept",
    "short": "too short to compare",
    "bare": "without text",
    "bad": "invalid lines",
}

USAGE = "FILE ... [-o FILE] [--uri URI] [--clusters FILE]"
DETAILS = """Feeds are JSON lines, JSON arrays, CSV or Parquet, plain, .gz, .bz2, .xz or .zst,
here or at a URL (https, s3, gs). The result has their format, JSON lines where they differ,
or the one that the suffix of -o names. JSON lines that are left are as they were. With --uri
and -o, a stopped run is resumed by the same command."""
EXAMPLES = (
    "monday.jsonl tuesday.jsonl.gz -o clean.jsonl",
    "articles.csv --text body --title title -o clean.csv",
    "s3://news/2026-11.parquet -o clean.parquet",
    "wednesday.jsonl -o wednesday-clean.jsonl --uri sqlite:///clean.db",
    "--clusters - --uri sqlite:///pages.db",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the files and the options of this subcommand."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="path or URL of a feed")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="output file or URL; default: standard output"
    )
    parser.add_argument(
        "--uri", help="fingerprint store, as in WEBCLEAN_DEDUP_URI; default: in memory"
    )
    clusters = "write one line per group of near-duplicates; without feeds: those stored in --uri"
    parser.add_argument("--clusters", metavar="FILE", help=clusters)
    for name, default in (("text", "articleBody"), ("title", "headline"), ("key", "url")):
        text = f"field or column that holds the {name}; default: {default}"
        parser.add_argument(f"--{name}", default=default, metavar="FIELD", help=text)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """De-duplicate the feeds, write clusters, and return the exit code.

    Raises: UsageError, FeedError, OSError; then nothing is left but what can be resumed.
    """
    names = list(dict.fromkeys(opts.files))  # a file named twice does not duplicate itself
    config = WebcleanConfig.from_settings(settings)
    uri = opts.uri or config.dedup_uri or None
    if not names and not (opts.clusters and uri):
        raise UsageError("dedup needs a feed, or both --clusters and --uri")
    if names and opts.clusters == "-" and not opts.output:
        raise UsageError("--clusters - and the feed cannot share standard output; add -o FILE")
    feeds: FeedRun | None = None
    begin = time.monotonic()
    try:
        feeds = prepare_run(names, opts, config, uri) if names else None
        with DuplicateIndex(uri, clock=time.time, **dedup_options(config)) as index:
            counts = deduplicate(index, feeds) if feeds else None
            if opts.clusters:
                _write_clusters(index, opts.clusters)
    except KeyboardInterrupt:
        resumes = feeds is not None and feeds.resumes
        after = "the same command resumes" if resumes else "with -o and --uri it could be resumed"
        print(f"stopped; {after}", file=sys.stderr)
        return STOPPED
    if feeds and counts:
        feeds.remove_state()
        print(_summary(counts, time.monotonic() - begin, feeds), file=sys.stderr)
    return 0


def _write_clusters(index: DuplicateIndex, name: str) -> None:
    """Write one line per group: a list of keys, each with the file and line it comes from."""
    groups = (_group(keys) for keys in index.clusters())
    if name == "-":
        sys.stdout.writelines(groups)
    else:
        write_whole(Path(name), (group.encode("utf-8", "backslashreplace") for group in groups))


def _group(keys: Sequence[str]) -> str:
    pages = [dict(zip(("key", "at"), split_key(key), strict=True)) for key in keys]
    return json.dumps(pages, ensure_ascii=False) + "\n"


def _summary(counts: Counts, seconds: float, feeds: FeedRun) -> str:
    rows = [(LABELS[one.name], f"{getattr(counts, one.name):,}") for one in fields(Counts)]
    rows.append(("time (s)", f"{seconds:,.1f}"))
    left = max(len(label) for label, _ in rows)
    right = max(len(value) for _, value in rows)
    table = "\n".join(f"{label:<{left}}  {value:>{right}}" for label, value in rows)
    return f"{table}\nresult: {feeds.target.name or 'standard output'} ({feeds.target.kind})"
