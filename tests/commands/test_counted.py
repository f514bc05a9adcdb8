"""Files with more rows than are read: counted by an engine, here from 100 rows on."""

from __future__ import annotations

import pandas as pd
import pytest

from rocstats.study import large_files

ONE = ("diagnosis", "area", "--positive", "malignant")
TWO = ("diagnosis", "area", "texture", "--positive", "malignant")


@pytest.fixture(autouse=True)
def large(monkeypatch):
    monkeypatch.setattr(large_files, "MOST_ROWS", 100)
    # The engine that every environment of the tests has.
    monkeypatch.setattr(large_files, "_ENGINES", ("polars",))


@pytest.fixture
def parquet(data, tmp_path):
    path = tmp_path / "patients.parquet"
    pd.read_csv(data).to_parquet(path)
    return path


@pytest.mark.parametrize("words", [ONE, TWO], ids=["one", "two"])
def test_areas_are_those_of_the_rows_within_the_bound(
    run, parquet, data, tmp_path, monkeypatch, words
):
    for name, file in (("parquet", parquet), ("csv", data)):
        status, _, said = run("auc", file, *words, "--out", tmp_path / f"{name}.csv")
        assert status == 0
        assert f"{file.name} has more than 100 rows; Polars counts them" in said
    monkeypatch.setattr(large_files, "MOST_ROWS", 10**7)
    _, _, said = run("auc", parquet, *words, "--out", tmp_path / "rows.csv")
    assert "counts" not in said
    found, text, rows = (
        pd.read_csv(tmp_path / f"{name}.csv") for name in ("parquet", "csv", "rows")
    )
    pd.testing.assert_frame_equal(found, text)
    assert list(found["predictor"]) == list(rows["predictor"])
    error = found.get("binning_error", pd.Series(0.0, found.index))
    assert (error <= 1e-4).all()
    assert ((found["estimate"] - rows["estimate"]).abs() <= error + 1e-12).all()


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ((*TWO, "--fold", "area"), "--fold"),
        ((*ONE, "--cluster", "area"), "--cluster"),
        ((*ONE, "--interval", "bca"), "--interval"),
        ((*ONE, "--fpr-range", "0", "0.1"), "--fpr-range"),
        ((*TWO, "--label", "area=Area"), "--label"),
    ],
)
def test_options_that_need_rows_are_refused(run, parquet, words, option):
    status, printed, said = run("auc", parquet, *words)
    assert status == 2
    assert printed == ""
    assert f"`{option}` must be left out for a file of more than 100 rows" in " ".join(said.split())


def test_without_an_engine_the_message_names_the_extra(run, parquet, monkeypatch):
    monkeypatch.setattr(large_files, "find_spec", lambda name: None)
    status, _, said = run("auc", parquet, *ONE)
    assert status == 2
    assert "pip install 'rocstats[duckdb]'" in " ".join(said.split())
