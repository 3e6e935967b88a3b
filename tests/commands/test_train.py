import gzip
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.classify.labelled import page_text, records
from tests.commands.running import Shell
from webclean_scrapy.classify.class_model import AS_PRINTED, ClassModel


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    write(path, [json.dumps(one) for one in records()])
    return path


def write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def test_a_model_is_written_and_its_figures_are_printed(labels: Path, shell: Shell) -> None:
    done = shell("train", labels.name, "-o", "m.json")
    assert done.code == 0
    shown = done.out.splitlines()
    rows = [line.split() for line in shown]
    assert rows[1] == ["harbour", "6", "1.000", "1.000", "1.000"]
    assert rows[4][-4:] == ["18", "1.000", "1.000", "1.000"]
    assert rows[6][-3:] == ["harbour", "kitchen", "铁路"]
    assert rows[7] == ["harbour", "6", "0", "0"]
    model = ClassModel.load(labels.with_name("m.json"))
    counts = f"pages: 18, classes: 3, terms: {len(model.terms)}; result: m.json ("
    assert done.err.startswith(counts)
    found = model.predict(page_text("铁路", seed=99))
    assert found is not None
    assert found.name == "铁路"


def test_items_of_a_crawl_are_read_packed_in_several_files(tmp_path: Path, shell: Shell) -> None:
    items = [
        json.dumps({"headline": one["title"], "articleBody": one["text"], "label": one["class"]})
        for one in records()
    ]
    write(tmp_path / "1.jsonl", items[::2])
    (tmp_path / "2.jsonl.gz").write_bytes(gzip.compress("\n".join(items[1::2]).encode()))
    write(tmp_path / "all.jsonl", [*items[::2], *items[1::2]])
    options = ("--threshold", "0.8", "--max-terms", "6", "--folds", "3", "--as-printed")
    assert shell("train", "1.jsonl", "2.jsonl.gz", "-o", "m.json", *options).code == 0
    assert shell("train", "all.jsonl", "-o", "n.json", *options).code == 0
    assert (tmp_path / "m.json").read_bytes() == (tmp_path / "n.json").read_bytes()
    model = ClassModel.load(tmp_path / "m.json")
    assert len(model.terms) == 6
    assert model.parameters == replace(AS_PRINTED, threshold=0.8, max_terms=6)


BAD = {
    '{"class": "a", "text": ': "invalid JSON: ",
    '{"text": "words"}': "class or label must be a string that is not empty",
    '{"class": "a", "title": "words"}': "articleBody or text must be a string",
}


@pytest.mark.parametrize("line", BAD)
def test_an_invalid_line_is_named_nothing_is_trained(labels: Path, line: str, shell: Shell) -> None:
    good = labels.read_text(encoding="utf-8").splitlines()
    write(labels, [*good[:3], line, *good[3:]])
    done = shell("train", labels.name, "-o", "m.json")
    assert (done.code, done.out) == (1, "")
    first, last = done.err.splitlines()
    assert first.startswith(f"labels.jsonl:4: {BAD[line]}")
    assert last.endswith("nothing was trained; invalid lines: 1")
    assert not labels.with_name("m.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.jsonl"], "none.jsonl"),
        (["labels.jsonl", "--threshold", "2"], "threshold must be a number from 0 to 1, got 2"),
        (["labels.jsonl", "--folds", "1"], "folds must be a whole number of at least 2, got 1"),
        (["labels.jsonl", "--threshold", "1", "-o", "no/m.json"], "no/m.json"),
    ],
)
def test_a_failure_is_one_line_and_an_exit_code(
    labels: Path, arguments: list[str], message: str, shell: Shell
) -> None:
    done = shell("train", "-o", "m.json", *arguments)
    assert (done.code, done.out) == (1, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_it_needs_the_extra(labels: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    done = shell("train", labels.name, "-o", "m.json")
    assert done.code == 1
    assert "pip install scikit-learn" in done.err
