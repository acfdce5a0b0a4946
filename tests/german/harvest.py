"""Every sentence that the code has for a reader, with its places, found by reading the code and not by running it.

A sentence is an expression made of literals: an f-string, two strings put together, a choice between two. Names that
hold such an expression are followed, and so are the functions that return one, so that a sentence is found as a reader
gets it, once for each of its forms: ``f"{n} games{more}"`` with `more` either nothing or ``", one of them yours"``
is found as ``"{} games"`` and as ``"{} games, one of them yours"``. Whatever else stands in it is a place.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PLACE: Final = "\x00"
"""Stands in a sentence where something is put in."""
MOST_FORMS = 64
"""Forms of one sentence that are looked at in all combinations; of more, each choice is looked at once."""
DEEPEST = 6
"""Calls and names that are followed from one sentence."""

SILENT_CALLS = frozenset({
    "compile", "sub", "search", "match", "fullmatch", "split", "finditer", "logger", "startswith", "endswith",
    "removeprefix", "removesuffix", "partition", "rpartition", "replace", "get", "key", "setdefault",
})  # fmt: skip
"""Calls whose strings nobody reads: patterns, what a text is compared with, names of logs and keys."""
SILENT_NAMES = frozenset({"record", "note", "Outcome", "key", "Event"})
"""Functions that are handed words for the record, the log or a key, not for a reader."""
DATE: Final = "Friday 4 December 2026, 20:00 (UTC)"
OPAQUE: Final[Mapping[str, str]] = {
    "in_zone": DATE,
    "for_reader": DATE,
    "span_text": f"{DATE} to {DATE}",
    "masked": PLACE,
    "power_name": PLACE,
    "scrub": PLACE,
}
"""Functions that return a date, which every language writes in its own way, or somebody's own words."""
UNSAID = re.compile(r"\s[.,;](?!\.)|\S  |,$|[:(] ?[.)]|\b(?:to|after|but) ?$")
"""A form in which nothing stands where something must: a choice of code that never comes about."""
LOG_CALLS = frozenset({"debug", "info", "warning", "error", "exception"})
PASSED_ON = frozenset({"strip", "rstrip", "lstrip", "removesuffix", "removeprefix"})
"""Methods that leave the words of a text as they are."""

_BRACED = re.compile(r"\{\w+\}")
Node = ast.expr
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Sentence:
    """One form of one sentence."""

    text: str
    """With `PLACE` at its places."""
    where: str
    """``"gm/desk/handlers/asking.py:31"``."""

    def filled(self) -> str:
        """With numbers at its places, which every place of a catalogue takes."""
        numbers = iter(range(70001, 80000))
        return "".join(str(next(numbers)) if c == PLACE else c for c in self.text)

    def shown(self) -> str:
        """For people: ``"{} of {} players"``."""
        return self.text.replace(PLACE, "{}")


@dataclass
class Module:
    """One file of the code."""

    path: str
    tree: ast.Module
    functions: dict[str, Function] = field(default_factory=dict)
    constants: dict[str, list[Node]] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)
    """Name here to the last part of what it is: ``due_text`` to ``due_text``."""


@cache
def _module(path: str) -> Module:
    module = Module(path, ast.parse((ROOT / path).read_text(encoding="utf-8")))
    for node in module.tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    module.constants.setdefault(target.id, []).append(node.value)
    for node in ast.walk(module.tree):
        if isinstance(node, Function):
            module.functions.setdefault(node.name, node)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return module


def _elsewhere(module: Module, name: str) -> tuple[Module, str] | None:
    """The module of ours, and the name in it, that an imported name stands for."""
    dotted = module.imported.get(name, "")
    home, _, last = dotted.rpartition(".")
    file = home.replace(".", "/") + ".py"
    return (_module(file), last) if home.startswith("gm.") and (ROOT / file).is_file() else None


@dataclass
class _Scope:
    """What names stand for where a sentence is read."""

    module: Module
    function: Function | None = None
    given: Mapping[str, list[str]] = field(default_factory=dict)
    """Parameters to the forms of what was passed for them."""
    depth: int = 0


