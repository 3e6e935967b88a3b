"""``scrapy webclean``: clean a site or single pages without a project, and see why.

Every ``scrapy`` call loads this module, so it imports nothing of ours before it runs; each
subcommand is a module of its own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

SUBCOMMANDS = ("crawl", "clean", "explain", "dedup")


class Command(ScrapyCommand):
    """One command with a subcommand for each thing that it can do."""

    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "WARNING"}

    def syntax(self) -> str:
        return "[options] crawl URL | clean FILE|URL|- ... | explain FILE|URL|- | dedup FILE ..."

    def short_desc(self) -> str:
        return "Turn a site, or single pages, into clean articles"

    def long_desc(self) -> str:
        return (
            "crawl URL: follow the links of a site and write its articles, near-duplicates left"
            " out. clean FILE|URL|-: print the article of each page ('-' is standard input)."
            " explain FILE|URL|-: print why a page comes out as it does."
            " explain --templates FILE|JOBDIR [URL]: print what was learned of sites."
            " dedup FILE...: drop near-duplicates from feeds of JSON lines; with --uri and -o it"
            " goes on after it was stopped."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("Options of crawl and dedup")
        output = "write to FILE (crawl appends: .jsonl, .json, .csv, .xml), not standard output"
        group.add_argument("-o", "--output", metavar="FILE", help=output)
        group = parser.add_argument_group("Options of crawl")
        group.add_argument("--max-pages", type=int, default=0, metavar="N", help="0: all")
        group.add_argument("--within", default="/", metavar="PATH", help="follow only such paths")
        group = parser.add_argument_group("Options of clean and explain")
        group.add_argument("--json", action="store_true", help="print the whole record")
        group = parser.add_argument_group("Options of explain")
        group.add_argument(
            "--sibling", action="extend", nargs="+", default=[], metavar="FILE|URL",
            help="pages of the same site; a URL finds one by itself when none is given",
        )  # fmt: skip
        group.add_argument(
            "--templates", metavar="FILE|JOBDIR",
            help="list what was learned; with a URL: which of it would serve that page",
        )  # fmt: skip

        _add_dedup_options(parser.add_argument_group("Options of dedup"))

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Put the settings of the subcommand in place before the crawler process is made."""
        super().process_options(args, opts)
        from webclean_scrapy.addon import Addon

        settings = self.settings
        assert settings is not None  # noqa: S101, set by scrapy.cmdline
        settings.setdefault_in_component_priority_dict("ADDONS", Addon, 500)
        if args[:1] and args[0] in SUBCOMMANDS:
            _module_of(args[0]).prepare(settings, opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if not args or args[0] not in SUBCOMMANDS:
            raise UsageError
        if strange := [arg for arg in args[1:] if arg.startswith("-") and arg != "-"]:
            raise UsageError(f"unknown option: {strange[0]}")
        process = self.crawler_process
        assert process is not None  # noqa: S101, set by scrapy.cmdline
        self.exitcode = _module_of(args[0]).run(args[1:], opts, process)


def _add_dedup_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--uri", help="the index, as in WEBCLEAN_DEDUP_URI; default: in memory")
    clusters = "write each group of near-duplicates as a line; without feeds: of what --uri holds"
    group.add_argument("--clusters", metavar="FILE", help=clusters)
    for name, default in (("text", "articleBody"), ("title", "headline"), ("key", "url")):
        told = f"that holds the {name}; default: {default}"
        group.add_argument(f"--{name}", default=default, metavar="FIELD", help=told)


def _module_of(subcommand: str) -> Any:
    """Return the module that has ``prepare`` and ``run`` of a subcommand."""
    return import_module(f"webclean_scrapy.commands.{subcommand}")
