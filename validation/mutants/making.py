"""The mutants of a file, by the operators of Cosmic Ray, whose runs are not used."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validation.mutants.rooms import ROOT, files_of

# The nearest other operator only: a difference is harder to notice than `<<` for `-`, which most
# tests of numbers end with a TypeError. One swap a line of each table, in both directions.
_SWAPPED = {
    "ReplaceBinaryOperator": ("Add Sub", "Mul Div", "BitAnd BitOr"),
    "ReplaceComparisonOperator": ("Lt LtE", "Gt GtE", "Lt Gt", "LtE GtE", "Eq NotEq", "Is IsNot"),
}
_ONE_WAY = (
    "ReplaceBinaryOperator_Pow_Mul",
    "ReplaceBinaryOperator_FloorDiv_Mul",
    "ReplaceBinaryOperator_Mod_Mul",
    "ReplaceUnaryOperator_USub_UAdd",
    "ReplaceUnaryOperator_Delete_Not",
    "ReplaceUnaryOperator_Delete_Invert",
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "ExceptionReplacer",
    "NumberReplacer",
    "ZeroIterationForLoop",
)


def operators() -> list[str]:
    """Return the names of the operators in use, as Cosmic Ray calls them."""
    pairs = [
        f"{kind}_{one}_{other}"
        for kind, swaps in _SWAPPED.items()
        for one, other in (pair for swap in swaps for pair in (swap.split(), swap.split()[::-1]))
    ]
    return sorted([*pairs, *_ONE_WAY])


@dataclass(frozen=True, order=True)
class Mutant:
    """One change of one file: its lines that were `before` are `after`.

    Where a changed line is in the file twice, lines above it are in both texts, as many as it takes
    to tell the places apart. So a mutant needs no number of a line, and stays where others move.
    """

    room: str
    file: str
    operator: str
    before: str
    after: str

    def fits(self, text: str) -> bool:
        """Return whether the file has the lines that are changed, once."""
        return len(_starts(self.before, text)) == 1

    def applied_to(self, text: str) -> str:
        """Return the text of the file with the change."""
        assert self.fits(text), f"{self.file} does not have once: {self.before}"
        lines, start = text.split("\n"), _starts(self.before, text)[0]
        lines[start : start + self.before.count("\n") + 1] = self.after.split("\n")
        return "\n".join(lines)


def _starts(block: str, text: str) -> list[int]:
    """Return where some whole lines begin in a text, counted from 0."""
    lines, wanted = text.split("\n"), block.split("\n")
    return [i for i in range(len(lines)) if lines[i : i + len(wanted)] == wanted]


def sample(room: str, n: int, seed: int) -> list[Mutant]:
    """Return n mutants of a room, drawn at random; all of them if there are no more."""
    places = [place for path in files_of(room) for place in _places(path)]
    random.Random(f"{seed} {room}").shuffle(places)
    drawn: dict[tuple[str, str, str], Mutant] = {}
    for path, operator, occurrence in places:
        if len(drawn) == n:
            break
        mutant = _mutant(room, path, operator, occurrence)
        # Two operators may make the same text, for instance 1 + 1 and 2 * 1 of a number.
        drawn.setdefault((mutant.file, mutant.before, mutant.after), mutant)
    return sorted(drawn.values())


def _places(path: Path) -> Iterator[tuple[Path, str, int]]:
    """Yield the file, operator and occurrence of every change of a file."""
    from cosmic_ray.ast import ast_nodes, get_ast  # an extra, which the record's test lacks
    from cosmic_ray.plugins import get_operator

    text = path.read_text(encoding="utf-8")
    tree, unseen = get_ast(text), list(_never_run(ast.parse(text)))
    for name in operators():
        operator = get_operator(f"core/{name}")()
        spots = (spot for node in ast_nodes(tree) for spot in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(spots):
            if not any(first <= start < last for first, last in unseen):
                yield path, name, occurrence


def _never_run(tree: ast.Module) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the spans of annotations and of imports for types: Python does not evaluate them."""
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, (ast.arg, ast.AnnAssign)):
            parts = [node.annotation]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts = [node.returns]
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            parts = [node]
        for part in parts:
            if isinstance(part, (ast.expr, ast.stmt)):
                end = (part.end_lineno or part.lineno, part.end_col_offset or 0)
                yield (part.lineno, part.col_offset), end


def _mutant(room: str, path: Path, operator: str, occurrence: int) -> Mutant:
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    text = path.read_text(encoding="utf-8")
    changed = mutate_code(text, get_operator(f"core/{operator}")(), occurrence)
    return mutant_of(room, path.relative_to(ROOT).as_posix(), operator, text, changed)


def mutant_of(room: str, file: str, operator: str, text: str, changed: str) -> Mutant:
    """Return the mutant that makes one text of a file the other: the lines in which they differ."""
    old, new = text.split("\n"), changed.split("\n")
    first = next(i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    while old[-1] == new[-1] and min(len(old), len(new)) > first + 1:
        old, new = old[:-1], new[:-1]
    while len(_starts("\n".join(old[first:]), text)) > 1:
        first -= 1
    return Mutant(room, file, operator, "\n".join(old[first:]), "\n".join(new[first:]))
