"""The add-on: one line in ``ADDONS`` adds every component at its position."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured
from scrapy.settings import SETTINGS_PRIORITIES

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.crawl.pipeline_order import CLEAN, DEDUP
from webclean_scrapy.crawl.scrapy_private import one_sentence
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.crawl.settings_files import checked_config
from webclean_scrapy.downloadermiddlewares.backpressure import BackpressureMiddleware
from webclean_scrapy.downloadermiddlewares.parts import PartsMiddleware
from webclean_scrapy.downloadermiddlewares.render import RenderMiddleware
from webclean_scrapy.downloadermiddlewares.sibling import SiblingMiddleware
from webclean_scrapy.export.tables import NEW_EXPORTERS
from webclean_scrapy.pipelines.classify import ClassifyPipeline
from webclean_scrapy.pipelines.clean import CleanPipeline
from webclean_scrapy.pipelines.dedup import DedupPipeline
from webclean_scrapy.pipelines.store import StorePipeline
from webclean_scrapy.report.collector import ReportCollector
from webclean_scrapy.settings import SETTINGS, idle_settings
from webclean_scrapy.spidermiddlewares.attach import AttachPageMiddleware

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = safe_logger(__name__)

COMPONENTS: tuple[tuple[str, type, int], ...] = (
    # Before the service, which forgets the pages of items that were exported or lost.
    ("EXTENSIONS", ReportCollector, 499),
    ("EXTENSIONS", WebcleanService, 500),
    # Above 900: the HTTP cache stores pages as rendered.
    ("DOWNLOADER_MIDDLEWARES", RenderMiddleware, 950),
    # Below 550: redirects, retries and decompression are done before.
    ("DOWNLOADER_MIDDLEWARES", SiblingMiddleware, 540),
    ("DOWNLOADER_MIDDLEWARES", PartsMiddleware, 545),
    # Nearest to the engine: all else is done with a response that waits here.
    ("DOWNLOADER_MIDDLEWARES", BackpressureMiddleware, 10),
    # Nearest to the engine: it sees items after all other spider middlewares.
    ("SPIDER_MIDDLEWARES", AttachPageMiddleware, 10),
    # Before 300, where Scrapy's template puts the first pipeline of a project: it sees items that
    # are filled, and none that are copies.
    ("ITEM_PIPELINES", CleanPipeline, CLEAN),
    ("ITEM_PIPELINES", DedupPipeline, DEDUP),
    # Behind it: items that are dropped need no class.
    ("ITEM_PIPELINES", ClassifyPipeline, 280),
    # After the project's pipelines, so that it stores the same items as the feeds.
    ("ITEM_PIPELINES", StorePipeline, 1000),
)

ENABLED = next(one for one in SETTINGS if one.key == "enabled")
_OF_ADDONS = SETTINGS_PRIORITIES["addon"]
LOG_FORMATTER = "webclean_scrapy.crawl.log_formatter.ShortLogFormatter"
POET_PROVIDER = "webclean_scrapy.poet.CleanedArticleProvider"  # imports scrapy-poet


class Addon:
    """Turns a crawl into clean, de-duplicated articles.

    It adds components, and exporters for formats that neither Scrapy nor the project has one for.

    In the settings of a project: ``ADDONS = {"webclean_scrapy.Addon": 500}``.
    A position, or None, that the user has set for a component is kept.
    """

    @classmethod
    @one_sentence()
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Check the settings of the project before a crawler is created.

        Every Scrapy version exits with an error code for an error raised here; for one raised
        while a crawler is built, where the service checks the settings of its spider too, only
        2.15 and later do. Raises: ConfigError.
        """
        checked_config(settings)

    @one_sentence()
    def update_settings(self, settings: BaseSettings) -> None:
        """Add the components that have no position yet, and warn of settings without effect.

        Raises: NotConfigured when ``WEBCLEAN_ENABLED`` is False, without a text, of which Scrapy
        would warn; ConfigError for no truth value.
        """
        for what, change in idle_settings(settings):
            logger.warning("%s; %s", what, change)
        if not ENABLED.read(settings):
            logger.info("%s is False: this crawl runs without the add-on", ENABLED.name)
            raise NotConfigured
        for name, component, position in COMPONENTS:
            settings.setdefault_in_component_priority_dict(name, component, position)
        known = {*settings.getdict("FEED_EXPORTERS_BASE"), *settings.getdict("FEED_EXPORTERS")}
        _add(settings, "FEED_EXPORTERS", {k: v for k, v in NEW_EXPORTERS.items() if k not in known})
        if not settings.getpriority("LOG_FORMATTER"):  # Scrapy's, which logs items whole
            settings.set("LOG_FORMATTER", LOG_FORMATTER, _OF_ADDONS)
        if find_spec("scrapy_poet"):
            _add(settings, "SCRAPY_POET_PROVIDERS", {POET_PROVIDER: 550})


def _add(settings: BaseSettings, name: str, entries: dict[str, Any]) -> None:
    """Add *entries* to a setting that is a dict, and keep the present ones."""
    given = settings.getdict(name)
    if not entries.keys() <= given.keys():
        priority = max(settings.getpriority(name) or 0, _OF_ADDONS)
        settings.set(name, {**entries, **given}, priority)
