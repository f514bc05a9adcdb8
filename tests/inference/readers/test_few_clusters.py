"""The note of reader studies whose cases come in few clusters, or in unequal ones."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import rocstats as rs


def study(sizes):
    """Return two modalities read by three readers; ``sizes`` are the cases of each patient."""
    rng = np.random.default_rng(2)
    patient = np.repeat(np.arange(len(sizes)), sizes)
    n = len(patient)
    truth = np.arange(n) % 2
    rows = [
        {"case": c, "reader": r, "modality": m, "y": truth[c], "patient": patient[c]}
        for m in "ab"
        for r in range(3)
        for c in range(n)
    ]
    frame = pd.DataFrame(rows)
    frame["rating"] = frame["y"] + rng.normal(size=len(frame))
    return rs.ReaderStudy(
        "y",
        "rating",
        data=frame,
        reader="reader",
        case="case",
        modality="modality",
        cluster="patient",
    )


@pytest.mark.parametrize(
    ("sizes", "noted"),
    [([2] * 40, False), ([2] * 20, True), ([40, 40, *[2] * 40], True)],
)
def test_few_or_unequal_clusters_are_noted_in_every_row(sizes, noted):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        readers = study(sizes)
        for ask in (readers.auc, readers.compare_auc):
            notes = ask()["note"]
            assert notes.str.contains("few-clusters").all() == noted
            assert notes.str.contains("few-clusters").any() == noted
            assert (notes.str.count("few-clusters") <= 1).all()
