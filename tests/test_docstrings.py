"""What docstrings and comments name in single backticks exists: modules, functions, fields, keys of a configuration."""

from __future__ import annotations

import ast
import io
import re
import tokenize

from tests.modules import ROOT, module_of

FOLDERS = ("timeline_env", "training", "scripts", "tools", "examples", "tests")
SOURCES = {
    path.relative_to(ROOT): path.read_text(encoding="utf-8")
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*.py"))
}
SETTINGS = [*(ROOT / "configs").rglob("*.yaml"), *(ROOT / "timeline_env").rglob("*.toml"), ROOT / "pyproject.toml"]
LONGEST = 80
"""Characters of a string that may be a name, such as a column's or a command's."""


def names_in(source: str) -> set[str]:
    """The names in a file's code, and the words of its short strings, but not of its docstrings and comments."""
    docs = {line for line, _ in docstrings(source)}
    found: set[str] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            found.add(token.string)
        elif token.type == tokenize.STRING and len(token.string) < LONGEST and token.start[0] not in docs:
            found |= set(re.findall(r"\w+", token.string))
    return found


def docstrings(source: str) -> list[tuple[int, str]]:
    """Strings that stand alone, with their lines."""
    return [
        (node.lineno, node.value.value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]


def comments(source: str) -> list[tuple[int, str]]:
    """Comments, with their lines."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]


MODULES = {module_of(ROOT / path): source for path, source in SOURCES.items()}
KNOWN = set().union(
    *map(names_in, SOURCES.values()), *(re.findall(r"\w+", path.read_text(encoding="utf-8")) for path in SETTINGS)
)


def is_known(name: str) -> bool:
    """Whether a dotted name leads to something; of the package's modules, to something in that very module."""
    parts = name.split(".")
    if parts[0] not in FOLDERS or len(parts) == 1:
        return name in FOLDERS or KNOWN.issuperset(parts)
    depth = max((depth for depth in range(len(parts) + 1) if ".".join(parts[:depth]) in MODULES), default=0)
    source = MODULES.get(".".join(parts[:depth]), "")
    return depth > 0 and all(re.search(rf"\b{part}\b", source) for part in parts[depth:])


def test_names_in_backticks_exist() -> None:
    missing = [
        f"{path}:{line}: {name}"
        for path, source in SOURCES.items()
        for line, text in (*docstrings(source), *comments(source))
        for name in re.findall(r"(?<!`)`([A-Za-z_][\w.]*)`(?!`)", text)
        if not is_known(name)
    ]
    assert not missing, "\n".join(missing)


def test_names_that_do_not_exist_are_found() -> None:
    assert is_known("timeline_env.engine.batch.Batch") and is_known("is_known")
    assert not is_known("timeline_env.engine.batch.Butch") and not is_known("timeline_env.engine.match")
    assert not is_known("_".join(("no", "such", "name")))
