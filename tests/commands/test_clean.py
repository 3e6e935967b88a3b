import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pyarrow import parquet

from spiders.demo.model import DemoPage
from tests.commands.running import ROOT, Shell
from tests.crawl.workers.faulty_tasks import FAILS, KILLS, clean_or_die, hang
from tests.pages import article, article_text
from tests.parts import counted, parts, shapes_alone, shapes_in_parts, text_of
from tests.parts import page as made_page
from tests.server import Reply, SiteServer
from tests.warcs import write_record, write_warc
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.engines.page_cleaner import PageCleaner, clean_hosts
from webclean_scrapy.engines.warc_pages import read_warc

PATHS = [f"/news/{number}.html" for number in (11, 12, 13)]
TEXT = "\n".join(article_text(1))
SITE = "http://paper.example"
PDF = b"%PDF-1.7\n" * 50
#: In every page of a site, in front of the article, and as long as its paragraphs.
BANNER = "<p>" + "Our readers keep this paper alive and we thank them for it warmly. " * 4 + "</p>"


def records(shown: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in shown.splitlines()]


def with_banner(page: str) -> str:
    return page.replace("<p>", BANNER + "<p>", 1)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(article(1), encoding="utf-8")
    return path


def test_saved_pages_become_a_table(page: Path, shell: Shell) -> None:
    fields = ("-s", "WEBCLEAN_FIELDS=headline,keywords,webclean")
    assert shell("clean", page.name, *fields, "-o", "a.parquet").code == 0
    (row,) = parquet.read_table(page.with_name("a.parquet")).to_pylist()
    (record,) = records(shell("clean", page.name, *fields, "--json").out)
    assert row | {"webclean": json.loads(row["webclean"])} == record
    assert shell("clean", page.name, "--format", "parquet").code == 2


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_is_a_page_with_the_address_that_is_given(
    shell: Shell, stdin: Callable[[bytes], None], packed: bool
) -> None:
    raw = article(1).replace("<p>", '<p><a href="x">X</a> ', 1).encode()
    stdin(gzip.compress(raw) if packed else raw)
    called = shell("clean", "-", "--json", "--url", "https://a.example/news/11.html")
    (record,) = records(called.out)
    assert record["url"] == "https://a.example/news/11.html"
    assert '<a href="https://a.example/news/x">' in record["articleBodyHtml"]
    stdin(raw)
    assert records(shell("clean", "-", "--json").out)[0]["url"] == "-"


