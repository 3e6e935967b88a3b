"""Rules of the source that no linter has: names, parameters, sizes, what is private to others."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Function = ast.FunctionDef | ast.AsyncFunctionDef

MAX_FILE = 300  # lines
MAX_FUNCTION = 40  # lines, the docstring included
MAX_POSITIONAL = 4  # parameters without self or cls
#: A command may be named like the component or the report that it runs.
RUN_BY_COMMANDS = {"downloadermiddlewares", "spidermiddlewares", "pipelines", "report"}
ANYWHERE = {"__init__", "__main__", "config"}
PRIVATE_OF_SCRAPY = "webclean_scrapy/crawl/scrapy_private.py"
_SCRAPY = ("scrapy", "twisted")
_NAMED_TUPLE = {"_asdict", "_fields", "_make", "_replace"}  # public, whatever they look like


def read_sources(root: Path, folders: Iterable[str]) -> dict[str, str]:
    """Return the source of each module in *folders* by its path below *root*."""
    paths = [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in paths}


def long_files(sources: Mapping[str, str]) -> list[str]:
    """Return the files of more than MAX_FILE lines."""
    lines = {path: len(source.splitlines()) for path, source in sources.items()}
    return [f"{path}: {count} lines" for path, count in lines.items() if count > MAX_FILE]


def long_functions(sources: Mapping[str, str]) -> list[str]:
    """Return the functions of more than MAX_FUNCTION lines, without their decorators."""
    return [
        f"{path}: {function.name} has {lines} lines"
        for path, function, _ in _functions(sources)
        if (lines := (function.end_lineno or 0) - function.lineno + 1) > MAX_FUNCTION
    ]


def many_positional(sources: Mapping[str, str]) -> list[str]:
    """Return the functions that take more than MAX_POSITIONAL parameters by position."""
    found = []
    for path, function, is_method in _functions(sources):
        static = any(ast.unparse(each) == "staticmethod" for each in function.decorator_list)
        count = len(function.args.posonlyargs) + len(function.args.args)
        count -= is_method and not static
        if count > MAX_POSITIONAL:
            found.append(f"{path}: {function.name} takes {count}")
    return found


def _functions(sources: Mapping[str, str]) -> Iterator[tuple[str, Function, bool]]:
    """Yield each function with its path and whether it is a method."""
    for path, source in sources.items():
        for parent in ast.walk(ast.parse(source)):
            for child in ast.iter_child_nodes(parent):
                if isinstance(child, Function):
                    yield path, child, isinstance(parent, ast.ClassDef)


def shared_names(paths: Iterable[str]) -> list[str]:
    """Return the modules that share a base name without need."""
    rooms = defaultdict(list)
    for path in map(Path, paths):
        rooms[path.stem].append(path.parent.name)
    found = []
    for name, places in rooms.items():
        others = [room for room in places if room != "commands"]
        runs = len(others) == len(places) or RUN_BY_COMMANDS.issuperset(others)
        if name not in ANYWHERE and (len(others) > 1 or not runs):
            found.append(f"{name}.py: in {', '.join(places)}")
    return found


def private_uses(sources: Mapping[str, str]) -> list[str]:
    """Return the uses of private names that may be Scrapy's, but for those in PRIVATE_OF_SCRAPY.

    What an object is cannot be told from the source. So a private attribute may be one of self,
    cls or super(), be defined in the same module, be one of a named tuple or belong to an imported
    module that is not Scrapy's. A private name must not be imported from Scrapy or Twisted either.
    """
    return [
        f"{path}:{line}: {text}"
        for path, source in sources.items()
        if path != PRIVATE_OF_SCRAPY
        for line, text in _private_uses(ast.parse(source))
    ]


def _private_uses(tree: ast.Module) -> Iterator[tuple[int, str]]:
    own, modules = _own_names(tree), _imported_modules(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_private(node.attr):
            base = ast.unparse(node.value)
            if node.attr not in own and base not in {"self", "cls", "super()", *modules}:
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("attr"):
            names = [arg.value for arg in node.args[1:2] if isinstance(arg, ast.Constant)]
            if any(_is_private(str(name)) and name not in own for name in names):
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            of = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            for name in (of + alias.name for alias in node.names):
                if name.startswith(_SCRAPY) and any(map(_is_private, name.split("."))):
                    yield node.lineno, name


def _own_names(tree: ast.Module) -> set[str]:
    """Return what the module defines: functions, classes, fields and attributes it assigns."""
    names = set(_NAMED_TUPLE)
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in {"self", "cls"}:
            names |= {node.attr} if isinstance(node.ctx, ast.Store) else set()
    return names


def _imported_modules(tree: ast.Module) -> set[str]:
    """Return the names under which modules are imported that are not Scrapy's."""
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import))
    names = (alias for node in imports for alias in node.names)
    return {alias.asname or alias.name for alias in names if not alias.name.startswith(_SCRAPY)}


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")
