"""What the components of one crawl share: the settings, the cleaner and the pages on their way.

Why an extension: Scrapy builds the extensions of a crawler before its middlewares and pipelines,
keeps exactly one of each per crawler, and finds it by class (``crawler.get_extension``). So the
sibling middleware and the clean pipeline meet in one ``Cleaner`` without module state, and two
crawls of one process never share one.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.job import job_dir

from webclean_scrapy.config import WebcleanConfig
from webclean_scrapy.errors import TemplateFileError
from webclean_scrapy.handover import PageHandover
from webclean_scrapy.page.guard import GuardConfig

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)

TEMPLATES_FILE = "webclean-templates.json"


class WebcleanService:
    """Holds the one ``Cleaner`` of a crawl; with JOBDIR its templates outlive the process."""

    def __init__(self, crawler: Crawler) -> None:
        from webclean_scrapy.cleaner import Cleaner  # numpy, jieba: only where a crawl runs

        self.config = WebcleanConfig.from_settings(crawler.settings)
        self.cleaner = Cleaner(self.config.clean_config())
        self.guard = GuardConfig(max_bytes=self.config.max_body_bytes)
        self.pages = PageHandover(crawler.stats)
        self._crawler = crawler
        directory = job_dir(crawler.settings)
        self._templates = Path(directory) / TEMPLATES_FILE if directory else None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        service = cls(crawler)
        service.load_templates()
        crawler.signals.connect(service.save_templates, signal=signals.spider_closed)
        for signal in (signals.item_dropped, signals.item_error, signals.item_scraped):
            crawler.signals.connect(service.item_is_through, signal=signal)
        return service

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """Return the service of *crawler*.

        Raises:
            NotConfigured: there is none, because the add-on is not in ``ADDONS``.
        """
        service = crawler.get_extension(cls)
        if service is None:
            raise NotConfigured(f"{cls.__name__} is not among the EXTENSIONS of this crawl")
        return service

    def item_is_through(self, item: object) -> None:
        """Let the page of an item go, wherever the item's way ended."""
        self.pages.release(item)

    def load_templates(self) -> None:
        """Learn from the last run of this job; a file that cannot be read costs only a warning."""
        if self._templates is None or not self._templates.exists():
            return
        try:
            self.cleaner.load(self._templates)
        except TemplateFileError as error:
            logger.warning("Templates of the last run are not used: %s", error)

    def save_templates(self) -> None:
        """Write what was learned into JOBDIR, where there is one."""
        if self._templates is not None:
            self.cleaner.save(self._templates)
