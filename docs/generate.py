"""``make readme [PARTS="settings stats"]``: write generated parts of README.md and docs/.

Such a part is between ``<!-- begin NAME -->`` and ``<!-- end NAME -->``. The settings,
languages, stats and the help of the commands come from the package, the summary from a
crawl of the demo portal, the table of bodies from the results page.
``tests/test_docs.py`` compares all but the summary with the documents.
"""

from __future__ import annotations

import re
import sys
import tempfile
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy import stats
from webclean_scrapy.cleaning.words.phrases import languages
from webclean_scrapy.item_names import KNOWN_NAMES
from webclean_scrapy.settings import DICTS, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from webclean_scrapy.settings import Setting

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
RESULTS = DOCS / "method" / "benchmarks.md"
STATS = Path(stats.__file__)
HELP_WIDTH = 100  # columns
TEXT_WIDTH = 120  # columns of the pages
MOST_CHOICES = 5  # of a setting; a longer list is that of another page
#: Units that say no more than the default and the meaning do.
PLAIN = frozenset("bool name path URI classes names fields share".split())
#: The settings that people set; the others have a table of their own.
USUAL = frozenset(
    "sibling_enabled parts items names fields chunks favor drop_non_articles min_confidence workers"
    " dedup_enabled dedup_duplicate dedup_uri dedup_update store report".split()
)


def usual_settings() -> str:
    """Return the settings that people set."""
    return _list_settings(one for one in SETTINGS if not one.of and one.key in USUAL)


def other_settings() -> str:
    """Return the other settings: plain ones, then the keys of dict settings.

    The constants of the papers are in a page of their own.
    """
    parts = [_list_settings(one for one in SETTINGS if not one.of and one.key not in USUAL)]
    for name, meaning in DICTS.items():
        if name != "PAPERS":
            keys = _list_settings(one for one in SETTINGS if one.of == name)
            parts += [f"## Keys of `WEBCLEAN_{name}`: {meaning}", keys]
    return "\n\n".join(parts)


def constants_list() -> str:
    """Return the constants of the papers, with their values in print."""
    return _list_settings(one for one in SETTINGS if one.of == "PAPERS")


def _list_settings(settings: Iterable[Setting]) -> str:
    return "\n".join(map(_setting_line, settings))


def _setting_line(setting: Setting) -> str:
    """Return the line of a list for a setting: its name, default, value in print, and meaning."""
    shown = _show_default(setting)
    if printed := setting.printed:
        same = isinstance(setting.default, int | float) and printed == f"{setting.default:g}"
        shown += ", as printed" if same else f"; printed {printed}"
    meaning = setting.meaning
    if setting.choices and not setting.is_dict and len(setting.choices) <= MOST_CHOICES:
        choices = ", ".join(f"`{choice!r}`" for choice in setting.choices)
        meaning += f" One of {' or '.join(choices.rsplit(', ', 1))}."
    return f"- `{setting.key if setting.of else setting.name}` ({shown}): {meaning}"


def _show_default(setting: Setting) -> str:
    """Return the default with its unit, where there is one."""
    if setting.default in ("", ()):
        return "empty"
    return f"`{setting.default!r}` {'' if setting.unit in PLAIN else setting.unit}".rstrip()


def names_list() -> str:
    """Return the other names that fields of items are known by."""
    others = {
        field: ", ".join(name for name in names.split() if name != field.lower())
        for field, names in KNOWN_NAMES.items()
    }
    return "\n".join(f"- `{field}`: {names}" for field, names in others.items() if names)


def languages_list() -> str:
    """Return the languages with words and the number of their roles, the most first."""
    roles = {
        f"{language['language']} (`{code}`)": sum(
            isinstance(one, list) for one in language.values()
        )
        for code, language in languages().items()
    }
    most = sorted(roles.items(), key=lambda one: (-one[1], one[0]))
    return fill(", ".join(f"{name} {number}" for name, number in most) + ".", TEXT_WIDTH)


def stats_list() -> str:
    """Return the stats as Markdown: a heading and a list for each group of names."""
    lines = []
    for group, rows in read_stats(STATS.read_text(encoding="utf-8")):
        lines += [f"## {group[:1].upper()}{group[1:]}", ""]
        for name, meaning in rows:
            text = re.sub(r"(?<!\w)/[\w<>]+", r"`\g<0>`", meaning)
            lines.append(f"- `{name}` {text}" if text[:2] == "`/" else f"- `{name}`: {text}")
        lines.append("")
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
        if rows and not (group and all(meaning for _, meaning in rows)):
            raise ValueError(f"a group, or a stat of it, says nothing: {rows}")
        if rows:
            yield group, rows


def commands_help() -> str:
    """Return each subcommand of ``webclean`` with what it does and the names of its options."""
    from webclean_scrapy.commands.command_line import SUBCOMMANDS, Help, subcommand_parser

    parts = []
    for name in SUBCOMMANDS:
        parser = subcommand_parser(name, "webclean", lambda _: None)
        parser.formatter_class = partial(Help, width=HELP_WIDTH)
        help_text = re.sub(r"\x1b\[[0-9;]*m", "", parser.format_help())
        usage, _, rest = help_text.removeprefix("usage: ").partition("\n\n")
        what, _, rest = rest.partition("\n\n")
        part = f"## webclean {name}\n\n```text\n{usage}\n```\n\n{what}"
        _, *options = re.findall(r"(?m)^  (-.+?)(?:  .*)?$", rest)  # behind --help
        if options:
            part += f"\n\nOptions: {', '.join(f'`{option}`' for option in options)}."
        parts.append(part)
    return "\n\n".join(parts)


def demo_summary() -> str:
    """Return the counts of a crawl of the demo portal."""
    from spiders.demo_run import as_table, crawl

    with tempfile.TemporaryDirectory() as folder:
        counted = crawl(Path(folder, "articles.jsonl"))
    return f"```text\n{as_table(counted)}\n```"


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
    Part(DOCS / "item.md", "names", names_list),
    Part(DOCS / "settings.md", "usual settings", usual_settings),
    Part(DOCS / "settings.md", "other settings", other_settings),
    Part(DOCS / "method" / "constants.md", "constants", constants_list),
    Part(DOCS / "method" / "languages.md", "languages", languages_list),
    Part(DOCS / "commands.md", "commands", commands_help),
    Part(DOCS / "stats.md", "stats", stats_list),
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
