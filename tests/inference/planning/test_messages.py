"""Every bad input of a plan, and what is said to it."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs
from tests.quick import each

Y, A, B = [1, 1, 1, 0, 0, 0], [3, 1, 4, 2, 1, 0], [2, 3, 4, 1, 3, 0]
PAIR = {"correlation_pos": 0.5, "correlation_neg": 0.5}


def pilot(scores=None, y=Y, **keywords):
    return rs.Study(y, scores or {"a": A, "b": B}, **keywords)


CASES = {
    "nothing": (lambda: rs.power(n_pos=9, n_neg=9), r"^`design` or `auc` must be given, one of"),
    "both": (lambda: rs.power(rs.OneAUC(0.8), auc=0.8, n_pos=9, n_neg=9), r"one of them"),
    "a design and a null": (
        lambda: rs.power(rs.OneAUC(0.8), null_auc=0.7, n_pos=9, n_neg=9),
        r"`null_auc` with `auc` only; got design=OneAUC\(auc=0\.8",
    ),
    "a number for a design": (
        lambda: rs.power(0.8, n_pos=9, n_neg=9),
        r"^`design` must be one of OneAUC, TwoAUCs, .*; got float\.",
    ),
    "no power": (
        lambda: rs.sample_size(auc=0.8),
        r"^`power` or `half_width` must be given, one of them; got None and None\.",
    ),
    "power and width": (
        lambda: rs.sample_size(auc=0.8, power=0.8, half_width=0.1),
        r"got 0\.8 and",
    ),
    "power of 1": (
        lambda: rs.sample_size(auc=0.8, power=1),
        r"^`power` must be a number strictly between 0\.05 and 1; got 1\.",
    ),
    "power below the level": (lambda: rs.sample_size(auc=0.8, power=[0.9, 0.04]), r"got 0\.04"),
    "power in percent": (lambda: rs.sample_size(auc=0.8, power="90%"), r"got '90%'"),
    "wide": (lambda: rs.sample_size(auc=0.8, half_width=0.5), r"^`half_width` must be a number"),
    "ratio": (
        lambda: rs.sample_size(auc=0.8, power=0.8, ratio=0),
        r"^`ratio` must be a number strictly between 0 and inf; got 0\.",
    ),
    "alpha": (lambda: rs.power(auc=0.8, n_pos=9, n_neg=9, alpha=0.5), r"^`alpha` must be a number"),
    "no n_neg": (
        lambda: rs.power(auc=0.8, n_pos=9),
        r"^`n_neg` must be given; got None\. Pass numbers of cases\.",
    ),
    "no numbers": (
        lambda: rs.power(auc=0.8, n_pos=[], n_neg=9),
        r"^`n_pos` must be given; got \[\]",
    ),
    "half a case": (
        lambda: rs.power(auc=0.8, n_pos=[9, 9.5], n_neg=9),  # type: ignore[list-item]
        r"^`n_pos` must be whole numbers >= 2; got 9\.5\.",
    ),
    "one case": (lambda: rs.power(auc=0.8, n_pos=1, n_neg=9), r"`n_pos` must be whole .* got 1\."),
    "true cases": (lambda: rs.power(auc=0.8, n_pos=True, n_neg=9), r"got True"),
    "lengths": (
        lambda: rs.power(auc=0.8, n_pos=[9, 10], n_neg=[9, 10, 11]),
        r"^`n_pos` and `n_neg` must have one length, or be single; got 2 and 3\.",
    ),
    "few simulations": (
        lambda: rs.power(auc=0.8, n_pos=9, n_neg=9, simulate=True, n_simulations=50),
        r"^`n_simulations` must be a whole number >= 100; got 50\.",
    ),
    "seed": (
        lambda: rs.power(auc=0.8, n_pos=9, n_neg=9, simulate=True, rng=-1),
        r"^`rng` must be None, a whole number",
    ),
    "no variance": (
        # Phi_2(q, q; 1/2) is about auc^(4/3), below the least float.
        lambda: rs.power(auc=1e-320, n_pos=20, n_neg=20),
        r"^`auc` must leave the estimate a variance above 0; got 0\. Take areas further from 0",
    ),
    "no null variance": (
        lambda: rs.sample_size(auc=0.5, null_auc=1e-300, power=0.9),
        r"^`null_auc` must leave the estimate a variance above 0; got 0\.",
    ),
    "no variance of a difference": (
        lambda: rs.power(rs.TwoAUCs(1e-300, 1e-310), n_pos=20, n_neg=20),
        r"^`design` must leave the estimate a variance above 0; got 0\.",
    ),
    "beyond numbers": (
        lambda: rs.sample_size(auc=0.8, half_width=1e-200),
        r"^`half_width` must be within reach of some number of cases; got 1e-200, which takes over",
    ),
    "a margin beyond numbers": (
        lambda: rs.sample_size(
            rs.TwoAUCs(0.7, 0.7, hypothesis="equivalence", margin=1e-200), power=0.9
        ),
        r"^`power` must be within reach of some number of cases; got 0\.9",
    ),
    "rates beyond numbers": (
        lambda: rs.sample_size(
            rs.PairedRates("tpr", only_predictor=1e-320, only_reference=1e-310), power=0.9
        ),
        r"^`power` must be within reach of some number of cases; got 0\.9",
    ),
    "simulated millions": (
        lambda: rs.sample_size(auc=0.8, half_width=1e-4, simulate=True, rng=1),
        r"^`simulate` must stay False beyond 50_000 cases of a class; got \d{8}\. Leave it out",
    ),
    "simulated pilot": (
        lambda: rs.power(rs.PilotAUCs(pilot(), difference=0.1), n_pos=9, n_neg=9, simulate=True),
        r"^`simulate` must stay False for a pilot, .*; got True\. Leave it out\.",
    ),
    "simulated range": (
        lambda: rs.power(
            rs.PairedAUCs(0.9, 0.8, fpr_range=(0, 0.1), **PAIR), n_pos=9, n_neg=9, simulate=True
        ),
        r"^`simulate` must stay False for a partial area",
    ),
    "simulated rate": (
        lambda: rs.power(rs.OneRate("tpr", 0.9, goal=0.8), n_pos=9, simulate=True),
        r"^`simulate` must stay False for a rate",
    ),
    "ratio of a rate": (
        lambda: rs.sample_size(rs.OneRate("tpr", 0.9, goal=0.8), power=0.8, ratio=1),
        r"^`ratio` must be left out for a rate, which depends on one class; got 1\.",
    ),
    "other class": (
        lambda: rs.power(rs.OneRate("tpr", 0.9, goal=0.8), n_pos=50, n_neg=50),
        r"^`n_neg` must be left out for the rate 'tpr', which depends on the other class; got 50\.",
    ),
    "no goal": (
        lambda: rs.sample_size(rs.OneRate("tpr", 0.9), power=0.8),
        r"^`power` must go with a goal to be tested; got a rate without goal\.",
    ),
    "too many pairs": (
        lambda: rs.sample_size(
            rs.PairedRates("tpr", only_predictor=0.1, only_reference=0.095), power=0.8
        ),
        r"^`method` must be 'asymptotic' beyond 30000 cases; about \d+ are needed\.",
    ),
    "too many pairs to evaluate": (
        lambda: rs.power(
            rs.PairedRates("tpr", only_predictor=0.1, only_reference=0.05), n_pos=1_000_001
        ),
        r"^`method` must be 'asymptotic' beyond 1_000_000 cases; got 1000001\. Change it\.",
    ),
    "auc": (lambda: rs.OneAUC(1.0), r"^`auc` must be a number strictly between 0 and 1; got 1\.0"),
    "null": (lambda: rs.OneAUC(0.8, null_auc=0), r"^`null_auc` must be a number"),
    "same": (
        lambda: rs.OneAUC(0.5),
        r"^`auc` must be different from `null_auc` for the alternative 'two-sided'; got 0\.5 and"
        r" 0\.5\. Change one of them: the value contradicts the alternative, so"
        r" no sample size gives power\.",
    ),
    "below": (lambda: rs.OneAUC(0.6, null_auc=0.7, alternative="greater"), r"must be above"),
    "above": (lambda: rs.OneAUC(0.8, null_auc=0.7, alternative="less"), r"must be below"),
    "word": (lambda: rs.OneAUC(0.8, alternative="one-sided"), r"^`alternative` must be one of"),
    "model": (lambda: rs.OneAUC(0.8, variance="delong"), r"^`variance` must be one of 'binormal'"),
    "null variance": (
        lambda: rs.OneAUC(0.8, null_variance="reference"),
        r"^`null_variance` must be one of 'mann-whitney', 'model', None",
    ),
    "null variance elsewhere": (
        lambda: rs.OneAUC(0.8, null_auc=0.7, null_variance="mann-whitney"),
        r"^`null_variance` must be 'model' unless `null_auc` is 0\.5, .* at 0\.7\. Leave it out\.",
    ),
    "equal areas": (
        lambda: rs.TwoAUCs(0.8, 0.8),
        r"^`difference` of the predictor from the reference must be different from 0 for the"
        r" alternative 'two-sided'; got 0\. Change the areas",
    ),
    "other side": (
        lambda: rs.TwoAUCs(0.7, 0.8, alternative="greater"),
        r"must be above 0 for the alternative 'greater'; got -0\.1\.",
    ),
    "reference that shares too much": (
        lambda: rs.power(
            rs.PairedAUCs(
                0.7, 0.98, correlation_pos=0.9, correlation_neg=0.9, null_variance="reference"
            ),
            n_pos=50,
            n_neg=50,
        ),
        r"^`null_variance` must be 'alternative' if the variance of the reference is below its",
    ),
    "hypothesis": (
        lambda: rs.TwoAUCs(0.8, 0.7, hypothesis="less"),
        r"^`hypothesis` must be one of",
    ),
    "no margin": (
        lambda: rs.TwoAUCs(0.8, 0.8, hypothesis="equivalence"),
        r"^`margin` must be given for the hypothesis 'equivalence'; got None\.",
    ),
    "margin for nothing": (
        lambda: rs.TwoAUCs(0.8, 0.7, margin=0.1),
        r"^`margin` must stay None for the hypothesis 'difference'; got 0\.1\.",
    ),
    "negative margin": (
        lambda: rs.TwoAUCs(0.8, 0.8, hypothesis="equivalence", margin=-0.1),
        r"^`margin` must be a number strictly between 0 and 1; got -0\.1\.",
    ),
    "margin and side": (
        lambda: rs.TwoAUCs(
            0.8, 0.8, hypothesis="non-inferiority", margin=0.1, alternative="greater"
        ),
        r"^`alternative` and `null_variance` must be left out for 'non-inferiority'",
    ),
    "inferior": (
        lambda: rs.TwoAUCs(0.7, 0.8, hypothesis="non-inferiority", margin=0.05),
        r"^`margin` must leave the assumed difference where non-inferiority holds; got a difference"
        r" of -0\.1 and 0\.05\.",
    ),
    "not superior": (
        lambda: rs.TwoAUCs(0.82, 0.8, hypothesis="superiority", margin=0.05),
        r"where superiority holds",
    ),
    "not equivalent": (
        lambda: rs.TwoAUCs(0.9, 0.8, hypothesis="equivalence", margin=0.05),
        r"where equivalence holds",
    ),
    "correlation": (
        lambda: rs.PairedAUCs(0.9, 0.8, correlation_pos=1, correlation_neg=0.5),
        r"^`correlation_pos` must be a number strictly between -1 and 1; got 1\.",
    ),
    "slope": (lambda: rs.PairedAUCs(0.9, 0.8, b=0, **PAIR), r"^`b` must be a number"),
    "range": (
        lambda: rs.PairedAUCs(0.9, 0.8, fpr_range=(0.2, 0.1), **PAIR),
        r"^`fpr_range` must be two rates",
    ),
    "variance of a range": (
        lambda: rs.PairedAUCs(0.9, 0.8, fpr_range=(0, 0.1), variance="binormal", **PAIR),
        r"^`variance` must be 'obuchowski' for a partial area",
    ),
    "paired variance": (
        lambda: rs.PairedAUCs(0.9, 0.8, variance="hanley-mcneil", **PAIR),
        r"^`variance` must be one of 'binormal', 'obuchowski', None",
    ),
    "no study": (lambda: rs.PilotAUCs([1, 2]), r"^`pilot` must be a Study; got list\."),
    "clusters": (
        lambda: rs.PilotAUCs(pilot(cluster=[1, 2, 3, 1, 2, 3])),
        r"^`pilot` must have no cluster, .*; got a study with cluster=\.",
    ),
    "folds": (lambda: rs.PilotAUCs(pilot(fold=[1, 1, 2, 1, 2, 2])), r"must have no fold"),
    "groups": (lambda: rs.PilotAUCs(pilot(group=[1, 1, 2, 1, 2, 2])), r"must have no group"),
    "weights": (
        lambda: rs.PilotAUCs(pilot(sample_weight=[1, 1, 2, 1, 2, 2])),
        r"must have no sample_weight",
    ),
    "one positive": (
        lambda: rs.PilotAUCs(pilot(y=[1, 0, 0, 0, 0, 0])),
        r"^`pilot` must have two cases of each class; got 1 positives and 5 negatives\.",
    ),
    "alike": (
        lambda: rs.PilotAUCs(pilot({"a": A, "b": list(np.exp(A))})),
        r"^`pilot` must have predictors whose areas differ by chance, too; got a variance of 0\.",
    ),
    "three": (
        lambda: rs.PilotAUCs(pilot({"a": A, "b": B, "c": B})),
        r"^`predictor` must be one of 'a', 'b', 'c'; got None\.",
    ),
    "unknown": (
        lambda: rs.PilotAUCs(pilot(), predictor="a", reference="x"),
        r"^`reference` must be one of 'a', 'b'; got 'x'\.",
    ),
    "itself": (
        lambda: rs.PilotAUCs(pilot(), predictor="a", reference="a"),
        r"^`reference` must be another predictor than 'a'; got the same\.",
    ),
    "difference": (
        lambda: rs.PilotAUCs(pilot(), difference=1),
        r"^`difference` must be a number strictly between -1 and 1; got 1\.",
    ),
    "rate of what": (
        lambda: rs.OneRate("senssitivity", 0.9, goal=0.8),
        r"^`quantity` must be one of 'tpr', 'tnr'; got 'senssitivity'\. Did you mean 'tpr'\?$",
    ),
    "rate": (lambda: rs.OneRate("tpr", 90, goal=0.8), r"^`rate` must be a number .* got 90\."),
    "goal": (lambda: rs.OneRate("tpr", 0.9, goal=80), r"^`goal` must be a number"),
    "rate below": (lambda: rs.OneRate("tpr", 0.7, goal=0.8), r"^`rate` must be above `goal`"),
    "rate method": (
        lambda: rs.OneRate("tpr", 0.9, goal=0.8, method="mid-p"),
        r"^`method` must be one of 'exact', 'asymptotic'",
    ),
    "share": (
        lambda: rs.PairedRates("tpr", only_predictor=0, only_reference=0.1),
        r"^`only_predictor` must be a number strictly between 0 and 1; got 0\.",
    ),
    "shares": (
        lambda: rs.PairedRates("tpr", only_predictor=0.6, only_reference=0.5),
        r"^`only_predictor` and `only_reference` must sum to 1 at most; got 0\.6 and 0\.5\.",
    ),
    "equal shares": (
        lambda: rs.PairedRates("tpr", only_predictor=0.1, only_reference=0.1),
        r"^`only_predictor` must be different from `only_reference`",
    ),
    "paired method": (
        lambda: rs.PairedRates("tpr", only_predictor=0.2, only_reference=0.1, method="tango"),
        r"^`method` must be one of 'mid-p', 'exact', 'asymptotic'",
    ),
}


@each("name", list(CASES))
def test_bad_input_is_named(name):
    call, message = CASES[name]
    with pytest.raises(rs.InputError, match=message):
        call()
