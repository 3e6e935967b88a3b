"""``scrapy webclean``: clean a site or single pages without a project, and explain results.

Every ``scrapy`` call loads this module, so it imports none of our modules before it runs;
each subcommand is a module of its own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    import argparse

SUBCOMMANDS = ("crawl", "clean", "explain", "dedup", "profile", "train")


class Command(ScrapyCommand):
    """One command with five subcommands."""

    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "WARNING"}

    def syntax(self) -> str:
        return (
            "[options] crawl URL | clean FILE|URL|- ... | explain FILE|URL|- | dedup FILE ..."
            " | profile FILE ... -o FILE | train FILE ..."
        )

    def short_desc(self) -> str:
        return "Extract clean articles from a site or from single pages"

    def long_desc(self) -> str:
        return (
            "crawl URL: follow the links of a site and write its articles without near-duplicates."
            " clean FILE|URL|-: print the article of each page ('-' is standard input)."
            " explain FILE|URL|-: print how a page was cleaned, and why."
            " explain --templates FILE|JOBDIR [URL]: list the learned templates."
            " dedup FILE...: drop near-duplicates from JSON lines feeds; with --uri and -o, a"
            " stopped run can be resumed."
            " profile FILE... -o FILE: write the interest profile of saved pages or feeds, for"
            " WEBCLEAN_INTEREST_PROFILE."
            " train FILE...: learn the classes of labelled pages, for WEBCLEAN_CLASS_MODEL."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        group = parser.add_argument_group("Options of crawl, dedup, profile and train")
        output = (
            "output file (crawl appends to .jsonl, .json, .csv, .xml); default: standard output; "
            "train always needs one"
        )
        group.add_argument("-o", "--output", metavar="FILE", help=output)
        group = parser.add_argument_group("Options of crawl")
        group.add_argument(
            "--max-pages",
            type=int,
            default=0,
            metavar="N",
            help="maximum number of pages; 0 (default): no limit",
        )
        group.add_argument(
            "--within",
            default="/",
            metavar="PATH",
            help="follow only URLs whose path starts with PATH",
        )
        group = parser.add_argument_group("Options of clean and explain")
        group.add_argument("--json", action="store_true", help="print the whole record as JSON")
        group = parser.add_argument_group("Options of explain")
        group.add_argument(
            "--sibling", action="extend", nargs="+", default=[], metavar="FILE|URL",
            help="other pages of the same site; without them, a URL fetches its own sibling",
        )  # fmt: skip
        group.add_argument(
            "--templates", metavar="FILE|JOBDIR",
            help="list the learned templates; with a URL: which of them would be used for it",
        )  # fmt: skip

        _add_dedup_options(parser.add_argument_group("Options of dedup"))
        _add_train_options(parser.add_argument_group("Options of train"))
        _add_field_options(parser.add_argument_group("Options of dedup and profile"))

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Set the settings of the subcommand before the crawler process is created."""
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
        if unknown := [arg for arg in args[1:] if arg.startswith("-") and arg != "-"]:
            raise UsageError(f"unknown option: {unknown[0]}")
        process = self.crawler_process
        assert process is not None  # noqa: S101, set by scrapy.cmdline
        self.exitcode = _module_of(args[0]).run(args[1:], opts, process)


def _add_dedup_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--uri", help="fingerprint store, as in WEBCLEAN_DEDUP_URI; default: in memory"
    )
    clusters = "write one line per group of near-duplicates; without feeds: those stored in --uri"
    group.add_argument("--clusters", metavar="FILE", help=clusters)


def _add_field_options(group: argparse._ArgumentGroup) -> None:
    for name, default in (("text", "articleBody"), ("title", "headline"), ("key", "url")):
        text = f"field of a line that holds its {name}; default: {default}"
        group.add_argument(f"--{name}", default=default, metavar="FIELD", help=text)


def _add_train_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--threshold", type=float, default=0.3, metavar="UM",
        help="smallest uncertainty measure of a term, 0 to 1; default: 0.3",
    )  # fmt: skip
    group.add_argument(
        "--max-terms", type=int, metavar="N",
        help="keep the N terms of the largest uncertainty measure; default: all",
    )  # fmt: skip
    tested = group.add_mutually_exclusive_group()
    tested.add_argument(
        "--folds", type=int, default=5, metavar="N",
        help="folds of the cross-validation; default: 5",
    )  # fmt: skip
    tested.add_argument(
        "--held-out", type=float, metavar="SHARE",
        help="test on this share of the pages in place of a cross-validation",
    )  # fmt: skip


def _module_of(subcommand: str) -> Any:
    """Return the module that has ``prepare`` and ``run`` of a subcommand."""
    return import_module(f"webclean_scrapy.commands.{subcommand}")
