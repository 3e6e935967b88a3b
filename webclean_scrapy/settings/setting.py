"""Reads and checks the value of a setting, and puts it at its place in a configuration."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from webclean_scrapy.errors import ConfigError
from webclean_scrapy.options import Option
from webclean_scrapy.safe_text import hide_login, shown_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed import DataclassInstance
    from scrapy.settings import BaseSettings

PREFIX = "WEBCLEAN_"

#: No path, URI or name has them: a lone surrogate that no file system gives, what ends a line.
_CONTROL = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udc7f\\udd00-\\udfff]")

_R = TypeVar("_R", bound="DataclassInstance")
_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Option):
    """A setting, or a key of a dict setting; its value has the type of its default."""

    path: str  # of the value in a `WebcleanConfig`: "clean.papers.decay.max_decay"

    @property
    def name(self) -> str:
        """The full name, with the key: ``WEBCLEAN_PAPERS["decay_t"]``."""
        return f'{PREFIX}{self.of}["{self.key}"]' if self.of else PREFIX + self.key.upper()

    def value_in(self, config: DataclassInstance) -> Any:
        """Return the value that a `WebcleanConfig` has for it."""
        return attrgetter(self.path)(config)

    def read(self, settings: BaseSettings) -> Any:
        """Return the checked value in the type of *default*; *default* for an unset one or None.

        Raises: ConfigError for another type, out of range, or none of the choices.
        """
        raw = read_dict(settings, self.of).get(self.key) if self.of else settings.get(self.name)
        if raw is None:
            return self.default
        if self.is_dict:
            pairs = tuple(read_dict(settings, self.key.upper()).items())
            if not all(value is None or value in self.choices for _, value in pairs):
                raise ConfigError(f"{self.name} must be {self.expected}, got {shown_value(raw)}")
            return pairs
        value = self._parse(raw)
        if value is None or not self.allows(value):
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


def find_settings(
    config: DataclassInstance | type[DataclassInstance], start: str = ""
) -> Iterator[Setting]:
    """Yield the settings among the fields of *config* and of the configurations in it."""
    for one in fields(config):
        path, inner = start + one.name, cast("object", one.default_factory)
        if "meaning" in one.metadata:
            yield Setting(**{"key": one.name, **one.metadata, "path": path})
        elif is_dataclass(inner):
            yield from find_settings(inner, f"{path}.")


def with_values(record: _R, values: Mapping[str, Any]) -> _R:
    """Return *record* with *values*, each at its path, such as "papers.decay.max_decay"."""
    changes: dict[str, Any] = {}
    inner: dict[str, dict[str, Any]] = {}
    for path, value in values.items():
        name, _, rest = path.partition(".")
        if rest:
            inner.setdefault(name, {})[rest] = value
        else:
            changes[name] = value
    for name, of_name in inner.items():
        changes[name] = with_values(getattr(record, name), of_name)
    return replace(record, **changes)


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
