"""Error bars of averaged curves: true rates, and coverage as the page prints it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from rocstats.curves.average import vertical_average
from rocstats.curves.roc import roc_points
from rocstats.study.sample import Sample
from tests.quick import each
from validation.coverage.bars import BAR_CELLS, BarCell

KEY = ["set", "n_curves", "n_pos", "n_neg", "auc", "target", "fpr", "method"]


COMMITTED = "coverage/bars"


def rows_of(table: pd.DataFrame, cell: BarCell) -> pd.DataFrame:
    setting = ["set", "n_curves", "n_pos", "n_neg", "auc"]
    wanted = [getattr(cell, name) for name in setting]
    return table[(table[setting] == wanted).all(axis=1)].reset_index(drop=True)


# docs/methods/averages.md, "Coverage of bars", columns FPR .1, .3, .5; its Monte-Carlo error is
# below .009
@each(
    ("position", "target", "method", "printed"),
    [
        (0, "curve", "binomial/wilson", (0.58, 0.83, 0.89)),
        (0, "curve", "binomial/normal", (0.58, 0.81, 0.88)),
        (0, "curve", "binomial/clopper-pearson", (0.61, 0.84, 0.90)),
        (0, "curve", "n of one curve/wilson", (0.995, 1, 1)),
        (0, "curve", "curves/t", (0.84, 0.91, 0.93)),
        (0, "mean curve", "binomial/wilson", (0.80, 0.86, 0.87)),
        (0, "mean curve", "binomial/normal", (0.79, 0.83, 0.88)),
        (0, "mean curve", "binomial/clopper-pearson", (0.82, 0.87, 0.91)),
        (0, "mean curve", "curves/t", (0.95, 0.94, 0.94)),
        (1, "curve", "binomial/wilson", (0.74, 0.85, 0.88)),
        (1, "curve", "binomial/normal", (0.73, 0.84, 0.88)),
        (1, "curve", "binomial/clopper-pearson", (0.75, 0.85, 0.89)),
        (1, "curve", "n of one curve/wilson", (0.98, 0.99, 1)),
        (1, "curve", "curves/t", (0.94, 0.95, 0.95)),
        (2, "curve", "binomial/wilson", (0.93, 0.95, 0.94)),
        (2, "curve", "binomial/normal", (0.92, 0.95, 0.95)),
        (2, "curve", "binomial/clopper-pearson", (0.94, 0.95, 0.95)),
        (2, "curve", "n of one curve/wilson", (1, 1, 1)),
        (2, "curve", "curves/t", (0.95, 0.96, 0.94)),
        # there "with FPR term"
        (0, "curve", "bootstrap/wilson-effective-n", (0.85, 0.95, 0.95)),
        (0, "mean curve", "bootstrap/wilson-effective-n", (0.97, 0.95, 0.95)),
        (1, "curve", "bootstrap/wilson-effective-n", (0.94, 0.95, 0.95)),
        (2, "curve", "bootstrap/wilson-effective-n", (0.95, 0.96, 0.95)),
        (0, "mean curve", "n of one curve/wilson", (1, 1, 1)),
        (3, "curve", "curves/t", (0.25, 0.25, 0.25)),
        (3, "curve", "n of all resamples/wilson", (0.14, 0.17, 0.19)),
        (3, "curve", "binomial/wilson", (0.78, 0.87, 0.92)),
        (3, "curve", "curves/percentile", (0.92, 0.94, 0.92)),
    ],
)
def test_bars_cover_as_the_methods_page_says(committed, position, target, method, printed):
    rows = rows_of(committed, BAR_CELLS[position])
    rows = rows[(rows["target"] == target) & (rows["method"] == method)]
    p = rows["coverage"].to_numpy()
    # its cells have 600 replicates or more, and two digits
    noise = np.sqrt(np.maximum(p * (1 - p), 0.005) * (1 / 600 + 1 / rows["replicates"]))
    assert (np.abs(p - printed) <= 4 * noise + 0.005).all()


# docs/methods/averages.md, "Coverage of bars": each axis .947-.956, both .900-.910, both at Sidak's
# level .943-.957
def test_crosses_cover_as_the_methods_page_says(committed):
    rows = rows_of(committed, BAR_CELLS[11]).set_index(["method", "target"]).sort_index()
    for method, target, low, high in (
        ("binomial/wilson", "fpr", 0.947, 0.956),
        ("binomial/wilson", "tpr", 0.947, 0.956),
        ("binomial/wilson", "both", 0.900, 0.910),
        ("binomial/wilson, joint", "both", 0.943, 0.957),
    ):
        found = rows.loc[(method, target)]
        noise = 4 * np.sqrt(found["coverage"] * (1 - found["coverage"]) / found["replicates"])
        assert (found["coverage"] >= low - noise).all()
        assert (found["coverage"] <= high + noise).all()


def test_effective_bars_hold_where_binomial_ones_do_not(committed):
    for cell in BAR_CELLS:
        if cell.set not in ("folds", "single") or cell.n_neg == 20:
            continue
        rows = rows_of(committed, cell)
        rows = rows[rows["target"] == "curve"]
        coverage = rows.pivot_table(index="fpr", columns="method", values="coverage")
        noise = 3 * np.sqrt(0.95 * 0.05 / rows["replicates"].min())
        effective = coverage["bootstrap/wilson-effective-n"]
        assert (effective >= 0.94 - noise).all()
        assert (coverage["binomial/wilson"] < effective).all()


def test_truths(committed):
    cell = BAR_CELLS[0]
    # docs/methods/averages.md, "Coverage of bars": true .4636 at FPR .1; mean .521 with N = 20,
    # .4765 with N = 100, simulated
    assert cell.truth[0] == pytest.approx(0.4636, abs=5e-5)
    assert cell.mean_truth[0] == pytest.approx(0.521, abs=0.004)
    assert BAR_CELLS[1].mean_truth[0] == pytest.approx(0.4765, abs=0.004)
    rng = np.random.default_rng(3)
    means = []
    for _ in range(300):
        sample = Sample(cell.is_positive, cell.draw(rng), fold=cell.fold)
        curves = [roc_points(part.counts(0)) for _, part in sample.cases.by_fold()]
        means.append(vertical_average(curves, cell.at).mean_tpr)
    error = 4 * np.std(means, axis=0) / np.sqrt(300)
    assert (np.abs(np.mean(means, axis=0) - cell.mean_truth) <= error).all()
