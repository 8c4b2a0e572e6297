"""The directive ``public``, which documents what a package's ``__init__`` offers, module by module.

A package says in its ``__init__.py`` what is public: it imports it, and lists it in ``__all__``. The directive reads
that, so the reference can't lack a name or keep one that has gone.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata


def public_names(package: str) -> dict[str, list[str]]:
    """Return what a package's ``__init__`` imports and lists in ``__all__``, by the module that it comes from.

    Raises:
        ValueError: the package has no ``__all__``, or lists what it does not import.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None or not spec.submodule_search_locations:
        raise ValueError(f"there is no package {package}")
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    listed: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            listed = {name for name in ast.literal_eval(node.value) if not name.startswith("__")}
    homes: dict[str, list[str]] = {}
    for node in ast.walk(tree):  # also imports for type checkers only, of names that are loaded when they are used
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("oponente."):
            names = [alias.name for alias in node.names if alias.name in listed]
            if names:
                homes.setdefault(node.module, []).extend(names)
    missing = listed - {name for names in homes.values() for name in names}
    if missing or not listed:
        raise ValueError(f"{package}: __all__ lists {', '.join(sorted(missing)) or 'nothing'} that it does not import")
    return homes


class Public(SphinxDirective):
    """``.. public:: PACKAGE``: a section for each module; with ``:summary:`` a table with links instead."""

    required_arguments = 1
    option_spec: ClassVar = {"summary": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Return the sections, or the table."""
        package = self.arguments[0]
        try:
            homes = public_names(package)
        except ValueError as error:
            raise self.error(str(error)) from error
        lines: list[str] = []
        if "summary" in self.options:
            lines += [".. autosummary::", ""]
            lines += [f"   ~{self.home(module, name)}.{name}" for module, names in homes.items() for name in names]
        else:
            for module, names in homes.items():
                lines += [module, "-" * len(module), "", f".. automodule:: {module}"]
                lines += [f"   :members: {', '.join(names)}", ""]
        source = f"<public {package}>"
        return self.parse_text_to_nodes(StringList(lines, source), allow_section_headings=True)

    def home(self, module: str, name: str) -> str:
        """Return the module that a name comes from, where a package passes it on."""
        spec = importlib.util.find_spec(module)
        if spec is None or spec.submodule_search_locations is None:
            return module
        return next(deeper for deeper, names in public_names(module).items() if name in names)


COMMENT = ["..", ""]
"""An empty comment of reStructuredText."""


def keep_colons(_app: Sphinx, what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Keep Napoleon, which comes next, from taking the words before a colon in an attribute's docstring for its type.

    It looks for that in the first line.
    """
    if what in {"attribute", "data", "property"}:
        lines[:0] = COMMENT


def drop_comment(_app: Sphinx, _what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Undo :func:`keep_colons`."""
    if lines[:2] == COMMENT:
        del lines[:2]


def resolve(app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, content: nodes.Node) -> nodes.Node | None:
    """Resolve a reference to an object that exists but is not documented under that name.

    A name that a package passes on leads to where it comes from; what is not in the reference (another library's, an
    inner module's) stays text. A name that is nowhere is left to Sphinx, which warns.
    """
    if node.get("refdomain") != "py":
        return None

    def link(name: str) -> nodes.Node | None:
        domain = env.domains.python_domain
        return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, content)

    target = node["reftarget"].partition("[")[0]
    module, class_ = node.get("py:module"), node.get("py:class")
    within = [".".join(filter(None, (module, outer, target))) for outer in (None, class_)]
    for name in (target, *within, SHORT.sub(long_name, target)):
        package, _, last = name.rpartition(".")
        home = next((home for home, names in passed_on(package).items() if last in names), None)
        if home is not None:
            return link(f"{home}.{last}")
        if exists(name):
            return content
    # What is imported for type checkers only; what was taken from its docstring into a table.
    found = env.domains.python_domain.find_obj(env, "", "", target, None, 1)
    if len(found) == 1:
        return link(found[0][0])
    return content if found and module is None else None


SHORT = re.compile(r"^(np|npt)(?=\.)")


def long_name(short: re.Match[str]) -> str:
    """Return the module that an abbreviation in annotations stands for."""
    return {"np": "numpy", "npt": "numpy.typing"}[short[1]]


@cache
def passed_on(package: str) -> dict[str, list[str]]:
    """Return :func:`public_names`, or nothing if that is no package with public names."""
    try:
        return public_names(package)
    except (ImportError, ValueError):
        return {}


@cache
def exists(name: str) -> bool:
    """Tell whether a full name denotes a module, or something in one."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        module = ".".join(parts[:end])
        try:
            if importlib.util.find_spec(module) is None:
                continue
            if end == len(parts):
                return True
            found: Any = importlib.import_module(module)
        except ImportError:
            continue
        for part in parts[end:]:
            found = getattr(found, part, None)
        return found is not None
    return hasattr(builtins, name)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive and the handlers."""
    app.add_directive("public", Public)
    app.connect("autodoc-process-docstring", keep_colons, priority=400)  # Napoleon's has 500
    app.connect("autodoc-process-docstring", drop_comment, priority=600)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
