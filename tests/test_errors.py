"""Errors that the package defines reach another process as they were raised."""

import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Iterator
from typing import Any

import webclean_scrapy
from webclean_scrapy.crawl.workers.process import DIED
from webclean_scrapy.dedup.fingerprint import DUPLICATE, Match

#: What constructors of errors are called with, by the type of a parameter.
VALUES: dict[str, Any] = {
    "str": DIED,
    "int": 7,
    "Match": Match(key="https://a.example/1", similarity=0.9, verdict=DUPLICATE),
}


def errors_of_the_package() -> Iterator[type[BaseException]]:
    """Yield each class of errors once, from the module that defines it."""
    for module in pkgutil.walk_packages(webclean_scrapy.__path__, "webclean_scrapy."):
        if not module.name.endswith("__main__"):
            for one in vars(importlib.import_module(module.name)).values():
                is_error = isinstance(one, type) and issubclass(one, BaseException)
                if is_error and one.__module__ == module.name:
                    yield one


def new_error(kind: type[BaseException]) -> BaseException:
    """Return an error of this class, with a message when its constructor asks for nothing else."""
    needed = inspect.signature(kind.__init__).parameters.values()
    types = [one.annotation for one in needed if one.default is one.empty]
    values = [VALUES[name] for name in types if name is not inspect.Parameter.empty]
    return kind(*values or ["the pier is closed"])


def described(error: BaseException) -> tuple[object, ...]:
    return type(error), str(error), error.args, vars(error)


def test_every_error_survives_pickle() -> None:
    errors = [new_error(kind) for kind in errors_of_the_package()]
    copies = [pickle.loads(pickle.dumps(one)) for one in errors]  # noqa: S301, our own
    assert [described(one) for one in copies] == [described(one) for one in errors]
    assert len(errors) > 20
