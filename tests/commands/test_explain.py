from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.pages import article, article_text
from tests.server import SiteServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.running import Webclean

PATHS = [f"/news/{number}.html" for number in (11, 12, 13)]
FIRST = article_text(1)[0][:30]


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for seed in (1, 2):
        (tmp_path / f"{seed}.html").write_text(article(seed), encoding="utf-8")
    (tmp_path / "paper.html").write_bytes(b"%PDF-1.7\n" * 50)
    (tmp_path / "empty.html").touch()
    return tmp_path


def test_a_file_is_explained_with_its_siblings_in_the_columns_of_the_terminal(
    pages: Path, webclean: Webclean
) -> None:
    done = webclean("explain", "1.html", "--sibling", "2.html", "1.html", cwd=pages, COLUMNS="66")
    shown = done.stdout.decode()
    lines = shown.splitlines()

    assert done.returncode == 0, done.stderr.decode()
    assert lines[0] == "1.html"
    assert max(map(len, lines)) == 66
    assert "2.html\n  used: " in shown
    assert "1.html\n  refused: it is the same page\n" in shown
    assert any(" + " in line and FIRST[:9] in line for line in lines)
    assert any("- template: repeated" in line and line.endswith("…") for line in lines)


def test_the_whole_explanation_is_one_line_of_json(pages: Path, webclean: Webclean) -> None:
    done = webclean("explain", "-", "--json", cwd=pages, stdin=(pages / "1.html").read_bytes())
    explained = json.loads(done.stdout)

    assert (explained["name"], explained["kind"], explained["siblings"]) == ("-", "article", [])
    assert [line["kept"] for line in explained["lines"] if FIRST in line["text"]] == [True]
    assert (
        explained["body"]["steps"][explained["body"]["stop"]]["xpath"] == explained["body"]["xpath"]
    )


def test_a_url_is_fetched_with_its_sibling_and_each_only_once(
    tmp_path: Path, webclean: Webclean
) -> None:
    routes = {PATHS[0]: article(1, PATHS), PATHS[1]: article(2, PATHS)}
    with SiteServer(routes) as site:
        url = site.url(PATHS[0])
        done = webclean("explain", url, "--json", "-s", "JOBDIR=job", cwd=tmp_path)
        explained = json.loads(done.stdout)

        assert site.paths() == PATHS[:2]
        (sibling,) = explained["siblings"]
        assert (explained["name"], sibling["name"]) == (url, site.url(PATHS[1]))
    assert sibling["refused"] is None
    assert sibling["repeated"] > 0
    assert explained["requests"] == {"requested": 1, "learned": 1}
    assert not (tmp_path / "job").exists()


def test_the_requests_say_why_a_sibling_that_was_fetched_is_no_use(
    tmp_path: Path, webclean: Webclean
) -> None:
    copy = article(2, ["/about/north.html"], article_text(1))
    with SiteServer({PATHS[0]: article(1, PATHS), PATHS[1]: copy}) as site:
        done = webclean("explain", site.url(PATHS[0]), "--json", cwd=tmp_path)
    explained = json.loads(done.stdout)

    assert explained["siblings"] == []
    assert explained["requests"] == {
        "requested": 2, "refused/same_article": 1, "refused/status_404": 1,
    }  # fmt: skip


def test_siblings_that_are_named_are_the_only_ones(tmp_path: Path, webclean: Webclean) -> None:
    routes = {path: article(seed, PATHS) for seed, path in enumerate(PATHS)}
    with SiteServer(routes) as site:
        page, _, named = (site.url(path) for path in PATHS)
        done = webclean("explain", page, "--sibling", named, "--json", cwd=tmp_path)
        explained = json.loads(done.stdout)

        assert sorted(site.paths()) == [PATHS[0], PATHS[2]]
    assert [view["name"] for view in explained["siblings"]] == [named]
    assert explained["requests"] == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.html"], "missing.html: "),
        (["empty.html"], "empty.html: the page is empty"),
        (["paper.html"], "paper.html: not an HTML page: the content looks like a PDF file"),
        (["http://127.0.0.1:9/x.html"], "http://127.0.0.1:9/x.html: the host refuses the"),
    ],
)
def test_a_page_that_is_not_there_is_named(
    pages: Path, arguments: list[str], message: str, webclean: Webclean
) -> None:
    done = webclean("explain", *arguments, "-s", "RETRY_ENABLED=0", cwd=pages)

    assert (done.returncode, done.stdout) == (1, b"")
    assert message in done.stderr.decode()


def test_a_sibling_that_is_not_there_is_named_and_the_page_explained(
    pages: Path, webclean: Webclean
) -> None:
    done = webclean("explain", "1.html", "--sibling", "9.html", "2.html", cwd=pages)

    assert done.returncode == 1
    assert "9.html: " in done.stderr.decode()
    assert "2.html\n  used: " in done.stdout.decode()


def test_the_page_of_html_is_one_file_beside_text_and_json(pages: Path, webclean: Webclean) -> None:
    (pages / "old.html").write_text("old")
    (pages / "old.html").chmod(0o640)
    done = webclean(
        "explain", "1.html", "--sibling", "2.html", "--html", "old.html", "--json", cwd=pages
    )
    html = (pages / "old.html").read_text(encoding="utf-8")

    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["name"] == "1.html"
    assert html.startswith("<!doctype html>")
    assert FIRST in html
    assert "repeated in sibling" in html
    assert (pages / "old.html").stat().st_mode & 0o777 == 0o640
    assert f"page: old.html, {len(html.encode()):,} bytes" in done.stderr.decode()
    done = webclean("explain", "1.html", "--html", "new/page.html", cwd=pages)
    assert (done.returncode, done.stdout) == (0, b"")
    assert FIRST in (pages / "new/page.html").read_text(encoding="utf-8")
    assert not list(pages.glob("**/*.part"))
    printed = webclean("explain", "1.html", "--html", "-", cwd=pages)
    assert printed.stdout.startswith(b"<!doctype html>")
    assert FIRST in printed.stdout.decode()


def test_a_page_that_is_refused_has_a_page_that_says_why(pages: Path, webclean: Webclean) -> None:
    done = webclean("explain", "paper.html", "--html", "why.html", cwd=pages)

    assert (done.returncode, done.stdout) == (1, b"")
    assert "the content looks like a PDF file" in (pages / "why.html").read_text(encoding="utf-8")
    done = webclean("explain", "missing.html", "--html", "none.html", cwd=pages)
    assert done.returncode == 1
    assert not (pages / "none.html").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--html", "."], "--html: . is a folder; name a file in it"),
        (["--html", "-", "--json"], "both write to standard output"),
    ],
)
def test_a_page_of_html_that_cannot_be_is_refused_before_the_work(
    pages: Path, words: list[str], message: str, webclean: Webclean
) -> None:
    done = webclean("explain", "http://127.0.0.1:9/x.html", *words, cwd=pages)

    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
    assert "127.0.0.1" not in done.stderr.decode()
