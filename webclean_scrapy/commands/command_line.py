"""Parse the command line of ``webclean`` and ``scrapy webclean``: subcommands, options, help."""

from __future__ import annotations

import argparse
import difflib
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from webclean_scrapy import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

#: What each subcommand does; it is a module of this folder with ``USAGE``, a docstring that is its
#: help, ``add_arguments(parser)`` and ``run(opts, settings)``.
SUBCOMMANDS = {
    "crawl": "write the articles of a site, without near-duplicates",
    "watch": "add the new articles of many sites to a file, each once",
    "clean": "print or write the article of each page: files, folders, WARCs, URLs",
    "explain": "show how a page was cleaned, and why",
    "dedup": "leave near-duplicates out of feeds",
    "doctor": "find what is wrong with settings and machine, and what to change",
    "profile": "learn from pages you kept which words interest you",
    "report": "make a page of what a crawl has counted, or compare several",
    "train": "learn classes, such as sport or politics, from labelled pages",
}
#: Exit codes that shells use for a command ended by Ctrl-C, and by a pipe that nobody reads.
STOPPED, CLOSED_PIPE = 130, 141
_WIDTH = 88  # columns of the help at most


class Help(argparse.RawDescriptionHelpFormatter):
    """Help formatter with the same output on every version of Python."""

    def __init__(self, prog: str, width: int | None = None) -> None:
        import shutil

        columns = width or min(_WIDTH, shutil.get_terminal_size().columns - 2)
        super().__init__(prog, max_help_position=26, width=columns)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """Show the value of an option once: ``-o, --output FILE``."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, action.dest.upper())
        return f"{', '.join(action.option_strings)} {value}"


class Parser(argparse.ArgumentParser):
    """ArgumentParser with one-line errors and exit code 2."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(
            prog=prog, formatter_class=Help, allow_abbrev=False, conflict_handler="resolve",
            **options,
        )  # fmt: skip

    def error(self, message: str) -> NoReturn:
        from webclean_scrapy.safe_text import hide_logins, visible_line

        shown = hide_logins(visible_line(message))
        end = "" if shown.endswith("?") else ";"
        print(f"{self.prog}: {shown}{end} {self.prog} -h shows what there is", file=sys.stderr)
        sys.exit(2)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        return self._known_only(*self.parse_known_args(args, namespace))

    def parse_intermixed_args(self, args: Any = None, namespace: Any = None) -> Any:
        return self._known_only(*self.parse_known_intermixed_args(args, namespace))

    def _known_only(self, opts: argparse.Namespace, unknown: Sequence[str]) -> argparse.Namespace:
        if unknown:
            words = [one.partition("=")[0].lstrip("-") for one in unknown if one.startswith("-")]
            names = [one[2:] for one in self._option_string_actions if one.startswith("--")]
            likely = [f"--{name}" for one in words if (name := _likely(one, names))]
            self.error(f"unrecognized arguments: {' '.join(unknown)}{_did_you_mean(likely)}")
        return opts

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Reject values outside of the choices, and suggest the most similar one."""
        if action.choices is None or value in action.choices:
            return
        names = list(map(str, action.choices))
        said = _did_you_mean([_likely(str(value), names)]) or f" (choose from {', '.join(names)})"
        raise argparse.ArgumentError(action, f"invalid choice: {value!r}{said}")


def _likely(word: str, names: Iterable[str]) -> str:
    """Return the name most similar to *word*; "" if none is."""
    return next(iter(difflib.get_close_matches(word, names, 1)), "")


def _did_you_mean(names: Iterable[str]) -> str:
    found = ", ".join(dict.fromkeys(filter(None, names)))
    return f"; did you mean {found}?" if found else ""


def read_line(
    words: Sequence[str], prog: str, add_options: Callable[[Parser], None], opts: Any = None
) -> tuple[Parser, argparse.Namespace]:
    """Parse *words* into *opts*; return the parser of their subcommand and the options.

    *add_options* adds those of Scrapy. Ends the process: with 0 after the help was asked for, with
    2 and one line for what cannot be understood.
    """
    names = "\n".join(f"  {name:<9} {what}" for name, what in SUBCOMMANDS.items())
    parser = Parser(
        prog,
        usage="%(prog)s SUBCOMMAND [options] ...",
        description=f"Clean, de-duplicated articles from web pages.\n\nsubcommands:\n{names}",
        epilog=f"{prog} SUBCOMMAND -h shows the options and examples of one of them.",
    )
    add_options(parser)
    version = f"webclean_scrapy {__version__}"
    parser.add_argument("--version", action="version", version=version, help="show the version")
    parser.add_argument(
        "subcommand", choices=SUBCOMMANDS, metavar="SUBCOMMAND", help=argparse.SUPPRESS
    )
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="...", help=argparse.SUPPRESS)
    opts = parser.parse_args(words, opts)
    parser = subcommand_parser(opts.subcommand, prog, add_options)
    return parser, parser.parse_intermixed_args(opts.rest, opts)


def module_of(name: str) -> Any:
    return import_module(f"webclean_scrapy.commands.{name}")


def subcommand_parser(name: str, prog: str, add_options: Callable[[Parser], None]) -> Parser:
    """Return the parser of a subcommand: its own options, then those of Scrapy."""
    module = module_of(name)
    parser = Parser(f"{prog} {name}", usage=f"%(prog)s {module.USAGE}", description=module.__doc__)
    module.add_arguments(parser)
    add_options(parser)
    return parser
