"""Tests of reader studies: the shortfalls that the pages name."""

from __future__ import annotations

import numpy as np

from validation.size.readers import METHODS, ReaderCell

SETTING = list(ReaderCell._fields)
JACKKNIFE = "obuchowski-rockette-jackknife"


COMMITTED = "size/readers"


# docs/readers.md, "Which model to report", and validation/size/README.md, "Reader studies"
def test_the_rows_that_fall_short_are_those_that_the_pages_name(committed):
    short = committed[committed["shortfall"] & committed["method"].isin(METHODS)]
    of_defaults = short[short["method"].isin([JACKKNIFE, "u-statistic"])]
    assert (of_defaults["n_readers"] == 3).all()
    paired = short[short["n_readers"] > 3]
    assert paired[["design", "method"]].to_numpy().tolist() == [
        ["partially paired", "obuchowski-rockette-unbiased"]
    ]
    assert committed["coverage_logit"].min() == 0.933


def test_narrower_models_find_differences_that_are_not_there(committed):
    by_method = committed.set_index([*SETTING, "method"])["size"].unstack()
    usual = by_method[by_method["pooled ratings"].notna()]
    assert (usual["pooled ratings"] > 2 * usual[JACKKNIFE]).all()
    high = usual.xs("HL", level="structure")
    assert (high["paired t over readers"] > 0.2).all()


def test_methods_have_an_estimate_of_every_study(committed):
    is_null = committed["auc"] == committed["auc_reference"]
    assert (committed["alpha"] == np.where(is_null, 0.05, 0.025)).all()
    rows = committed[committed["method"].isin(METHODS)]
    assert (rows["undefined"] == 0).all()
