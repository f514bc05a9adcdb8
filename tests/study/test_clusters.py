from __future__ import annotations

import numpy as np

import rocstats as rs
from rocstats.study.clusters import clusters_span_folds


def test_clusters_inside_folds_do_not_span_them():
    fold = [1, 1, 1, 1, 2, 2, 2, 2]
    for cluster, spans in ([1, 1, 2, 2, 3, 3, 4, 4], False), ([1, 1, 2, 2, 2, 3, 4, 4], True):
        study = rs.Study([1, 0] * 4, np.arange(8.0), fold=fold, cluster=cluster)
        assert clusters_span_folds(study.cases) is spans
