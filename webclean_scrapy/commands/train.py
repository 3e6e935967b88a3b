"""Train page classes, such as sport or politics, on labelled pages.

A line holds a class (field class or label) and a text (articleBody or text).
The model goes into the setting WEBCLEAN_CLASS_MODEL.

examples:
  webclean train labelled.jsonl -o classes.json
  webclean train first.jsonl second.jsonl.gz -o classes.json --folds 10
"""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from webclean_scrapy.classify.class_model import AS_PRINTED, TrainingParameters
from webclean_scrapy.commands.row_files import read_rows
from webclean_scrapy.commands.terminal import columns, progress, say
from webclean_scrapy.errors import TrainingError, missing_library

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from scrapy.settings import Settings

    from webclean_scrapy.classify.training import Evaluation, LabelledPage

SHOWN_ERRORS = 20
# Names of the fields, each in the order in which it is looked for.
TEXTS, TITLES, LABELS = ("articleBody", "text"), ("headline", "title"), ("class", "label")

USAGE = "FILE.jsonl ... -o MODEL.json [options]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="JSON lines, plain or gzip")
    add("-o", "--output", metavar="FILE", help="file of the model")
    smallest = "smallest uncertainty measure of a term, 0 to 1; default: 0.3"
    add("--threshold", type=float, default=0.3, metavar="UM", help=smallest)
    add("--max-terms", type=int, metavar="N", help="keep the N terms of the largest measure")
    add("--folds", type=int, default=5, metavar="N", help="folds of cross-validation; default: 5")
    printed = "Features 1 as printed: every term, by its uncertainty measure alone"
    add("--as-printed", action="store_true", help=printed)


def run(opts: argparse.Namespace, settings: Settings) -> int:
    """Write a model, print its evaluation; return the exit code."""
    names = list(dict.fromkeys(opts.files))
    if not names or not opts.output:
        raise UsageError("train needs JSON lines files, and -o FILE for the model")
    output = Path(opts.output)
    parameters = AS_PRINTED if opts.as_printed else TrainingParameters()
    parameters = replace(parameters, threshold=opts.threshold, max_terms=opts.max_terms)
    if find_spec("sklearn") is None:
        raise missing_library("training", "scikit-learn")
    from webclean_scrapy.classify import training

    labelled = _read_pages(names)
    trained = training.train(labelled, parameters, folds=opts.folds)
    trained.model.save(output)
    print(render_evaluation(trained.evaluation))
    size = output.stat().st_size / 1000
    pages, terms = trained.model.pages, len(trained.model.terms)
    counts = f"pages: {sum(pages):,}, classes: {len(pages):,}, terms: {terms:,}"
    print(f"{counts}; result: {output} ({size:,.0f} kB)", file=sys.stderr)
    return 0


def _read_pages(names: Sequence[str]) -> Iterator[LabelledPage]:
    """Yield the page of each line. Raises OSError; at the end TrainingError for invalid lines."""
    from webclean_scrapy.classify.training import LabelledPage

    invalid = 0
    with progress(None, " lines") as more:
        for line in chain.from_iterable(map(read_rows, names)):
            more(1)
            text, title = (_first_of(line.record, fields) for fields in (TEXTS, TITLES))
            label = _first_of(line.record, LABELS)
            if label and text:
                yield LabelledPage(label, text, title)
                continue
            invalid += 1
            if invalid <= SHOWN_ERRORS:
                fields = " or ".join(TEXTS if label else LABELS)
                problem = line.error or f"{fields} must be a string that is not empty"
                say(f"{line.position}: {problem}")
    if invalid:
        raise TrainingError(f"nothing was trained; invalid lines: {invalid:,}")


def _first_of(record: dict[str, Any], fields: Sequence[str]) -> str:
    values = (record.get(field) for field in fields)
    return next((v.strip() for v in values if isinstance(v, str) and v.strip()), "")


def render_evaluation(found: Evaluation) -> str:
    """Format scores per class, their mean, and the confusion matrix as text."""
    pages = found.confusion.sum(axis=1)
    figures = (found.precision, found.recall, found.f1)
    rows = [["", "pages", "precision", "recall", "F1"]]
    for number, name in enumerate(found.classes):
        rows.append([name, f"{pages[number]:,}", *(f"{one[number]:.3f}" for one in figures)])
    means = [f"{one.mean():.3f}" for one in figures]
    rows.append(["mean of the classes", f"{pages.sum():,}", *means])
    confusion = [["pages of a class, by predicted class", *found.classes]]
    for name, counts in zip(found.classes, found.confusion, strict=True):
        confusion.append([name, *(f"{count:,}" for count in counts)])
    return f"{columns(rows)}\n\n{columns(confusion)}"
