"""A browser that dies during a crawl is restarted with its driver."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import pytest
from scrapy.settings import Settings

from webclean_scrapy.crawl.browser.chromium import Browser, BrowserLostError

pytest.importorskip("scrapy_playwright")


class FakeChromium:
    """Stands for the browser; it was started by *provider*."""

    def __init__(self, provider: FakeProvider) -> None:
        self.provider, self.works = provider, True

    def is_connected(self) -> bool:
        return self.works


class FakeProvider:
    """Stands for the process that starts browsers, until *works* is False."""

    made: ClassVar[list[FakeProvider]] = []
    can_start: ClassVar[bool] = True

    def __init__(self, config: Any) -> None:
        self.works = self.can_start
        self.made.append(self)

    async def start(self) -> None:
        pass

    async def launch_browser(self) -> FakeChromium:
        if not self.works:
            raise ConnectionError("Connection closed while reading from the driver")
        return FakeChromium(self)

    async def close(self) -> None:
        if not self.works:
            raise ConnectionError("it is gone")


def test_the_browser_and_its_driver_are_started_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(FakeProvider, "made", [])

    async def use() -> None:
        settings = Settings({"PLAYWRIGHT_BROWSER_PROVIDER": FakeProvider})
        browser = Browser(settings, tabs=1, timeout_s=1)
        first: Any = await browser._running()
        first.works = False  # killed alone
        second: Any = await browser._running()
        assert second is not first
        second.works = second.provider.works = False  # both were killed
        third: Any = await browser._running()
        assert third.provider is not second.provider
        assert len(FakeProvider.made) == 3
        assert caplog.text.count("another one takes its place") == 2

        third.works = third.provider.works = False
        monkeypatch.setattr(FakeProvider, "can_start", False)
        with pytest.raises(ConnectionError):
            await browser._running()
        with pytest.raises(BrowserLostError):  # it is not tried for every page
            await browser._running()

    asyncio.run(use())
