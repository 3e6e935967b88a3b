"""docs/troubleshooting.md explains every message, word and finding of the package; and the FAQ."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from docs.messages import NOTES, UNSEEN, Message, is_seen, note_of, read_findings, read_messages
from webclean_scrapy.cleaning.page import guard
from webclean_scrapy.cleaning.templates.sibling_links import REASONS as LINK_REASONS
from webclean_scrapy.crawl.worker_process import DIED, TIMEOUT

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "webclean_scrapy"
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text("utf-8")
FAQ = (ROOT / "docs" / "faq.md").read_text("utf-8")
MESSAGES = read_messages()

#: Functions that return why something is refused, in one word.
REASONS = {
    "cleaning/templates/sketch.py": {"refuse"},
    "crawl/siblings/sibling_request.py": {"response_refusal"},
    "downloadermiddlewares/render.py": {"_skip_reason"},
}


def reasons() -> set[str]:
    """Return the words that refusals, failures and limits are counted by."""
    found = {DIED, TIMEOUT, *LINK_REASONS}
    for name, names in REASONS.items():
        for node in ast.walk(ast.parse((PACKAGE / name).read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name in names:
                found |= {
                    one.value
                    for back in ast.walk(node)
                    if isinstance(back, ast.Return)
                    for one in ast.walk(back)
                    if isinstance(one, ast.Constant) and isinstance(one.value, str)
                }
    errors = (PACKAGE / "errors.py").read_text("utf-8")
    found |= set(re.findall(r'^    reason = "(\w+)"', errors, re.MULTILINE)) - {"page"}
    for path in PACKAGE.rglob("*.py"):
        counted = r"(?:REFUSED|FAILED|SKIPPED|LOW_CONFIDENCE)\}/(\w+)\""
        found |= set(re.findall(counted, path.read_text("utf-8")))
    return {word.rstrip("_") for word in found if not word.startswith("status_")}


def test_every_message_of_the_package_is_explained() -> None:
    assert len(MESSAGES) > 150
    assert [one for one in MESSAGES if is_seen(one) and note_of(one) is None] == []


def test_every_explanation_and_every_exception_is_of_a_message() -> None:
    used = {note_of(one) for one in MESSAGES if is_seen(one)}
    assert [note.pattern for notes in NOTES.values() for note in notes if note not in used] == []
    named = [f"{one.path}: {one.text}" for one in MESSAGES]
    assert [p for p in UNSEEN if not any(re.search(p, name) for name in named)] == []


def test_a_new_message_is_seen_to_be_without_a_note(tmp_path: Path) -> None:
    source = """
def check(path, logger):
    if not path:
        raise PageError(f"the quay {path} is closed today")
    logger.warning("The tide at %s is late", path)
    logger.info("This is no warning of ours")
    why = f"the ferry {path} sank in the harbour"
"""
    (tmp_path / "new.py").write_text(source)
    messages = read_messages(tmp_path)
    texts = [
        "the quay ... is closed today",
        "The tide at ... is late",
        "the ferry ... sank in the harbour",
    ]
    assert messages == [Message(text, "new.py") for text in texts]
    assert [note_of(one) for one in messages] == [None, None, None]


def test_every_word_for_a_refusal_is_in_the_table() -> None:
    table = PAGE.partition("## Words in records and stats")[2]
    shown = {
        word
        for row in re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE)
        for word in re.findall(r"`(\w+)`", row)
    }
    assert len(reasons()) > 12
    assert reasons() - shown == set()
    limits = re.findall(r'PageTooLargeError\("(\w+)', Path(guard.__file__).read_text("utf-8"))
    assert set(limits) <= shown


def test_each_finding_of_doctor_is_shown() -> None:
    assert len(read_findings()) > 30
    assert [one for one in read_findings() if one.check not in PAGE] == []


@pytest.mark.parametrize("row", [row for row in PAGE.splitlines() if row.startswith("| ")])
def test_each_row_says_what_to_do(row: str) -> None:
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]]
    assert len(cells) in {3, 4}
    assert all(cells), row


def test_each_question_has_a_short_answer_with_a_link() -> None:
    questions = [part.partition("\n\n")[::2] for part in FAQ.split("\n## ")[1:]]
    assert len(questions) >= 20
    for question, answer in questions:
        assert question.endswith(("?", ".")), question
        assert len(answer.strip().splitlines()) <= 8, question
        assert "](" in answer, question
        assert max(map(len, answer.splitlines())) <= 120, question


def test_there_are_recipes_enough() -> None:
    recipes = (ROOT / "docs" / "recipes.md").read_text("utf-8")
    assert len(re.findall(r"^## ", recipes, re.MULTILINE)) >= 12
