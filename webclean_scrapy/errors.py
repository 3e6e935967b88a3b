"""Errors of the package. Scrapy components catch exactly ``WebcleanError``."""

from __future__ import annotations

import copyreg
import shlex
from typing import Any


class WebcleanError(Exception):
    """Base of every error this package raises on purpose."""

    def __reduce__(self: BaseException) -> tuple[Any, ...]:
        """Pickle what the error holds, not a call of its constructor.

        That call would get the message as its only argument. Exceptions of the package that are no
        WebcleanError, and whose constructor takes other arguments, use this function too.
        """
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class ConfigError(WebcleanError, ValueError):
    """A setting or an argument is invalid. The message names it and a valid value."""


def missing_library(user: str, library: str) -> ConfigError:
    """Return an error that *user* needs *library*, with the command to install it.

    Every such hint of the package is made here. It names the library, not the extra that brings it:
    who installed the package from a clone or a wheel has no index that knows the package's name.

    >>> str(missing_library("a Redis store", "redis"))
    'a Redis store needs redis; install it: pip install redis'
    """
    return ConfigError(f"{user} needs {library}; install it: {install_hint(library)}")


def install_hint(library: str) -> str:
    """Return the pip command that installs *library* with the needed extras.

    >>> install_hint("smart_open[s3]")
    "pip install 'smart_open[s3]'"
    """
    return f"pip install {shlex.quote(library)}"


class PageError(WebcleanError):
    """A page cannot be cleaned. It is passed through unchanged, and *reason* is counted."""

    reason = "page"


class PageTooLargeError(PageError):
    """A page beyond a limit: *found* and *allowed* are numbers of bytes, tags, ... (*what*)."""

    reason = "too_large"

    def __init__(self, what: str, found: int, allowed: int) -> None:
        super().__init__(f"page too large: {found:,} {what}, limit {allowed:,}")
        self.what = what
        self.found = found
        self.allowed = allowed

    @property
    def limit(self) -> str:
        """The limit in one word: "bytes", "tags", "attributes", "levels", "alignment"."""
        return self.what.partition(" ")[0]


class NotHtmlError(PageError):
    """The bytes are not an HTML document (*detected*: the type they look like)."""

    reason = "not_html"

    def __init__(self, detected: str) -> None:
        super().__init__(f"not an HTML page: the content looks like {detected}")
        self.detected = detected


class TemplateFileError(WebcleanError):
    """A file of learned templates is unreadable or has another version."""


class ModelFileError(WebcleanError):
    """A file of a trained model is unreadable, damaged, or of another format or version."""


class TrainingError(WebcleanError):
    """There are too few labelled pages to train a model."""


class ProfileFileError(WebcleanError):
    """A file of an interest profile is unreadable, damaged or of another type."""


class ReportFileError(WebcleanError):
    """A file is no data of a crawl report, or of another version."""


class FeedError(WebcleanError):
    """A feed cannot be read or written, or its run cannot be resumed."""


class StoreError(WebcleanError):
    """A store of fingerprints or of articles cannot be used."""


class StoreSchemeError(StoreError):
    """A store was written with another scheme, version or other parameters."""


class StoreUnavailableError(StoreError):
    """A store cannot be opened or does not answer."""


class StoreBusyError(StoreUnavailableError):
    """Another process has locked a fingerprint store for longer than a call may wait."""
