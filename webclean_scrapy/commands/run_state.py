"""Save the progress of a stopped command in FILE.state, to resume it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from webclean_scrapy.errors import FeedError
from webclean_scrapy.file_modes import whole_file


class RunState:
    """The file beside an *output*; *head* must be equal for a run to be resumed."""

    def __init__(self, output: str, head: Any) -> None:
        self.path = Path(f"{output}.state")
        self._head = head

    def load(self) -> dict[str, Any]:
        """Return the saved values, {} without any. Raises OSError, FeedError."""
        if not self.path.exists():
            return {}
        try:
            values: dict[str, Any] = json.loads(self.path.read_bytes())
        except ValueError as error:
            raise FeedError(f"cannot read {self.path}: {error!r}") from error
        if values.pop("head", None) != self._head:
            raise FeedError(
                f"{self.path} belongs to a run with other inputs or options; "
                "repeat that command, or delete this file and the output to start again"
            )
        return values

    def save(self, **values: Any) -> None:
        """Save *values* atomically, synced to disk. Raises OSError."""
        with whole_file(self.path, private=True) as draft, draft.path.open("w") as file:
            json.dump({"head": self._head, **values}, file)
            file.flush()
            os.fsync(file.fileno())
