"""Tell which pipelines of a project see items before those of the add-on are done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy.utils.misc import load_object

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

CLEAN, DEDUP = 150, 250  # the add-on's own places in ITEM_PIPELINES
_OTHERS = frozenset({"scrapy", "webclean_scrapy"})  # packages whose pipelines need no article


class EarlyPipeline(NamedTuple):
    """A pipeline, its number in ITEM_PIPELINES, what it sees, and the number to be above."""

    name: str
    place: float
    sees: str
    above: float


def early_pipelines(settings: BaseSettings) -> list[EarlyPipeline]:
    """Return the pipelines of the project before the last of ours that fills or drops items.

    Raises what an import raises.
    """
    named = settings.getwithbase("ITEM_PIPELINES")
    places: dict[Any, Any] = {
        load_object(one): place for one, place in named.items() if place is not None
    }
    ours = {one.__name__: place for one, place in places.items() if _package(one) in _OTHERS}
    clean, dedup = ours.get("CleanPipeline", CLEAN), ours.get("DedupPipeline", DEDUP)
    dedup = dedup if dedup == DEDUP else clean  # else it was put where it is
    found = []
    for one, place in sorted(places.items(), key=lambda pair: pair[1]):
        sees = "items without a text" if place < clean else "copies that are dropped behind it"
        if place < max(clean, dedup) and _package(one) not in _OTHERS:
            found.append(EarlyPipeline(one.__name__, place, sees, max(clean, dedup)))
    return found


def _package(pipeline: type) -> str:
    return pipeline.__module__.partition(".")[0]
