"""Boxes that a browser has written into a page, one attribute an element.

Boxes in the page itself survive caches, job directories, other processes and saved files.
The attribute is ``left top width height`` in px of the document, or ``hidden`` where no reader sees
anything of the element. A page can write such attributes itself, so values are read strictly and
within limits, and ``layout.read_layout`` ignores them on a page that has only a few.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ATTRIBUTE = "data-webclean-box"
HIDDEN = "hidden"

# All numbers are finite and below ten millions.
_BOX = re.compile(r"(-?[0-9]{1,7}) (-?[0-9]{1,7}) ([0-9]{1,7}) ([0-9]{1,7})")


class Box(NamedTuple):
    """Where an element is, in px of the document."""

    left: float
    top: float
    width: float
    height: float


def read_box(value: str) -> Box | None:
    """Return the box that the attribute *value* describes, None for any other text.

    >>> read_box("8 120 640 48")
    Box(left=8.0, top=120.0, width=640.0, height=48.0)
    >>> read_box("8 120 640 -1") is None
    True
    """
    match = _BOX.fullmatch(value)
    return Box(*map(float, match.groups())) if match else None
