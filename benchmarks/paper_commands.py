"""The commands that measure the papers' methods, and each step of ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.data import load_articles, load_demo

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable


def run_ablations(options: argparse.Namespace) -> None:
    from benchmarks.ablations import DEMO, FITTED, HELD, variants
    from benchmarks.ablations_page import ablations_page

    sets = load_articles(options.data, options.sets or ((*FITTED, *HELD) if options.data else None))
    print_page(ablations_page({**sets, DEMO: load_demo()}, variants(options.only)), options.output)


def run_papers(options: argparse.Namespace) -> None:
    from benchmarks.papers_page import PARTS, papers_page

    if options.only not in (None, *PARTS):
        raise SystemExit(f"--only must be one of {', '.join(PARTS)}, got {options.only!r}")
    print_page(papers_page(options.data, options.sets, options.only), options.output)


def print_page(lines: Iterable[str], output: Path | None) -> None:
    """Print the lines of a page as they come; then write them to *output*, if any."""
    printed = []
    for line in lines:
        print(line, flush=True)
        printed.append(line)
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text("\n".join(printed) + "\n", encoding="utf-8")


COMMANDS = {
    run_papers: "the tables of the papers, with our pages",
    run_ablations: "what each step is worth: left out, with all else fitted again",
}


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of either command."""
    command.add_argument("data", type=Path, nargs="?", help="folder of labelled sets")
    command.add_argument("--sets", nargs="+", help="only these sets")
    command.add_argument("--only", metavar="NAME", help="only this part, only such variants")
    command.add_argument("-o", "--output", type=Path, help="write the page there, too")
