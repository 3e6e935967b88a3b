from __future__ import annotations

import threading
import time

import pytest

from webclean_scrapy.crawl.store_thread import StoreThread
from webclean_scrapy.errors import StoreSchemeError, StoreUnavailableError


class Server:
    """Stands for one that works or not."""

    def __init__(self) -> None:
        self.works = True
        self.asked = 0
        self.looked = threading.Event()

    def ask(self) -> str:
        self.asked += 1
        self._answer()
        return "yes"

    def renew(self) -> None:
        try:
            self._answer()
        finally:
            self.looked.set()

    def _answer(self) -> None:
        if not self.works:
            raise StoreUnavailableError("gone")


def test_a_failed_server_is_not_asked_until_a_look_finds_it_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("webclean_scrapy.crawl.store_thread.FIRST_PAUSE_S", 0.001)
    server = Server()
    thread = StoreThread(server.renew)
    assert thread.call(server.ask) == "yes"
    server.works = False
    with pytest.raises(StoreUnavailableError, match="gone"):
        thread.call(server.ask)
    server.works = True
    for _ in range(3):
        with pytest.raises(StoreUnavailableError, match="request skipped: gone"):
            thread.call(server.ask)
    assert server.asked == 2
    time.sleep(0.002)
    with pytest.raises(StoreUnavailableError, match="gone; requests are paused"):
        thread.raise_if_open()  # which begins to look
    assert server.looked.wait(60)
    thread.submit(int).result(60)
    thread.raise_if_open()
    assert thread.call(server.ask) == "yes"
    thread.close()


def test_an_answer_that_is_no_failure_of_the_server_leaves_the_circuit_closed() -> None:
    server = Server()
    thread = StoreThread(server.renew)

    def refuse() -> None:
        raise StoreSchemeError("damaged")

    with pytest.raises(StoreSchemeError):
        thread.call(refuse)
    assert thread.submit(lambda: thread.call(server.ask)).result(60) == "yes"
    thread.probe_if_open()
    assert not server.looked.is_set()
    thread.close()
