"""The records of a draft, and their values as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from webclean_scrapy.commands.feeds.feed_line import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def read_draft(draft: Path) -> Iterator[dict[str, Any]]:
    """Yield the record of each line."""
    with draft.open("rb") as lines:
        for line in lines:
            yield json.loads(line)


def cell_of(value: object) -> str:
    """Return *value* as the text of a cell: what is no string as JSON, None as nothing.

    >>> cell_of("as it is"), cell_of(None), cell_of([{"name": "Ada"}])
    ('as it is', '', '[{"name": "Ada"}]')
    """
    if isinstance(value, str):
        return value
    return "" if value is None else to_json(value).decode()
