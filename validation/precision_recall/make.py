"""Write the cases of average precision: ``python validation/precision_recall/make.py``.

Areas by their definitions, influence values by complex steps: a function of the weights of the
cases, its imaginary part at a weight of 1 + 1e-30 i is 1e-30 times the derivative to the last bit.
Nothing is taken from the package.
"""

from __future__ import annotations

import cmath
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sklearn.metrics import average_precision_score

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation.brute_force import z_of
from validation.reference import (
    D1,
    D2,
    Expected,
    Y,
    agree,
    as_limits,
    computed,
    derived,
    write_case,
)

STEP = 1e-30
NOTES = """
`computed` rows are by definition: precision at each distinct score, the interpolated curve by the
logarithm of its integral, influence values by complex steps in the weights. Estimates of average
precision equal scikit-learn's, at another prevalence with `sample_weight`. `derived` rows are
digits worked out while the methods were specified.

Source: Davis and Goadrich (2006), Keilwagen, Grosse and Grau (2014), by the definitions.
"""
# Prevalence (None: that of a cohort), estimate and se of D1; then of D1 - D2.
DERIVED = (
    (8 / 18, "0.841208791", "0.086089453", "0.011960956", "0.080921965"),
    (None, "0.841208791", "0.098415291", "0.011960956", "0.078212102"),
    (0.1, "0.616132579", None, "0.005586750", None),
)
Prevalence = float | None
Weights = Sequence[complex]


def rates(
    y: Sequence[int], score: Sequence[float], weight: Weights
) -> list[tuple[complex, complex]]:
    """Return recall and false positive rate at each distinct score, the highest first."""
    m, n = (sum(w for w, v in zip(weight, y, strict=True) if v == side) for side in (1, 0))
    points = []
    for cut in sorted(set(score), reverse=True):
        called = [(w, v) for w, v, s in zip(weight, y, score, strict=True) if s >= cut]
        tp, fp = (sum(w for w, v in called if v == side) for side in (1, 0))
        points.append((tp / m, fp / n))
    return points


def area(
    quantity: str, y: Sequence[int], score: Sequence[float], weight: Weights, pi: complex
) -> complex:
    """Return an area under the precision-recall curve of weighted cases at a prevalence."""
    total, before = 0j, (0j, 0j)
    for t, f in rates(y, score, weight):
        t0, f0 = before
        a, b = pi * t0, pi * t0 + (1 - pi) * f0
        da, db = pi * t - a, pi * t + (1 - pi) * f - b
        if quantity == "average_precision" or before == (0, 0):
            precision = (a + da) / (b + db)
        else:
            # The mean of (a + x da)/(b + x db) over x from 0 to 1.
            log = cmath.log(1 + db / b)
            precision = da / db + (a - b * da / db) * log / db
        total += (t - t0) * precision
        before = (t, f)
    return total


def influence(
    quantity: str, y: Sequence[int], score: Sequence[float], prevalence: Prevalence
) -> tuple[float, list[float]]:
    """Return an area, and its derivative in the weight of each case."""
    size = len(y)
    value, slopes = 0.0, []
    for i in range(size):
        weight = [1 + STEP * 1j * (j == i) for j in range(size)]
        pi: complex = prevalence or 0.0
        if prevalence is None:
            pi = sum(w for w, v in zip(weight, y, strict=True) if v) / sum(weight)
        found = area(quantity, y, score, weight, pi)
        value = found.real
        slopes.append(found.imag / STEP)
    return value, slopes


def parts(values: Sequence[float], y: Sequence[int], prevalence: Prevalence) -> list[float]:
    """Return the parts of the variance of the positives and of the negatives.

    They are sums of squared influence values, of the classes or of all cases.
    """
    found = []
    for side in (1, 0):
        own = [v for v, label in zip(values, y, strict=True) if label == side]
        size = len(y) if prevalence is None else len(own)
        found.append(size / (size - 1) * math.fsum(v * v for v in own))
    return found


def degrees(values: Sequence[float], y: Sequence[int]) -> list[float]:
    """Return the degrees of freedom of the parts, from how unequal squared values are."""
    found = []
    for side in (1, 0):
        own = [v for v, label in zip(values, y, strict=True) if label == side]
        second, fourth = (math.fsum(v**power for v in own) for power in (2, 4))
        found.append(min(2 / (fourth / second**2 - 1 / len(own)), len(own) - 1))
    return found


def has_limits(y: Sequence[int], prevalence: Prevalence) -> bool:
    """Return whether the negatives are as many as those of a cohort of the prevalence."""
    if prevalence is None:
        return True
    return (len(y) - sum(y)) * prevalence >= sum(y) * (1 - prevalence) * (1 - 1e-12)


