from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.engines.made_archives import cleaned, write_archives


class Archives(NamedTuple):
    """Archives that no test changes."""

    folder: Path
    paths: list[str]
    articles: dict[str, dict[str, Any]]  # what webclean clean makes of them, by address


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Archives:
    folder = tmp_path_factory.mktemp("archives") / "warcs"
    paths = write_archives(folder)
    return Archives(folder, paths, cleaned(paths))
