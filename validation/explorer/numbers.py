"""Numbers of an explorer's views beside those of the frames: what the table holds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pandas as pd

from validation.explorer.studies import ALARMS, PREVALENCE, Case, case

TABLE = Path(__file__).parent / "numbers.csv"
STUDIES = ("masses", "lower", "ties", "groups", "clusters", "ratings", "yes_no")

# The page rounds as JavaScript does, to the last bits: sums of a few terms below 1.
PAGE = 1e-12

_LIMITS = ("estimate", "ci_low", "ci_high")
_OTHER = 0.37

Numbers = tuple[float, float, float]
"""An estimate and its limits, NaN where there is none."""


class View(NamedTuple):
    """One or two tests, each at an edge, and a prevalence."""

    study: str
    tests: tuple[str, ...]
    edges: tuple[int, ...]
    prevalence: float

    @property
    def address(self) -> str:
        """Return the address that shows the view."""
        tests = _tests(case(self.study), self.tests)
        cutoffs = (test["edges"][edge] for test, edge in zip(tests, self.edges, strict=True))
        names = ",".join(quote(name, safe="") for name in self.tests)
        return f"#p={names}&t={','.join(map(repr, cutoffs))}&prev={100 * self.prevalence:g}"


class Number(NamedTuple):
    """What a view says of a rate or a predictive value, and the frame that has it."""

    test: str
    kind: str
    quantity: str
    question: str
    values: Numbers


def views_of(name: str) -> list[View]:
    """Return the views of a study that are recorded.

    Each test at its named cutoffs, and at two others at two prevalences; pairs at their named
    cutoffs, and at others.
    """
    data = case(name).data
    found = []
    for test in data["tests"]:
        last = len(test["edges"]) - 1
        named = {preset["edge"] for preset in test["presets"]}
        found += [View(name, (test["id"],), (edge,), PREVALENCE) for edge in sorted(named)]
        others = sorted({last // 4, 3 * last // 4} - named)
        found += [
            View(name, (test["id"],), (edge,), prevalence)
            for edge, prevalence in zip(others, (PREVALENCE, _OTHER), strict=False)
        ]
    for pair in data["pairs"]:
        names = (pair["first"], pair["second"])
        keys = (pair["first_preset"], pair["second_preset"])
        edges = [
            next(preset["edge"] for preset in test["presets"] if preset["key"] == key)
            for test, key in zip(_tests(case(name), names), keys, strict=True)
        ]
        found.append(View(name, names, (edges[0], edges[1]), PREVALENCE))
        found.append(View(name, names, (0, 0), PREVALENCE))
    return list(dict.fromkeys(found))


def framed(view: View) -> Iterator[Number]:
    """Yield what frames say of a view."""
    known = case(view.study)
    tests = _tests(known, view.tests)
    if len(tests) == 1:
        yield from _single(known, tests[0], view.edges[0], view.prevalence)
    else:
        yield from _pair(known, tests, view.edges)


def shown(view: View, page: Mapping[str, Any]) -> Iterator[Number]:
    """Yield what the page says of a view: numbers of `window.rocstats.view`, in all digits."""
    if len(view.tests) == 2:
        difference = page["difference"]
        for quantity, key in (("tpr", "tpr"), ("tnr", "tnr"), ("net_benefit", "worth")):
            values = _numbers(difference[key], _KEYS)
            yield Number(" minus ".join(view.tests), difference["kind"], quantity, "", values)
        return
    (test,) = page["tests"]
    for quantity in ("tpr", "tnr"):
        values = _numbers(test[quantity], ("estimate", "low", "high"))
        yield Number(test["id"], test["kind"], quantity, "", values)
    yield Number(test["id"], test["kind"], "ppv", "", _numbers(test["positive"], _KEYS))
    # the page says how many have the condition after a negative result: 1 - npv
    after, low, high = _numbers(test["negative"], _KEYS)
    yield Number(test["id"], test["kind"], "npv", "", (1 - after, 1 - high, 1 - low))
    yield Number(test["id"], test["kind"], "net_benefit", "", _numbers(test["worth"], _KEYS))


_KEYS = ("estimate", "low", "high")


def _tests(known: Case, names: Sequence[str]) -> list[dict[str, Any]]:
    by_id = {test["id"]: test for test in known.data["tests"]}
    return [by_id[name] for name in names]


def _numbers(record: Any, keys: Sequence[str]) -> Numbers:
    first, second, third = (math.nan if record[key] is None else float(record[key]) for key in keys)
    return first, second, third


def _preset(test: Mapping[str, Any], edge: int) -> dict[str, Any] | None:
    """Return the preset of an edge: what was set before the study needs no correction."""
    here = [preset for preset in test["presets"] if preset["edge"] == edge]
    return next((one for one in here if one["kind"] == "prespecified"), here[0] if here else None)


def _single(known: Case, test: Mapping[str, Any], edge: int, prevalence: float) -> Iterator[Number]:
    preset, threshold = _preset(test, edge), test["edges"][edge]
    frame: pd.DataFrame | None
    if preset is None:
        kind, question, frame = "moved", *_moved(known, threshold, prevalence)
    elif preset["kind"] == "chosen":
        kind, question, frame = "chosen", "cutpoints", known.frames.cutpoints
    else:
        kind, question = "prespecified", "operating_points"
        frame = known.study.operating_points(threshold=threshold, prevalence=prevalence)
    rows = _rows(frame, test)
    for quantity in ("tpr", "tnr", "ppv", "npv"):
        yield Number(test["id"], kind, quantity, question, _numbers(rows.loc[quantity], _LIMITS))
    yield _worth(known, test, kind, threshold, prevalence, rows)


def _moved(known: Case, threshold: float, prevalence: float) -> tuple[str, pd.DataFrame]:
    if known.study.cluster is None:
        frame = known.study.operating_points(
            threshold=threshold, prevalence=prevalence, interval="dkw"
        )
        return "operating_points, dkw", frame
    frame = known.study.operating_points(threshold=threshold, prevalence=prevalence)
    return "operating_points, without limits", frame.assign(ci_low=math.nan, ci_high=math.nan)


def _pair(
    known: Case, tests: Sequence[Mapping[str, Any]], edges: Sequence[int]
) -> Iterator[Number]:
    name = " minus ".join(test["id"] for test in tests)
    presets = [_preset(test, edge) for test, edge in zip(tests, edges, strict=True)]
    cutoffs = [test["edges"][edge] for test, edge in zip(tests, edges, strict=True)]
    keys = [None if preset is None else preset["key"] for preset in presets]
    paired = any(
        [pair["first"], pair["second"], pair["first_preset"], pair["second_preset"]]
        == [tests[0]["id"], tests[1]["id"], *keys]
        for pair in known.data["pairs"]
    )
    if paired:
        thresholds = dict(zip((test["predictor"] for test in tests), cutoffs, strict=True))
        rows = _rows(known.study.compare_operating_points(threshold=thresholds), tests[0])
        for quantity in ("tpr", "tnr"):
            values = _numbers(rows.loc[f"{quantity}_difference"], _LIMITS)
            yield Number(name, "paired", quantity, "compare_operating_points", values)
        yield _paired_worth(known, name, tests, thresholds)
        return
    one, two = (
        _rows(known.study.operating_points(threshold=cutoff, interval="dkw"), test)
        for test, cutoff in zip(tests, cutoffs, strict=True)
    )
    differences = []
    for quantity in ("tpr", "tnr"):
        (a, a_low, a_high), (b, b_low, b_high) = (
            _numbers(rows.loc[quantity], _LIMITS) for rows in (one, two)
        )
        values = (a - b, a_low - b_high, a_high - b_low)
        differences.append(values)
        yield Number(name, "moved", quantity, "operating_points, dkw, subtracted", values)
    ill, well = _weights(PREVALENCE)
    (d1, low1, high1), (d0, low0, high0) = differences
    values = (ill * d1 + well * d0, ill * low1 + well * low0, ill * high1 + well * high0)
    yield Number(name, "moved", "net_benefit", "operating_points, dkw, subtracted", values)


def _rows(frame: pd.DataFrame | None, test: Mapping[str, Any]) -> pd.DataFrame:
    if frame is None:
        raise ValueError(f"no frame has the numbers of {test['id']}")
    rows: pd.DataFrame = frame[frame["predictor"] == test["predictor"]]
    if "group" in rows:
        rows = rows[rows["group"] == test["group"]]
    return rows.set_index("quantity")


def _weights(prevalence: float) -> tuple[float, float]:
    """Return what sensitivity and specificity count in a net benefit."""
    return prevalence, (1 - prevalence) / ALARMS


def _worth(
    known: Case,
    test: Mapping[str, Any],
    kind: str,
    threshold: float,
    prevalence: float,
    rows: pd.DataFrame,
) -> Number:
    """Return the net benefit of a cutoff, by the question that has it, or from both rates."""
    if kind == "prespecified":
        risk = 1 / (1 + ALARMS)
        cuts = {name: {risk: threshold} for name in known.study.predictors}
        frame = known.study.net_benefit(risk_threshold=risk, prevalence=prevalence, threshold=cuts)
        values = _numbers(_rows(frame, test).loc["net_benefit"], _LIMITS)
        return Number(test["id"], kind, "net_benefit", "net_benefit", values)
    ill, well = _weights(prevalence)
    tpr, tnr = (_numbers(rows.loc[quantity], _LIMITS) for quantity in ("tpr", "tnr"))
    estimate = ill * tpr[0] - well * (1 - tnr[0])
    if kind == "moved":
        low, high = (ill * tpr[end] - well * (1 - tnr[end]) for end in (1, 2))
        return Number(test["id"], kind, "net_benefit", "both corners", (estimate, low, high))
    # MOVER of the corrected rates: the terms of Zou and Donner (2008), and the correlation of the
    # observed ones in clusters.
    together = _correlation(known, test, threshold)
    ends = []
    for end, sign, bound in ((1, -1, max), (2, 1, min)):
        one, two = ill * abs(tpr[end] - tpr[0]), well * abs(tnr[end] - tnr[0])
        reach = math.sqrt(max(0.0, one**2 + two**2 - 2 * together * one * two))
        ends.append(bound(estimate + sign * reach, -well if end == 1 else ill))
    values = (estimate, ends[0], ends[1])
    return Number(test["id"], kind, "net_benefit", "cutpoints, mover", values)


def _correlation(known: Case, test: Mapping[str, Any], threshold: float) -> float:
    """Return the correlation of both rates: sums over clusters of each case's part, by hand."""
    study = known.study
    if study.cluster is None:
        return 0.0
    (score,) = study.scores
    called = score >= threshold if test["direction"] == ">=" else score <= threshold
    ill = study.is_positive
    parts = pd.DataFrame(
        {
            "tpr": (called - called[ill].mean()) * ill / ill.sum(),
            "fpr": (called - called[~ill].mean()) * ~ill / (~ill).sum(),
        }
    )
    sums = parts.groupby(study.cluster.codes).sum()
    products = (sums.T @ sums).to_numpy()
    return float(products[0, 1] / math.sqrt(products[0, 0] * products[1, 1]))


def _paired_worth(
    known: Case, name: str, tests: Sequence[Mapping[str, Any]], cuts: Mapping[str, float]
) -> Number:
    """Return the difference of net benefits at two cutoffs."""
    risk, label = 1 / (1 + ALARMS), "compare_net_benefit"
    frame = known.study.compare_net_benefit(
        risk_threshold=risk,
        prevalence=PREVALENCE,
        threshold={predictor: {risk: cut} for predictor, cut in cuts.items()},
    )
    rows = _rows(frame, tests[0])
    return Number(name, "paired", "net_benefit", label, _numbers(rows.iloc[0], _LIMITS))
