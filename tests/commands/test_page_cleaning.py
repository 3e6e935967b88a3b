from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.pages import article
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.commands.page_cleaning import clean_all
from webclean_scrapy.stored.places import Place, Task

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a file that never ends needs a named pipe")
def test_a_page_over_the_time_limit_fails_alone(tmp_path: Path) -> None:
    names = ["1.html", "endless.html", "3.html", "4.html"]
    for number, name in enumerate(names):
        (tmp_path / name).write_text(article(number))
    (tmp_path / "endless.html").unlink()
    os.mkfifo(tmp_path / "endless.html")
    tasks = [Task(name, Place(str(tmp_path / name))) for name in names]

    outcomes = list(
        clean_all(tasks, CleanConfig(), articles_only=False, processes=2, timeout_s=4.0)
    )

    assert [outcome.task.name for outcome in outcomes] == names
    assert [outcome.problem for outcome in outcomes] == [
        "", "its process took too long and was ended", "", "",
    ]  # fmt: skip
