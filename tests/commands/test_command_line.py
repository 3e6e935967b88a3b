"""Parsing of the command line, and messages for invalid ones."""

import json
from pathlib import Path

import pytest

from tests.commands.running import Shell, webclean
from tests.pages import article, listing
from tests.server import SiteServer
from webclean_scrapy.commands.command_line import SUBCOMMANDS


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "SUBCOMMAND"),
        (("zzz", "x"), "'zzz' (choose from"),
        (("--loud", "clean"), "--loud;"),
        (("clean", "x", "--quiet"), "--quiet;"),
        (("crawl", "x", "--max-pages", "all"), "--max-pages: must be a whole number"),
        (("crawl", "x", "-s", "A"), "webclean crawl: Invalid -s value, use -s NAME=VALUE"),
        (("crawl",), "webclean crawl: crawl needs exactly one URL"),
        (("explain",), "webclean explain: explain needs exactly one page"),
        (("clean",), "webclean clean: clean needs"),
        (("train", "a.jsonl"), "webclean train: train needs"),
        (("profile", "-o", "p"), "webclean profile: profile needs"),
    ],
)
def test_what_is_not_understood_is_a_line(words: tuple[str, ...], said: str, shell: Shell) -> None:
    called = shell(*words)
    assert (called.code, called.out) == (2, "")
    assert said in called.err
    assert called.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("cleen", "x"), "clean"),
        (("wach",), "watch"),
        (("clean", "x", "--jsn"), "--json"),
        (("crawl", "x", "--maxpages=3"), "--max-pages"),
        (("crawl", "x", "--wihtin", "/a"), "--within"),
        (("--logfiel=a.log", "clean", "x"), "--logfile"),
        (("clean", "x", "--format", "mrkdown"), "markdown"),
        (("crawl", "x", "--format", "htm"), "html"),
        (("clean", "x", "--markdown"), "--format markdown"),
        (("clean", "x", "--format", "md"), "markdown"),
        (("clean", "-u", "x"), "the address alone"),
    ],
)
def test_of_what_is_mistyped_the_nearest_name_is_asked_for(
    words: tuple[str, ...], meant: str, shell: Shell
) -> None:
    called = shell(*words)
    assert (called.code, called.out, called.err.count("\n")) == (2, "", 1)
    assert f"did you mean {meant}?" in called.err


@pytest.mark.parametrize("command", ["crawl", "watch", "clean"])
def test_a_name_that_says_no_format_is_refused_with_what_is_possible(
    command: str, shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(article(1))
    source = "page.html" if command == "clean" else "http://127.0.0.1:1/"
    names = ["x.pdf", "news.jsonl.7z"] if command == "clean" else ["x.pdf", "all.md", "a/b.html"]
    for name in names:
        called = shell(command, source, "-o", name)
        assert (called.code, called.out, called.err.count("\n")) == (2, "", 1)
        assert ".jsonl" in called.err
        assert "--format" in called.err
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_each_subcommand_has_a_help_of_its_own_with_examples(name: str, shell: Shell) -> None:
    assert f"\n  {name} " in shell("-h").out
    called = shell(name, "-h")
    assert (called.code, called.err) == (0, "")
    assert called.out.startswith(f"usage: webclean {name} ")
    assert f"examples:\n  webclean {name}" in called.out
    assert "-s, --set NAME=VALUE" in called.out
    assert ("--max-pages" in called.out) == (name in {"crawl", "watch"})
    assert ("--threshold" in called.out) == (name == "train")


def test_scrapy_hands_its_whole_line_on(tmp_path: Path) -> None:
    wrong = webclean("-s", "A=1", "clean", "--jsn", "x", "-L", "INFO", cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout, wrong.stderr.count(b"\n")) == (2, b"", 1)
    assert wrong.stderr.startswith(b"scrapy webclean clean: unrecognized arguments: --jsn ")
    shown = webclean("-h", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert shown.stdout.startswith(b"usage: scrapy webclean SUBCOMMAND ")


def test_options_of_scrapy_stand_before_or_behind_subcommands(tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "page.html").write_text("<p>Too little to be an article.</p>")
    keywords = "-s", "WEBCLEAN_KEYWORDS=101"
    for words in ((*keywords, "clean", "page.html"), ("clean", *keywords, "page.html")):
        called = shell(*words)
        assert called.code == 1
        assert "WEBCLEAN_KEYWORDS must be a whole number from 0 to 100, got '101'" in called.err
        assert called.err.count("\n") == 1


def test_crawl_prints_json_lines_without_a_file(tmp_path: Path) -> None:
    paths = [f"/news/{number}.html" for number in (11, 12, 13)]
    routes = {path: article(n, paths) for n, path in enumerate(paths)}
    with SiteServer({"/": listing(paths), **routes}) as site:
        done = webclean("crawl", site.url("/"), "--max-pages", "5", cwd=tmp_path)
    assert [json.loads(line)["url"] for line in done.stdout.splitlines()]
    assert len(site.paths()) <= 6  # five pages and a sibling at most
