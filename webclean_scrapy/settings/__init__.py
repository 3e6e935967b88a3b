"""Every ``WEBCLEAN_`` setting: the table, and the record that components read."""

from webclean_scrapy.settings.setting import Setting
from webclean_scrapy.settings.webclean_config import (
    DICTS,
    SETTINGS,
    WebcleanConfig,
    unknown_settings,
)

__all__ = ["DICTS", "SETTINGS", "Setting", "WebcleanConfig", "unknown_settings"]