def test_a_page_that_is_piped_in_needs_no_name(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(article(1), encoding="utf-8")
    words = [sys.executable, "-m", "webclean_scrapy", "clean"]
    with (tmp_path / "page.html").open("rb") as file:
        called = subprocess.run(words, stdin=file, capture_output=True, check=True, text=True)
    assert TEXT in called.stdout
    silent = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert silent.returncode == 2


@pytest.mark.parametrize("content", [b"\0" * 3_000_000, b"WARC/1.0\r\n" * 50, b"<p>A page."])
def test_what_is_no_archive_is_said_in_a_short_line(
    shell: Shell, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "a.warc").write_bytes(content)
    called = shell("clean", "a.warc")
    assert called.code == 1
    assert called.err.startswith("a.warc: cannot be read as a WARC file: ")
    assert len(called.err) < 1_000


MHTML = (
    b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n"
    b"Content-Type: text/html\r\nContent-Location: https://a.example/%d.html\r\n\r\n%b\r\n--b--"
)


def test_pages_saved_with_their_pictures_are_read(
    tmp_path: Path, shell: Shell, stdin: Callable[[bytes], None]
) -> None:
    (tmp_path / "saved").mkdir()
    files = [MHTML % (number, article(number).encode()) for number in range(2)]
    (tmp_path / "saved" / "0.mhtml").write_bytes(files[0])
    (tmp_path / "saved" / "1.mht.gz").write_bytes(gzip.compress(files[1]))
    (tmp_path / "saved" / "2.webarchive").write_bytes(b"bplist00\xd1\x01\x02")
    stdin(files[0])
    called, piped = shell("clean", "saved", "--json"), shell("clean", "-", "--json")
    found = records(called.out)
    assert [record["url"] for record in found] == [f"https://a.example/{n}.html" for n in (0, 1)]
    for number, record in enumerate(found):
        assert record["articleBody"] == "\n".join(article_text(number))
    assert called.counts == {"pages": 2, "articles": 2, "failed": 1}
    assert "saved/2.webarchive: " in called.err
    assert records(piped.out)[0]["url"] == found[0]["url"]
    explained = json.loads(shell("explain", "saved/0.mhtml", "--json").out)
    assert (explained["url"], explained["title"]) == (found[0]["url"], found[0]["headline"])


def test_pages_of_a_folder_show_each_other_what_is_template(tmp_path: Path, shell: Shell) -> None:
    saved = tmp_path / "saved" / "deep"
    saved.mkdir(parents=True)
    for number in range(3):
        raw = with_banner(article(number)).encode()
        saved.joinpath(f"{number}.html").write_bytes(raw)
    saved.joinpath("3.html.gz").write_bytes(gzip.compress(with_banner(article(3)).encode()))
    saved.joinpath("4.htm").write_bytes(PDF)
    saved.joinpath("notes.txt").write_text("no page")

    alone = shell("clean", "saved/deep/1.html", "--json")
    called = shell("clean", "saved", "saved/deep/1.html", "--format", "json")
    found = records(called.out)
    assert "Our readers" in records(alone.out)[0]["articleBody"]
    assert [record["url"] for record in found] == [
        "saved/deep/0.html", "saved/deep/1.html", "saved/deep/2.html", "saved/deep/3.html.gz",
    ]  # fmt: skip
    assert [record["articleBody"] for record in found] == [
        "\n".join(article_text(number)) for number in range(4)
    ]
    assert called.code == 1
    problem, _ = called.err.splitlines()
    assert problem.startswith("saved/deep/4.htm: ")
    assert "PDF" in problem
    assert called.counts == {"pages": 4, "articles": 4, "failed": 1}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.html", None, "missing.html: "),
        ("www.a.example", None, "www.a.example: "),
        ("blank.html", b" \n", "blank.html: the page is empty"),
        ("bare.html", b"<html><body></body></html>", "bare.html: no text"),
        ("paper.html", PDF, "paper.html: not an HTML page"),
        ("cut.html.gz", gzip.compress(b"<p>" * 99, mtime=0)[:-20], "cut.html.gz: "),
        ("folder/x.txt", b"", "folder: no page"),
    ],
)
def test_what_is_no_page_is_one_line_and_the_others_are_cleaned(
    page: Path, shell: Shell, name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        (page.parent / name).parent.mkdir(exist_ok=True)
        (page.parent / name).write_bytes(content)
    called = shell("clean", name.partition("/")[0], "page.html")
    assert called.code == 1
    problem, _ = called.err.splitlines()
    assert problem.startswith(said)
    assert called.counts == {"pages": 1, "articles": 1, "failed": 1}
    assert called.out.startswith("Story number 1 of the day\n")
    assert TEXT in called.out


def test_texts_are_compared_with_corrected_ones_site_by_site(tmp_path: Path, shell: Shell) -> None:
    saved = tmp_path / "saved"
    saved.mkdir()
    for number in range(3):
        link = f"<head><link rel=canonical href=https://{'ab'[number % 2]}.example/n/{number}.html>"
        raw = article(number).replace("<head>", link, 1)
        saved.joinpath(f"{number}.html").write_text(raw, encoding="utf-8")
    saved.joinpath("3.html").write_bytes(PDF)
    shell("clean", "saved", "-o", "gold.jsonl")
    rows = records((tmp_path / "gold.jsonl").read_text(encoding="utf-8"))
    half = "\n".join(article_text(1)[: len(article_text(1)) // 2])
    rows[1]["articleBody"] = half
    rows[2] = {"url": rows[2]["url"], "text": rows[2]["articleBody"]}
    rows += [{"file": "saved/3.html", "text": "One of the lost pages."}, {"url": "x", "text": "No"}]
    gold = tmp_path / "gold.jsonl"
    gold.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    called = shell("clean", "saved", "--gold", "gold.jsonl")
    head, *sites = [line.split() for line in called.out.splitlines()]
    table = {site: dict(zip(head, map(float, cells), strict=False)) for site, *cells in sites[:4]}
    assert list(table) == ["saved", "b.example", "a.example", "all"]
    assert table["a.example"] == {**table["a.example"], "pages": 2, "F1": 1.0, "precision": 1.0}
    assert (table["b.example"]["recall"], table["saved"]["F1"]) == (1.0, 0.0)
    assert 0.3 < table["b.example"]["precision"] < 0.6
    assert table["all"]["pages"] == 4
    assert table["all"]["recall"] == 0.75
    assert [line[-1] for line in sites[4:]] == ["saved/3.html", "saved/1.html"]  # the worst pages
    assert called.counts["labelled pages that were not met"] == 1
    assert json.loads(gold.read_text(encoding="utf-8").splitlines()[1])["articleBody"] == half


def written_otherwise(name: str, value: str) -> dict[str, str]:
    """Return a label with other spellings of what names its page."""
    changed = value.replace("https://", "http://www.") + "/?utm_source=mail"
    return {name: changed if name == "url" else f"./{value}"}


@pytest.mark.parametrize("name", ["url", "file"])
def test_a_label_names_its_page_by_any_spelling_of_its_address_or_file(
    page: Path, shell: Shell, name: str
) -> None:
    link = "<head><link rel=canonical href=https://a.example/n/1>"
    page.write_text(article(1).replace("<head>", link, 1), encoding="utf-8")
    names = {"url": "https://a.example/n/1", "file": "page.html"}
    for label in ({name: names[name]}, written_otherwise(name, names[name])):
        row = {**label, "articleBody": None, "text": "\n".join(article_text(1))}
        page.with_name("gold.jsonl").write_text(json.dumps(row), encoding="utf-8")
        called = shell("clean", page.name, "--gold", "gold.jsonl")
        assert (called.code, called.counts) == (0, {"pages": 1, "articles": 1})
        assert called.out.splitlines()[-1].split()[1:5] == ["1", "1.000", "1.000", "1.000"]


def test_each_capture_of_an_address_is_compared_with_its_own_label(
    tmp_path: Path, shell: Shell
) -> None:
    whole = b""
    for number in range(3):
        page = DemoPage(body=article(number).encode())
        write_warc(tmp_path / "a.warc", SITE, {f"/n/{number % 2}": page})
        whole += (tmp_path / "a.warc").read_bytes()
    (tmp_path / "a.warc").write_bytes(whole)
    shell("clean", "a.warc", "-o", "gold.jsonl")
    called = shell("clean", "a.warc", "--gold", "gold.jsonl")
    assert called.counts == {"pages": 3, "articles": 3}
    assert called.out.splitlines()[-1].split()[:5] == ["all", "3", "1.000", "1.000", "1.000"]


@pytest.mark.parametrize("content", ["", "\n\n", '{"url": "https://b.example/", "text": "Other."}'])
def test_labels_of_no_page_are_one_line_and_an_error(
    page: Path, shell: Shell, content: str
) -> None:
    page.with_name("gold.jsonl").write_text(content)
    called = shell("clean", page.name, "--gold", "gold.jsonl")
    assert (called.code, called.out) == (1, "")
    assert "gold.jsonl" in called.err.splitlines()[0]
    assert ("https://b.example/" in called.err) == bool(content.strip())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("a", "--gold", "g.jsonl", "-o", "out.jsonl"), "--gold prints a table"),
        (("a", "b", "--url", "https://a.example/"), "--url is the http address of one page"),
        (("a", "--url", "a.example"), "--url is the http address of one page"),
        (("a", "b", "--format", "html"), "several pages as html need -o FOLDER/"),
        (("a", "--format", "docx"), "argument --format: invalid choice: 'docx'"),
        (("a", "--parallel", "0"), "--parallel"),
        (("page.html", "--url", "http://me:secret@a.example/"), "--url is the http address"),
        (("--urls", "list"), "list:2: 'page.html': this is no http address"),
        (("--urls", "empty"), "empty holds no URL"),
    ],
)
def test_a_call_that_makes_no_sense_is_one_line(
    tmp_path: Path, shell: Shell, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "list").write_text("https://a.example/\npage.html\n")
    (tmp_path / "empty").write_text("# nothing\n\n")
    called = shell("clean", *words)
    assert (called.code, called.out, called.err.count("\n")) == (2, "", 1)
    assert said in called.err


