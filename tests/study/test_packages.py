"""SPSS, Stata and SAS: codes become words, declared missing values are missing."""

from __future__ import annotations

import datetime as dt
import sys

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import rocstats as rs

DAY = dt.date(2026, 1, 31)
DATA = pd.DataFrame(
    {
        "dx": [1.0, 0.0, 1.0, 9.0],
        "rating": [5.0, 1.0, 3.0, np.nan],
        "grade": [1.0, 2.0, 1.0, 2.0],
        "score": [0.5, 0.25, np.nan, 2.0],
        "n": [3.0, 2.0, 1.0, 4.0],
        "site": ["Köln", "", "A", "B"],
    }
)
LABELS = {
    "dx": {0: "benign", 1: "malignant", 9: "not known"},
    "rating": {1: "normal", 5: "abnormal"},
    "grade": {1: "low", 2: "low"},
}


@pytest.fixture
def spss(tmp_path):
    path = tmp_path / "study.sav"
    frame = DATA.assign(day=pd.Series([DAY, DAY, None, DAY], dtype=object))
    pyreadstat.write_sav(frame, path, variable_value_labels=LABELS, missing_ranges={"dx": [9]})
    return path


@pytest.fixture
def stata(tmp_path):
    path = tmp_path / "study.dta"
    missing = DATA.assign(dx=[1.0, 0.0, 1.0, np.nan])
    pyreadstat.write_dta(missing, path, variable_value_labels=LABELS)
    return path


@pytest.mark.parametrize("kind", ["spss", "stata"])
def test_codes_become_words_in_their_order(request, kind):
    frame = rs.read_table(request.getfixturevalue(kind))
    assert frame["dx"].tolist()[:3] == ["malignant", "benign", "malignant"]
    assert frame["dx"].isna().tolist() == [False, False, False, True]
    assert list(frame["dx"].cat.categories) == ["benign", "malignant"]
    assert frame["dx"].cat.ordered
    told = frame.attrs["rocstats"]
    assert told["value_labels"] == {"dx": {"0": "benign", "1": "malignant"}}
    assert (told["rows"], told["encoding"], told["decimal"]) == (4, None, None)


@pytest.mark.parametrize("kind", ["spss", "stata"])
def test_codes_without_words_of_their_own_stay(request, kind):
    frame = rs.read_table(request.getfixturevalue(kind))
    assert frame["grade"].tolist() == [1, 2, 1, 2]
    assert frame["rating"].tolist()[:3] == [5, 1, 3]
    assert frame["rating"].isna().tolist() == [False, False, False, True]


@pytest.mark.parametrize("kind", ["spss", "stata"])
def test_numbers_and_texts_are_those_of_the_file(request, kind):
    frame = rs.read_table(request.getfixturevalue(kind))
    assert (frame["n"].dtype, frame["score"].dtype) == ("int64", "float64")
    assert frame["score"].isna().tolist() == [False, False, True, False]
    assert frame["site"].tolist()[::2] == ["Köln", "A"]
    assert frame["site"].isna().tolist() == [False, True, False, False]


def test_dates_are_kept(spss):
    day = rs.read_table(spss)["day"]
    assert day[0] == DAY
    assert day.isna().tolist() == [False, False, True, False]


def test_a_study_takes_words_and_ratings(spss):
    frame = rs.read_table(spss)
    study = rs.Study("dx", "n", data=frame, pos_label="malignant", nan_policy="omit")
    assert study.auc()["estimate"].tolist() == [0.5]  # 3 and 1 around 2


def test_compressed_spss_and_transport_of_sas(tmp_path):
    pyreadstat.write_sav(DATA, tmp_path / "study.zsav", compress=True)
    pyreadstat.write_xport(DATA[["n", "score"]], tmp_path / "study.xpt")
    for name in ("study.zsav", "study.xpt"):
        frame = rs.read_table(tmp_path / name)
        assert frame["n"].tolist() == [3, 2, 1, 4]
        assert frame["score"].tolist()[:2] == [0.5, 0.25]


def test_sas_is_read_by_its_reader(tmp_path, monkeypatch):
    """Nothing writes sas7bdat but SAS: that the file goes to its reader is all that is tested."""
    path = tmp_path / "study.sas7bdat"
    path.touch()
    about = type("About", (), {"variable_value_labels": {}})
    monkeypatch.setattr(pyreadstat, "read_sas7bdat", lambda *_, **__: (DATA[["n"]], about))
    assert rs.read_table(path)["n"].tolist() == [3, 2, 1, 4]


@pytest.mark.parametrize("ending", ["sav", "dta", "sas7bdat"])
def test_a_broken_file_is_refused(tmp_path, ending):
    path = tmp_path / f"study.{ending}"
    path.write_bytes(b"no such file")
    with pytest.raises(rs.InputError, match=rf"must be a readable \.{ending} file; got 'study"):
        rs.read_table(path)


def test_the_message_names_what_to_install(spss, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(rs.InputError, match='pip install "rocstats\\[files\\]"'):
        rs.read_table(spss)
