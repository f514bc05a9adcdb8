"""Ask statsmodels about four simulated samples: ``python validation/statsmodels/make.py``."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parents[2]))

from statsmodels.stats.nonparametric import rank_compare_2indep

from validation import brute_force as bf
from validation.files import ROOT, read_input, read_json
from validation.oracle_rows import clip
from validation.reference import Expected, as_limits, computed, write_case

SAMPLES = ROOT / "r_proc"
NAMES = ("continuous_24", "ties_rounded_200", "ratings_5_skewed", "few_positives_10_500")
NULL_VALUES = (0.5, 0.65)

README = """# {name}, asked of statsmodels

The sample `r_proc/{name}`. `statsmodels.stats.nonparametric.rank_compare_2indep` compares two
independent samples by their ranks: its `prob1` is the area and its `var_prob` DeLong's variance,
written as Brunner and Munzel do; its `df` are theirs, Satterthwaite's over both classes.

- area, standard error, Wald limits, statistic and p values (two-sided and one-sided, against 0.5
  and 0.65) with the normal distribution, and the degrees of freedom: as statsmodels gives them;
- limits of `logit-t`: statsmodels' three numbers put into expit(logit A -+ t se / (A (1 - A))).

All rows are `computed` and agree to a relative 1e-10.

Source: Seabold S, Perktold J. statsmodels: econometric and statistical modeling with Python. 2010;
Brunner E, Munzel U. Biom J 2000;42:17-25.
"""


def rows_of(pos: npt.NDArray[Any], neg: npt.NDArray[Any], name: str) -> Iterator[Expected]:
    """Yield what statsmodels says about one marker."""
    where = {"predictor": name}
    found = rank_compare_2indep(pos, neg, use_t=False)
    area, se = float(found.prob1), math.sqrt(found.var_prob)
    yield from computed("auc", where, {"estimate": area, "se": se})
    both = {**where, "reference": name}
    yield from computed("covariance", both, {"covariance": found.var_prob})
    for level in (0.95, 0.9):
        limits = found.conf_int(alpha=1 - level)
        yield from computed("wald_unclipped", where, as_limits(limits), confidence_level=level)
        asked: dict[str, Any] = {"interval": "wald", "confidence_level": level}
        yield from computed("auc", where, as_limits(clip(limits)), **asked)
        df = float(rank_compare_2indep(pos, neg, use_t=True).df)
        limits = bf.logit_limits(area, se, bf.t_of(level, df))
        asked = {"interval": "logit-t", "confidence_level": level}
        yield from computed("auc", where, as_limits(limits), **asked)
    for null in NULL_VALUES:
        yield from computed("auc", where, {"df": df}, interval="logit-t", null_value=null)
        for alternative, theirs in (("two-sided", "two-sided"), ("greater", "larger")):
            test = found.test_prob_superior(value=null, alternative=theirs)
            columns = {"statistic": test.statistic, "p_value": test.pvalue}
            asked = {"interval": "wald", "null_value": null, "alternative": alternative}
            yield from computed("auc", where, columns, **asked)


def write(name: str) -> None:
    """Write the case of one sample."""
    study = read_json(SAMPLES / name / "study.json")
    data = read_input(SAMPLES / name / "input.csv")
    positive = np.array(data[study["y_true"]]) == 1
    expected: list[Expected] = []
    for predictor in study["y_score"]:
        scores = np.array(data[predictor], dtype=np.float64)
        expected += rows_of(scores[positive], scores[~positive], predictor)
    write_case(
        __file__,
        name,
        study=study,
        columns=data,
        expected=expected,
        packages=("statsmodels", "numpy", "scipy"),
        readme=README.format(name=name),
    )


if __name__ == "__main__":
    for sample in NAMES:
        write(sample)
