"""Options of configurations: fields of dataclasses that know which values are allowed.

An option that says what it means is a ``WEBCLEAN_`` setting too; `webclean_scrapy.settings` finds
it in its configuration, so that name, default and bounds stand there alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T", bool, int, float, str, tuple[Any, ...])
_TYPES = {
    bool: "True or False", int: "a whole number", float: "a number", str: "a string",
    tuple: "a list of classes or of their import paths",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """The default of an option, the values that it allows, and what it means as a setting."""

    default: bool | int | float | str | tuple[Any, ...]  # a value has its type
    low: float = float("-inf")  # smallest number allowed
    high: float = float("inf")  # largest number allowed
    choices: tuple[str, ...] = ()  # all strings allowed, in a list too; () allows any
    is_dict: bool = False  # of names and choices, read as a tuple of pairs
    # Of a setting.
    unit: str = ""
    meaning: str = ""
    key: str = ""  # its name in lower case, without prefix; by default that of the field
    of: str = ""  # PAPERS: it is a key of WEBCLEAN_PAPERS; "" for a plain setting
    printed: str = ""  # the value that the paper prints

    @property
    def expected(self) -> str:
        """Describe an allowed value, for messages and documentation."""
        if self.is_dict:
            return "a dict of names, each with None or one of " + ", ".join(self.choices)
        if self.choices:
            form = "a list of" if isinstance(self.default, tuple) else "one of"
            return f"{form} " + ", ".join(map(repr, self.choices))
        text = _TYPES[type(self.default)]
        if self.high < float("inf"):
            return f"{text} from {self.low:,.9g} to {self.high:,.9g}"
        return text if self.low == float("-inf") else f"{text}, at least {self.low:,.9g}"

    def allows(self, value: bool | float | str | tuple[Any, ...]) -> bool:
        """True if *value*, which has the type of the default, is allowed."""
        if isinstance(value, tuple):
            return not self.choices or set(value).issubset(self.choices)
        if isinstance(value, str):
            return not self.choices or value in self.choices
        return self.low <= value <= self.high


def option(default: _T, **allowed: Any) -> _T:
    """Return a dataclass field for an option; *allowed*: further fields of `Option`.

    With ``shown=False``, for what may hold a password, the value is not part of any ``repr``.
    """
    shown = bool(allowed.pop("shown", True))
    made: _T = field(default=default, metadata={"default": default, **allowed}, repr=shown)
    return made


def setting(default: _T, unit: str, meaning: str, **allowed: Any) -> _T:
    """Return a dataclass field for an option that is a setting too."""
    return option(default, unit=unit, meaning=meaning, **allowed)


constant = partial(setting, of="PAPERS", low=0, high=1)  # of a paper; most are shares
limit = partial(setting, of="LIMITS")


def check_options(record: DataclassInstance) -> None:
    """Check the values of all options of *record*. Raises: ConfigError that names the first."""
    for one in fields(record):
        if one.metadata:
            made, value = Option(**one.metadata), getattr(record, one.name)
            if not made.allows(value):
                raise ConfigError(f"{one.name} must be {made.expected}, got {value!r}")


class CheckedOptions:
    """Base of configurations whose options are checked when one is made."""

    __slots__ = ()

    def __post_init__(self: DataclassInstance) -> None:
        check_options(self)
