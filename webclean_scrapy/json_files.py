"""Files of ours in JSON: with a format, a version, and a digest of the rest.

A file that is not as it was written is refused whole, so who reads it checks no value of it.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webclean_scrapy.file_modes import replace_text

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping


def write_json(
    path: str | os.PathLike[str],
    form: tuple[str, int],
    values: Mapping[str, Any],
    *,
    private: bool = False,
) -> None:
    """Write *values* with their *form*, name and version. A crash leaves the file unchanged.

    *private*: for its user alone. Raises OSError.
    """
    head = dict(zip(("format", "version"), form, strict=True))
    data = {**head, "digest": _digest(values), **values}
    replace_text(path, json.dumps(data), private=private)


def read_json(
    path: str | os.PathLike[str], form: tuple[str, int], error: type[Exception]
) -> dict[str, Any]:
    """Return the values of a file. Raises *error* for one that `write_json` has not written so."""
    name, version = form
    try:
        data = json.loads(Path(path).read_bytes())
        found = data.pop("format"), data.pop("version")
        is_whole = data.pop("digest", None) == _digest(data)
    except (AttributeError, KeyError, OSError, RecursionError, TypeError, ValueError) as problem:
        said = f"{problem!s:.200}"
        if said.startswith("Extra data"):
            said = "it holds one JSON value a line, as a feed of articles does"
        raise error(f"cannot read {path} as {name}: {said}") from problem
    if found != form:
        shown = " of version ".join(f"{one!r:.80}" for one in found)
        raise error(f"{path} is {shown}, expected {name!r} of version {version}; make it anew")
    if not is_whole:
        raise error(f"cannot read {path} as {name}: it is damaged, or was changed")
    return dict(data)


def _digest(values: Mapping[str, Any]) -> str:
    return blake2b(json.dumps(values).encode(), digest_size=16).hexdigest()
