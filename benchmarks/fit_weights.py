"""Fit the numbers of webclean_scrapy/cleaning/body/weights.json on labelled pages.

    python benchmarks/fit_weights.py DATA                  # print scores, write nothing
    python benchmarks/fit_weights.py DATA --write          # write weights.json
    python benchmarks/fit_weights.py DATA --leave-out      # score each set by the others

DATA holds one folder per set, each with gold.json ({id: {file, url, text, kind, siblings, ...}})
and gzipped pages. Scores are F1 of 4-token shingles (single CJK characters), sets' means.
"""

from __future__ import annotations

import argparse
import gzip
import json
import pathlib
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize
from webclean_scrapy.cleaning.body.body_finder import BodyConfig, decayed_row

from webclean_scrapy.cleaning.body.evidence import Evidence, gather
from webclean_scrapy.cleaning.body.inner_features import INNER_TERMS, inner_terms
from webclean_scrapy.cleaning.body.line_features import LINE_TERMS, line_terms
from webclean_scrapy.cleaning.body.linear_model import (
    Weights,
    candidates,
    line_chance,
    settle,
    sigmoid,
)
from webclean_scrapy.cleaning.body.subtree_features import CANDIDATE_TERMS, candidate_terms
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.templates.sketch import refuse
from webclean_scrapy.cleaning.templates.template import template_evidence
from webclean_scrapy.demo import build_portal

TARGET = (
    pathlib.Path(__file__).parent.parent / "webclean_scrapy" / "cleaning" / "body" / "weights.json"
)
TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
BODY_SHARE = 0.6  # of a line's words found in the gold text: the line is body
SMALLEST = 0.005  # a weight times its term's spread below this is left out of the file


@dataclass
class Page:
    group: str
    gold: Counter
    evidence: Evidence
    lines: np.ndarray
    label: np.ndarray
    weight: np.ndarray
    title: str
    decayed: int
    with_title: bool
    optional: Any

    def chance(self, line: np.ndarray) -> np.ndarray:
        return line_chance(self.evidence, self.lines, line)


def shingles(text: str) -> Counter:
    words = TOKEN.findall(text.lower())
    return Counter(tuple(words[i : i + 4]) for i in range(max(1, len(words) - 3)) if words)


def label_lines(texts: list[str], gold: str) -> np.ndarray:
    """Return which lines the gold text holds: most of their words lie in common 4-word runs.

    Runs go on over the ends of lines, so that the short cells of a table count when the whole row
    is in the gold. A line of up to three words also counts when it is a line of the gold.
    """
    wanted = shingles(gold)
    whole = {" ".join(TOKEN.findall(line.lower())) for line in gold.split("\n")}
    words = [TOKEN.findall(text.lower()) for text in texts]
    flat = [word for line in words for word in line]
    held = np.zeros(len(flat), bool)
    for at in range(len(flat) - 3):
        if tuple(flat[at : at + 4]) in wanted:
            held[at : at + 4] = True
    found = np.zeros(len(texts), bool)
    at = 0
    for number, line in enumerate(words):
        if line:
            share = held[at : at + len(line)].mean()
            found[number] = share > BODY_SHARE or (len(line) < 4 and " ".join(line) in whole)
            at += len(line)
    return found


def load(data: pathlib.Path) -> list[Page]:
    pages = []
    for folder in sorted(path for path in data.iterdir() if (path / "gold.json").exists()):
        gold = json.loads((folder / "gold.json").read_text("utf8"))
        cleaner = Cleaner(CleanConfig(body=body_config()))
        parsed, sketches = {}, {}
        for key, entry in gold.items():
            html = gzip.decompress((folder / entry["file"]).read_bytes())
            parsed[key] = cleaner._parse(html, key, None)
            sketches[key] = cleaner.sketch(html, key)
        for key, entry in gold.items():
            if entry["kind"] != "article":
                continue
            same = entry.get("sameTemplate", [])
            near = same + [name for name in entry["siblings"] if name not in same]
            useful = [sketches[name] for name in near[:1] if name in sketches]
            useful = [s for s in useful if refuse(sketches[key], s) is None]
            modes = [[], useful] if useful else [[]]
            pages += [make_page(folder.name, entry, parsed[key], given) for given in modes]
    return pages


