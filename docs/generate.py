"""``make readme [PARTS="settings stats"]``: write generated parts of README.md and docs/.

Such a part is between ``<!-- begin NAME -->`` and ``<!-- end NAME -->``. The tables of settings,
stats and languages and the help of the commands come from the package, the summary from a crawl of
the demo portal, the table of bodies from the results page.
``tests/test_docs.py`` compares all but the summary with the documents.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy import stats
from webclean_scrapy.cleaning.words.phrases import ROLES, languages
from webclean_scrapy.crawl.summary import Summary
from webclean_scrapy.item_names import KNOWN_NAMES
from webclean_scrapy.settings import DICTS, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterator

    from webclean_scrapy.settings import Setting

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
RESULTS = DOCS / "method" / "benchmarks.md"
STATS = Path(stats.__file__)
HELP_WIDTH = 100  # columns
#: The settings that people set; all are in a page of their own.
USUAL = frozenset(
    "sibling_enabled parts items names fields chunks favor drop_non_articles min_confidence workers"
    " dedup_enabled dedup_uri dedup_update store report".split()
)


def usual_settings() -> str:
    """Return the table of the settings that people set."""
    return _settings_rows("", USUAL)


def settings_table() -> str:
    """Return the tables of settings: plain ones, then the keys of dict settings.

    The constants of the papers are in a page of their own.
    """
    parts = [_settings_rows("")]
    for name, meaning in DICTS.items():
        if name != "PAPERS":
            parts += [f"## Keys of `WEBCLEAN_{name}`: {meaning}", _settings_rows(name)]
    return "\n\n".join(parts)


def _settings_rows(of: str, names: Container[str] | None = None) -> str:
    """Return the table of the plain settings, of some *names* of them, or of the keys of a dict."""
    rows = [
        f"| {'Key' if of else 'Setting'} | Default | Unit | Meaning |",
        "| --- | --- | --- | --- |",
    ]
    for setting in SETTINGS:
        if setting.of != of or (names is not None and setting.field not in names):
            continue
        choices = ", ".join(f"`{choice!r}`" for choice in setting.choices)
        choices = " or ".join(choices.rsplit(", ", 1))
        meaning = (
            f"{setting.meaning} One of {choices}."
            if choices and not setting.is_dict
            else setting.meaning
        )
        if setting.paper:
            meaning += " {}: {}.".format(*setting.paper)
        default = _show_default(setting)
        name = setting.field if of else setting.name
        rows.append(f"| `{name}` | {default} | {setting.unit} | {meaning} |")
    return "\n".join(rows)


def _show_default(setting: Setting) -> str:
    return f"`{setting.default!r}`" if setting.default not in ("", ()) else "empty"


def names_table() -> str:
    """Return the table of the names that fields of items are known by."""
    rows = ["| Field | Other names |", "| --- | --- |"]
    for field, names in KNOWN_NAMES.items():
        if others := [name for name in names.split() if name != field.lower()]:
            rows.append(f"| `{field}` | {', '.join(others)} |")
    return "\n".join(rows)


def languages_table() -> str:
    """Return the tables of the languages with words, and of the roles that their words have."""
    known = languages()
    rows = ["| Code | Language | Roles | Phrases |", "| --- | --- | ---: | ---: |"]
    for code, language in known.items():
        words = [phrases for phrases in language.values() if isinstance(phrases, list)]
        name = language["language"]
        rows.append(f"| `{code}` | {name} | {len(words)} | {sum(map(len, words))} |")
    rows += ["", "| Role | Such a phrase | Languages |", "| --- | --- | --- |"]
    for role, meaning in json.loads(ROLES.read_text("utf-8")).items():
        codes = ", ".join(code for code, language in known.items() if role in language)
        rows.append(f"| `{role}` | {meaning} | {codes} |")
    return "\n".join(rows)


def stats_table() -> str:
    """Return the tables of stats as Markdown: a heading and a table for each group of names."""
    lines = []
    for group, rows in read_stats(STATS.read_text(encoding="utf-8")):
        heading = f"## {group[:1].upper()}{group[1:]}"
        table = ["| Stat | Counts |", "| --- | --- |"]
        for name, meaning in rows:
            text = re.sub(r"(?<!\w)/[\w<>]+", r"`\g<0>`", meaning)
            table.append(f"| `{name}` | {text} |")
        lines += [heading, "", *table, ""]
    return "\n".join(lines).rstrip()


def read_stats(source: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    r"""Yield each group of stats with its (name, meaning) pairs, from the source of ``stats.py``.

    A group begins after an empty line with a comment that names it. The meaning of a name is the
    comment behind it, or else above it.

    >>> list(read_stats('# pages\nA = "w/a"  # one\n# two\nB = "w/b"\n'))
    [('pages', [('w/a', 'one'), ('w/b', 'two')])]
    """
    for block in re.split(r"\n\n+", source):
        group, above = "", ""
        rows = []
        for line in block.splitlines():
            if line.startswith("# "):
                above = f"{above} {line[2:]}".strip() if group else ""
                group = group or line[2:]
            elif found := re.match(r'[A-Z_]+ = "(\w+/[\w/]+)"(?:  # (.*))?$', line):
                rows.append((found[1], found[2] or above))
                above = ""
        if rows:
            yield group, rows


def commands_help() -> str:
    """Return the help of each subcommand of ``webclean``, without the options of Scrapy."""
    from webclean_scrapy.commands.command_line import SUBCOMMANDS, Help, subcommand_parser

    parts = []
    for name in SUBCOMMANDS:
        parser = subcommand_parser(name, "webclean", lambda _: None)
        parser.formatter_class = partial(Help, width=HELP_WIDTH)
        help_text = re.sub(r"\x1b\[[0-9;]*m", "", parser.format_help()).rstrip()
        parts.append(f"## webclean {name}\n\n```text\n{help_text}\n```")
    return "\n\n".join(parts)


def demo_summary() -> str:
    """Return the counts of a crawl of the demo portal."""
    from spiders.demo_run import as_table, crawl

    with tempfile.TemporaryDirectory() as folder:
        summary = Summary(crawl(Path(folder, "articles.jsonl")))
    return f"```text\n{as_table(summary)}\n```"


def bodies_table() -> str:
    """Return the F1 and the CPU time of the extractors on each set, out of the results page."""
    text = RESULTS.read_text(encoding="utf-8")
    names, scores = _rows(text[text.index("## Bodies") :])
    _, cost = _rows(text[text.index("### Cost on these pages") :])
    rows = ["| F1 | " + " | ".join(names) + " | CPU |", "| --- |" + " ---: |" * (len(names) + 1)]
    for name, cells in scores.items():
        spent = sorted(cost.get(name, []), key=float)
        span = " to ".join(dict.fromkeys(spent[:1] + spent[-1:]))
        values = " | ".join(cell.partition(" ")[0] for cell in cells)
        rows.append(f"| {name} | {values} | {span} |")
    return "\n".join(rows)


def _rows(text: str) -> tuple[list[str], dict[str, list[str]]]:
    """Return the heads of the first table of a text, and its cells by the name of their row."""
    lines = re.findall(r"(?m)^\|.*(?:\n\|.*)+", text)[0].splitlines()
    head, _, *rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    return head[1:], {name: values for name, *values in rows}


class Part(NamedTuple):
    """A generated part of a document."""

    page: Path
    name: str
    make: Callable[[], str]


PARTS = (
    Part(DOCS / "item.md", "names", names_table),
    Part(DOCS / "settings.md", "usual settings", usual_settings),
    Part(DOCS / "all-settings.md", "settings", settings_table),
    Part(DOCS / "method" / "constants.md", "constants", partial(_settings_rows, "PAPERS")),
    Part(DOCS / "method" / "languages.md", "languages", languages_table),
    Part(DOCS / "commands.md", "commands", commands_help),
    Part(DOCS / "stats.md", "stats", stats_table),
    Part(README, "bodies", bodies_table),
    Part(README, "demo", demo_summary),
)


def read_part(text: str, name: str) -> str:
    """Return the text between the marks of a part; empty without the marks."""
    match = _part(name).search(text)
    return match[2].rstrip("\n") if match else ""


def fill_part(text: str, name: str, content: str) -> str:
    """Return *text* with another content between the marks."""
    return _part(name).sub(lambda match: f"{match[1]}{content}\n{match[3]}", text)


def _part(name: str) -> re.Pattern[str]:
    return re.compile(f"(<!-- begin {name} -->\n)(.*?)(<!-- end {name} -->)", re.DOTALL)


def main(names: Collection[str] = ()) -> int:
    """Write the parts with a word of *names* in their name, all by default."""
    known = {word for part in PARTS for word in part.name.split()}
    if unknown := set(names) - known:
        raise SystemExit(f"no part: {', '.join(unknown)}; parts: {', '.join(sorted(known))}")
    for page, name, make in PARTS:
        if names and not set(names) & set(name.split()):
            continue
        text = page.read_text(encoding="utf-8")
        page.write_text(fill_part(text, name, make()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
