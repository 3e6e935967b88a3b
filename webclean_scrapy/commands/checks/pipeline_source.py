"""What the source of a pipeline shows: which of our fields it uses, what it hands on.

A guess, as a source is: it names a pipeline to look at, and changes nothing.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

#: Fields that have no value before the clean pipeline.
FILLED = frozenset({"articleBody", "articleBodyHtml", "webclean"})


def fields_read(component: Any) -> list[str]:
    """Return the fields of an article that ``process_item`` names, sorted."""
    function = _process_item(component)
    if function is None:
        return []
    names = {node.value for node in ast.walk(function) if isinstance(node, ast.Constant)}
    names |= {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
    return sorted(FILLED.intersection(name for name in names if isinstance(name, str)))


def is_replacing(component: Any) -> bool:
    """Whether ``process_item`` returns something else than the item it was given."""
    function = _process_item(component)
    if function is None or len(function.args.args) < 2:
        return False
    item = function.args.args[1].arg
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, (ast.Call, ast.Dict)):
            return True
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Name):
            if node.value.id != item:
                return True
        elif isinstance(node, ast.Name) and node.id == item and isinstance(node.ctx, ast.Store):
            return True
    return False


def _process_item(component: Any) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """Return the method of a pipeline that is not Scrapy's; None when there is no source."""
    method = getattr(component, "process_item", None)
    if method is None or str(getattr(method, "__module__", "")).startswith("scrapy."):
        return None
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    except (OSError, TypeError, SyntaxError):
        return None
    first = tree.body[0]
    return first if isinstance(first, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
