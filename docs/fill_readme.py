"""``make readme``: fill in the parts of README.md that are made from code, and draw the pictures.

A part stands between ``<!-- begin NAME -->`` and ``<!-- end NAME -->``. Settings come from
``webclean_scrapy/settings.py``, the pictures from pages of the demo portal, the summary from a
crawl of it. ``tests/test_readme.py`` compares what can be compared.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from docs.picture import draw_picture
from docs.trees import draw_trees
from webclean_scrapy.report.summary import LABELS, summarize
from webclean_scrapy.settings import SETTINGS

if TYPE_CHECKING:
    from webclean_scrapy.settings import Setting

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
RESULTS = ROOT / "docs" / "benchmarks.md"
PICTURES = {"before-after.svg": draw_picture, "aligned-trees.svg": draw_trees}  # in docs/


def settings_table() -> str:
    """Return the table of settings as Markdown, one row for each setting."""
    rows = ["| Setting | Default | Unit | Meaning |", "| --- | --- | --- | --- |"]
    return "\n".join(rows + [settings_row(setting) for setting in SETTINGS])


def settings_row(setting: Setting) -> str:
    """Return one row of the table."""
    default = f"`{setting.default!r}`" if setting.default != "" else "empty"
    choices = ", ".join(f"`{choice!r}`" for choice in setting.choices)
    choices = " or ".join(choices.rsplit(", ", 1))
    meaning = f"{setting.meaning} One of {choices}." if choices else setting.meaning
    return f"| `{setting.name}` | {default} | {setting.unit} | {meaning} |"


def demo_summary() -> str:
    """Return what a crawl of the demo portal counts, without what differs from run to run."""
    from spiders.demo_run import crawl

    with tempfile.TemporaryDirectory() as folder:
        table = summarize(crawl(Path(folder, "articles.jsonl"))).table()
    lines = [line for line in table.splitlines() if not line.startswith(LABELS["seconds"])]
    return "\n".join(["```text", *lines, "```"])


def bodies_table() -> str:
    """Return the F1 and the CPU time of the extractors on each set, out of docs/benchmarks.md."""
    text = RESULTS.read_text(encoding="utf-8")
    sets = re.findall(
        r"^### (\S+): (\d+) articles\n(.*?)(?=^###? )", text, re.DOTALL | re.MULTILINE
    )
    cost = _rows(text[text.index("### Cost on these pages") :])
    scores = [_rows(part) for _, _, part in sets]
    rows = ["| F1 | " + " | ".join(f"{name} ({size})" for name, size, _ in sets) + " | CPU |"]
    rows.append("| --- |" + " ---: |" * (len(sets) + 1))
    for name in scores[0]:
        if name in scores[-1] and name != "crashes":
            spent = sorted(set(cost.get(name, [])), key=float)
            span = " to ".join(dict.fromkeys(spent[:1] + spent[-1:]))
            found = " | ".join(score[name][0] for score in scores)
            rows.append(f"| {name} | {found} | {span} |")
    return "\n".join(rows)


def _rows(text: str) -> dict[str, list[str]]:
    """Return the cells of the first table of a text by the name of their row."""
    tables = re.findall(r"(?m)^\|.*(?:\n\|.*)+", text)
    lines = tables[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines[2:]]
    return {name: values for name, *values in cells}


def read_part(text: str, name: str) -> str:
    """Return what stands between the marks of a part."""
    found = _part(name).search(text)
    return found[2].rstrip("\n") if found else ""


def fill_part(text: str, name: str, content: str) -> str:
    """Return *text* with another content between the marks."""
    return _part(name).sub(lambda match: f"{match[1]}{content}\n{match[3]}", text)


def _part(name: str) -> re.Pattern[str]:
    return re.compile(f"(<!-- begin {name} -->\n)(.*?)(<!-- end {name} -->)", re.DOTALL)


def main() -> int:
    """Write README.md and the pictures."""
    text = README.read_text(encoding="utf-8")
    text = fill_part(text, "settings", settings_table())
    text = fill_part(text, "demo", demo_summary())
    text = fill_part(text, "bodies", bodies_table())
    README.write_text(text, encoding="utf-8")
    for name, draw in PICTURES.items():
        (ROOT / "docs" / name).write_text(draw(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
