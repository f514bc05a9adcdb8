"""Make the small worked examples: ``python validation/delong_examples/make.py``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from validation import brute_force as bf
from validation.oracle_rows import (
    LEVEL,
    area_rows,
    clip,
    covariance_rows,
    estimate_rows,
    holm_rows,
    pair_rows,
    pair_where,
    perfect_rows,
    tail,
)
from validation.reference import (
    D1,
    D2,
    Expected,
    Y,
    as_columns,
    as_limits,
    by_class,
    computed,
    derived,
    write_case,
)

D3 = [
    *[0.5, 0.9, 0.4, 0.6, 0.3, 0.8, 0.7, 0.2],
    *[0.1, 0.6, 0.3, 0.5, 0.2, 0.4, 0.7, 0.55, 0.35, 0.45],
]
Scores = tuple[list[float], list[float]]
"""Scores of the positives, and of the negatives."""


def pairs_of(marker: Sequence[float]) -> bf.Pairs:
    """Return the kernel of one of the worked markers."""
    return bf.Pairs.of(*by_class(marker))


def digits_of_d1(where: Mapping[str, str]) -> list[Expected]:
    """Return the derived rows of the first marker."""
    rows = derived("auc", where, {"estimate": "0.8625000000", "se": "0.0852313611"})
    for variance, digits in (
        ("hanley-mcneil", "0.0944203095"),
        ("hanley-mcneil-data", "0.0855474101"),
        ("unbiased", "0.0806564092"),
    ):
        rows += derived("auc", where, {"se": digits}, variance=variance)
    for variance, interval, *limits in (
        ("delong", "logit", "0.6053046", "0.9624860"),
        ("delong", "probit", "0.6299886", "0.9679453"),
        ("hanley-mcneil", "logit", "0.5685051", "0.9676002"),
        ("delong", "newcombe", "0.5923846", "0.9602984"),
        ("delong", "hanley-mcneil-score", "0.5904201", "0.9621115"),
    ):
        asked = {"variance": variance, "interval": interval}
        rows += derived("auc", where, as_limits(limits), **asked)
    rows += derived("wald_unclipped", where, as_limits(("0.6954496", "1.0295504")))
    both = {"predictor": "d1", "reference": "d1"}
    rows += derived("covariance", both, {"covariance": "0.0072643849206"})
    against_half = {"interval": "wald", "null_value": 0.5}
    rows += derived("auc", where, {"statistic": "4.2531293"}, **against_half)
    student = {"interval": "logit-t", "null_value": 0.5}
    rows += derived("auc", where, {"df": "15.8322553"}, **student)
    return rows


def write_d1() -> None:
    """Write the first marker alone."""
    where = {"predictor": "d1"}
    pairs = pairs_of(D1)
    if bf.jackknife(pairs) != bf.delong(pairs):
        raise ValueError("DeLong's variance must be the jackknife's")
    write_case(
        __file__,
        "d1",
        study={"y_true": "positive", "y_score": "d1"},
        columns={"positive": Y, "d1": D1},
        expected=[*digits_of_d1(where), *area_rows(pairs, where)],
    )


def digits_of_d1_d2(where: Mapping[str, str]) -> list[Expected]:
    """Return the derived rows of the difference of two markers."""
    difference = {
        "estimate": "0.0375000000",
        "statistic": "0.4429376611",
        "p_value": "0.6578108257",
        "ci_low": "-0.1284345228",
        "ci_high": "0.2034345228",
    }
    wald = {"interval": "wald"}
    rows = derived("compare_auc", where, difference, **wald)
    for a, b, digits in (
        ("d1", "d1", "0.00726438492063"),
        ("d2", "d2", "0.01041418650794"),
        ("d1", "d2", "0.00525545634921"),
    ):
        rows += derived("covariance", pair_where(a, b), {"covariance": digits})
    for null, statistic, p in ((-0.2, "2.8052719", "0.0025137"), (-0.1, "1.624105", "0.0521767")):
        answer = {"statistic": statistic, "p_value": p}
        asked = {**wald, "alternative": "greater", "null_value": null}
        rows += derived("compare_auc", where, answer, **asked)
    for null, p in ((0.2, "0.0274671"), (0.1, "0.2301875")):
        asked = {**wald, "alternative": "less", "null_value": null}
        rows += derived("compare_auc", where, {"p_value": p}, **asked)
    limits = as_limits(("-0.101757", "0.176757"))
    rows += derived("compare_auc", where, limits, **wald, confidence_level=0.9)
    return rows


def t_rows(one: bf.Pairs, two: bf.Pairs, where: Mapping[str, str]) -> Iterator[Expected]:
    """Yield the t test and limits of a difference, Satterthwaite's df over both classes."""
    own, other, both = (bf.delong_parts(*pair) for pair in ((one, one), (two, two), (one, two)))
    parts = [a + b - 2 * c for a, b, c in zip(own, other, both, strict=True)]
    df = float(bf.satterthwaite(parts, (one.m - 1, one.n - 1)))
    difference, se = float(one.area - two.area), math.sqrt(sum(parts, Fraction()))
    yield from computed("compare_auc", where, {"df": df, "p_value": 2 * tail(difference / se, df)})
    for level in (LEVEL, 0.9):
        limits = clip(bf.wald_limits(difference, se, bf.t_of(level, df)), -1.0, 1.0)
        yield from computed("compare_auc", where, as_limits(limits), confidence_level=level)


