"""Values of ``-o`` other than a new file, and two commands with the same one."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spiders.demo.model import DemoPage
from tests.commands.running import Shell
from tests.pages import article, article_text, listing
from tests.server import SiteServer
from tests.warcs import write_warc

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, FIFOs and locks of POSIX")

PAGES = ["/news/11.html", "/news/12.html"]
HOLDER = """
import sys
from webclean_scrapy.file_modes import Draft
draft = Draft("out.jsonl")
print("ready", flush=True)
sys.stdin.read()
"""
COMMANDS = {
    "clean": ("clean", "page.html", "-o", "out.jsonl"),
    "explain": ("explain", "page.html", "--html", "out.jsonl"),
    "crawl": ("crawl", "SITE", "-o", "out.jsonl"),
    "dedup": ("dedup", "feed.jsonl", "-o", "out.jsonl"),
    "dedup --uri": ("dedup", "feed.jsonl", "-o", "out.jsonl", "--uri", "sqlite:///i.db"),
}


@pytest.fixture(params=COMMANDS)
def words(request: pytest.FixtureRequest, tmp_path: Path, online: Shell) -> Iterator[list[str]]:
    """Return the words of a command, in a folder with its input."""
    (tmp_path / "page.html").write_text(article(1), encoding="utf-8")
    row = {"url": "a", "articleBody": "\n".join(article_text(1))}
    (tmp_path / "feed.jsonl").write_text(json.dumps(row) + "\n")
    pages = {path: article(number, PAGES) for number, path in enumerate(PAGES)}
    with SiteServer({"/": listing(PAGES), **pages}) as site:
        yield [site.url("/") if one == "SITE" else one for one in COMMANDS[request.param]]


def test_a_link_stays_and_a_fifo_is_written_to(words: list[str], online: Shell) -> None:
    Path("kept").mkdir()
    Path("out.jsonl").symlink_to("kept/result.jsonl")
    assert online(*words).code == 0
    assert Path("out.jsonl").is_symlink()
    lines = beginnings(Path("kept/result.jsonl").read_bytes())
    assert [path.name for path in Path("kept").iterdir()] == ["result.jsonl"]
    Path("out.jsonl").unlink()
    Path("i.db").unlink(missing_ok=True)
    os.mkfifo("out.jsonl")
    with subprocess.Popen(["cat", "out.jsonl"], stdout=subprocess.PIPE) as reader:
        try:
            assert online(*words).code == 0
            assert Path("out.jsonl").is_fifo()
            shown, _ = reader.communicate()
        finally:
            reader.kill()
    assert beginnings(shown) == lines != []


def beginnings(result: bytes) -> list[bytes]:
    """Return its lines up to the address of a page, as the rest may depend on their order."""
    return sorted(line[:40] for line in result.splitlines())


def test_a_second_command_for_a_file_is_refused(words: list[str], online: Shell) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as first:
        try:
            assert first.stdout
            assert first.stdout.readline() == b"ready\n"
            called = online(*words)
            assert (called.code, "out.jsonl.part: another" in called.err) == (1, True)
            assert (called.err.count("Traceback"), Path("out.jsonl").exists()) == (0, False)
        finally:
            first.kill()
    assert online(*words).code == 0
    assert Path("out.jsonl").stat().st_size


def test_a_page_whose_file_cannot_be_written_is_a_failed_one(tmp_path: Path, shell: Shell) -> None:
    urls = ["/1", "/" + "天" * 120, "/" + "天" * 120 + "地", "/4", "/5"]
    pages = {url: DemoPage(body=article(n).encode()) for n, url in enumerate(urls)}
    write_warc(tmp_path / "x.warc", "http://h", pages)
    (tmp_path / "out" / "h_1.txt").mkdir(parents=True)
    (tmp_path / "private").write_text("secret")
    (tmp_path / "out" / "h_4.txt").symlink_to("../private")
    called = shell("clean", "x.warc", "-o", "out/")
    assert (called.code, "http://h/1: cannot be written" in called.err) == (1, True)
    assert len([path for path in (tmp_path / "out").iterdir() if path.is_file()]) == 4
    assert (tmp_path / "private").read_text() == "secret"
    assert not (tmp_path / "out" / "h_4.txt").is_symlink()
