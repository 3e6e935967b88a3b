"""The code of docs/engines.md."""

from __future__ import annotations

from typing import Any

from tests.commands.running import ROOT
from tests.test_docs import blocks


def run_block(name: str) -> dict[str, Any]:
    """Return what the block that defines *name* defines."""
    (source,) = [block for block in blocks(ROOT / "docs" / "engines.md", "python") if name in block]
    scope: dict[str, Any] = {"__name__": "guide"}
    exec(source, scope)  # noqa: S102, that is the test
    return scope
