"""Every code block of the documents is run, or is listed as one that cannot run."""

import doctest
import gzip
import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from scrapy.settings import Settings
from scrapy.settings import default_settings as scrapy_defaults

import benchmarks.__main__ as benchmarks
from spiders.demo import build_portal
from tests.commands.running import call
from tests.crawling import Crawls
from tests.pages import article, listing
from tests.server import Reply, SiteServer
from tests.warcs import write_warc
from webclean_scrapy.commands.command_line import read_line
from webclean_scrapy.commands.webclean import Command
from webclean_scrapy.keywords.interest_profile import InterestProfile
from webclean_scrapy.settings import DICTS, SETTINGS, WebcleanConfig

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
STORIES = [
    f"/harbour/science/{name}"
    for name in ("bell-buoy-three-keys-4687", "museum-unpicks-fishing-net-4611")
]
LABELS = {"harbour": "ferry quay tide sail", "kitchen": "bread oven salt dough"}

#: Commands that are read by their own parser and not run here, by a pattern; with the reason.
NOT_RUN = {
    r"^make ": "whole targets, make test among them",
    r"^(pip|apt-get) install": "needs an index: the names are checked",
    r"^python -m benchmarks": "minutes of CPU time on labelled pages",
    r"^scrapy crawl|webclean (crawl|watch)|https?://": "fetches; tests/commands do it too",
    r"^redis-cli ": "needs a server; tests/dedup read the user's rights from the block",
    r"--urls": "fetches the addresses of a list",
    r"--parallel": "starts processes; tests/commands/test_clean.py does it",
    r"<": "a pipe of the shell",
    r"^(scrapy )?webclean report ": "needs the data of a crawl; tests/commands makes them",
    r"--templates|dedup --clusters - ": "needs a job or an index; tests/commands have them",
}
#: Settings in blocks that are neither ours nor Scrapy's, by the library that reads them.
OTHERS = {
    "PLAYWRIGHT_": "scrapy-playwright", "REDIS_": "scrapy-redis", "SCHEDULER_": "scrapy-redis",
    "SPIDERMON_": "spidermon",
}  # fmt: skip


class Block(NamedTuple):
    """A fenced block of a page."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def read_blocks() -> Iterator[Block]:
    for page in PAGES:
        text = page.read_text("utf-8")
        for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            line = text.count("\n", 0, found.start()) + 1
            yield Block(str(page.relative_to(ROOT)), line, found[1], found[2])


BLOCKS = list(read_blocks())
PYTHON = [block for block in BLOCKS if block.language == "python"]
LINES = [
    (block, line)
    for block in BLOCKS
    if block.language == "sh"
    for line in block.text.replace("\\\n", "").splitlines()
]  # fmt: skip
COMMANDS = {  # each once, by its words
    " ".join(shlex.split(line.partition("webclean ")[2], comments=True)): block
    for block, line in LINES
    if "webclean " in line and not any(re.search(pattern, line) for pattern in NOT_RUN)
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that blocks name, and the current folder."""
    monkeypatch.chdir(tmp_path)
    pages = build_portal().pages
    names = ("page.html", "other.html", "third.html", "kept.html", "saved/a.html", "saved/b.html")
    (tmp_path / "saved").mkdir()
    for number, name in enumerate(names):
        (tmp_path / name).write_bytes(pages[STORIES[number % 2]].body)
    write_warc(tmp_path / "crawl.warc.gz", "http://h.example", {p: pages[p] for p in STORIES})
    lines = [
        json.dumps({"url": f"http://h.example/{n}", "class": name, "articleBody": f"{words} {n}."})
        for n in range(6)
        for name, words in LABELS.items()
    ]
    text = "\n".join(lines) + "\n"
    for name in ("labels", "labelled", "monday", "wednesday", "chosen"):
        (tmp_path / f"{name}.jsonl").write_text(text)
    (tmp_path / "gold.jsonl").write_text(json.dumps({"file": "saved/a.html", "text": "A story."}))
    for name in ("tuesday", "2026-11-01", "2026-11-02"):
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return tmp_path


