"""Reader studies in the harness: their constructors, and an analysis from published tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import rocstats as rs
from rocstats.estimate.readers import (
    Effect,
    ReaderEstimate,
    ReaderTable,
    modality_difference,
    modality_test,
    or_components,
    reader_average,
    reader_difference,
)

Columns = Mapping[str, Sequence[Any]]


def viper(data: Columns) -> rs.ReaderStudy:
    """Return the shipped study with a machine, whose ratings by case are the data."""
    machine = dict(zip(data["case"], data["machine"], strict=True))
    reads = rs.load_viper().assign(machine=lambda frame: frame["case"].map(machine))
    roles: dict[str, Any] = {name: name for name in ("reader", "case", "modality", "machine")}
    return rs.ReaderStudy("truth", "rating", data=reads, **roles)


def table_of(data: Columns) -> ReaderTable:
    """Return the areas of readers, and a covariance that has the published means.

    A row of the data is a reader under a modality: the area, the mean variance and covariance
    (``cov2``) of the modality, those (``cov1``) of the reader, and ``cov3`` of the study.
    """
    frame = pd.DataFrame(data)
    t, r = frame["modality"].nunique(), frame["reader"].nunique()
    # Rows are modality by modality, readers in one order.
    cells = {str(name): frame[name].to_numpy(float).reshape(t, r) for name in frame}
    sigma = np.full((t, r, t, r), float(frame["cov3"].iloc[0]))
    of_modality, of_reader = cells["variance_of_modality"], cells["variance_of_reader"]
    variance = of_modality + of_reader - of_modality.mean()
    for i, j in np.ndindex(t, r):
        sigma[i, j, :, j] = cells["cov1"][i, j]
        sigma[i, j, i] = cells["cov2"][i, j]
        sigma[i, j, i, j] = variance[i, j]
    return ReaderTable(cells["auc"], sigma.reshape(t * r, t * r))


def or_analysis(data: Columns, *, readers: Effect, cases: Effect) -> pd.DataFrame:
    """Return averages, differences and the global test from published areas and covariances."""
    table = table_of(data)
    return pd.DataFrame(_rows(table, readers, cases))


def or_variances(data: Columns) -> pd.DataFrame:
    """Return the variance components from published areas and covariances."""
    components = or_components(table_of(data))
    return pd.DataFrame({"component": list(components), "estimate": list(components.values())})


def _rows(table: ReaderTable, readers: Effect, cases: Effect) -> Iterator[dict[str, Any]]:
    t, r = table.theta.shape
    test = modality_test(table, readers, cases)
    total = test.df * test.statistic
    yield {"modality": "all", "reference": "", "reader": "all", "chi_square": total, **_f(test)}
    for i in range(t):
        yield _row(f"{i + 1}", "", "all", reader_average(table, i, readers, cases))
    for i, k in combinations(range(t), 2):
        names = f"{i + 1}", f"{k + 1}"
        yield _row(*names, "all", modality_difference(table, i, k, readers, cases))
        if readers == "fixed":
            for j in range(r):
                yield _row(*names, f"{j + 1}", reader_difference(table, i, k, j))


def _f(test: Any) -> dict[str, float]:
    return {"statistic": test.statistic, "df": test.df_denominator, "p_value": test.p_value}


def _row(modality: str, reference: str, reader: str, found: ReaderEstimate) -> dict[str, Any]:
    se = float(np.sqrt(found.variance))
    half = stats.t.ppf(0.975, found.df) * se
    return {
        "modality": modality,
        "reference": reference,
        "reader": reader,
        "estimate": found.value,
        "se": se,
        "df": found.df,
        "statistic": found.value / se,
        "p_value": 2 * float(stats.t.sf(abs(found.value) / se, found.df)),
        "ci_low": found.value - half,
        "ci_high": found.value + half,
    }


CONSTRUCTORS: dict[str, Callable[..., Any]] = {
    "ReaderStudy": lambda data, **keywords: rs.ReaderStudy(data=data, **keywords),
    "viper": viper,
}
QUESTIONS: dict[str, Callable[..., pd.DataFrame]] = {
    "or_analysis": or_analysis,
    "or_variances": or_variances,
}
