"""Work that may take long shows its progress if it is asked to, and else nothing."""

from __future__ import annotations

import numpy as np
import pytest
import tqdm

import rocstats as rs
from tests import examples

Y = np.tile([1, 0], 30)
SCORES = {"a": np.arange(60) % 7 + Y, "b": np.arange(60) % 5 + Y}
STUDY = rs.Study(Y, SCORES)
FOLDS = rs.Study(Y, SCORES, fold=np.repeat([1, 2], 30))
RISKS = rs.Study(Y, 1 / (1 + np.exp(-np.asarray(SCORES["a"], dtype=float))))
DRAW = np.random.default_rng(1)
CLASSES = rs.MulticlassStudy(
    np.tile([0, 1, 2], 20), {name: DRAW.random((60, 3)) for name in SCORES}
)
WORK = {
    "auc": (STUDY.auc, {"interval": "percentile"}),
    "auc_draws": (STUDY.auc_draws, {}),
    "bootstrap": (STUDY.bootstrap, examples.NEEDED["bootstrap"]),
    "average_precision": (STUDY.average_precision, {"variance": "bootstrap"}),
    "calibration": (RISKS.calibration, {"quantities": "miscalibration"}),
    "calibration_band": (RISKS.calibration_band, {"method": "isotonic"}),
    "compare_auc": (STUDY.compare_auc, {"method": "permutation"}),
    "compare_curves": (STUDY.compare_curves, {}),
    "compare_operating_points": (STUDY.compare_operating_points, {"fpr": 0.2}),
    "compare_costs": (STUDY.compare_costs, {"cost_fp": 1, "cost_fn": 1}),
    "cost_difference_band": (STUDY.cost_difference_band, {}),
    "cutpoint_draws": (STUDY.cutpoint_draws, {"criterion": "youden"}),
    "cutpoints": (STUDY.cutpoints, {"criterion": "youden"}),
    "lc_index": (STUDY.lc_index, {"low": 0.2, "mode": 0.4, "high": 0.6, "interval": "percentile"}),
    "operating_points": (STUDY.operating_points, {"fpr": 0.2, "sampling": "cohort"}),
    "roc_average": (FOLDS.roc_average, {"bars": "effective"}),
    "roc_average_difference": (FOLDS.roc_average_difference, {}),
    "roc_band": (STUDY.roc_band, {}),
    "roc_difference_band": (STUDY.roc_difference_band, {}),
    "versus_random": (STUDY.versus_random, {"method": "permutation"}),
    "auc of classes": (CLASSES.auc, {"interval": "percentile"}),
    "compare_auc of classes": (CLASSES.compare_auc, {"interval": "percentile"}),
    "roc_band of classes": (CLASSES.roc_band, {}),
    "verified_auc": (
        rs.verified_auc,
        {"y_true": Y, "y_score": SCORES["a"], "verified": Y > -1, "probability": np.ones(60)},
    ),
    "power": (rs.power, {"auc": 0.8, "n_pos": 9, "n_neg": 9, "simulate": True}),
    "sample_size": (rs.sample_size, {"auc": 0.9, "power": 0.8, "simulate": True}),
    "permute_pipeline": (
        rs.permute_pipeline,
        {"fit_and_score": lambda X, y: 0.0, "X": Y, "y": Y},
    ),
    "optimism_corrected_auc": (
        rs.optimism_corrected_auc,
        {"fit": lambda X, y: lambda X: X, "X": SCORES["a"], "y": Y},
    ),
}


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
@pytest.mark.parametrize("name", WORK)
@pytest.mark.parametrize("progress", [True, False])
def test_a_bar_is_shown_if_it_is_asked_for(monkeypatch, name, progress):
    disabled = []

    class Bar(tqdm.tqdm):
        def __init__(self, **options):
            disabled.append(options.get("disable", False))
            super().__init__(**options)

    monkeypatch.setattr(tqdm, "tqdm", Bar)
    ask, options = WORK[name]
    number = "n_simulations" if "simulate" in options else "n_resamples"
    ask(**options, **{number: 100}, rng=1, progress=progress)
    assert set(disabled) == ({False} if progress else set())
