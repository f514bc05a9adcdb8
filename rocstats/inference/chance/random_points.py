"""Random classifiers in ROC space, by class sizes alone."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rocstats.errors import require_whole
from rocstats.estimate.answers import answerable_groups, require_at_most
from rocstats.estimate.resample import RngLike, draw_guesses, resolve_seed
from rocstats.frame.make import Labels, make_frame, warn_of_doubts
from rocstats.frame.question import BINNING_ERROR, Question, RoleRefusal, columns_in, counts_only
from rocstats.inference.chance.areas import MOST_SHUFFLED
from rocstats.study.base import print_attrs, question_for, warned_doubts
from rocstats.study.binned import is_binned
from rocstats.study.sample import Sample

RANDOM_POINTS = Question(
    "random_points",
    columns_in("predictor group fpr tpr fp tp"),
    ("forman-2002",),
    {
        # Guesses are hypergeometric for independent cases only.
        "cluster": RoleRefusal(
            "not be given to a study that is asked for random_points",
            "The cloud needs independent cases: keep one case of each cluster.",
            "cluster=",
        ),
        "sample_weight": counts_only("random_points", "The cloud needs counts", "sample_weight="),
    },
    binned=True,
)


def random_points(sample: Sample, *, n_points: int = 1000, rng: RngLike = None) -> pd.DataFrame:
    """Return the positions of random classifiers in ROC space; a row is one of them.

    Parameters
    ----------
    n_points : int >= 1, default 1000
        Number of random classifiers (of each group).
    rng : int, SeedSequence, Generator or None
        Source of the guesses; the frame records one integer that repeats them.

    Returns
    -------
    pandas.DataFrame
        Columns ``predictor, [group], fpr, tpr, fp, tp``; ``predictor`` is "random". A group that
        lacks a class has no rows.

    Raises
    ------
    InputError
        If an argument is not possible, or the study has clusters or weights.

    Warns
    -----
    StatisticalWarning
        If folds are pooled (``pooled-folds``) or a group lacks a class (``one-class``).

    Notes
    -----
    A random classifier calls k cases positive at random, k uniform on 0, ..., N: the true positives
    are Hypergeometric(N, m, k). Only the numbers of cases matter, not the scores. Draw as many
    points as classifiers were tried. Within their cloud, the best classifier of a study is no
    better than chance. The cloud is for the eye; the test is ``versus_random`` with
    ``n_candidates``.

    References
    ----------
    - Forman (2002), random classifiers as the baseline of the best of many [forman-2002]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.Study.from_confusion(tp=14, fn=6, fp=8, tn=22)
    >>> points = study.random_points(n_points=40, rng=1)
    >>> bool((points["tpr"] - points["fpr"]).max() < 14 / 20 - 8 / 30)
    True
    """
    advice = "Pass how many random classifiers to draw."
    n_points = require_whole("n_points", n_points, 1, advice)
    RANDOM_POINTS.require_roles(sample)
    seed = resolve_seed(rng)
    codes = ["pooled-folds"] if sample.fold is not None else []
    groups, pieces = [], []
    for g, group, part in answerable_groups(sample, codes):
        require_at_most(part.n_pos + part.n_neg, MOST_SHUFFLED, "random guesses", "Pass fewer.")
        # A stream for each group: a further group does not change the others.
        fp, tp = draw_guesses(int(part.n_pos), int(part.n_neg), n_points, (seed, g))
        groups.append(group)
        pieces.append(np.stack([fp / part.n_neg, tp / part.n_pos, fp, tp]))
    warn_of_doubts(codes, warned_doubts(sample))
    rows = np.repeat(np.arange(len(groups)), n_points)
    points = np.concatenate([np.empty((4, 0)), *pieces], axis=1)
    columns = {
        "predictor": Labels(["random"], np.zeros(len(rows), dtype=np.intp)),
        **dict(zip(("fpr", "tpr", "fp", "tp"), points, strict=True)),
    }
    if sample.group is not None:
        columns["group"] = Labels(groups, rows)
    if is_binned(sample):  # the class sizes are known
        columns[BINNING_ERROR] = np.zeros(len(rows))
    grouped, shown = sample.group is not None, print_attrs(sample)
    return make_frame(
        question_for(RANDOM_POINTS, sample), columns, grouped=grouped, seed=seed, shown=shown
    )