def test_each_page_can_be_a_file_of_a_folder_in_any_format(page: Path, shell: Shell) -> None:
    page.with_name("other.html").write_text(article(2), encoding="utf-8")
    for name, suffix in (("html", "html"), ("xml-tei", "xml"), ("markdown", "md")):
        called = shell("clean", ".", "--format", name, "-o", "out/")
        assert called.counts == {"pages": 2, "articles": 2}
        assert (page.parent / f"out/other.{suffix}").exists()
    out = page.parent / "out"
    assert f"\n---\n\n# Story number 1 of the day\n\n{TEXT[:40]}" in (out / "page.md").read_text()
    assert "<h1>Story number 1 of the day</h1>" in (out / "page.html").read_text()
    assert etree.parse(out / "page.xml").getroot().tag == "{http://www.tei-c.org/ns/1.0}TEI"


@pytest.mark.parametrize(
    ("name", "begin"),
    [("o.jsonl", "{"), ("o.md", "---"), ("o.html", "<!D"), ("o.xml", "<?xml"), ("o", "Story")],
)
def test_the_suffix_says_the_format(page: Path, shell: Shell, name: str, begin: str) -> None:
    assert shell("clean", page.name, "-o", name).code == 0
    assert page.with_name(name).read_text().startswith(begin)
    assert shell("clean", page.name, "-o", name, "--format", "text").code == 0
    assert page.with_name(name).read_text().startswith("Story")