@pytest.mark.parametrize("block", PYTHON, ids=str)
def test_python_runs_and_its_settings_are_taken(block: Block, folder: Path) -> None:
    InterestProfile((("amber", 1.0),), pages=1).save(str(folder / "interest.json"))
    (folder / "stopwords.txt").write_text("amber\n")
    scope: dict[str, Any] = {"__name__": "block"}
    exec(compile(block.text, str(block), "exec"), scope)  # noqa: S102, that is the test
    given = {name: value for name, value in scope.items() if name.isupper()}
    known = (
        {setting.name for setting in SETTINGS}
        | {f"WEBCLEAN_{name}" for name in DICTS}
        | set(dir(scrapy_defaults))
    )
    known |= {"SCRAPY_POET_PROVIDERS", "IMAGES_STORE"}
    strange = [name for name in given if name not in known and not name.startswith(tuple(OTHERS))]
    assert [name for name in strange if len(re.findall(rf"\b{name}\b", block.text)) < 2] == []
    given.pop("WEBCLEAN_CLASS_MODEL", None)  # a trained one: the session below has it
    given.pop("WEBCLEAN_ITEMS", None)  # classes of a project that is not there
    WebcleanConfig.from_settings(Settings(given))
    for path in given.get("SPIDERMON_SPIDER_CLOSE_MONITORS", []):
        assert path == "webclean_scrapy.monitors.WebcleanMonitorSuite"
    assert given.get("ADDONS", {}).get("webclean_scrapy.Addon", 500) == 500


def test_the_first_spider_gives_articles_alone(crawls: Crawls) -> None:
    (block,) = (one for one in PYTHON if one.page == "README.md" and "Spider" in one.text)
    scope: dict[str, Any] = {"__name__": "block"}
    exec(block.text, scope)  # noqa: S102, that is the test
    types = "application/feed+json", "application/pdf", "image/png"
    others = {f"/{kind}": Reply(b"[1]", content_type=kind) for kind in types}
    pages = {"/": listing(["/2", "/3"]), "/2": article(2, others), "/3": article(3)}
    with SiteServer({**pages, **others}) as site:
        places = {"allowed_domains": ["127.0.0.1"], "start_urls": [site.url("/")]}
        crawled = crawls.run(type("News", (scope["News"],), places))
    assert others.keys() < set(site.paths())
    assert "spider_exceptions/count" not in crawled.stats
    assert {item["url"] for item in crawled.items} == {site.url("/2"), site.url("/3")}


def test_sessions_go_as_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "train", "labels.jsonl", "-o", "classes.json").code == 0
    sessions = [block for block in BLOCKS if block.language == "pycon"]
    assert len(sessions) >= 2
    for block in sessions:
        test = doctest.DocTestParser().get_doctest(block.text, {}, str(block), None, 0)
        assert test.examples
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


@pytest.mark.parametrize(("block", "line"), LINES, ids=str)
def test_commands_are_understood(block: Block, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(line.partition(" < ")[0], comments=True)
    if words[:1] == ["scrapy"] and words[1] == "webclean":
        words = words[1:]
    if words[0] == "webclean":
        command = Command()
        command.settings = Settings()
        read_line(words[1:], "webclean", command.add_scrapy_options)
    elif words[0] == "make":
        assert re.search(rf"^{words[1]}:.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    elif words[:3] == ["python", "-m", "benchmarks"]:
        monkeypatch.setattr(sys, "argv", words[2:])
        assert benchmarks.read_arguments().run
    elif words[:2] == ["pip", "install"]:
        assert words[2] in (ROOT / "pyproject.toml").read_text("utf-8")
    else:
        assert line.startswith(("scrapy crawl site ", "apt-get install chromium", "redis-cli acl "))


@pytest.mark.parametrize("line", COMMANDS)
def test_offline_commands_work(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        name
        for word in shlex.split(line)
        for name in (sorted(path.name for path in folder.glob(word)) if "*" in word else [word])
    ]
    called = call(capsys, *words)
    expected = {0, 1} if words[0] == "doctor" else {0}  # which may find something here
    assert called.code in expected, called.err
    assert all((folder / words[at + 1]).exists() for at, word in enumerate(words) if word == "-o")
