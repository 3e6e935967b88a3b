"""The import rule: every module knows only what stands below it, and method rooms stay pure.

    errors < page < denoise, extract, keywords < dedup, classify < cleaner < adapters < faces

Read from the source, so that imports inside functions count as well. Rooms of one level know
at most each other's types (under TYPE_CHECKING), and even so in one direction.
"""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PACKAGE = "webclean_scrapy"

LEVELS: tuple[set[str], ...] = (
    {"errors"},
    {"page"},
    {"denoise", "extract", "keywords"},
    {"dedup", "classify"},
    {"clean_config", "cleaner", "learned", "methods", "parsed", "result"},
    {
        "addon", "cleaning", "config", "downloadermiddlewares", "flight", "handover", "items",
        "pipelines", "redis_link", "responses", "service", "settings", "sharing", "signals",
        "spidermiddlewares", "stats", "template_shelf", "workers",
    },
    {"", "commands", "demo", "report", "spider", "summary"},  # "" is the package itself
)  # fmt: skip
LEVEL = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
PURE = frozenset().union(*LEVELS[:5])
STRICT = frozenset().union(*LEVELS[:4])  # from the cleaner on, neighbours may import each other

#: Third-party libraries of each pure room; the others have none.
LIBRARIES = {
    "page": {"charset_normalizer", "htmldate", "lxml", "numpy", "py3langid", "w3lib"},
    "denoise": {"lxml", "numpy"},
    "extract": {"lxml", "numpy"},
    "keywords": {"igraph", "jieba", "numpy", "opencc", "rjieba"},
    "dedup": {"datasketch", "numpy", "redis"},
    "classify": {"numpy"},
}
#: What a pure function has no use for: log, clock, network, processes, chance, unsafe loaders.
IMPURE = (
    "logging time datetime sched socket ssl select selectors http urllib.request urllib.error "
    "ftplib smtplib asyncio concurrent subprocess multiprocessing signal random secrets uuid "
    "pickle marshal shelve"
).split()


class Import(NamedTuple):
    """One import as written."""

    module: str  # that imports
    target: str
    line: int
    only_types: bool  # stands under ``if TYPE_CHECKING``
    at_start: bool  # runs when the module is imported, not in a function

    @property
    def rooms(self) -> tuple[str, str]:
        """The rooms of both ends."""
        return room_of(self.module), room_of(self.target)


def room_of(module: str) -> str:
    """Return the room of one of our modules: its first part after the package."""
    return module.split(".")[1] if "." in module else ""


def list_imports(module: str, source: str, known: frozenset[str]) -> Iterator[Import]:
    """Yield every import; ``from x import y`` has the target x.y where *known* has that module."""
    waiting: list[tuple[ast.AST, bool, bool]] = [(ast.parse(source), False, True)]
    while waiting:
        node, types, start = waiting.pop()
        for target in _targets(node, known):
            yield Import(module, target, getattr(node, "lineno", 0), types, start)
        start = start and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        guard = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        otherwise = node.orelse if isinstance(node, ast.If) else []
        waiting.extend(
            (child, types or (guard and child not in otherwise), start)
            for child in ast.iter_child_nodes(node)
        )


def _targets(node: ast.AST, known: frozenset[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        parts = [f"{node.module}.{alias.name}" for alias in node.names]
        found = [part if part in known else str(node.module) for part in parts]
        return ["." * node.level] if node.level else found
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
        ("import_module", "import__")
    ):
        names = [arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant)]
        return [name for name in names if isinstance(name, str)]
    return []


def check_package(modules: Mapping[str, str]) -> list[str]:
    """Return a sentence for each import in *modules* (source by dotted name) against the rule."""
    strange = [f"{name}: the room has no level" for name in modules if room_of(name) not in LEVEL]
    if strange:
        return strange
    known = frozenset(modules)
    imports = [one for name, text in modules.items() for one in list_imports(name, text, known)]
    faults = [
        f"{one.module}:{one.line} imports {one.target}, {why}"
        for one in imports
        if (why := fault_of(one))
    ]
    ours = [one for one in imports if one.target in known]
    starts = [(i.module, i.target) for i in ours if i.at_start and not i.only_types]
    rooms = [i.rooms for i in ours if room_of(i.module) in STRICT]
    return [*faults, *_cycles("modules", starts), *_cycles("rooms", rooms)]


def fault_of(found: Import) -> str:
    """Return what is wrong with an import, "" when it is right."""
    if found.target.startswith("."):
        return "by a relative path"
    if found.target.split(".")[0] == PACKAGE:
        return _fault_inside(found)
    return "" if found.only_types else _fault_outside(found)


def _fault_inside(found: Import) -> str:
    room, target = found.rooms
    if target not in LEVEL:
        return "which is no room"
    if room == target or LEVEL[target] < LEVEL[room]:
        return ""
    if LEVEL[target] > LEVEL[room]:
        return "which stands above it"
    return "" if found.only_types or room not in STRICT else "a neighbour, for more than its types"


def _fault_outside(found: Import) -> str:
    room = room_of(found.module)
    top = found.target.split(".")[0]
    if room not in PURE:
        return ""
    if any(f"{found.target}.".startswith(f"{impure}.") for impure in IMPURE):
        return "which a pure function has no use for"
    if top in sys.stdlib_module_names or top in LIBRARIES.get(room, ()):
        return ""
    return "which is no library of this room"


def _cycles(what: str, edges: list[tuple[str, str]]) -> list[str]:
    """Return what is left after everything without open imports is taken away, as a sentence."""
    graph: dict[str, set[str]] = {}
    for name, target in edges:
        graph.setdefault(target, set())
        graph.setdefault(name, set()).update({target} - {name})
    while free := {name for name, targets in graph.items() if not targets}:
        graph = {name: targets - free for name, targets in graph.items() if name not in free}
    return [f"{what} in a cycle, or above one: {', '.join(sorted(graph))}"] if graph else []
