"""Log items in one line each: the add-on's ``LOG_FORMATTER``, where a project has none."""

from __future__ import annotations

import os
import reprlib
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.logformatter import LogFormatter

from webclean_scrapy.items import RECORD

if TYPE_CHECKING:
    from scrapy.logformatter import LogFormatterResult

MAX_VALUE = 60  # characters shown of a field


class ShortLogFormatter(LogFormatter):
    """Shows the beginning and end of each field of an item, without its record."""

    def scraped(self, item: Any, *given: Any, **named: Any) -> LogFormatterResult:
        return _in_one_line(super().scraped(_Short(item), *given, **named))

    def dropped(self, item: Any, *given: Any, **named: Any) -> LogFormatterResult:
        return _in_one_line(super().dropped(_Short(item), *given, **named))

    def item_error(self, item: Any, *given: Any, **named: Any) -> LogFormatterResult:
        return super().item_error(_Short(item), *given, **named)


class _Short:
    """An item as one line, computed only if it is logged."""

    def __init__(self, item: Any) -> None:
        self._item = item

    def __str__(self) -> str:
        short = reprlib.Repr()
        short.maxstring = short.maxother = MAX_VALUE
        short.maxdict = short.maxlist = short.maxtuple = short.maxset = 2
        if not ItemAdapter.is_item(self._item):
            return short.repr(self._item)
        fields = {k: v for k, v in ItemAdapter(self._item).items() if v and k != RECORD}
        shown = ", ".join(f"{name}={short.repr(value)}" for name, value in fields.items())
        return f"{type(self._item).__name__}({shown})"


def _in_one_line(found: LogFormatterResult) -> LogFormatterResult:
    return {**found, "msg": found["msg"].replace(os.linesep, " ")}
