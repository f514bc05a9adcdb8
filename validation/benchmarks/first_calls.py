"""The first call of every question, each in a fresh process with a study of 1000 cases.

A first call pays for what the question imports at its first use; the second call shows what the
question costs by itself. CPU milliseconds are those of a machine whose np.argsort of 10^6 normal
scores takes 28 ms, by the argsort of the same process. Run alone to see the modules too:
``python -m validation.benchmarks.first_calls``.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from validation.benchmarks.calls import UNIT, N
from validation.benchmarks.data import SEED
from validation.benchmarks.results import SORT_MS, Gate, Result
from validation.benchmarks.timing import printed_by

TOPIC = "the first call of a fresh process, the study made"
AGAIN = "the second call of a fresh process"
REPEATS = 5
_HEAVY = ("scipy", "statsmodels", "matplotlib", "tqdm", "narwhals", "jinja2", "rocstats")

ONE = {
    "auc": "auc()",
    "auc_bounds": "auc_bounds()",
    "auc_draws": "auc_draws(rng=1)",
    "average_precision": "average_precision()",
    "band_likelihood_ratios": "band_likelihood_ratios(edges=[0, 0.5, 1])",
    "binormal": "binormal()",
    "binormal_curve": "binormal_curve()",
    "bootstrap": "bootstrap(lambda y, score: float(score[y].mean()), n_resamples=100, rng=1)",
    "by_group": "by_group()",
    "cost_curve": "cost_curve()",
    "cutpoint_draws": "cutpoint_draws(rng=1)",
    "cutpoints": "cutpoints(rng=1)",
    "det_curve": "det_curve()",
    "grey_zone": "grey_zone((0, 1))",
    "lift_curve": "lift_curve()",
    "operating_points": "operating_points(threshold=0.5)",
    "operating_points, rate": "operating_points(fpr=0.1, rng=1)",
    "operating_points_versus_random": "operating_points_versus_random(threshold=0.5)",
    "optimal_points": "optimal_points(cost_fp=1, cost_fn=2)",
    "pr_band": "pr_band(prevalence=0.2, rng=1)",
    "pr_curve": "pr_curve()",
    "random_band": "random_band()",
    "random_points": "random_points(rng=1)",
    "roc_average": "roc_average()",
    "roc_band": "roc_band(rng=1)",
    "roc_band, joint": "roc_band('joint')",
    "roc_curve": "roc_curve()",
    "roc_hull": "roc_hull()",
    "stratified_auc": "stratified_auc()",
    "test_performance_goals": "test_performance_goals(threshold=0.5, tpr=0.7, tnr=0.7)",
    "versus_random": "versus_random()",
}
"""Questions about one predictor."""

RISKS = {
    "calibration": "calibration()",
    "calibration_band": "calibration_band()",
    "calibration_curve": "calibration_curve()",
    "mean_net_benefit": "mean_net_benefit(risk_threshold=(0.4, 0.8))",
    "net_benefit": "net_benefit(risk_threshold=0.5)",
    "net_benefit_band": "net_benefit_band(risk_threshold=(0.4, 0.8), rng=1)",
    "probability_scores": "probability_scores()",
}
"""Questions about one predictor whose scores are risks."""

TWO = {
    "compare_average_precision": "compare_average_precision()",
    "compare_auc": "compare_auc()",
    "compare_auc, single-step": "compare_auc(adjust='single-step')",
    "compare_auc, margin": "compare_auc(hypothesis='non-inferiority', margin=0.05)",
    "compare_costs": "compare_costs(cost_fp=1, cost_fn=2, rng=1)",
    "compare_curves": "compare_curves(rng=1)",
    "compare_operating_points": "compare_operating_points(threshold=0.5)",
    "compare_stratified_auc": "compare_stratified_auc()",
    "cost_difference_band": "cost_difference_band(rng=1)",
    "lc_index": "lc_index(low=0.2, mode=0.3, high=0.5, rng=1)",
    "roc_average_difference": "roc_average_difference()",
    "roc_difference_band": "roc_difference_band(rng=1)",
    "superiority_curve": "superiority_curve()",
    "test_equal_auc": "test_equal_auc()",
    "test_equal_groups": "test_equal_groups()",
}
"""Questions that compare predictors, or groups."""

TWO_RISKS = {
    "compare_net_benefit": "compare_net_benefit(risk_threshold=0.5)",
    "compare_probability_scores": "compare_probability_scores()",
}
"""Questions that compare predictors whose scores are risks."""

QUESTIONS = {**ONE, **RISKS, **TWO, **TWO_RISKS}
SLOWER = {"compare_auc, single-step"}
"""Questions without a bound: the first call imports ``scipy.stats``."""

_CODE = """
import json, sys, time, warnings
import numpy as np
import rocstats
warnings.simplefilter("ignore")
def cpu(task, times=1):
    begin = time.process_time()
    for _ in range(times):
        task()
    return (time.process_time() - begin) / times
