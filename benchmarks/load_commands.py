"""The commands for what is large or goes wrong: hostile sites, webs of any size, engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.engine_cases import CASES as ENGINE_CASES
from benchmarks.load_site import TROUBLES
from benchmarks.markdown import table

if TYPE_CHECKING:
    import argparse


def run_sites(options: argparse.Namespace) -> None:
    from benchmarks.hostile_sites import HEADS, measure_sites, site_line

    kinds = bad = 0
    print(table(HEADS, []), flush=True)  # the rows come as the crawls end
    for result in measure_sites(options.seed, options.only):
        print(f"| {' | '.join(site_line(result))} |", flush=True)
        kinds += 1
        bad += bool(result.problems)
    print(f"\n{kinds} kinds of sites, {bad} with a problem", flush=True)
    if bad:
        raise SystemExit(1)


def run_load(options: argparse.Namespace) -> None:
    from benchmarks.load import HEADS, Load, load_line, measure_load

    load = Load(
        pages=options.pages,
        hosts=options.hosts,
        workers=options.workers,
        trouble=options.trouble,
        open_hosts=options.open_hosts,
    )
    before = 0
    print(table(HEADS, []), flush=True)  # the rows come as the crawl goes on
    for found in measure_load(load):
        if "pages" in found:
            print(f"| {' | '.join(load_line(found, before))} |", flush=True)
            before = found["pages"]
            continue
        for name, value in sorted(found["stats"].items()):
            if isinstance(value, int):
                print(f"{name}: {value:,}")
        print("\n".join(found["wrong"]) or "The stats add up.")
        if found["wrong"]:
            raise SystemExit(1)


def run_engines(options: argparse.Namespace) -> int:
    from benchmarks.engines import run

    return run(options)


def add_sites_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--only", default="", metavar="WORD", help="kinds with it in their name")


def add_load_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--pages", type=int, default=10_000)
    command.add_argument("--hosts", type=int, default=500)
    command.add_argument("--workers", type=int, default=1)
    command.add_argument("--open-hosts", type=int, default=100, help="hosts crawled side by side")
    command.add_argument("--trouble", choices=TROUBLES, default="none", help="that servers make")


def add_engines_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("--pages", type=int, default=2_000)
    command.add_argument("--cases", nargs="+", default=list(ENGINE_CASES), choices=ENGINE_CASES)
    command.add_argument("--no-kills", action="store_true", help="measure costs alone")


COMMANDS = {
    run_sites: (
        "what becomes of crawls of hostile sites: traps, errors, wrong answers",
        add_sites_arguments,
    ),
    run_load: (
        "memory, pages a second and open files of a long crawl as it goes on",
        add_load_arguments,
    ),
    run_engines: (
        "what datatrove and Ray cost a page beside a plain loop, and what a killed worker leaves",
        add_engines_arguments,
    ),
}
