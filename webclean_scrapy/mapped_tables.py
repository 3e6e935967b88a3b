"""Tables that are made once and then mapped into memory, by all processes of a user.

A worker process for each core would hold each table again, and make it again at its start. A
mapped table takes memory only where it is read, and the system shares that between processes.
They lie in the user's cache folder, which may be emptied at any time.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

_DRAFT = "draft-"  # folders of tables that are not whole yet
_OLD_S = 3_600.0  # age of a draft that nobody writes any more


def map_tables(
    name: str, arrays: Sequence[str], make: Callable[[], Mapping[str, NDArray[Any]]]
) -> Mapping[str, NDArray[Any]]:
    """Return *arrays*, which ``make()`` returns by name, from the folder *name* where they are.

    They may be read-only. *name* changes with whatever changes them. Without a folder that is the
    user's alone, or without room there, they are made each time.
    """
    base = own_folder()
    if base is None:
        return make()
    folder = base / name
    if tables := _read(folder, arrays):
        return tables
    made = make()
    with suppress(OSError):
        _write(folder, made)
    return _read(folder, arrays) or made


def _read(folder: Path, arrays: Iterable[str]) -> dict[str, NDArray[Any]] | None:
    """Return the arrays in *folder*; None where one is missing or not whole."""
    try:
        return {
            name: np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))
            for name in arrays
        }
    except (OSError, EOFError, ValueError):
        return None


def _write(folder: Path, tables: Mapping[str, NDArray[Any]]) -> None:
    """Write all files or none; whole ones of another process stay. Raises: OSError."""
    draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=folder.parent))
    _remove_old_drafts(draft)
    try:
        for name, table in tables.items():
            with (draft / f"{name}.npy").open("xb") as file:
                np.save(file, table, allow_pickle=False)
                file.flush()
                os.fsync(file.fileno())  # else they might be empty after a loss of power
        if folder.exists() and _read(folder, tables) is None:
            shutil.rmtree(folder)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _remove_old_drafts(draft: Path) -> None:
    """Remove what processes left that were killed while they wrote. Raises: OSError."""
    now = draft.stat().st_mtime
    for other in draft.parent.glob(f"{_DRAFT}*"):
        with suppress(OSError):  # its process has just removed or renamed it
            if now - other.stat().st_mtime > _OLD_S:
                shutil.rmtree(other)


def own_folder() -> Path | None:
    """Return the cache folder that only this user can write to, made where missing; else None."""
    with suppress(OSError, RuntimeError):  # the second: a user without a home
        base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
        folder = Path(base) / "webclean_scrapy"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
        ours = not hasattr(os, "getuid") or state.st_uid == os.getuid()
        if ours and not state.st_mode & 0o022:
            return folder
    return None