rng = np.random.default_rng({seed})
y = rng.integers(0, 2, {n})
shared = rng.standard_normal({n})
scores = [y + np.sqrt(0.5) * (shared + rng.standard_normal({n})) for _ in range(2)]
risks = [1 / (1 + np.exp(-score)) for score in scores]
roles = {roles}
study = rocstats.Study(y, {scores}, **roles)
known = set(sys.modules)
first = cpu(lambda: study.{call})
new = sorted(set(sys.modules) - known)
again = rocstats.Study(y, {scores}, **roles)
second = cpu(lambda: again.{call})
normal = rng.standard_normal(10**6)
unit = cpu(lambda: np.argsort(normal), 3)
print(json.dumps({{"first": first, "second": second, "unit": unit, "new": new}}))
"""
_ROLES = {
    "stratified_auc": "{'group': np.arange(1000) % 2}",
    "compare_stratified_auc": "{'group': np.arange(1000) % 2}",
    "test_equal_groups": "{'group': np.arange(1000) % 2}",
    "by_group": "{'group': np.arange(1000) % 2}",
    "roc_average": "{'fold': np.arange(1000) % 5}",
    "roc_average_difference": "{'fold': np.arange(1000) % 5}",
}


class FirstCall(NamedTuple):
    """Milliseconds of the first and second call of a question, and the modules it imported."""

    first: float
    second: float
    modules: list[str]


def first_call(name: str) -> FirstCall:
    """Time a question in a fresh process."""
    given = "risks" if name in RISKS or name in TWO_RISKS else "scores"
    one = name in ONE or name in RISKS
    code = _CODE.format(
        call=QUESTIONS[name],
        scores=f"{given}[0]" if one else f"{{'a': {given}[0], 'b': {given}[1]}}",
        roles=_ROLES.get(name, "{}"),
        n=N,
        seed=SEED,
    )
    found: dict[str, Any] = json.loads(printed_by(code))
    unit = found["unit"] / SORT_MS
    return FirstCall(found["first"] / unit, found["second"] / unit, found["new"])


def fresh_name(name: str) -> str:
    """Return what results and gates call what a first call takes more than the second."""
    return f"{name}, first call beyond the second"


# The bound of a first call, 60 ms, is one on what it imports and makes once: questions that draw
# thousands of resamples take longer than that each time, as their second call shows.
FIRST_GATES = tuple(Gate(fresh_name(name), N, 60.0) for name in QUESTIONS if name not in SLOWER)


def first_cases() -> Iterator[Result]:
    """Time the first and the second call of every question, each in fresh processes."""
    for name in QUESTIONS:
        found = [first_call(name) for _ in range(REPEATS)]
        measured = {
            fresh_name(name): (TOPIC, [call.first - call.second for call in found]),
            f"{name}, second call": (AGAIN, [call.second for call in found]),
        }
        for what, (topic, ms) in measured.items():
            ratio = statistics.median(ms)
            yield Result(topic, what, N, "continuous, calls", ratio, UNIT, REPEATS, clock="CPU")


def main() -> None:
    """Print the milliseconds of each question, and the packages that its first call imports."""
    for name in sys.argv[1:] or QUESTIONS:
        found = first_call(name)
        packages = sorted({".".join(m.split(".")[:2]) for m in found.modules if "._" not in m})
        print(f"{name:32} {found.first:8.1f} {found.second:8.1f}  {len(found.modules):4}", end=" ")
        print(" ".join(p for p in packages if p.split(".")[0] in _HEAVY))


if __name__ == "__main__":
    main()
