from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.commands.running import run_python, webclean
from tests.pages import article, article_text, listing
from tests.server import SiteServer

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server import Route

TEXT = "\n".join(article_text(1))
PATHS = [f"/news/{number}.html" for number in (11, 12, 13)]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(article(1), encoding="utf-8")
    return path


def test_clean_prints_title_and_text_of_a_file(page: Path) -> None:
    done = webclean("clean", str(page), cwd=page.parent)
    assert done.returncode == 0, done.stderr.decode()
    title, text = done.stdout.decode().split("\n", 1)
    assert "Story number 1 of the day" in title
    assert TEXT in text


def test_clean_prints_the_record_as_json(page: Path) -> None:
    done = webclean("clean", str(page), "--json", cwd=page.parent)
    record = json.loads(done.stdout)
    assert record["url"] == str(page)
    assert TEXT in record["articleBody"]
    assert record["webclean"]["is_article"] is True


def test_clean_reads_standard_input(page: Path) -> None:
    done = webclean("clean", "-", cwd=page.parent, stdin=page.read_bytes())
    assert TEXT in done.stdout.decode()


def test_clean_fetches_a_url_and_denoises_it_with_a_sibling(tmp_path: Path) -> None:
    with SiteServer({PATHS[0]: article(1, PATHS), PATHS[1]: article(2, PATHS)}) as site:
        done = webclean("clean", site.url(PATHS[0]), "--json", cwd=tmp_path)
    record = json.loads(done.stdout)
    assert TEXT in record["articleBody"]
    assert record["webclean"]["sibling_url"] == site.url(PATHS[1])
    assert done.returncode == 0


def test_clean_names_what_could_not_be_cleaned_and_goes_on(page: Path) -> None:
    bad = page.with_name("bad.html")
    bad.write_bytes(b"%PDF-1.7\n" * 50)
    done = webclean("clean", "missing.html", str(bad), str(page), cwd=page.parent)
    assert done.returncode == 1
    errors = done.stderr.decode()
    assert "missing.html: " in errors
    assert f"{bad}: not an HTML page" in errors
    assert TEXT in done.stdout.decode()


def test_clean_of_a_dead_url_ends_with_an_error(tmp_path: Path) -> None:
    done = webclean("clean", "http://127.0.0.1:9/x.html", "-s", "RETRY_ENABLED=0", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == b""


def site_routes() -> dict[str, Route]:
    routes: dict[str, Route] = {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    copy = article(9, paragraphs=article_text(0))
    return {"/": listing([*PATHS, "/sport/9.html"]), "/sport/9.html": copy, **routes}


def test_crawl_writes_the_articles_of_a_site(tmp_path: Path) -> None:
    with SiteServer(site_routes()) as site:
        done = webclean("crawl", site.url("/"), "-o", "out.jsonl", cwd=tmp_path)
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert done.returncode == 0, done.stderr.decode()
    assert len(lines) == 3  # the list and the copy are left out
    assert {json.loads(line)["webclean"]["is_article"] for line in lines} == {True}
    assert "/robots.txt" in [asked.path for asked in site.asked]


def test_crawl_prints_json_lines_without_a_file(tmp_path: Path) -> None:
    with SiteServer(site_routes()) as site:
        done = webclean("crawl", site.url("/"), "--max-pages", "5", cwd=tmp_path)
    assert [json.loads(line)["url"] for line in done.stdout.splitlines()]
    assert len(site.paths()) <= 6  # five pages and a sibling at most


def test_a_wrong_setting_is_one_sentence(page: Path) -> None:
    done = webclean("clean", str(page), "-s", "WEBCLEAN_KEYWORDS=many", cwd=page.parent)
    assert done.returncode != 0
    last = done.stderr.decode().strip().splitlines()[-1]
    assert "WEBCLEAN_KEYWORDS must be a whole number from 1 to 100, got 'many'" in last


def test_other_scrapy_commands_do_not_load_the_method(tmp_path: Path) -> None:
    code = (
        "import sys, webclean_scrapy.commands.webclean\n"
        "print(sorted(n for n in sys.modules if n.startswith('webclean_scrapy')))\n"
        "print([n for n in ('numpy', 'jieba', 'rjieba') if n in sys.modules])"
    )
    done = run_python(code, cwd=tmp_path)
    assert done.stdout.splitlines() == [
        b"['webclean_scrapy', 'webclean_scrapy.commands', 'webclean_scrapy.commands.webclean']",
        b"[]",
    ]
