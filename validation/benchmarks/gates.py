"""The bounds that a release must keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from validation.benchmarks.bands import BAND_NAMES, band_name
from validation.benchmarks.calls import QUESTIONS, first_name
from validation.benchmarks.calls import N as ONE_CALL
from validation.benchmarks.curves import OPTION_NAMES
from validation.benchmarks.cutpoints import cut_name
from validation.benchmarks.readers import U_STATISTICS
from validation.benchmarks.results import LARGE, Result
from validation.benchmarks.sorting import PLAIN, key_name


@dataclass(frozen=True)
class Gate:
    """The largest ratio that every result of a name and size may have."""

    what: str
    n: int | None
    limit: float


# Seconds that were asked for on a machine that sorts 10^6 doubles in 28 ms, which is their unit.
# Ten times as many cases may take four times as long.
_SORT_SECONDS = 0.028
_BOUNDED = {
    "roc_band(rng=1)": 0.6,
    "roc_band('smoothed-score', rng=1)": 0.4,
    "cutpoints(rng=1)": 0.5,
}

GATES = (
    *(Gate("count table", n, 2.5) for n in (10**4, 10**5, 10**6)),
    *(Gate("table + AUC + DeLong", n, 4.0) for n in (10**4, 10**5, 10**6)),
    *(Gate("DeLong covariance, 8 predictors", n, 5.0) for n in (10**4, 10**5, 10**6)),
    Gate("all measures at all thresholds", 10**6, 3.0),
    Gate("resampled AUC", 10**3, 3.5),
    Gate("resampled AUC", 10**4, 3.5),
    Gate("peak memory of 2000 resampled AUCs", 10**4, 16.0),
    Gate("peak memory of 20000 resampled AUCs", 10**4, 16.0),
    Gate("curve draws (E3) grow", 10**6, 2.0),
    Gate("paired permutations of the AUC", 10**3, 0.5),
    Gate("paired permutations of the AUC", 10**4, 0.5),
    Gate("permutations of the curve (Venkatraman) grow", 10**4, 15.0),
    Gate("auc", 10**6, 1.0),
    Gate("auc", LARGE, 0.5),
    Gate(PLAIN, 10**6, 1.15),
    # Never slower than the order that keys replace.
    *(
        Gate(key_name(question), n, 1.0)
        for question in ("auc", "roc_curve and auc")
        for n in (5 * 10**4, 10**5, 10**6)
    ),
    Gate("compare_auc, 4 predictors", 10**6, 5.0),
    Gate("compare_auc, 20 predictors", 10**5, 5.0),
    *(Gate(name, 10**6, 4.0) for name in OPTION_NAMES),
    Gate("auc beyond its kernel, absolute", 10**3, 500.0),
    *(
        Gate(band_name(method), 10**4, 60.0 if method == "smoothed-score" else 8.0)
        for method in BAND_NAMES
    ),
    *(Gate(f"peak memory of {band_name(method)}", 10**6, 300.0) for method in BAND_NAMES),
    Gate(cut_name("youden"), 10**4, 8.0),
    Gate(cut_name("kappa"), 10**4, 8.0),
    Gate(cut_name("equal-error"), 10**4, 8.0),
    *(
        Gate(name, 10**6 * more, round(seconds * slower / _SORT_SECONDS, 1))
        for name, seconds in _BOUNDED.items()
        for more, slower in ((1, 1), (10, 4))
    ),
    *(Gate(first_name(name), ONE_CALL, 60.0) for name in QUESTIONS),
    Gate(U_STATISTICS, 500, 1.5),
    Gate(f"peak memory of {U_STATISTICS}", 5000, 300.0),
    Gate("import rocstats", None, 1.6),
)


def judge(results: Sequence[Result]) -> pd.DataFrame:
    """Return what was measured next to its bound: a row for each result that a gate is about.

    A gate without a result is a row with nothing measured, and not kept.
    """
    rows = []
    for gate in GATES:
        found = [result for result in results if (result.what, result.n) == (gate.what, gate.n)]
        rows += [(gate, r.data, r.ratio, r.baseline, r.ratio <= gate.limit) for r in found]
        if not found:
            rows.append((gate, "not measured", float("nan"), "", False))
    return pd.DataFrame(
        {
            "gate": [gate.what for gate, *_ in rows],
            "n": pd.array([gate.n for gate, *_ in rows], dtype="Int64"),
            "data": [data for _, data, *_ in rows],
            "measured": [float(f"{ratio:.3g}") for _, _, ratio, *_ in rows],
            "bound": [gate.limit for gate, *_ in rows],
            "unit": [unit for *_, unit, _ in rows],
            "kept": [kept for *_, kept in rows],
        }
    )
