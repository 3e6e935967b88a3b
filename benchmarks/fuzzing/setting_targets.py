"""Targets that read what users write: settings, and the words of a command line."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from scrapy.settings import Settings

from benchmarks.fuzzing.target import Case, Target, expect
from benchmarks.fuzzing.texts import odd_text
from webclean_scrapy.commands.command_line import SUBCOMMANDS
from webclean_scrapy.commands.webclean import main
from webclean_scrapy.crawl.named_files import dedup_options
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.settings import SETTINGS, Setting, WebcleanConfig

if TYPE_CHECKING:
    from random import Random

#: Values of every type; by name, so that a case can be written down.
_VALUES: dict[str, Any] = {
    "None": None, "True": True, "False": False, "zero": 0, "minus": -1, "half": 0.5,
    "nan": float("nan"), "inf": float("inf"), "-inf": float("-inf"), "10**400": 10**400,
    "10**5000": 10**5000, "2**63": 2**63, "bytes": b"1", "list": [], "dict": {}, "set": {1},
    "tuple": (1, "x"), "object": object, "class list": [dict, "json.JSONDecoder"], "function": len,
    "Path": Path("x"), "Decimal": Decimal("0.5"), "numpy": np.float64(0.5),
    "numpy array": np.arange(9), "complex": 1j, "nested": [[1]], "range": range(3),
    "Decimal nan": Decimal("sNaN"), "surrogate": "\ud800", "NUL": "a\0b", "deep": "a." * 400,
}  # fmt: skip
_STRINGS = (
    "", " ", "yes", "no", "1", "0", "-1", "1e309", "nan", "inf", "1_0", "１２", "0x10", " 5 ",
    "1.0", "5.5", "..x", ".x", "x.", "a..b", "builtins.int", "json.JSONDecoder", "os.getcwd",
    "json.decoder", "int,dict", ",", "nowhere.x", "/", ".", "/dev/null", "/nowhere/x", "~",
    "sqlite:///", "redis://[", "redis://?ttl=x", "__main__.x", "x" * 5_000, "a\nb", "9" * 5_000,
    "-0", "lcs", "off", "redis://a?prefix={", "unix:",
)  # fmt: skip
_WORDS = (
    "-o", "out", "out/", "-s", "WEBCLEAN_KEYWORDS=5", "WEBCLEAN_DEDUP_URI=", "X", "=", "--text",
    "title", "--format", "json", "xml-tei", "markdown", "html", "text", "--parallel", "0", "1",
    "-1", "x", "-", "--", "--url", "--urls", "urls.txt", "--uri", "sqlite:///a.db", "memory:",
    "sqlite:", "--clusters", "c.json", "--json", "--sibling", "--templates", "page.html", "empty",
    "feed.jsonl", "feed.csv", "folder", "nowhere", "page.html.gz", "-h", "--version", "--help",
    "-v", "--key", "--title", "", " ", "\udcff", "--no-such", "binary", "clean", "explain",
    "dedup", "profile", "train", "--field", "--limit", "templates.json",
)  # fmt: skip


def _settings(draw: Random) -> Case:
    chosen = draw.sample(SETTINGS, draw.choice((1, 1, 2, 6)))
    return Case(values={"given": {one.name: _value(draw, one) for one in chosen}})


def _value(draw: Random, setting: Setting) -> tuple[str, Any]:
    """Return the name of a value of the pool, or a plain value."""
    roll = draw.random()
    if roll < 0.3:
        return "pool", draw.choice(list(_VALUES))
    if roll < 0.5:
        return "plain", draw.choice(_STRINGS)
    if roll < 0.6:
        return "plain", odd_text(draw)
    if setting.choices:
        return "plain", draw.choice(setting.choices)
    if isinstance(setting.default, (int, float)) and setting.high < float("inf"):
        ends = setting.low, setting.high, setting.low - 1, setting.high + 1
        value: Any = draw.choice((*ends, draw.uniform(setting.low, setting.high)))
        value = int(value) if draw.random() < 0.5 else value
        return "plain", str(value) if draw.random() < 0.3 else value
    return "plain", setting.default


def _run_settings(case: Case) -> None:
    """Read settings: they are accepted, or refused by one line that names a setting."""
    given = case.values["given"]
    values = {name: _VALUES[v] if kind == "pool" else v for name, (kind, v) in given.items()}
    try:
        config = WebcleanConfig.from_settings(Settings(values))
    except ConfigError as error:
        message = str(error)
        expect(len(message.splitlines()) == 1, f"not one line: {message!r:.300}")
        expect(any(name in message for name in given), f"it names no setting: {message:.300}")
        message.encode()  # what cannot be written is no message
        return
    config.clean_config()
    DedupConfig.from_options(dedup_options(config))


def _line(draw: Random) -> Case:
    words = [draw.choice((*SUBCOMMANDS, "", "x"))]
    if words[0] == "crawl":
        words[0] = "dedup"
    words += draw.choices((*_WORDS, odd_text(draw)), k=draw.randint(0, 6))
    words = [os.fsdecode(word.replace("\0", "").encode("utf-8", "replace")) for word in words]
    words = [word for word in words if "://" not in word or word.startswith("sqlite:")]
    return Case(values={"words": words})


def _run_line(case: Case) -> None:
    """Run a command in a folder of a few files; it ends with a code, never with a traceback."""
    words = case.values["words"]
    before = Path.cwd()
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        _fill(Path(folder))
        os.chdir(folder)
        try:
            stdin = io.TextIOWrapper(io.BytesIO(b"<p>A page of standard input.</p>"))
            with patch.multiple(sys, stdout=out, stderr=err, stdin=stdin):
                code = main(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        finally:
            os.chdir(before)
    expect(code in {0, 1, 2}, f"exit code {code}")
    expect(code == 0 or err.getvalue().strip() or out.tell(), f"exit code {code} without a word")
    expect("Traceback" not in err.getvalue(), err.getvalue()[-500:])


def _fill(folder: Path) -> None:
    page = (
        "<title>Fog</title><p>The ferry to the island was two hours late, because of fog.</p>" * 3
    )
    lines = '{"url": "a", "articleBody": "The ferry was late."}\n{"url": "b", "title": "x"}\n'
    names = {
        "page.html": page.encode(), "empty": b"", "feed.jsonl": lines.encode(),
        "binary": bytes(range(256)), "feed.csv": b"url,articleBody\na,The ferry was late\n",
        "urls.txt": b"# none\n", "page.html.gz": b"\x1f\x8b\x08\x00damaged",
    "templates.json": b"{}",
    }  # fmt: skip
    for name, content in names.items():
        (folder / name).write_bytes(content)
    (folder / "folder").mkdir()


SETTING_TARGETS = (
    Target(name="settings", share=14.0, make=_settings, run=_run_settings),
    Target(name="commands", share=0.3, make=_line, run=_run_line, most_s=8.0),
)
