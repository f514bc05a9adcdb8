"""Answers of reader studies written down by hand: two modalities, four readers, 40 cases."""

from __future__ import annotations

import numpy as np
import pandas as pd

NAN, INF = float("nan"), float("inf")
FULL = {"range_axis": "fpr", "range_low": 0.0, "range_high": 1.0}
RANDOM = {"readers": "random", "cases": "random"}
ONE = {"readers": "fixed", "cases": "random"}
COUNTS = {"n_pos": 16, "n_neg": 24, "confidence_level": 0.95}
OR = "obuchowski-rockette-jackknife"
ATTRS = {"version": "0.2.0", "predictors": ["plain", "aided"], "groups": []}

AREAS = {
    "plain": (0.878906250, 0.843750000, 0.890625000, 0.904947917),
    "aided": (0.973958333, 0.902343750, 0.904947917, 0.843750000),
}
AVERAGES = {"plain": (0.8796, 0.7656, 0.9423, 0.0433), "aided": (0.9063, 0.7787, 0.9637, 0.0430)}


def _named(frame):
    frame.attrs["rocstats"] = dict(ATTRS)
    return frame


def stacked(frames):
    """Several answers one below the other."""
    return _named(pd.concat(frames, ignore_index=True))


def area_row(modality, reader, estimate, low, high, **more):
    row = {
        "modality": modality, "reader": reader, "quantity": "auc", "estimate": estimate,
        "ci_low": low, "ci_high": high, "se": 0.05, "df": INF, "n_readers": 1, **COUNTS,
        **(RANDOM if reader == "all" else ONE), **FULL, "method": "delong/logit-t", "note": "",
    }  # fmt: skip
    return {**row, **more}


def areas():
    """The frame of ``auc()``."""
    rows = []
    for modality, own in AREAS.items():
        for j, area in enumerate(own, start=1):
            rows.append(area_row(modality, str(j), area, area - 0.1, min(area + 0.06, 0.999)))
        mean, low, high, se = AVERAGES[modality]
        rows.append(
            area_row(
                modality,
                "all",
                mean,
                low,
                high,
                se=se,
                df=20.4,
                n_readers=4,
                method=f"{OR}/logit-t",
            )
        )
    return _named(pd.DataFrame(rows))


def difference_row(reader, estimate, low, high, p, **more):
    row = {
        "modality": "plain", "reference": "aided", "reader": reader,
        "quantity": "auc_difference",
        "estimate": estimate, "ci_low": low, "ci_high": high, "p_value": p, "p_adjusted": p,
        "se": 0.04, "statistic": -1.0, "df": INF, "df_numerator": NAN, "n_readers": 1,
        **COUNTS, "null_value": 0.0, "hypothesis": "two-sided",
        **(RANDOM if reader == "all" else ONE), **FULL,
        "method": f"{OR}/{'t' if reader == 'all' else 'wald'}", "note": "",
    }  # fmt: skip
    return {**row, **more}


def average_row(**more):
    """The difference of the averages."""
    row = difference_row("all", -0.026693, -0.125457, 0.072071, 0.510108)
    return {**row, "se": 0.037411, "statistic": -0.7135, "df": 4.5965, "n_readers": 4, **more}


def global_row(**more):
    """The test that all averages are equal."""
    row = average_row(
        statistic=0.509075, df_numerator=1.0, p_adjusted=NAN, modality="all", reference=""
    )
    row.update(
        estimate=NAN, ci_low=NAN, ci_high=NAN, se=NAN, confidence_level=NAN, method=f"{OR}/f"
    )
    return {**row, **more}


def comparison():
    """The frame of ``compare_auc()``."""
    return _named(pd.DataFrame([global_row(), average_row()]))


def by_reader():
    """The frame of ``compare_auc(by="reader")``."""
    pairs = zip(AREAS["plain"], AREAS["aided"], strict=True)
    rows = [
        difference_row(str(j), a - b, a - b - 0.08, a - b + 0.08, 0.02 * j)
        for j, (a, b) in enumerate(pairs, start=1)
    ]
    return _named(pd.DataFrame(rows))


def components():
    """The frame of ``components()``."""
    values = {
        "obuchowski-rockette": {
            "reader": -0.000567264853, "modality-x-reader": 0.001308683888,
            "error": 0.002442411456, "cov-1": 0.001355238609, "cov-2": 0.001424266056,
            "cov-3": 0.001289818374, "correlation-1": 0.554877203,
        },
        "dorfman-berbaum-metz": {"reader": -0.000567264853, "case": 0.05159273496},
    }  # fmt: skip
    counts = {"n_readers": 4, "n_pos": 16, "n_neg": 24, "method": OR, "note": ""}
    rows = [
        {"model": model, "component": name, "estimate": value, **counts}
        for model, own in values.items()
        for name, value in own.items()
    ]
    return _named(pd.DataFrame(rows))


def against_machine(machine="score"):
    """The frame of ``compare_with()``: both averages minus a machine."""
    nowhere = {"threshold": NAN, "direction": "", "reference_threshold": NAN}
    rows = [
        average_row(modality=modality, reference=machine, reference_direction="", **nowhere)
        for modality in AREAS
    ]
    frame = _named(pd.DataFrame(rows).drop(columns="df_numerator"))
    frame.attrs["rocstats"]["function"] = "reader_compare_with"
    return frame


def curves(modalities=("plain", "aided"), n_readers=4):
    """The frame of ``roc_curve()``: smooth curves of the form fpr ** power."""
    x = np.linspace(0, 1, 21)
    pieces = []
    for i, modality in enumerate(modalities):
        powers = {str(j): 0.22 / (1 + i) + 0.03 * j for j in range(1, n_readers + 1)}
        powers["all"] = float(np.mean(list(powers.values())))
        for reader, power in powers.items():
            piece = pd.DataFrame({"fpr": x, "tpr": x**power})
            pieces.append(piece.assign(modality=modality, reader=reader, threshold=NAN))
    frame = pd.concat(pieces, ignore_index=True)
    frame.attrs["rocstats"] = {**ATTRS, "predictors": list(modalities)}
    return frame


def points():
    """The frame of ``operating_points(threshold=3)``: where each reader works."""
    rows = []
    for i, modality in enumerate(AREAS):
        for j in (1, 2, 3, 4, "all"):
            place = 0.1 + 0.04 * (j if j != "all" else 2.5)
            rates = {"tpr": place ** (0.22 - 0.07 * i), "tnr": 1 - place}
            for quantity, rate in rates.items():
                row = area_row(modality, str(j), rate, rate - 0.1, min(rate + 0.1, 1.0))
                rows.append({**row, "quantity": quantity, "direction": ">=", "threshold": 3.0})
    return _named(pd.DataFrame(rows))
