"""Files of ours are read as they were written, or refused with their name."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from webclean_scrapy.errors import ModelFileError
from webclean_scrapy.json_files import read_json, write_json

FORM = ("webclean-classes", 2)
VALUES: dict[str, Any] = {"words": ["\ud800", "码头"], "weights": {"1": 0.1, "2": 1e300}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the values."""
    write_json(tmp_path / "own.json", FORM, VALUES)
    return tmp_path / "own.json"


def test_what_was_written_is_read(path: Path) -> None:
    assert read_json(path, FORM, ModelFileError) == VALUES


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.update(version=1), "expected 'webclean-classes' of version 2"),
        (lambda data: data.update(format="other"), "is 'other' of version 2"),
        (lambda data: data["words"].append("new"), "was changed"),
        (lambda data: data["weights"].update({"1": 0.2}), "was changed"),
        (lambda data: data.update(more=1), "was changed"),
        (lambda data: data.pop("digest"), "was changed"),
        (lambda data: data.pop("version"), "version"),
        (lambda data: data.clear(), "format"),
    ],
)
def test_another_file_and_one_that_was_changed_are_refused(
    path: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(ModelFileError, match=said) as caught:
        read_json(path, FORM, ModelFileError)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"[]", b"7", b"[" * 100_000, b"\xff\xfe\x00", b"words"])
def test_what_is_no_file_of_ours_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"own\.json"):
        read_json(path, FORM, ModelFileError)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="none"):
        read_json(tmp_path / "none.json", FORM, ModelFileError)