def test_a_file_is_replaced_when_there_is_something(page: Path, shell: Shell) -> None:
    out = page.with_name("out.jsonl")
    out.write_text("of yesterday")
    assert shell("clean", "missing.html", "--json", "-o", "out.jsonl").code == 1
    assert out.read_text() == "of yesterday"
    called = shell("clean", "page.html", "--json", "-o", "out.jsonl")
    assert called.counts == {"pages": 1, "articles": 1}
    assert "out.jsonl" in called.err
    assert records(out.read_text())[0]["url"] == "page.html"
    assert sorted(path.name for path in page.parent.iterdir()) == ["out.jsonl", "page.html"]


def test_only_articles_are_written_where_the_setting_says_so(page: Path, shell: Shell) -> None:
    page.with_name("list.html").write_text("<ul>" + "<li><a href=x>Story</a>" * 40 + "</ul>")
    called = shell("clean", "page.html", "list.html", "-s", "WEBCLEAN_DROP_NON_ARTICLES=1")
    assert called.counts == {"pages": 2, "articles": 1}


def test_urls_are_fetched_with_siblings_and_failures_named(tmp_path: Path, online: Shell) -> None:
    robots = Reply(b"User-agent: *\nDisallow: /secret", content_type="text/plain")
    routes = {path: article(number, PATHS) for number, path in enumerate(PATHS[:2], 1)}
    routes |= {f"/secret/{number}.html": article(number) for number in range(5)}
    with SiteServer({**routes, "/robots.txt": robots, "/x.pdf": Reply(PDF)}) as site:
        asked = [PATHS[0], "/none.html", *(f"/secret/{number}.html" for number in range(5))]
        (tmp_path / "list").write_text("\n".join(map(site.url, asked)))
        words = ("--urls", "list", "http://127.0.0.1:9/x.html", "http://[::1/y")
        called = online("clean", *words, "--json", "-s", "ROBOTSTXT_OBEY=1")
        assert not [path for path in site.paths() if path.startswith("/secret")]
    (record,) = records(called.out)
    assert record["articleBody"] == TEXT
    assert record["webclean"]["sibling_url"] == site.url(PATHS[1])
    assert called.code == 1
    *problems, _ = called.err.splitlines()
    assert [site.url(path) in called.err for path in asked] == [False] + [True] * 6
    assert sum("404" in line for line in problems) == 1
    assert sum("robots.txt" in line for line in problems) == 5
    assert sum(line.startswith(words[2:]) for line in problems) == len(problems) - 6 == 2
    assert called.counts == {"pages": 1, "articles": 1, "failed": 8, "sibling requests": 1}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a file that never ends needs a named pipe")
