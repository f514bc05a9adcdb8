"""The committed simulation of tests of other areas is complete and marked by its rule."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.oracles import definitions as oracles
from validation.size.other_areas import (
    CELLS,
    KEY,
    KINDS,
    METHODS,
    TABLE,
    answers,
    area_over,
    compared,
    run_cell,
    shift_of,
)

COLUMNS = list(KEY)


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(TABLE, keep_default_na=False)


def p_of_question(cell, scores, interval):
    """Return the p value and the notes that a user of the package sees."""
    y = (cell.codes == 0).astype(int)
    role = {"strata": "group", "folds": "fold", "clusters": "cluster", "both-clusters": "cluster"}
    if len(cell.sizes) > 2:
        tables = {name: table.T for name, table in zip("ab", scores, strict=True)}
        study = rs.MulticlassStudy(cell.codes, tables)
        frame = study.compare_auc(method=cell.kind, interval=interval)
    else:
        roles = {role[cell.kind]: cell.parts} if cell.kind in role else {}
        study = rs.Study(y, {"a": scores[0], "b": scores[1]}, **roles)
        if cell.kind == "strata":
            frame = study.compare_stratified_auc(interval=interval)
        else:
            over = {"fpr": {"fpr_range": (0, 0.2)}, "tpr": {"tpr_range": (0.8, 1)}}
            frame = study.compare_auc(interval=interval, **over.get(cell.kind, {}))
    return frame["p_value"][0], frame["note"][0].split("; ")


@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_that_of_the_question(kind):
    for cell in [c for c in CELLS if c.kind == kind][1::11][:3]:
        for scores in cell.draw(np.random.default_rng(6), 2):
            found = compared(cell, scores)
            for name, p in zip(METHODS, answers(found)[0], strict=True):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", rs.StatisticalWarning)
                    expected, notes = p_of_question(cell, scores, name)
                assert p == pytest.approx(expected, abs=1e-12)
                assert set(found.codes) <= set(notes)
