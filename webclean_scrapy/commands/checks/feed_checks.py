"""Feeds of a project that cannot keep what items hold."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from webclean_scrapy.commands.checks.finding import Finding
from webclean_scrapy.messages import hide_login

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scrapy.settings import BaseSettings

TEXT = "articleBody"
WHOLE = frozenset({"json", "xml"})  # formats that end: a second run behind the first is no document


def check_feeds(settings: BaseSettings) -> Iterator[Finding]:
    """Yield each feed that loses the text of articles, or that a second crawl damages."""
    general = settings.get("FEED_EXPORT_FIELDS")
    if general is not None and TEXT not in _names(general):
        yield _lost("FEED_EXPORT_FIELDS")
    for uri, options in settings.getdict("FEEDS").items():
        if not isinstance(options, dict):
            continue
        fields = options.get("fields")
        if fields is not None and TEXT not in _names(fields):
            yield _lost(f"fields of FEEDS[{hide_login(str(uri))!r}]")
        if _format(str(uri), options) in WHOLE and _is_appended(str(uri), options):
            yield Finding(
                check="feeds",
                what=f"FEEDS[{hide_login(str(uri))!r}] appends:"
                " a second crawl makes it an invalid document",
                change='set "overwrite": True, put %(time)s into its name, or use jsonlines',
            )


def _lost(where: str) -> Finding:
    return Finding(
        check="feeds",
        what=f"{where} lacks {TEXT}: the text of articles is not written",
        change=f'add "{TEXT}" to it, or remove it to write every field',
    )


def _names(fields: Any) -> set[str]:
    """Return the names of fields as a setting may give them: a list, a dict or a string."""
    return set(fields.replace(",", " ").split()) if isinstance(fields, str) else set(fields)


def _format(uri: str, options: Mapping[str, Any]) -> str:
    return str(options.get("format") or PurePath(uri).suffix.lstrip("."))


def _is_appended(uri: str, options: Mapping[str, Any]) -> bool:
    """Whether a crawl writes behind the one before: only a local file of a fixed name."""
    local = "://" not in uri or uri.startswith("file://")
    return local and not options.get("overwrite") and "%(" not in uri and uri != "stdout:"
