from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.crawling import Crawls


@pytest.fixture(scope="session")
def crawls() -> Iterator[Crawls]:
    """Crawls in this process, several in a row."""
    from tests.crawling import Crawls

    runner = Crawls()
    yield runner
    runner.close()
