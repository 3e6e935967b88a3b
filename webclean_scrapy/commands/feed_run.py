"""One run over feeds: what is looked at first, the job, and the result in its format."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from webclean_scrapy.commands.feed_job import (
    Counts,
    FeedJob,
    FeedOptions,
    StateFile,
    open_output,
    refuse_existing,
)
from webclean_scrapy.commands.feed_lines import Place, read_lines
from webclean_scrapy.commands.feeds.feed_files import (
    base_name,
    check_remote_output,
    is_remote,
    size_of,
)
from webclean_scrapy.commands.feeds.feed_format import CSV, PARQUET, inspect_feed
from webclean_scrapy.commands.feeds.feed_output import write_feed
from webclean_scrapy.commands.feeds.feed_target import FeedTarget, target_of
from webclean_scrapy.commands.feeds.field_check import check_text_field
from webclean_scrapy.commands.feeds.parquet_output import read_schema
from webclean_scrapy.commands.feeds.parquet_rows import import_parquet
from webclean_scrapy.commands.progress import progress, say
from webclean_scrapy.errors import FeedError
from webclean_scrapy.messages import hide_login

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from webclean_scrapy.dedup.index import DuplicateIndex
    from webclean_scrapy.settings import WebcleanConfig

SHOWN_ERRORS = 20


@dataclass(frozen=True, slots=True)
class FeedRun:
    """The inputs of a run and where its result goes."""

    options: FeedOptions
    target: FeedTarget

    @property
    def resumes(self) -> bool:
        """Whether a run that is killed can be resumed: index and output outlive it."""
        return bool(self.target.name and self.options.uri)

    @property
    def draft(self) -> Path:
        """The JSON lines that a run writes first; they may be the result."""
        return self.target.draft(resumes=self.resumes)

    @property
    def state_file(self) -> StateFile:
        """The state, beside the result; of a remote one in the working folder."""
        name = self.target.name
        return StateFile(Path(base_name(name) if is_remote(name) else name), self.options)

    def remove_state(self) -> None:
        """Delete what only a run that is not complete needs; the state first."""
        if self.resumes:
            self.state_file.remove()
        if self.target.name and self.draft != Path(self.target.name):
            self.draft.unlink(missing_ok=True)


def prepare_run(
    names: Sequence[str], opts: argparse.Namespace, config: WebcleanConfig, uri: str | None
) -> FeedRun:
    """Look at every input before anything is written.

    Raises: FeedError, OSError: an input is not a feed, or no line has the field of the text.
    """
    sizes = tuple(map(size_of, names))
    found = [inspect_feed(name) for name in names]
    empty = [name for name, form in zip(names, found, strict=True) if form is None]
    if len(empty) == len(names):
        raise FeedError(f"nothing can be compared: {', '.join(empty)} is empty")
    for name in empty:
        print(f"{name} is empty", file=sys.stderr)
    marks = config.dedup_update == "replace" or config.dedup_duplicate != "drop"
    target = target_of(opts.output or "", [one for one in found if one], names, marks=marks)
    is_copy = all(one.name == CSV for one in found if one)  # whose cells stay as they are
    target = replace(target, formulas=is_copy)
    if is_remote(target.name):
        check_remote_output(target.name)
    if target.kind == PARQUET:
        _check_parquet(target)
    options = FeedOptions(
        inputs=tuple(names), sizes=sizes, uri=uri, text=opts.text, title=opts.title, key=opts.key,
        update=config.dedup_update, duplicate=config.dedup_duplicate, short=config.dedup_short,
        rows=bool(target.inputs),
    )  # fmt: skip
    run = FeedRun(options, target)
    if not (run.resumes and run.state_file.load()):
        if target.name and not is_remote(target.name):
            refuse_existing(Path(target.name))
        check_text_field(names, read_lines(names, Place()), opts.text)
    return run


def _check_parquet(target: FeedTarget) -> None:
    """Raise FeedError when the result cannot be written as Parquet."""
    import_parquet(target.name or "Parquet")
    if target.inputs:
        read_schema(target.inputs)
    if not target.name and sys.stdout.isatty():
        raise FeedError("Parquet is not for a terminal; use -o FILE")


def deduplicate(index: DuplicateIndex, run: FeedRun) -> Counts:
    """Write the result. After a failure nothing is left but what the same command resumes."""
    target = run.target
    if not target.name and target.is_plain:
        return _work(FeedJob(index, run.options, sys.stdout.buffer))
    with ExitStack() as stack:
        draft = run.draft
        if not target.name:
            draft = Path(stack.enter_context(TemporaryDirectory()), "draft")
        elif not run.resumes:
            stack.callback(draft.unlink, missing_ok=True)
        if not run.resumes or (draft != Path(target.name) and run.state_file.load() is None):
            draft.unlink(missing_ok=True)  # of a run that was killed and cannot be resumed
        hidden = draft != Path(target.name)  # else it is the result
        with ExitStack() as opened:
            if run.resumes:
                job = open_job(
                    index, run.options, draft, opened, state_file=run.state_file, private=hidden
                )
                opened.push(_Untouched(job, draft, run.state_file).leave)
            else:
                job = FeedJob(
                    index,
                    run.options,
                    opened.enter_context(open_output(draft, None, private=hidden)),
                )
            counts = _work(job)
        if not target.name:
            write_feed(draft, target, sys.stdout.buffer)
        elif is_remote(target.name):
            _send(draft, run)
        elif draft != Path(target.name):
            write_feed(draft, target)
        return counts


def _send(draft: Path, run: FeedRun) -> None:
    """Write a remote result. Raises FeedError; then its lines are kept."""
    try:
        write_feed(draft, run.target)
    except Exception as error:  # each service has errors of its own
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        after = "the same command tries again"
        if not run.resumes:
            kept = draft.with_suffix(".kept")
            draft.replace(kept)
            after = f"its lines are in {kept}, as JSON"
        raise FeedError(f"{run.target.name} was not written ({reason}); {after}") from error


@dataclass(frozen=True, slots=True)
class _Untouched:
    """Removes the files of a job that failed before it had done anything."""

    job: FeedJob
    draft: Path
    state_file: StateFile

    def leave(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and not self.job.state.counts.lines:
            self.state_file.remove()
            self.draft.unlink(missing_ok=True)


def open_job(
    index: DuplicateIndex,
    options: FeedOptions,
    draft: Path,
    stack: ExitStack,
    *,
    state_file: StateFile | None = None,
    private: bool = False,
) -> FeedJob:
    """Return the job that writes *draft*, or the rest of it, for an index that lasts.

    *state_file*: by default beside the draft. Raises: FeedError, OSError.
    """
    state_file = state_file or StateFile(draft, options)
    state = state_file.load()
    if state is not None and state.counts.kept > state.counts.bare and len(index) == 0:
        raise FeedError(
            f"cannot resume: the index {hide_login(options.uri or '')} is empty, but {draft} was "
            f"made with it; delete {draft} and {state_file.path} to start again"
        )
    file = stack.enter_context(open_output(draft, state, private=private))
    job = FeedJob(index, options, file, state_file=state_file, state=state)
    state_file.save(job.state)  # from now on, the draft belongs to this state
    return job


def _work(job: FeedJob) -> Counts:
    """Process every line, with a bar; the first bad ones are named."""
    sizes, bad = job.options.sizes, 0
    before = [sum(sizes[:number]) for number in range(len(sizes))]
    with progress(sum(sizes), "B") as more:
        done = 0
        for line in job.work():
            bad += bool(line.error)
            if line.error and bad <= SHOWN_ERRORS:
                say(f"{line.at}: {line.error}")
            now = before[line.number_of_file] + line.on_disk
            more(now - done)
            done = now
    if bad > SHOWN_ERRORS:
        print(f"invalid lines that are not shown: {bad - SHOWN_ERRORS:,}", file=sys.stderr)
    return job.state.counts
