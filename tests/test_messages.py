# ruff: noqa: E501, a list of attacks reads best in few lines
"""No text of outside makes a terminal do anything, wherever a command or a crawl shows it."""

import io
import logging
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webclean_scrapy.commands import terminal, webclean
from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.export.formats import as_json, as_markdown, as_text
from webclean_scrapy.items import ArticleItem
from webclean_scrapy.safe_text import visible, visible_line

#: What terminals obey: colours, cursor, title, clipboard, links, answers, bells, C1, bidi.
ATTACKS = (
    "\x1b[31m", "\x1b[2J", "\x1b[1A", "\x1b]0;title\x07", "\x1b]52;c;ZXZpbA==\x07",
    "\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\", "\x1bP$q\x1b\\", "\x1b[6n", "\x1bc", "\x9b31m",
    "\x9d0;title\x9c", "\x90x\x9c", "\x07", "\x08", "\r", "\x0b", "\x0c", "\x0e", "\x7f", "\x85",
    "\u202e", "\u2066", "\u2069", "\u200f", "\u061c", "\ufeff", "\u2028", "\u2029", "\x00", "\U000e0041",
)  # fmt: skip
pytestmark = pytest.mark.usefixtures("no_project")
attacks = st.lists(st.one_of(st.sampled_from(ATTACKS), st.text(max_size=8)), max_size=8).map(
    "".join
)
few = settings(max_examples=20, deadline=None)


def obeyed(text: str) -> list[str]:
    """Return the characters of *text* that a terminal would obey, or that move others."""
    bad = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    plain = set("\n\t\xad\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2")
    return [one for one in text if unicodedata.category(one) in bad and one not in plain]


class Terminal(io.TextIOWrapper):
    """A stream that claims to be a terminal."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), "utf-8", newline="", errors="surrogatepass")

    def isatty(self) -> bool:
        return True

    def shown(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode("utf-8", "surrogatepass")


@contextmanager
def on_terminal() -> Iterator[Terminal]:
    screen = Terminal()
    with redirect_stdout(screen), redirect_stderr(screen):
        yield screen


@given(text=attacks)
@few
def test_what_is_shown_is_never_obeyed_and_can_be_read(text: str) -> None:
    assert obeyed(visible(text)) == []
    assert set(visible_line(text)).isdisjoint("\n\r\t\x85\u2028")
    assert visible(visible(text)) == visible(text)
    if not obeyed(text):
        assert visible(text) == text


@given(text=attacks)
@few
def test_an_article_is_escaped_on_a_terminal_and_whole_in_a_file(text: str) -> None:
    item = ArticleItem(url=text, headline=text, articleBody=text, articleBodyHtml="<p>a</p>")
    for render in (as_text, as_json, as_markdown):
        screen = Terminal()
        stream = terminal.safe_stream(screen, hides_logins=False)
        stream.write(render(item))
        data = render(item).encode("utf-8", "surrogatepass")
        stream.buffer.write(data[:3])  # in the middle of a character, perhaps
        stream.buffer.write(data[3:])
        assert obeyed(screen.shown()) == []


@pytest.mark.parametrize("attack", ["".join(ATTACKS[:14]).replace("/", ""), "".join(ATTACKS[14:])])
def test_whatever_a_command_says_of_its_words_is_escaped(tmp_path: Path, attack: str) -> None:
    name = f"{attack}page"
    words = [[name], ["explain", f"--{name}"], ["explain", name, name]]
    path = tmp_path / f"{attack.replace(chr(0), '')}.html"
    path.write_text(f"<title>{attack}</title><p>{attack} One line of it.</p>", "utf-8")
    words += [["explain", str(path)], ["clean", str(path)], ["clean", f"{path}.lost"]]
    words += [["explain", f"{path}.lost"], ["profile", str(path), "-o", str(tmp_path / "p")]]
    words += [["explain", "--templates", str(path)], ["dedup", str(path)]]
    for line in words:
        with on_terminal() as screen, suppress(SystemExit):
            webclean.main(line)
        assert obeyed(screen.shown()) == [], line
        assert len(screen.shown()) > 20, line


def test_what_is_piped_is_whole(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    line = '{"url": "a", "articleBody": "The ferry \u202ecame\u202c \x9b late again"}\n'.encode()
    path = tmp_path / "feed.jsonl"
    path.write_bytes(line)
    assert webclean.main(["dedup", str(path)]) == 0
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == line
    with on_terminal() as screen:
        assert webclean.main(["dedup", str(path)]) == 0
    assert "The ferry \\u202ecame\\u202c \\x9b late again" in screen.shown()


@pytest.fixture
def log_lines() -> Iterator[io.StringIO]:
    """The output of a handler of the root logger."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logging.root.addHandler(handler)
    yield stream
    logging.root.removeHandler(handler)


def test_no_line_that_we_log_is_obeyed_or_forged(log_lines: io.StringIO) -> None:
    ours = safe_logger("webclean_scrapy.crawl.test")
    for attack in ATTACKS:
        ours.warning(
            "%(url)s fails: %(error)r", {"url": f"a\n{attack}", "error": ValueError(attack)}
        )
        ours.warning("Read %d pages of %s", 3, f"{attack}\nERROR: forged")
        error = ValueError(f"http://me:hunter2@a.example/{attack}")
        ours.error("It broke", exc_info=error)
    text = log_lines.getvalue()
    assert text.count("Read 3 pages of") == text.count("It broke") == len(ATTACKS)
    assert obeyed(text) == []
    assert "\nERROR: forged" not in text
    assert "hunter2" not in text
    assert "***@a.example" in text
