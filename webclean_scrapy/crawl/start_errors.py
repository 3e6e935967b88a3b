"""A crawl that cannot start because of a setting says so in one line, not in a traceback."""

from __future__ import annotations

import logging

from webclean_scrapy.errors import ConfigError, WebcleanError

# Where Scrapy's crawler processes let the error of a crawl end: with asyncio and without.
_LOGGERS = ("asyncio", "twisted")


class InvalidSettingError(ConfigError, SystemExit):
    """A setting is invalid. Python ends with the message alone where nobody catches it."""

    def __init__(self, error: ConfigError) -> None:
        SystemExit.__init__(self, f"The crawl does not start: {error}")

    def __str__(self) -> str:
        return str(self.code).partition(": ")[2]


class _OneLine(logging.Filter):
    """Turns the traceback of an error of ours into its message; leaves all others alone."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, WebcleanError):
            record.msg, record.args = "The crawl does not start: %s", (error,)
            record.exc_info = record.exc_text = None
        return True


def shorten_start_errors() -> None:
    """Log an error of ours that ends a crawl as one line."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(one, _OneLine) for one in logger.filters):
            logger.addFilter(_OneLine())
