"""Pages in a real browser, within real crawls; few, since each crawl starts one."""

import gzip
import json
import logging
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy.http import Request, Response

from tests.crawling import Crawled, Crawls, PageSpider
from tests.pages import article, article_text
from tests.server import Reply, Route, SiteServer, gzip_bomb
from webclean_scrapy.cleaning.page.layout import read_layout
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table
from webclean_scrapy.cleaning.page.walk import BOX
from webclean_scrapy.crawl.browser.chromium import MAX_RESOURCES
from webclean_scrapy.downloadermiddlewares.render import FLAG
from webclean_scrapy.errors import ConfigError

CHROMIUM = shutil.which("chromium")
with_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
SETTINGS: dict[str, Any] = {
    "WEBCLEAN_RENDER": "all",
    "WEBCLEAN_SIBLING_ENABLED": False,
    "WEBCLEAN_RENDER_TIMEOUT_S": 60,
    "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": CHROMIUM},
    "CONCURRENT_REQUESTS": 8,
}
SCRIPT = "text/javascript"
STYLE = """body {margin: 0} #top {height: 100px} #main {float: left; width: 900px}
#side {float: left; width: 300px} .gone {display: none} .unseen {visibility: hidden}"""
SHADOW = "<p>Shadows have <slot name=what></slot></p><style>p {margin: 0}</style>"
STORY = "".join(f"<p>{text}</p>" for text in article_text(7))
LINKS = "".join(f"<li><a href=/{n}>Another story {n}</a></li>" for n in range(9))
LAYOUT = f"""<!DOCTYPE html><html><head><title>Columns</title><link rel=stylesheet href=/site.css>
</head><body data-webclean-box="0 0 1 1"><div id=top>Ostwick Post</div>
<div id=main><h1>Columns of the town hall</h1>{STORY}</div>
<div id=side><ul>{LINKS}</ul></div>
<p id=gone class=gone data-webclean-box="0 0 900 900">Not <b>shown</b></p>
<p id=unseen class=unseen>Not seen</p>
<div id=none style="display: contents"><p id=in>In it</p></div>
<noscript><p>No script</p></noscript><x-shadow id=host><b slot=what>words</b></x-shadow>
<script>host.attachShadow({{mode: "open"}}).innerHTML = `{SHADOW}`</script></body></html>"""
EMPTY = """<!DOCTYPE html><html><head><title>Tides of the week</title></head><body><div id=root>
</div><img src=/picture.png><iframe src=/frame.html></iframe><script src=/app.js></script>"""
APP = """const add = (text) => {
  const line = document.createElement("p");
  line.textContent = text;
  root.append(line);
};
fetch("/data.json").then((answer) => answer.json()).then((all) => all.map(add));
const away = `http://localhost:${location.port}`;  // another origin, and a private address
for (const url of [`${away}/secret`, "/leads-away", "/forbidden.json"]) fetch(url).catch(() => {});
new WebSocket(`ws://${location.host}/socket`);
location.href = "/elsewhere.html";
"""


class ShowingSpider(PageSpider):
    """Keeps the responses."""

    seen: list[Response]

    def parse(self, response: Response) -> Iterator[Any]:
        self.seen.append(response)
        yield {"url": response.url}


@dataclass
class Shown:
    """The results of a crawled site."""

    site: SiteServer
    crawled: Crawled
    responses: dict[str, Response]  # by path

    def table(self, path: str) -> PageTable:
        return build_table(parse(self.responses[path].body))

    def item(self, path: str) -> dict[str, Any]:
        (found,) = (item for item in self.crawled.items if item["url"].endswith(path))
        assert isinstance(found, dict)
        return found


def show(
    crawls: Crawls,
    routes: dict[str, Route],
    paths: list[str],
    settings: dict[str, Any] | None = None,
) -> Shown:
    seen: list[Response] = []
    merged = {**SETTINGS, **(settings or {})}
    crawled, site = crawls.visit(routes, paths, merged, spider=ShowingSpider, seen=seen)
    responses = {"/" + response.url.split("/", 3)[3]: response for response in seen}
    return Shown(site, crawled, responses)


