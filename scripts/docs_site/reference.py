"""Reference: one page for each group of public names, from their docstrings."""

from __future__ import annotations

import inspect
import re
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import equamo

from .docstring import markdown, prose, read
from .fields import field_comments, field_lines
from .public_names import Group, Member, documented, groups, members, signature
from .repository_links import ROOT, SCHEME

# What the documentation calls objects of these classes.
VARIABLES: Final = {
    "eom": "EquationsOfMotion",
    "robot": "Robot",
    "arm": "Robot",
    "fast": "Compiled",
    "traj": "Trajectory",
    "motion": "Trajectory",
    "certificate": "Certificate",
    "lin": "LinearSystem",
}


class Reference:
    """Pages of the reference, by name, and links to what stands there."""

    @cached_property
    def names(self) -> frozenset[str]:
        """Everything that has an entry."""
        return frozenset(documented())

    def link(self, code: str, cls: str = "") -> str:
        """Inline code, as a link if it names something public.

        >>> Reference().link("eq.load(name)"), Reference().link("eom.q")
        ('{py:obj}`eq.load(name) <equamo.load>`', '{py:obj}`eom.q <equamo.EquationsOfMotion.q>`')
        """
        if "<" in code:
            return f"`{code}`"
        bare = re.sub(r"^(eq\.\w+|\w+\.\w+)\(.*\)$", r"\1", code).removeprefix("eq.")
        head, _, rest = bare.partition(".")
        choices = [f"{cls}.{bare}"] if cls else []
        choices += [bare, f"{VARIABLES[head]}.{rest}"] if head in VARIABLES else [bare]
        for name in choices:
            # A bare word in a class is one of its members; elsewhere only `eq.` or a capital says so.
            certain = name != bare or code.startswith("eq.") or bare[:1].isupper() or cls
            if name in self.names and certain and name != cls:
                return f"{{py:obj}}`{code} <equamo.{name}>`"
        return f"`{code}`"

    def pages(self) -> dict[str, str]:
        """Markdown by name of page."""
        found = {f"reference/{x.slug}": self._page(x) for x in groups()}
        return {"reference/index": self._index(groups()), **found}

    def _index(self, parts: list[Group]) -> str:
        rows = [
            "# Reference",
            "Every public name of `import equamo as eq`, in the order in which a user meets them. The "
            "entries are the docstrings: `help(eq.simulate)` shows the same. "
            "[The command `equamo`](command_line.md) has a page of its own.",
        ]
        for part in parts:
            table = ["| name | what it is |", "|---|---|"]
            for name in part.names:
                doc = read(inspect.getdoc(getattr(equamo, name)))
                summary = prose(doc.summary, self.link).replace("|", r"\|")
                table.append(f"| {{py:obj}}`{name} <equamo.{name}>` | {summary} |")
            rows += [f"## [{part.title}]({part.slug}.md)", "\n".join(table)]
        tree = "\n".join(x.slug for x in parts)
        rows.append(f"```{{toctree}}\n:hidden:\n\n{tree}\n```")
        return "\n\n".join(rows) + "\n"

    def _page(self, group: Group) -> str:
        rows = [f"# {group.title}", "```{py:currentmodule} equamo\n```"]
        for name in group.names:
            value = getattr(equamo, name)
            rows.append(
                self._class(name, value) if isinstance(value, type) else self._function(name, value)
            )
        return "\n\n".join(rows) + "\n"

    def _function(self, name: str, value: Any) -> str:
        text = markdown(read(inspect.getdoc(value)), self.link)
        return _directive(3, "function", name + signature(value), f"{text}\n\n{_source(value)}")

    def _class(self, name: str, cls: type) -> str:
        doc = read(cls.__doc__)
        own = any("__init__" in vars(c) for c in cls.__mro__ if c.__module__.startswith("equamo"))
        exception = issubclass(cls, BaseException)
        # Results are not built by users: their constructors have no description.
        built = own and "Args" in doc.sections and not exception
        head = name + (signature(cls) if built else "")
        comments = _described(cls)
        text = markdown(doc, lambda code: self.link(code, name), without=("Attributes",))
        parts = [text, _source(cls)]
        parts += [self._member(x, comments.get(x.name, "")) for x in members(cls)]
        bases = [x.__name__ for x in cls.__bases__ if x.__name__ in self.names]
        if bases:
            parts.insert(0, "Base class: " + ", ".join(self.link(x) for x in bases))
        return _directive(5, "exception" if exception else "class", head, "\n\n".join(parts))

    def _member(self, member: Member, comment: str) -> str:
        cls = member.cls.__name__
        doc = read(inspect.getdoc(member.function)) if member.kind != "attribute" else read("")
        arguments = {name for name, _ in doc.sections.get("Args", ())}

        def link(code: str) -> str:
            return f"`{code}`" if code in arguments else self.link(code, cls)

        name = f"{cls}.{member.name}"
        if member.kind == "attribute":
            options = {"type": member.annotation} if member.annotation else {}
            said = (comment[:1].upper() + comment[1:]) if comment else ""
            if said and not said.endswith((".", "]", ")")):
                said += "."
            return _directive(3, "attribute", name, prose(said, link), options)
        text = markdown(doc, link)
        if member.kind == "property":
            result = inspect.signature(member.function).return_annotation
            options = {} if result is inspect.Signature.empty else {"type": str(result)}
            return _directive(4, "property", name, text, options)
        options = {}
        if isinstance(member.value, staticmethod):
            options["staticmethod"] = ""
        elif isinstance(member.value, classmethod):
            options["classmethod"] = ""
        head = name + signature(member.function, bound=not isinstance(member.value, staticmethod))
        return _directive(4, "method", head, f"{text}\n\n{_source(member.function)}", options)


def _described(cls: type) -> dict[str, str]:
    """Descriptions of fields: comments beside them, or docstrings of the class and its bases."""
    found: dict[str, str] = {}
    for one in reversed([c for c in cls.__mro__ if c.__module__.startswith("equamo")]):
        sections = read(one.__doc__).sections
        found |= {n: t for kind in ("Args", "Attributes") for n, t in sections.get(kind, ())}
    return found | field_comments(cls)


def _directive(
    ticks: int, kind: str, head: str, body: str, options: dict[str, str] | None = None
) -> str:
    fence = "`" * (ticks + 1)
    given = "".join(f":{key}: {text}".rstrip() + "\n" for key, text in (options or {}).items())
    return f"{fence}{{py:{kind}}} {head}\n{given}\n{body}\n{fence}"


def _source(value: Any) -> str:
    """Link to the line where a function or class is defined."""
    found = inspect.unwrap(value)
    if isinstance(found, type):
        file, line = Path(inspect.getfile(found)), inspect.getsourcelines(found)[1]
    else:
        file, line = Path(found.__code__.co_filename), found.__code__.co_firstlineno
    if not file.is_relative_to(ROOT):
        return ""
    return f"[source]({SCHEME}{file.relative_to(ROOT).as_posix()}#line-{line})"


def undescribed() -> list[str]:
    """Fields, properties and methods about which the reference says nothing but their type."""
    found: list[str] = []
    for group in groups():
        for name in group.names:
            cls = getattr(equamo, name)
            if not isinstance(cls, type):
                continue
            known = _described(cls)
            for x in members(cls):
                said = x.name in known if x.kind == "attribute" else inspect.getdoc(x.function)
                if not said:
                    place = field_lines(cls).get(x.name)
                    found.append(
                        f"{name}.{x.name}" + (f" ({place[0].name}:{place[1]})" if place else "")
                    )
    return found
