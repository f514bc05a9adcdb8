"""The note of survival studies in few clusters; tests/test_contract.py has the other studies."""

from __future__ import annotations

import numpy as np

import rocstats as rs


def notes_of(n):
    """Two patients a cluster, one with an early event and one who is followed beyond it."""
    time = np.tile([1.0, 3.0], n) + np.arange(2 * n) / (4 * n)
    score = np.arange(2 * n) % 5
    study = rs.SurvivalStudy(time, [1, 0] * n, score, cluster=np.arange(2 * n) // 2)
    return "; ".join(study.auc(time=2)["note"]).split("; ")


def test_a_class_in_under_thirty_clusters_has_a_note():
    assert "few-clusters" in notes_of(29)
    assert "few-clusters" not in notes_of(30)
