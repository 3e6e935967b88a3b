"""The regular expressions of the package, and what they cost on texts of their own tokens.

A text that costs a backtracking engine much repeats what a part of the pattern matches, between
what stands before this part and what cannot follow it.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import webclean_scrapy

_IS_PUBLIC = sys.version_info < (3, 11)
PARSER = importlib.import_module("sre_parse" if _IS_PUBLIC else "re._parser")
COMPILER = importlib.import_module("sre_compile" if _IS_PUBLIC else "re._compiler")
METHODS = {"search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
EXPONENTIAL = 100  # times the cost for twice the text; 16 of a polynomial of the fourth degree

_PROBES = "a1 \n-.,<A_é中!\"'(/:;=\t#\x80"  # beside the characters that stand in a pattern
_ENDS = "", "!", "\x00", "\n", " a!", " \x00"
_MANY = 8  # times; what is repeated less often makes no run
_PUMPS, _LETTERS = 400, 3  # of a repeated part, and of a set of characters in it, that are tried
_TIMES, _LIMIT_S, _NOTHING_S, _TRIES = 12, 0.1, 0.0005, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A pattern of the package, where it stands, and the methods that the code uses of it."""

    place: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


@dataclass(frozen=True, slots=True)
class Attack:
    """A text of any length: what is repeated, and what stands before and behind."""

    before: str
    pump: str
    end: str

    def text(self, times: int) -> str:
        return self.before + self.pump * times + self.end


# ---- The patterns.


def package_patterns() -> tuple[list[Found], list[str]]:
    """Return the patterns of the package, and the places of those that are made while it runs."""
    modules = [(module, ast.parse(Path(module.__file__ or "").read_text("utf-8")))
               for module in _modules()]  # fmt: skip
    uses = defaultdict[str, set[str]](set)
    for module, tree in modules:
        for name, method in _uses(tree):
            uses[_key(module, name)].add(method)
    patterns: dict[int, re.Pattern[Any]] = {}
    places: dict[int, str] = {}  # where it was defined first
    methods = defaultdict[int, set[str]](set)
    unknown = []
    for module, tree in modules:
        short = module.__name__.partition(".")[2]
        used = [(f"{short}.{name}", pattern, {method} if method else uses[_key(module, name)])
                for name in _names(tree)
                for pattern, method in _inside(getattr(module, name, None))]  # fmt: skip
        for function, call, method in _calls_in_functions(tree):
            if (called := _read_pattern(call, module)) is None:
                unknown.append(f"{short}.{function}")
            else:
                used.append((f"{short}.{function}", called, {method} & METHODS))
        for place, pattern, own in used:
            patterns[id(pattern)] = pattern
            places.setdefault(id(pattern), place)
            methods[id(pattern)] |= own
    found = [
        Found(place=places[key], pattern=pattern, methods=frozenset(methods[key] or {"search"}))
        for key, pattern in patterns.items()
    ]
    return found, unknown


def _modules() -> Iterator[ModuleType]:
    for info in pkgutil.walk_packages(webclean_scrapy.__path__, "webclean_scrapy."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def _key(module: ModuleType, name: str) -> str:
    """Return the name, of a private one with its module."""
    return f"{module.__name__}.{name}" if name.startswith("_") else name


def _names(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module defines."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from chain.from_iterable(map(_names_in, targets))


def _names_in(node: ast.AST) -> set[str]:
    """Return the names in an expression, and those of attributes."""
    return {one.id if isinstance(one, ast.Name) else one.attr
            for one in ast.walk(node) if isinstance(one, ast.Name | ast.Attribute)}  # fmt: skip


def _inside(value: Any) -> Iterator[tuple[re.Pattern[Any], str]]:
    """Yield the patterns in a value, each with the name of its method if that is in it."""
    waiting, seen = [value], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        owner = getattr(one, "__self__", None)
        if isinstance(one, re.Pattern):
            yield one, ""
        elif isinstance(owner, re.Pattern):
            yield owner, one.__name__
        elif isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, tuple | list | set | frozenset):
            waiting += one
        elif isinstance(one, FunctionType):
            waiting += [cell.cell_contents for cell in one.__closure__ or ()]
        elif isinstance(one, type):
            waiting += vars(one).values()


def _uses(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield names and the methods of patterns that are used of them, in loops also of several."""
    loops = defaultdict[str, set[str]](set)
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension):
            for name in _names_in(node.target):
                loops[name] |= _names_in(node.iter)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            for name in _names_in(node.value):
                yield from ((one, node.attr) for one in {name} | loops[name])


def _calls_in_functions(tree: ast.Module) -> Iterator[tuple[str, ast.Call, str]]:
    """Yield the name of a function, a call of ``re`` in it, and the method of ``re``."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for call in ast.walk(function):
            match call:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method)):
                    if method in METHODS or method == "compile":
                        yield function.name, call, method


def _read_pattern(call: ast.Call, module: ModuleType) -> re.Pattern[Any] | None:
    """Return the pattern of a call in a function; None if it goes by values of the function."""
    try:
        return re.compile(eval(ast.unparse(call.args[0]), vars(module)))  # noqa: S307
    except NameError:
        return None


# ---- Texts of their own tokens.


def attacks(pattern: re.Pattern[Any]) -> Iterator[Attack]:
    """Yield texts of runs of all that a pattern is made of."""
    parts = _Parts(pattern)
    runs = list(parts.runs(parts.items, ""))
    pumps = chain(
        (("", letter) for letter in parts.letters),
        runs,
        (("", before + pump) for before, pump in runs),
        (("", pump) for _, pump in runs),
        (("", first + second) for first, second in pairwise(map(parts.example, parts.items))),
        (("", "".join(map(parts.example, parts.items))),),
    )
    return (Attack(*one, end) for one in dict.fromkeys(pumps) if one[1] for end in _ENDS)


