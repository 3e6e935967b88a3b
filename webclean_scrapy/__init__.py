"""webclean_scrapy: clean, de-duplicated articles from a crawl of noisy pages.

The whole public face; everything else may move. Names are loaded when first used, because every
``scrapy`` command imports this package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webclean_scrapy.addon import Addon
    from webclean_scrapy.classify.class_model import ClassModel
    from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner, clean
    from webclean_scrapy.cleaning.result import CleanedPage
    from webclean_scrapy.dedup.index import DuplicateIndex, Match
    from webclean_scrapy.errors import (
        ConfigError,
        FeedError,
        ModelFileError,
        NotHtmlError,
        PageError,
        PageTooLargeError,
        ProfileFileError,
        ReportFileError,
        StoreBusyError,
        StoreError,
        StoreSchemeError,
        StoreUnavailableError,
        TemplateFileError,
        TrainingError,
        WebcleanError,
    )
    from webclean_scrapy.items import ArticleItem

__version__ = "0.1.0"

__all__ = [
    "Addon", "ArticleItem", "ClassModel", "CleanConfig", "CleanedPage", "Cleaner", "ConfigError",
    "DuplicateIndex", "FeedError", "Match", "ModelFileError", "NotHtmlError", "PageError",
    "PageTooLargeError", "ProfileFileError", "ReportFileError", "StoreBusyError", "StoreError",
    "StoreSchemeError", "StoreUnavailableError", "TemplateFileError", "TrainingError",
    "WebcleanError", "clean",
]  # fmt: skip

_HOME = {
    "Addon": "addon",
    "ArticleItem": "items",
    "ClassModel": "classify.class_model",
    "CleanConfig": "cleaning.config",
    "CleanedPage": "cleaning.result",
    "Cleaner": "cleaning.cleaner",
    "DuplicateIndex": "dedup.index",
    "Match": "dedup.index",
    "clean": "cleaning.cleaner",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME.get(name, 'errors')}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
