"""De-duplicating a feed, killed at each of its steps."""

from __future__ import annotations

import io
import json
import os
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.pages import article_text
from webclean_scrapy.commands import feed_job
from webclean_scrapy.commands.feed_job import FeedJob, FeedOptions, StateFile, split_key
from webclean_scrapy.commands.feed_lines import Place, read_lines
from webclean_scrapy.commands.feed_run import open_job
from webclean_scrapy.commands.feeds import feed_line
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import FeedError

if TYPE_CHECKING:
    from pathlib import Path


class Killed(BaseException):
    """Stands for a signal that cannot be caught."""


def options_of(feed: Path, **values: Any) -> FeedOptions:
    options = FeedOptions(
        inputs=(str(feed),), sizes=(feed.stat().st_size,), uri=f"sqlite:///{feed.parent}/i.db",
        text="text", title="title", key="url", update="drop", duplicate="drop", short="keep",
    )  # fmt: skip
    return replace(options, **values)


@pytest.fixture
def feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a feed of copies, updates and others, in batches of four."""
    monkeypatch.setattr(feed_job, "BATCH", 4)
    dice = random.Random(1)
    path = tmp_path / "feed.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(30):
            seeds = [dice.randrange(10) for _ in range(dice.choice((1, 1, 2, 3)))]
            text = "\n".join("\n".join(article_text(seed)) for seed in seeds)
            file.write(json.dumps({"url": f"u{number % 7}", "text": text}) + "\n")
    return path


def run_once(feed: Path, options: FeedOptions) -> None:
    """Work to the end, or until something is raised."""
    from contextlib import ExitStack

    with ExitStack() as stack:
        index = stack.enter_context(DuplicateIndex(options.uri, updates=options.update))
        for _ in open_job(index, options, feed.with_name("out"), stack).work():
            pass
    StateFile(feed.with_name("out"), options).remove()


def expected(options: FeedOptions) -> bytes:
    output = io.BytesIO()
    with DuplicateIndex(updates=options.update) as index:
        for _ in FeedJob(index, options, output).work():
            pass
    return output.getvalue()


STEPS = ["ask", "fsync", "save", "confirm"]


@pytest.mark.parametrize("update", ["drop", "keep", "replace"])
@pytest.mark.parametrize("step", STEPS)
def test_whenever_it_is_killed_the_output_is_the_same(
    feed: Path, monkeypatch: pytest.MonkeyPatch, step: str, update: str
) -> None:
    options = options_of(feed, update=update)
    place: tuple[Any, str] = {
        "ask": (DuplicateIndex, "check_and_add_many"),
        "fsync": (os, "fsync"),
        "save": (StateFile, "save"),
        "confirm": (DuplicateIndex, "confirm"),
    }[step]
    real = getattr(*place)
    calls = 0

    def die_at_times(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls % 7 == 3:  # before it is done
            raise Killed
        found = real(*args, **kwargs)
        if calls % 7 == 0:  # after it was
            raise Killed
        return found

    wanted = expected(options)
    kills = 0
    while True:
        try:
            with monkeypatch.context() as patch:
                patch.setattr(*place, die_at_times)
                run_once(feed, options)
            break
        except Killed:
            kills += 1
    assert kills >= 2
    assert feed.with_name("out").read_bytes() == wanted
    assert 0 < len(wanted.splitlines()) < 30


def test_another_run_is_not_resumed(feed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options, out = options_of(feed), feed.with_name("out")
    with monkeypatch.context() as patch:
        patch.setattr(DuplicateIndex, "confirm", _die_if_any)
        with pytest.raises(Killed):
            run_once(feed, options)
    state = feed.with_name("out.state")
    saved = state.read_bytes()

    with pytest.raises(FeedError, match="other inputs or options"):
        run_once(feed, replace(options, text="body"))
    with feed.open("a", encoding="utf-8") as file:
        file.write("{}\n")
    with pytest.raises(FeedError, match="other inputs or options"):
        run_once(feed, options_of(feed))
    state.write_bytes(saved[:-5])
    with pytest.raises(FeedError, match="cannot read"):
        run_once(feed, options)
    state.write_bytes(saved)
    good = out.read_bytes()
    out.write_bytes(b"x")
    with pytest.raises(FeedError, match=r"cannot resume: .* has 1 bytes"):
        run_once(feed, options)
    out.write_bytes(good)
    (feed.parent / "i.db").unlink()
    with pytest.raises(FeedError, match="is empty"):
        run_once(feed, options)


def _die_if_any(index: DuplicateIndex, keys: list[str]) -> int:
    if keys:
        raise Killed
    return 0


def test_what_is_there_is_not_written_over(feed: Path) -> None:
    options = options_of(feed)
    run_once(feed, options)
    with pytest.raises(FeedError, match="already exists"):
        run_once(feed, options)


def test_keys_of_any_kind_are_taken(tmp_path: Path) -> None:
    feed = tmp_path / "feed.jsonl"
    text = "\n".join(article_text(1))
    rows: list[dict[str, Any]] = [
        {"url": "\ud83d"},
        {"url": 7},
        {},
        {"url": None},
        {"url": ["a\tb"]},
        {"url": "x"},
    ]
    feed.write_text("".join(json.dumps({**row, "text": text}) + "\n" for row in rows))
    options = options_of(feed, duplicate="keep")
    run_once(feed, options)
    found = [json.loads(line) for line in feed.with_name("out").read_bytes().splitlines()]
    assert [row.get("url") for row in found] == [row.get("url") for row in rows]
    assert found[1]["webclean"] == {"duplicate_of": "?", "similarity": 1.0}
    assert split_key("http://a/\tf.jsonl:3") == ("http://a/", "f.jsonl:3")
    assert split_key("\tf.jsonl:3") == ("f.jsonl:3", "f.jsonl:3")
    assert split_key("http://a/") == ("http://a/", "")


def test_a_line_that_is_too_long_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_line, "MAX_LINE", 100)
    feed = tmp_path / "feed.jsonl"
    feed.write_text('{"a": "' + "x" * 350 + '"}\n{"b": 1}\n')
    first, second = read_lines([str(feed)], Place())
    assert first.error.startswith("line exceeds the size limit")
    assert (second.record, second.number) == ({"b": 1}, 2)
    (again,) = read_lines([str(feed)], first.after)
    assert again == second