@pytest.fixture(scope="module")
def shown(crawls: Crawls) -> Shown:
    if CHROMIUM is None:
        pytest.skip("there is no chromium")
    data = json.dumps(article_text(5)).encode()
    routes: dict[str, Route] = {
        "/layout.html": LAYOUT,
        "/site.css": Reply(STYLE.encode(), content_type="text/css"),
        "/empty.html": EMPTY,
        "/app.js": Reply(APP.encode(), content_type=SCRIPT),
        "/data.json": Reply(data, content_type="application/json"),
        "/leads-away": Reply(status=302, headers={"Location": "http://localhost:9/secret"}),
        "/robots.txt": Reply(b"User-agent: *\nDisallow: /forbidden", content_type="text/plain"),
        "/paper.pdf": Reply(b"%PDF-1.4", content_type="application/pdf"),
        "/lost.html": Reply(b"<p>Not here</p>", 404),
    }
    settings = {"ROBOTSTXT_OBEY": True, "HTTPERROR_ALLOW_ALL": True}
    return show(
        crawls, routes, ["/layout.html", "/empty.html", "/paper.pdf", "/lost.html"], settings
    )


def test_a_page_that_only_exists_after_its_script_ran_gives_its_article(shown: Shown) -> None:
    assert "articleBody" in shown.item("/empty.html")
    assert shown.item("/empty.html")["articleBody"].split("\n") == article_text(5)
    response = shown.responses["/empty.html"]
    assert FLAG in response.flags
    assert response.headers["Content-Type"] == b"text/html; charset=utf-8"
    assert response.url == shown.site.url("/empty.html")


def test_a_page_gets_its_scripts_styles_and_data_and_nothing_else(shown: Shown) -> None:
    asked = sorted(shown.site.paths())
    assert asked == [
        "/app.js", "/data.json", "/empty.html", "/layout.html", "/leads-away", "/lost.html",
        "/paper.pdf", "/site.css",
    ]  # fmt: skip
    assert shown.crawled.counts("render") == {
        "pages": 2,
        "skipped/not_html": 1,
        "resources/fetched": 3,  # and what leads away
        "resources/refused_type": 1,
        "resources/refused_address": 2,
        "resources/refused_robots": 1,
    }


def test_what_is_no_page_passes_as_it_came(shown: Shown) -> None:
    assert shown.responses["/paper.pdf"].body == b"%PDF-1.4"
    assert shown.responses["/lost.html"].body == b"<p>Not here</p>"


def test_rendered_boxes_say_what_is_large_and_beside(shown: Shown) -> None:
    table = shown.table("/layout.html")
    layout = read_layout(table)
    assert layout is not None
    rows = {name: table.ident.index(name) for name in ("top", "main", "side", "in")}
    assert max(rows.values(), key=layout.area) == rows["main"]
    assert layout.top[rows["main"]] == layout.top[rows["side"]] == 100
    assert layout.left[rows["side"]] == layout.left[rows["main"]] + layout.width[rows["main"]]
    assert layout.top[rows["top"]] == layout.left[rows["top"]] == 0
    assert layout.width[rows["main"]] == 900
    assert layout.width[0] == 1280


def test_what_no_reader_sees_is_marked_and_claims_of_the_page_are_overwritten(shown: Shown) -> None:
    table = shown.table("/layout.html")
    boxes = {table.ident[row]: value for row, name, value in table.attributes if name == BOX}
    assert boxes["gone"] == boxes["unseen"] == "hidden"
    assert "none" not in boxes
    hidden = [table.ident[row] for row, name, _ in table.attributes if name == "hidden"]
    assert [name for name in hidden if name] == ["gone", "unseen"]
    body = (table.tag.index("body"), BOX)
    written = {(row, name): value for row, name, value in table.attributes}
    assert written[body].startswith("0 0 1280 ")
    assert "No script" not in shown.responses["/layout.html"].text


