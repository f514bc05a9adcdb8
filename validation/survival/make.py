"""Write the cases of survival studies: ``python validation/survival/make.py``.

The patients of ``pbc`` are read from ``r_riskregression/pbc_competing``, which comes first.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.brute_force import logit
from validation.files import ROOT, read_input
from validation.reference import Expected, as_limits, derived, write_case

NOTES = """
All rows are `derived`: digits worked out while the methods were specified, in Python and in R.
Limits of bands have quantiles of t: degrees of freedom are worked out by `make.py` from differences
of the area when the weight of a patient changes.

Source of the methods: Uno H et al. JASA 2007;102:527-37; Hung H, Chiang CT. Can J Stat
2010;38:8-26; Blanche P et al. Stat Med 2013;32:5381-97; Uno H et al. Stat Med 2011;30:1105-17.
"""
# Predictor, time, estimate and standard error.
ONE_CAUSE = (
    ("s1", 8, "0.490718164", "0.119183881"),
    ("s2", 8, "0.568498473", "0.121334920"),
    ("s1", 14, "0.541972213", "0.120810141"),
    ("s2", 14, "0.645992427", "0.111920576"),
)
COMPETING = (
    ("s1", 8, "0.471574488", "0.118673860"),
    ("s2", 8, "0.566747067", "0.122353437"),
    ("s1", 14, "0.477090183", "0.113587160"),
    ("s2", 14, "0.628161894", "0.105948462"),
)
# Time and standard error of the difference.
ONE_CAUSE_DIFFERENCES = ((8, "0.151433475"), (14, "0.175833098"))
COMPETING_DIFFERENCES = ((8, "0.151298741"), (14, "0.163380839"))
# Method, predictor, estimate and standard error.
CONCORDANCES = (
    ("harrell", "s1", "0.476190476", "0.083379591"),
    ("harrell", "s2", "0.556022409", "0.076971779"),
    ("uno", "s1", "0.498004459", "0.087744826"),
    ("uno", "s2", "0.554673916", "0.081746268"),
)
PBC = (
    (1000, "0.838578546", "0.028709824", "0.038998732"),
    (2000, "0.877104284", "0.022836437", "0.034470656"),
    (3000, "0.807940458", "0.034845654", "0.043994248"),
)
PBC_COMPETING = (
    (1000, "0.834740631", "0.029115342"),
    (2000, "0.862882240", "0.023681872"),
    (3000, "0.781637494", "0.034577582"),
)
PBC_BAND = (
    (1000, "0.758914", "0.895542"),
    (2000, "0.812280", "0.921701"),
    (3000, "0.712238", "0.877298"),
)

# Bilirubin above 2 at 1000 days: measure, estimate and standard error; also those of timeROC.
PBC_POINTS = (
    ("tpr", "0.852749541", "0.048177927"),
    ("tnr", "0.705645161", "0.028986784"),
    ("ppv", "0.380093326", "0.044380167"),
    ("npv", "0.957702516", "0.014662362"),
)


def both(
    question: str, where: dict[str, Any], estimate: str, se: str, **arguments: Any
) -> list[Expected]:
    """Return the rows of an estimate and its standard error."""
    return derived(question, where, {"estimate": estimate, "se": se}, **arguments)


def areas(
    table: tuple[tuple[str, int, str, str], ...], differences: tuple[tuple[int, str], ...]
) -> Iterator[Expected]:
    """Yield the rows of areas at two times and their differences."""
    for name, time, estimate, se in table:
        yield from both("auc", {"predictor": name, "time": time}, estimate, se, time=[8, 14])
    for time, se in differences:
        where = {"predictor": "s1", "reference": "s2", "time": time}
        yield from derived("compare_auc", where, {"se": se}, time=[8, 14])


def forty() -> None:
    """Write the cases of 40 patients: one cause, and with a second one."""
    k = range(1, 41)
    time = [math.ceil(((37 * i) % 41) / 2) for i in k]
    event = [0 if 11 * i % 3 == 0 else 2 if 13 * i % 5 == 0 else 1 for i in k]
    scores = {
        "s1": [(50 - t) / 4 + 17 * i % 23 for i, t in zip(k, time, strict=True)],
        "s2": [(50 - t) / 3 + 29 * i % 19 for i, t in zip(k, time, strict=True)],
    }
    study: dict[str, Any] = {"constructor": "SurvivalStudy", "time": "time", "event": "event"}
    study |= {"score": ["s1", "s2"]}
    one = [int(code == 1) for code in event]
    rows = list(areas(ONE_CAUSE, ONE_CAUSE_DIFFERENCES))
    for method, name, estimate, se in CONCORDANCES:
        limit = {"time_limit": 14} if method == "uno" else {}
        where = {"predictor": name}
        rows += both("concordance", where, estimate, se, method=method, **limit)
    text = "# 40 patients with tied times\n\nEvents of a second cause count as censored."
    write("forty", text, study, {"time": time, "event": one, **scores}, rows)
    benefit = {"predictor": "risk", "quantity": "net_benefit"}
    asked = {"risk_threshold": 0.3, "time": 14}
    rows = both("net_benefit", benefit, "0.231589698", "0.132323694", **asked)
    risk = {"time": time, "event": one, "risk": [score / 40 for score in scores["s1"]]}
    text = """# 40 patients, of whom one score is a risk

