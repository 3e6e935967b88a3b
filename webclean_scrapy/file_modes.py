"""Write files atomically, by one process at a time, with the right permissions.

What is kept for later runs (index, templates, locks, drafts) is for its user alone: 0600. A result
gets what the user's umask says. A file that replaces another gets the permissions of that one.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PRIVATE = 0o600
_BUSY = "another command is writing this file; wait until it has ended, or name another file"


class Draft:
    """FILE.part, locked by this process until it replaces FILE.

    A link stays, and the file that it leads to is replaced; without *follows* the link itself is.
    A FIFO or a device is not replaced: then `path` is the target. *private*: a first one is 0600.
    """

    def __init__(
        self, target: str | os.PathLike[str], *, private: bool = False, follows: bool = True
    ) -> None:
        """Create or continue the draft. Raises: OSError, also if another process has it."""
        self.target = self.path = Path(target)
        self.is_direct = is_device(target) if follows else self.target.is_dir()
        if self.is_direct:  # a folder is an error; the reader of a FIFO sees no end before `close`
            self._descriptor: int | None = os.open(target, os.O_WRONLY)
            return
        if follows and self.target.is_symlink():
            self.target = Path(os.path.realpath(target))
        self.path = Path(f"{self.target}.part")
        found = self.target.lstat().st_mode if os.path.lexists(self.target) else 0
        is_new = not stat.S_ISREG(found)
        self._descriptor = _open_alone(self.path, 0o666 if is_new and not private else _PRIVATE)
        if not is_new:
            with suppress(OSError):  # a file system without permissions
                self.path.chmod(stat.S_IMODE(found))

    def close(self, *, replaces: bool, keeps: bool = False) -> None:
        """Replace the target; or remove the draft, unless *keeps*. Raises: OSError."""
        try:
            if replaces and not self.is_direct:
                self.path.replace(self.target)
            elif not keeps and not self.is_direct:
                self.path.unlink(missing_ok=True)
        finally:
            if self._descriptor is not None:
                os.close(self._descriptor)


def is_device(path: str | os.PathLike[str]) -> bool:
    """True if *path* exists and is no regular file, such as ``/dev/null``. Raises: OSError."""
    return Path(path).exists() and not Path(path).is_file()


def _open_alone(path: Path, mode: int) -> int | None:
    """Open *path* with *mode*, and lock it for this process; None without file locks.

    The lock is on the file itself, so nothing is left of it when the process ends or is killed.
    """
    if sys.platform == "win32":
        path.touch(mode)
        return None
    import fcntl

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, mode)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_alone = os.path.samestat(os.fstat(descriptor), path.lstat())
    except (BlockingIOError, FileNotFoundError):
        is_alone = False  # or another process has just moved it into place
    except OSError:
        is_alone = True  # a file system that knows no locks
    if not is_alone:
        os.close(descriptor)
        raise BlockingIOError(errno.EAGAIN, _BUSY, str(path))
    return descriptor


@contextmanager
def whole_file(
    target: str | os.PathLike[str], *, private: bool = False, follows: bool = True
) -> Iterator[Draft]:
    """Give a `Draft` that replaces *target* if the block succeeds. Raises: OSError."""
    draft, is_whole = Draft(target, private=private, follows=follows), False
    try:
        yield draft
        is_whole = True
    finally:
        draft.close(replaces=is_whole)


def replace_text(
    path: str | os.PathLike[str], text: str, *, private: bool = False, follows: bool = True
) -> None:
    """Replace *path* by *text* in UTF-8, atomically.

    A lone surrogate is written as its escape. Raises: OSError.
    """
    with whole_file(path, private=private, follows=follows) as draft:
        draft.path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def why_unwritable(place: str | os.PathLike[str], *, is_folder: bool = False) -> str:
    """Return why a file or folder cannot be created or written to, or ""."""
    path = Path(place).absolute()
    if path.exists() and path.is_dir() != is_folder:
        return f"{place} is a {'file' if is_folder else 'folder'}"
    if not is_folder and not path.parent.is_dir():
        return f"the folder {path.parent} is missing"
    there = next(one for one in (path, *path.parents) if one.exists())
    return "" if os.access(there, os.W_OK) else f"{there} cannot be written to"
