"""Makes texts of others safe to print and to log, and short enough for a message.

Messages are what is printed for people and what is logged: terminal controls in them are escaped
and passwords hidden. Data (the result of a crawl or of a command in a file or a pipe) is not
touched.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

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
_LOGIN_OF_URL = re.compile(r"(?<=://)[^/?#\s]*@")
HIDDEN = "***"
CUT = "…"  # ends a text that was shortened
MAX_URL, MAX_VALUE = 1_000, 300  # characters of an address and of a value in a message

MOST_SAID = 500  # characters of an error, which may quote a file


def visible(text: str, *, keep: frozenset[str] = _PLAIN) -> str:
    r"""Return *text* with invisible characters as Python escapes.

    Those in *keep* stay: line breaks and tabs.

    >>> visible("a\x1b]0;title\x07b\u202ec\n")
    'a\\x1b]0;title\\x07b\\u202ec\n'
    """
    if text.isprintable():
        return text
    return "".join(one if one in keep or one in _HARMLESS else _shown(one) for one in text)


def visible_line(text: object) -> str:
    r"""Return *text* on one line, with line breaks and tabs escaped as well.

    >>> visible_line("a title\nERROR: forged")
    'a title\\nERROR: forged'
    """
    return visible(str(text), keep=frozenset())


def _shown(character: str) -> str:
    if unicodedata.category(character) not in _OBEYED:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message, at most `MOST_SAID` of it, or its type."""
    return (str(error)[: 10 * MOST_SAID].strip().splitlines() or [type(error).__name__])[0][
        :MOST_SAID
    ]


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


def truncate(text: str, limit: int) -> str:
    """Return *text* in at most *limit* characters.

    >>> truncate("a long line", 6)
    'a lon…'
    """
    return text if len(text) <= limit else text[: limit - 1] + CUT


def columns_of(text: str) -> int:
    """Return the width of a text in terminal columns; Chinese characters take two.

    >>> columns_of("ab"), columns_of("中文")
    (2, 4)
    """
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def truncate_to_columns(text: str, width: int) -> str:
    """Cut *text* to *width* columns, on one line without trailing blanks.

    >>> [truncate_to_columns(text, 6) for text in ("a long line", "中文的文")]
    ['a lon…', '中文…']
    """
    text = "".join(c if c.isprintable() else " " for c in text).rstrip()
    if columns_of(text) <= width:
        return text
    kept = sum(end < width for end in accumulate(map(_columns, text)))
    return text[:kept] + CUT


def shown_value(raw: object, show: Callable[[object], str] = repr) -> str:
    """Return a value for a one-line message, shortened."""
    try:
        text = visible(" ".join(show(raw).split()))
    except ValueError:  # Python refuses to write whole numbers of thousands of digits
        text = f"a long {type(raw).__name__}"
    return truncate(text, MAX_VALUE)


def shown_url(url: str) -> str:
    """Return *url* for display: on one line, without login, shortened.

    >>> shown_url("http://me:secret@a.example/b@c")
    'http://a.example/b@c'
    """
    return truncate(_LOGIN_OF_URL.sub("", visible_line(url[: 2 * MAX_URL])), MAX_URL)


def shown_text(text: object, limit: int) -> str:
    """Return *text* on one line of at most *limit* characters, without logins; "" for None."""
    if text is None:
        return ""
    return truncate(hide_logins(visible_line(" ".join(str(text)[: 4 * limit].split()))), limit)
