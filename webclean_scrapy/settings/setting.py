"""A setting: name, default, unit and meaning, and how its value is read and checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.safe_text import hide_login, shown_value

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

PREFIX = "WEBCLEAN_"
NOT_PRINTED = "not printed"  # of a constant that its paper leaves open

#: No path, URI or name has them: a lone surrogate that no file system gives, what ends a line.
_CONTROL = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udc7f\\udd00-\\udfff]")

_T = TypeVar("_T", bool, int, float, str, tuple[Any, ...])
_R = TypeVar("_R")
_TYPES = {
    bool: "True or False", int: "a whole number", float: "a number", str: "a string",
    tuple: "a list of classes or of their import paths",
}  # fmt: skip
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A setting, or a key of a dict setting; its value has the type of its default."""

    field: str  # of `WebcleanConfig`, which holds the value
    of: str = ""  # PAPERS: the value is that of a key of WEBCLEAN_PAPERS; "" for a plain setting
    default: bool | int | float | str | tuple[Any, ...]
    unit: str
    meaning: str
    low: float = float("-inf")  # smallest number allowed
    high: float = float("inf")  # largest number allowed
    choices: tuple[str, ...] = ()  # all strings allowed, in a list too; () allows any
    is_dict: bool = False  # of names and choices, read as a tuple of pairs
    #: For a constant of a paper: its short name in docs/method/papers.md, and the value in print.
    paper: tuple[str, str] | None = None
    option: str = ""  # path of a field of a configuration, "clean.papers.decay.max_decay"

    @property
    def name(self) -> str:
        """The full name, with the key: ``WEBCLEAN_PAPERS["decay_t"]``."""
        return f'{PREFIX}{self.of}["{self.field}"]' if self.of else PREFIX + self.field.upper()

    @property
    def expected(self) -> str:
        """Describe a valid value, for messages and documentation."""
        if self.is_dict:
            return "a dict of names, each with None or one of " + ", ".join(self.choices)
        if self.choices:
            form = "a list of" if isinstance(self.default, tuple) else "one of"
            return f"{form} " + ", ".join(map(repr, self.choices))
        text = _TYPES[type(self.default)]
        if self.low == float("-inf"):
            return text
        return f"{text} from {self.low:,.9g} to {self.high:,.9g}"

    def read(self, settings: BaseSettings) -> Any:
        """Return the checked value in the type of *default*; *default* for an unset one or None.

        Raises: ConfigError for another type, out of range, or none of the choices.
        """
        raw = read_dict(settings, self.of).get(self.field) if self.of else settings.get(self.name)
        if raw is None:
            return self.default
        if self.is_dict:
            pairs = tuple(read_dict(settings, self.field.upper()).items())
            if not all(value is None or value in self.choices for _, value in pairs):
                raise ConfigError(f"{self.name} must be {self.expected}, got {shown_value(raw)}")
            return pairs
        value = self._parse(raw)
        if value is None or not self._allows(value):
            raise ConfigError(
                f"{self.name} must be {self.expected}, got {hide_login(shown_value(raw))}"
            )
        if isinstance(value, str) and _CONTROL.search(value):  # not shown: it may hold a password
            raise ConfigError(f"{self.name} must be a string without control characters")
        return value

    def _parse(self, raw: object) -> bool | int | float | str | tuple[Any, ...] | None:
        """Convert *raw* to the type of *default*, or None; command lines give strings."""
        kind = type(self.default)
        if kind is tuple:
            return as_classes(raw)
        if kind is str:
            return raw if isinstance(raw, str) else None
        if kind is bool:
            word = shown_value(raw, str).strip().lower()
            return word in _TRUE if word in _TRUE | _FALSE else None
        if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
            return None
        try:
            number = float(raw)
        except (ValueError, OverflowError):  # OverflowError: a whole number of 400 digits
            return None
        if kind is int:
            return int(number) if number.is_integer() else None
        return number

    def _allows(self, value: bool | float | str | tuple[Any, ...]) -> bool:
        if isinstance(value, tuple):
            return not self.choices or set(value).issubset(self.choices)
        if isinstance(value, str):
            return not self.choices or value in self.choices
        return self.low <= value <= self.high


def as_classes(raw: object) -> tuple[type | str, ...] | None:
    """Return classes or import paths of a list or a comma-separated string; None for others.

    >>> as_classes("dict, project.items.Story")
    ('dict', 'project.items.Story')
    """
    if isinstance(raw, str):
        raw = [part.strip() for part in raw.split(",") if part.strip()]
    if not isinstance(raw, list | tuple | set | frozenset):
        return None
    return tuple(raw) if all(isinstance(one, type | str) for one in raw) else None


def read_dict(settings: BaseSettings, name: str) -> dict[str, Any]:
    """Read ``WEBCLEAN_<name>``, a dict or JSON; keys in lower case. Raises: ConfigError."""
    given = raw = settings.get(PREFIX + name) or {}
    if isinstance(raw, str):
        try:
            raw = json.loads(raw)
        except ValueError:
            raw = None
    if not isinstance(raw, Mapping) or not all(isinstance(key, str) for key in raw):
        raise ConfigError(f"{PREFIX}{name} must be a dict, got {shown_value(given)}")
    return {key.lower(): value for key, value in raw.items()}


def setting(default: _T, unit: str, meaning: str, **allowed: Any) -> _T:
    """Return a dataclass field for a setting; *allowed*: further fields of `Setting`.

    With ``shown=False``, for what may hold a password, the value is not part of any ``repr``.
    """
    shown = bool(allowed.pop("shown", True))
    metadata = {"default": default, "unit": unit, "meaning": meaning, **allowed}
    made: _T = field(default=default, metadata=metadata, repr=shown)
    return made


def with_value(record: _R, path: str, value: object) -> _R:
    """Return *record*, a dataclass, with *value* at *path*, such as "papers.decay.max_decay"."""
    name, _, rest = path.partition(".")
    inner = with_value(getattr(record, name), rest, value) if rest else value
    return replace(record, **{name: inner})  # type: ignore[type-var]
