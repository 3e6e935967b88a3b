"""Internals of other packages are used in one module only."""

import ast
from pathlib import Path

import webclean_scrapy

PACKAGE = Path(webclean_scrapy.__file__).parent
HOME = PACKAGE / "crawl" / "scrapy_private.py"
#: Attributes that Scrapy does not document.
INTERNAL = frozenset(
    {
        "_close_slot",
        "_get_handler",
        "_split_domain",
        "active",
        "downloader",
        "feed_options",
        "handlers",
        "jars",
        "slots",
        "storage",
    }
)
PUBLIC = frozenset({"_asdict", "_exit", "_replace"})  # of named tuples and of os


def private_uses(path: Path) -> set[str]:
    """Return the attributes of other objects than ``self`` and ``cls`` that are not public."""
    return {
        node.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and not (isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"})
        and (node.attr in INTERNAL or (node.attr.startswith("_") and node.attr[1] != "_"))
        and node.attr not in PUBLIC
    }


def test_internals_are_used_in_one_module() -> None:
    rooms = ("crawl", "downloadermiddlewares", "spidermiddlewares", "pipelines")
    paths = [path for room in rooms for path in (PACKAGE / room).rglob("*.py")]
    uses = {path.name: found for path in paths if (found := private_uses(path))}
    assert uses == {HOME.name: private_uses(HOME)}
    assert private_uses(HOME) == INTERNAL