def mover_rows(one: bf.Pairs, two: bf.Pairs, where: Mapping[str, str]) -> Iterator[Expected]:
    """Yield MOVER limits from logit t limits of both areas and their correlation."""
    areas, own = [], []
    for pairs in (one, two):
        parts = bf.delong_parts(pairs, pairs)
        t = bf.t_of(LEVEL, float(bf.satterthwaite(parts, (pairs.m - 1, pairs.n - 1))))
        areas.append(float(pairs.area))
        own.append(bf.logit_limits(areas[-1], math.sqrt(bf.delong(pairs)), t))
    (a1, a2), ((l1, u1), (l2, u2)) = areas, own
    r = float(bf.delong(one, two)) / math.sqrt(bf.delong(one) * bf.delong(two))

    def reach(x: float, y: float) -> float:
        return math.sqrt(x * x - 2 * r * x * y + y * y)

    limits = (a1 - a2 - reach(a1 - l1, u2 - a2), a1 - a2 + reach(u1 - a1, a2 - l2))
    yield from computed("compare_auc", where, as_limits(limits), interval="mover")
    asked = {"hypothesis": "non-inferiority", "margin": 0.1}
    yield from computed("compare_auc", where, as_limits(limits), **asked)
    # At a null value on the limit the test has the p value of the level.
    at_limit = {"interval": "mover", "null_value": limits[0]}
    yield from computed("compare_auc", where, {"statistic": bf.z_of(LEVEL)}, **at_limit)


def write_d1_d2() -> None:
    """Write two markers on the same cases."""
    predictors = {"d1": pairs_of(D1), "d2": pairs_of(D2)}
    one, two = predictors.values()
    write_case(
        __file__,
        "d1_d2",
        study={"y_true": "positive", "y_score": ["d1", "d2"]},
        columns={"positive": Y, "d1": D1, "d2": D2},
        expected=[
            *digits_of_d1_d2(pair_where("d1", "d2")),
            *pair_rows(("d1", "d2"), (one.area, two.area), bf.delong_difference(one, two)),
            *t_rows(one, two, pair_where("d1", "d2")),
            *mover_rows(one, two, pair_where("d1", "d2")),
            *covariance_rows(predictors),
        ],
    )


def global_chi2(predictors: Mapping[str, bf.Pairs]) -> Fraction:
    """Return d' C^-1 d of the two successive differences of three areas, C written out."""
    of = list(predictors.values())
    s = [[bf.delong(one, two) for two in of] for one in of]
    c11 = s[0][0] + s[1][1] - 2 * s[0][1]
    c22 = s[1][1] + s[2][2] - 2 * s[1][2]
    c12 = s[0][1] - s[0][2] - s[1][1] + s[1][2]
    d1, d2 = of[0].area - of[1].area, of[1].area - of[2].area
    return (d1 * d1 * c22 - 2 * d1 * d2 * c12 + d2 * d2 * c11) / (c11 * c22 - c12 * c12)


