"""Every closed option of one curve, in sorts of its scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
import pandas as pd

import rocstats as rs
from validation.benchmarks.data import make_scores
from validation.benchmarks.results import Contender, Result, race

Question = Callable[[rs.Study], pd.DataFrame]

OPTIONS: Mapping[str, Question] = {
    "auc(interval='effective-wilson')": lambda s: s.auc(interval="effective-wilson"),
    "auc(interval='newcombe')": lambda s: s.auc(interval="newcombe"),
    "auc(variance='hanley-mcneil')": lambda s: s.auc(variance="hanley-mcneil"),
    "auc(variance='unbiased')": lambda s: s.auc(variance="unbiased"),
    "auc(variance='bootstrap')": lambda s: s.auc(variance="bootstrap"),
    "auc(fpr_range=)": lambda s: s.auc(fpr_range=(0, 0.1)),
    "auc(tpr_range=)": lambda s: s.auc(tpr_range=(0.8, 1)),
    "versus_random()": lambda s: s.versus_random(),
    "versus_random('brunner-munzel')": lambda s: s.versus_random(method="brunner-munzel"),
    "average_precision()": lambda s: s.average_precision(),
    "operating_points_versus_random()": lambda s: s.operating_points_versus_random(threshold=0.5),
    "random_band()": lambda s: s.random_band(),
    "test_performance_goals()": lambda s: s.test_performance_goals(threshold=0.5, tpr=0.6, tnr=0.6),
    "auc_bounds()": lambda s: s.auc_bounds(),
}

ROLES: Mapping[str, tuple[str, Callable[[int], int]]] = {
    "with clusters of 3": ("cluster", lambda n: n // 3),
    "with 10 folds": ("fold", lambda n: 10),
    "with 5 groups": ("group", lambda n: 5),
}
"""What roles are called, and how many labels each takes at random."""

OPTION_NAMES = (*OPTIONS, *(f"auc() {name}" for name in ROLES))


def option_cases(n: int) -> Iterator[Result]:
    """Time each option of one curve that needs no resamples against one argsort, study given."""
    y, (scores,) = make_scores(n, 1, "continuous")
    rng = np.random.default_rng(5)
    contenders = [Contender("np.argsort", lambda: np.argsort(scores))]
    study = rs.Study(y, scores)
    contenders += [
        Contender(name, partial(_fresh, question, study)) for name, question in OPTIONS.items()
    ]
    for name, (role, n_labels) in ROLES.items():
        labels = {role: rng.integers(0, n_labels(n), n)}
        with_role = rs.Study(y, scores, **labels)  # type: ignore[arg-type]
        contenders.append(Contender(f"auc() {name}", partial(_fresh, lambda s: s.auc(), with_role)))
    yield from race("options of one curve, the study given", n, "continuous, option", contenders)


def _fresh(question: Question, study: rs.Study) -> pd.DataFrame:
    """Ask a study that has cached nothing."""
    fresh = object.__new__(type(study))
    fresh.__setstate__(study.__getstate__())
    return question(fresh)
