"""Values that a page computes on first use, kept in slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - it is used like functools.cached_property
    """A property that is computed once; its class has the slot ``_NAME`` for it.

    In place of `functools.cached_property`, which needs an instance with a ``__dict__``: then every
    look at a column of the page costs more, a twentieth of the whole method.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._slot = f"_{compute.__name__}"
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> Self | T:
        if instance is None:
            return self
        try:
            value: T = getattr(instance, self._slot)
        except AttributeError:
            value = self._compute(instance)
            setattr(instance, self._slot, value)
        return value