def load_demo() -> list[Page]:
    """Return the pages of the bundled portal: our own, labelled by what they were made from."""
    portal = build_portal()
    cleaner = Cleaner(CleanConfig(body=body_config()))
    parsed = {path: cleaner._parse(portal.pages[path].body, path, None) for path in portal.articles}
    pages = []
    for path, gold in portal.articles.items():
        site = path.split("/")[1]
        other = next(name for name in portal.articles if name != path and f"/{site}/" in name)
        entry = {"text": gold.text}
        sketch = cleaner.sketch(portal.pages[other].body, other)
        own = cleaner.sketch(portal.pages[path].body, path)
        useful = [sketch] if refuse(own, sketch) is None else []
        modes = [[], useful] if useful else [[]]
        pages += [make_page("demo", entry, parsed[path], given) for given in modes]
    return pages


def known_weights() -> Weights:
    """Return the weights of the file without those of terms that are no more."""
    data = json.loads(TARGET.read_text("utf8"))
    terms = {
        "line": LINE_TERMS, "candidate": CANDIDATE_TERMS, "inner": LINE_TERMS + INNER_TERMS,
    }  # fmt: skip
    for part, names in terms.items():
        data[part] = {name: weight for name, weight in data[part].items() if name in names}
    return Weights.from_dict(data)


def body_config() -> BodyConfig:
    return BodyConfig(weights=known_weights())


def balance(pages: list[Page]) -> None:
    """Weigh pages so that a large set counts more than a small one, but not in proportion."""
    count = Counter(page.group for page in pages)
    for page in pages:
        page.weight *= count[page.group] ** -0.5


def make_page(group: str, entry: dict, parsed: Any, given: list) -> Page:
    table = parsed.table
    template = template_evidence(table, given) if given else None
    config = body_config()
    evidence = gather(table, parsed.titles, template, config.paragraphs, parsed.head.article_bodies)
    units = np.maximum(np.array(table.lines.units, float), 4) ** 0.8
    weight = units / units.sum() if len(units) else units
    weight[evidence.apart > 0] = 0.0  # no model has a say in them
    return Page(
        group=group, gold=shingles(entry["text"]), evidence=evidence, lines=line_terms(evidence),
        label=label_lines(table.lines.text, entry["text"]),
        weight=weight,
        title=(parsed.titles or [""])[0], decayed=decayed_row(evidence, config),
        with_title=bool(entry.get("titleInText")), optional=entry.get("optional") or (),
    )  # fmt: skip


def fit_logistic(blocks: list, penalty: float) -> np.ndarray:
    terms = np.vstack([block[0] for block in blocks]).astype(float)
    label = np.concatenate([block[1] for block in blocks]).astype(float)
    weight = np.concatenate([block[2] for block in blocks])
    weight /= weight.sum()
    spread = terms.std(0) + 1e-3
    spread[0] = 1
    scaled = terms / spread

    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
        odds = scaled @ b
        pull = penalty * np.r_[0, b[1:]]
        slope = scaled.T @ (weight * (sigmoid(odds) - label)) + pull
        return (weight * (np.logaddexp(0, odds) - label * odds)).sum() + pull @ b / 2, slope

    found = minimize(loss, np.zeros(terms.shape[1]), jac=True, method="L-BFGS-B").x
    found[np.abs(found) < SMALLEST] = 0
    return found / spread


def fit_choice(blocks: list, penalty: float, sharpness: float = 0.05) -> np.ndarray:
    every = np.vstack([terms for terms, _, _ in blocks])
    spread, middle = every.std(0) + 1e-6, every.mean(0)
    data = []
    for terms, score, weight in blocks:
        if score.max() > 0.2:
            aim = np.exp((score - score.max()) / sharpness)
            data.append(((terms - middle) / spread, aim / aim.sum(), weight))
    total = sum(weight for _, _, weight in data)

    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = penalty * b @ b / 2, penalty * b
        for terms, aim, weight in data:
            score = terms @ b
            belief = np.exp(score - score.max())
            belief /= belief.sum()
            value -= weight / total * (aim * np.log(belief + 1e-12)).sum()
            slope = slope + weight / total * (terms.T @ (belief - aim))
        return value, slope

    found = minimize(loss, np.zeros(every.shape[1]), jac=True, method="L-BFGS-B").x
    found[np.abs(found) < SMALLEST] = 0
    return found / spread


