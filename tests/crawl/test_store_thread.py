from __future__ import annotations

import threading
import time

import pytest

from webclean_scrapy.crawl.store_thread import FIRST_PAUSE_S, LONGEST_PAUSE_S, Breaker, RedisLink
from webclean_scrapy.errors import StoreSchemeError, StoreUnavailableError


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_circuit_is_closed_until_the_server_fails() -> None:
    breaker = Breaker()
    states = [breaker.is_open, breaker.take_look()]
    breaker.fail()
    states.append(breaker.is_open)
    breaker.recover()
    states.append(breaker.is_open)
    assert states == [False, False, True, False]


def test_a_look_is_due_once_after_pauses_that_grow_up_to_a_limit() -> None:
    clock = Clock()
    breaker = Breaker(clock)
    pause = FIRST_PAUSE_S
    for _ in range(10):
        breaker.fail()
        clock.now += pause - 0.01
        assert not breaker.take_look()
        clock.now += 0.01
        assert breaker.take_look()
        assert not breaker.take_look()
        pause = min(2 * pause, LONGEST_PAUSE_S)
    assert pause == LONGEST_PAUSE_S
    breaker.recover()
    breaker.fail()
    clock.now += FIRST_PAUSE_S
    assert breaker.take_look()


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
    link = RedisLink(server.renew)
    assert link.call(server.ask) == "yes"
    server.works = False
    with pytest.raises(StoreUnavailableError, match="gone"):
        link.call(server.ask)
    server.works = True
    for _ in range(3):
        with pytest.raises(StoreUnavailableError, match="request skipped"):
            link.call(server.ask)
    assert server.asked == 2
    time.sleep(0.002)
    with pytest.raises(StoreUnavailableError, match="requests are paused"):
        link.check()  # which begins to look
    assert server.looked.wait(5)
    link.submit(int).result(5)
    link.check()
    assert link.call(server.ask) == "yes"
    link.close()


def test_an_answer_that_is_no_failure_of_the_server_leaves_the_circuit_closed() -> None:
    server = Server()
    link = RedisLink(server.renew)

    def refuse() -> None:
        raise StoreSchemeError("damaged")

    with pytest.raises(StoreSchemeError):
        link.call(refuse)
    assert link.submit(lambda: link.call(server.ask)).result(5) == "yes"
    link.look_now()
    assert not server.looked.is_set()
    link.close()
