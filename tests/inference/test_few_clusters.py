"""The note of studies in few clusters, which every question gives from the same number on."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")


def study(n):
    """Four patients a cluster, one of each class with a high and with a low score."""
    score = np.array([3.0, 1, 2, 0]) + np.arange(4 * n).reshape(-1, 4) % 7
    scores = {"a": score.ravel(), "b": score.ravel() % 4}
    return rs.Study([1, 1, 0, 0] * n, scores, cluster=np.repeat(np.arange(n), 4))


def classes(n):
    """Three patients a cluster, one of each class, who are called by their largest score."""
    score = np.tile(np.eye(3), (n, 1)) + np.arange(9 * n).reshape(-1, 3) % 5
    scores = {str(k): score[:, k] for k in range(3)}
    return rs.MulticlassStudy(["0", "1", "2"] * n, {"model": scores}, cluster=np.arange(3 * n) // 3)


def followed(n):
    """Two patients a cluster, one with an early event and one who is followed beyond it."""
    time = np.tile([1.0, 3.0], n) + np.arange(2 * n) / (4 * n)
    score = np.arange(2 * n) % 5
    return rs.SurvivalStudy(time, [1, 0] * n, score, cluster=np.arange(2 * n) // 2)


ASKED = {
    "auc": lambda n: study(n).auc(),
    "operating_points": lambda n: study(n).operating_points(threshold=3),
    "operating_points at a rate": lambda n: study(n).operating_points(fpr=0.25),
    "roc_difference_band": lambda n: study(n).roc_difference_band(n_resamples=100, rng=1),
    "cutpoints": lambda n: study(n).cutpoints("youden"),
    "grey_zone": lambda n: study(n).grey_zone((2, 4)),
    "band_likelihood_ratios": lambda n: study(n).band_likelihood_ratios([2, 4]),
    "MulticlassStudy.auc": lambda n: classes(n).auc(),
    "MulticlassStudy.operating_points": lambda n: classes(n).operating_points(),
    "SurvivalStudy.auc": lambda n: followed(n).auc(time=2),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_a_class_in_under_thirty_clusters_has_a_note(ask):
    notes = {n: set("; ".join(ask(n)["note"]).split("; ")) for n in (29, 30)}
    assert "few-clusters" in notes[29]
    assert "few-clusters" not in notes[30]
