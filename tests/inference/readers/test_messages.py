"""Bad input to the questions of reader studies: the whole message."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rocstats as rs
from tests.inference.readers.studies import drawn, rows_of, study_of
from tests.inference.readers.worked import random_study
from tests.quick import each

RNG = np.random.default_rng(3)
STUDY, ONE = drawn(RNG), drawn(RNG, r=1)
SINGLE = drawn(RNG, t=1)
CLUSTERED = drawn(RNG, clusters=8)
ROWS = rows_of(random_study(RNG, m=12, n=12, clusters=10))
GONE = (ROWS["reader"] == "r1") & (ROWS["modality"] == "m1")
UNSERVED = study_of(ROWS[~GONE])
PLAIN = study_of(ROWS[~GONE].drop(columns="cluster"))
NESTED = study_of(ROWS[(ROWS["reader"] == "r1") == (ROWS["modality"] == "m1")])

CASES = {
    "both fixed": (
        lambda: STUDY.compare_auc(readers="fixed", cases="fixed"),
        "`cases` must be 'random' for fixed readers, or nothing is random; got"
        " readers='fixed' and cases='fixed'. Make one of them 'random'.",
    ),
    "one random reader": (
        lambda: ONE.auc(),
        "`readers` must be 'fixed' in a study with one reader, who does not show how readers"
        " differ; got 'random'. Pass readers='fixed': the result is then for this reader only.",
    ),
    "fixed cases by U-statistics": (
        lambda: STUDY.auc(cases="fixed", method="u-statistic"),
        "`method` must be 'obuchowski-rockette' for fixed cases; got 'u-statistic'. Leave `method`"
        " out.",
    ),
    "clusters by U-statistics": (
        lambda: CLUSTERED.compare_auc(method="u-statistic"),
        "`method` must be 'obuchowski-rockette' for a study with clusters; got 'u-statistic'. Leave"
        " `method` out.",
    ),
    "clusters without an area": (
        lambda: UNSERVED.compare_auc(),
        "`method` 'obuchowski-rockette' for a study with clusters must have an area of every reader"
        " under every modality; got a study of the design 'missing reads' without some of them."
        " Leave out the readers who did not read every modality, or make a study without cluster=,"
        " whose standard errors are then too small.",
    ),
    "a missing area": (
        lambda: PLAIN.compare_auc(method="obuchowski-rockette"),
        "`method` 'obuchowski-rockette' must have an area of every reader under every modality; got"
        " a study of the design 'missing reads' without some of them. Pass"
        " method='u-statistic-centred'.",
    ),
    "components of missing areas": (
        lambda: PLAIN.components(),
        "`method` 'obuchowski-rockette' must have an area of every reader under every modality; got"
        " a study of the design 'missing reads' without some of them. Pass"
        " method='u-statistic-centred'.",
    ),
    "covariance of clusters": (
        lambda: CLUSTERED.compare_auc(covariance="unbiased"),
        "`covariance` must be 'jackknife' or 'delong' for a study with clusters; got 'unbiased'."
        " Leave `covariance` out.",
    ),
    "covariance of a partial area": (
        lambda: STUDY.auc(covariance="bootstrap", fpr_range=(0, 0.2)),
        "`covariance` must be 'jackknife' or 'delong' for partial areas; got 'bootstrap'. Leave"
        " `covariance` out.",
    ),
    "one modality": (
        lambda: SINGLE.compare_auc(),
        "`modality` must have two values or more to be compared; got ['m1']. Pass modality= to the"
        " study, or compare its readers with a machine: compare_with().",
    ),
    "fixed cases by reader": (
        lambda: STUDY.compare_auc(by="reader", cases="fixed"),
        "`cases` must be 'random' with by='reader', as the reader is fixed; got 'fixed'. Leave"
        " `cases` out.",
    ),
    "nobody read two modalities": (
        lambda: NESTED.compare_auc(by="reader"),
        "`by` must be None unless a reader read two modalities; got 'reader'. Leave `by` out:"
        " averages over readers are compared.",
    ),
    "a modality without a threshold": (
        lambda: STUDY.operating_points(threshold={"m1": 3}),
        "`threshold` must be one number, or one for each modality; got none for ['m2']. Add them to"
        " the mapping.",
    ),
    "several thresholds": (
        lambda: STUDY.operating_points(threshold=[1, 2]),
        "`threshold` must be one number, or one for each modality; got [1, 2]. Call"
        " the method once for each threshold.",
    ),
    "neither a threshold nor a rate": (
        lambda: STUDY.operating_points(),
        "`threshold` must be given, or `fpr` in place of it; got neither. Pass one of them.",
    ),
    "a threshold and a rate": (
        lambda: STUDY.compare_operating_points(threshold=3, fpr=0.1),
        "`threshold` must be given, or `fpr` in place of it; got both. Pass one of them.",
    ),
    "a rate of 1": (
        lambda: STUDY.operating_points(fpr=[0.1, 1.0]),
        "`fpr` must be a number in [0, 1), or a sequence of them, the same for all modalities; got"
        " [0.1, 1.0]. Pass false positive rates, such as fpr=0.1.",
    ),
    "a rate below 0": (
        lambda: STUDY.operating_points(fpr=-0.1),
        "`fpr` must be a number in [0, 1), or a sequence of them, the same for all modalities; got"
        " -0.1. Pass false positive rates, such as fpr=0.1.",
    ),
    "a rate by modality": (
        lambda: STUDY.operating_points(fpr={"m1": 0.1}),
        "`fpr` must be a number in [0, 1), or a sequence of them, the same for all modalities; got"
        " {'m1': 0.1}. Pass false positive rates, such as fpr=0.1.",
    ),
    "a covariance at a rate": (
        lambda: STUDY.compare_operating_points(fpr=0.1, covariance="delong"),
        "`covariance` must stay None at false positive rates, where it is that of resamples; got"
        " 'delong'. Leave `covariance` out.",
    ),
    "U-statistics at a rate": (
        lambda: STUDY.operating_points(fpr=0.1, method="u-statistic"),
        "`method` must be 'obuchowski-rockette' for sensitivity at a false positive rate; got"
        " 'u-statistic'. Leave `method` out.",
    ),
    "a missing curve at a rate": (
        lambda: PLAIN.compare_operating_points(fpr=0.1, n_resamples=100, rng=1),
        "`method` 'obuchowski-rockette' for sensitivity at a false positive rate must have a curve"
        " of every reader under every modality; got a study of the design 'missing reads' without"
        " some of them. Leave out the readers who did not read every modality, or pass threshold="
        " instead of fpr=.",
    ),
    "an unknown modality": (
        lambda: STUDY.operating_points(threshold={"m3": 3}),
        "`threshold` must name modalities; got ['m3']. The modalities are ['m1', 'm2'].",
    ),
    "one threshold of two": (
        lambda: SINGLE.compare_with(dict.fromkeys(SINGLE.case.labels, 1.0), threshold=3),
        "`machine_threshold` must be given with the other threshold; got None. Pass both, or"
        " neither to compare areas.",
    ),
    "thresholds and a range": (
        lambda: SINGLE.compare_with(
            dict.fromkeys(SINGLE.case.labels, 1.0),
            threshold=3,
            machine_threshold=1,
            fpr_range=(0, 0.5),
        ),
        "`threshold` must stay None for partial areas; got both. Pass one of them.",
    ),
    "a modality of several readers as a machine": (
        lambda: STUDY.compare_with("m2"),
        "`machine` must be a modality with one read a case; got 'm2' with 60 reads of 20 cases."
        " Compare modalities by compare_auc().",
    ),
    "the only modality as a machine": (
        lambda: SINGLE.compare_with("m1"),
        "`machine` must be a modality beside others; got 'm1', the only one. Pass machine= to the"
        " study, or scores by case.",
    ),
    "an unknown interval": (
        lambda: STUDY.auc(interval="logit"),
        "`interval` must be one of 'logit-t', 'wald'; got 'logit'. Did you mean 'logit-t'?",
    ),
    "an unknown factor": (
        lambda: STUDY.auc(readers="some"),
        "`readers` must be one of 'random', 'fixed'; got 'some'. Pass one of these.",
    ),
    "no margin": (
        lambda: STUDY.compare_auc(hypothesis="non-inferiority"),
        "`margin` must be given for the hypothesis 'non-inferiority'; got None. Pass the largest"
        " difference that does not matter, chosen before the data were seen.",
    ),
}


@each("case", CASES)
def test_the_message_says_what_to_do(case):
    ask, message = CASES[case]
    with pytest.raises(rs.InputError, match=f"^{re.escape(message)}$"):
        ask()
