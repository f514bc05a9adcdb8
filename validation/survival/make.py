"""Write the cases of survival studies: ``python validation/survival/make.py``.

The patients of ``pbc`` are read from ``r_riskregression/pbc_competing``, which comes first.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.files import ROOT, Expected, derived, read_input, write_case

FOLDER = Path(__file__).parent
COMMAND = "python validation/survival/make.py"
README = """# {title}

{text}

All rows are `derived`: digits worked out while the methods were specified, in Python and in R.
Limits of bands have quantiles of t: degrees of freedom are worked out by `make.py` from differences
of the area when the weight of a patient changes.

Source of the methods: Uno H et al. JASA 2007;102:527-37; Hung H, Chiang CT. Can J Stat
2010;38:8-26; Blanche P et al. Stat Med 2013;32:5381-97; Uno H et al. Stat Med 2011;30:1105-17.

Made by `{command}`, run from the root of the repository.
"""
# Predictor, time, estimate and standard error.
ONE_CAUSE = (
    ("s1", 8, ".490718164", ".119183881"),
    ("s2", 8, ".568498473", ".121334920"),
    ("s1", 14, ".541972213", ".120810141"),
    ("s2", 14, ".645992427", ".111920576"),
)
COMPETING = (
    ("s1", 8, ".471574488", ".118673860"),
    ("s2", 8, ".566747067", ".122353437"),
    ("s1", 14, ".477090183", ".113587160"),
    ("s2", 14, ".628161894", ".105948462"),
)
# Time and standard error of the difference.
ONE_CAUSE_DIFFERENCES = ((8, ".151433475"), (14, ".175833098"))
COMPETING_DIFFERENCES = ((8, ".151298741"), (14, ".163380839"))
# Method, predictor, estimate and standard error.
CONCORDANCES = (
    ("harrell", "s1", ".476190476", ".083379591"),
    ("harrell", "s2", ".556022409", ".076971779"),
    ("uno", "s1", ".498004459", ".087744826"),
    ("uno", "s2", ".554673916", ".081746268"),
)
PBC = (
    (1000, ".838578546", ".028709824", ".038998732"),
    (2000, ".877104284", ".022836437", ".034470656"),
    (3000, ".807940458", ".034845654", ".043994248"),
)
PBC_COMPETING = (
    (1000, ".834740631", ".029115342"),
    (2000, ".862882240", ".023681872"),
    (3000, ".781637494", ".034577582"),
)
PBC_BAND = (
    (1000, ".758914", ".895542"),
    (2000, ".812280", ".921701"),
    (3000, ".712238", ".877298"),
)

# Bilirubin above 2 at 1000 days: measure, estimate and standard error; also those of timeROC.
PBC_POINTS = (
    ("tpr", ".852749541", ".048177927"),
    ("tnr", ".705645161", ".028986784"),
    ("ppv", ".380093326", ".044380167"),
    ("npv", ".957702516", ".014662362"),
)


def full(digits: str) -> str:
    """Return digits with the 0 before the point."""
    return digits.replace(".", "0.", 1)


def both(
    question: str, where: dict[str, Any], estimate: str, se: str, **arguments: Any
) -> Iterator[Expected]:
    """Yield the rows of an estimate and its standard error."""
    yield derived(question, where, "estimate", full(estimate), **arguments)
    yield derived(question, where, "se", full(se), **arguments)


def areas(
    table: tuple[tuple[str, int, str, str], ...], differences: tuple[tuple[int, str], ...]
) -> Iterator[Expected]:
    """Yield the rows of areas at two times and their differences."""
    for name, time, estimate, se in table:
        yield from both("auc", {"predictor": name, "time": time}, estimate, se, time=[8, 14])
    for time, se in differences:
        where = {"predictor": "s1", "reference": "s2", "time": time}
        yield derived("compare_auc", where, "se", full(se), time=[8, 14])


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
    write("forty", "40 patients with tied times", "Events of a second cause count as censored.",
          study, {"time": time, "event": one, **scores}, rows)  # fmt: skip
    benefit = {"predictor": "risk", "quantity": "net_benefit"}
    asked = {"risk_threshold": 0.3, "time": 14}
    rows = list(both("net_benefit", benefit, ".231589698", ".132323694", **asked))
    risk = {"time": time, "event": one, "risk": [score / 40 for score in scores["s1"]]}
    write("forty_risk", "40 patients, of whom one score is a risk",
          "The first score over 40, as a risk of the event by 14.",
          {**study, "score": "risk"}, risk, rows)  # fmt: skip
    rows = list(areas(COMPETING, COMPETING_DIFFERENCES))
    free = {"time": 14, "controls": "event-free"}
    rows += both("auc", {"predictor": "s1"}, ".544035409", ".119313678", **free)
    write("forty_competing", "40 patients with tied times and two causes",
          "13 censored, 21 events of the first cause and 6 of the second.",
          study, {"time": time, "event": event, **scores}, rows)  # fmt: skip


def liver() -> None:
    """Write the cases of primary biliary cholangitis: transplant censored, and competing."""
    columns = read_input(ROOT / "r_riskregression" / "pbc_competing" / "input.csv")
    study: dict[str, Any] = {
        "constructor": "SurvivalStudy",
        "time": "time",
        "event": "event",
        "score": "bili",
    }
    times = [1000, 2000, 3000]
    rows = [
        row
        for time, estimate, se in PBC_COMPETING
        for row in both("auc", {"time": time}, estimate, se, time=times)
    ]
    title = "Primary biliary cholangitis"
    write("pbc_competing", f"{title}, transplant as a competing event", "312 patients, bilirubin.",
          study, columns, rows)  # fmt: skip
    study |= {"score": ["bili", "albumin"], "higher_is_positive": {"albumin": False}}
    columns = {**columns, "event": [int(code == 1) for code in columns["event"]]}
    rows = list(liver_rows(times, columns))
    write("pbc", f"{title}, transplant as censoring",
          "312 patients, 125 deaths; areas, differences, band, points, concordances of two scores.",
          study, columns, rows)  # fmt: skip


def band_of_t(columns: dict[str, list[Any]]) -> Iterator[tuple[int, str, str]]:
    """Yield the limits of the band with quantiles of t in the place of the normal one.

    The digits of ``PBC_BAND`` give the quantile c of the largest of normal variables. Degrees of
    freedom come from derivatives of the area in the weights of patients, by differences.
    """
    own = {time: (float(full(a)), float(full(se))) for time, a, se, _ in PBC}
    c = np.mean([
        (logit(float(full(high))) - logit(float(full(low))))
        / 2 / (own[time][1] / (own[time][0] * (1 - own[time][0])))
        for time, low, high in PBC_BAND
    ])  # fmt: skip
    for time, *_ in PBC_BAND:
        a, se = own[time]
        reach = stats.t.ppf(stats.norm.cdf(c), area_df(columns, time)) * se / (a * (1 - a))
        low, high = (1 / (1 + math.exp(-(logit(a) + sign * reach))) for sign in (-1, 1))
        yield time, f"{low:.5f}", f"{high:.5f}"


def logit(p: float) -> float:
    """Return log p/(1 - p)."""
    return math.log(p / (1 - p))


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
        yield derived("compare_auc", where, "se", full(apart), time=times)
    first = {"predictor": "bili", "time": 1000}
    yield derived("auc", first, "ci_low", "0.774167681", time=times, interval="logit")
    yield derived("auc", first, "ci_high", "0.887292973", time=times, interval="logit")
    for time, low, high in band_of_t(columns):
        where = {"predictor": "bili", "time": time}
        yield derived("auc_band", where, "ci_low", low, time=times)
        yield derived("auc_band", where, "ci_high", high, time=times)
    for name, estimate, se in PBC_POINTS:
        # Values have one decimal: the next one above 2.
        place: dict[str, Any] = {"threshold": {"bili": 2.1}, "time": 1000}
        yield from both("operating_points", {"quantity": name}, estimate, se, **place)
    yield from both("concordance", {"predictor": "bili"}, ".793955275", ".019651167",
                    method="harrell")  # fmt: skip
    yield from both("concordance", {"predictor": "albumin"}, ".710885306", ".025357597",
                    method="harrell")  # fmt: skip
    pair = {"predictor": "bili", "reference": "albumin"}
    yield from both("compare_concordance", pair, ".083069968", ".025962160", method="harrell")
    uno = {"method": "uno", "time_limit": 3000}
    yield from both("concordance", {"predictor": "bili"}, ".762305400", ".023533345", **uno)
    yield from both("compare_concordance", pair, ".074958050", ".029523415", **uno)


def write(
    name: str,
    title: str,
    text: str,
    study: dict[str, Any],
    columns: dict[str, Any],
    rows: list[Expected],
) -> None:
    """Write the files of one case."""
    folder = FOLDER / name
    write_case(folder, study=study, columns=columns, expected=rows, command=COMMAND, packages=())
    readme = README.format(title=title, text=text, command=COMMAND)
    (folder / "README.md").write_text(readme, encoding="utf-8")


if __name__ == "__main__":
    forty()
    liver()