def exponential_attack(found: Found) -> tuple[str, Attack] | None:
    """Return a method and a text whose cost grows so much that no polynomial does; or None.

    What is no repetition of a choice or of another repetition has no such cost.
    """
    parts = _Parts(found.pattern)
    runs = dict.fromkeys(parts.runs(parts.items, "", is_nested=True))
    for method in sorted(found.methods):
        for attack in (Attack(*run, end) for run in runs if run[1] for end in _ENDS):
            if _grows_exponentially(found, method, attack):
                return method, attack
    return None


def _grows_exponentially(found: Found, method: str, attack: Attack) -> bool:
    for _ in range(_TRIES):  # what else the machine does costs a try, not the test
        large = seconds(found, method, attack.text(2 * _TIMES), _LIMIT_S)
        if large < _NOTHING_S:
            return False
        small = seconds(found, method, attack.text(_TIMES), _LIMIT_S)
        if not _NOTHING_S < EXPONENTIAL * small < large:
            return False
        if large == float("inf"):
            break
    return True


class _Parts:
    """Examples of what the parts of a pattern match."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        source, self._flags = pattern.pattern, pattern.flags
        if isinstance(source, bytes):
            source = source.decode("latin-1")
        tree = PARSER.parse(source, self._flags & ~re.LOCALE)
        self._state, self.items = tree.state, list(tree.data)
        self.letters = dict.fromkeys(chain(_literals(self.items), _PROBES))
        self._members: dict[str, list[str]] = {}

    def example(self, item: Any) -> str:
        """Return a text that a part matches."""
        return next(self._choices(*item), "")

    def runs(
        self, items: Iterable[Any], before: str, *, is_nested: bool = False
    ) -> Iterator[tuple[str, str]]:
        """Yield what a repeated part matches, with an example of what stands before it."""
        for op, value in items:
            for inner in _inner(op, value):
                is_run = str(op).endswith("_REPEAT") and value[1] >= _MANY
                if is_run and not (is_nested and _is_plain(inner)):
                    yield from ((before, one) for one in islice(self._variants(inner), _PUMPS))
                    yield from self.runs(inner, before)
                else:
                    yield from self.runs(inner, before, is_nested=is_nested)
            before += self.example((op, value))

    def _variants(self, items: Iterable[Any]) -> Iterator[str]:
        """Yield texts that a sequence matches: each choice of each part once."""
        parts = [list(islice(self._choices(*item), _PUMPS)) or [""] for item in items]
        first = [part[0] for part in parts]
        yield "".join(first)
        for at, part in enumerate(parts):
            for other in part[1:]:
                yield "".join((*first[:at], other, *first[at + 1 :]))

    def _choices(self, op: Any, value: Any) -> Iterator[str]:
        match str(op):
            case "LITERAL" | "NOT_LITERAL" | "IN" | "ANY":
                yield from self._matched((op, value))[:_LETTERS]
            case "BRANCH":
                for one in value[1]:
                    yield from self._variants(one)
            case "SUBPATTERN" | "ATOMIC_GROUP":
                yield from self._variants(_inner(op, value)[0])
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                for one in self._variants(value[2]):
                    yield one * min(value[0], 50)
                    if not value[0]:
                        yield one
            case "ASSERT" if value[0] < 0:
                yield from self._variants(value[1])

    def _matched(self, item: Any) -> list[str]:
        """Return the letters that match a part of one character."""
        if (key := repr(item)) not in self._members:
            one = COMPILER.compile(PARSER.SubPattern(self._state, [item]), self._flags)
            self._members[key] = [letter for letter in self.letters if one.fullmatch(letter)]
        return self._members[key]


def _is_plain(items: Iterable[Any]) -> bool:
    """True if a sequence matches texts of one length, each in one way."""
    return all(str(op) in {"LITERAL", "NOT_LITERAL", "IN", "ANY", "AT"} for op, _ in items)


def _inner(op: Any, value: Any) -> list[Any]:
    """Return the sequences inside a part of a parsed pattern."""
    name = str(op)
    if name == "BRANCH":
        return list(value[1])
    if name == "ATOMIC_GROUP":
        return [value]
    is_group = name in {"SUBPATTERN", "ASSERT", "ASSERT_NOT"} or name.endswith("_REPEAT")
    return [value[-1]] if is_group else []


def _literals(items: Iterable[Any]) -> Iterator[str]:
    """Yield the characters that stand in a parsed pattern."""
    for op, value in items:
        match str(op):
            case "LITERAL" | "NOT_LITERAL":
                yield chr(value)
            case "RANGE":
                yield chr(value[0])
            case "IN":
                yield from _literals(value)
        for inner in _inner(op, value):
            yield from _literals(inner)


# ---- Their cost.


class _TooSlowError(Exception):
    pass


def _stop(*_: object) -> None:
    raise _TooSlowError


def seconds(found: Found, method: str, text: str, limit: float) -> float:
    """Return the CPU time of a method on a text; infinite beyond *limit*."""
    given: Any = text
    if isinstance(found.pattern.pattern, bytes):
        given = text.encode("latin-1", "replace")
    work: Callable[..., Any] = getattr(found.pattern, method)
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    start = time.thread_time()  # that of the process goes by ticks while a timer runs
    try:
        found_of = work(given[:0], given) if method in {"sub", "subn"} else work(given)
        if method == "finditer":
            list(found_of)
        return time.thread_time() - start
    except _TooSlowError:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
