import pytest

from tests.watched import Clock
from webclean_scrapy.spiders import WatchSpider


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Give the time that watch spiders see."""
    clock = Clock()
    monkeypatch.setattr(WatchSpider, "clock", staticmethod(clock))
    return clock
