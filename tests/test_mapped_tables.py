from __future__ import annotations

import os
import pathlib
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from webclean_scrapy.mapped_tables import map_tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

ARRAYS = "depths", "names"


class Maker:
    """Makes two arrays and counts how often."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> dict[str, NDArray[Any]]:
        self.calls += 1
        return {"depths": np.arange(1000, dtype=np.uint32), "names": np.array(["bay", "quay"])}


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    yield tmp_path / "webclean_scrapy" / "soundings-1"
    assert not list(tmp_path.glob("*/draft-*"))


def get(maker: Maker) -> list[Any]:
    tables = map_tables("soundings-1", ARRAYS, maker)
    return [int(tables["depths"].sum()), *tables["names"].tolist()]


EXPECTED = [499_500, "bay", "quay"]


def test_tables_are_made_once_and_then_mapped(folder: Path) -> None:
    maker = Maker()
    assert [get(maker) for _ in range(3)] == [EXPECTED] * 3
    assert maker.calls == 1
    mapped = map_tables("soundings-1", ARRAYS, maker)["depths"]
    assert not mapped.flags.owndata
    assert not mapped.flags.writeable


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "other"])
def test_damaged_files_are_made_again(folder: Path, damage: str) -> None:
    get(Maker())
    file = folder / "depths.npy"
    data = file.read_bytes()
    file.unlink()
    if damage != "missing":
        file.write_bytes({"empty": b"", "cut": data[:500], "other": b"<html>" * 99}[damage])
    maker = Maker()
    assert [get(maker) for _ in range(2)] == [EXPECTED] * 2
    assert maker.calls == 1


def test_without_a_folder_of_ones_own_tables_are_made_each_time(folder: Path) -> None:
    folder.parent.mkdir()
    folder.parent.chmod(0o777)
    maker = Maker()
    assert [get(maker) for _ in range(2)] == [EXPECTED] * 2
    assert maker.calls == 2
    assert not folder.exists()


def test_a_user_without_a_home_gets_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(pathlib.Path, "expanduser", fail)
    assert get(Maker()) == EXPECTED


def test_without_room_tables_are_made_each_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "save", fail)
    maker = Maker()
    assert [get(maker) for _ in range(2)] == [EXPECTED] * 2
    assert maker.calls == 2


def test_old_drafts_of_killed_processes_are_removed(folder: Path) -> None:
    for name, age_s in (("draft-old", 7_200), ("draft-new", 60), ("other-old", 7_200)):
        draft = folder.parent / name
        draft.mkdir(parents=True)
        then = time.time() - age_s
        os.utime(draft, (then, then))
    get(Maker())
    assert {path.name for path in folder.parent.iterdir()} == {
        "draft-new",
        "other-old",
        "soundings-1",
    }
    (folder.parent / "draft-new").rmdir()


def test_what_another_process_has_written_meanwhile_stays(folder: Path) -> None:
    class Slow(Maker):
        def __call__(self) -> dict[str, NDArray[Any]]:
            if not self.calls:
                self.calls += 1
                get(self)  # the other process
            return super().__call__()

    assert get(Slow()) == EXPECTED
    assert [path.name for path in folder.parent.iterdir()] == ["soundings-1"]