@dataclass
class _Reader:
    """Reads the sentences of one module, and remembers which literals went into a longer one."""

    inner: set[int] = field(default_factory=set)

    def forms(self, node: Node, scope: _Scope) -> list[str]:
        """All forms of an expression; ``[PLACE]`` if it is not made of literals."""
        if isinstance(node, ast.Constant):
            return _constant(node.value)
        if isinstance(node, ast.JoinedStr):
            return _joined([self.forms(part, scope) for part in node.values])
        if isinstance(node, ast.FormattedValue):
            return [f"'{PLACE}'"] if node.conversion == ord("r") else self.part(node.value, scope)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return _joined([self.part(node.left, scope), self.part(node.right, scope)])
        if isinstance(node, ast.IfExp):
            return _either(self.part(node.body, scope), self.part(node.orelse, scope))
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            return _either(*(self.part(value, scope) for value in node.values))
        if isinstance(node, ast.Subscript):
            return self._of_table(node.value, scope)
        if isinstance(node, ast.Call):
            return self._called(node, scope)
        if isinstance(node, ast.Name):
            return self._named(node.id, scope)
        return [PLACE]

    def part(self, node: Node, scope: _Scope) -> list[str]:
        """Forms of an expression that is part of a longer one, which is then read with that and not by itself."""
        found = self.forms(node, scope)
        if any(form != PLACE for form in found):
            self.inner.update(id(n) for n in ast.walk(node))
        return found

    def _of_table(self, node: Node, scope: _Scope) -> list[str]:
        table = self._table(node, scope)
        return _either(*(self.part(value, scope) for value in table.values)) if table else [PLACE]

    def _table(self, node: Node, scope: _Scope) -> ast.Dict | None:
        if isinstance(node, ast.Dict):
            return node
        if isinstance(node, ast.Name):
            for value in _assigned(node.id, scope):
                if isinstance(value, ast.Dict):
                    return value
        return None

    def _called(self, node: ast.Call, scope: _Scope) -> list[str]:
        if _name_of(node) in OPAQUE:
            return [OPAQUE[_name_of(node)]]
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in PASSED_ON:
                return self.part(node.func.value, scope)
            if node.func.attr == "get" and (table := self._table(node.func.value, scope)):
                other = [self.part(node.args[1], scope)] if len(node.args) > 1 else []
                return _either(*(self.part(value, scope) for value in table.values), *other)
            if node.func.attr == "join" and isinstance(node.args[0], ast.List | ast.Tuple):
                between = self.forms(node.func.value, scope)
                parts = [self.part(item, scope) for item in node.args[0].elts]
                return _joined([p for part in parts for p in (between, part)][1:])
            return [PLACE]
        if not isinstance(node.func, ast.Name) or scope.depth >= DEEPEST:
            return [PLACE]
        found = _function(node.func.id, scope.module)
        if found is None:
            return [PLACE]
        module, function = found
        if not isinstance(function.returns, ast.Name) or function.returns.id != "str":
            return [PLACE]
        names = [a.arg for a in function.args.args]
        passed = dict(zip(names, node.args, strict=False)) | {k.arg: k.value for k in node.keywords if k.arg}
        given = {name: self.part(value, scope) for name, value in passed.items()}
        defaults = function.args.defaults
        for name, value in zip(names[len(names) - len(defaults) :], defaults, strict=True):
            given.setdefault(name, self.forms(value, scope))
        inside = _Scope(module, function, given, scope.depth + 1)
        returned = [
            self.part(n.value, inside)
            for n in _own(function)
            if isinstance(n, ast.Return) and n.value is not None
        ]
        return _either(*returned) if returned else [PLACE]

    def _named(self, name: str, scope: _Scope) -> list[str]:
        if name in scope.given:
            return scope.given[name]
        if scope.depth >= DEEPEST:
            return [PLACE]
        deeper = _Scope(scope.module, scope.function, scope.given, scope.depth + 1)
        values = _assigned(name, scope)
        if values:
            return _either(*(self.part(value, deeper) for value in values))
        if found := _elsewhere(scope.module, name):
            module, last = found
            if last in module.constants:
                return _either(
                    *(self.part(v, _Scope(module, depth=scope.depth + 1)) for v in module.constants[last])
                )
        return [PLACE]


