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
from validation.files import Expected, computed, derived, write_case
from validation.oracle_rows import (
    LEVEL,
    area_rows,
    clip,
    covariance_rows,
    holm_rows,
    limit_rows,
    pair_rows,
    pair_where,
    tail,
)

FOLDER = Path(__file__).parent
COMMAND = "python validation/delong_examples/make.py"

Scores = tuple[list[float], list[float]]
D1: Scores = (
    [0.91, 0.85, 0.85, 0.77, 0.64, 0.58, 0.58, 0.41],
    [0.72, 0.64, 0.58, 0.45, 0.41, 0.33, 0.33, 0.21, 0.15, 0.08],
)
D2: Scores = (
    [0.80, 0.62, 0.71, 0.55, 0.66, 0.49, 0.30, 0.52],
    [0.60, 0.51, 0.49, 0.58, 0.35, 0.44, 0.27, 0.30, 0.19, 0.22],
)
D3: Scores = (
    [0.5, 0.9, 0.4, 0.6, 0.3, 0.8, 0.7, 0.2],
    [0.1, 0.6, 0.3, 0.5, 0.2, 0.4, 0.7, 0.55, 0.35, 0.45],
)
DELONG = """Source of the method: DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics
1988;44:837-845."""


def columns(predictors: Mapping[str, Scores]) -> dict[str, Sequence[object]]:
    """Return the columns of input.csv, positives first."""
    pos, neg = next(iter(predictors.values()))
    scores = {name: [*of_pos, *of_neg] for name, (of_pos, of_neg) in predictors.items()}
    return {"positive": [1] * len(pos) + [0] * len(neg), **scores}


def digits_of(
    question: str, where: Mapping[str, str], digits: Mapping[str, str], **arguments: object
) -> list[Expected]:
    """Return derived rows, one a column."""
    return [derived(question, where, column, text, **arguments) for column, text in digits.items()]


def digits_of_d1(where: Mapping[str, str]) -> list[Expected]:
    """Return the derived rows of the first marker."""
    rows = digits_of("auc", where, {"estimate": "0.8625000000", "se": "0.0852313611"})
    for variance, digits in (
        ("hanley-mcneil", "0.0944203095"),
        ("hanley-mcneil-data", "0.0855474101"),
        ("unbiased", "0.0806564092"),
    ):
        rows.append(derived("auc", where, "se", digits, variance=variance))
    for variance, interval, low, high in (
        ("delong", "logit", "0.6053046", "0.9624860"),
        ("delong", "probit", "0.6299886", "0.9679453"),
        ("hanley-mcneil", "logit", "0.5685051", "0.9676002"),
        ("delong", "newcombe", "0.5923846", "0.9602984"),
        ("delong", "hanley-mcneil-score", "0.5904201", "0.9621115"),
    ):
        limits = {"ci_low": low, "ci_high": high}
        rows += digits_of("auc", where, limits, variance=variance, interval=interval)
    unclipped = {"ci_low": "0.6954496", "ci_high": "1.0295504"}
    rows += digits_of("wald_unclipped", where, unclipped)
    both = {"predictor": "d1", "reference": "d1"}
    rows.append(derived("covariance", both, "covariance", "0.0072643849206"))
    against_half = {"interval": "wald", "null_value": 0.5}
    rows += digits_of("auc", where, {"statistic": "4.2531293"}, **against_half)
    student = {"interval": "logit-t", "null_value": 0.5}
    rows += digits_of("auc", where, {"df": "15.8322553"}, **student)
    return rows


