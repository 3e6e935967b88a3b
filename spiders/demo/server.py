"""A real HTTP server for the demo portal and other made pages, on this machine only."""

from __future__ import annotations

import threading
from collections import Counter
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from spiders.demo.build import build_portal
from spiders.demo.model import DemoPage

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from typing_extensions import Self

    from spiders.demo.model import Portal

_NOT_FOUND = """<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1>
<p>The page was moved or never existed.</p><p><a href="/">Home</a></p></body></html>
"""
_MISSING = DemoPage(body=_NOT_FOUND.encode(), status=404)


class PageServer:
    """Serves the pages that *find* returns for paths, on 127.0.0.1 while the context is open.

    A path for which *find* returns None gets status 404. ``port`` 0 takes any free port. ``hits``
    counts requests by path with query, ``total`` all of them. Threads are daemons: none is left
    when the context closes.
    """

    def __init__(self, find: Callable[[str], DemoPage | None], *, port: int = 0) -> None:
        self._hits: Counter[str] = Counter()
        self._lock = threading.Lock()
        handler = partial(_Handler, find=find, count=self._count)
        self._server = _Server(("127.0.0.1", port), handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def port(self) -> int:
        """The port that is listened on."""
        return int(self._server.server_address[1])

    @property
    def hits(self) -> dict[str, int]:
        """Requests so far by path with query, unknown paths too."""
        with self._lock:
            return dict(self._hits)

    @property
    def total(self) -> int:
        """Requests so far."""
        return sum(self.hits.values())

    def url(self, path: str = "/") -> str:
        """The absolute URL of a path."""
        return f"http://127.0.0.1:{self.port}{path}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _count(self, path: str) -> None:
        with self._lock:
            self._hits[path] += 1


class DemoServer(PageServer):
    """Serves a portal, by default the demo portal."""

    def __init__(self, portal: Portal | None = None, *, port: int = 0) -> None:
        self.portal = portal or build_portal()
        super().__init__(self.portal.pages.get, port=port)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # kept-alive connections would hold the closing back
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of clients that hang up."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keep-alive
    server_version = "DemoPortal"
    disable_nagle_algorithm = True

    def __init__(self, *args: Any, find: Callable[[str], DemoPage | None], count: Any) -> None:
        self._find = find
        self._count_hit = count
        super().__init__(*args)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        self._count_hit(self.path)
        page = self._find(self.path) or _MISSING
        self.send_response(page.status)
        self.send_header("Content-Type", page.content_type)
        self.send_header("Content-Length", str(len(page.body)))
        self.end_headers()
        if with_body:
            self.wfile.write(page.body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, the name is inherited
        """Log nothing."""