def candidate_block(page: Page, line: np.ndarray) -> tuple[list[int], np.ndarray, np.ndarray]:
    chance = page.chance(line)
    rows = candidates(page.evidence)
    terms = candidate_terms(page.evidence, rows, chance, page.decayed)
    units = np.array(page.evidence.table.lines.units, float)
    kept = units * (chance > 0.2)
    right, total = kept * page.label, (units * page.label).sum() + 1e-9
    scores = []
    for row in rows:
        inside = page.evidence.table.lines_in(row)
        hits = right[inside.start : inside.stop].sum()
        size = kept[inside.start : inside.stop].sum() + 1e-9
        scores.append(2 * hits / (size + total))
    return rows, terms, np.array(scores)


def inner_block(page: Page, line: np.ndarray, row: int) -> tuple[range, np.ndarray]:
    inside = page.evidence.table.lines_in(row)
    extra = inner_terms(page.evidence, row, inside, page.chance(line))
    return inside, np.hstack([page.lines[inside.start : inside.stop], extra])


def fit(pages: list[Page], options: argparse.Namespace) -> Weights:
    pages = [page for page in pages if len(page.lines)]
    line = fit_logistic([(p.lines, p.label, p.weight) for p in pages], options.penalty)
    blocks = [candidate_block(page, line) for page in pages]
    choice = fit_choice(
        [(b[1], b[2], p.weight.sum()) for b, p in zip(blocks, pages, strict=True)],
        options.choice_penalty,
    )
    inner = []
    for page, (rows, terms, _) in zip(pages, blocks, strict=True):
        inside, both = inner_block(page, line, rows[int((terms @ choice).argmax())])
        cut = slice(inside.start, inside.stop)
        inner.append((both, page.label[cut], page.weight[cut]))
    return Weights(line, choice, fit_logistic(inner, options.penalty), options.threshold)


def score(pages: list[Page], weights: Weights) -> tuple[float, float, float]:
    found = []
    for page in pages:
        kept: list[int] = []
        if len(page.lines):
            rows, terms, _ = candidate_block(page, weights.line)
            row = rows[int((terms @ weights.candidate).argmax())]
            inside, both = inner_block(page, weights.line, row)
            found_odds = settle(both @ weights.inner, page.evidence, inside)
            kept = [
                n for n, odds in zip(inside, found_odds, strict=True) if odds > weights.threshold
            ]
        text = "\n".join(page.evidence.table.lines.text[n] for n in kept)
        have = shingles(page.title + "\n" + text if page.with_title else text)
        gold = page.gold.copy()
        for paragraph in page.optional:
            want = shingles(paragraph)
            if want and sum(part in have for part in want) > 0.5 * len(want):
                gold += want
        hits = sum((have & gold).values())
        found.append((hits / max(1, sum(have.values())), hits / max(1, sum(gold.values()))))
    precision, recall = np.mean(found, axis=0)
    return precision, recall, 2 * precision * recall / (precision + recall)


def as_dict(weights: Weights) -> dict:
    def named(values: np.ndarray, terms: tuple[str, ...]) -> dict[str, float]:
        return {
            t: round(float(v), 3) for t, v in zip(terms, values, strict=True) if round(float(v), 3)
        }

    return {
        "threshold": weights.threshold,
        "line": named(weights.line, LINE_TERMS),
        "candidate": named(weights.candidate, CANDIDATE_TERMS),
        "inner": named(weights.inner, LINE_TERMS + INNER_TERMS),
    }


def show(name: str, pages: list[Page], weights: dict[str, Weights]) -> None:
    print(name, end=":")
    for group in sorted({page.group for page in pages}):
        for template in (False, True):
            some = [
                p for p in pages
                if p.group == group and (p.evidence.template is not None) == template
            ]  # fmt: skip
            if some:
                *_, f1 = score(some, weights[group])
                print(f"  {group}{'+' if template else ''} {f1:.4f}", end="")
    print(flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--leave-out", action="store_true")
    parser.add_argument("--no-demo", action="store_true", help="leave the bundled portal out")
    parser.add_argument("--penalty", type=float, default=1e-2)
    parser.add_argument("--choice-penalty", type=float, default=3e-3)
    parser.add_argument("--threshold", type=float, default=-0.25)
    options = parser.parse_args()
    pages = load(options.data) + ([] if options.no_demo else load_demo())
    balance(pages)
    groups = sorted({page.group for page in pages})
    weights = fit(pages, options)
    show("fitted on all", pages, dict.fromkeys(groups, weights))
    if options.leave_out:
        others = {g: fit([p for p in pages if p.group != g], options) for g in groups}
        show("fitted on the others", pages, others)
    if options.write:
        TARGET.write_text(json.dumps(as_dict(weights), indent=1) + "\n", "utf8")


if __name__ == "__main__":
    main()