def test_open_shadow_roots_are_read_where_they_are_seen(shown: Shown) -> None:
    assert "Shadows have words" in " ".join(shown.table("/layout.html").lines.text)


@with_browser
def test_only_marked_pages_are_rendered_into_the_cache(crawls: Crawls, tmp_path: Path) -> None:
    class MarkingSpider(ShowingSpider):
        async def start(self) -> AsyncIterator[Request]:
            for url in self.start_urls:
                marked = {"webclean_render": True} if "marked" in url else {}
                yield scrapy.Request(url, meta=marked, dont_filter=True)

    settings = {
        **SETTINGS,
        "WEBCLEAN_RENDER": "marked",
        "WEBCLEAN_SIBLING_ENABLED": True,
        "HTTPCACHE_ENABLED": True,
        "HTTPCACHE_DIR": str(tmp_path / "cache"),
    }
    packed = Reply(article(1, ["/marked/2.html"]).encode())
    routes: dict[str, Route] = {
        "/marked/1.html": packed,
        "/marked/2.html": article(2),
        "/plain/1.html": article(3),
    }
    with SiteServer(routes) as site:
        urls = [site.url("/marked/1.html"), site.url("/plain/1.html")]
        first: list[Response] = []
        job = {"JOBDIR": str(tmp_path / "job")}
        crawled = crawls.run(MarkingSpider, {**settings, **job}, urls=urls, seen=first)
        assert crawled.stats["scheduler/enqueued/disk"] == 2
        assert "scheduler/unserializable" not in crawled.stats
        # with its sibling: only what is laid out alike can be compared
        assert crawled.stats["webclean/render/pages"] == 2
        asked = list(site.paths())

        again: list[Response] = []
        replayed = crawls.run(MarkingSpider, settings, urls=urls, seen=again)
        assert site.paths() == asked
        assert not any(name.startswith("webclean/render/") for name in replayed.stats)

    def bodies(responses: list[Response]) -> dict[str, bytes]:
        return {response.url: response.body for response in responses}

    assert bodies(first) == bodies(again)
    assert [b"data-webclean-box" in bodies(again)[url] for url in urls] == [True, False]


@with_browser
def test_what_pages_share_is_fetched_once_and_what_is_packed_is_unpacked(crawls: Crawls) -> None:
    names = ("site", "own", "moved", "packed")
    scripts = "".join(f"<script src=/{name}.js></script>" for name in names)
    add = "document.body.append('{} here. ')"
    packed = {"Content-Encoding": "gzip"}
    routes: dict[str, Route] = {
        f"/{number}.html": Reply(
            gzip.compress(article(number).replace("</body>", scripts).encode()), headers=packed
        )
        for number in (1, 2)
    }
    routes |= {
        "/site.js": Reply(add.format("site").encode(), content_type=SCRIPT),
        "/own.js": Reply(
            add.format("own").encode(), content_type=SCRIPT, headers={"Cache-Control": "no-store"}
        ),
        "/moved.js": Reply(status=301, headers={"Location": "site.js?2"}),
        "/site.js?2": Reply(add.format("moved").encode(), content_type=SCRIPT),
        "/packed.js": Reply(
            gzip.compress(add.format("packed").encode()), content_type=SCRIPT, headers=packed
        ),
        "/bomb.html": gzip_bomb(1_000_000),
    }
    paths = ["/1.html", "/2.html", "/bomb.html"]
    shown = show(crawls, routes, paths, {"CONCURRENT_REQUESTS": 1, "DOWNLOAD_MAXSIZE": 100_000})

    assert shown.crawled.counts("render") == {
        "pages": 2,
        "skipped/too_large": 1,
        "resources/fetched": 5,
        "resources/shared": 3,
    }
    first, second = ["/site.js", "/own.js", "/moved.js", "/site.js?2", "/packed.js"], ["/own.js"]
    assert sorted(shown.site.paths()) == sorted([*paths, *first, *second])
    for path in paths[:2]:
        for name in names:
            assert f"{name} here." in shown.responses[path].text
        assert "Content-Encoding" not in shown.responses[path].headers


