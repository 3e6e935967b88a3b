import json
from collections import Counter
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.commands.running import Shell, read_records
from tests.crawling import Crawls, PageSpider, spider_of
from tests.marks import nightly
from tests.pages import article, article_text, listing
from tests.server import SiteServer
from webclean_scrapy.export.formats import DocumentNames, as_html, as_markdown
from webclean_scrapy.items import ArticleItem

TITLE = 'A "quoted": title\\ with #signs & 标题 </script> <b>'
ITEM = ArticleItem(
    url="http://a.test/1?a=1&b=2", headline=TITLE, articleBodyHtml="<p>Text.</p>",
    authors=[{"name": "Ada: Vos"}, {"name": "- Bo"}], datePublished="2026-11-30", inLanguage="en",
    mainImage={"url": "http://a.test/i.png"}, webclean={"kind": "article", "confidence": 0.9},
)  # fmt: skip
PATHS = [f"/news/{number}.html" for number in (11, 12, 13)]


def front_matter(document: str) -> Any:
    _, head, _ = document.split("---\n", 2)
    return yaml.safe_load(head)


def test_the_front_matter_is_the_record_whatever_its_values_are() -> None:
    found = front_matter(as_markdown(ITEM))
    odd = "a\x7fb\x85c\x9f\uffff"  # YAML refuses some, and takes others for the end of a line
    assert front_matter(as_markdown(replace(ITEM, description=odd)))["description"] == odd
    assert (found["title"], found["authors"]) == (TITLE, ["Ada: Vos", "- Bo"])
    assert (found["url"], found["date"], found["confidence"]) == (ITEM.url, "2026-11-30", 0.9)
    assert "site" not in found
    assert "---" not in as_markdown(ITEM, front_matter=False)


def test_a_page_of_html_states_the_same_as_json_ld() -> None:
    class Reader(HTMLParser):
        script = ""

        def handle_data(self, data: str) -> None:
            if self.cdata_elem == "script":
                self.script += data

    reader = Reader()
    reader.feed(as_html(ITEM))
    found = json.loads(reader.script)
    assert (found["headline"], found["datePublished"]) == (TITLE, "2026-11-30")
    assert [one["name"] for one in found["author"]] == ["Ada: Vos", "- Bo"]


@pytest.mark.parametrize("command", ["crawl", *nightly("watch")])
def test_a_crawl_writes_a_folder_of_documents_with_an_index(
    online: Shell, tmp_path: Path, command: str
) -> None:
    routes = {"/": listing(PATHS)} | {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    words = ("-o", "out/", "--format", "markdown", "-s", "AUTOTHROTTLE_ENABLED=0")
    index = tmp_path / "out" / "index.jsonl"
    with SiteServer(routes) as site:
        called = online(command, site.url("/"), *words)
        assert called.code == 0, called.err
        entries = read_records(index)
        assert sorted(one["url"] for one in entries) == [site.url(path) for path in PATHS]
        for entry in entries:
            number = PATHS.index(entry["url"].removeprefix(site.url("")))
            document = (index.parent / entry["file"]).read_text(encoding="utf-8")
            assert article_text(number)[0] in document
            assert front_matter(document)["title"] == entry["title"]
        with index.open("a") as cut:
            cut.write('{"file": "a.md", "ur')  # by a kill
        site.routes["/"] = listing([*PATHS, "/news/14.html"])
        site.routes["/news/14.html"] = article(14)
        assert online(command, site.url("/"), *words).code == 0
    known = [json.loads(line)["url"] for line in index.read_text().splitlines() if line[-1] == "}"]
    assert site.url("/news/14.html") in known
    assert len([*index.parent.glob("127.0.0.1_*/*/*.md")]) == 4


DAMAGED = (
    b"[1,2]", b"3", b"null", b'{"url": 5, "file": []}', b'{"url": 5, "file": "a/b/c.md"}',
    b'{"url": "http://a/", "fi', b'{"url": "http://a/\xff", "file": "a.md"}', b"[" * 100_000,
    *(json.dumps({"url": "http://a/", "file": name}).encode() for name in (
        "../a.md", "/a.md", "a/../../a.md", "", ".", "a//b.md", "a\0.md", "\ud800.md", None,
    )),
)  # fmt: skip


def test_damaged_lines_of_an_index_are_named_and_skipped(
    online: Shell, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    index = tmp_path / "out" / "index.jsonl"
    index.parent.mkdir()
    routes = {"/": listing(PATHS)} | {path: article(n, PATHS) for n, path in enumerate(PATHS)}
    with SiteServer(routes) as site:
        whole = json.dumps({"url": site.url(PATHS[0]), "file": "site/of/old.md"}).encode()
        index.write_bytes(b"\n".join([whole, b"", *DAMAGED, b""]))
        called = online("crawl", site.url("/"), "-o", "out/", "--format", "markdown")
    assert called.code == 0, called.err
    (said,) = (one.getMessage() for one in caplog.records if "index.jsonl" in one.getMessage())
    assert str(index.relative_to(tmp_path)) in said
    assert f" {len(DAMAGED)}: 3, 4, 5, " in said
    assert article_text(0)[0] in (index.parent / "site/of/old.md").read_text(encoding="utf-8")
    assert len([*index.parent.rglob("*.md")]) == len([*tmp_path.rglob("*.md")]) == 3


def test_a_document_is_in_the_folder_of_its_site_and_month() -> None:
    names = DocumentNames(["a.example/2026-11/story"])
    for url, date, name in (
        ("https://www.a.example/news/story.html?x=1", "2026-11-30T10:00", "2026-11/story-2"),
        ("https://a.example/other/story/", "2026-11-30", "2026-11/story-3"),
        ("https://a.example/story", None, "undated/story"),
        ("https://a.example/..", "soon", "undated/page"),
    ):
        assert names.in_folders(url, date) == f"a.example/{name}"


def test_names_of_equal_beginning_take_no_longer_the_more_there_are() -> None:
    start = f"http://a.example/{'long-' * 60}"
    tries = Counter[int]()

    class Taken(dict[str, None]):
        def __contains__(self, name: object) -> bool:
            tries[0] += 1
            return super().__contains__(name)

    names = DocumentNames()
    names.taken = Taken()
    assert len({names.new(f"{start}{number}") for number in range(1000)}) == 1000
    assert tries[0] <= 2000


def test_documents_of_one_page_need_a_folder(online: Shell) -> None:
    called = online("crawl", "http://a.test/", "-o", "out.md", "--format", "markdown")
    assert (called.code, "-o FOLDER/" in called.err) == (2, True)


@dataclass
class Story:
    url: str
    articleBodyMarkdown: str | None = None  # noqa: N815


@pytest.mark.parametrize(
    ("kind", "settings"),
    [(Story, {}), (dict, {"WEBCLEAN_FIELDS": "all,articleBodyMarkdown", "WEBCLEAN_CHUNKS": 50})],
)
def test_an_item_has_markdown_and_chunks_when_they_are_asked_for(
    crawls: Crawls, kind: type, settings: dict[str, Any]
) -> None:
    spider = spider_of(lambda url: [kind(url=url)])
    with SiteServer({"/1.html": article(1)}) as site:
        (item,) = crawls.run(spider, settings, urls=[site.url("/1.html")]).items
        (plain,) = crawls.run(PageSpider, urls=[site.url("/1.html")]).items
    values = item if kind is dict else vars(item)
    assert article_text(1)[0] in values["articleBodyMarkdown"]
    assert len(values.get("chunks", [0] * 5)) > 4
    assert "articleBodyMarkdown" not in plain
