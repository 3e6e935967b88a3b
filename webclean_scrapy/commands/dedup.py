"""``scrapy webclean dedup FILE.jsonl...``: existing feeds without near-duplicates."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from webclean_scrapy.commands.feed_job import (
    Counts,
    FeedError,
    FeedJob,
    FeedOptions,
    StateFile,
    open_output,
    split_key,
    write_whole,
)
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import WebcleanError
from webclean_scrapy.settings import WebcleanConfig

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from scrapy.settings import Settings


STOPPED = 130  # exit code that shells use for a command ended by Ctrl-C
LABELS = {
    "lines": "lines read",
    "kept": "lines kept",
    "duplicates": "duplicates",
    "updates": "updates of older pages",
    "short": "too short to compare",
    "bare": "without text",
    "bad": "invalid lines",
}


USAGE = "FILE ... [-o FILE] [--uri URI] [--clusters FILE]"
DETAILS = "The lines that are left are as they were; with --uri and -o, a stopped run is resumed."
EXAMPLES = (
    "monday.jsonl tuesday.jsonl.gz -o clean.jsonl",
    "wednesday.jsonl -o wednesday-clean.jsonl --uri sqlite:///clean.db",
    "--clusters - --uri sqlite:///pages.db",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the files and the options of this subcommand."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="JSON lines, plain or gzip")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="output file; default: standard output"
    )
    parser.add_argument(
        "--uri", help="fingerprint store, as in WEBCLEAN_DEDUP_URI; default: in memory"
    )
    clusters = "write one line per group of near-duplicates; without feeds: those stored in --uri"
    parser.add_argument("--clusters", metavar="FILE", help=clusters)
    for name, default in (("text", "articleBody"), ("title", "headline"), ("key", "url")):
        text = f"field of a line that holds its {name}; default: {default}"
        parser.add_argument(f"--{name}", default=default, metavar="FIELD", help=text)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """De-duplicate the feeds, write clusters, and return the exit code; 1 after an error."""
    names = list(dict.fromkeys(opts.files))  # a file named twice does not duplicate itself
    config = WebcleanConfig.from_settings(settings)
    uri = opts.uri or config.dedup_uri or None
    if not names and not (opts.clusters and uri):
        raise UsageError("dedup needs JSON lines files, or both --clusters and --uri")
    if names and opts.clusters == "-" and not opts.output:
        raise UsageError("--clusters - and the feed cannot share standard output; add -o FILE")
    try:
        options = FeedOptions(
            inputs=tuple(names), sizes=tuple(Path(name).stat().st_size for name in names),
            uri=uri, text=opts.text, title=opts.title, key=opts.key,
            update=config.dedup_update, duplicate=config.dedup_duplicate, short=config.dedup_short,
        )  # fmt: skip
        with DuplicateIndex(uri, clock=time.time, **config.dedup_options()) as index:
            if names:
                _deduplicate(index, options, Path(opts.output) if opts.output else None)
            if opts.clusters:
                _write_clusters(index, opts.clusters)
            if names and opts.output:
                StateFile(Path(opts.output), options).remove()
    except KeyboardInterrupt:
        print("stopped; with -o and --uri, the same command resumes", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:  # the reader has gone; keeps Python from reporting it again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, WebcleanError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _deduplicate(index: DuplicateIndex, options: FeedOptions, output: Path | None) -> None:
    begin = time.monotonic()
    with ExitStack() as stack:
        if output is None:
            job = FeedJob(index, options, sys.stdout.buffer)
        else:
            job = _open_job(index, options, output, stack)
        bar = stack.enter_context(_progress(sum(options.sizes)))
        before = [sum(options.sizes[:number]) for number in range(len(options.sizes))]
        for line in job.work():
            done = before[line.number_of_file] + line.on_disk
            bar(done, f"{line.at}: {line.error}" if line.error else "")
    print(_summary(job.state.counts, time.monotonic() - begin), file=sys.stderr)


def _open_job(
    index: DuplicateIndex, options: FeedOptions, output: Path, stack: ExitStack
) -> FeedJob:
    """Return the job that writes *output*; with a persistent index it resumes an earlier run."""
    if options.uri is None:
        return FeedJob(index, options, stack.enter_context(open_output(output, None)))
    state_file = StateFile(output, options)
    state = state_file.load()
    if state is not None and state.counts.kept > state.counts.bare and len(index) == 0:
        raise FeedError(
            f"cannot resume: the index {options.uri} is empty, but {output} was made with it; "
            f"delete {output} and {output}.state to start again"
        )
    file = stack.enter_context(open_output(output, state))
    job = FeedJob(index, options, file, state_file=state_file, state=state)
    state_file.save(job.state)  # from now on, the output belongs to this state
    return job


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int, str], None]]:
    """Give a function that reports the number of bytes read and the error of a line.

    It draws a bar when standard error is a terminal and tqdm is installed.
    """

    def report(_: int, error: str) -> None:
        if error:
            print(error, file=sys.stderr)

    try:
        from tqdm import tqdm
    except ImportError:
        yield report
        return
    with tqdm(total=total, unit="B", unit_scale=True, disable=None, file=sys.stderr) as bar:

        def show(done: int, error: str) -> None:
            bar.update(done - bar.n)
            if error:
                bar.write(error, file=sys.stderr)

        yield report if bar.disable else show


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


def _summary(counts: Counts, seconds: float) -> str:
    rows = [(LABELS[one.name], f"{getattr(counts, one.name):,}") for one in fields(Counts)]
    rows.append(("time (s)", f"{seconds:,.1f}"))
    left = max(len(label) for label, _ in rows)
    right = max(len(value) for _, value in rows)
    return "\n".join(f"{label:<{left}}  {value:>{right}}" for label, value in rows)
