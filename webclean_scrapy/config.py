"""The settings as one typed record, read once and checked whole.

Components read :class:`WebcleanConfig` and never a settings object; ``settings.TABLE`` has every
setting with its meaning.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webclean_scrapy.dedup.redis.client import RedisAddress, is_redis
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.word_files import read_idf, read_words
from webclean_scrapy.settings import PREFIX, TABLE

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from webclean_scrapy.cleaning.config import CleanConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class WebcleanConfig:
    """The checked value of every setting of :data:`TABLE`, under its name without the prefix."""

    enabled: bool
    sibling_enabled: bool
    sibling_max_fetches: int
    sibling_timeout_s: float
    sibling_max_bytes: int
    render: str
    render_timeout_s: float
    render_tabs: int
    clean_enabled: bool
    extractor: str
    denoise: str
    link_blocks: bool
    drop_non_articles: bool
    keywords: int
    keyword_method: str
    templates_max: int
    max_body_bytes: int
    workers: int
    dedup_enabled: bool
    dedup_uri: str
    dedup_run: str
    dedup_method: str
    dedup_stop_words: str
    dedup_user_words: str
    dedup_idf: str
    dedup_idf_count: str
    dedup_update: str
    dedup_duplicate: str
    dedup_short: str
    dedup_on_error: str

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Return the record of *settings*, read once and checked whole.

        Raises:
            ConfigError: the first setting that cannot be used, by name, and what would be right.
        """
        config = cls(**{setting.field: setting.read(settings) for setting in TABLE})
        if is_redis(config.dedup_uri):
            try:
                RedisAddress.parse(config.dedup_uri)
            except ConfigError as error:
                raise ConfigError(f"WEBCLEAN_DEDUP_URI: {error}") from error
        config.dedup_options()
        if config.keyword_method == "network":
            config.check_network()
        return config

    @staticmethod
    def check_network() -> None:
        """Raise ConfigError when the extra `network` is not installed."""
        from webclean_scrapy.keywords.word_network import load_igraph

        try:
            load_igraph()
        except ConfigError as error:
            raise ConfigError(f"WEBCLEAN_KEYWORD_METHOD: {error}") from error

    def dedup_options(self) -> dict[str, Any]:
        """Return the options of the `DuplicateIndex`, files read.

        Raises:
            ConfigError: a file cannot be read, by the name of its setting.
        """
        options: dict[str, Any] = {"method": self.dedup_method, "updates": self.dedup_update}
        readers = {"stop_words": read_words, "user_words": read_words, "idf": read_idf}
        for name, read in readers.items():
            path = getattr(self, f"dedup_{name}")
            if path:
                try:
                    options[name] = read(path)
                except ConfigError as error:
                    raise ConfigError(f"{PREFIX}DEDUP_{name.upper()}: {error}") from error
        return options

    @property
    def learns(self) -> bool:
        """Whether a page can be of use to others of its template."""
        return self.clean_enabled and self.clean_config().learns

    def clean_config(self) -> CleanConfig:
        """Return what the method needs of these settings."""
        from webclean_scrapy.cleaning.config import CleanConfig

        return CleanConfig(
            extractor=self.extractor,
            denoise=self.denoise,
            link_blocks=self.link_blocks,
            max_body_bytes=self.max_body_bytes,
            keywords=self.keywords,
            keyword_method=self.keyword_method,
            max_templates=self.templates_max,
        )


def unknown_settings(settings: BaseSettings) -> list[tuple[str, str]]:
    """Return (name, nearest known name or "") of each ``WEBCLEAN_`` setting that is not ours."""
    known = {setting.name.removeprefix(PREFIX): setting.name for setting in TABLE}
    strangers = sorted(
        str(name).removeprefix(PREFIX) for name in settings if str(name).startswith(PREFIX)
    )
    near = {name: difflib.get_close_matches(name, known, n=1) for name in strangers}
    return [
        (PREFIX + name, known[near[name][0]] if near[name] else "")
        for name in strangers
        if name not in known
    ]
