"""Permissions of the files that are written here.

What is kept for later runs (index, templates, locks, drafts) is for its user alone: 0600. A result
gets what the user's umask says. A file that replaces another gets the permissions of that one.
"""

from __future__ import annotations

import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os

_PRIVATE = 0o600


def make_draft(
    draft: str | os.PathLike[str], target: str | os.PathLike[str], *, private: bool = False
) -> None:
    """Create the file that is going to replace *target*, with the permissions of that one.

    A first one is *private* or what the umask says. Raises: OSError.
    """
    path = Path(draft)
    try:
        mode = stat.S_IMODE(Path(target).stat().st_mode)
    except OSError:
        path.touch(_PRIVATE if private else 0o666)
        return
    path.touch(_PRIVATE)
    with suppress(OSError):  # a file system without permissions
        path.chmod(mode)


def replace_text(path: str | os.PathLike[str], text: str, *, private: bool = False) -> None:
    """Write *text* to *path* as UTF-8: the whole of it, or the file stays as it was.

    A lone surrogate is written as its escape. Raises: OSError.
    """
    target = Path(path)
    draft = target.with_name(f"{target.name}.part")
    try:
        make_draft(draft, target, private=private)
        draft.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
        draft.replace(target)
    except OSError:
        with suppress(OSError):
            draft.unlink()
        raise
