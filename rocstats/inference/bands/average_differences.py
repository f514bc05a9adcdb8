"""Differences of fold-averaged ROC curves of predictors on the same folds, with error bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

import numpy as np
import pandas as pd

from rocstats.errors import require_choice, require_open_interval
from rocstats.frames.questions import ESTIMATE, Question, estimate_columns
from rocstats.inference.bands.fold_differences import (
    DifferenceBarKind,
    FoldDifferences,
    compare_curves_of_folds,
    fold_curves,
    undefined_differences,
)
from rocstats.inference.bands.options import require_bars, require_compared, require_folds
from rocstats.inference.estimates.answers import answer_rows, class_sizes
from rocstats.inference.estimates.contrasts import index_pairs
from rocstats.inference.estimates.randomness import (
    RngLike,
    enough_valid_resamples,
    plan_draws,
)
from rocstats.inference.estimates.undefined import lacks_class
from rocstats.sample.arrays import FloatArray
from rocstats.sample.base import row_codes
from rocstats.sample.counts.clusters import clusters_span_folds
from rocstats.sample.inputs.points.rates import read_common_rates, require_samples
from rocstats.sample.sample import Sample, require_fold_classes
from rocstats.stats.bands.averages.records import average_bars
from rocstats.stats.resampling.curves.averages import average_covariance
from rocstats.stats.resampling.streams import ResamplePlan

ROC_AVERAGE_DIFFERENCE = Question(
    "roc_average_difference",
    estimate_columns(
        f"predictor reference group kind quantity fpr {ESTIMATE} n_pos n_neg "
        "n_curves n_resamples method note"
    ),
    ("fawcett-2004", "zou-2008", "newcombe-1998", "nadeau-2003"),
)


class _Request(NamedTuple):
    """Bars, places, level and resamples of the differences."""

    bars: DifferenceBarKind
    fpr: FloatArray
    confidence_level: float
    draws: ResamplePlan


def roc_average_difference(
    sample: Sample,
    *,
    bars: DifferenceBarKind = "effective",
    reference: str | None = None,
    at: float | Sequence[float] | None = None,
    n_samples: int = 11,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    progress: bool = False,
) -> pd.DataFrame:
    """Return differences of vertically averaged curves; a row is one pair at one FPR.

    Parameters
    ----------
    bars : {"effective", "t"}, default "effective"
        Source of the limits.

        - "effective": the effective bars of both averages, with the correlation of shared
          resamples; for these curves on new cases.
        - "t": the spread of the differences over the folds; in part also that of training sets.
    reference : str, optional
        Predictor to compare all others with; default: every pair, earlier minus later.
    at : float or sequence of float, optional
        False positive rates in [0, 1].
    n_samples : int >= 2, default 11
        Without ``at``, how many rates, evenly spaced from 0 to 1.
    confidence_level : float in (0, 1), default 0.95
        Two-sided coverage of the interval at one rate.
    n_resamples : int >= 100, default 2000
        Number of resamples of effective bars.
    rng : int, SeedSequence, Generator or None
        Source of the resamples; the frame records one integer that repeats them.
    progress : bool, default False
        Whether to show a bar for resampling that takes over two seconds.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, reference, [group], kind, quantity, fpr, estimate, ci_low, ci_high, se,
        n_pos, n_neg, confidence_level, n_curves, n_resamples, method, note``. ``quantity`` is
        "tpr": the estimate is the mean true positive rate of the predictor minus that of the
        reference.

    Raises
    ------
    InputError
        If the study has no folds or fewer than two predictors, a fold lacks a class, an argument is
        not possible, or ``bars`` is "t" and clusters span folds.

    Warns
    -----
    StatisticalWarning
        Once a study for each doubt in ``note``, such as under 50 negatives in a curve
        (``few-negatives-per-curve``).

    Notes
    -----
    D(t) is the mean over K folds of R_1i(t) - R_2i(t), both predictors on the same cases. With the
    effective limits (l, u) of each average p (see ``roc_average``) and the correlation phi of both
    over shared resamples, the lower limit is D - sqrt((p1 - l1)^2 - 2 phi (p1 - l1)(u2 - p2)
    + (u2 - p2)^2), the upper one likewise; phi is 0 where the resampled difference does not vary
    (note ``no-paired-spread``). Resamples are of the cases of each class in each fold, or of whole
    clusters. "t": D -+ t(K - 1) s/sqrt(K); where the differences of
    all folds are alike, Newcombe's limits from Wilson's of both averages, as if unpaired.

    The limits hold at a rate chosen beforehand, not at all rates together. They are about these
    curves on new cases: what another training set would change is in "t" only, and there too
    little, since folds of a cross-validation share training cases. There is no difference by
    threshold: a threshold of one predictor means nothing on the scale of another.

    References
    ----------
    - Fawcett (2004), section 6 [fawcett-2004]
    - Zou & Donner (2008), limits of a difference from those of its parts [zou-2008]
    - Newcombe (1998), limits of a difference from those of its parts [newcombe-1998]
    - Nadeau & Bengio (2003), variance over folds [nadeau-2003]

    Examples
    --------
    >>> import numpy as np
    >>> import rocstats as rs
    >>> rng = np.random.default_rng(1)
    >>> y = np.tile([1, 0], 250)
    >>> scores = {"net": y + rng.normal(size=500), "svm": rng.normal(size=500)}
    >>> study = rs.Study(y, scores, fold=np.repeat(range(5), 100))
    >>> frame = study.roc_average_difference(at=[0.5], rng=1)
    >>> bool(frame["ci_low"].iloc[0] > 0)
    True
    """
    ROC_AVERAGE_DIFFERENCE.refuse_covariates(sample)
    bars = require_choice("bars", bars, get_args(DifferenceBarKind))
    require_open_interval("confidence_level", confidence_level, 0, 1)
    count = require_samples(n_samples)
    fpr = np.arange(count) / (count - 1) if at is None else read_common_rates(at)
    request = _Request(bars, fpr, confidence_level, plan_draws(n_resamples, rng, progress))
    require_folds(sample)
    require_compared(sample)
    if clusters_span_folds(sample.cases):
        require_bars(bars, "spanning clusters")
    pairs = index_pairs(sample.predictors, reference)
    rows = [
        {"group": group, **row}
        for g, (group, part) in enumerate(sample.by_group())
        for row in _rows(part, g, pairs, request)
    ]
    resampling = average_bars(bars).resamples
    return answer_rows(ROC_AVERAGE_DIFFERENCE, sample, rows, request.draws if resampling else None)


def _rows(
    sample: Sample, g: int, pairs: Sequence[tuple[int, int]], request: _Request
) -> list[dict[str, Any]]:
    """Return the rows of every pair in group ``g``."""
    if lacks_class(sample):
        none = undefined_differences(np.full(len(request.fpr), np.nan), ["one-class"])
        return [row for pair in pairs for row in _pair_rows(sample, pair, none, request)]
    require_fold_classes(sample)
    curves = fold_curves(sample.cases, request.fpr)
    # All predictors in one set of resamples, once for a group: every pair takes its correlation
    # from the same matrix. Under weights a spread over curves is the only one that is valid.
    spread = None
    if request.bars == "effective" and sample.sample_weight is None:
        with enough_valid_resamples():
            everyone = range(len(sample.predictors))
            spread = average_covariance(sample.cases, everyone, request.fpr, request.draws.at(g))
    rows = []
    for pair in pairs:
        compared = compare_curves_of_folds(
            sample.cases, pair, curves, spread, request.bars, request.confidence_level
        )
        rows += _pair_rows(sample, pair, compared, request)
    return rows


def _pair_rows(
    sample: Sample, pair: tuple[int, int], compared: FoldDifferences, request: _Request
) -> list[dict[str, Any]]:
    bars = compared.bars
    return [
        {
            "predictor": sample.predictors[pair[0]],
            "reference": sample.predictors[pair[1]],
            "kind": "vertical",
            "quantity": "tpr",
            "fpr": fpr,
            "estimate": compared.estimate[i],
            "se": bars.se[i],
            "ci_low": bars.low[i],
            "ci_high": bars.high[i],
            "confidence_level": request.confidence_level,
            **class_sizes(sample),
            "n_curves": len(sample.cases.by_fold()),
            "n_resamples": compared.n_resamples,
            "method": compared.method_unpaired if bars.unpaired[i] else compared.method,
            "note": [
                *(["no-paired-spread"] if bars.unpaired[i] else []),
                *compared.codes,
                *row_codes(sample),
            ],
        }
        for i, fpr in enumerate(request.fpr)
    ]
