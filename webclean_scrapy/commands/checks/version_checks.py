"""Versions of what the package needs, and the extras that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.requirements import InvalidRequirement, Requirement

from webclean_scrapy.commands.checks.finding import Finding
from webclean_scrapy.commands.checks.machine import normal_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.commands.checks.machine import Machine

PYTHON = (3, 10)
#: Extras by a library that each of them installs.
EXTRAS = {
    "classify": "scikit-learn", "datatrove": "datatrove", "meta": "htmldate",
    "monitor": "spidermon", "network": "igraph", "parquet": "pyarrow", "poet": "scrapy-poet",
    "queue": "scrapy-redis", "ray": "ray", "redis": "redis",
    "remote": "boto3", "render": "scrapy-playwright",
}  # fmt: skip


def check_versions(machine: Machine) -> Iterator[Finding]:
    """Yield what is missing, too old, or does not load."""
    if machine.python < PYTHON:
        shown = ".".join(map(str, machine.python))
        yield Finding(
            check="versions",
            what=f"Python {shown} runs; 3.10 or later is needed",
            change="make an environment with a later Python",
        )
    for requirement in _core_requirements(machine.requirements):
        version = machine.versions.get(normal_name(requirement.name))
        if version is None:
            yield Finding(
                check="versions",
                what=f"{requirement.name} is not installed",
                change=f"pip install '{requirement.name}{requirement.specifier}'",
            )
        elif not requirement.specifier.contains(version, prereleases=True):
            yield Finding(
                check="versions",
                what=f"{requirement.name} {version} is installed; "
                f"{requirement.name}{requirement.specifier} is needed",
                change=f"pip install -U '{requirement.name}{requirement.specifier}'",
            )
    for module, reason in machine.broken.items():
        name = module.partition(".")[0]
        yield Finding(
            check="versions",
            what=f"{name} is installed but does not load ({reason})",
            change=f"pip install --force-reinstall {name}",
        )


def _core_requirements(lines: tuple[str, ...]) -> Iterator[Requirement]:
    """Yield the requirements that hold here, without those of extras."""
    for line in lines:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:  # of a later standard
            continue
        marker = requirement.marker
        if "extra ==" in str(marker) or (marker and not marker.evaluate()):
            continue
        yield requirement


def installed_extras(machine: Machine) -> dict[str, bool]:
    """Return which extras are there."""
    return {extra: machine.has(library) for extra, library in EXTRAS.items()}
