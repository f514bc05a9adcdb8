"""Questions of marks: roles, options, edges, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from tests.calls import CALLS, MARKS
from tests.inference.localisation.studies import CURVES, example, hand_tables, random_study
from tests.quick import each

ASKED = {name: call for name, call in CALLS.items() if call.kind is rs.DetectionStudy}
CLOSED = [name for name, call in ASKED.items() if "rng" not in call.options]


def plain(frame, *without):
    return pd.DataFrame(frame).drop(columns=list(without)).reset_index(drop=True)


def assert_alike(found, expected, *without):
    pd.testing.assert_frame_equal(
        plain(found, *without), plain(expected, *without), rtol=1e-9, atol=1e-9, check_dtype=False
    )


@each("name", CLOSED)
def test_each_group_is_answered_as_a_study_of_its_own(name):
    call = ASKED[name]
    grouped = call.of(group="half").answer()
    tables = {key: pd.DataFrame(MARKS[key]) for key in ("marks", "cases", "lesions")}
    for role in ("reader", "modality"):  # all of them, in the order of the whole study
        names = tables["marks"][role]
        tables["marks"][role] = pd.Categorical(names, names.unique())
    half = tables["cases"].set_index("case")["half"]
    for label in "xy":
        own = {key: table[table["case"].map(half) == label] for key, table in tables.items()}
        rows, expected = grouped[grouped["group"] == label], call.of(**own).answer()
        # All groups are adjusted for together.
        adjusted = ["p_adjusted", "note"] if "p_adjusted" in rows else []
        assert_alike(rows.drop(columns="group"), expected, *adjusted)


@each("curve", CURVES)
def test_a_rising_transformation_of_ratings_changes_nothing(curve):
    marks, cases, lesions = rs.load_marks_example()
    options = {"reader": "reader", "modality": "modality"}
    bent = rs.DetectionStudy(
        marks.assign(rating=np.exp(marks["rating"])), cases, lesions, **options
    )
    assert_alike(bent.compare_auc(curve=curve), example().compare_auc(curve=curve))


def test_clusters_of_one_case_change_nothing():
    marks, cases, lesions = rs.load_marks_example()
    options = {"reader": "reader", "modality": "modality"}
    clustered = rs.DetectionStudy(
        marks, cases.assign(unit=cases["case"]), lesions, cluster="unit", **options
    )
    for ask in (
        lambda study: study.auc(interval="logit-t"),
        lambda study: study.auc(),
        lambda study: study.compare_auc(),
        lambda study: study.compare_auc(by="reader"),
        lambda study: study.operating_points(threshold=1),
        lambda study: study.compare_operating_points(threshold=1),
    ):
        assert_alike(ask(clustered), ask(example()), "method", "note")


def test_pairs_of_equal_cases_are_one_cluster_each():
    marks, cases, lesions = rs.load_marks_example()

    def doubled(table):
        other = table.assign(case=table["case"] + 100)
        return pd.concat([table, other], ignore_index=True)

    twice = rs.DetectionStudy(
        doubled(marks), doubled(cases).assign(unit=lambda d: d["case"] % 100), doubled(lesions),
        reader="reader", modality="modality", cluster="unit",
    )  # fmt: skip
    for ask in (
        lambda study: study.auc(interval="logit-t"),
        lambda study: study.operating_points(threshold=1),
        lambda study: study.compare_operating_points(threshold=1),
        lambda study: study.compare_auc(by="reader"),
    ):
        expected, found = ask(example()), ask(twice)
        for name in ("estimate", "se"):
            assert found[name].to_numpy() == pytest.approx(expected[name].to_numpy())


def test_weights_of_lesions_are_shares_of_their_case(rng):
    marks, cases, lesions = rs.load_marks_example()
    options = {"reader": "reader", "modality": "modality"}
    alike = rs.DetectionStudy(marks, cases, lesions.assign(w=2.5), weight="w", **options).auc()
    assert set(alike["note"]) == {"weights-given"}
    assert_alike(alike, example().auc(), "note")
    skewed = lesions.assign(w=rng.random(len(lesions)))
    found = rs.DetectionStudy(marks, cases, skewed, weight="w", **options).auc()
    assert not np.allclose(found["estimate"], alike["estimate"])


def test_only_the_highest_of_several_marks_on_a_lesion_counts():
    marks, cases, lesions = rs.load_marks_example()
    on = marks.dropna().assign(rating=lambda d: d["rating"] - 0.5)
    study = rs.DetectionStudy(
        pd.concat([marks, on]), cases, lesions, reader="reader", modality="modality"
    )
    found = study.auc()
    assert set(found["note"]) == {f"extra-marks={len(on)}"}
    assert_alike(found, example().auc(), "note")
    assert_alike(study.curve(), example().curve())


# --- Without marks, and at the boundary -----------------------------------------------------------


def silent_reader():
    marks, cases, lesions = rs.load_marks_example()
    marks = marks[(marks["reader"] > 0) & (marks["reader"] < 3)]
    names = pd.Categorical(marks["reader"].astype(str), ["1", "2", "silent"])
    return rs.DetectionStudy(
        marks.assign(reader=names), cases, lesions, reader="reader", modality="modality"
    )


def test_a_reader_without_marks_has_one_half_and_a_note():
    study = silent_reader()
    with pytest.warns(rs.StatisticalWarning, match="no-marks"):
        found = study.auc()
    row = found[found["reader"] == "silent"].iloc[0]
    assert (row["estimate"], row["se"]) == (0.5, 0)
    assert row["ci_low"] < 0.4
    assert row["ci_high"] > 0.6
    assert "no-marks" in row["note"]
    for interval in ("logit-t", "wald"):
        found = study.auc(interval=interval)
        row = found[found["reader"] == "silent"].iloc[0]
        assert np.isnan([row["ci_low"], row["ci_high"]]).all()
    difference = study.compare_auc(by="reader").set_index("reader").loc["silent"]
    assert (difference["estimate"], difference["p_value"]) == (0, 1)
    assert np.isnan(difference["ci_low"])


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_a_study_without_any_mark():
    cases, lesions = (
        pd.DataFrame({"case": range(20)}),
        pd.DataFrame({"case": range(9), "lesion": 1}),
    )
    marks = pd.DataFrame({"case": [], "rating": [], "lesion": []})
    study = rs.DetectionStudy(marks, cases, lesions)
    for curve in CURVES:
        area = study.auc(curve=curve)["estimate"].item()
        assert area == (0.0 if curve == "lroc" else 0.5)
    points = study.operating_points(threshold="any").set_index("quantity")
    assert points["estimate"].tolist() == [0, 0]
    # Garwood's limit of no event in 20 cases.
    assert points.loc["false_marks", "ci_high"] == pytest.approx(-np.log(0.025) / 20)
    assert (points["ci_high"] > points["ci_low"]).all()
    score = study.froc_score(rng=1, n_resamples=100)
    assert score["estimate"].item() == 0
    assert score["ci_high"].item() > 0.1
    assert len(study.curve()) == 1
    band = study.froc_band(rng=1, n_resamples=100)
    assert (band["lesion_tpr_high"] > band["lesion_tpr"]).all()


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_clusters_count_once_where_nobody_makes_a_false_mark():
    cases = pd.DataFrame({"case": range(20), "unit": np.arange(20) % 5})
    lesions = pd.DataFrame({"case": range(9), "lesion": 1})
    study = rs.DetectionStudy(lesions.assign(rating=1), cases, lesions, cluster="unit")
    points = study.operating_points(threshold="any").set_index("quantity")
    assert points.loc["false_marks", "ci_high"] == pytest.approx(-np.log(0.025) / 5)
    assert "no-spread-of-marks" in points.loc["false_marks", "note"]


def perfect(n_lesions=1):
    cases = pd.DataFrame({"case": range(40)})
    lesions = pd.DataFrame(
        [(k, i) for k in range(20) for i in range(n_lesions)], columns=["case", "lesion"]
    )
    marks = pd.concat([lesions.assign(rating=1, m=m) for m in "AB"])
    return rs.DetectionStudy(marks, cases, lesions, modality="m")


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_no_interval_has_zero_width_where_all_is_found():
    for frame in (
        perfect().auc(),
        perfect().auc(interval="wald"),
        perfect().operating_points(threshold=1),
        perfect().operating_points(false_marks=1, rng=1, n_resamples=100),
        perfect().operating_points(fpr=0.1, rng=1, n_resamples=100),
        perfect().froc_score(rng=1, n_resamples=100),
    ):
        assert (frame["ci_high"] - frame["ci_low"] > 0.01).all()
    # Five lesions of a case that are all found count as one.
    one, five = (perfect(k).operating_points(threshold=1)["ci_low"].iloc[0] for k in (1, 5))
    assert one == pytest.approx(five)


@pytest.mark.filterwarnings("ignore::rocstats.StatisticalWarning")
def test_identical_modalities_have_p_1_and_no_interval():
    for frame in (
        perfect().compare_auc(),
        perfect().compare_operating_points(threshold=1),
        perfect().compare_froc_score(rng=1, n_resamples=100),
    ):
        assert (frame["p_value"] == 1).all()
        assert frame["ci_low"].isna().all()
        assert frame["note"].str.contains("identical-predictors").all()


def test_false_marks_beyond_a_curve_are_noted():
    with pytest.warns(rs.StatisticalWarning, match="beyond-marks"):
        read = example().operating_points(false_marks=[0.25, 8], rng=1, n_resamples=100)
    noted = read["note"].str.contains("beyond-marks")
    assert noted.tolist() == (read["false_marks"] == 8).tolist()


def test_a_study_of_positive_cases_alone():
    marks, cases, lesions = rs.load_marks_example()
    study = rs.DetectionStudy(
        marks[marks["case"] > 29], cases[cases["case"] > 29], lesions, reader="reader",
        modality="modality",
    )  # fmt: skip
    with pytest.raises(rs.InputError, match="wafroc1"):
        study.auc()
    found = study.auc(curve="wafroc1")
    assert found["estimate"].between(0.3, 1).all()
    assert (found["ci_high"] > found["ci_low"]).all()
    assert study.compare_auc(curve="afroc1")["p_value"].between(0, 1).all()
    assert study.curve()["fpr"].isna().all()
    with pytest.raises(rs.InputError, match="`fpr` must be in a study with cases without"):
        study.operating_points(fpr=0.1)


# --- The machine ----------------------------------------------------------------------------------


def test_marks_of_a_machine_under_one_modality_stand_beside_each():
    marks, cases, lesions = rs.load_marks_example()
    of_machine = marks[(marks["reader"] == 0) & (marks["modality"] == "A")].assign(
        reader="AI", modality="AI"
    )
    both = pd.concat([marks.assign(reader=marks["reader"].astype(str)), of_machine])
    study = rs.DetectionStudy(
        both, cases, lesions, reader="reader", modality="modality", machine="AI"
    )
    assert study.modalities == ("A", "B")
    assert study.readers == ("0", "1", "2", "3")
    assert_alike(study.compare_auc(), example().compare_auc())
    found = study.compare_with(by="reader")
    first = found[(found["modality"] == "A") & (found["reader"] == "0")].iloc[0]
    assert (first["estimate"], first["p_value"]) == (0, 1)
    machine = study.auc().query("reader == 'AI'")["estimate"].tolist()
    assert machine == pytest.approx([0.8787777778] * 2)
    assert study.whole_cases().machines == ("AI",)


def test_the_plan_of_a_new_study_takes_the_components():
    # RJafroc's dataset01, see validation/r_rjafroc: only the arithmetic of the design is asked.
    pilot = example().components()
    design = rs.ReaderDesign(difference=0.1, components=pilot, pilot_n_pos=25, pilot_n_neg=30)
    power = rs.power(design, n_readers=[4, 8], n_pos=50, n_neg=50)["power"]
    assert power.is_monotonic_increasing


# --- Refusals -------------------------------------------------------------------------------------


@each(
    ("ask", "message"),
    [
        (lambda s: s.auc(curve="froc"), "`curve` must be"),
        (lambda s: s.auc(interval="logit"), "`interval` must be"),
        (lambda s: s.auc(readers="fixed", cases="fixed"), "`cases` must be 'random'"),
        (lambda s: s.compare_auc(by="reader", cases="fixed"), "`cases` must be 'random'"),
        (lambda s: s.compare_auc(covariance="bootstrap"), "`covariance` must be"),
        (lambda s: s.compare_auc(reference="C"), "`reference`"),
        (lambda s: s.compare_with("robot"), "`machine` must name"),
        (lambda s: s.compare_with(), "`machine` must name"),
        (lambda s: s.operating_points(), "`threshold` must be given"),
        (lambda s: s.operating_points(threshold=1, false_marks=1), "threshold and false_marks"),
        (lambda s: s.operating_points(false_marks=0), "`false_marks` must be above 0"),
        (lambda s: s.operating_points(fpr=1), r"`fpr` must be in \[0, 1\)"),
        (lambda s: s.operating_points(threshold="all"), "`threshold` must be a finite number"),
        (lambda s: s.operating_points(threshold={"A": 1}), "`threshold` must have a number for"),
        (lambda s: s.froc_score(false_marks=[]), "`false_marks` must be a finite number"),
        (lambda s: s.compare_operating_points(threshold=1, hypothesis="superiority"), "difference"),
        (lambda s: s.curve("roc"), "`curve` must be"),
        (lambda s: s.froc_band(scope="future"), "`scope` must be"),
    ],
)
def test_wrong_options_are_refused(ask, message):
    with pytest.raises(rs.InputError, match=message):
        ask(example())


def test_one_reader_and_one_modality_are_refused_where_there_must_be_more():
    study = rs.DetectionStudy(*hand_tables())
    with pytest.raises(rs.InputError, match="`modality` must have two"):
        study.compare_auc()
    with pytest.raises(rs.InputError, match="`readers` must be 'fixed'"):
        study.auc(readers="random")
    with pytest.raises(rs.InputError, match="`machine` must be marked beside readers"):
        study.compare_with("reader")


def test_weights_are_refused_where_lesions_count_alike(rng):
    study = random_study(rng, weight="weight")
    for curve in ("afroc", "afroc1"):
        with pytest.raises(rs.InputError, match="weight="):
            study.auc(curve=curve)


def test_a_threshold_for_each_modality():
    found = example().compare_operating_points(threshold={"A": 1.0, "B": 0.5})
    assert found["threshold"].tolist() == [1, 1]
    assert found["reference_threshold"].tolist() == [0.5, 0.5]
    points = example().operating_points(threshold={"A": 1.0, "B": 0.5})
    average = points[points["reader"] == "all"].set_index(["modality", "quantity"])["estimate"]
    for row in found.itertuples():
        base = row.quantity.removesuffix("_difference")
        assert row.estimate == pytest.approx(average["A", base] - average["B", base])
