from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.crawling import Crawls
    from tests.redis_server import RedisServer


@pytest.fixture(scope="session")
def crawls() -> Iterator[Crawls]:
    """Crawls in this process, several in a row."""
    from tests.crawling import Crawls

    runner = Crawls()
    yield runner
    runner.close()


@pytest.fixture(scope="session")
def shared_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One Redis server for all tests of this process that do it no harm."""
    from tests.redis_server import RedisServer

    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis_server(shared_redis: RedisServer) -> RedisServer:
    """The shared server, emptied."""
    shared_redis.client().flushall()
    return shared_redis


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis server to be stopped, filled or changed."""
    from tests.redis_server import RedisServer

    with RedisServer(tmp_path) as server:
        yield server
