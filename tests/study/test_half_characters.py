"""A text with half a character, as of bytes in another encoding, is refused in one sentence."""

from __future__ import annotations

import os

import numpy as np
import pandas as pd
import pytest

import rocstats as rs

BAD = "a\ud800b"
Y, S = np.arange(8) % 2, np.arange(8.0)
STUDY = rs.Study(Y, {"s": S})

CALLS = {
    "names of `y_score`": lambda: rs.Study(Y, {BAD: S}),
    "`labels`": lambda: rs.Study(Y, {"s": S}, labels={"s": BAD}),
    "`outcome`": lambda: rs.Study(Y, S, outcome=BAD),
    "`group`": lambda: rs.Study(Y, S, group=[BAD, "g"] * 4),
    "names of `group`": lambda: rs.Study(Y, S, group={BAD: Y, "h": Y}),
    "names of `covariate`": lambda: rs.Study(Y, S, covariate={BAD: S}),
    "`y_true`": lambda: rs.Study([BAD, "g"] * 4, S, pos_label=BAD),
    "`reader`": lambda: rs.ReaderStudy(Y, S, reader=[BAD] * 8, case=range(8)),
    "`event`": lambda: rs.SurvivalStudy(S, [BAD, "x"] * 4, S, event_code=BAD, censored_code="x"),
    "Names and labels": lambda: rs.SurvivalStudy(S, Y, {BAD: S}).auc(time=4),
    "`caption`": lambda: rs.save_table(STUDY.auc(), "t.md", caption=BAD),
    "`frame`": lambda: rs.save_table(
        pd.DataFrame({"a": pd.Series([BAD], dtype=object)}), "table.docx"
    ),
    "`title`": lambda: rs.report(STUDY, "r.html", title=BAD),
    "`words`": lambda: rs.report(STUDY, "r.html", words={"case": BAD}),
}


@pytest.mark.parametrize("what", CALLS)
@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_names_and_labels(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rs.InputError) as refused:
        CALLS[what]()
    assert str(refused.value).startswith(
        f"{what} must be text that can be written; got 'a\\ud800b', which has half a character"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "call",
    [lambda: rs.read_table(f"{BAD}.csv"), lambda: rs.save_table(STUDY.auc(), f"{BAD}.csv")],
)
def test_names_of_files(call):
    with pytest.raises(rs.InputError, match="`path` must be a name that a file can have; got 'a"):
        call()
    # Bytes that are no text are a name that a file can have.
    with pytest.raises(rs.InputError, match="`path` must be a file"):
        rs.read_table(f"{os.fsdecode(b'none')}\udcff.csv")
