"""Ask dcurves about simulated risks: ``python validation/net_benefit/make_dcurves.py``.

It needs the package dcurves (Python), which this repository does not install.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.reference import Expected, computed, write_case

dca = import_module("dcurves").dca

THRESHOLDS = [k / 100 for k in (1, 2, 5, 8, 10, 15, 20, 25, 30, 35, 40, 50, 60, 75, 90, 99)]
NAMES = {"model": "model", "rounded": "rounded", "all": "treat-all"}
QUANTITIES = {
    "net_benefit": "net_benefit",
    "net_intervention_avoided": "interventions_avoided",
}
README = """# Two simulated risks, asked of dcurves

300 cases, a calibrated risk and another one rounded to two digits, so that scores tie with risk
thresholds. The Python package dcurves gives the net benefits of both and of treating all at 16 risk
thresholds, in the prevalence of the cases and at a known one of .1, and the interventions avoided
(`net_intervention_avoided`, a case). It has no standard errors. All rows are
`computed` and agree to a relative 1e-10.

Source: Vickers AJ, Elkin EB. Med Decis Making 2006;26:565-74; Sjoberg DD et al., dcurves.
"""


def simulated() -> pd.DataFrame:
    """Return outcomes and both risks."""
    rng = np.random.Generator(np.random.PCG64(20061126))
    x = rng.standard_normal(300)
    risk = 1 / (1 + np.exp(1.5 - 1.2 * x))
    y = (rng.random(300) < risk).astype(int)
    other = np.round(1 / (1 + np.exp(1.2 - 0.8 * (x + rng.standard_normal(300)))), 2)
    return pd.DataFrame({"y": y, "model": np.round(risk, 9), "rounded": other})


def rows_of(data: pd.DataFrame, prevalence: float | None) -> Iterator[Expected]:
    """Yield what dcurves says."""
    found = dca(
        data=data, outcome="y", modelnames=["model", "rounded"], thresholds=THRESHOLDS,
        prevalence=prevalence,
    )  # fmt: skip
    asked: dict[str, Any] = {"risk_threshold": THRESHOLDS}
    asked |= {} if prevalence is None else {"prevalence": prevalence}
    for row in found.to_dict("records"):
        if row["model"] not in NAMES:
            continue
        where = {"predictor": NAMES[row["model"]], "risk_threshold": row["threshold"]}
        for column, quantity in QUANTITIES.items():
            if row["model"] == "all" and quantity != "net_benefit":
                continue
            value = float(row[column])
            if not math.isfinite(value):
                raise ValueError(f"{column} of {where} is {value}")
            at = {**where, "quantity": quantity}
            yield from computed("net_benefit", at, {"estimate": value}, **asked)


def main() -> None:
    """Write the case."""
    data = simulated()
    expected = [row for pi in (None, 0.1) for row in rows_of(data, pi)]
    write_case(
        __file__,
        "dcurves",
        study={"y_true": "y", "y_score": ["model", "rounded"]},
        columns={str(name): data[name].tolist() for name in data},
        expected=expected,
        packages=("dcurves", "numpy", "pandas"),
        readme=README,
    )


if __name__ == "__main__":
    main()
