"""Whether there is anything to compare in some feeds, before anything is written."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, Any

from webclean_scrapy.errors import FeedError
from webclean_scrapy.messages import visible_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webclean_scrapy.commands.feeds.feed_line import Line

_SHOWN = 20  # fields that are named


def check_text_field(names: Sequence[str], lines: Iterable[Line], field: str) -> None:
    """Read *lines* of the feeds *names* up to the first that has text in *field*: mostly one.

    Raises: FeedError when none has, with the fields that there are.
    """
    lengths: Counter[str] = Counter()  # characters of strings by field
    first_problem = ""
    number = 0
    for line in lines:
        if line.error:
            first_problem = first_problem or f"{line.at}: {line.error}"
            continue
        number += 1
        value = line.record.get(field)
        if isinstance(value, str) and value.strip():
            return
        for name, other in line.record.items():
            lengths[name] += len(other) if isinstance(other, str) else 0
    where = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    if number:
        raise FeedError(f"{where}: {_missing(field, lengths, number)}")
    if first_problem:
        raise FeedError(f"{where}: no line can be read; {first_problem}")
    raise FeedError(f"{where}: there are no lines, so nothing can be compared")


def _missing(field: str, lengths: Counter[str], number: int) -> str:
    if field in lengths:
        return f"no text in the field {field!r} of {number:,} lines: nothing can be compared"
    shown = ", ".join(map(visible_line, list(lengths)[:_SHOWN]))
    more = f" and {len(lengths) - _SHOWN} more" if len(lengths) > _SHOWN else ""
    longest: list[tuple[Any, int]] = lengths.most_common(1)
    hint = ""
    if longest and longest[0][1]:
        hint = f"; name it with --text, as --text {shlex.quote(visible_line(longest[0][0]))}"
    return f"no line has the field {field!r}; there are: {shown}{more}{hint}"
