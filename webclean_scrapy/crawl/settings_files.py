"""Open the files named in settings: words, interest profile, class model, report.

An error is a ConfigError that names the setting, so a crawl that cannot have them does not start.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webclean_scrapy.crawl.browser.chromium import check_browser
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.errors import ConfigError, WebcleanError
from webclean_scrapy.export.database import ArticleStore
from webclean_scrapy.export.tables import check_parquet
from webclean_scrapy.file_modes import why_unwritable
from webclean_scrapy.keywords.interest_profile import InterestProfile
from webclean_scrapy.keywords.word_files import read_idf, read_words
from webclean_scrapy.settings import WebcleanConfig
from webclean_scrapy.settings.setting import PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy.settings import BaseSettings

    from webclean_scrapy.classify.class_model import ClassModel

REPORT_ENDINGS = (".html", ".json")  # of the page, and of its data
_WORDS = {"stop_words": read_words, "user_words": read_words, "idf": read_idf}


def checked_config(settings: BaseSettings) -> WebcleanConfig:
    """Check the settings of a crawl and the files they name. Raises the first ConfigError."""
    config = WebcleanConfig.from_settings(settings)
    if config.enabled:
        for check in checks_of(config, settings):
            check()
    return config


def checks_of(config: WebcleanConfig, settings: BaseSettings) -> list[Callable[[], object]]:
    """Return functions that open each file named in settings, or raise ConfigError."""
    checks = (dedup_options, load_class_model, read_profile, check_network, _check_report)
    found: list[Callable[[], object]] = [partial(check, config) for check in checks]
    found += [partial(open_database, config, migrates=False), partial(check_parquet, settings)]
    return found if config.render == "off" else [*found, partial(check_browser, settings)]


def _check_report(config: WebcleanConfig) -> None:
    if config.report:
        with _named("report"):
            check_report_path(config.report)


def open_database(config: WebcleanConfig, *, migrates: bool = True) -> ArticleStore | None:
    """Open the database of articles; *migrates*: create its tables. None without one."""
    if not config.store:
        return None
    with _named("store"):
        store = ArticleStore(config.store)
        store.open(migrates=migrates)
        return store


def dedup_options(config: WebcleanConfig) -> dict[str, Any]:
    """Return the options of the `DuplicateIndex`, with the words read from files."""
    options = config.dedup_options()
    for name, read in _WORDS.items():
        if path := getattr(config, f"dedup_{name}"):
            with _named(f"dedup_{name}"):
                options[name] = read(path)
    return options


def dedup_config(config: WebcleanConfig) -> DedupConfig | None:
    """Return the configuration of the index; None without one."""
    return DedupConfig.from_options(dedup_options(config)) if config.dedup_enabled else None


def read_profile(config: WebcleanConfig) -> InterestProfile | None:
    """Read the interest profile; None without one."""
    with _named("interest_profile"):
        return InterestProfile.load(config.interest_profile) if config.interest_profile else None


def load_class_model(config: WebcleanConfig) -> ClassModel | None:
    """Load the model of page classes; None without one."""
    if not config.class_model:
        return None
    from webclean_scrapy.classify.class_model import ClassModel

    with _named("class_model"):
        model = ClassModel.load(config.class_model)
    with _named("classes"):
        if unknown := set(config.classes) - set(model.classes):
            known = ", ".join(model.classes)
            raise ConfigError(f"the model has no class {min(unknown)!r}; it has {known}")
    return model


def check_report_path(name: str) -> None:
    """Check that a report can be written to *name*. Raises ConfigError."""
    path = Path(name)
    if path.suffix.lower() not in REPORT_ENDINGS:
        raise ConfigError(f"must end in {' or '.join(REPORT_ENDINGS)}, got {name}")
    if problem := why_unwritable(path):
        raise ConfigError(problem)


def check_network(config: WebcleanConfig) -> None:
    """Check that igraph is installed if the word network ranks keywords. Raises ConfigError."""
    if config.keyword_method == "network":
        from webclean_scrapy.keywords.word_network import load_igraph

        with _named("keyword_method"):
            load_igraph()


@contextmanager
def _named(field: str) -> Iterator[None]:
    """Put the setting's name in front of an error."""
    try:
        yield
    except WebcleanError as error:
        raise ConfigError(f"{PREFIX}{field.upper()}: {error}") from error
