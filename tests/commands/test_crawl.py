import json
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.exporters import JsonLinesItemExporter
from scrapy.settings import Settings

from tests.commands.running import Shell, run_python
from tests.marks import nightly
from tests.pages import article, article_text, listing
from tests.server import Reply, Route, SiteServer, redirect
from webclean_scrapy.commands import terminal
from webclean_scrapy.commands.crawl import CrawlOutput

PATHS = [f"/news/{number}.html" for number in (11, 12, 13)]
OLD = "of yesterday\n"


def site_routes() -> dict[str, Route]:
    copy = article(9, paragraphs=article_text(0))
    return {
        "/": listing([*PATHS, "/sport/9.html"]),
        "/sport/9.html": copy,
        **{path: article(n, PATHS) for n, path in enumerate(PATHS)},
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /secret", content_type="text/plain"),
        "/secret.html": article(4),
        "/paper.pdf": Reply(b"%PDF-1.7\n" * 50, content_type="application/pdf"),
        "/empty.html": Reply(b" "),
    }


@pytest.fixture
def result(tmp_path: Path) -> Path:
    path = tmp_path / "out.jsonl"
    path.write_text(OLD)
    return path


def test_a_crawl_that_has_something_replaces_the_last_result(online: Shell, result: Path) -> None:
    with SiteServer(site_routes()) as site:
        called = online("crawl", site.url("/"), "-o", "out.jsonl")
    assert called.code == 0, called.err
    lines = result.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3  # the list and the copy are left out
    assert {json.loads(line)["webclean"]["is_article"] for line in lines} == {True}
    assert called.counts == {
        "pages": 8, "articles": 3, "copies": 1, "no articles": 1, "failed": 3
    }  # fmt: skip
    assert "(3 x 404)" in called.err
    assert "out.jsonl" in called.err
    assert [path.name for path in result.parent.iterdir()] == ["out.jsonl"]


def refuse_to_write(*_: object) -> None:
    raise TypeError("a set is no JSON")


@pytest.mark.parametrize(
    ("command", "step"),
    [
        ("crawl", "export_item"),
        ("watch", "finish_exporting"),
        *nightly(("crawl", "finish_exporting"), ("watch", "export_item")),
    ],
)
def test_articles_that_cannot_be_written_are_a_failure_and_the_next_run_writes_them(
    online: Shell, result: Path, monkeypatch: pytest.MonkeyPatch, command: str, step: str
) -> None:
    with SiteServer(site_routes()) as site:
        with monkeypatch.context() as patch:
            patch.setattr(JsonLinesItemExporter, step, refuse_to_write)
            called = online(command, site.url("/"), "-o", "out.jsonl")
        assert (called.code, "see the log" in called.err.splitlines()[-1]) == (1, True), called.err
        assert ("TypeError" in called.err.splitlines()[-1]) == (step == "export_item")
        assert result.read_text().startswith(OLD)
        assert result.read_text() == OLD or (command, step) == ("watch", "finish_exporting")
        assert online(command, site.url("/"), "-o", "out.jsonl").code == 0
    written = result.read_text().removeprefix(OLD).splitlines()
    assert len({json.loads(line)["url"] for line in written}) == 3


def test_a_cookie_for_another_domain_is_no_reason_to_ask_other_hosts(tmp_path: Path) -> None:
    code = """
import sys, requests
from webclean_scrapy.__main__ import main
requests.Session.send = lambda *_, **__: print("asked") or 1 / 0
sys.exit(main())
"""
    cookie = {"Set-Cookie": "a=1; Domain=example.co.uk"}
    with SiteServer({"/": Reply(article(1).encode(), headers=cookie)}) as site:
        words = ("crawl", site.url("/"), "-o", "o.jsonl")
        done = run_python(code, *words, cwd=tmp_path, TLDEXTRACT_CACHE=str(tmp_path))
    assert b"articles: 1," in done.stderr
    assert done.stdout == b""


def test_the_first_line_of_a_log_comes_after_seconds_the_others_after_minutes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0
    monkeypatch.setattr("tqdm.std.time", lambda: now)
    with terminal.progress(None, " pages") as more:
        told = []
        for now in range(5, 151, 5):
            more(1)
            told += [now] * capsys.readouterr().err.count("\n")
    assert told == [10, 70, 130]


def test_pages_that_were_not_cleaned_do_not_replace_the_last_result(
    online: Shell, result: Path
) -> None:
    paper = Reply(b"%PDF-1.7\n" * 50, content_type="application/pdf")  # HTML by its name
    with SiteServer({"/": listing(PATHS), **dict.fromkeys(PATHS, paper)}) as site:
        called = online("crawl", site.url("/"), "-o", "out.jsonl")
    assert "articles: 0, no articles: 1, uncleaned: 3" in called.err
    assert called.code == 1
    assert result.read_text() == OLD
    with SiteServer({"/": listing(PATHS)}) as site:
        called = online("crawl", site.url("/"), "-o", "out.jsonl")
    assert (called.code, "most pages failed" in called.err) == (1, True)
    assert result.read_text() == OLD


