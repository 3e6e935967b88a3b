"""Run a measurement; DATA is a folder of labelled sets, by default the demo portal is measured."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.crawl_cost import CASES
from benchmarks.data import load_articles, load_demo, load_sets
from benchmarks.peers import PEERS, installed
from benchmarks.scale import SIZES, STORES
from benchmarks.watch_peers import PEERS as WATCHERS

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable


def main() -> None:
    options = read_arguments()
    sys.exit(options.run(options) or 0)


def run_bodies(options: Namespace) -> None:
    from benchmarks import sections
    from benchmarks.bodies import measure_bodies

    results = {}
    for name, pages in load_sets(options.data, options.sets).items():
        results[name] = measure_bodies(pages, installed(options.peers), siblings=options.siblings)
        print(sections.bodies_section({name: results[name]}, options.siblings), end="\n\n")
        print(sections.low_pages(results[name], options.below), end="\n\n")
    print(sections.differences_section(results), sections.costs_section(results), sep="\n\n")


def run_growth(options: Namespace) -> int:
    from benchmarks.growth import growth_table, measure_shapes

    found = {}
    for name, growth in measure_shapes(options.shapes):
        found[name] = growth
        print(f"{name}: exponent {growth.exponent:.2f}", file=sys.stderr)
    print(growth_table(found))
    return int(any(growth.faults for growth in found.values()))


def run_metadata(options: Namespace) -> None:
    from benchmarks.report import facts_of

    print(facts_of(load_sets(options.data, options.sets), installed(options.peers)))


def run_templates(options: Namespace) -> None:
    from benchmarks import templates as bench

    sets = load_sets(options.data, options.sets)
    print(bench.worth_section(bench.measure_worth(sets)))


def run_report(options: Namespace) -> None:
    from benchmarks.report import write_report

    text = write_report(options.data, options.sets, options.peers, options.siblings)
    print_page([text], options.output)


def run_crawl(options: Namespace) -> None:
    from benchmarks.crawl_cost import crawls_section, measure_crawls
    from benchmarks.crawl_pages import PageChoice

    data = str(options.data) if options.data else None
    sets = tuple(options.sets or ())
    asked = {"count": options.pages, "large": not options.small, "one_site": options.one_site}
    choice = PageChoice(**asked, data=data, sets=sets)
    pages, costs = measure_crawls(options.cases, choice, options.times)
    print(pages, crawls_section(costs), sep="\n\n")


def run_duplicates(options: Namespace) -> None:
    from benchmarks import duplicates as bench

    if options.alike:
        bench.weigh_words_alike()
    for language, texts in bench.load_texts(options.data).items():
        print(f"{language}:\n\n{bench.duplicates_section(texts, bench.measure_duplicates(texts))}")


def run_scale(options: Namespace) -> None:
    from benchmarks.scale import measure_scale, scale_section

    print(scale_section(measure_scale(options.sizes, options.stores)))


def run_watch(options: Namespace) -> int:
    from benchmarks import watch as bench
    from benchmarks.watch_peers import make_round
    from benchmarks.watch_world import World

    faults = []
    for name in options.only:
        world = World(options.per_kind, options.days, options.seed)
        with TemporaryDirectory() as folder, world.server:
            if options.kills:
                found, is_right = bench.measure_kills(
                    world, Path(folder), options.kills, options.seed
                )
                print(found)
                return int(not is_right)
            judge = bench.measure_rounds(world, make_round(name, world, Path(folder)))
        print(f"{name}:\n", bench.rounds_section(judge.kinds), "", *judge.faults, sep="\n")
        faults += judge.faults
    return int(bool(faults))


def run_printed(options: Namespace) -> None:
    from benchmarks.printed import measure_printed, printed_section

    print(printed_section(dict(measure_printed(load_sets(options.data, options.sets)))))


def run_papers(options: Namespace) -> int | None:
    if options.check:
        from benchmarks.paper_figures import check_figures

        if options.data is None:
            raise SystemExit("--check needs DATA")
        wrong = 0
        for figure, is_printed in check_figures(options.data, options.only):
            print(f"{'as printed' if is_printed else 'not printed'}: {figure}", flush=True)
            wrong += not is_printed
        return int(wrong > 0)
    from benchmarks import papers
    from benchmarks.classes import load_class_pages

    sets = load_articles(options.data, options.sets)
    if options.only is None:
        for section in papers.methods_sections(sets):
            print(section, end="\n\n", flush=True)
    for curve in papers.curves(options.only):
        print(papers.curve_section(*curve, sets), end="\n\n", flush=True)
    if options.data and options.only in {None, "UM"}:
        print(papers.threshold_section(load_class_pages(options.data)))
    return None


def run_links(options: Namespace) -> None:
    from benchmarks.links import link_blocks_table, measure_link_blocks

    print(link_blocks_table(measure_link_blocks(load_sets(options.data, options.sets))))


def run_reasons(options: Namespace) -> None:
    from benchmarks.reasons import measure_reasons, reasons_section

    print(reasons_section(measure_reasons(load_sets(options.data, options.sets))))


def run_bytecodes(options: Namespace) -> int:
    from benchmarks.bytecodes import bytecodes_section

    section, is_within = bytecodes_section(write=options.write)
    print(section)
    return int(not is_within)


def run_ablations(options: Namespace) -> None:
    from benchmarks.ablations import DEMO, FITTED, HELD, ablations_page, variants

    sets = load_articles(options.data, options.sets or ((*FITTED, *HELD) if options.data else None))
    print_page(ablations_page({**sets, DEMO: load_demo()}, variants(options.only)), options.output)


def print_page(lines: Iterable[str], output: Path | None) -> None:
    """Print the lines of a page as they come, or write them to *output*."""
    if output is None:
        for line in lines:
            print(line, flush=True)
        return
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text("\n".join(lines) + "\n", encoding="utf-8")


def run_keywords(options: Namespace) -> None:
    from benchmarks.keywords import keywords_section, load_keyword_pages, measure_keywords

    by_set = load_keyword_pages(options.data, options.sets)
    pages = [page for one in by_set.values() for page in one]
    if not options.fit:
        print(keywords_section(measure_keywords(pages)))
        return
    from benchmarks.fitting.keyword_weights import WEIGHTS, fit_weights
    from benchmarks.fitting.models import write_weights

    weights = fit_weights(pages)
    print(f"fitted on all: {weights}")
    if options.write:
        write_weights(weights, WEIGHTS)


def run_interest(options: Namespace) -> None:
    from benchmarks.interest import demo_topics, interest_section, measure_interest

    found = measure_interest(demo_topics(), options.seeds)
    print(interest_section("sections of the demo portal", found))


def run_classes(options: Namespace) -> None:
    from benchmarks.classes import classes_section, load_class_pages

    for name, pages in load_class_pages(options.data).items():
        print(f"{name}: {len(pages)} pages\n\n{classes_section(pages, options.seeds)}\n")


def run_fit(options: Namespace) -> None:
    from benchmarks.fitting.features import WEIGHTS
    from benchmarks.fitting.fit import FitOptions
    from benchmarks.fitting.models import write_weights
    from benchmarks.leave_out import leave_out_section, measure_leave_out

    given = FitOptions(
        penalty=options.penalty, step_penalty=options.step_penalty, threshold=options.threshold
    )
    whole, scores = measure_leave_out(load_sets(options.data, options.sets), given)
    print(leave_out_section(scores), flush=True)
    if options.write:
        write_weights(whole.to_dict(), WEIGHTS)


def run_fit_pages(options: Namespace) -> None:
    from benchmarks.fitting.features import PAGE_WEIGHTS
    from benchmarks.fitting.fit import PAGE_OPTIONS, fit, read_examples, score_folds
    from benchmarks.fitting.models import write_weights

    examples = read_examples(load_sets(options.data, options.sets), articles=False)
    for kind, f1 in score_folds(examples, PAGE_OPTIONS).items():
        print(f"{kind}: {f1:.4f} (mean F1, each site by a fit on others)", flush=True)
    if options.write:
        write_weights(fit(examples, PAGE_OPTIONS).to_dict(), PAGE_WEIGHTS)


def run_fit_kinds(options: Namespace) -> None:
    from benchmarks.fitting.kind_examples import read_kind_examples
    from benchmarks.fitting.kind_weights import WEIGHTS, fit_kinds, to_dict
    from benchmarks.fitting.models import write_weights
    from benchmarks.kinds import kinds_page

    sets = {**load_sets(options.data, options.sets), "demo": load_demo()}
    examples = read_kind_examples(sets)
    fitted = fit_kinds(examples)
    print("\n\n".join(kinds_page(examples, fitted)))
    if options.write:
        write_weights(to_dict(fitted.weights), WEIGHTS)


def run_confidence(options: Namespace) -> None:
    from benchmarks import confidence
    from benchmarks.fitting.confidence_weights import WEIGHTS, fit_weights, judge_bodies
    from benchmarks.fitting.models import write_weights

    bodies = judge_bodies(load_sets(options.data, options.sets))
    print(confidence.sets_section(bodies), confidence.bins_section(bodies), sep="\n\n", flush=True)
    weights = fit_weights(bodies)
    print(f"\nfitted on all: {weights}")
    if options.write:
        write_weights(weights, WEIGHTS)


Argument = tuple[str, dict[str, Any]]
DATA: Argument = ("data", {"type": Path, "nargs": "?", "help": "folder of labelled sets"})
NEEDED: Argument = ("data", {"type": Path, "help": "folder of labelled sets"})
SETS: Argument = ("--sets", {"nargs": "+", "help": "only these sets"})
SOME_PEERS: Argument = ("--peers", {"nargs": "*", "choices": PEERS, "help": "default: installed"})
SIBLINGS: Argument = ("--siblings", {"type": int, "default": 1, "help": "given to each page"})
SEED: Argument = ("--seed", {"type": int, "default": 1})
SEEDS: Argument = ("--seeds", {"type": int, "default": 5, "help": "repetitions"})
ONLY: Argument = ("--only", {"metavar": "WORD", "help": "parts with it in their name"})
OUTPUT: Argument = ("--output", {"type": Path, "help": "default: standard output"})
WRITE: Argument = ("--write", {"action": "store_true", "help": "write the package's own weights"})

COMMANDS: dict[Callable[[Namespace], int | None], tuple[str, tuple[Argument, ...]]] = {
    run_report: ("bodies, cost and metadata beside others, as a page of Markdown",
                 (DATA, SETS, SOME_PEERS, SIBLINGS, OUTPUT)),
    run_bodies: ("how close the bodies are to the labelled ones, and at what cost",
                 (DATA, SETS, SOME_PEERS, SIBLINGS,
                  ("--below", {"type": float, "default": 0.0, "help": "list articles below it"}))),
    run_metadata: ("how often title, date, author and source are exactly right",
                   (DATA, SETS, SOME_PEERS)),
    run_growth: ("what pages of one shape cost beside their parse, as they grow",
                 (("shapes", {"nargs": "*", "help": "only these"}),)),
    run_templates: ("what a sibling adds to each extractor and denoiser",
                    (DATA, SETS)),
    run_ablations: ("what each step of the method is worth", (DATA, SETS, ONLY, OUTPUT)),
    run_reasons: ("what each reason that leaves lines out is worth", (DATA, SETS)),
    run_bytecodes: ("how many bytecodes a page costs, beside the counts that are kept",
                    (("--write", {"action": "store_true", "help": "keep the counts"}),)),
    run_links: ("how much of a page link blocks are, over their two limits", (DATA, SETS)),
    run_printed: ("bodies by each paper's method as printed, and by our constants", (DATA, SETS)),
    run_papers: ("right pages by each paper's method, by set and site; curves over its constants",
                 (DATA, SETS, ONLY,
                  ("--check", {"action": "store_true",
                               "help": "measure the figures of docs/method/papers.md again"}))),
    run_duplicates: ("how well each method finds near-duplicates, beside datasketch",
                     (NEEDED, ("--alike", {"action": "store_true",
                                           "help": "without weights of words in codes"}))),
    run_keywords: ("how many of the keywords that pages give themselves are found",
                   (NEEDED, SETS, WRITE,
                    ("--fit", {"action": "store_true", "help": "fit the method features"}))),
    run_interest: ("how well an interest profile finds pages of a topic", (SEEDS,)),
    run_classes: ("how well pages are classified by the uncertainty measure and by others",
                  (NEEDED, SEEDS)),
    run_fit: ("fit the models that find the body",
              (NEEDED, SETS, WRITE,
               ("--penalty", {"type": float, "default": 1e-2, "help": "on weights of lines"}),
               ("--step-penalty", {"type": float, "default": 1e-2, "help": "on those of steps"}),
               ("--threshold", {"type": float, "default": -0.25, "help": "log-odds of a line"}))),
    run_fit_pages: ("fit those for pages that are not articles", (NEEDED, SETS, WRITE)),
    run_fit_kinds: ("fit the kinds of pages, tried on sites and sets left out",
                    (NEEDED, SETS, WRITE)),
    run_confidence: ("how well confidence predicts right bodies; its fit", (NEEDED, SETS, WRITE)),
    run_crawl: ("what the add-on costs a crawl: CPU, memory, delays of the event loop",
                (DATA, SETS, ("--pages", {"type": int, "default": 300}),
                 ("--small", {"action": "store_true", "help": "no pages of megabytes"}),
                 ("--one-site", {"action": "store_true", "help": "made pages of one template"}),
                 ("--cases", {"nargs": "+", "default": list(CASES), "choices": CASES}),
                 ("--times", {"type": int, "default": 3, "help": "crawls of a case; medians"}))),
    run_scale: ("what an index of near-duplicates costs as it grows",
                (("--sizes", {"type": int, "nargs": "+", "default": SIZES}),
                 ("--stores", {"nargs": "+", "default": STORES[:2], "choices": STORES}))),
    run_watch: ("what is found on a world of news sites, a round a day, and at what cost",
                (SEED, ("--days", {"type": int, "default": 30}),
                 ("--per-kind", {"type": int, "default": 2, "help": "sites of each kind"}),
                 ("--only", {"nargs": "+", "default": WATCHERS[:1], "choices": WATCHERS,
                             "help": "default: ours"}),
                 ("--kills", {"type": int, "default": 0, "help": "kill so many rounds of ours"}))),
}  # fmt: skip


def read_arguments() -> Namespace:
    """Return the options of the command line, with the function to run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for run, (meaning, arguments) in COMMANDS.items():
        name = run.__name__.removeprefix("run_").replace("_", "-")
        command = commands.add_parser(name, help=meaning, description=meaning)
        command.set_defaults(run=run)
        for argument, given in arguments:
            short = ("-o",) if argument == "--output" else ()
            command.add_argument(*short, argument, **given)
    return parser.parse_args()


if __name__ == "__main__":
    main()
