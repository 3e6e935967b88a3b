"""``doctor``: what is wrong with this machine and these settings, and what to change."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from scrapy.utils.conf import closest_scrapy_cfg

from webclean_scrapy.commands.checks.examination import examine
from webclean_scrapy.commands.checks.machine import DISTRIBUTION, Machine
from webclean_scrapy.commands.checks.version_checks import installed_extras

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from scrapy.settings import Settings

    from webclean_scrapy.commands.checks.finding import Finding

USAGE = "[--json]"
DETAILS = """Looks at versions, at the order of the components of the project, at its settings, at
places that a crawl writes to and at the Redis server. Nothing is changed, nothing is fetched from
the web. The exit code is 1 when something is wrong; advice leaves it 0."""
EXAMPLES = ("", "--json", "-s WEBCLEAN_DEDUP_URI=redis://localhost/0?prefix=news")
SHOWN = ("Scrapy", "lxml", "numpy", "jieba", "rjieba", "parsel", "Twisted")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("--json", action="store_true", help="print findings and versions as JSON")


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Print what is found and return the exit code: 1 when something is wrong."""
    machine = Machine.here(in_project=bool(closest_scrapy_cfg()))
    findings = examine(settings, machine)
    if opts.json:
        print(json.dumps(_as_json(findings, machine), ensure_ascii=False, indent=1))
    else:
        print(render_findings(findings, machine))
    return int(any(one.is_wrong for one in findings))


def _versions(machine: Machine) -> dict[str, str]:
    names = (DISTRIBUTION, *SHOWN)
    python = ".".join(map(str, sys.version_info[:3]))
    return {"Python": python} | {
        name: machine.versions.get(name.lower(), "not installed") for name in names
    }


def _as_json(findings: Sequence[Finding], machine: Machine) -> dict[str, object]:
    rows = [{"level": one.level, **asdict(one)} for one in findings]
    for row in rows:
        del row["is_wrong"]
    return {
        "findings": rows,
        "versions": _versions(machine),
        "extras": installed_extras(machine),
        "processors": machine.cpus,
        "in_project": machine.in_project,
    }


def render_findings(findings: Sequence[Finding], machine: Machine) -> str:
    """Return versions, a line for each finding, and how many there are."""
    there = [name for name, is_there in installed_extras(machine).items() if is_there]
    extras = ", ".join(there) or "none"
    place = "in a project" if machine.in_project else "outside of a project"
    lines = [
        ", ".join(f"{name} {version}" for name, version in _versions(machine).items()),
        f"extras: {extras}; processors: {machine.cpus}; {place}",
    ]
    lines += [f"{one.level}: {one.check}: {one.what}; {one.change}" for one in findings]
    wrong = sum(one.is_wrong for one in findings)
    lines.append(f"{wrong} wrong, {len(findings) - wrong} advice")
    return "\n".join(lines)
