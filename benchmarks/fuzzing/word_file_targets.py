"""Target that reads files of lines: words, tables of IDF values, document counts, addresses."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from benchmarks.fuzzing.mutations import mutate_bytes
from benchmarks.fuzzing.target import Case, Target, expect
from benchmarks.fuzzing.texts import odd_text
from benchmarks.fuzzing.word_maker import make_url
from webclean_scrapy.commands.page_sources import read_url_list
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.keywords.document_counts import DocumentCounts
from webclean_scrapy.keywords.word_files import read_idf, read_words

if TYPE_CHECKING:
    from random import Random

_LINES = (
    "ferry 1.5", "渡轮 8", "ferry", "渡轮 3 n", "# documents 12", "# note", "", "a  b  0",
    "fog inf", "fog 1e999", "fog 1000", "fog nan", "fog -1", "fog 1_0", "fog １", "bridge 0",
    "# documents 9e9", "# documents 99999999999999999999", "的 0.1", "x" * 500 + " 1",
    "fog 1e-320", "渡轮 5 nr extra",
)  # fmt: skip


def _files(draw: Random) -> Case:
    lines = [draw.choice(_LINES) for _ in range(draw.randint(0, 6))]
    lines += [draw.choice((odd_text(draw), make_url(draw), f"{odd_text(draw)} 1.0"))]
    if draw.random() < 0.5:
        lines.insert(0, "# documents 7")
    content = "\n".join(lines).encode(
        "utf-8", "surrogatepass" if draw.random() < 0.1 else "replace"
    )
    while draw.random() < 0.2:
        content = mutate_bytes(draw, content)
    return Case(files={"words.txt": content}, values={"index": draw.random() < 0.02})


def _run_files(case: Case) -> None:
    """Read a file in every way; what it gives is used."""
    options: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "words.txt")
        path.write_bytes(case.files["words.txt"])
        try:
            options["stop_words"] = options["user_words"] = read_words(path)
            options["idf"] = read_idf(path)
            counts = DocumentCounts.load(path)
            expect(all(value >= 0 for value in counts.table().values()), "a negative IDF value")
            counts.save(path)
        except ConfigError as error:
            expect("words.txt" in str(error), f"it names no file: {error}")
        path.write_bytes(case.files["words.txt"])
        try:
            read_url_list(str(path))
        except UsageError as error:
            expect("words.txt:" in str(error), f"it names no line: {error}")
    if case.values["index"]:
        try:
            index = DuplicateIndex(**options)
        except ConfigError:
            return
        with index:
            index.check_and_add("a", "The ferry was late. 渡轮晚点了两个小时。", title="Fog")


WORD_FILE_TARGETS = (Target(name="word-files", share=3.0, make=_files, run=_run_files),)
