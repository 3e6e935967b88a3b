"""Open the files named in settings: words, interest profile, class model, report.

An error is a ConfigError that names the setting, so a crawl that cannot have them does not start.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.errors import ConfigError, WebcleanError
from webclean_scrapy.export.parquet import check_parquet
from webclean_scrapy.file_modes import why_unwritable
from webclean_scrapy.keywords.interest_profile import InterestProfile
from webclean_scrapy.keywords.segment import jieba_file
from webclean_scrapy.keywords.word_files import read_idf, read_words
from webclean_scrapy.settings import WebcleanConfig
from webclean_scrapy.settings.setting import PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy.settings import BaseSettings

    from webclean_scrapy.classify.class_model import ClassModel
    from webclean_scrapy.export.database import ArticleStore

REPORT_ENDINGS = (".html", ".json")  # of the page, and of its data
_T = TypeVar("_T")
_WORDS: Mapping[str, Callable[[str], object]] = {
    "stop_words": read_words, "user_words": read_words, "idf": read_idf,
}  # fmt: skip


def checked_config(settings: BaseSettings) -> WebcleanConfig:
    """Check the settings of a crawl and the files they name. Raises the first ConfigError."""
    config = WebcleanConfig.from_settings(settings)
    if config.enabled:
        for check in checks_of(config, settings):
            check()
    return config


def checks_of(config: WebcleanConfig, settings: BaseSettings) -> list[Callable[[], object]]:
    """Return functions that open each file named in settings, or raise ConfigError."""
    checks = (dedup_options, load_class_model, read_profile, _check_words)
    found: list[Callable[[], object]] = [partial(check, config) for check in checks]
    found += [partial(_opened, config, "report", check_report_path)]
    found += [partial(open_database, config, migrates=False), partial(check_parquet, settings)]
    if config.render == "off":
        return found
    from webclean_scrapy.crawl.browser.chromium import check_browser

    return [*found, partial(check_browser, settings)]


def _opened(config: WebcleanConfig, field: str, read: Callable[[Any], _T]) -> _T | None:
    """Return *read* of a setting's value; None if it is empty. Raises ConfigError that names it."""
    value = getattr(config, field)
    return _named(field, lambda: read(value)) if value else None


def _named(field: str, read: Callable[[], _T]) -> _T:
    try:
        return read()
    except WebcleanError as error:
        raise ConfigError(f"{PREFIX}{field.upper()}: {error}") from error


def open_database(config: WebcleanConfig, *, migrates: bool = True) -> ArticleStore | None:
    """Open the database of articles; *migrates*: create its tables. None without one."""

    def open_store(uri: str) -> ArticleStore:
        from webclean_scrapy.export.database import ArticleStore

        store = ArticleStore(uri)
        store.open(migrates=migrates)
        return store

    return _opened(config, "store", open_store)


def dedup_options(config: WebcleanConfig) -> dict[str, Any]:
    """Return the options of the `DuplicateIndex`, with the words read from files."""
    words = {name: _opened(config, f"dedup_{name}", read) for name, read in _WORDS.items()}
    return config.dedup_options() | {name: read for name, read in words.items() if read is not None}


def dedup_config(config: WebcleanConfig) -> DedupConfig | None:
    """Return the configuration of the index; None without one."""
    return DedupConfig.from_options(dedup_options(config)) if config.dedup_enabled else None


def read_profile(config: WebcleanConfig) -> InterestProfile | None:
    """Read the interest profile; None without one."""
    return _opened(config, "interest_profile", InterestProfile.load)


def load_class_model(config: WebcleanConfig) -> ClassModel | None:
    """Load the model of page classes; None without one."""
    if not config.class_model:
        return None
    from webclean_scrapy.classify.class_model import ClassModel

    model = _opened(config, "class_model", ClassModel.load)
    if model and (unknown := set(config.classes) - set(model.classes)):
        raise ConfigError(
            f"{PREFIX}CLASSES: the model has no class {min(unknown)!r}; it has "
            + ", ".join(model.classes)
        )
    return model


def check_report_path(name: str) -> None:
    """Check that a report can be written to *name*. Raises ConfigError."""
    path = Path(name)
    if path.suffix.lower() not in REPORT_ENDINGS:
        raise ConfigError(f"must end in {' or '.join(REPORT_ENDINGS)}, got {name}")
    if problem := why_unwritable(path):
        raise ConfigError(problem)


def _check_words(config: WebcleanConfig) -> None:
    """Check that the libraries of words are installed. Raises ConfigError."""
    if config.clean.keywords or config.dedup_enabled:
        jieba_file("")
    if config.clean.keyword_method == "network":
        from webclean_scrapy.keywords.word_network import load_igraph

        _named("keyword_method", load_igraph)
