"""Boxes that a browser has written into a page, one attribute an element.

What a rendered page carries in itself survives caches, job directories, other processes and saved
files. The attribute is ``left top width height`` in px of the document, or ``hidden`` where no
reader sees anything of the element. A page can write such attributes itself, so values are read
strictly and bounded, and ``layout.read_layout`` takes few of them for none.
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
    """Return the box that an attribute says, None for any other text.

    >>> read_box("8 120 640 48")
    Box(left=8.0, top=120.0, width=640.0, height=48.0)
    >>> read_box("8 120 640 -1") is None
    True
    """
    found = _BOX.fullmatch(value)
    return Box(*map(float, found.groups())) if found else None