The first score over 40, as a risk of the event by 14."""
    write("forty_risk", text, {**study, "score": "risk"}, risk, rows)
    rows = list(areas(COMPETING, COMPETING_DIFFERENCES))
    free = {"time": 14, "controls": "event-free"}
    rows += both("auc", {"predictor": "s1"}, "0.544035409", "0.119313678", **free)
    text = """# 40 patients with tied times and two causes

13 censored, 21 events of the first cause and 6 of the second."""
    write("forty_competing", text, study, {"time": time, "event": event, **scores}, rows)


def liver() -> None:
    """Write the cases of primary biliary cholangitis: transplant censored, and competing."""
    columns = read_input(ROOT / "r_riskregression" / "pbc_competing" / "input.csv")
    study: dict[str, Any] = {"constructor": "SurvivalStudy", "time": "time", "event": "event"}
    times = [1000, 2000, 3000]
    rows = [
        row
        for time, estimate, se in PBC_COMPETING
        for row in both("auc", {"time": time}, estimate, se, time=times)
    ]
    text = """# Primary biliary cholangitis, transplant as a competing event

312 patients, bilirubin."""
    write("pbc_competing", text, {**study, "score": "bili"}, columns, rows)
    study |= {"score": ["bili", "albumin"], "higher_is_positive": {"albumin": False}}
    columns = {**columns, "event": [int(code == 1) for code in columns["event"]]}
    text = """# Primary biliary cholangitis, transplant as censoring

