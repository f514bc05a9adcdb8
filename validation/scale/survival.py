"""Print how long areas at five times of two markers of many patients take.

Run: python -m validation.scale.survival --patients 100000
"""

from __future__ import annotations

import argparse
import warnings
from time import perf_counter

import numpy as np

import rocstats as rs

TIMES = [0.2, 0.4, 0.6, 0.8, 1.0]


def main() -> None:
    """Print the seconds of the study, and of each question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=100_000)
    n = parser.parse_args().patients
    rng = np.random.default_rng(1)
    markers = {"a": rng.standard_normal(n), "b": rng.standard_normal(n)}
    event, censored = rng.exponential(np.exp(-markers["a"])), rng.exponential(2.0, n)
    # Three decimals: times are tied.
    time = np.minimum(event, censored).round(3)
    warnings.simplefilter("ignore", rs.StatisticalWarning)
    kind = rs.SurvivalStudy  # imported before it is timed
    start = perf_counter()
    study = kind(time, event <= censored, markers)
    print(f"SurvivalStudy of {n:,} patients: {perf_counter() - start:.2f} s")
    for name, options in (
        ("auc", {"time": TIMES}),
        ("compare_auc", {"time": TIMES}),
        ("auc_band", {"time": TIMES}),
        ("concordance", {"time_limit": 1.0}),
    ):
        start = perf_counter()
        getattr(study, name)(**options)
        print(f"{name}: {perf_counter() - start:.2f} s")


if __name__ == "__main__":
    main()
