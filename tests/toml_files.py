"""Reads data files of tests, on each Python that is supported."""

import re
import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Keys = dict[str, Any]


def read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def filled(text: str, keys: Keys) -> str:
    """Return *text* with the texts of *keys* in the places of {KEY}."""

    def one(name: re.Match[str]) -> str:
        value = keys[name[1]]
        if isinstance(value, str):
            return filled(value, keys)
        return "".join(filled(value["of"], {**keys, **row}) for row in value["rows"])

    return re.sub(r"\{([A-Z][A-Z0-9]+)\}", one, text)
