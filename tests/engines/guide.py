"""The code of docs/engines.md."""

from __future__ import annotations

import re
from typing import Any

from tests.commands.running import ROOT


def run_block(name: str) -> dict[str, Any]:
    """Return what the block that defines *name* defines."""
    text = (ROOT / "docs" / "engines.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (source,) = [block for block in blocks if name in block]
    scope: dict[str, Any] = {"__name__": "guide"}
    exec(source, scope)  # noqa: S102, that is the test
    return scope
