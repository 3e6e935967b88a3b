from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from playwright.sync_api import Browser

    from tests.crawling import Crawls
    from tests.redis_groups import Cluster, SentinelGroup
    from tests.redis_server import RedisServer

# How long an example takes tells of the machine: the first of a script loads its tables, and other
# work may go on beside it. Each run draws other examples; `make nightly` draws a million.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")
# In the background of a shell SIGINT is ignored, also by the programs that tests start and stop.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


TESTS = Path(__file__).parent
#: The layers of tests by folder; those of other folders and of tests/ itself are crawls.
LAYERS = {
    **dict.fromkeys(
        ("cases", "classify", "cleaning", "dedup", "golden", "keywords", "report"), "unit"
    ),
    **dict.fromkeys(("demo", "docs", "e2e", "engines", "nightly"), "e2e"),
}


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Mark each test with its layer; the doctests of the package are unit tests."""
    for item in items:
        if item.path.is_relative_to(TESTS):
            item.add_marker(LAYERS.get(item.path.relative_to(TESTS).parts[0], "crawl"))
        else:
            item.add_marker("unit")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Return the workers of ``-n auto``: three on two cores, as tests wait for other processes."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return cores + (cores + 1) // 2


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skipped test into a failed one on a build machine (``CI=true``)."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"skipped, and with CI=true nothing may be: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _forget_project() -> Iterator[None]:
    """Forget the project that Scrapy found: the programs of later tests would inherit its name."""
    yield
    os.environ.pop("SCRAPY_SETTINGS_MODULE", None)


@pytest.fixture
def no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave this project."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser; without one its tests are skipped."""
    from playwright.sync_api import sync_playwright

    from tests.browser import CHROMIUM

    if CHROMIUM is None:
        pytest.skip("there is no chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()


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


@pytest.fixture(scope="session")
def shared_sentinels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SentinelGroup]:
    from tests.redis_groups import SentinelGroup

    with SentinelGroup(tmp_path_factory.mktemp("sentinels")) as group:
        yield group


@pytest.fixture
def sentinels(shared_sentinels: SentinelGroup) -> SentinelGroup:
    """A primary, its replica and a sentinel, emptied; all may be killed."""
    shared_sentinels.heal()
    return shared_sentinels


@pytest.fixture(scope="session")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    from tests.redis_groups import Cluster

    with Cluster(tmp_path_factory.mktemp("cluster"), "site") as group:
        yield group


@pytest.fixture
def cluster(shared_cluster: Cluster) -> Cluster:
    """A cluster of three nodes and a replica, emptied; all may be killed."""
    shared_cluster.heal()
    return shared_cluster
