"""A real HTTP server for tests, with routes that misbehave on purpose.

with SiteServer({"/a.html": article(1)}) as site:
    ...  # crawl site.url("/a.html")
assert site.paths() == ["/a.html"]
"""

import gzip
import itertools
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from typing_extensions import Self

HTML = "text/html; charset=utf-8"


class Asked(NamedTuple):
    """One request as it came in."""

    path: str
    headers: dict[str, str]  # names in lower case
    at: float = 0.0  # seconds of a clock that only rises


@dataclass(frozen=True, slots=True)
class Reply:
    """The response of a route.

    *drip*: seconds between the bytes of the body, which never ends. *raw*: all that is sent, head
    and body, with *wait* seconds before each part; then the server hangs up.
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = HTML
    drip: float = 0.0
    wait: float = 0.0  # seconds before the first byte
    raw: Sequence[bytes] = ()


Route = Reply | str | Callable[[Asked], "Reply | str"]
NOT_FOUND = Reply(b"<h1>Not found</h1>", 404)


def redirect(location: str, status: int = 302, wait: float = 0.0) -> Reply:
    """Return a reply that sends the client elsewhere."""
    return Reply(status=status, headers={"Location": location}, wait=wait)


def gzip_bomb(size: int) -> Reply:
    """Return a small body that unpacks to *size* bytes of HTML."""
    packed = gzip.compress(b"<html><body><p>" + b"x" * size)
    return Reply(packed, headers={"Content-Encoding": "gzip"})


class SiteServer:
    """Serves *routes* on 127.0.0.1 while the context is open and logs every request.

    *other* answers for all other paths; by default it is a 404.
    """

    def __init__(self, routes: Mapping[str, Route], other: Route = NOT_FOUND) -> None:
        self.routes = dict(routes)
        self.other = other
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), partial(_Handler, site=self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        """The requested paths, in order, without robots.txt."""
        return [asked.path for asked in self.asked if asked.path != "/robots.txt"]

    def gaps(self) -> list[float]:
        """Seconds between one request and the next, without robots.txt."""
        times = [asked.at for asked in self.asked if asked.path != "/robots.txt"]
        return [later - sooner for sooner, later in itertools.pairwise(times)]

    def headers_of(self, path: str) -> list[dict[str, str]]:
        """The headers of each request for *path*."""
        return [asked.headers for asked in self.asked if asked.path == path]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of clients that hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def __init__(self, *args: Any, site: SiteServer) -> None:
        self._site = site
        super().__init__(*args)

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path, headers, time.monotonic())
        self._site.asked.append(asked)
        route = self._site.routes.get(self.path, self._site.other)
        if callable(route):
            route = route(asked)
        self._answer(Reply(route.encode()) if isinstance(route, str) else route)

    def _answer(self, reply: Reply) -> None:
        for part in reply.raw:
            time.sleep(reply.wait)
            self.wfile.write(part)
        if reply.raw:
            self.close_connection = True
            return
        time.sleep(reply.wait)
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.content_type)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.drip:
            self.end_headers()
            self.close_connection = True
            while not self._site.closing.wait(reply.drip):
                self.wfile.write(b"x")
                self.wfile.flush()
            return
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, inherited
        """Log nothing."""