312 patients, 125 deaths; areas, differences, band, points, concordances of two scores."""
    write("pbc", text, study, columns, liver_rows(times, columns))


def band_of_t(columns: dict[str, list[Any]]) -> Iterator[tuple[int, str, str]]:
    """Yield the limits of the band with quantiles of t in the place of the normal one.

    The digits of ``PBC_BAND`` give the quantile c of the largest of normal variables. Degrees of
    freedom come from derivatives of the area in the weights of patients, by differences.
    """
    own = {time: (float(a), float(se)) for time, a, se, _ in PBC}
    c = np.mean([
        (logit(float(high)) - logit(float(low)))
        / 2 / (own[time][1] / (own[time][0] * (1 - own[time][0])))
        for time, low, high in PBC_BAND
    ])  # fmt: skip
    for time, *_ in PBC_BAND:
        a, se = own[time]
        reach = stats.t.ppf(stats.norm.cdf(c), area_df(columns, time)) * se / (a * (1 - a))
        low, high = (1 / (1 + math.exp(-(logit(a) + sign * reach))) for sign in (-1, 1))
        yield time, f"{low:.5f}", f"{high:.5f}"


def area_df(columns: dict[str, list[Any]], at: float) -> float:
    """Return Satterthwaite's df of cases, controls and others."""
    time, event, score = (
        np.array(columns[name], dtype=float) for name in ("time", "event", "bili")
    )

    lost_at = np.unique(time[event == 0])

    def area(weight: Any) -> tuple[float, Any]:
        factors = [1.0]
        for s in lost_at:
            lost = weight[(event == 0) & (time == s)].sum()
            risk = weight[(time > s) | ((time == s) & (event == 0))].sum()
            factors.append(1 - lost / risk)
        # Just before the time of an event by t; at t of who is followed longer.
        before = np.searchsorted(lost_at, time, side="left")
        passed = np.where(time <= at, before, np.searchsorted(lost_at, at, side="right"))
        free = np.cumprod(factors)[passed]
        case, control = (time <= at) & (event == 1), time > at
        a, b = np.where(case, weight / free, 0), np.where(control, weight / free, 0)
        wins = (score[:, None] > score) + (score[:, None] == score) / 2
        return float(a @ wins @ b / (a.sum() * b.sum())), (case, control, 1 / free)

    plain = np.ones(len(time))
    _, (case, control, inverse) = area(plain)
    step, slopes = 1e-4, []
    for k in range(len(time)):
        moved = [area(plain + sign * step * (np.arange(len(time)) == k))[0] for sign in (-1, 1)]
        slopes.append((moved[1] - moved[0]) / (2 * step))
    squares = np.square(slopes)
    above = below = 0.0
    for side in (case, control, ~(case | control)):
        w = inverse[side] if (side & (case | control)).any() else plain[side]
        part = squares[side].sum()
        number = (w**2).sum() ** 2 / (w**4).sum()
        above, below = above + part, below + part**2 / (number - 1)
    return float(above**2 / below)


def liver_rows(times: list[int], columns: dict[str, list[Any]]) -> Iterator[Expected]:
    """Yield the rows about deaths."""
    for time, estimate, se, apart in PBC:
        where: dict[str, Any] = {"predictor": "bili", "time": time}
        yield from both("auc", where, estimate, se, time=times)
        where = {**where, "reference": "albumin"}
        yield from derived("compare_auc", where, {"se": apart}, time=times)
    first = {"predictor": "bili", "time": 1000}
    limits = as_limits(("0.774167681", "0.887292973"))
    yield from derived("auc", first, limits, time=times, interval="logit")
    for time, *ends in band_of_t(columns):
        where = {"predictor": "bili", "time": time}
        yield from derived("auc_band", where, as_limits(ends), time=times)
    for name, estimate, se in PBC_POINTS:
        # Values have one decimal: the next one above 2.
        place: dict[str, Any] = {"threshold": {"bili": 2.1}, "time": 1000}
        yield from both("operating_points", {"quantity": name}, estimate, se, **place)
    bili, albumin = {"predictor": "bili"}, {"predictor": "albumin"}
    pair = {"predictor": "bili", "reference": "albumin"}
    harrell, uno = {"method": "harrell"}, {"method": "uno", "time_limit": 3000}
    yield from both("concordance", bili, "0.793955275", "0.019651167", **harrell)
    yield from both("concordance", albumin, "0.710885306", "0.025357597", **harrell)
    yield from both("compare_concordance", pair, "0.083069968", "0.025962160", **harrell)
    yield from both("concordance", bili, "0.762305400", "0.023533345", **uno)
    yield from both("compare_concordance", pair, "0.074958050", "0.029523415", **uno)


def write(
    name: str,
    text: str,
    study: Mapping[str, Any],
    columns: Mapping[str, Any],
    expected: Iterable[Expected],
) -> None:
    """Write the files of one case."""
    write_case(
        __file__,
        name,
        study=study,
        columns=columns,
        expected=expected,
        packages=(),
        readme=f"{text}\n{NOTES}",
    )


if __name__ == "__main__":
    forty()
    liver()
