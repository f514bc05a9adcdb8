"""The bounds that a release must keep.

A gate bounds every result of a name and size. What a result counts is in its columns: ``clock``
(wall or CPU time), ``repeats`` (the turns of which it is the median), ``unit`` (what it is a ratio
to). A bound in time is in units of ``SORT_MS``, or of a result in milliseconds of calls.py. Bounds
are written down before the first measurement.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import nan

import pandas as pd

from validation.benchmarks.bands import BAND_NAMES, band_name
from validation.benchmarks.calls import N as ONE_CALL
from validation.benchmarks.calls import call_name
from validation.benchmarks.curves import OPTION_NAMES
from validation.benchmarks.cutpoints import cut_name
from validation.benchmarks.decades import GROWTH, SIZES, STEEPEST, steepest
from validation.benchmarks.engines import DRAWN
from validation.benchmarks.first_calls import FIRST_GATES
from validation.benchmarks.many import MANY_GATES
from validation.benchmarks.questions import IMPORT
from validation.benchmarks.readers import U_STATISTICS
from validation.benchmarks.results import LARGE, SORT_MS, Gate, Result
from validation.benchmarks.sorting import PLAIN, key_name

# Milliseconds of 10^6 cases; ten times as many may take four times as long.
_BOUNDED = {
    "roc_band(rng=1)": 600,
    "roc_band('smoothed-score', rng=1)": 400,
    "cutpoints(rng=1)": 500,
}
# CPU milliseconds of a call at 1000 cases on the same machine.
_CALLS = {"auc": 0.6, "roc_curve": 0.4, "compare_auc": 0.9, "operating_points": 2.5}

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
        Gate(band_name(method), 10**4, 60.0 if method == "smoothed-score" else 8.0, DRAWN)
        for method in BAND_NAMES
    ),
    *(Gate(f"peak memory of {band_name(method)}", 10**6, 300.0) for method in BAND_NAMES),
    Gate(cut_name("youden"), 10**4, 8.0, DRAWN),
    Gate(cut_name("kappa"), 10**4, 8.0, DRAWN),
    Gate(cut_name("equal-error"), 10**4, 8.0, DRAWN),
    *(
        Gate(name, 10**6 * more, round(ms * slower / SORT_MS, 1))
        for name, ms in _BOUNDED.items()
        for more, slower in ((1, 1), (10, 4))
    ),
    *(Gate(STEEPEST, n, GROWTH) for n in SIZES[1:]),
    *(Gate(call_name(name), ONE_CALL, ms) for name, ms in _CALLS.items()),
    Gate(U_STATISTICS, 500, 1.5),
    Gate(f"peak memory of {U_STATISTICS}", 5000, 300.0),
    Gate(IMPORT, None, 1.6),
    *FIRST_GATES,
    *MANY_GATES,
)


def judge(results: Sequence[Result]) -> pd.DataFrame:
    """Return what was measured next to its bound: a row for each result that a gate is about.

    A gate without a result is a row with nothing measured, and not passed.
    """
    rows: list[tuple[Gate, str, float, Result | None]] = []
    measured = list(chain(results, steepest(results)))
    for gate in GATES:
        found = [r for r in measured if gate.judges(r)]
        rows += [(gate, r.data, r.ratio, r) for r in found]
        if not found:
            rows.append((gate, "not measured", nan, None))
    return pd.DataFrame(
        {
            "gate": [gate.what for gate, *_ in rows],
            "n": pd.array([gate.n for gate, *_ in rows], dtype="Int64"),
            "data": [data for _, data, *_ in rows],
            "bound": [gate.limit for gate, *_ in rows],
            "measured": [float(f"{ratio:.3g}") for _, _, ratio, _ in rows],
            "pass": [ratio <= gate.limit for gate, _, ratio, _ in rows],
            "unit": ["" if r is None else r.baseline for *_, r in rows],
            "clock": ["" if r is None else r.clock for *_, r in rows],
            "repeats": [0 if r is None else r.repeats for *_, r in rows],
        }
    )