@pytest.mark.parametrize("kept", ["JOBDIR=job", *nightly("WEBCLEAN_DEDUP_URI=sqlite:///known.db")])
def test_a_round_with_nothing_new_is_no_failure(
    online: Shell, result: Path, caplog: pytest.LogCaptureFixture, kept: str
) -> None:
    words = ("-o", "out.jsonl", "-s", kept)
    with SiteServer(site_routes()) as site:
        online("crawl", site.url("/"), *words)
        first = result.read_bytes()
        called = online("crawl", site.url("/"), *words)
        assert (called.code, called.err.count("\n")) == (0, 1)
        assert "; nothing new: all articles are known; out.jsonl is as it was" in called.err
        assert result.read_bytes() == first
        told = [one for one in caplog.messages if "job is finished; remove it" in one]
        assert len(told) == (kept == "JOBDIR=job")

        result.rename("out.jsonl.part")  # as if the crawl was stopped after its last article
        assert online("crawl", site.url("/"), *words).code == 0
        assert result.exists() == (kept == "JOBDIR=job")
        other = online("crawl", site.url("/none.html"), *words)
        assert (other.code, "HTTP status 404" in other.err) == (1, True)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/none.html", "HTTP status 404 (Not Found)"),
        ("/secret.html", "robots.txt forbids it; where you may fetch it all the same: -s ROBOTS"),
        ("/paper.pdf", "not an HTML page: its content type is application/pdf"),
        ("/empty.html", "the page is empty"),
    ],
)
def test_a_crawl_without_a_first_page_says_why_and_leaves_the_last_result(
    online: Shell, result: Path, path: str, said: str
) -> None:
    with SiteServer(site_routes()) as site:
        called = online("crawl", site.url(path), "-o", "out.jsonl")
    counts, problem = called.err.splitlines()
    assert (called.code, called.out) == (1, "")
    assert counts.startswith("pages: ")
    assert problem.startswith(f"webclean crawl: {site.url(path)}: {said}")
    assert problem.endswith("; out.jsonl is as it was")
    assert result.read_text() == OLD
    assert [path.name for path in result.parent.iterdir()] == ["out.jsonl"]


def test_a_part_of_the_site_that_is_not_there_is_named(online: Shell) -> None:
    with SiteServer(site_routes()) as site:
        called = online("crawl", site.url("/"), "--within", "/nws/")
    assert (called.code, called.out) == (1, "")
    assert "no link of this page leads to --within /nws/" in called.err


DEAD = "http://127.0.0.1:9/"  # where nobody listens


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((DEAD, "-o", "file/out.jsonl"), 1, "webclean crawl: file: "),
        ((DEAD, "-o", "out.docx"), 2, "docx"),
        ((DEAD, "-s", "WEBCLEAN_DEDUP_URI=mysql://x"), 1, "unknown store 'mysql://x'"),
        (("http://[::1/x",), 2, ""),
        (("",), 2, ""),
        (("a.example", "--max-pages", "-1"), 2, ""),
    ],
)
def test_what_keeps_a_crawl_from_starting_is_one_line(
    online: Shell, tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    (tmp_path / "file").touch()
    called = online("crawl", *words)
    assert (called.code, called.err.count("\n")) == (code, 1)
    assert said in called.err


@pytest.mark.parametrize("command", ["crawl", "clean", "explain"])
def test_a_login_in_an_address_is_refused_and_not_shown(online: Shell, command: str) -> None:
    with SiteServer({}, redirect("http://user:s3cr3t@a.example/")) as site:
        called = online(command, site.url("/"))
        assert (called.code, "s3cr3t" in called.err) == (1, False)
        site.routes["/"] = article(1)
        for login in ("user:s3cr3t", "user:a@s3cr3t", "user:a/s3cr3t"):
            for address in (f"http://{login}@127.0.0.1:{site.port}/", f"http://{login}@[::1/"):
                called = online(command, address)
                assert called.code == (2 if command == "crawl" else 1)
                assert "s3cr3t" not in called.err
                assert "***" in called.err.splitlines()[0]
        assert len(site.paths()) == 1


@pytest.mark.parametrize(
    ("articles", "whole", "job", "place", "left"),
    [
        (True, True, False, "out.jsonl", {"out.jsonl": "new"}),
        (False, True, False, "", {"out.jsonl": "old", "out.jsonl.part": "new"}),
        (True, False, False, "out.jsonl.part", {"out.jsonl": "old", "out.jsonl.part": "new"}),
        (True, False, True, "out.jsonl.part", {"out.jsonl": "old", "out.jsonl.part": "new"}),
        (True, True, True, "out.jsonl", {"out.jsonl": "new"}),
    ],
)
def test_only_a_whole_crawl_replaces_a_result(  # noqa: PLR0917, a table of cases
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    articles: bool,
    whole: bool,
    job: bool,
    place: str,
    left: dict[str, str],
) -> None:
    monkeypatch.chdir(tmp_path)
    output = CrawlOutput("out.jsonl", Settings({"JOBDIR": "job"} if job else {}))
    ((part, options),) = output.feeds.items()
    assert (part, options["overwrite"]) == ("out.jsonl.part", not job)
    Path("out.jsonl").write_text("old")
    Path(part).write_text("new")
    assert output.settle(has_articles=articles, is_whole=whole) == place
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == left


def test_a_feed_that_cannot_be_moved_is_written_directly_and_not_when_empty() -> None:
    for name in ("s3://bucket/out.jsonl", "-:csv", "out-%(time)s.jsonl"):
        output = CrawlOutput(name, Settings())
        ((uri, options),) = output.feeds.items()
        assert (output.path, options["store_empty"]) == (None, False)
        assert uri == ("stdout:" if name == "-:csv" else name)


def test_a_job_has_a_result_that_can_be_continued() -> None:
    with pytest.raises(UsageError, match="jsonl"):
        CrawlOutput("out.json", Settings({"JOBDIR": "job"}))
