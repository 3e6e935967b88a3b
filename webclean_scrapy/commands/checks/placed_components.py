"""The components of a crawl with their positions, as Scrapy orders them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrapy.utils.misc import load_object

from webclean_scrapy.addon import COMPONENTS, Addon
from webclean_scrapy.commands.checks.finding import Finding, first_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy.settings import BaseSettings

GROUPS = ("DOWNLOADER_MIDDLEWARES", "EXTENSIONS", "ITEM_PIPELINES", "SPIDER_MIDDLEWARES")
OURS = frozenset(component for _, component, _ in COMPONENTS)
_LOADING = (ImportError, AttributeError, NameError, TypeError, ValueError, SyntaxError)


@dataclass(frozen=True, slots=True)
class Placed:
    """A component at its place. *position* is None where it is turned off."""

    path: str
    component: Any
    position: float | None

    @property
    def name(self) -> str:
        """The name of its class."""
        return self.path.rpartition(".")[2]


def _path_of(key: Any) -> str:
    return key if isinstance(key, str) else f"{key.__module__}.{key.__qualname__}"


def _load(group: str, keys: Iterable[Any]) -> tuple[dict[Any, Any], list[Finding]]:
    """Return the class of each key that can be loaded, and what is wrong with the others."""
    loaded, problems = {}, []
    for key in keys:
        try:
            loaded[key] = load_object(key)
        except _LOADING as error:  # noqa: PERF203, a few components
            problems.append(
                Finding(
                    check="components",
                    what=f"{group}: {key} cannot be imported ({first_line(error)})",
                    change="correct its path, or install what it needs",
                )
            )
    return loaded, problems


def placed_components(settings: BaseSettings, group: str) -> list[Placed]:
    """Return the components of *group* in the order of their positions, ours included.

    Those without a position come last; those that cannot be imported are left out.
    """
    both = settings.getwithbase(group)
    loaded, _ = _load(group, both)
    found = [Placed(_path_of(key), component, both[key]) for key, component in loaded.items()]
    there = {one.component for one in found}
    found += [
        Placed(_path_of(component), component, position)
        for name, component, position in COMPONENTS
        if name == group and component not in there
    ]
    return sorted(found, key=lambda one: float("inf") if one.position is None else one.position)


def check_imports(settings: BaseSettings) -> Iterator[Finding]:
    """Yield each component that cannot be imported: Scrapy would not start."""
    for group in GROUPS:
        active = {key: value for key, value in settings.getdict(group).items() if value is not None}
        _, problems = _load(group, active)
        yield from problems


def check_addon(settings: BaseSettings, *, in_project: bool) -> Iterator[Finding]:
    """Yield what is wrong with our line in ADDONS."""
    addons = settings.getdict("ADDONS")
    loaded, problems = _load("ADDONS", addons)
    yield from problems
    ours = [key for key, component in loaded.items() if component is Addon]
    line = 'ADDONS = {"webclean_scrapy.Addon": 500}'
    if len(ours) > 1:
        names = " and ".join(map(_path_of, ours))
        yield Finding(
            check="add-on",
            what=f"ADDONS has the add-on {len(ours)} times, as {names}: Scrapy does not start",
            change=f"keep one: {line}",
        )
    elif not ours and in_project:
        yield Finding(
            check="add-on",
            what="ADDONS of the project does not have the add-on: crawls are not cleaned",
            change=f"add to the settings of the project: {line}",
        )
    elif ours and addons[ours[0]] is None:
        yield Finding(
            check="add-on", what="ADDONS turns the add-on off with None", change=f"write {line}"
        )


def find_placed(components: Iterable[Placed], wanted: type) -> Placed | None:
    """Return *wanted*, or a subclass of it, where it is on."""
    on = (one for one in components if one.position is not None)
    return next((one for one in on if _is_kind(one.component, wanted)), None)


def _is_kind(component: Any, wanted: type) -> bool:
    return isinstance(component, type) and issubclass(component, wanted)
