"""Escape page content in our log records: control characters, line breaks, passwords."""

from __future__ import annotations

import logging

from webclean_scrapy.safe_text import hide_logins, visible, visible_line

_FORMATTER = logging.Formatter()


class EscapeLine(logging.Filter):
    """Filter that escapes the message of a record to one line, and its traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        try:
            message = record.getMessage()
        except (TypeError, ValueError, KeyError):  # logging reports it
            return True
        record.msg, record.args = hide_logins(visible_line(message)), ()
        if record.exc_info and not record.exc_text:
            text = _FORMATTER.formatException(record.exc_info)
            record.exc_text = hide_logins(visible(text))
        return True


def safe_logger(name: str) -> logging.Logger:
    """Return the logger of a module; its records are escaped for all handlers."""
    logger = logging.getLogger(name)
    if not any(isinstance(one, EscapeLine) for one in logger.filters):
        logger.addFilter(EscapeLine())
    return logger
