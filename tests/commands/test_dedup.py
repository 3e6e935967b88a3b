"""``scrapy webclean dedup`` as a user runs it, and killed."""

import gzip
import io
import json
import os
import random
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.commands.running import MAIN, Shell, run_python
from tests.pages import article_text
from webclean_scrapy.commands import dedup
from webclean_scrapy.commands.run_state import RunState
from webclean_scrapy.dedup.index import DuplicateIndex

# Kills the process when that many steps have reached the disk: files flushed, or put in place.
KILLED_AT = """
import itertools, os, pathlib, signal

steps = itertools.count(1)

def killing(call):
    def step(*arguments):
        done = call(*arguments)
        if next(steps) == int(os.environ["KILLED_AT"]):
            os.kill(os.getpid(), signal.SIGKILL)
        return done
    return step

os.fsync, pathlib.Path.replace = killing(os.fsync), killing(pathlib.Path.replace)
"""
TEXTS = ["\n".join(article_text(n)) for n in range(8)]


def line(url: str, text: str, **more: Any) -> str:
    return json.dumps({"url": url, "articleBody": text, **more}, ensure_ascii=False)


def feed_of(path: Path, *lines: str) -> Path:
    content = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def counts_of(stderr: str) -> dict[str, int]:
    rows = [row.rsplit(maxsplit=1) for row in stderr.splitlines() if "  " in row]
    return {label.strip(): int(value) for label, value in rows if value.isdigit()}


def test_copies_in_several_feeds_are_left_out_the_rest_stays(tmp_path: Path, shell: Shell) -> None:
    first = [line("a", TEXTS[0], n=1.50), line("b", TEXTS[1])]
    feed_of(tmp_path / "one.jsonl", *first)
    feed_of(
        tmp_path / "two.jsonl.gz",
        line("c", TEXTS[0] + "\nMore tomorrow."), line("a", TEXTS[0]), "", line("d", TEXTS[2]),
    )  # fmt: skip
    done = shell("dedup", "one.jsonl", "two.jsonl.gz", "--clusters", "c.jsonl")

    assert done.code == 0, done.err
    assert done.out.splitlines() == [*first, line("d", TEXTS[2])]
    group = (tmp_path / "c.jsonl").read_text()
    assert json.loads(group) == [
        {"key": "a", "at": "one.jsonl:1"},
        {"key": "c", "at": "two.jsonl.gz:1"},
        {"key": "a", "at": "two.jsonl.gz:2"},
    ]
    counts = counts_of(done.err)
    assert (counts["rows read"], counts["rows kept"], counts["duplicates"]) == (5, 3, 2)
    assert sum(counts.values()) == 10
    assert "%" not in done.err  # no bar, as standard error is no terminal


def test_bad_lines_are_named_and_cost_no_others(tmp_path: Path, shell: Shell) -> None:
    good = line("a", TEXTS[0])
    with (tmp_path / "feed.jsonl").open("wb") as file:
        file.write(b'{"url": "cut", "art' + good.encode() + b"\n[1]\n\xff\xfe\n" + b"[" * 99999)
        file.write(f"\n{good}\n{line('bare', '')}\n{line('s', 'Sold out')}".encode())
    done = shell("dedup", "feed.jsonl", "./feed.jsonl")

    assert done.code == 0
    errors = [row for row in done.err.splitlines() if "feed.jsonl:" in row]
    assert [row.split(": ")[0] for row in errors] == [
        f"{name}:{n}" for name in ("feed.jsonl", "./feed.jsonl") for n in (1, 2, 3, 4)
    ]
    assert "feed.jsonl:1: invalid JSON: " in errors[0]
    assert errors[1] == "feed.jsonl:2: not a JSON object"
    assert [json.loads(row)["url"] for row in done.out.splitlines()] == ["a", "bare", "s", "bare"]
    assert counts_of(done.err)["invalid rows"] == 8


def test_rules_and_fields_are_those_asked_for(tmp_path: Path, shell: Shell) -> None:
    def row(key: str, *texts: str) -> str:
        return json.dumps({"id": key, "body": "\n".join(texts), "webclean": {"kind": "x"}})

    old, live = row("old", TEXTS[0]), row("live", TEXTS[1], TEXTS[2], TEXTS[0])
    feed_of(tmp_path / "f.jsonl", old, live, row("copy", TEXTS[2], TEXTS[1]), row("s", "Sold out"))
    done = shell(
        "dedup", "f.jsonl", "--text", "body", "--key", "id", "-o", "out.jsonl",
        "-s", "WEBCLEAN_DEDUP_UPDATE=replace", "-s", "WEBCLEAN_DEDUP_SHORT=drop",
        "-s", "WEBCLEAN_DEDUP_EXPIRE_DAYS=7",
        "--clusters", "-",
    )  # fmt: skip
    assert done.code == 0, done.err
    first, second = (tmp_path / "out.jsonl").read_text().splitlines()
    assert first == old
    record = json.loads(second)
    assert record["id"] == "live"
    assert 0 < record["webclean"].pop("similarity") <= 1
    assert 0.25 < record["webclean"].pop("own") < 0.7
    assert record["webclean"] == {"kind": "x", "replaces": "old"}
    assert [page["key"] for page in json.loads(done.out)] == ["old", "live", "copy"]
    with DuplicateIndex(f"sqlite:///{tmp_path}/pages.db") as index:
        for key, text in (("http://a/", TEXTS[0]), ("http://b/", TEXTS[1]), ("c", TEXTS[0])):
            index.add(key, text)
    stored = shell("dedup", "--clusters", "-", "--uri", "sqlite:///pages.db").out
    assert json.loads(stored) == [{"key": "http://a/", "at": ""}, {"key": "c", "at": ""}]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a signal that cannot be caught")
