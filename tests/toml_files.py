"""Reads data files of tests, on each Python that is supported."""

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))
