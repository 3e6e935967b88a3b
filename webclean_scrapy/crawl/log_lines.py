"""Escapes what our modules log of pages: no control characters, forged lines or passwords."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from webclean_scrapy.errors import hide_logins, visible, visible_line

_FORMATTER = logging.Formatter()


class EscapeLine(logging.Filter):
    """Escapes the message and the traceback of a record; it holds back none.

    A line break stays where the program wrote it, not where an argument of ours brings it.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("webclean_scrapy") and record.args:
            record.args = _safe(record.args)
        try:
            message = record.getMessage()
        except (TypeError, ValueError, KeyError):  # logging reports it
            return True
        shown = hide_logins(visible(message))
        if shown != message:
            record.msg, record.args = shown, ()
        if record.exc_info and not record.exc_text:
            text = _FORMATTER.formatException(record.exc_info)
            record.exc_text = hide_logins(visible(text))
        return True


def safe_logger(name: str) -> logging.Logger:
    """Return the logger of a module, whose records are escaped whoever handles them."""
    logger = logging.getLogger(name)
    if not any(isinstance(one, EscapeLine) for one in logger.filters):
        logger.addFilter(EscapeLine())
    return logger


def _safe(args: Any) -> Any:
    if isinstance(args, Mapping):
        return {name: _safe_value(value) for name, value in args.items()}
    return tuple(map(_safe_value, args))


def _safe_value(value: object) -> object:
    """Return numbers as they are, for %d; of all else the line that shows it."""
    return _Shown(value) if not isinstance(value, int | float) else value


class _Shown:
    """The line of a value, for ``%s`` and ``%r``; made when it is logged."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __str__(self) -> str:
        return visible_line(self._value)

    def __repr__(self) -> str:
        return visible_line(repr(self._value))
