"""Run a measurement; DATA is a folder of labelled sets, without it the demo portal is measured."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import favor, load_commands, paper_commands, sections
from benchmarks.bodies import measure_bodies
from benchmarks.crawl_cost import CASES
from benchmarks.data import load_articles, load_demo, load_sets
from benchmarks.facts import measure_facts
from benchmarks.peers import FACT_PEERS, PEERS, installed
from benchmarks.render import render_section
from benchmarks.report import facts_of, write_report
from benchmarks.scale import SIZES, STORES
from benchmarks.speed import measure_growth, measure_steps, sample
from benchmarks.templates import costs_section, measure_costs, measure_worth, worth_section

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    options = _read_arguments()
    sys.exit(options.run(options) or 0)


def run_bodies(options: argparse.Namespace) -> None:
    sets = load_sets(options.data, options.sets)
    peers = installed(options.peers)
    results = {}
    for name, pages in sets.items():
        results[name] = measure_bodies(pages, peers, siblings=options.siblings)
        print(sections.bodies_section({name: results[name]}, options.siblings), end="\n\n")
        if low := sections.low_pages(results[name], options.below):
            print(low, end="\n\n")
    print(sections.differences_section(results), sections.costs_section(results), sep="\n\n")


def run_speed(options: argparse.Namespace) -> None:
    pages = sample(load_sets(options.data, options.sets))
    peers = installed(options.peers)
    print(sections.steps_section(measure_steps(pages, peers)), end="\n\n")
    print(sections.growth_section(measure_growth(peers)))


def run_stages(options: argparse.Namespace) -> None:
    from benchmarks.stages import measure_stages, stages_section

    sets = load_sets(options.data, options.sets)
    print(stages_section({name: measure_stages(pages.values()) for name, pages in sets.items()}))


def run_growth(options: argparse.Namespace) -> None:
    from benchmarks.growth import growth_table, measure_shapes

    found = {}
    for name, growth in measure_shapes(options.shapes):
        found[name] = growth
        parses = " ".join(f"{one:.0f}" for one in growth.parses)
        print(f"{name}: {parses} parses, exponent {growth.exponent:.2f}", file=sys.stderr)
    print(growth_table(found))
    if any(growth.faults for growth in found.values()):
        raise SystemExit(1)


def run_metadata(options: argparse.Namespace) -> None:
    sets = load_sets(options.data, options.sets)
    print(facts_of(sets, [p for p in installed(options.peers) if p in FACT_PEERS]))
    if options.wrong:
        for name, pages in sets.items():
            found = sections.wrong_facts(measure_facts(pages, ())["webclean"])
            print(f"\n{name}:\n{found}" if found else "", end="")
        print()


def run_templates(options: argparse.Namespace) -> None:
    sets = load_sets(options.data, options.sets)
    print(worth_section(measure_worth(sets)), end="\n\n")
    print(costs_section({name: measure_costs(pages) for name, pages in sets.items()}))


def run_render(options: argparse.Namespace) -> None:
    for name, pages in load_sets(options.data, options.sets).items():
        print(render_section(name, pages), end="\n\n", flush=True)


def run_report(options: argparse.Namespace) -> None:
    text = write_report(options.data, options.sets, options.peers, options.siblings)
    if options.output is None:
        print(text)
        return
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(text, encoding="utf-8")


def run_redis(options: argparse.Namespace) -> None:
    from benchmarks.redis_index import measure_redis, redis_section

    print(redis_section(measure_redis(options.pages)))


def run_requests(options: argparse.Namespace) -> None:
    from benchmarks.request_cost import measure_requests, requests_section

    print(requests_section(list(measure_requests())))


def run_crawl(options: argparse.Namespace) -> None:
    from benchmarks.crawl_cost import crawls_section, measure_crawls
    from benchmarks.crawl_pages import PageChoice

    data = str(options.data) if options.data else None
    sets = tuple(options.sets or ())
    choice = PageChoice(count=options.pages, large=not options.small, data=data, sets=sets)
    pages, costs = measure_crawls(options.cases, choice, options.times)
    print(pages, crawls_section(costs), sep="\n\n")


def run_duplicates(options: argparse.Namespace) -> None:
    from benchmarks import duplicates as bench

    for language, texts in bench.load_texts(options.data).items():
        print(f"{language}:\n\n{bench.duplicates_section(texts, bench.measure_duplicates(texts))}")
        print()
        print(bench.keywords_section(texts, bench.measure_indexed_keywords(texts)))
        print()


def run_kills(options: argparse.Namespace) -> None:
    from benchmarks.kills import kills_section, measure_crawl_kills, measure_item_kills

    crawls = options.count // 20 if options.crawls is None else options.crawls
    measured = {"items": measure_item_kills(options.count, options.seed)}
    if crawls:
        measured["crawls of the demo portal"] = measure_crawl_kills(crawls, options.seed)
    print(kills_section(measured))
    if not all(losses.are_as_promised for losses in measured.values()):
        raise SystemExit(1)


def run_xss(_: argparse.Namespace) -> None:
    from benchmarks.attacks import measure_xss, xss_section

    seen = measure_xss()
    print(xss_section(seen))
    if any(names for kind, names in seen.fired.items() if kind != "raw page"):
        raise SystemExit(1)


def run_crawl_report(options: argparse.Namespace) -> None:
    from benchmarks.report_cost import measure_report, report_section

    print(report_section(measure_report(options.pages)))


def run_ssrf(_: argparse.Namespace) -> None:
    from benchmarks.attacks import measure_ssrf, ssrf_section

    found = measure_ssrf()
    print(ssrf_section(found))
    if any(one.allowed for one in found):
        raise SystemExit(1)


def run_faults(options: argparse.Namespace) -> None:
    from benchmarks import faults

    measured = {}
    names, times = options.only, options.times
    if unknown := set(names) - set(faults.FAULTS):
        raise SystemExit(f"unknown: {', '.join(unknown)}; known: {', '.join(faults.FAULTS)}")
    for name, outcomes in faults.measure_faults(
        names, times, options.seed, is_verbose=options.verbose
    ):
        measured[name] = outcomes
        print(faults.faults_section({name: outcomes}), flush=True)
    print("", faults.faults_section(measured), faults.notes_section(measured), sep="\n\n")
    if not all(faults.is_as_promised(name, outcomes) for name, outcomes in measured.items()):
        raise SystemExit(1)


def run_writers(options: argparse.Namespace) -> None:
    from benchmarks.writers import measure_writers, writers_section

    measured = measure_writers(options.pages)
    print(writers_section(measured))
    if any(one.twice or one.never for one in measured.values()):
        raise SystemExit(1)


def run_scale(options: argparse.Namespace) -> None:
    from benchmarks.scale import measure_scale, scale_section

    print(scale_section(*measure_scale(options.sizes, options.stores)))


def run_source(options: argparse.Namespace) -> None:
    from benchmarks import source_scan

    sets = load_sets(options.data, options.sets)
    found = {name: source_scan.measure_source_bodies(pages) for name, pages in sets.items()}
    print(source_scan.bodies_table(found), end="\n\n", flush=True)
    print(source_scan.costs_table(source_scan.measure_source_costs()))


def run_hostile(options: argparse.Namespace) -> None:
    from random import SystemRandom

    from benchmarks import hostile_pages as bench
    from tests.hostile.kinds import KINDS

    fresh = (SystemRandom().randrange(10**6) for _ in range(options.seeds))
    seeds = options.seed or list(fresh)
    print(f"seeds: {' '.join(map(str, seeds))}", flush=True)
    kinds = [kind for kind in KINDS if not options.kinds or kind.name in options.kinds]
    found: dict[str, list[bench.Fate]] = {}
    for extractor, fate in bench.measure_hostile(seeds, (bench.OURS, *options.peers), kinds):
        found.setdefault(extractor, []).append(fate)
    for extractor, fates in found.items():
        print(f"\n{bench.kinds_table(fates)}" if extractor == bench.OURS else "")
        print(f"\n{extractor}: {bench.totals_section(fates)}")
    if not all(map(bench.is_as_promised, found[bench.OURS])):
        raise SystemExit(1)


def run_printed(options: argparse.Namespace) -> None:
    from benchmarks.printed import measure_printed, printed_section

    print(printed_section(dict(measure_printed(load_sets(options.data, options.sets)))))


def run_keywords(options: argparse.Namespace) -> None:
    from benchmarks.keywords import keywords_section, load_keyword_pages, measure_keywords

    by_set = load_keyword_pages(options.data, options.sets)
    if not options.fit:
        print(keywords_section(measure_keywords([page for one in by_set.values() for page in one])))
        return
    from benchmarks.fitting import keyword_weights

    print(keyword_weights.left_out_section(keyword_weights.measure_left_out(by_set)), end="\n\n")
    weights = keyword_weights.fit_weights(page for one in by_set.values() for page in one)
    print(f"fitted on all: {weights}")
    if options.write:
        keyword_weights.write_weights(weights)


def run_interest(options: argparse.Namespace) -> None:
    from benchmarks.interest import interest_section, measure_interest
    from benchmarks.topics import demo_topics, site_topics

    sections_of_demo, subjects = demo_topics()
    collections = {"sections of the demo portal": sections_of_demo, "subjects": subjects}
    if options.data:
        sets = load_sets(options.data, options.sets)
        collections |= {f"sites of {name}": site_topics(pages) for name, pages in sets.items()}
    for name, topics in collections.items():
        print(interest_section(name, measure_interest(topics, options.seeds)), end="\n\n")


def run_focus(options: argparse.Namespace) -> None:
    from benchmarks.focus import focus_section, measure_focus
    from benchmarks.topics import demo_topics

    by_section, subjects = demo_topics()
    found = measure_focus({"sections": by_section, "subjects": subjects}, options.seeds)
    print("\n\n".join(focus_section(name, one) for name, one in found.items()))


def run_classes(options: argparse.Namespace) -> None:
    from benchmarks.classes import classes_section, load_class_pages

    for name, pages in load_class_pages(options.data).items():
        print(f"{name}: {len(pages)} pages\n\n{classes_section(pages, options.seeds)}\n")


def run_fit(options: argparse.Namespace) -> None:
    from benchmarks import leave_out
    from benchmarks.fitting.features import write_weights
    from benchmarks.fitting.fit import FitOptions, fit, read_examples, score_sets

    sets = load_sets(options.data, options.sets)
    examples = read_examples(sets if options.no_demo else {**sets, "demo": load_demo()})
    given = FitOptions(
        penalty=options.penalty,
        step_penalty=options.step_penalty,
        threshold=options.threshold,
    )
    whole = fit(examples, given)
    scores = score_sets(examples, dict.fromkeys((e.group for e in examples), whole))
    print(leave_out.scores_line(leave_out.ON_ALL, scores), flush=True)
    if options.leave_out:
        scores = score_sets(examples, leave_out.fit_on_others(examples, given))
        print(leave_out.scores_line(leave_out.ON_OTHERS, scores))
    if options.write:
        write_weights(whole.to_dict())


def run_fit_pages(options: argparse.Namespace) -> None:
    from benchmarks.fitting.features import PAGE_WEIGHTS, write_weights
    from benchmarks.fitting.fit import PAGE_OPTIONS, fit, read_examples, score_folds

    examples = read_examples(load_sets(options.data, options.sets), articles=False)
    for kind, f1 in score_folds(examples, PAGE_OPTIONS).items():
        print(f"{kind}: {f1:.4f} (mean F1, each site by a fit on others)", flush=True)
    if options.write:
        write_weights(fit(examples, PAGE_OPTIONS).to_dict(), PAGE_WEIGHTS)


def run_confidence(options: argparse.Namespace) -> None:
    from benchmarks import confidence
    from benchmarks.fitting.confidence_weights import fit_weights, judge_bodies, write_weights

    sets = load_articles(options.data, options.sets)
    bodies = judge_bodies(sets)
    print(confidence.sets_section(bodies), confidence.bins_section(bodies), sep="\n\n", flush=True)
    weights = fit_weights(bodies)
    print(f"\nfitted on all: {weights}")
    if options.write:
        write_weights(weights)
    print(f"\n{confidence.cost_section(sets)}")


def run_fit_kinds(options: argparse.Namespace) -> None:
    from benchmarks.fitting.kind_examples import read_kind_examples
    from benchmarks.fitting.kind_weights import fit_kinds, write_weights
    from benchmarks.kinds import kinds_page

    sets = {**load_sets(options.data, options.sets), "demo": load_demo()}
    examples = read_kind_examples(sets)
    fitted = fit_kinds(examples)
    print("\n\n".join(kinds_page(examples, fitted)))
    if options.write:
        write_weights(fitted.weights)


def run_torture(options: argparse.Namespace) -> int:
    from benchmarks import torture

    seed = options.seed or torture.fresh_seed()
    plan = torture.Plan(
        seed=seed, runs=options.runs, minutes=options.minutes, names=tuple(options.targets)
    )
    if options.only is not None:
        return torture.repeat(plan, options.only)
    print(f"SEED={seed}", flush=True)
    codes = {} if options.alone or options.targets else torture.run_parts(seed, options.known)
    results = torture.torture(plan, children=options.children)
    torture.write_summary(plan, results, codes)
    print("", torture.torture_section(results, plan.out), sep="\n")
    return int(bool(results.findings) or any(codes.values()))


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in (_add_body_commands, _add_word_commands, _add_crawl_commands, _add_fit_command):
        add(commands)
    return parser.parse_args()


def _add_body_commands(commands: Any) -> None:
    """Add what is measured over labelled pages."""
    for run, meaning in (
        (run_bodies, "how close the bodies are to the labelled ones, and at what cost"),
        (run_speed, "what we and peers cost beside lxml's parse, and growth with page size"),
        (run_stages, "what each stage and field costs, in parses and in shares of trafilatura"),
        (run_metadata, "how often title, date, author and source are exactly right"),
        (run_templates, "what a sibling adds to each extractor, and what a template costs"),
        (favor.run_favor, "precision and recall of the bodies, by WEBCLEAN_FAVOR"),
        (run_render, "what the boxes of a real browser change and cost; needs the extra render"),
        (run_report, "everything, as a page of Markdown"),
    ):
        command = _add(commands, run, meaning)
        command.add_argument("data", type=Path, nargs="?", help="folder of labelled sets")
        command.add_argument("--sets", nargs="+", help="only these sets")
        command.add_argument("--peers", nargs="*", choices=PEERS, help="default: all installed")
        if run in (run_bodies, run_report):
            command.add_argument("--siblings", type=int, default=1, help="given to each page")
        if run is run_bodies:
            command.add_argument(
                "--below", type=float, default=0.0, metavar="F1", help="list the articles below it"
            )
        if run is run_metadata:
            command.add_argument("--wrong", action="store_true", help="list what differs")
        if run is run_report:
            command.add_argument("-o", "--output", type=Path, help="default: standard output")


def _add_word_commands(commands: Any) -> None:
    """Add what is measured of words, duplicates, classes and single methods."""
    command = _add(
        commands,
        run_duplicates,
        "how well each method tells near-duplicates, and its CPU time beside datasketch",
    )
    command.add_argument("data", type=Path, help="folder of <language>.jsonl files")
    command = _add(
        commands,
        run_keywords,
        "how many of the keywords that pages give themselves are found in their texts",
    )
    command.add_argument("data", type=Path, help="folder of labelled sets")
    command.add_argument("--sets", nargs="+", help="only these sets")
    command.add_argument(
        "--fit", action="store_true", help="fit the method features; score each set by the others"
    )
    command.add_argument("--write", action="store_true", help="write keyword_weights.json, too")
    command = _add(
        commands, run_interest, "how well an interest profile tells pages of a topic from others"
    )
    command.add_argument("data", type=Path, nargs="?", help="folder of labelled sets, too")
    command.add_argument("--sets", nargs="+", default=["portal"], help="default: portal")
    command.add_argument("--seeds", type=int, default=5, help="profiles of each topic")
    command = _add(
        commands, run_focus, "how soon a crawl with an interest profile finds relevant articles"
    )
    command.add_argument("--seeds", type=int, default=3, help="profiles of each topic")
    command = _add(
        commands, run_growth, "what pages of one shape each cost beside their parse, as they grow"
    )
    command.add_argument("shapes", nargs="*", help="only these; default: all")
    command = _add(
        commands, run_source, "pages read without a parser: bodies, and growth of the cost"
    )
    command.add_argument("data", type=Path, nargs="?", help="folder of labelled sets")
    command.add_argument("--sets", nargs="+", help="only these sets")
    command = _add(
        commands, run_printed, "bodies by each paper's method as printed, and by our constants"
    )
    command.add_argument("data", type=Path, nargs="?", help="folder of labelled sets")
    command.add_argument("--sets", nargs="+", help="only these sets")
    command = _add(
        commands,
        run_classes,
        "how well pages are classified by terms of the uncertainty measure and by others",
    )
    command.add_argument("data", type=Path, help="folder of labelled sets")
    command.add_argument("--seeds", type=int, default=5, help="repetitions of the folds")


def _add_crawl_commands(commands: Any) -> None:
    """Add what is measured of stores and crawls."""
    command = _add(
        commands, run_redis, "pages a second that a Redis server on this machine checks and adds"
    )
    command.add_argument("--pages", type=int, default=20_000)
    command = _add(
        commands, run_requests, "requests a page and waiting for siblings, in crawls of made sites"
    )
    command = _add(
        commands, run_crawl, "what the add-on costs a crawl: CPU, memory, how long the loop is held"
    )
    command.add_argument("data", type=Path, nargs="?", help="labelled sets, for made pages")
    command.add_argument("--sets", nargs="+", help="only these sets")
    command.add_argument("--pages", type=int, default=300)
    command.add_argument("--small", action="store_true", help="no pages of megabytes among them")
    command.add_argument("--cases", nargs="+", default=list(CASES), choices=CASES)
    command.add_argument(
        "--times", type=int, default=3, help="crawls of a case; their median counts"
    )
    _add(commands, run_xss, "which of many attacks by script run where articles are shown")
    command = _add(commands, run_crawl_report, "what the report of a crawl costs, and its size")
    command.add_argument("--pages", type=int, default=10_000, help="pages of the crawl")
    _add(commands, run_ssrf, "how private addresses may be written, and what refuses each form")
    command = _add(commands, run_kills, "what is left of crawls that are killed again and again")
    command.add_argument("--count", type=int, default=20, help="kills of a crawl of items")
    command.add_argument("--crawls", type=int, help="kills of a crawl of the portal; count / 20")
    command.add_argument("--seed", type=int, default=1)
    _add_torture(commands)
    command = _add(commands, run_faults, "what is left of crawls that something bad happens to")
    command.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these faults")
    command.add_argument("--times", type=int, default=1, help="how often; with a browser a third")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--verbose", action="store_true", help="what each run has logged")
    command = _add(
        commands,
        run_writers,
        "how often pages that several processes bring at once are taken for new",
    )
    command.add_argument("--pages", type=int, default=2_000)
    for run, (meaning, add_arguments) in load_commands.COMMANDS.items():
        add_arguments(_add(commands, run, meaning))
    command = _add(
        commands,
        run_scale,
        "what an index of near-duplicates costs as it grows, in memory and in SQLite",
    )
    command.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="PAGES")
    command.add_argument("--stores", nargs="+", default=STORES, choices=STORES)

    command = _add(
        commands, run_hostile, "what becomes of hostile pages, up to 50 MB, at which cost"
    )
    command.add_argument("--seed", type=int, nargs="+", help="default: fresh ones")
    command.add_argument("--seeds", type=int, default=1, help="how many fresh ones")
    command.add_argument("--kinds", nargs="+", metavar="NAME", help="only these kinds")
    command.add_argument("--peers", nargs="*", choices=PEERS, default=[], help="default: none")


def _add_torture(commands: Any) -> None:
    meaning = "hostile pages, hostile sites and mutated inputs; 1 when anything is found"
    command = _add(commands, run_torture, meaning)
    command.set_defaults(known=commands.choices)
    command.add_argument("--seed", type=int, default=0, help="repeats a run; default: a fresh one")
    command.add_argument("--runs", type=int, default=1_000_000, help="executions of the fuzzing")
    command.add_argument("--minutes", type=float, default=0, help="ends the fuzzing; 0: no limit")
    command.add_argument("--children", type=int, default=2, help="processes of the fuzzing")
    command.add_argument(
        "--targets", nargs="+", default=[], metavar="NAME", help="fuzz these alone"
    )
    command.add_argument("--alone", action="store_true", help="the fuzzing without the other parts")
    command.add_argument("--only", type=int, metavar="N", help="repeat one execution, here")


def _add_fit_command(commands: Any) -> None:
    """Add the fits."""
    command = _add(commands, run_fit, "fit the weights of the models that find the body")
    command.add_argument("data", type=Path, help="folder of labelled sets")
    command.add_argument("--sets", nargs="+", help="only these sets")
    command.add_argument("--no-demo", action="store_true", help="leave the demo portal out")
    command.add_argument("--write", action="store_true", help="write weights.json, else only score")
    command.add_argument(
        "--leave-out", action="store_true", help="score each set by a fit on the others, too"
    )
    command.add_argument("--penalty", type=float, default=1e-2, help="on the weights of lines")
    command.add_argument("--step-penalty", type=float, default=1e-2, help="on the weights of steps")
    command.add_argument(
        "--threshold", type=float, default=-0.25, help="log-odds from which a line is body"
    )
    command = _add(commands, run_confidence, "how well confidence tells right bodies; its fit")
    command.add_argument("data", type=Path, help="folder of labelled sets")
    command.add_argument("--sets", nargs="+", help="only these sets; two at least")
    command.add_argument("--write", action="store_true", help="write confidence_weights.json, too")
    command = _add(
        commands, run_fit_kinds, "fit the kinds of pages; try the fit on sites and sets left out"
    )
    command.add_argument("data", type=Path, help="folder of labelled sets")
    command.add_argument("--sets", nargs="+", help="only these sets")
    command.add_argument("--write", action="store_true", help="write kind/weights.json, too")
    for run, meaning in paper_commands.COMMANDS.items():
        paper_commands.add_arguments(_add(commands, run, meaning))
    command = _add(commands, run_fit_pages, "fit those for pages that are not articles")
    command.add_argument("data", type=Path, help="folder of labelled sets")
    command.add_argument("--sets", nargs="+", help="only these sets")
    command.add_argument("--write", action="store_true", help="write the package's own weights")


def _add(commands: Any, run: Callable[[argparse.Namespace], int | None], meaning: str) -> Any:
    """Return a new command, named like its function."""
    name = run.__name__.removeprefix("run_").replace("_", "-")
    command = commands.add_parser(name, help=meaning, description=meaning)
    command.set_defaults(run=run)
    return command


if __name__ == "__main__":
    main()