def _constant(value: object) -> list[str]:
    """Forms of a literal; a reason that a template asks for stands after a colon, or is not there."""
    if not isinstance(value, str | int):
        return [""]
    text = str(value)
    whys = ("", f": {PLACE}") if "{why}" in text else ("",)
    return [_BRACED.sub(PLACE, text.replace("{why}", why)) for why in whys]


def _own(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop(0)
        yield node
        if not isinstance(node, Function | ast.Lambda):
            todo = [*ast.iter_child_nodes(node), *todo]


def _function(name: str, module: Module) -> tuple[Module, Function] | None:
    if name in module.functions:
        return module, module.functions[name]
    if (found := _elsewhere(module, name)) and found[1] in found[0].functions:
        return found[0], found[0].functions[found[1]]
    return None


def _assigned(name: str, scope: _Scope) -> list[Node]:
    """What is assigned to a name where it is read: in its function, else in its module."""
    values: list[Node] = []
    for node in _own(scope.function) if scope.function else ():
        if isinstance(node, ast.Assign):
            for target in node.targets:
                values += _bound(name, target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            values += _bound(name, node.target, node.value)
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple):
            values += [value for item in node.iter.elts for value in _bound(name, node.target, item)]
    return values or scope.module.constants.get(name, [])


def _bound(name: str, target: Node, value: Node) -> list[Node]:
    if isinstance(target, ast.Name) and target.id == name:
        return [value]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = zip(target.elts, value.elts, strict=False)
        return [v for t, v in pairs if isinstance(t, ast.Name) and t.id == name]
    return []


def _joined(parts: Sequence[list[str]]) -> list[str]:
    """Forms of some parts one after the other."""
    count = 1
    for part in parts:
        count *= len(part)
    if count <= MOST_FORMS:
        return list(dict.fromkeys("".join(choice) for choice in product(*parts)))
    longest = max(len(part) for part in parts)
    return list(dict.fromkeys("".join(part[n % len(part)] for part in parts) for n in range(longest)))


def _either(*choices: list[str]) -> list[str]:
    return list(dict.fromkeys(form for choice in choices for form in choice))


def _name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def sentences(path: str) -> list[Sentence]:
    """All sentences of one file, in its order."""
    module = _module(path)
    reader = _Reader()
    found: list[tuple[ast.AST, list[str]]] = []
    _visit(module.tree, _Scope(module), reader, found)
    return [
        Sentence(" ".join(form.split()) if "\n" in form else form, f"{path}:{node.lineno}")  # type: ignore[attr-defined]  # an expression has a line
        for node, forms in found
        if id(node) not in reader.inner
        for form in forms
        if not UNSAID.search(form)
    ]


def _visit(node: ast.AST, scope: _Scope, reader: _Reader, found: list[tuple[ast.AST, list[str]]]) -> None:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.Assert | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.Call):
        name = _name_of(node)
        of_log = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "log"
        by_name = isinstance(node.func, ast.Name)
        if name in SILENT_CALLS or (of_log and name in LOG_CALLS) or (by_name and name in SILENT_NAMES):
            return
    if isinstance(node, Function):
        for inside in (*node.args.defaults, *node.args.kw_defaults, *node.body):
            if inside is None:
                continue
            _visit(inside, _Scope(scope.module, node), reader, found)
        return
    if isinstance(node, ast.JoinedStr | ast.Constant | ast.BinOp):
        forms = [form for form in reader.forms(node, scope) if form != PLACE]
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str)
        ):
            found.append((node, forms))
            for inside in ast.walk(node) if isinstance(node, ast.JoinedStr) else ():
                if inside is not node:
                    reader.inner.add(id(inside))
            return
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Add)
            and any(re.search("[a-z]", f) for f in forms)
        ):
            found.append((node, forms))
            return
    for child in node.values if isinstance(node, ast.Dict) else ast.iter_child_nodes(node):
        _visit(child, scope, reader, found)
