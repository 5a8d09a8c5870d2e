"""Every public signature, as text: `python tests/public_api.py` writes tests/api.txt.

In this order: the names of `equamo.__all__` with their members, the classes that these return without
exporting them, the functions of compiled equations, what a few public modules export, and the verbs
of the command.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import equamo

FILE = Path(__file__).with_name("api.txt")
# Modules that the documentation imports from, beside equamo itself.
MODULES = ("review.programs",)
# Special methods by which a user works with an object; others differ between versions of Python.
OPERATIONS = {
    "__abs__", "__add__", "__bool__", "__call__", "__contains__", "__enter__", "__exit__", "__float__",
    "__getitem__", "__iter__", "__len__", "__lt__", "__matmul__", "__mul__", "__neg__", "__pow__",
    "__sub__", "__truediv__",
}  # fmt: skip
# Programs, machine code and readers of arguments may change in every version.
INTERNAL = (
    "equamo.mechanics.equations.state_reader",
    "equamo.code.ir.",
    "equamo.code.jit.",
    "equamo.mechanics.recursions.",
)
EXPORTED = {v for v in (getattr(equamo, n) for n in equamo.__all__) if isinstance(v, type)}


class Raw:
    """An annotation that prints as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature(function: Any) -> str:
    """The arguments with their defaults, and the result; nothing where Python does not know them."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return "(…)"

    def raw(annotation: Any) -> Any:
        return Raw(annotation) if isinstance(annotation, str) else annotation

    arguments = [p.replace(annotation=raw(p.annotation)) for p in found.parameters.values()]
    result = found.replace(parameters=arguments, return_annotation=raw(found.return_annotation))
    return re.sub(r"<[^<>]* at 0x[0-9a-f]+>", "…", re.sub(r"\s+", " ", str(result)))


def _ours(cls: type) -> list[type]:
    return [c for c in cls.__mro__ if c.__module__.startswith("equamo")]


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(Path(import_module(module).__file__ or "").read_text(encoding="utf-8"))


@cache
def assigned(cls: type) -> dict[str, str]:
    """Attributes that `__init__` sets, each with its type as written, or as that of its argument."""
    found: dict[str, str] = {}
    tree = _tree(cls.__module__)
    for node in (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == cls.__name__):
        for make in (f for f in node.body if isinstance(f, ast.FunctionDef)):
            if make.name != "__init__":
                continue
            given = {a.arg: a.annotation for a in (*make.args.args, *make.args.kwonlyargs)}
            for step in ast.walk(make):
                if isinstance(step, ast.AnnAssign) and isinstance(step.target, ast.Attribute):
                    found[step.target.attr] = ast.unparse(step.annotation)
                for target in step.targets if isinstance(step, ast.Assign) else ():
                    value = step.value if isinstance(step, ast.Assign) else None
                    if isinstance(target, ast.Attribute) and isinstance(value, ast.Name):
                        kind = given.get(value.id)
                        found[target.attr] = ast.unparse(kind) if kind is not None else ""
                    elif isinstance(target, ast.Attribute):
                        found.setdefault(target.attr, "")
    return found


def _annotation(cls: type, name: str, value: Any) -> str:
    """Type of an attribute or property, as it is written in the source."""
    if isinstance(value, cached_property):
        value = value.func
    elif isinstance(value, property):
        value = value.fget
    if inspect.isfunction(value):
        written = value.__annotations__.get("return", "")
        return written if isinstance(written, str) else getattr(written, "__name__", "")
    for c in _ours(cls):
        written = inspect.get_annotations(c).get(name) or assigned(c).get(name)
        if written:
            return str(written)
    return ""


def _names(classes: list[type]) -> set[str]:
    own = [(*vars(c), *inspect.get_annotations(c), *assigned(c)) for c in classes]
    return {name for names in own for name in names}


def members(cls: type) -> Iterator[str]:
    """Public attributes that a class, or a class of ours above it, defines."""
    ours = _ours(cls)
    names = _names(ours)
    if cls not in EXPORTED:  # what it has besides its exported base class
        names -= _names([c for c in ours if c in EXPORTED])
    # While tests run, `raise_sites` puts a function of its own in the place of one of them.
    makers = [getattr(vars(c).get("__init__"), "__module__", "") for c in ours]
    if cls in EXPORTED and any(module.startswith("equamo") for module in makers):
        yield f"{cls.__name__}{signature(cls)}"
    for name in sorted(n for n in names if not n.startswith("_")):
        value = inspect.getattr_static(cls, name, None)
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if inspect.isfunction(value):
            yield f"{cls.__name__}.{name}{signature(value)}"
        else:
            kind = _annotation(cls, name, value)
            yield f"{cls.__name__}.{name}: {kind}" if kind else f"{cls.__name__}.{name}"
    if names & OPERATIONS:
        yield f"{cls.__name__} has {', '.join(sorted(names & OPERATIONS))}"


def _described(cls: type) -> Iterator[str]:
    bases = ", ".join(b.__name__ for b in cls.__bases__ if b is not object)
    name = cls.__name__ if cls in EXPORTED else f"{cls.__module__}.{cls.__name__}"
    yield f"class {name}({bases})" if bases else f"class {name}"
    yield from (f"    {x}" for x in members(cls))


def _class(name: str, module: str) -> type | None:
    """Class of ours that a name stands for in a module, also one that is imported for types only."""
    value = getattr(import_module(module), name, None)
    if isinstance(value, type) and value.__module__.startswith("equamo"):
        return value
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and name in {a.asname or a.name for a in node.names}:
            if not node.level and not (node.module or "").startswith("equamo"):
                return None
            is_package = (import_module(module).__file__ or "").endswith("__init__.py")
            package = module if is_package else module.rpartition(".")[0]
            source = import_module("." * node.level + (node.module or ""), package)
            value = getattr(source, name, None)
            return value if isinstance(value, type) else None
    return None


def returned() -> list[type]:
    """Classes that public functions, methods and attributes return, and that equamo does not export."""
    public = [getattr(equamo, n) for n in equamo.__all__]
    found: dict[str, type] = {}

    def add(text: Any, module: str) -> None:
        for name in re.findall(r"\b[A-Z]\w*", text if isinstance(text, str) else ""):
            cls = _class(name, module)
            ours = cls is not None and cls.__module__.startswith("equamo")
            if ours and cls not in EXPORTED and not cls.__module__.startswith(INTERNAL):
                found.setdefault(f"{cls.__module__}.{cls.__name__}", cls)

    for value in public:
        if not isinstance(value, type):
            add(value.__annotations__.get("return"), value.__module__)
            continue
        for c in _ours(value):
            for name, member in vars(c).items():
                if isinstance(member, (staticmethod, classmethod)):
                    member = member.__func__
                function = getattr(member, "func", None) or getattr(member, "fget", None) or member
                if inspect.isfunction(function) and not name.startswith("_"):
                    add(function.__annotations__.get("return"), c.__module__)
            for name, text in (inspect.get_annotations(c) | assigned(c)).items():
                if not name.startswith("_"):
                    add(text, c.__module__)
    return [found[key] for key in sorted(found)]


def compiled_functions() -> Iterator[str]:
    """Functions of `eq.compile(eom)`: those of a tree, and what a robot with loops has besides."""
    from equamo.basics.attached import METHODS

    for name, module in METHODS["Compiled"].items():
        yield f"fast.{name}{signature(getattr(import_module(module, 'equamo'), name))}"
    listed: set[str] = set()
    for robot in ("rr_arm", "four_bar"):
        fast = equamo.compile(equamo.derive(equamo.load(robot)))
        names = [n for n in dir(fast) if n not in dir(type(fast)) and n not in METHODS["Compiled"]]
        for name in sorted(set(names) - {*vars(fast), *listed}):
            listed.add(name)
            arguments = [a.name for a in fast.function(name).source.arguments]
            yield f"fast.{name}({', '.join(arguments)})  # of {robot}"


def verbs() -> Iterator[str]:
    """The commands with their arguments, options, types and defaults, read off their functions."""
    from equamo.cli import app

    for command in app.registered_commands:
        yield f"equamo {command.name}"
        run = command.callback
        hints = get_type_hints(run, include_extras=True)
        for p in inspect.signature(run).parameters.values():
            kind, option = get_args(hints[p.name])[:2]
            kind = getattr(kind, "__name__", str(kind)) if not get_args(kind) else str(kind)
            is_option = type(option).__name__ == "OptionInfo"
            decls = (option.default, *(option.param_decls or ()))  # the first is in its place
            words = ", ".join(d for d in decls if isinstance(d, str) and d.startswith("-"))
            words = words or ("--" * is_option + p.name.replace("_", "-" if is_option else "_"))
            default = str(p.default) if isinstance(p.default, Path) else p.default
            need = "required" if p.default is p.empty else f"= {default!r}"
            yield f"    {words}: {re.sub('pathlib[.](_local[.])?', '', kind)} {need}"


def api() -> str:
    """One line for each public name, in the order of `__all__`; below a class its members."""
    lines: list[str] = []
    for name in equamo.__all__:
        value = getattr(equamo, name)
        if isinstance(value, type):
            lines += _described(value)
        else:
            lines.append(f"{name}{signature(value)}")
    lines.append("\n# Returned by the above, under no name of equamo.")
    for cls in returned():
        lines += _described(cls)
    lines += ["\n# Functions of eq.compile(eom).", *compiled_functions()]
    for module in MODULES:
        lines.append(f"\n# equamo.{module}")
        space = import_module(f"equamo.{module}")
        for name in space.__all__:
            value = getattr(space, name)
            lines += _described(value) if isinstance(value, type) else [f"{name}{signature(value)}"]
    lines += ["\n# The command.", *verbs()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(api(), encoding="utf-8")
