"""The bounds that a release must keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from validation.benchmarks.cases import Result


@dataclass(frozen=True)
class Gate:
    """The largest ratio that every result of a name and size may have."""

    what: str
    n: int | None
    limit: float


GATES = (
    Gate("auc", 10**6, 4.0),
    Gate("compare_auc, 4 predictors", 10**6, 5.0),
    Gate("import rocstats", None, 2.0),
)


def broken(results: Sequence[Result]) -> list[str]:
    """Return a sentence for each gate that the results break, or that none of them is about."""
    said = []
    for gate in GATES:
        found = [result for result in results if (result.what, result.n) == (gate.what, gate.n)]
        if not found:
            said.append(f"{gate.what}: not measured")
        said += [
            f"{gate.what} ({result.data}): {result.ratio:.2f} x {result.baseline},"
            f" must be at most {gate.limit:g}"
            for result in found
            if not result.ratio <= gate.limit
        ]
    return said
