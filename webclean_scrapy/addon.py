"""The add-on: one line in ``ADDONS`` puts every component at its place."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from webclean_scrapy.config import WebcleanConfig, unknown_settings
from webclean_scrapy.crawl.browser.chromium import check_browser
from webclean_scrapy.crawl.service import WebcleanService
from webclean_scrapy.downloadermiddlewares.render import RenderMiddleware
from webclean_scrapy.downloadermiddlewares.shared_templates import SharedTemplatesMiddleware
from webclean_scrapy.downloadermiddlewares.sibling import SiblingMiddleware
from webclean_scrapy.pipelines.clean import CleanPipeline
from webclean_scrapy.pipelines.dedup import DedupPipeline
from webclean_scrapy.settings import TABLE
from webclean_scrapy.spidermiddlewares.attach import AttachPageMiddleware

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

COMPONENTS: tuple[tuple[str, type, int], ...] = (
    ("EXTENSIONS", WebcleanService, 500),
    # Above 900: pages are in the HTTP cache as they were rendered.
    ("DOWNLOADER_MIDDLEWARES", RenderMiddleware, 950),
    # Below 550: redirects, retries and decompression are done when a page gets here.
    ("DOWNLOADER_MIDDLEWARES", SiblingMiddleware, 540),
    ("DOWNLOADER_MIDDLEWARES", SharedTemplatesMiddleware, 541),
    # Nearest to the engine: it sees items as they are when the other middlewares are through.
    ("SPIDER_MIDDLEWARES", AttachPageMiddleware, 10),
    ("ITEM_PIPELINES", CleanPipeline, 300),
    ("ITEM_PIPELINES", DedupPipeline, 800),
)


class Addon:
    """Turns a crawl into clean, de-duplicated articles.

    In the settings of a project: ``ADDONS = {"webclean_scrapy.Addon": 500}``.
    A position, or None, that the user has set for a component stays as it is.
    """

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Check the settings of the project before there is a crawler.

        Scrapy ends with an error code for what is raised here in every version; for what a
        crawler raises while it is built, only from 2.15 on.
        """
        config = WebcleanConfig.from_settings(settings)
        if config.enabled and config.render != "off":
            check_browser(settings)

    def update_settings(self, settings: BaseSettings) -> None:
        """Check every setting, then add the components that have no position yet.

        Raises:
            ConfigError: a setting cannot be used; the crawl does not start.
            NotConfigured: ``WEBCLEAN_ENABLED`` is off.
        """
        for name, nearest in unknown_settings(settings):
            hint = f"did you mean {nearest}?" if nearest else "see the table of settings"
            logger.warning("There is no setting %s; %s", name, hint)
        config = WebcleanConfig.from_settings(settings)
        if not config.enabled:
            raise NotConfigured(f"{TABLE[0].name} is off")
        if config.render != "off":
            check_browser(settings)
        config.clean_config()  # its own checks, now and not at the first page
        for name, component, place in COMPONENTS:
            settings.setdefault_in_component_priority_dict(name, component, place)
