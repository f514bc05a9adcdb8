"""The size of a sample in print: patients by condition, then rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.tables.methods import methods_lines
from rocstats.tables.sizes import units_in_words
from tests.reports.pages import document_of, words_of

N, ILL, TIMES = 60, 20, 3


def repeats():
    """Return predictions of three repeats of five folds for 60 patients, of whom 20 are ill."""
    rng = np.random.default_rng(3)
    y = (np.arange(N) < ILL).astype(int)
    parts = []
    for repeat in range(TIMES):
        order = rng.permutation(N)
        rows = {"patient": np.arange(N)[order], "ill": y[order]}
        rows["score"] = np.round(rng.normal(size=N) + 1.3 * y[order], 2)
        parts.append(pd.DataFrame(rows).assign(fold=[f"{i % 5}.Rep{repeat}" for i in range(N)]))
    return pd.concat(parts, ignore_index=True)


def study(data, **roles):
    return rs.Study("ill", "score", data=data, **roles)


WOMEN = {"words": {"case": "woman", "condition": "cancer"}, "explorer": "counts"}
IN_ALL = "60 patients, 20 with the condition; 180 rows, 60 with the condition"


@pytest.mark.parametrize("roles", [{"cluster": "patient"}, {}], ids=["named", "evident"])
def test_repeats_of_cross_validation_are_no_patients(roles):
    again = study(repeats(), fold="fold", **roles)
    document = document_of(again, **WOMEN)
    assert document.subtitle == "60 women; 20 had cancer (33%). 180 rows; 60 with cancer."
    words = words_of(document)
    assert "The study has 60 women, 20 with cancer; 180 rows, 60 with cancer." in words
    assert "Each woman has a row in several folds. Tables and figures count rows." in words
    assert "gave in these 180 rows, so" in words
    assert "rows with cancer (above) and without (below)" in words
    assert "180 women" not in words
    assert f"Counts are of rows: {IN_ALL}." in footnotes(again.auc())
    assert methods_lines(again.auc())[0].startswith(f"The study has {IN_ALL}. ")


def footnotes(frame):
    return rs.format_table(frame).attrs["rocstats"]["footnotes"]


def test_lesions_are_counted_beside_their_patients():
    lesions = study(repeats(), cluster="patient")
    assert lesions.units == ("patients", "rows", ("",), (60, 20), (180, 60))
    document = document_of(lesions, criterion=None, words={"case": "lesion"})
    assert document.subtitle.startswith("60 patients; 20 had the condition (33%). 180 rows; 60")
    assert "Results of one patient may be alike. Each row is one lesion." in words_of(document)
    assert f"Counts are of rows: {IN_ALL}." in footnotes(lesions.auc())


@pytest.mark.parametrize(
    ("column", "called"),
    [("hospital", "clusters (hospital)"), ("Patient ID", "patients"), ("pid", "patients")],
)
def test_clusters_are_patients_only_where_their_column_says_so(column, called):
    data = repeats().assign(**{column: np.arange(N * TIMES) // 30})
    assert study(data, cluster=column).units.name == called
    hospitals = units_in_words(study(data, cluster=column).units)
    assert ("with the condition in some row" in hospitals) == (called != "patients")


def test_a_hospital_has_no_condition():
    data = repeats().assign(site=np.arange(N * TIMES) // 30)
    subtitle = document_of(study(data, cluster="site"), criterion=None).subtitle
    assert subtitle.startswith("6 clusters (site); 6 had the condition in some row (100%).")


def test_rows_that_are_patients_have_no_other_size():
    data = repeats().head(N)
    for roles in ({}, {"cluster": "patient"}, {"fold": "fold"}):
        alone = study(data, **roles)
        assert alone.units is None
        assert "units" not in alone.auc().attrs["rocstats"]
        assert not any("Counts are of" in text for text in footnotes(alone.auc()))


def test_a_table_without_counts_has_no_such_footnote():
    lesions = study(repeats(), cluster="patient")
    differences = lesions.auc().drop(columns=["n_pos", "n_neg"])
    assert not any("Counts are of" in text for text in footnotes(differences))


def test_rows_left_out_are_not_counted():
    data = repeats()
    data.loc[data["patient"] < 2, "score"] = np.nan  # two who are ill, in every repeat
    left = study(data, fold="fold", nan_policy="omit", cluster="patient")
    assert left.units[3:] == ((58, 18), (174, 54))


def test_classes_are_counted_by_class():
    data = repeats()
    third = np.where(data["patient"] % 2 == 1, "c", "b")
    truth = np.where(data["ill"] == 1, "a", third)
    scores = {name: (truth == name) + data["score"] for name in "abc"}
    classes = rs.MulticlassStudy(truth, scores, cluster=data["patient"])
    assert units_in_words(classes.units) == (
        "60 patients, 20 with class a, 20 with class b and 20 with class c; "
        "180 rows, 60 with class a, 60 with class b and 60 with class c"
    )
    assert any(
        text.startswith("Counts are of rows: 60 patients") for text in footnotes(classes.auc())
    )


def test_cases_of_readers_are_counted_beside_their_patients():
    data = rs.load_viper()
    number = pd.factorize(data["case"])[0]
    roles = {"reader": "reader", "case": "case", "modality": "modality"}
    of_two = rs.ReaderStudy("truth", "rating", data=data.assign(patient=number // 2),
                            cluster="patient", **roles)  # fmt: skip
    units = of_two.units
    assert units.name == "patients"
    assert units.counted == "cases"
    assert units.n_rows == (239, 109)
    assert units.n_units[0] == 120
    footnote = next(text for text in footnotes(of_two.auc(covariance="delong"))
                    if text.startswith("Counts"))  # fmt: skip
    assert footnote.startswith("Counts are of cases: 120 patients,")
    assert rs.ReaderStudy("truth", "rating", data=data, **roles).units is None


def test_sums_of_an_engine_know_their_clusters():
    data = repeats().assign(other=lambda rows: rows["score"] % 1)
    paired = rs.count_paired(data, "ill", ["score", "other"], cluster="patient")
    assert any("Counts are of rows: 60 clusters" in text for text in footnotes(paired.auc()))
