"""Every error and warning that the package can print, read from its source.

docs/troubleshooting.md is made of them and of docs/message_notes.py, which says what each
means and what to do; a test names a message without a note. What a message says of the case (a
path, a number) is shown as "...".
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docs.command_notes import COMMAND_NOTES
from docs.message_notes import CRAWL_NOTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docs.message_notes import Note

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "webclean_scrapy"
RAISED = re.compile(r"(Error|NotConfigured|CloseSpider)$")
LOGGED = {"warning", "error", "critical"}
KEPT = {"why", "advice", "MESSAGES"}  # variables whose text becomes part of a message
BLANK = "..."
#: Patterns of "path: message" that no user meets, each with its reason.
UNSEEN = (
    r"^demo/(articles|markup)\.py",  # a fault in the texts of the demo portal itself
    r"^cleaning/(body/linear_model|kind/kind_model)\.py",  # a fault in the package's own weights
    r"^(spiders/)?__init__\.py: module ",  # Python's own words for a name that is not there
    r"^report/explain",  # parts of what webclean explain prints
    r"^crawl/worker_(main|process)\.py: (no answer|the worker is closed)",  # caught by its caller
)
NOTES = CRAWL_NOTES | COMMAND_NOTES
MIN_LETTERS = 6  # letters besides what the case fills in: less is no message of ours


class Message(NamedTuple):
    """One message: its words, and the file that has it."""

    text: str
    path: str  # below the package


class Finding(NamedTuple):
    """What ``webclean doctor`` can say."""

    check: str
    what: str
    change: str


def read_messages(package: Path = PACKAGE) -> list[Message]:
    """Return each message once, in the order of files and lines."""
    found: dict[str, str] = {}
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = sorted(_messages_of(tree))
        found |= {
            text: name for _, text in texts if len(re.findall(r"[A-Za-z]", text)) >= MIN_LETTERS
        }
    return [Message(text, path) for text, path in found.items()]


def _messages_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of what is raised or logged."""
    raised = {id(node.exc) for node in ast.walk(tree) if isinstance(node, ast.Raise)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in KEPT:
            values = node.value.values if isinstance(node.value, ast.Dict) else [node.value]
            yield from ((value.lineno, _words(value)) for value in values)
        elif isinstance(node, ast.Call) and node.args:
            name = _last_name(node.func)
            is_made = name == "__init__" and not isinstance(node.args[0], ast.Name)
            is_raised = (
                id(node) in raised and not name.islower()
            )  # a class, no function that makes one
            if is_raised or RAISED.search(name) or name in LOGGED or is_made:
                yield node.lineno, _words(node.args[0])


def _last_name(function: ast.expr) -> str:
    return ast.unparse(function).rpartition(".")[2]


def _words(node: ast.expr) -> str:
    """Return the text of a string in the source, "..." for what the case fills in."""
    if isinstance(node, ast.Constant):
        if not isinstance(node.value, str):
            return ""
        return re.sub(r"%(\(\w+\))?[sdgr]", BLANK, node.value)
    if isinstance(node, ast.JoinedStr):
        parts = (_words(part) if isinstance(part, ast.Constant) else BLANK for part in node.values)
        return re.sub(r"\.{4,}", BLANK, "".join(parts))
    return ""


def read_findings(package: Path = PACKAGE) -> list[Finding]:
    """Return what the checks of ``webclean doctor`` can find, by check."""
    findings = []
    for path in sorted((package / "commands" / "checks").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _last_name(node.func) == "Finding":
                given = {one.arg: _words(one.value) for one in node.keywords if one.arg}
                if len(re.findall(r"[a-z]", given["what"])) >= MIN_LETTERS:
                    findings.append(
                        Finding(given["check"], given["what"], given["change"] or "as it says")
                    )
    return sorted(set(findings))


def note_of(message: Message) -> Note | None:
    """Return what is said of a message; the first note whose pattern is in it."""
    for notes in NOTES.values():
        for note in notes:
            if re.search(note.pattern, message.text) and message.path.startswith(note.place):
                return note
    return None


def is_seen(message: Message) -> bool:
    """Whether a user can meet it, by the list of those that nobody does."""
    return not any(re.search(pattern, f"{message.path}: {message.text}") for pattern in UNSEEN)


def messages_table() -> str:
    """Return the part of docs/troubleshooting.md with every message, in groups."""
    messages = [message for message in read_messages() if is_seen(message)]
    by_note: dict[Note | None, list[str]] = {}
    for message in messages:
        by_note.setdefault(note_of(message), []).append(message.text)
    parts = []
    for group, notes in NOTES.items():
        rows = ["| Message | What it means | What to do |", "| --- | --- | --- |"]
        for note in notes:
            shown = "<br>".join(_as_code(text) for text in by_note.get(note, []))
            rows.append(f"| {shown} | {note.means} | {note.do} |")
        parts.append(f"## {group}\n\n" + "\n".join(rows))
    return "\n\n".join(parts)


def findings_table() -> str:
    """Return the table of what ``webclean doctor`` says."""
    rows = ["| Check | What is so | What to change |", "| --- | --- | --- |"]
    for check, what, change in read_findings():
        rows.append(f"| {check} | {_as_code(what)} | {_as_code(change)} |")
    return "\n".join(rows)


def _as_code(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|")
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"
