"""Runs tests too long for each change: crawls that are killed, hostile input, fuzzing.

The exit code is 1 when something is not as promised.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import TYPE_CHECKING, Any

from tests.nightly.mutations import ROOMS

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable


def main() -> None:
    options = read_arguments()
    sys.exit(options.run(options))


def run_kills(options: Namespace) -> int:
    from tests.nightly.kills import kills_section, measure_kills

    losses = measure_kills(options.count, options.seed)
    print(kills_section(losses))
    return int(not losses.are_as_promised)


def run_faults(options: Namespace) -> int:
    from tests.nightly.faults import FAULTS, faults_section, is_as_promised, measure_faults

    if unknown := set(options.only) - set(FAULTS):
        raise SystemExit(f"unknown: {', '.join(unknown)}; known: {', '.join(FAULTS)}")
    measured = {}
    for name, outcomes in measure_faults(options.only, options.times, options.seed):
        measured[name] = outcomes
        print(f"{name}: {'as promised' if is_as_promised(outcomes) else 'NOT as promised'}",
              file=sys.stderr, flush=True)  # fmt: skip
    print(faults_section(measured))
    return int(not all(map(is_as_promised, measured.values())))


def run_hostile(options: Namespace) -> int:
    from tests.nightly import hostile_pages as bench
    from tests.nightly.hostile.kinds import KINDS

    seed = options.seed or random.SystemRandom().randrange(1, 10**6)
    print(f"seed: {seed}", flush=True)
    kinds = [kind for kind in KINDS if not options.kinds or kind.name in options.kinds]
    fates = list(bench.measure_hostile(seed, kinds))
    print(bench.kinds_table(fates), bench.totals_section(fates), sep="\n\n")
    return int(not all(map(bench.is_as_promised, fates)))


def run_sites(options: Namespace) -> int:
    from tests.crawling import Crawls
    from tests.nightly.hostile.site_kinds import KINDS
    from tests.nightly.hostile.sites import crawl_site

    crawls, bad = Crawls(), 0
    for name, make in KINDS.items():
        site, begin = make(random.Random(f"{options.seed} {name}")), time.process_time()
        problems = crawl_site(crawls, site)
        bad += bool(problems)
        seconds = f"{time.process_time() - begin:.1f} s of CPU"
        print(f"{name}: {'; '.join(problems) or 'as it must be'}, {seconds}", flush=True)
    crawls.close()
    return int(bool(bad))


def run_patterns(_: Namespace) -> int:
    from tests.nightly.patterns import measure

    report, is_in_proportion = measure()
    print(report)
    return int(not is_in_proportion)


def run_torture(options: Namespace) -> int:
    from tests.nightly import torture

    plan = torture.Plan(
        seed=options.seed or torture.fresh_seed(),
        runs=options.runs,
        minutes=options.minutes,
        names=tuple(options.targets),
    )
    if options.only is not None:
        problem = torture.run_one(plan, options.only)
        print(problem or "all that must hold does")
        return int(problem is not None)
    print(f"SEED={plan.seed}", flush=True)
    results = torture.torture(plan)
    print("", torture.torture_section(results, plan.out), sep="\n")
    return int(bool(results.findings))


def run_mutations(options: Namespace) -> int:
    from tests.nightly.mutations import measure_mutations, mutations_section

    seed = options.seed or random.SystemRandom().randrange(1, 10**6)
    print(f"seed: {seed}", flush=True)
    total, free = measure_mutations(options.room, options.sample, seed, options.only)
    print(mutations_section(total, free))
    return int(bool(free))


Argument = tuple[str, dict[str, Any]]
SEED: Argument = ("--seed", {"type": int, "default": 1})
FRESH: Argument = ("--seed", {"type": int, "default": 0, "help": "default: a fresh one"})

COMMANDS: dict[Callable[[Namespace], int], tuple[str, tuple[Argument, ...]]] = {
    run_kills: ("what is left of crawls that are killed again and again",
                (SEED, ("--count", {"type": int, "default": 20, "help": "kills"}))),
    run_faults: ("what is left of crawls that something bad happens to",
                 (SEED, ("--only", {"nargs": "+", "default": [], "metavar": "NAME"}),
                  ("--times", {"type": int, "default": 1}))),
    run_hostile: ("what becomes of hostile pages, at which cost",
                  (FRESH, ("--kinds", {"nargs": "+", "metavar": "NAME"}))),
    run_sites: ("what becomes of crawls of hostile sites", (SEED,)),
    run_patterns: ("which regular expressions and pages cost more than in proportion", ()),
    run_mutations: ("which constants of the method no test holds; 1 when there are any",
                    (FRESH, ("--room", {"nargs": "+", "default": ROOMS, "choices": ROOMS}),
                     ("--only", {"default": "", "metavar": "TEXT", "help": "in path and name"}),
                     ("--sample", {"type": int, "default": 0, "metavar": "N",
                                   "help": "changes of each room; default: all, hours"}))),
    run_torture: ("a million mutated inputs; 1 when anything is found",
                  (FRESH, ("--runs", {"type": int, "default": 1_000_000}),
                   ("--minutes", {"type": float, "default": 0, "help": "0: no limit"}),
                   ("--targets", {"nargs": "+", "default": [], "metavar": "NAME"}),
                   ("--only", {"type": int, "metavar": "N", "help": "repeat one execution"}))),
}  # fmt: skip


def read_arguments() -> Namespace:
    """Return the options of the command line, with the function to run."""
    parser = argparse.ArgumentParser(prog="python -m tests.nightly", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for run, (meaning, arguments) in COMMANDS.items():
        name = run.__name__.removeprefix("run_")
        command = commands.add_parser(name, help=meaning, description=meaning)
        command.set_defaults(run=run)
        for argument, given in arguments:
            command.add_argument(argument, **given)
    return parser.parse_args()


if __name__ == "__main__":
    main()