@with_browser
def test_a_page_may_ask_for_so_much_and_no_more(crawls: Crawls) -> None:
    asking = "for (let n = 0; n < 155; n++) fetch(`/${n}`); fetch('/round')"
    routes: dict[str, Route] = {
        "/greedy.html": article(1).replace("</body>", f"<script>{asking}</script>"),
        "/round": Reply(status=302, headers={"Location": "/round"}),
    }
    shown = show(crawls, routes, ["/greedy.html"])

    assert len(shown.site.paths()) == 1 + MAX_RESOURCES
    counted = shown.crawled.counts("render")
    assert counted.pop("resources/fetched") + counted.pop("resources/refused_limit") == 156
    assert counted == {"pages": 1}


@with_browser
def test_a_page_that_holds_the_browser_up_passes_as_it_came(crawls: Crawls) -> None:
    faults = {
        "endless": "<script>for (;;);</script>",
        "leaving": "<script>open('about:blank', '_self')</script>",
        "opening": "<script>onload = () => {document.open(); document.write('<p>')}</script>",
        "emptied": "<script>onload = () => document.body.replaceChildren('Log in')</script>",
        "waiting": "<script async src=/slow.js></script>",
    }
    routes: dict[str, Route] = {
        f"/{name}.html": article(number).replace("</body>", script)
        for number, (name, script) in enumerate(faults.items())
    }
    paths = list(routes)
    routes["/slow.js"] = Reply(content_type=SCRIPT, wait=14.5)
    shown = show(crawls, routes, paths, {"WEBCLEAN_RENDER_TIMEOUT_S": 15})

    assert shown.crawled.counts("render") == {
        "pages": 1,
        "failed/TimeoutError": 1,
        "failed/PageLeftError": 1,
        "failed/PageUnfinishedError": 1,
        "skipped/less_text": 1,
        "resources/failed": 1,
    }
    for number, path in enumerate(paths):
        assert shown.item(path)["articleBody"].split("\n") == article_text(number)
        assert (shown.responses[path].text == routes[path]) == (path != "/waiting.html")


def test_without_a_browser_pages_pass(crawls: Crawls, caplog: pytest.LogCaptureFixture) -> None:
    routes: dict[str, Route] = {"/1.html": article(1), "/2.html": article(2)}
    settings = {"PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": shutil.which("false")}}
    with caplog.at_level(logging.WARNING, "webclean_scrapy"):
        shown = show(crawls, routes, list(routes), settings)

    found = shown.crawled.counts("render")
    assert found.pop("failed/BrowserLostError") == 1  # it is tried once
    assert [*found.values()] == [1]  # under the browser's own name for it
    assert len(caplog.records) == 1
    assert {path: r.text for path, r in shown.responses.items()} == routes


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"TWISTED_REACTOR": "twisted.internet.pollreactor.PollReactor"},
            "needs TWISTED_REACTOR = 'twisted.internet.asyncioreactor.AsyncioSelectorReactor'",
        ),
        (
            {"PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": "/no/such/browser"}},
            "executable_path in PLAYWRIGHT_LAUNCH_OPTIONS is not a file: /no/such/browser",
        ),
    ],
)
def test_what_cannot_render_stops_at_the_start(settings: dict[str, Any], sentence: str) -> None:
    from webclean_scrapy.addon import Addon

    with pytest.raises(ConfigError, match=sentence):
        Addon.update_pre_crawler_settings(
            scrapy.settings.Settings({"WEBCLEAN_RENDER": "marked", **settings})
        )
    Addon.update_pre_crawler_settings(scrapy.settings.Settings(settings))
