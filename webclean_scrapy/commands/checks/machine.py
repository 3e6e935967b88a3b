"""The facts of the machine that checks are given, so that tests can give others."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass, field
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DISTRIBUTION = "webclean-scrapy"
#: Modules of other libraries that are compiled: they may be there and not work.
COMPILED = ("lxml.etree", "numpy", "rjieba", "opencc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """What is installed, and how much there is of it."""

    python: tuple[int, ...]
    cpus: int
    versions: Mapping[str, str]  # of distributions by normal name
    requirements: tuple[str, ...] = ()  # of this package, as its metadata state them
    broken: Mapping[str, str] = field(default_factory=dict)  # modules and why they do not load
    has_chromium: bool = True  # where Playwright looks for it
    in_project: bool = True

    @classmethod
    def here(cls, *, in_project: bool) -> Machine:
        """Return the facts of this machine."""
        installed = {
            normal_name(one.metadata["Name"] or ""): one.version for one in metadata.distributions()
        }
        try:
            requirements = tuple(metadata.requires(DISTRIBUTION) or ())
        except metadata.PackageNotFoundError:  # run from its sources
            requirements = ()
        return cls(
            python=tuple(map(int, platform.python_version_tuple()[:2])),
            cpus=_usable_cpus(),
            versions=installed,
            requirements=requirements,
            broken=_broken_modules(),
            has_chromium=_has_chromium(),
            in_project=in_project,
        )

    def has(self, name: str) -> bool:
        """Whether a distribution is installed."""
        return normal_name(name) in self.versions


def normal_name(name: str) -> str:
    """Return the name of a distribution as indexes compare it."""
    return name.lower().replace("_", "-").replace(".", "-")


def _usable_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _broken_modules() -> dict[str, str]:
    """Return the compiled modules that are installed and do not load, and why."""
    from importlib import import_module

    broken = {}
    for name in COMPILED:
        try:
            import_module(name)
        except ModuleNotFoundError:  # noqa: PERF203, a few modules
            continue  # the requirements say so
        except Exception as error:  # noqa: BLE001, whatever a damaged library raises
            broken[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    return broken


def _has_chromium() -> bool:
    """Whether Playwright's folder of browsers has a Chromium."""
    if find_spec("playwright") is None:
        return False
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    home = Path.home()
    places = [Path(named)] if named not in ("", "0") else []
    places += [
        home / ".cache/ms-playwright",
        home / "Library/Caches/ms-playwright",
        home / "AppData/Local/ms-playwright",
    ]
    return any(next(place.glob("chromium*"), None) for place in places)
