"""Each command of the benchmarks starts and prints its table, on a few pages made here."""

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import duplicates, leave_out, paper_figures
from benchmarks.__main__ import COMMANDS, main
from benchmarks.data import load_demo
from benchmarks.fitting import confidence_weights
from benchmarks.scoring import auc
from tests.pages import article, article_text, listing
from webclean_scrapy.dedup import fingerprint_methods
from webclean_scrapy.dedup.config import DedupConfig
from webclean_scrapy.dedup.fingerprint_methods import PageFingerprinter
from webclean_scrapy.report.text_scores import harmonic, precision_recall, set_score

#: The commands that need minutes; only their options are read.
LONG = {
    "crawl", "ablations", "fit-kinds", "fit-pages", "classes", "growth", "report", "watch",
    "bytecodes",  # has a test of its own
}  # fmt: skip
LONGER = {"confidence", "fit", "printed", "scale", "templates"}  # seconds of a core each
SITE = "fieldnotes"  # of the demo portal
SHORT = {
    "bodies": ["DATA", "--peers", "--below", "0.5"],
    "metadata": ["DATA", "--peers"],
    "templates": ["DATA"],
    "links": ["DATA"],
    "printed": ["DATA"],
    "papers": ["DATA", "--sets", "wcxb", "--only", "Ts"],
    "duplicates": ["DATA"],
    "keywords": ["DATA"],
    "interest": ["--seeds", "1"],
    "fit": ["DATA"],
    "confidence": ["DATA"],
    "reasons": ["DATA"],
    "scale": ["--sizes", "100", "--stores", "memory"],
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sets of labelled pages, and texts with a copy."""
    folder = tmp_path_factory.mktemp("data")
    for name, host in (("types", "one.example"), ("wcxb", "two.example")):
        entries = {}
        for number in range(12):
            is_article = number % 4 != 3
            html = article(number) if is_article else listing([f"/{n}.html" for n in range(20)])
            html = html.replace("<head>", "<head><meta name=keywords content='boats, near'>")
            (folder / name).mkdir(exist_ok=True)
            (folder / name / f"{number}.html.gz").write_bytes(gzip.compress(html.encode()))
            entries[str(number)] = {
                "file": f"{number}.html.gz",
                "url": f"http://{host}/{'sport' if number % 2 else 'business'}/{number}.html",
                "kind": "article" if is_article else "listing",
                "text": "\n".join(article_text(number)) if is_article else "",
                "siblings": [str(number - 1 if number % 4 else number + 1)] if is_article else [],
                "title": "A title",
                "date": "2026-03-02",
            }
        (folder / name / "gold.json").write_text(json.dumps(entries))
    (folder / "dedup").mkdir()
    texts = [
        {"id": f"{role}{n}", "group": str(n), "title": "", "body": "\n".join(article_text(n)),
         "role": role, "kind": "x"}
        for role, n in (("base", 1), ("bg", 2), ("pos", 1), ("neg", 3))
    ]  # fmt: skip
    lines = "\n".join(map(json.dumps, texts))
    (folder / "dedup" / "en.jsonl").write_text(lines)
    return folder


@pytest.mark.parametrize(
    "command",
    [pytest.param(one, marks=pytest.mark.nightly if one in LONGER else ()) for one in SHORT],
)
def test_a_command_prints_its_table(
    command: str, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = {path: page for path, page in load_demo().items() if page.site == SITE}
    for module in (leave_out, confidence_weights):
        monkeypatch.setattr(module, "load_demo", lambda: few)
    words = [str(data) if word == "DATA" else word for word in SHORT[command]]
    monkeypatch.setattr(sys, "argv", ["benchmarks", command, *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in {0, 1}  # 1: a figure is over its limit
    printed = capsys.readouterr().out
    assert any(char.isdigit() for char in printed), printed


def test_figures_of_the_papers_are_looked_up_on_their_page(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def made(_: Path) -> Iterator[str]:
        yield "| .46, ours | .684 | .657 | .552 | .673 | .758 |"
        yield "| .46, ours | .684 | .657 | .552 | .673 | .759 |"

    monkeypatch.setattr(paper_figures, "FIGURES", (made, paper_figures.synonyms))
    codes = []
    for only in ("made", "synonyms"):
        command = ["benchmarks", "papers", str(data), "--check", "--only", only]
        monkeypatch.setattr(sys, "argv", command)
        with pytest.raises(SystemExit) as ended:
            main()
        codes.append(ended.value.code)
    said = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert (said, codes) == (["as printed", "not printed", "not printed"], [1, 1])


def test_without_their_weights_words_are_drawn_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    methods = dict(fingerprint_methods.METHODS)
    monkeypatch.setattr(fingerprint_methods, "METHODS", methods)
    text = "\n".join(article_text(1))
    config = DedupConfig(sample=8, indexed=8)
    weighted = PageFingerprinter(config).make(text).codes
    duplicates.weigh_words_alike()
    alike = PageFingerprinter(config).make(text).codes
    assert 0 < len({*weighted} - {*alike}) < len(alike) == 8


def test_every_command_is_tried_or_named_as_long() -> None:
    names = {run.__name__.removeprefix("run_").replace("_", "-") for run in COMMANDS}
    assert names == LONG | set(SHORT)


def test_shingles_are_scored_as_the_benchmark_of_others_does() -> None:
    assert precision_recall("one two three four five", "one two three four") == (1.0, 0.5)
    assert precision_recall("", "") == (1.0, 1.0)
    assert precision_recall("one two three four", "five six seven eight") == (0.0, 0.0)
    assert precision_recall("码头裂缝", "码头裂缝了")[1] == 1.0
    assert harmonic(1.0, 0.5) == pytest.approx(2 / 3)
    assert set_score([(1.0, 0.5), (1.0, 1.0)]).f1 == pytest.approx(2 * 0.75 / 1.75)
    assert auc.__doc__
