"""The server answers like a real one, and only counts."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from spiders.demo import DemoServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spiders.demo import Portal


@pytest.fixture
def server(portal: Portal) -> Iterator[DemoServer]:
    with DemoServer(portal) as running:
        yield running


def test_every_page_arrives_as_it_was_built_over_one_connection(server: DemoServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.connect()
    socket = connection.sock
    for path, page in server.portal.pages.items():
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.read() == page.body
        assert (answer.status, answer.headers["Content-Type"]) == (page.status, page.content_type)
        assert answer.headers["Content-Length"] == str(len(page.body))
        assert connection.sock is socket, "the connection was not kept alive"
    connection.close()
    assert server.hits == dict.fromkeys(server.portal.pages, 1)


def test_unknown_and_missing_paths_are_answered_with_404(server: DemoServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    for path in [*server.portal.missing_paths, "/nowhere", "/harbour/news?page=99"]:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Content-Type"][:9]) == (404, "text/html")
        answer.read()
    connection.close()
    assert server.total == len(server.portal.missing_paths) + 2


def test_head_has_the_length_and_no_body(server: DemoServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("HEAD", "/")
    answer = connection.getresponse()
    assert answer.headers["Content-Length"] == str(len(server.portal.pages["/"].body))
    assert answer.read() == b""
    connection.close()


def test_hits_are_exact_with_many_clients(server: DemoServer) -> None:
    def ask(_: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        for path in ("/", "/hexi/"):
            connection.request("GET", path)
            connection.getresponse().read()
        connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(40)))
    assert server.hits == {"/": 40, "/hexi/": 40}


def test_url_is_absolute_and_the_port_is_free_again_after_closing(portal: Portal) -> None:
    for _ in range(20):
        with DemoServer(portal) as first:
            port = first.port
            assert first.url("/nanwan/") == f"http://127.0.0.1:{port}/nanwan/"
        with suppress(OSError), DemoServer(portal, port=port) as second:  # somebody was faster
            assert second.port == port
            return
    pytest.fail("no port was free again")


def test_the_module_serves_until_interrupted() -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "spiders.demo"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split("http://127.0.0.1:")[1].split("/")[0]
        connection = http.client.HTTPConnection("127.0.0.1", int(address))
        connection.request("GET", "/robots.txt")
        assert connection.getresponse().read().startswith(b"User-agent")
        connection.close()
        process.send_signal(signal.SIGINT)
        said, complaints = process.communicate()
    assert (process.returncode, complaints) == (0, "")
    assert "Answered 1 requests" in said


def test_a_taken_port_is_said_in_one_sentence(server: DemoServer) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "spiders.demo", "--port", str(server.port)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert f"cannot listen on port {server.port}" in run.stderr
    assert "Traceback" not in run.stderr
