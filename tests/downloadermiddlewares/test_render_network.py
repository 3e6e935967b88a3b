"""A rendered page reaches no private address, and the browser sends no request itself."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from scrapy.http import Response

from tests.crawling import Crawls, PageSpider
from tests.downloadermiddlewares.test_render import SCRIPT, SETTINGS, with_browser
from tests.pages import article, article_text
from tests.server import Reply, Route, SiteServer, redirect
from tests.toml_files import read_toml

RAN = "It ran to its end."
#: Ways of a document to another server, by name; "{away}" is its host and port.
WAYS = read_toml(Path(__file__).with_name("ways_out.toml"))
#: The last of all: a browser reads no further.
LEAVE = "<script>location.href = 'http://{away}/location'</script>"


class RanSpider(PageSpider):
    """Notes whether the scripts of the page ran."""

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url, "ran": RAN in response.text.partition("<script")[0]}


def hostile_page(away: str, udp: str) -> str:
    """Return an article that tries all ways out; its last script reports that it ran."""
    parts = [*WAYS["markup"].values()]
    parts += [
        f"<script>try {{ {code} }} catch (e) {{}}</script>" for code in WAYS["scripts"].values()
    ]
    parts.append(f"<script>document.querySelector('.body').append('{RAN}')</script>{LEAVE}")
    tries = "".join(parts).replace("{away}", away).replace("{udp}", udp)
    return article(3).replace("</body>", f"{tries}</body>")


def was_sent(udp: socket.socket) -> bool:
    udp.setblocking(False)
    with suppress(BlockingIOError):
        return bool(udp.recv(2000))
    return False


@with_browser
def test_no_way_leads_out_of_a_rendered_page(crawls: Crawls) -> None:
    with SiteServer({}) as elsewhere, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        away = f"127.0.0.1:{elsewhere.port}"
        routes: dict[str, Route] = {
            "/page.html": hostile_page(away, f"127.0.0.1:{udp.getsockname()[1]}"),
            "/worker.js": Reply(f"fetch('http://{away}/sw')".encode(), content_type=SCRIPT),
            "/away": redirect(f"http://{away}/redirected"),
            "/hops": redirect("/away"),
        }
        with SiteServer(routes) as site:
            crawled = crawls.run(RanSpider, SETTINGS, urls=[site.url("/page.html")])

        assert elsewhere.asked == []
        assert not was_sent(udp)
    (item,) = crawled.items
    assert item["articleBody"].split("\n")[:5] == article_text(3)[:5]
    assert item["ran"]
    assert set(site.paths()) <= {"/page.html", "/away", "/hops"}
    assert crawled.stats["webclean/render/resources/refused_address"] >= 8
