"""Logs each article as one short line, where Scrapy would print its whole body.

The add-on does not set it; the ready-made crawls do, in ``LOG_FORMATTER``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.logformatter import LogFormatter

from webclean_scrapy.errors import visible_line
from webclean_scrapy.items import ARTICLE_FIELDS, RECORD, describe

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatterResult
    from twisted.python.failure import Failure


class ArticleLogFormatter(LogFormatter):
    """Scrapy's formatter; items that were filled are described, all others printed as ever."""

    def scraped(
        self, item: Any, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult:
        """Return the message for an item that has passed all pipelines."""
        return super().scraped(_Shown(item), response, spider)

    def dropped(
        self,
        item: Any,
        exception: BaseException,
        response: Response | Failure | None,
        spider: Spider,
    ) -> LogFormatterResult:
        """Return the message for an item that a pipeline has dropped."""
        made = super().dropped(_Shown(item), exception, response, spider)
        args = made["args"]
        if isinstance(args, dict) and "exception" in args:  # it may name an address of the page
            args = {**args, "exception": visible_line(exception)}
        return {**made, "args": args}


class _Shown:
    """The line of a filled item with the fields that are the project's own; made when it is logged.

    Most crawls log no items.
    """

    def __init__(self, item: Any) -> None:
        self._item = item

    def __str__(self) -> str:
        item = self._item
        adapter = ItemAdapter(item) if ItemAdapter.is_item(item) else {}
        if not adapter.get(RECORD) and not adapter.get("articleBody"):
            return str(item)
        own = {name: value for name, value in adapter.items() if name not in ARTICLE_FIELDS}
        return describe(type(item).__name__, adapter) + (f" {own}" if own else "")