def write_d1_d2_d3() -> None:
    """Write three markers on the same cases."""
    data = {"d1": D1, "d2": D2, "d3": D3}
    predictors = {name: pairs_of(scores) for name, scores in data.items()}
    names = list(combinations(predictors, 2))
    rows: list[Expected] = []
    p_values = []
    for a, b in names:
        one, two = predictors[a], predictors[b]
        variance = bf.delong_difference(one, two)
        rows += pair_rows((a, b), (one.area, two.area), variance)
        statistic = float(one.area - two.area) / math.sqrt(variance)
        p_values.append(2 * bf.normal_tail(abs(statistic)))
    chi2 = float(global_chi2(predictors))
    everyone = {"predictor": "all"}
    test = {"statistic": chi2, "df": 2, "p_value": math.exp(-chi2 / 2)}
    rows += computed("test_equal_auc", everyone, test)
    answer = {"statistic": "2.5805222878", "p_value": "0.2751989072"}
    rows += derived("test_equal_auc", everyone, answer)
    for (a, b), z, p, holm in zip(
        names,
        ("0.4429377", "1.2803740", "0.8014692"),
        ("0.6578108", "0.200414", "0.4228600"),
        ("0.8457201", "0.6012409", "0.8457201"),
        strict=True,
    ):
        answer = {"statistic": z, "p_value": p, "p_adjusted": holm}
        rows += derived("compare_auc", pair_where(a, b), answer, interval="wald")
    for name, digits in (("d1", "0.8625"), ("d2", "0.8250"), ("d3", "0.6625")):
        rows += derived("auc", {"predictor": name}, {"estimate": digits})
    write_case(
        __file__,
        "d1_d2_d3",
        study={"y_true": "positive", "y_score": list(data)},
        columns={"positive": Y, **data},
        expected=[*rows, *holm_rows(names, p_values), *covariance_rows(predictors)],
    )


def write_d1_d2_unpaired() -> None:
    """Write the two markers as if measured on different cases."""
    one, two = pairs_of(D1), pairs_of(D2)
    parts = [*bf.delong_parts(one, one), *bf.delong_parts(two, two)]
    df = float(bf.satterthwaite(parts, (7, 9, 7, 9)))
    difference, se = float(one.area - two.area), math.sqrt(sum(parts, Fraction()))
    where = {"predictor": "marker", "group": "first", "reference": "second"}
    asked = {"across": "groups"}
    t = difference / se
    answer = {"estimate": difference, "se": se, "statistic": t, "df": df}
    answer["p_value"] = 2 * tail(t, df)
    limits = clip(bf.wald_limits(difference, se, bf.t_of(LEVEL, df)), -1.0, 1.0)
    write_case(
        __file__,
        "d1_d2_unpaired",
        study={"y_true": "positive", "y_score": "marker", "group": "group"},
        columns={
            "positive": Y * 2,
            "marker": D1 + D2,
            "group": ["first"] * 18 + ["second"] * 18,
        },
        expected=[
            *derived("compare_auc", where, {"statistic": "0.2820380374"}, **asked),
            *computed("compare_auc", where, {**answer, **as_limits(limits)}, **asked),
        ],
    )


def write_perfect() -> None:
    """Write samples of several sizes in which the area is 1."""
    sizes = [(5, 5), (10, 10), (20, 20), (50, 50), (8, 10), (10, 50)]
    newcombe = ["0.6427028", "0.8002136", "0.8986681", "0.9603443", "0.7776378", "0.8804399"]
    one_sided = {"interval": "exact", "alternative": "greater"}
    rows: list[Expected] = []
    for m, n in sizes:
        where = {"predictor": "score", "group": f"{m}/{n}"}
        low = {"ci_low": (1 - LEVEL) ** (1 / min(m, n))}
        rows += [*perfect_rows(m, n, where), *computed("auc", where, low, **one_sided)]
    for (m, n), digits in zip(sizes, newcombe, strict=True):
        where = {"predictor": "score", "group": f"{m}/{n}"}
        rows += derived("auc", where, {"estimate": "1.0000000000", "ci_low": digits})
    for group, digits in (("8/10", "0.7698916"), ("10/50", "0.8409437")):
        where = {"predictor": "score", "group": group}
        rows += derived("auc", where, {"ci_low": digits}, interval="hanley-mcneil-score")
    where = {"predictor": "score", "group": "10/10"}
    rows += derived("auc", where, {"ci_low": "0.6915029"}, interval="exact")
    rows += derived("auc", where, {"ci_low": "0.7411344"}, **one_sided)
    cases = [
        (positive, score, f"{m}/{n}")
        for m, n in sizes
        for positive, size in ((1, m), (0, n))
        for score in (10 * positive + i / 10 for i in range(size))
    ]
    write_case(
        __file__,
        "perfect",
        study={"y_true": "positive", "y_score": "score", "group": "group"},
        columns=as_columns(("positive", "score", "group"), cases),
        expected=rows,
    )