def write_d1() -> None:
    """Write the first marker alone."""
    where = {"predictor": "d1"}
    pairs = bf.Pairs.of(*D1)
    if bf.jackknife(pairs) != bf.delong(pairs):
        raise ValueError("DeLong's variance must be the jackknife's")
    write_case(
        FOLDER / "d1",
        study={"y_true": "positive", "y_score": "d1"},
        columns=columns({"d1": D1}),
        expected=[*digits_of_d1(where), *area_rows(pairs, where)],
        command=COMMAND,
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
    rows = digits_of("compare_auc", where, difference)
    for a, b, digits in (
        ("d1", "d1", "0.00726438492063"),
        ("d2", "d2", "0.01041418650794"),
        ("d1", "d2", "0.00525545634921"),
    ):
        rows.append(derived("covariance", pair_where(a, b), "covariance", digits))
    for null, statistic, p in ((-0.2, "2.8052719", "0.0025137"), (-0.1, "1.624105", "0.0521767")):
        answer = {"statistic": statistic, "p_value": p}
        rows += digits_of("compare_auc", where, answer, alternative="greater", null_value=null)
    for null, p in ((0.2, "0.0274671"), (0.1, "0.2301875")):
        rows += digits_of("compare_auc", where, {"p_value": p}, alternative="less", null_value=null)
    limits = {"ci_low": "-0.101757", "ci_high": "0.176757"}
    rows += digits_of("compare_auc", where, limits, confidence_level=0.9)
    return rows


def write_d1_d2() -> None:
    """Write two markers on the same cases."""
    predictors = {"d1": bf.Pairs.of(*D1), "d2": bf.Pairs.of(*D2)}
    one, two = predictors.values()
    variance = bf.delong(one) + bf.delong(two) - 2 * bf.delong(one, two)
    areas = (float(one.area), float(two.area))
    write_case(
        FOLDER / "d1_d2",
        study={"y_true": "positive", "y_score": ["d1", "d2"]},
        columns=columns({"d1": D1, "d2": D2}),
        expected=[
            *digits_of_d1_d2(pair_where("d1", "d2")),
            *pair_rows(("d1", "d2"), areas, float(variance)),
            *covariance_rows(predictors),
        ],
        command=COMMAND,
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
    predictors = {name: bf.Pairs.of(*scores) for name, scores in data.items()}
    names = list(combinations(predictors, 2))
    rows, p_values = [], []
    for a, b in names:
        one, two = predictors[a], predictors[b]
        variance = bf.delong(one) + bf.delong(two) - 2 * bf.delong(one, two)
        rows += list(pair_rows((a, b), (float(one.area), float(two.area)), float(variance)))
        statistic = float(one.area - two.area) / math.sqrt(variance)
        p_values.append(2 * tail(abs(statistic), math.inf))
    chi2 = float(global_chi2(predictors))
    everyone = {"predictor": "all"}
    for column, value in (("statistic", chi2), ("df", 2.0), ("p_value", math.exp(-chi2 / 2))):
        rows.append(computed("test_equal_auc", everyone, column, value))
    answer = {"statistic": "2.5805222878", "p_value": "0.2751989072"}
    rows += digits_of("test_equal_auc", everyone, answer)
    for (a, b), z, p, holm in zip(
        names,
        ("0.4429377", "1.2803740", "0.8014692"),
        ("0.6578108", "0.200414", "0.4228600"),
        ("0.8457201", "0.6012409", "0.8457201"),
        strict=True,
    ):
        answer = {"statistic": z, "p_value": p, "p_adjusted": holm}
        rows += digits_of("compare_auc", pair_where(a, b), answer)
    for name, digits in (("d1", "0.8625"), ("d2", "0.8250"), ("d3", "0.6625")):
        rows.append(derived("auc", {"predictor": name}, "estimate", digits))
    write_case(
        FOLDER / "d1_d2_d3",
        study={"y_true": "positive", "y_score": list(data)},
        columns=columns(data),
        expected=[*rows, *holm_rows(names, p_values), *covariance_rows(predictors)],
        command=COMMAND,
    )


def write_d1_d2_unpaired() -> None:
    """Write the two markers as if measured on different cases."""
    one, two = bf.Pairs.of(*D1), bf.Pairs.of(*D2)
    parts = [*bf.delong_parts(one, one), *bf.delong_parts(two, two)]
    df = float(bf.satterthwaite(parts, (7, 9, 7, 9)))
    difference, se = float(one.area - two.area), math.sqrt(sum(parts, Fraction()))
    where = {"predictor": "marker", "group": "first", "reference": "second"}
    asked = {"across": "groups"}
    rows = digits_of("compare_auc", where, {"statistic": "0.2820380374"}, **asked)
    for column, value in (
        ("estimate", difference),
        ("se", se),
        ("statistic", difference / se),
        ("df", df),
        ("p_value", 2 * tail(difference / se, df)),
    ):
        rows.append(computed("compare_auc", where, column, value, **asked))
    limits = clip(bf.wald_limits(difference, se, bf.t_of(LEVEL, df)), -1.0, 1.0)
    rows += limit_rows("compare_auc", where, limits, **asked)
    first, second = columns({"marker": D1}), columns({"marker": D2})
    data = {name: [*first[name], *second[name]] for name in first}
    write_case(
        FOLDER / "d1_d2_unpaired",
        study={"y_true": "positive", "y_score": "marker", "group": "group"},
        columns={**data, "group": ["first"] * 18 + ["second"] * 18},
        expected=rows,
        command=COMMAND,
    )


def perfect_rows(m: int, n: int) -> Iterator[Expected]:
    """Yield the limits of m positives that all outrank n negatives."""
    where = {"predictor": "score", "group": f"{m}/{n}"}
    z = bf.z_of(LEVEL)
    newcombe = bf.score_limits(1.0, m, n, z, bf.newcombe)
    yield from limit_rows("auc", where, newcombe)
    yield from limit_rows("auc", where, newcombe, interval="wald")
    score = bf.score_limits(1.0, m, n, z, bf.hanley_mcneil)
    yield from limit_rows("auc", where, score, interval="hanley-mcneil-score")
    exact = (((1 - LEVEL) / 2) ** (1 / min(m, n)), 1.0)
    yield from limit_rows("auc", where, exact, interval="exact")
    one_sided = {"interval": "exact", "alternative": "greater"}
    yield computed("auc", where, "ci_low", (1 - LEVEL) ** (1 / min(m, n)), **one_sided)


def write_perfect() -> None:
    """Write samples of several sizes in which the area is 1."""
    sizes = [(5, 5), (10, 10), (20, 20), (50, 50), (8, 10), (10, 50)]
    newcombe = ["0.6427028", "0.8002136", "0.8986681", "0.9603443", "0.7776378", "0.8804399"]
    rows = [row for m, n in sizes for row in perfect_rows(m, n)]
    for (m, n), digits in zip(sizes, newcombe, strict=True):
        where = {"predictor": "score", "group": f"{m}/{n}"}
        rows.append(derived("auc", where, "estimate", "1.0000000000"))
        rows.append(derived("auc", where, "ci_low", digits))
    for group, digits in (("8/10", "0.7698916"), ("10/50", "0.8409437")):
        where = {"predictor": "score", "group": group}
        rows.append(derived("auc", where, "ci_low", digits, interval="hanley-mcneil-score"))
    where = {"predictor": "score", "group": "10/10"}
    rows.append(derived("auc", where, "ci_low", "0.6915029", interval="exact"))
    one_sided = {"interval": "exact", "alternative": "greater"}
    rows.append(derived("auc", where, "ci_low", "0.7411344", **one_sided))
    cases = [
        (positive, score, f"{m}/{n}")
        for m, n in sizes
        for positive, size in ((1, m), (0, n))
        for score in (10 * positive + i / 10 for i in range(size))
    ]
    write_case(
        FOLDER / "perfect",
        study={"y_true": "positive", "y_score": "score", "group": "group"},
        columns=dict(zip(("positive", "score", "group"), zip(*cases, strict=True), strict=True)),
        expected=rows,
        command=COMMAND,
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
        FOLDER / "all_resamples",
        study={"y_true": "positive", "y_score": "score"},
        columns=columns({"score": (pos, neg)}),
        expected=area_rows(pairs, where),
        command=COMMAND,
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
    where, se, z = {"predictor": "score"}, math.sqrt(variance), bf.z_of(LEVEL)
    of_influence = math.sqrt(bf.ledell(pairs))
    asked = {"variance": "ledell", "interval": "wald"}
    rows = [
        derived("auc", where, "se", ledell_digits, **asked),
        computed("auc", where, "se", of_influence, **asked),
        *limit_rows("auc", where, clip(bf.wald_limits(float(area), of_influence, z)), **asked),
        *digits_of("auc", where, digits),
        computed("auc", where, "estimate", float(area)),
        computed("auc", where, "se", se),
        *limit_rows("auc", where, bf.logit_limits(float(area), se, z), interval="logit"),
        *limit_rows("wald_unclipped", where, bf.wald_limits(float(area), se, z)),
    ]
    cases = [
        (int(label), score, fold)
        for fold, scores in enumerate(folds, start=1)
        for label, of_class in ((True, scores[0]), (False, scores[1]))
        for score in of_class
    ]
    write_case(
        FOLDER / name,
        study={"y_true": "positive", "y_score": "score", "fold": "fold"},
        columns=dict(zip(("positive", "score", "fold"), zip(*cases, strict=True), strict=True)),
        expected=rows,
        command=COMMAND,
    )


def write_strata() -> None:
    """Write two markers of the cases of two centres, compared inside the centres."""
    in_first = ({0, 2, 5}, {1, 2, 4, 6, 7, 9})

    def of_centre(marker: Scores, *, first: bool) -> bf.Pairs:
        pos, neg = (
            [score for i, score in enumerate(of_class) if (i in inside) == first]
            for of_class, inside in zip(marker, in_first, strict=True)
        )
        return bf.Pairs.of(pos, neg)

    areas, variance = [Fraction(), Fraction()], [Fraction(), Fraction(), Fraction()]
    for first, share in ((True, Fraction(18, 38)), (False, Fraction(20, 38))):
        one, two = (of_centre(marker, first=first) for marker in (D1, D2))
        areas = [total + share * pairs.area for total, pairs in zip(areas, (one, two), strict=True)]
        parts = (bf.delong(one), bf.delong(two), bf.delong(one, two))
        variance = [total + share**2 * part for total, part in zip(variance, parts, strict=True)]
    rows = []
    for name, area, own in zip(("d1", "d2"), areas, variance, strict=False):
        where, value, se = {"predictor": name}, float(area), math.sqrt(own)
        limits = bf.logit_limits(value, se, bf.z_of(LEVEL))
        rows += [computed("stratified_auc", where, "estimate", value)]
        rows += [computed("stratified_auc", where, "se", se)]
        rows += limit_rows("stratified_auc", where, limits, interval="logit")
    difference = float(variance[0] + variance[1] - 2 * variance[2])
    both = (float(areas[0]), float(areas[1]))
    rows += pair_rows(("d1", "d2"), both, difference, question="compare_stratified_auc")
    centre = [
        "first" if i in inside else "second"
        for of_class, inside in zip(D1, in_first, strict=True)
        for i in range(len(of_class))
    ]
    write_case(
        FOLDER / "d1_d2_strata",
        study={"y_true": "positive", "y_score": ["d1", "d2"], "group": "centre"},
        columns={**columns({"d1": D1, "d2": D2}), "centre": centre},
        expected=rows,
        command=COMMAND,
    )


def main() -> None:
    """Write all cases."""
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


if __name__ == "__main__":
    main()
