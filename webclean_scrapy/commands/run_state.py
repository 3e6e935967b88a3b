"""Save the progress of a stopped command in FILE.state, to resume it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy.errors import FeedError
from webclean_scrapy.file_modes import whole_file

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


class RunState:
    """The file beside an *output*; *head* must be equal for a run to be resumed."""

    def __init__(self, output: str, head: Any) -> None:
        self.path = Path(f"{output}.state")
        self._head = head

    def load(self, make: Callable[..., _T]) -> _T | None:
        """Return *make* of the saved values; None without any.

        Raises: OSError; FeedError when the state is of another run or cannot be read.
        """
        if not self.path.exists():
            return None
        try:
            values: dict[str, Any] = json.loads(self.path.read_bytes())
            if values.pop("head") == self._head:
                return make(**values)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FeedError(f"cannot read {self.path}: {error!r}") from error
        raise FeedError(
            f"{self.path} belongs to a run with other inputs or options; "
            "repeat that command, or delete this file and the output to start again"
        )

    def save(self, **values: Any) -> None:
        """Save *values* atomically, synced to disk. Raises: OSError."""
        with whole_file(self.path, private=True) as draft, draft.path.open("w") as file:
            json.dump({"head": self._head, **values}, file)
            file.flush()
            os.fsync(file.fileno())
