"""A rendered page reaches no private address, and the browser sends no request itself."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from scrapy.http import Response

from tests.crawling import Crawls, PageSpider
from tests.downloadermiddlewares.test_render import SCRIPT, SETTINGS, with_browser
from tests.pages import article, article_text
from tests.server import Reply, Route, SiteServer, redirect

RAN = "It ran to its end."
#: Ways of a document to another server, by name; "{away}" is its host and port.
MARKUP = {
    "image": "<img src=http://{away}/image srcset='http://{away}/srcset 2x'>",
    "picture": "<picture><source srcset=http://{away}/source><img></picture>",
    "frame": "<iframe src=http://{away}/frame></iframe>",
    "frame inside": "<iframe srcdoc='<script src=http://{away}/inside></script>'></iframe>",
    "object": "<object data=http://{away}/object></object><embed src=http://{away}/embed>",
    "media": "<video src=http://{away}/video poster=http://{away}/poster autoplay></video>",
    "script": "<script src=http://{away}/script></script>",
    "module": "<script type=module>import 'http://{away}/module'</script>",
    "style": "<style>@import 'http://{away}/import'; body {background: url(http://{away}/back)}"
    "@font-face {font-family: f; src: url(http://{away}/font)} p {font-family: f}</style>",
    "link": "".join(
        f"<link rel={rel} as=script href=http://{{away}}/{rel}>"
        for rel in ("stylesheet", "preload", "prefetch", "preconnect", "dns-prefetch", "icon",
                    "manifest", "modulepreload", "prerender")
    ),
    "SVG": "<svg><image href=http://{away}/svg /><use href=http://{away}/use#a /></svg>",
    "speculation": '<script type=speculationrules>{"prefetch": [{"source": "list", "urls":'
    ' ["http://{away}/speculation"]}]}</script>',
}  # fmt: skip
SCRIPTS = {
    "fetch": "fetch('http://{away}/fetch', {mode: 'no-cors'})",
    "POST": "fetch('http://{away}/post', {method: 'POST', mode: 'no-cors', body: 'x'})",
    "request": "let r = new XMLHttpRequest; r.open('GET', 'http://{away}/xhr'); r.send()",
    "beacon": "navigator.sendBeacon('http://{away}/beacon', 'x')",
    "events": "new EventSource('http://{away}/events')",
    "socket": "new WebSocket('ws://{away}/socket')",
    "transport": "new WebTransport('https://{away}/transport').ready.catch(() => 0)",
    "worker": "new Worker(URL.createObjectURL(new Blob([`fetch('http://{away}/worker')`])))",
    "shared worker": "new SharedWorker(URL.createObjectURL(new Blob([`fetch('http://{away}/w')`])))",
    "service worker": "navigator.serviceWorker.register('/worker.js')",
    "redirect": "fetch('/away', {mode: 'no-cors'})",
    "redirect twice": "fetch('/hops', {mode: 'no-cors'})",
    "frame of its own": """let f = document.createElement('iframe'); document.body.append(f);
        f.contentWindow.fetch('http://{away}/contentwindow', {mode: 'no-cors'})""",
    "form": """let m = document.createElement('form'); m.action = 'http://{away}/form';
        m.target = '_blank'; document.body.append(m); m.submit()""",
    "window": "open('http://{away}/window')",
    "peers": """let g = document.createElement('iframe'); document.body.append(g);
        for (const place of [self, g.contentWindow]) {
          const Peer = place.RTCPeerConnection;
          if (!Peer) continue;
          const peer = new Peer({iceServers: [{urls: 'stun:{udp}'}]});
          peer.createDataChannel('x');
          peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        }""",
}
#: The last of all: a browser reads no further.
LEAVE = "<script>location.href = 'http://{away}/location'</script>"


class RanSpider(PageSpider):
    """Notes whether the scripts of the page ran."""

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url, "ran": RAN in response.text.partition("<script")[0]}


def hostile_page(away: str, udp: str) -> str:
    """Return an article that tries all ways out; its last script reports that it ran."""
    parts = [*MARKUP.values()]
    parts += [f"<script>try {{ {code} }} catch (e) {{}}</script>" for code in SCRIPTS.values()]
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
