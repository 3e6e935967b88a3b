"""All checks, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webclean_scrapy.commands.checks.feed_checks import check_feeds
from webclean_scrapy.commands.checks.order_checks import check_order
from webclean_scrapy.commands.checks.place_checks import check_places
from webclean_scrapy.commands.checks.placed_components import check_addon, check_imports
from webclean_scrapy.commands.checks.plugin_checks import check_plugins
from webclean_scrapy.commands.checks.setting_checks import (
    check_manners,
    check_settings,
    check_switches,
)
from webclean_scrapy.commands.checks.spider_checks import check_spiders
from webclean_scrapy.commands.checks.version_checks import check_versions

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from webclean_scrapy.commands.checks.finding import Finding
    from webclean_scrapy.commands.checks.machine import Machine


def examine(settings: BaseSettings, machine: Machine) -> list[Finding]:
    """Return everything that is wrong, then what could be better. Nothing is changed."""
    found = [
        *check_versions(machine),
        *check_addon(settings, in_project=machine.in_project),
        *check_settings(settings),
        *check_switches(settings, machine),
        *check_imports(settings),
        *check_order(settings),
        *check_plugins(settings, machine),
        *check_places(settings),
        *check_feeds(settings),
    ]
    if machine.in_project:
        found += [*check_spiders(settings), *check_manners(settings)]
    return sorted(dict.fromkeys(found), key=lambda one: not one.is_wrong)
