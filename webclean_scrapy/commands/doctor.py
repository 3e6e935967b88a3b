"""``webclean doctor``: what is wrong with versions, settings, places and stores."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from scrapy.utils.conf import closest_scrapy_cfg

from webclean_scrapy.commands.checks import Finding, examine, first_line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import Settings

USAGE = "[--json]"
DETAILS = """Looks at versions, at the settings and the order of the components of the project, at
places that a crawl writes to and at the Redis server. Nothing is changed, nothing is fetched from
the web. The exit code is 1 when something is wrong; advice leaves it 0."""
EXAMPLES = ("", "--json", "-s WEBCLEAN_DEDUP_URI=redis://localhost/0?prefix=news")

DISTRIBUTION = "webclean-scrapy"
SHOWN = ("Scrapy", "lxml", "numpy", "jieba", "rjieba", "parsel", "Twisted")
#: Modules of other libraries that are compiled: they may be there and not work.
COMPILED = ("lxml.etree", "numpy", "rjieba", "opencc")
#: Extras by a module that each of them installs.
EXTRAS = {
    "classify": "sklearn", "datatrove": "datatrove", "meta": "htmldate", "monitor": "spidermon",
    "network": "igraph", "parquet": "pyarrow", "poet": "scrapy_poet", "queue": "scrapy_redis",
    "ray": "ray", "redis": "redis", "remote": "boto3", "render": "scrapy_playwright",
}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("--json", action="store_true", help="print findings and versions as JSON")


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Print what is found and return the exit code: 1 when something is wrong."""
    in_project = bool(closest_scrapy_cfg())
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    findings = [*check_versions(), *examine(settings, in_project=in_project, cpus=cpus)]
    versions = {"Python": platform.python_version()}
    versions |= {name: _version(name) or "not installed" for name in (DISTRIBUTION, *SHOWN)}
    extras = {extra: find_spec(module) is not None for extra, module in EXTRAS.items()}
    wrong = sum(one.is_wrong for one in findings)
    if opts.json:
        facts = {"versions": versions, "extras": extras, "processors": cpus}
        rows = [{"level": one.level, **asdict(one)} for one in findings]
        for row in rows:
            del row["is_wrong"]
        report = {"findings": rows, **facts, "in_project": in_project}
        print(json.dumps(report, ensure_ascii=False, indent=1))
        return int(wrong > 0)
    there = ", ".join(name for name, is_there in extras.items() if is_there) or "none"
    place = "in a project" if in_project else "outside of a project"
    print(", ".join(f"{name} {version}" for name, version in versions.items()))
    print(f"extras: {there}; processors: {cpus}; {place}")
    for one in findings:
        print(f"{one.level}: {one.check}: {one.what}; {one.change}")
    print(f"{wrong} wrong, {len(findings) - wrong} advice")
    return int(wrong > 0)


def _version(name: str) -> str:
    """Return the version of a distribution, "" when it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def check_versions() -> Iterator[Finding]:
    """Yield what the package needs and is missing, too old, or does not load."""
    try:
        lines = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:  # run from its sources
        lines = []
    for requirement in map(Requirement, lines):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        version = _version(requirement.name)
        if not version or not requirement.specifier.contains(version, prereleases=True):
            what = f"{requirement.name} {version or 'is not installed'}"
            wanted = f"{requirement.name}{requirement.specifier}"
            yield Finding("versions", f"{what}; {wanted} is needed", f"pip install -U '{wanted}'")
    for module in filter(lambda name: _version(name.partition(".")[0]), COMPILED):
        try:
            import_module(module)
        except Exception as error:  # noqa: BLE001, PERF203, whatever a damaged library raises
            name = module.partition(".")[0]
            what = f"{name} is installed but does not load ({first_line(error)})"
            yield Finding("versions", what, f"pip install --force-reinstall {name}")
