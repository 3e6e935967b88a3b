"""All ``WEBCLEAN_`` settings: the table, and the record read by components."""

from webclean_scrapy.settings.setting import Setting
from webclean_scrapy.settings.webclean_config import (
    DICTS,
    SETTINGS,
    WebcleanConfig,
    idle_settings,
    usable_cores,
)

__all__ = ["DICTS", "SETTINGS", "Setting", "WebcleanConfig", "idle_settings", "usable_cores"]
