"""``scrapy webclean dedup FILE.jsonl...``: feeds that exist already, without near-duplicates."""

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

    from scrapy.crawler import CrawlerProcessBase
    from scrapy.settings import Settings


STOPPED = 130  # what a shell says of a command that Ctrl-C has ended
LABELS = {
    "lines": "lines read",
    "kept": "lines kept",
    "duplicates": "duplicates",
    "updates": "updates of older pages",
    "short": "too short to compare",
    "bare": "without a text",
    "bad": "bad lines",
}


def prepare(settings: Settings, opts: argparse.Namespace) -> None:
    """Nothing is crawled."""


def run(names: list[str], opts: argparse.Namespace, process: CrawlerProcessBase) -> int:
    """De-duplicate the feeds, write clusters, and return the exit code; 1 when that failed."""
    names = list(dict.fromkeys(names))  # a line named twice is no copy of itself
    config = WebcleanConfig.from_settings(process.settings)
    uri = opts.uri or config.dedup_uri or None
    if not names and not (opts.clusters and uri):
        raise UsageError("dedup takes files of JSON lines, or --clusters and --uri")
    if names and opts.clusters == "-" and not opts.output:
        raise UsageError("--clusters - and the feed cannot both go to standard output")
    try:
        options = FeedOptions(
            inputs=tuple(names), sizes=tuple(Path(name).stat().st_size for name in names),
            uri=uri, text=opts.text, title=opts.title, key=opts.key,
            update=config.dedup_update, duplicate=config.dedup_duplicate, short=config.dedup_short,
        )  # fmt: skip
        with DuplicateIndex(uri, **config.dedup_options()) as index:
            if names:
                _deduplicate(index, options, Path(opts.output) if opts.output else None)
            if opts.clusters:
                _write_clusters(index, opts.clusters)
            if names and opts.output:
                StateFile(Path(opts.output), options).remove()
    except KeyboardInterrupt:
        print("stopped; the same command goes on, given -o and --uri", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:  # nobody reads on; Python would say so once more at its end
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
            bar(done, f"{line.at}: {line.fault}" if line.fault else "")
    print(_summary(job.state.counts, time.monotonic() - begin), file=sys.stderr)


def _open_job(
    index: DuplicateIndex, options: FeedOptions, output: Path, stack: ExitStack
) -> FeedJob:
    """Return the job that writes *output*; it goes on where a lasting index allows that."""
    if options.uri is None:
        return FeedJob(index, options, stack.enter_context(open_output(output, None)))
    state_file = StateFile(output, options)
    state = state_file.load()
    if state is not None and state.counts.kept > state.counts.bare and len(index) == 0:
        raise FeedError(f"the index {options.uri} is empty, but {output} was made with it")
    file = stack.enter_context(open_output(output, state))
    job = FeedJob(index, options, file, state_file, state)
    state_file.save(job.state)  # the output is there from now on
    return job


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int, str], None]]:
    """Give a function that shows how many bytes are done and says what is wrong.

    There is a bar when standard error is a terminal and tqdm is installed.
    """

    def say(_: int, fault: str) -> None:
        if fault:
            print(fault, file=sys.stderr)

    try:
        from tqdm import tqdm
    except ImportError:
        yield say
        return
    with tqdm(total=total, unit="B", unit_scale=True, disable=None, file=sys.stderr) as bar:

        def show(done: int, fault: str) -> None:
            bar.update(done - bar.n)
            if fault:
                bar.write(fault, file=sys.stderr)

        yield say if bar.disable else show


def _write_clusters(index: DuplicateIndex, name: str) -> None:
    """Write each group as a line: a list of the keys of its lines, and where they stand."""
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
