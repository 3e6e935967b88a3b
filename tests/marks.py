"""Marks of tests."""

from typing import Any

import pytest


def nightly(*values: Any) -> list[Any]:
    """Return values of a parameter that only `make nightly` tests: others show the same."""
    return [
        pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=pytest.mark.nightly)
        for one in values
    ]