def rows_of(
    y: Sequence[int], scores: dict[str, Sequence[float]], prevalence: Prevalence
) -> Iterator[Expected]:
    """Yield the rows of a prevalence."""
    asked = {} if prevalence is None else {"prevalence": prevalence}
    names = list(scores)
    for quantity in ("average_precision", "pr_auc"):
        found = {name: influence(quantity, y, score, prevalence) for name, score in scores.items()}
        for name, (value, slopes) in found.items():
            if quantity == "average_precision":
                agree(value, f"{by_sklearn(y, scores[name], prevalence):.12f}")
            where = {"predictor": name, "quantity": quantity}
            yield from computed("average_precision", where, {"estimate": value}, **asked)
            if not has_limits(y, prevalence):
                continue
            se = math.sqrt(sum(parts(slopes, y, prevalence)))
            yield from computed("average_precision", where, {"se": se}, **asked)
            reach = z_of(0.95) * se / (value * (1 - value))
            odds = math.log(value / (1 - value))
            limits = as_limits(1 / (1 + math.exp(-(odds + sign * reach))) for sign in (-1, 1))
            yield from computed("average_precision", where, limits, interval="logit", **asked)
        (a, first), (b, second) = (found[name] for name in names)
        gap = [one - other for one, other in zip(first, second, strict=True)]
        where = {"predictor": names[0], "reference": names[1]}
        more = {"quantity": quantity, **asked}
        name = "compare_average_precision"
        yield from computed(name, where, {"estimate": a - b}, **more)
        if not has_limits(y, prevalence):
            continue
        v, f = parts(gap, y, prevalence), degrees(gap, y)
        se = math.sqrt(sum(v))
        df = (v[0] + v[1]) ** 2 / (v[0] ** 2 / f[0] + v[1] ** 2 / f[1])
        test = {"se": se, "statistic": (a - b) / se, "df": df}
        yield from computed(name, where, test, **more)


def by_sklearn(y: Sequence[int], score: Sequence[float], prevalence: Prevalence) -> float:
    """Return the average precision of scikit-learn."""
    weight = [1.0] * len(y)
    if isinstance(prevalence, float):
        times = sum(y) * (1 - prevalence) / (prevalence * (len(y) - sum(y)))
        weight = [1.0 if label else times for label in y]
    return float(average_precision_score(y, score, sample_weight=weight))


def d1_d2() -> None:
    """Write the case of two small predictors."""
    expected: list[Expected] = []
    first, pair = {"predictor": "a", "quantity": "average_precision"}, {"predictor": "a"}
    for prevalence, estimate, se, gap, gap_se in DERIVED:
        asked = {} if prevalence is None else {"prevalence": prevalence}
        expected += rows_of(Y, {"a": D1, "b": D2}, prevalence)
        expected += [
            *derived("average_precision", first, {"estimate": estimate}, **asked),
            *derived("compare_average_precision", pair, {"estimate": gap}, **asked),
        ]
        if se is not None and gap_se is not None:
            expected += [
                *derived("average_precision", first, {"se": se}, **asked),
                *derived("compare_average_precision", pair, {"se": gap_se}, **asked),
            ]
    text = """# Two predictors of eighteen cases

The worked data of docs/methods/index.md, with ties."""
    write("d1_d2", text, {"y": Y, "a": D1, "b": D2}, expected)


def c120() -> None:
    """Write the case of 120 cases, 12 of them positive, with ties of 1 to 9 cases."""
    k = range(1, 121)
    y = [int((7 * i) % 10 == 0) for i in k]
    a = [((37 * i) % 41 + 12 * label) // 2 for i, label in zip(k, y, strict=True)]
    b = [(53 * i) % 97 + 25 * label for i, label in zip(k, y, strict=True)]
    expected = [row for p in (None, 0.02, 0.1, 0.3) for row in rows_of(y, {"a": a, "b": b}, p)]
    text = """# Two predictors of a rare condition

Whole-number scores of 12 positives and 108 negatives, with ties of up to nine cases."""
    write("c120", text, {"y": y, "a": a, "b": b}, expected)


def write(
    name: str, text: str, columns: Mapping[str, Sequence[object]], expected: list[Expected]
) -> None:
    """Write one case."""
    write_case(
        __file__,
        name,
        study={"y_true": "y", "y_score": ["a", "b"]},
        columns=columns,
        expected=expected,
        packages=("scikit-learn",),
        readme=f"{text}\n{NOTES}",
    )


if __name__ == "__main__":
    d1_d2()
    c120()
