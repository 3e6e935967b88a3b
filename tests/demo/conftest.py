"""Fixtures of the demo portal."""

import pytest

from spiders.demo import Portal, build_portal


@pytest.fixture(scope="session")
def portal() -> Portal:
    return build_portal()