def write_enumerated() -> None:
    """Write a sample so small that all its resamples can be listed."""
    pos, neg = [3.0, 5.0, 5.0], [1.0, 3.0, 4.0, 5.0]
    areas = [
        bf.Pairs.of(some_pos, some_neg).area
        for some_pos in product(pos, repeat=3)
        for some_neg in product(neg, repeat=4)
    ]
    mean = sum(areas, Fraction()) / len(areas)
    variance = sum(((a - mean) ** 2 for a in areas), Fraction()) / len(areas)
    pairs, where = bf.Pairs.of(pos, neg), {"predictor": "score"}
    if mean != pairs.area or variance != bf.bootstrap(pairs):
        raise ValueError("the listed resamples must have the closed form's mean and variance")
    write_case(
        __file__,
        "all_resamples",
        study={"y_true": "positive", "y_score": "score"},
        columns={"positive": [1] * 3 + [0] * 4, "score": pos + neg},
        expected=area_rows(pairs, where),
    )


def write_folds(
    name: str,
    folds: Sequence[Scores],
    digits: Mapping[str, str],
    ledell_digits: str,
) -> None:
    """Write a cross-validated area: the mean of the folds' areas."""
    pairs = [bf.Pairs.of(*scores) for scores in folds]
    area = sum((p.area for p in pairs), Fraction()) / len(folds)
    variance = sum((bf.delong(p) for p in pairs), Fraction()) / len(folds) ** 2
    where, z = {"predictor": "score"}, bf.z_of(LEVEL)
    estimate, se, of_influence = float(area), math.sqrt(variance), math.sqrt(bf.ledell(pairs))
    by_influence = as_limits(clip(bf.wald_limits(estimate, of_influence, z)))
    asked = {"variance": "ledell", "interval": "wald"}
    rows = [
        *derived("auc", where, {"se": ledell_digits}, **asked),
        *computed("auc", where, {"se": of_influence, **by_influence}, **asked),
        *derived("auc", where, digits),
        *estimate_rows("auc", where, estimate, se),
        *computed("wald_unclipped", where, as_limits(bf.wald_limits(estimate, se, z))),
    ]
    cases = [
        (int(label), score, fold)
        for fold, scores in enumerate(folds, start=1)
        for label, of_class in ((True, scores[0]), (False, scores[1]))
        for score in of_class
    ]
    write_case(
        __file__,
        name,
        study={"y_true": "positive", "y_score": "score", "fold": "fold"},
        columns=as_columns(("positive", "score", "fold"), cases),
        expected=rows,
    )


def write_strata() -> None:
    """Write two markers of the cases of two centres, compared inside the centres."""
    first = {0, 2, 5, 9, 10, 12, 14, 15, 17}
    centre = ["first" if i in first else "second" for i in range(len(Y))]

    def of_centre(marker: Sequence[float], name: str) -> bf.Pairs:
        inside = [(s, y) for s, y, c in zip(marker, Y, centre, strict=True) if c == name]
        return bf.Pairs.of([s for s, y in inside if y], [s for s, y in inside if not y])

    areas, variance = [Fraction(), Fraction()], [Fraction(), Fraction(), Fraction()]
    for name, share in (("first", Fraction(18, 38)), ("second", Fraction(20, 38))):
        one, two = (of_centre(marker, name) for marker in (D1, D2))
        areas = [total + share * pairs.area for total, pairs in zip(areas, (one, two), strict=True)]
        parts = (bf.delong(one), bf.delong(two), bf.delong_difference(one, two))
        variance = [total + share**2 * part for total, part in zip(variance, parts, strict=True)]
    rows: list[Expected] = []
    for name, area, own in zip(("d1", "d2"), areas, variance, strict=False):
        where = {"predictor": name}
        rows += estimate_rows("stratified_auc", where, float(area), math.sqrt(own))
    both = (areas[0], areas[1])
    rows += pair_rows(("d1", "d2"), both, variance[2], question="compare_stratified_auc")
    write_case(
        __file__,
        "d1_d2_strata",
        study={"y_true": "positive", "y_score": ["d1", "d2"], "group": "centre"},
        columns={"positive": Y, "d1": D1, "d2": D2, "centre": centre},
        expected=rows,
    )


if __name__ == "__main__":
    write_d1()
    write_d1_d2()
    write_d1_d2_d3()
    write_d1_d2_unpaired()
    write_perfect()
    write_strata()
    write_enumerated()
    write_folds(
        "folds",
        [([0.9, 0.8, 0.35], [0.6, 0.3, 0.2, 0.55]), ([0.7, 0.4, 0.65], [0.5, 0.1, 0.45])],
        {"estimate": "0.8055555556", "se": "0.1571348403"},
        "0.1302250429",
    )
    write_folds(
        "folds_ties",
        [([0.9, 0.8, 0.35], [0.6, 0.35, 0.2, 0.55]), ([0.7, 0.4, 0.65], [0.65, 0.1, 0.45])],
        {"estimate": "0.7569444444"},
        "0.1351857006",
    )
