import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.running import Shell
from tests.crawl.workers.faulty_tasks import FAILS, explain_once, explain_or_die
from tests.pages import article, article_text
from tests.parts import page as made_page
from tests.parts import parts
from tests.server import SiteServer
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.crawl.workers.tasks import TEMPLATE_FILES

PATHS = [f"/news/{number}.html" for number in (11, 12, 13)]
FIRST = article_text(1)[0][:30]
SITE = "http://ostwick.example"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for seed in (1, 2):
        (tmp_path / f"{seed}.html").write_text(article(seed), encoding="utf-8")
    (tmp_path / "paper.html").write_bytes(b"%PDF-1.7\n" * 50)
    (tmp_path / "empty.html").touch()
    return tmp_path


def test_a_file_is_explained_with_its_siblings_in_the_columns_of_the_terminal(
    pages: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "66")
    done = shell("explain", "1.html", "--sibling", "2.html", "1.html", "9.html")
    shown = done.out
    lines = shown.splitlines()

    assert (done.code, "9.html: " in done.err) == (1, True)
    assert lines[0] == "1.html"
    assert max(map(len, lines)) == 66
    assert "2.html\n  used: " in shown
    assert "1.html\n  refused: it is the same page\n" in shown
    assert any(" + " in line and FIRST[:9] in line for line in lines)
    assert any("- template: repeated" in line and line.endswith("…") for line in lines)


def test_a_page_on_which_the_explanation_hangs_is_explained_by_its_source(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.html").write_text(article(1))
    monkeypatch.setattr("webclean_scrapy.commands.explain.explain_page", explain_once)
    called = shell("explain", "page.html", "--json", "-s", "WEBCLEAN_WORKER_TIMEOUT_S=4")
    assert (called.code, json.loads(called.out)["extractor"]) == (0, "source")
    assert "page.html: its process took too long" in called.err


@pytest.mark.parametrize(("end", "extractor"), [("", "webclean"), (FAILS, "source")])
def test_a_page_is_explained_as_far_as_its_process_lives(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch, end: str, extractor: str
) -> None:
    (tmp_path / "page.html").write_text(article(1) + end, encoding="utf-8")
    (tmp_path / "other.html").write_text(article(2), encoding="utf-8")
    monkeypatch.setattr("webclean_scrapy.commands.explain.explain_page", explain_or_die)
    called = shell("explain", "page.html", "--json", "--sibling", "other.html")
    assert (called.code, json.loads(called.out)["extractor"]) == (0, extractor)
    assert "page.html: its process died; its siblings are left out" in called.err
    assert ("MemoryError" in called.err) is bool(end)


def test_an_explanation_is_one_line_of_json(shell: Shell, stdin: Callable[[bytes], None]) -> None:
    stdin(article(1).encode())
    done = shell("explain", "-", "--json")
    explained = json.loads(done.out)

    assert (explained["name"], explained["kind"], explained["siblings"]) == ("-", "article", [])
    assert [line["kept"] for line in explained["lines"] if FIRST in line["text"]] == [True]
    assert (
        explained["body"]["steps"][explained["body"]["stop"]]["xpath"] == explained["body"]["xpath"]
    )


def test_a_url_is_fetched_with_its_sibling_and_each_once(tmp_path: Path, online: Shell) -> None:
    routes = {PATHS[0]: article(1, PATHS), PATHS[1]: article(2, PATHS)}
    with SiteServer(routes) as site:
        url = site.url(PATHS[0])
        done = online("explain", url, "--json", "-s", "JOBDIR=job")
        explained = json.loads(done.out)

        assert site.paths() == PATHS[:2]
        (sibling,) = explained["siblings"]
        assert (explained["name"], sibling["name"]) == (url, site.url(PATHS[1]))
    assert sibling["refused"] is None
    assert sibling["repeated"] > 0
    assert explained["requests"] == {"requested": 1, "learned": 1}
    assert not (tmp_path / "job").exists()


def test_the_requests_say_why_a_fetched_sibling_is_no_use(tmp_path: Path, online: Shell) -> None:
    copy = article(2, ["/about/north.html"], article_text(1))
    with SiteServer({PATHS[0]: article(1, PATHS), PATHS[1]: copy}) as site:
        done = online("explain", site.url(PATHS[0]), "--json")
    explained = json.loads(done.out)

    assert explained["siblings"] == []
    assert explained["requests"] == {
        "requested": 2, "refused/same_article": 1, "refused/status_404": 1,
    }  # fmt: skip


def test_siblings_that_are_named_are_the_only_ones(tmp_path: Path, online: Shell) -> None:
    routes = {path: article(seed, PATHS) for seed, path in enumerate(PATHS)}
    with SiteServer(routes) as site:
        page, _, named = (site.url(path) for path in PATHS)
        done = online("explain", page, "--sibling", named, "--json")
        explained = json.loads(done.out)

        assert sorted(site.paths()) == [PATHS[0], PATHS[2]]
    assert [view["name"] for view in explained["siblings"]] == [named]
    assert explained["requests"] == {}


DEAD = "http://127.0.0.1:9/x.html"  # where nobody listens


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["missing.html"], 1, "missing.html: "),
        (["empty.html"], 1, "empty.html: the page is empty"),
        (["paper.html", "--html", "none/p.html"], 1, "paper.html: not an HTML page"),
        ([DEAD], 1, f"{DEAD}: the host refuses the"),
        # before the work: nobody is asked
        ([DEAD, "--html", "."], 2, "--html: . is a folder; name a file in it"),
        ([DEAD, "--html", "-", "--json"], 2, "both write to standard output"),
        (["--templates", "no.json"], 1, "cannot read no.json as webclean-templates: "),
        (["--templates", "none"], 1, "no learned templates: none contains no webclean-templates-"),
    ],
)
def test_what_cannot_be_explained_or_written_is_named(
    pages: Path, words: list[str], code: int, message: str, online: Shell
) -> None:
    (pages / "no.json").write_text("{")
    (pages / "none").mkdir()
    done = online("explain", *words, "-s", "RETRY_ENABLED=0")

    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert code == 1 or "127.0.0.1" not in done.err
    assert not [*(pages / "none").iterdir()]


