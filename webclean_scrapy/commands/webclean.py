"""``webclean`` and ``scrapy webclean``: run the package's subcommands.

Every ``scrapy`` call loads this module, so it imports none of our modules before it runs;
each subcommand is a module of its own.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webclean_scrapy.commands.command_line import Parser


class Command(ScrapyCommand):
    """The Scrapy command; each subcommand parses its own part of the line."""

    requires_crawler_process = False  # a subcommand that fetches makes one
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "WARNING"}
    prog = "scrapy webclean"
    parser: Parser  # of the subcommand

    def syntax(self) -> str:
        return "SUBCOMMAND [options] ..."

    def short_desc(self) -> str:
        return "Extract clean articles from a site or from single pages"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Leave all words and options to the parser of the subcommand."""
        parser.prefix_chars = ""
        parser.add_argument("words", nargs=argparse.REMAINDER)

    def add_scrapy_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of all Scrapy commands: ``-s NAME=VALUE``, ``--logfile`` and others."""
        super().add_options(parser)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Parse the line and apply its settings; exit with 2 on errors."""
        from webclean_scrapy.commands.command_line import read_line

        self.parser, _ = read_line(opts.words, self.prog, self.add_scrapy_options, opts)
        try:
            super().process_options(args, opts)
        except UsageError as error:
            self.parser.error(str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the subcommand; an error becomes one line and an exit code."""
        from webclean_scrapy.commands.command_line import CLOSED_PIPE, STOPPED, module_of
        from webclean_scrapy.commands.terminal import safe_streams
        from webclean_scrapy.errors import WebcleanError

        _take_signals()
        with safe_streams():
            try:
                self.exitcode = module_of(opts.subcommand).run(opts, self.settings)
                sys.stdout.flush()
            except UsageError as error:
                self.parser.error(str(error))
            except KeyboardInterrupt:
                print(f"{self.parser.prog}: stopped", file=sys.stderr)
                self.exitcode = STOPPED
            except BrokenPipeError:  # the reader has gone
                self.exitcode = CLOSED_PIPE
            except (OSError, MemoryError, WebcleanError) as error:
                print(f"{self.parser.prog}: {_sentence(error)}", file=sys.stderr)
                self.exitcode = 1
            finally:
                _flush_or_close()


def _flush_or_close() -> None:
    """Flush standard output; where that fails, keep Python from trying it again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _take_signals() -> None:
    """Stop a command on SIGTERM and SIGHUP (closed terminal) as on Ctrl-C.

    A signal that is ignored (``nohup``) or has a handler keeps it.
    """

    def hang_up(*_: object) -> None:
        # Kernel and shell both send it; as a second one it would cut off what a crawl still writes.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.raise_signal(signal.SIGTERM)

    stop: Any = signal.default_int_handler
    for name, handler in {"SIGINT": stop, "SIGTERM": stop, "SIGHUP": hang_up}.items():
        number = getattr(signal, name, signal.SIGINT)  # Windows has no SIGHUP
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, handler)


def _sentence(error: Exception) -> str:
    """Return an error in one line, without its errno."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split()) or type(error).__name__


def main(words: Sequence[str] | None = None) -> int:
    """Run ``webclean`` with *words*, by default the command line's; return the exit code."""
    from scrapy.settings import Settings
    from scrapy.utils.project import get_project_settings

    command, broken = Command(), ""
    command.prog = "webclean"
    try:
        command.settings = get_project_settings()
    except Exception as error:  # noqa: BLE001, whatever a module of the project raises
        name = os.environ.get("SCRAPY_SETTINGS_MODULE", "scrapy").replace(".", "/")
        broken = f"{name}.py cannot be imported: {type(error).__name__}: {_sentence(error)}"
        command.settings = Settings()
    command.settings.setdict(command.default_settings, priority="command")
    opts = argparse.Namespace(words=sys.argv[1:] if words is None else list(words))
    command.process_options([], opts)
    opts.broken_settings = broken
    if broken and opts.subcommand != "doctor":
        print(f"{command.parser.prog}: {broken}", file=sys.stderr)
        return 1
    if opts.profile:
        import cProfile

        cProfile.runctx("command.run([], opts)", globals(), locals(), opts.profile)
    else:
        command.run([], opts)
    return command.exitcode
