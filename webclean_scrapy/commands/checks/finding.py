"""One thing that is wrong, or could be better, and what to change."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """*what* is so, and *change*: what to do. Advice does not make the exit code 1."""

    check: str  # such as "settings"
    what: str
    change: str
    is_wrong: bool = True

    @property
    def level(self) -> str:
        """The word for how bad it is: "wrong" or "advice"."""
        return "wrong" if self.is_wrong else "advice"


def first_line(error: BaseException) -> str:
    """Return what an error says, on one line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