def test_the_page_of_html_is_one_file_beside_text_and_json(pages: Path, online: Shell) -> None:
    done = online("explain", "1.html", "--sibling", "2.html", "--html", "old.html", "--json")
    html = (pages / "old.html").read_text(encoding="utf-8")

    assert done.code == 0, done.err
    assert json.loads(done.out)["name"] == "1.html"
    assert html.startswith("<!doctype html>")
    assert FIRST in html
    assert "repeated in sibling" in html
    assert "old.html" in done.err
    done = online("explain", "1.html", "--html", "new/page.html")
    assert (done.code, done.out) == (0, "")
    assert FIRST in (pages / "new/page.html").read_text(encoding="utf-8")
    assert not list(pages.glob("**/*.part"))
    printed = online("explain", "1.html", "--html", "-")
    assert printed.out.startswith("<!doctype html>")
    assert FIRST in printed.out


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """Return a JOBDIR of two processes."""
    for number, section in enumerate(("news", "sport")):
        cleaner = Cleaner()
        cleaner.learn(article(number), f"{SITE}/{section}/{number}.html")
        cleaner.save(tmp_path / TEMPLATE_FILES.format(number))
    return tmp_path


def test_the_templates_of_a_job_are_listed_as_they_serve_a_page(job: Path, shell: Shell) -> None:
    shown = shell("explain", "--templates", TEMPLATE_FILES.format(1)).out
    assert f" 1  {SITE}/sport/0.html\n" in shown
    url = f"{SITE}/news/77.html"
    done = shell("explain", url, "--templates", str(job), "--json")

    assert [(view["shape"], view["serves"].split(":")[0]) for view in json.loads(done.out)] == [
        (f"{SITE}/news/0.html", "yes"),
        (f"{SITE}/sport/0.html", "unlikely"),
    ]


def test_a_file_of_another_version_is_named_and_the_others_listed(job: Path, shell: Shell) -> None:
    old = job / TEMPLATE_FILES.format(0)
    old.write_text(json.dumps({**json.loads(old.read_text()), "version": 1}))
    done = shell("explain", "--templates", ".", "--json")

    assert done.code == 1
    assert f"{old.name} is 'webclean-templates' of version 1," in done.err
    assert [view["shape"] for view in json.loads(done.out)] == [f"{SITE}/sport/0.html"]


def test_the_pages_that_may_be_parts_of_its_article_are_named(online: Shell) -> None:
    shape = parts(81, ["/story", "/story?page=2", "/story?page=3"])
    title = "Another title of a page that is no part of it"
    routes = {**shape.routes, "/story?page=3": made_page(title, article_text(9))}
    with SiteServer(routes) as site:
        done = online("explain", site.url("/story"), "--json")
        found = json.loads(done.out)["parts"]
        assert sorted(site.paths()) == sorted(shape.routes)
    assert list(found) == [site.url("/story?page=2"), site.url("/story?page=3")]
    assert len({*found.values()}) == 2
