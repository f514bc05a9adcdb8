"""The commands about plans: size and power."""

from __future__ import annotations

import pandas as pd
import pytest

import rocstats as rs
from tests.commands.conftest import require_same


def pilot() -> rs.Study:
    return rs.Study("disease", ["test_a", "test_b"], data=pd.read_csv("pilot.csv"), pos_label="yes")


PLANS = {
    "size --quantity specificity --rate 0.9 --goal 0.8 --power 0.8": lambda: rs.sample_size(
        rs.planning.OneRate("tnr", 0.9, goal=0.8), power=[0.8]
    ),
    "power --rate 0.9 --goal 0.8 --alternative two-tailed --n-pos 90": lambda: rs.power(
        rs.planning.OneRate("tpr", 0.9, goal=0.8, alternative="two-sided"), n_pos=[90]
    ),
    "size --only-predictor 0.15 --only-reference 0.05 --method asymptotic --power 0.8": lambda: (
        rs.sample_size(
            rs.planning.PairedRates(
                "tpr", only_predictor=0.15, only_reference=0.05, method="asymptotic"
            ),
            power=[0.8],
        )
    ),
    "size pilot.csv disease test_a test_b --positive yes --difference 0.05 --power 0.8": lambda: (
        rs.sample_size(rs.planning.PilotAUCs(pilot(), difference=0.05), power=[0.8])
    ),
    "power pilot.csv disease test_a test_b --positive yes --hypothesis non-inferiority"
    " --margin 0.1 --n-pos 90 --n-neg 80": lambda: rs.power(
        rs.planning.PilotAUCs(pilot(), hypothesis="non-inferiority", margin=0.1),
        n_pos=[90],
        n_neg=[80],
    ),
    "power --auc 0.8 --null-auc 0.7 --n-pos 50 --n-neg 60": lambda: rs.power(
        rs.OneAUC(0.8, null_auc=0.7), n_pos=[50], n_neg=[60]
    ),
    "power --auc 0.8 --n-pos 20 --n-neg 20 --simulate --n-simulations 100 --seed 3": lambda: (
        rs.power(rs.OneAUC(0.8), n_pos=[20], n_neg=[20], simulate=True, n_simulations=100, rng=3)
    ),
    "power --auc 0.8 --reference-auc 0.7 --alternative greater --n-pos 50 --n-neg 60": (
        lambda: rs.power(rs.TwoAUCs(0.8, 0.7, alternative="greater"), n_pos=[50], n_neg=[60])
    ),
    "size --auc 0.8 --reference-auc 0.8 --hypothesis non-inferiority --margin 0.1 --power 0.9": (
        lambda: rs.sample_size(
            rs.TwoAUCs(0.8, 0.8, hypothesis="non-inferiority", margin=0.1), power=[0.9]
        )
    ),
    "size --auc 0.85 --reference-auc 0.8 --correlation-pos 0.6 --correlation-neg 0.5 --power 0.8"
    " --ratio 2 --alpha 0.1": lambda: rs.sample_size(
        rs.PairedAUCs(0.85, 0.8, correlation_pos=0.6, correlation_neg=0.5),
        power=[0.8],
        ratio=2,
        alpha=0.1,
    ),
    "size --auc 0.85 --reference-auc 0.78 --structure hh --n-readers 12 --n-readers 20 --n-groups 2"
    " --power 0.8": lambda: rs.sample_size(
        rs.ReaderDesign(0.85, 0.78, structure="HH"), power=[0.8], n_readers=[12, 20], n_groups=[2]
    ),
    "power --auc 0.9 --reference-auc 0.8 --structure LL --readers fixed --nested cases"
    " --n-readers 4 --n-pos 30 --n-neg 40": lambda: rs.power(
        rs.ReaderDesign(0.9, 0.8, structure="LL", readers="fixed", nested="cases"),
        n_readers=[4],
        n_pos=[30],
        n_neg=[40],
    ),
    "size --auc 0.8 --variance obuchowski --half-width 0.05": lambda: rs.sample_size(
        rs.OneAUC(0.8, variance="obuchowski"), half_width=[0.05]
    ),
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", PLANS)
def test_plans_are_those_of_their_designs(ask, words):
    require_same(ask(*words.split())[0], PLANS[words]())
