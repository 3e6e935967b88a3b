"""Where a crawl writes: beside the last result, which it replaces only when it has something."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError
from scrapy.utils.conf import feed_process_params_from_cli

from webclean_scrapy.file_modes import make_draft
from webclean_scrapy.messages import hide_login

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

PART = ".part"
_LINES = frozenset({"csv", "jsonl", "jsonlines", "jl"})  # what can be appended to


class CrawlOutput:
    """The result of one crawl: a file that is moved into place, or a feed written directly.

    Standard output, a feed on a network and a name with ``%(time)s`` are written directly; an
    empty one is not stored.
    """

    def __init__(self, name: str | None, settings: BaseSettings) -> None:
        """Read *name* as Scrapy's ``-o`` does.

        Raises:
            UsageError: the format is unknown, or cannot be continued by the next run of a job.
        """
        feeds = feed_process_params_from_cli(settings, [name or "-:jsonlines"])
        ((self.name, options),) = feeds.items()
        is_file = name not in {None, "-"} and "://" not in self.name and "%" not in self.name
        self.path = Path(self.name) if is_file and self.name != "stdout:" else None
        self.part = Path(f"{self.name}{PART}") if self.path else None
        self.is_job = bool(settings.get("JOBDIR"))
        options = {**options, "store_empty": False}
        if self.part is not None:
            if self.is_job and options["format"] not in _LINES:
                raise UsageError(f"a job (JOBDIR) needs -o FILE.jsonl or FILE.csv, not {name}")
            options["overwrite"] = not self.is_job
        self.feeds: dict[str, dict[str, Any]] = {str(self.part or self.name): options}

    @property
    def shown(self) -> str:
        """Where the result is, for people."""
        return "standard output" if self.name == "stdout:" else hide_login(self.name)

    def prepare(self) -> None:
        """Make the folder, and see whether the file can be written. Raises OSError."""
        if self.part is not None:
            self.part.parent.mkdir(parents=True, exist_ok=True)
            make_draft(self.part, self.path or self.part)
            self.part.open("ab").close()

    def settle(self, *, has_articles: bool, is_whole: bool) -> str:
        """Move what the crawl wrote into place, or leave all as it was; return where it is.

        A stopped crawl does not replace an earlier result; with JOBDIR the next run appends to its
        part. Empty when there is nothing. Raises OSError.
        """
        if self.part is None or self.path is None:
            return self.shown if has_articles else ""
        if not has_articles:
            if self.part.exists() and not self.part.stat().st_size:
                self.part.unlink()
            return ""
        if not is_whole and (self.is_job or self.path.exists()):
            return str(self.part)
        self.part.replace(self.path)
        return str(self.path)
