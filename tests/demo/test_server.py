"""The server answers like a real one, and only counts."""

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from spiders.demo import DemoServer, Portal, build_portal


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


def test_each_round_that_watches_the_portal_adds_one_day(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with DemoServer() as free:
        port = free.port
    words = ["--watch", str(tmp_path / "news.jsonl"), "--port", str(port)]
    had: list[set[str]] = []
    for _ in range(2):
        subprocess.run([sys.executable, "-m", "spiders.demo", *words], env=environment, check=True)
        lines = (tmp_path / "news.jsonl").read_text("utf-8").splitlines()
        had.append({urlsplit(json.loads(line)["url"]).path for line in lines})
    days = [{*build_portal(f"2026-03-0{day}").articles} for day in (1, 2)]
    assert had[0] <= days[0]
    assert had[1] - had[0] == days[1] - days[0] != set()
