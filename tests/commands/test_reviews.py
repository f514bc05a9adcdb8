"""The commands about several studies: meta and pool."""

from __future__ import annotations

import pandas as pd
import pytest

import rocstats as rs
from tests.commands.conftest import require_same

CELLS = ("tp", "fp", "fn", "tn")
pytestmark = pytest.mark.usefixtures("folder")


def review(**roles):
    return rs.MetaStudy(*CELLS, data=pd.read_csv("review.csv"), study="author", **roles)


def test_a_review_is_summed_up(ask):
    rows, _ = ask("meta", "review.csv", "--study", "author", "--group", "modality")
    require_same(rows, review(group="modality").summary())
    rows, _ = ask("meta", "review.csv", "--group", "modality", "--prevalence", 0.2, "--level", 0.9)
    expected = rs.MetaStudy(*CELLS, data=pd.read_csv("review.csv"), group="modality")
    require_same(rows, expected.summary(prevalence=[0.2], confidence_level=0.9))


def test_levels_are_compared_and_spread_is_told(ask):
    rows, _ = ask("meta", "review.csv", "--study", "author", "--by", "modality")
    require_same(rows, review(covariate="modality").compare())
    rows, _ = ask("meta", "review.csv", "--group", "modality", "--spread")
    assert [row["quantity"] for row in rows][:2] == ["sd_tpr", "sd_tnr"]


def test_columns_may_be_in_capital_letters(ask):
    data = pd.read_csv("review.csv")
    data.rename(columns=str.upper).to_csv("upper.csv", index=False)
    rows, _ = ask("meta", "upper.csv", "--group", "MODALITY")
    frame = rs.MetaStudy(*CELLS, data=data, group="modality").summary()
    assert [row["estimate"] for row in rows] == pytest.approx(frame["estimate"].tolist())


def test_the_plot_is_written_once(run, refused):
    words = ("meta", "review.csv", "--group", "modality", "--figure", "review.svg")
    status, out, _ = run(*words)
    assert (status, out.splitlines()[-1]) == (0, "review.svg")
    assert "`--figure` must be a new file" in refused(*words)


def test_estimates_are_pooled(ask, refused):
    rows, _ = ask("pool", "centres.csv", "auc", "--study", "centre")
    require_same(rows, rs.pool_areas(pd.read_csv("centres.csv")))
    rows, _ = ask("pool", "centres.csv", "auc", "se", "--interval", "wald")
    assert rows[0]["method"] == "reml/wald"
    assert "`--guard` must be False" in refused(
        *("pool", "centres.csv", "auc", "--guard", "--interval", "t")
    )


def test_what_a_review_refuses(refused):
    assert "`FILE` must have the columns tp, fp, fn and tn" in refused("meta", "centres.csv")
    assert "must be given one at a time; got --by and --spread" in refused(
        *("meta", "review.csv", "--by", "modality", "--spread")
    )
    assert "got 'Feigen 1987' twice" in refused("meta", "review.csv", "--study", "author")
