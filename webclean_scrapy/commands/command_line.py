"""Parse the command line of ``webclean`` and ``scrapy webclean``: subcommands, options, help."""

from __future__ import annotations

import argparse
import difflib
import re
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn

from webclean_scrapy import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
#: How others call what is called otherwise here.
_HABITS = {
    "-u": "the address alone", "--markdown": "--format markdown", "md": "markdown",
    "jsonl": "json", "--output-format": "--format", "-i": "--urls",
}  # fmt: skip


class Help(argparse.RawDescriptionHelpFormatter):
    """Help formatter with the same output on every version of Python."""

    def __init__(self, prog: str, width: int | None = None) -> None:
        super().__init__(prog, max_help_position=26, width=width)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """Show the value of an option once: ``-o, --output FILE``."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, action.dest.upper())
        return f"{', '.join(action.option_strings)} {value}"


class Parser(argparse.ArgumentParser):
    """ArgumentParser with one-line errors, the nearest name for an unknown one, and exit code 2."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(
            prog, formatter_class=Help, allow_abbrev=False, conflict_handler="resolve", **options
        )

    def error(self, message: str) -> NoReturn:
        from webclean_scrapy.safe_text import hide_logins, visible_line

        found = re.search(r"(?:unrecognized arguments: |invalid choice: ')([^\s'=]+)", message)
        word = found[1] if found else ""
        choices = chain.from_iterable(action.choices or () for action in self._actions)
        names = {
            name.lstrip("-"): name
            for name in (self._option_string_actions if word[:1] == "-" else choices)
        }
        near = [names[one] for one in difflib.get_close_matches(word.lstrip("-"), names, 1)]
        if meant := _HABITS.get(word) or "".join(near):
            message += f" (did you mean {meant}?)"
        shown = hide_logins(visible_line(message))
        self.exit(2, f"{self.prog}: {shown}; {self.prog} -h shows what there is\n")


def whole_number(text: str, least: int = 0) -> int:
    """Return the value of an option: a whole number from *least* on."""
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"must be a whole number from {least} on, got {text!r}")
    return int(text)


def shard(text: str) -> str:
    """Check the value of ``--shard``, such as ``2/8``."""
    from webclean_scrapy.web_addresses import in_shard

    try:
        in_shard("", text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


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
    """Return the parser of a subcommand: its own options, then Scrapy's."""
    module = module_of(name)
    parser = Parser(f"{prog} {name}", usage=f"%(prog)s {module.USAGE}", description=module.__doc__)
    module.add_arguments(parser)
    add_options(parser)
    return parser