@pytest.mark.nightly
def test_a_run_killed_at_times_ends_as_one_that_was_not(tmp_path: Path, shell: Shell) -> None:
    lines = [line(f"u{n}", "\n".join(article_text(n // 3 if n % 5 else n))) for n in range(1200)]
    feed_of(tmp_path / "one.jsonl", *lines[:700])
    feed_of(tmp_path / "two.jsonl.gz", *lines[700:])
    files = ("one.jsonl", "two.jsonl.gz")
    whole = shell("dedup", *files, "--clusters", "whole-clusters")
    arguments = [*files, "-o", "out.jsonl", "--uri", "sqlite:///i.db", "--clusters", "clusters"]
    state = tmp_path / "out.jsonl.state"
    for step in (1, 2, 3, 6):  # of three for each batch: output, draft of the state, state
        code = KILLED_AT + MAIN
        killed = run_python(code, "dedup", *arguments, cwd=tmp_path, KILLED_AT=str(step))
        assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    done = shell("dedup", *arguments)

    assert done.code == 0, done.err
    assert (tmp_path / "out.jsonl").read_bytes().decode() == whole.out
    assert (tmp_path / "clusters").read_bytes() == (tmp_path / "whole-clusters").read_bytes()
    assert counts_of(done.err) == counts_of(whole.err)
    assert not state.exists()


def test_terminals_see_a_bar(tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    feed_of(tmp_path / "feed.jsonl", line("a", TEXTS[0]), "no JSON")
    screen = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", screen)
    assert shell("dedup", "feed.jsonl", "-o", "out.jsonl").code == 0
    screen.seek(0)
    shown = screen.read()
    assert "2 rows" in shown
    assert "feed.jsonl:2: invalid JSON: " in shown
    assert "rows kept" in shown


STEPS: dict[str, tuple[Any, str]] = {
    "ask": (DuplicateIndex, "check_and_add_many"),
    "sync": (os, "fsync"),
    "save": (RunState, "save"),
    "confirm": (DuplicateIndex, "confirm"),
}


@pytest.fixture
def feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a feed of copies, updates and others, in batches of four."""
    monkeypatch.setattr(dedup, "BATCH", 4)
    dice = random.Random(1)
    lines = []
    for number in range(30):
        seeds = [dice.randrange(10) for _ in range(dice.choice((1, 1, 2, 3)))]
        lines.append(
            line(f"u{number % 7}", "\n".join("\n".join(article_text(seed)) for seed in seeds))
        )
    return feed_of(tmp_path / "feed.jsonl", *lines)


@pytest.mark.parametrize("update", ["drop", "keep", "replace"])
@pytest.mark.parametrize("step", STEPS)
def test_whenever_it_is_killed_the_output_is_the_same(
    feed: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch, step: str, update: str
) -> None:
    words = ("dedup", feed.name, "-s", f"WEBCLEAN_DEDUP_UPDATE={update}")
    wanted = shell(*words).out
    place = STEPS[step]
    real = getattr(*place)
    calls = kills = 0

    def die_at_times(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls % 7 == 3:  # before it is done
            raise KeyboardInterrupt
        found = real(*args, **kwargs)
        if calls % 7 == 0:  # after it was
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(*place, die_at_times)
    while shell(*words, "-o", "out.jsonl", "--uri", "sqlite:///i.db").code == 130:
        kills += 1
    assert kills >= 2
    assert feed.with_name("out.jsonl").read_text() == wanted
    assert 0 < len(wanted.splitlines()) < 30
    assert not feed.with_name("out.jsonl.state").exists()


def test_no_other_run_is_resumed(feed: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("dedup", feed.name, "-o", "out.jsonl", "--uri", "sqlite:///i.db")

    def stop_if_any(index: DuplicateIndex, keys: list[str]) -> int:
        if keys:
            raise KeyboardInterrupt
        return 0

    with monkeypatch.context() as patch:
        patch.setattr(DuplicateIndex, "confirm", stop_if_any)
        assert shell(*words).code == 130
    out, state = feed.with_name("out.jsonl"), feed.with_name("out.jsonl.state")
    good, saved = out.read_bytes(), state.read_bytes()

    assert "other inputs or options" in shell(*words, "--text", "body").err
    before = feed.read_bytes()
    feed.write_bytes(before + b"{}\n")
    assert "other inputs or options" in shell(*words).err
    feed.write_bytes(before)
    state.write_bytes(saved[:-5])
    assert "cannot read" in shell(*words).err
    state.write_bytes(saved)
    out.write_bytes(b"x")
    assert "cannot resume" in shell(*words).err
    out.write_bytes(good)
    for file in feed.parent.glob("i.db*"):
        file.unlink()
    assert "is empty" in shell(*words).err


def test_keys_of_any_kind_are_taken(tmp_path: Path, shell: Shell) -> None:
    keys = ["\ud83d", 7, None, ["a\tb"], "x"]
    feed_of(
        tmp_path / "feed.jsonl",
        *(json.dumps({"url": key, "articleBody": TEXTS[0]}) for key in keys),
    )
    done = shell("dedup", "feed.jsonl", "-s", "WEBCLEAN_DEDUP_DUPLICATE=keep")
    found = [json.loads(row) for row in done.out.splitlines()]
    assert [row["url"] for row in found] == keys
    assert found[1]["webclean"] == {"duplicate_of": "?", "similarity": 1.0, "own": 0.0}
