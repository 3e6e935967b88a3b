"""The order of components: which of a project's stand where ours cannot work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware, RedirectMiddleware
from scrapy.downloadermiddlewares.retry import RetryMiddleware

from webclean_scrapy.addon import COMPONENTS
from webclean_scrapy.commands.checks.finding import Finding
from webclean_scrapy.commands.checks.pipeline_source import fields_read, is_replacing
from webclean_scrapy.commands.checks.placed_components import (
    GROUPS,
    OURS,
    Placed,
    find_placed,
    placed_components,
)
from webclean_scrapy.commands.checks.setting_checks import readable_config
from webclean_scrapy.downloadermiddlewares.render import RenderMiddleware
from webclean_scrapy.downloadermiddlewares.shared_templates import SharedTemplatesMiddleware
from webclean_scrapy.downloadermiddlewares.sibling import SiblingMiddleware
from webclean_scrapy.pipelines.classify import ClassifyPipeline
from webclean_scrapy.pipelines.clean import CleanPipeline
from webclean_scrapy.pipelines.dedup import DedupPipeline
from webclean_scrapy.spidermiddlewares.attach import AttachPageMiddleware

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

DEFAULTS = {component: position for _, component, position in COMPONENTS}
#: The setting that turns a component off, where there is one.
SWITCHES = {
    "SiblingMiddleware": "WEBCLEAN_SIBLING_ENABLED = False",
    "RenderMiddleware": 'WEBCLEAN_RENDER = "off"',
    "CleanPipeline": "WEBCLEAN_CLEAN_ENABLED = False",
    "DedupPipeline": "WEBCLEAN_DEDUP_ENABLED = False",
}


def check_order(settings: BaseSettings) -> Iterator[Finding]:
    """Yield each component, ours or the project's, that stands at a wrong place."""
    for group in GROUPS:
        yield from _turned_off(group, placed_components(settings, group))
    yield from _check_downloader(settings)
    yield from _check_spider(placed_components(settings, "SPIDER_MIDDLEWARES"))
    yield from _check_pipelines(placed_components(settings, "ITEM_PIPELINES"))


def _turned_off(group: str, components: list[Placed]) -> Iterator[Finding]:
    for one in components:
        if one.component in OURS and one.position is None:
            switch = SWITCHES.get(one.name)
            off = f"; to turn it off, set {switch}" if switch else ""
            yield Finding(
                check="components",
                what=f"{group} sets {one.name} to None: what it does is left out",
                change=f"remove that line{off}",
            )


def _check_downloader(settings: BaseSettings) -> Iterator[Finding]:
    group = "DOWNLOADER_MIDDLEWARES"
    components = placed_components(settings, group)
    sibling = find_placed(components, SiblingMiddleware)
    unpacked = "it sees responses before that is done, such as pages still packed"
    learned = "siblings are requested although other crawls have learned the template"
    for wanted, why in (
        (RetryMiddleware, unpacked),
        (HttpCompressionMiddleware, unpacked),
        (RedirectMiddleware, unpacked),
        (MetaRefreshMiddleware, unpacked),
        (SharedTemplatesMiddleware, learned),
    ):
        other = find_placed(components, wanted)
        if sibling and other and not _is_before(sibling, other):
            yield _misplaced(group, sibling, f"{other.name} ({other.position:g}): {why}")
            break
    cache = find_placed(components, HttpCacheMiddleware)
    render = find_placed(components, RenderMiddleware)
    is_used = settings.getbool("HTTPCACHE_ENABLED") and readable_config(settings).render != "off"
    if is_used and cache and render and not _is_before(cache, render):
        yield Finding(
            check="order",
            what=f"{group}: {render.name} ({render.position:g}) is before {cache.name}"
            f" ({cache.position:g}): pages are cached without their rendering",
            change=f"set it to {DEFAULTS[RenderMiddleware]}, or remove its line",
        )


def _misplaced(group: str, one: Placed, behind: str) -> Finding:
    return Finding(
        check="order",
        what=f"{group}: {one.name} ({one.position:g}) is above {behind}",
        change=f"set it to {DEFAULTS[one.component]}, or remove its line",
    )


def _check_spider(components: list[Placed]) -> Iterator[Finding]:
    attach = find_placed(components, AttachPageMiddleware)
    for one in components:
        if attach and one.position is not None and _is_before(one, attach) and one is not attach:
            yield Finding(
                check="order",
                what=f"SPIDER_MIDDLEWARES: {one.name} ({one.position:g}) is nearer to the engine"
                f" than {attach.name} ({attach.position:g}): items that it makes or replaces have"
                " no page, and stay empty",
                change=f"give {one.name} a position above {attach.position:g}",
            )


def _check_pipelines(components: list[Placed]) -> Iterator[Finding]:
    group = "ITEM_PIPELINES"
    clean, dedup, classify = (
        find_placed(components, one) for one in (CleanPipeline, DedupPipeline, ClassifyPipeline)
    )
    for first, second, why in (
        (clean, dedup, "items are compared before they have a text"),
        (dedup, classify, "items that are dropped are classified first"),
    ):
        if first and second and not _is_before(first, second):
            yield Finding(
                check="order",
                what=f"{group}: {second.name} ({second.position:g}) is before {first.name}"
                f" ({first.position:g}): {why}",
                change="remove both lines: the add-on has the right positions",
            )
    for one in components:
        if clean and one.position is not None and one.component not in OURS:
            yield from _check_own_pipeline(one, clean)


def _check_own_pipeline(one: Placed, clean: Placed) -> Iterator[Finding]:
    """Yield what is wrong with a pipeline of the project that is before ours, or beside it."""
    where = f"ITEM_PIPELINES: {one.name} ({one.position:g})"
    change = f"give {one.name} a position above {clean.position:g}"
    if one.position == clean.position:
        yield Finding(
            check="order",
            what=f"{where} has the position of {clean.name}: which is first is not said",
            change=change,
        )
    elif not _is_before(one, clean):
        return
    if fields := fields_read(one.component):
        yield Finding(
            check="order",
            what=f"{where} uses {', '.join(fields)} before {clean.name} ({clean.position:g}) fills"
            " them",
            change=change,
        )
    if is_replacing(one.component):
        yield Finding(
            check="order",
            what=f"{where} hands on other items before {clean.name} ({clean.position:g}): one"
            " without the url of its page cannot be filled",
            change=f"{change}, or keep the field url as it is",
        )


def _is_before(one: Placed, other: Placed) -> bool:
    """Whether *one* is nearer to the engine, or earlier among the pipelines."""
    return (one.position or 0) < (other.position or 0)