def test_a_page_over_the_time_limit_fails_alone(tmp_path: Path, shell: Shell) -> None:
    for number in (1, 3, 4):
        (tmp_path / f"{number}.html").write_text(article(number))
    (tmp_path / "odd").mkdir()
    os.mkfifo(tmp_path / "odd" / "2.html")
    files = ["1.html", "odd/2.html", "3.html", "4.html"]
    limit = ("--parallel", "2", "-s", "WEBCLEAN_WORKER_TIMEOUT_S=8")
    called = shell("clean", *files, "--json", *limit)
    assert [record["url"] for record in records(called.out)] == ["1.html", "3.html", "4.html"]
    assert "odd/2.html: its process took too long and was ended" in called.err


def test_a_page_on_which_the_cleaning_hangs_is_read_from_its_source(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {f"/{n}.html": DemoPage(body=article(n).encode()) for n in range(6)}
    write_warc(tmp_path / "site.warc", SITE, pages)
    monkeypatch.setattr("webclean_scrapy.commands.page_workers.clean_in_worker", hang)
    called = shell("clean", "site.warc", "--json", "-s", "WEBCLEAN_WORKER_TIMEOUT_S=2")
    found = records(called.out)
    assert called.code == 0
    assert called.counts == {"pages": 6, "articles": 6, "read from their source": 6}
    assert "paper.example: its process died or took too long" in called.err
    reasons = [record["webclean"]["fallback"] for record in found]
    assert reasons == ["worker_timeout"] * 3 + ["failing_host"] * 3
    for number, record in enumerate(found):
        assert "\n".join(article_text(number)) in record["articleBody"]


@pytest.mark.parametrize(("home", "bad"), [("", {1}), (SITE, {1}), (SITE, {3, 9, 12})])
def test_pages_that_kill_their_process_cost_no_other_page_its_cleaning(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch, home: str, bad: set[int]
) -> None:
    (tmp_path / "site").mkdir()
    for number in range(40):
        head = f"<head><link rel=canonical href={home}/n/{number}>" if home else "<head>"
        page = with_banner(article(number)).replace("<head>", head, 1)
        page += KILLS * (number in bad)
        (tmp_path / "site" / f"{number:02}.html").write_text(page, encoding="utf-8")
    monkeypatch.setattr("webclean_scrapy.commands.page_workers.clean_in_worker", clean_or_die)
    called = shell("clean", "site", "--json", "--parallel", "2")
    reasons = [record["webclean"]["fallback"] for record in records(called.out)]
    assert reasons == ["worker_died" if number in bad else None for number in range(40)]
    assert called.code == 0
    assert called.counts == {"pages": 40, "articles": 40, "read from their source": len(bad)}


def test_an_error_that_nobody_expects_costs_its_page_alone(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        (tmp_path / f"{number}.html").write_text(article(number), encoding="utf-8")
    (tmp_path / "1.html").write_text(article(1) + FAILS, encoding="utf-8")
    monkeypatch.setattr("webclean_scrapy.commands.page_workers.clean_in_worker", clean_or_die)
    called = shell("clean", "0.html", "1.html", "2.html", "--json")
    reasons = [record["webclean"]["fallback"] for record in records(called.out)]
    assert (called.code, reasons) == (0, [None, "worker_error", None])
    assert "1.html: MemoryError(); its source is read" in called.err


def test_a_page_that_fails_where_no_process_starts_is_read_from_its_source(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_process(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    (tmp_path / "1.html").write_text(article(1) + FAILS, encoding="utf-8")
    monkeypatch.setattr(os, "fork", no_process)
    monkeypatch.setattr("webclean_scrapy.crawl.workers.process.subprocess.Popen", no_process)
    monkeypatch.setattr("webclean_scrapy.cleaning.parsed_page.parse", parse)  # and put back
    monkeypatch.setattr("webclean_scrapy.commands.page_workers.clean_in_worker", clean_or_die)
    called = shell("clean", "1.html", "--json")
    assert called.code == 0
    assert [one["webclean"]["fallback"] for one in records(called.out)] == ["worker_error"]


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_standard_streams_may_be_closed(page: Path, closed: str) -> None:
    command = f"exec '{sys.executable}' -m webclean_scrapy clean page.html -o out.jsonl {closed}"
    known = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-c", command], cwd=page.parent, check=False, env=known)
    assert done.returncode == 0
    for form in ("json", "text"):
        to_stdout = command.replace("-o out.jsonl", f"--format {form}")
        done = subprocess.run(["sh", "-c", to_stdout], cwd=page.parent, check=False, env=known)
        assert done.returncode == int(closed[:2] == ">&")
    assert len(records((page.parent / "out.jsonl").read_text(encoding="utf-8"))) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_standard_error_costs_no_result(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    for number in range(3):
        (tmp_path / "site" / f"{number}.html").write_text(article(number) * (number != 1))
    command = f"exec '{sys.executable}' -m webclean_scrapy clean site -o out.jsonl 2>/dev/full"
    known = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, check=False, env=known)
    assert done.returncode == 1  # a page is empty
    assert len(records((tmp_path / "out.jsonl").read_text(encoding="utf-8"))) == 2


PAGES = {
    **{f"/news/{n}.html": DemoPage(body=with_banner(article(n)).encode()) for n in range(4)},
    "/paper.pdf": DemoPage(body=b"%PDF-1.7", content_type="application/pdf"),
    "/gone.html": DemoPage(body=b"<p>Gone.</p>", status=404),
}


def write_feed(path: Path, site: str, pages: Mapping[str, DemoPage]) -> None:
    """Write the pages that are HTML as a feed, as crawls keep them."""
    rows = [
        {"url": site + name, "status": 200, "html": page.body.decode()}
        for name, page in pages.items()
        if name.startswith("/news/")
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(lines) if path.suffix == ".gz" else lines)


@pytest.mark.parametrize("piped", [False, True], ids=["named", "piped"])
@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.jsonl", "a.jsonl.gz"])
def test_pages_of_an_archive_or_a_feed_are_cleaned_in_order(
    tmp_path: Path, shell: Shell, stdin: Callable[[bytes], None], name: str, *, piped: bool
) -> None:
    (write_warc if "warc" in name else write_feed)(tmp_path / name, SITE, PAGES)
    stdin((tmp_path / name).read_bytes())
    called = shell("clean", "-" if piped else name, "--json")
    assert called.counts == {"pages": 4, "articles": 4}
    found = records(called.out)
    assert [record["url"] for record in found] == [f"{SITE}/news/{n}.html" for n in range(4)]
    assert [record["articleBody"] for record in found] == [
        "\n".join(article_text(number)) for number in range(4)
    ]


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("site.warc", lambda raw: raw[: len(raw) * 7 // 8]),
        ("site.warc.gz", lambda raw: raw[: len(raw) * 7 // 8]),
        ("site.warc", lambda raw: b"X-Other:".join(raw.rsplit(b"WARC-Target-URI:", 1))),
    ],
    ids=["cut", "cut and packed", "a record without an address"],
)
def test_an_archive_that_is_damaged_is_read_up_to_there(
    tmp_path: Path, shell: Shell, name: str, damage: Callable[[bytes], bytes]
) -> None:
    write_warc(tmp_path / name, SITE, dict(list(PAGES.items())[:4]))
    (tmp_path / name).write_bytes(damage((tmp_path / name).read_bytes()))
    called = shell("clean", name)
    assert (called.code, f"{name}: " in called.err) == (1, True)
    assert "Story number 2 of the day" in called.out


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", b'{"url": 5, "html": "<p>A"}', "a.jsonl:1: no page"),
        ("a.jsonl", b'\n["url"]', "a.jsonl:2: no page"),
        ("a.jsonl", b"{", "a.jsonl:1: invalid JSON"),
        ("a.jsonl", b"", "a.jsonl:1: the feed is empty"),
        ("a.jsonl", b'{"url": "https://a.example/", "html": ""}', "a.example/: the page is empty"),
        ("a.jsonl.gz", b"\x1f\x8b\x08", "a.jsonl.gz: "),
        ("no.jsonl.gz", None, "no.jsonl.gz: No such file"),
        ("no.jsonl", None, "no.jsonl: No such file"),
    ],
)
def test_a_line_of_a_feed_that_is_no_page_is_named(
    tmp_path: Path, shell: Shell, name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    called = shell("clean", name)
    assert (called.code, said in called.err, called.out) == (1, True, ""), called.err


def test_a_page_of_which_an_archive_has_the_beginning_says_so(tmp_path: Path, shell: Shell) -> None:
    packed = gzip.compress(article(1).encode())[:-200]
    write_record(tmp_path / "a.warc", packed, {"Content-Encoding": "gzip"})
    called = shell("clean", "a.warc", "--json")
    assert records(called.out)[0]["webclean"]["cut_off"] is True
    assert (called.code, "https://news.example/a: " in called.err) == (0, True)


def test_several_processes_give_what_one_gives(tmp_path: Path, shell: Shell) -> None:
    write_warc(tmp_path / "site.warc", SITE, PAGES)
    (tmp_path / "bad.html").write_bytes(b"%PDF-1.7")
    words = "clean", "site.warc", "bad.html", "--json"
    alone, many = shell(*words), shell(*words, "--parallel", "2")
    assert many.out.splitlines() == alone.out.splitlines() != []
    assert many.err == alone.err


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("folder", "zh numbers"),
        ("two at a time", "rel next on a"),
        ("archive", "two parameters"),
        ("archive", "page in the path"),
        ("reversed archive", "(2)"),
        ("archive by host", "zh numbers"),
    ],
)
def test_the_parts_of_an_article_are_one_record(
    tmp_path: Path, shell: Shell, kind: str, name: str
) -> None:
    shape, other = shapes_in_parts()[name], shapes_alone()["numbers of articles"]
    routes = {path: str(html) for path, html in {**shape.routes, **other.routes}.items()}
    if "archive" in kind:
        pages = {path: DemoPage(body=html.encode()) for path, html in routes.items()}
        order = reversed(pages) if kind.startswith("reversed") else iter(pages)
        write_warc(tmp_path / "a.warc", SITE, {path: pages[path] for path in order})
    for path, html in ({} if "archive" in kind else routes).items():
        file = tmp_path / "pages" / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.with_name(f"{file.stem}.html").write_text(html, "utf-8")
    given = ["a.warc"] if "archive" in kind else ["pages"]
    given += ["--parallel", "2"] if kind == "two at a time" else []
    if kind == "archive by host":

        def make_cleaner() -> PageCleaner:
            return PageCleaner(CleanConfig(), ["articleBody"], articles_only=True)

        cleaned = clean_hosts(read_warc(str(tmp_path / "a.warc")), make_cleaner)
        found = [{"articleBody": str(item.articleBody)} for _, item in cleaned if item]
    else:
        found = records(shell("clean", *given, "--json").out)
    wanted = sorted([*shape.wanted.values(), *other.wanted.values()])
    assert sorted(one["articleBody"].split("\n") for one in found) == wanted


def test_no_text_of_stored_pages_is_lost_where_they_cannot_be_joined(
    tmp_path: Path, shell: Shell
) -> None:
    many = parts(71, counted("/long.html", "/long_{}.html", 23))
    small = parts(72, counted("/small.html", "/small_{}.html", 4))
    title = str(small.routes["/small.html"]).split("<h1>")[1].split("</h1>")[0]
    small.routes["/small_2.html"] = made_page(title, ["A view from the tower of the town."])
    for path, html in {**many.routes, **small.routes}.items():
        (tmp_path / path.lstrip("/")).write_text(str(html), "utf-8")
    lines = [
        line
        for one in records(shell("clean", ".", "--json").out)
        for line in one["articleBody"].split("\n")
    ]
    wanted = {line for one in (many, small) for text in one.wanted.values() for line in text}
    assert wanted - {*lines} == {*text_of(7201)}
    assert len(lines) == len({*lines})
