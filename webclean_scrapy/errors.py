"""Errors of the package, and text of others that is safe to print in messages.

Scrapy components catch exactly ``WebcleanError``.

Messages are what is printed for people and what is logged: terminal controls in them are escaped
and passwords hidden. Data (the result of a crawl or of a command in a file or a pipe) is not
touched.
"""

from __future__ import annotations

import math
import re
import shlex
import unicodedata

#: Categories of characters that a terminal obeys or that change how others look: controls (C0, DEL,
#: C1), formats (bidi marks, zero width), surrogates, line and paragraph separators.
_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
#: Formats that texts need and that neither move nor hide others: joiners, the soft hyphen, the
#: number signs of Arabic and Syriac.
_HARMLESS = frozenset("\xad\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u08e2")
_PLAIN = frozenset("\n\t")
_OPTION = re.compile(r"([?&;])")  # what begins an option of a URI
_SECRETS = ("pass", "user", "secret", "token", "key", "auth")  # in the names of options
_LOGINS = re.compile(r"(?<=://)[^\s/'\"<>]+@")
_LOCAL = frozenset({"sqlite", "file"})  # URIs that have no login
HIDDEN = "***"


class WebcleanError(Exception):
    """Base of every error this package raises on purpose."""


class ConfigError(WebcleanError, ValueError):
    """A setting or an argument is invalid. The message names it and says what is valid."""


def check_range(record: object, low: float, high: float, *names: str) -> None:
    """Raise ConfigError unless each of the fields *names* of *record* is from *low* to *high*."""
    for name in names:
        value = getattr(record, name)
        if not low <= value <= high:
            most = "" if high == math.inf else f" and at most {high:,}"
            raise ConfigError(f"{name} must be at least {low:,}{most}, got {value!r}")


def missing_library(user: str, library: str) -> ConfigError:
    """Return the error that *user* needs a *library* which is not installed, and how to install it.

    Every such hint of the package is made here. It names the library, not the extra that brings it:
    who installed the package from a clone or a wheel has no index that knows the package's name.

    >>> str(missing_library("a Redis store", "redis"))
    'a Redis store needs redis; install it: pip install redis'
    """
    return ConfigError(f"{user} needs {library}; install it: {install_hint(library)}")


def install_hint(library: str) -> str:
    """Return the command that installs *library*, with its extras if it is to have any.

    >>> install_hint("smart_open[s3]")
    "pip install 'smart_open[s3]'"
    """
    return f"pip install {shlex.quote(library)}"


class PageError(WebcleanError):
    """A page cannot be cleaned. It is passed through unchanged, and *reason* is counted."""

    reason = "page"


class PageTooLargeError(PageError):
    """A page is not parsed: it has *found* bytes, tags, ... (*what*); the limit is *allowed*."""

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
    """A file of learned templates cannot be read or has another version."""


class ModelFileError(WebcleanError):
    """A file of a trained model cannot be read, is damaged, or has another format or version."""


class TrainingError(WebcleanError):
    """The labelled pages do not suffice to train a model."""


class ProfileFileError(WebcleanError):
    """A file of an interest profile cannot be read, is damaged or holds something else."""


class ReportFileError(WebcleanError):
    """A file is not the data of a crawl report, or has another version."""


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


def visible(text: str, *, keep: frozenset[str] = _PLAIN) -> str:
    r"""Return *text* with every invisible character written as an escape of Python.

    Those in *keep* stay: line breaks and tabs.

    >>> visible("a\x1b]0;title\x07b\u202ec\n")
    'a\\x1b]0;title\\x07b\\u202ec\n'
    """
    if text.isprintable():
        return text
    return "".join(one if one in keep or one in _HARMLESS else _shown(one) for one in text)


def visible_line(text: object) -> str:
    r"""Return *text* on one line: line breaks and tabs are escaped as well.

    >>> visible_line("a title\nERROR: forged")
    'a title\\nERROR: forged'
    """
    return visible(str(text), keep=frozenset())


def _shown(character: str) -> str:
    if unicodedata.category(character) not in _OBEYED:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says; its type when it says nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def hide_login(uri: str) -> str:
    """Return *uri* without user, password and secret options.

    All up to the last "@" is taken for the login: a password may hold "/", "?" and "#" though it
    must not. What has no ":" is a path and stays.

    >>> hide_login("redis://me:se/cr?t@host:6379/0?prefix=news&password=x")
    'redis://***@host:6379/0?prefix=news&password=***'
    """
    scheme, slashes, rest = uri.partition("://" if "://" in uri else ":")
    if not slashes or scheme in _LOCAL:
        return uri
    if "@" in rest:
        rest = f"{HIDDEN}@{rest.rpartition('@')[2]}"
    return scheme + slashes + "".join(map(_without_secret, _OPTION.split(rest)))


def has_login(url: str) -> bool:
    """True if a web address has a user before its host.

    >>> has_login("http://me:secret@host/"), has_login("http://host/@me?to=a@b")
    (True, False)
    """
    return "@" in re.split(r"[/?#\\]", url.partition("://")[2], maxsplit=1)[0]


def _without_secret(option: str) -> str:
    name, sign, _ = option.partition("=")
    is_secret = sign and any(word in name.lower() for word in _SECRETS)
    return f"{name}={HIDDEN}" if is_secret else option


def hide_logins(text: str) -> str:
    """Return *text* without the logins of the URIs in it.

    >>> hide_logins("cannot read ftp://me:secret@host/feed.jsonl")
    'cannot read ftp://***@host/feed.jsonl'
    """
    return _LOGINS.sub(f"{HIDDEN}@", text) if "://" in text else text


def hide_words(text: str, words: tuple[str | None, ...]) -> str:
    """Return *text* with each of *words*, such as a password, hidden; empty ones are skipped.

    >>> hide_words("unknown command 'AUTH', with args 'me' 'me-secret'", ("me", "me-secret", None))
    "unknown command 'AUTH', with args '***' '***'"
    """
    for word in sorted(filter(None, words), key=len, reverse=True):  # one may begin another
        text = text.replace(word, HIDDEN)
    return text
