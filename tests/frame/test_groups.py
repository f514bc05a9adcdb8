"""Groups of several columns stay several columns: in answers, files, tables and figures."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import rocstats as rs
from rocstats.frame.groups import columns_of_groups
from tests.calls import OF_STUDIES, ROLES
from tests.quick import assert_frames_equal

PARTS = ["sex", "site"]
N = 120


@pytest.fixture
def cases(rng) -> pd.DataFrame:
    y = np.tile([0, 1, 1, 0], N // 4)
    return pd.DataFrame(
        {
            "y": y,
            "a": y + rng.normal(size=N),
            "b": y + rng.normal(size=N),
            "sex": np.repeat(["F", "M"], N // 2),
            "site": np.tile(np.repeat(["01", "NA"], N // 4), 2),
        }
    )


@pytest.fixture
def study(cases) -> rs.Study:
    return rs.Study("y", ["a", "b"], data=cases, group=PARTS, labels={"sex": "Sex"})


def without(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(frame.drop(columns=PARTS))


def test_values_stand_behind_the_label_that_joins_them(study, cases):
    frame = study.auc()
    assert frame.columns[1:4].tolist() == ["group", *PARTS]
    assert frame["group"].tolist() == (frame["sex"] + " / " + frame["site"]).tolist()
    assert frame[PARTS].drop_duplicates().to_numpy().tolist() == [
        ["F", "01"], ["F", "NA"], ["M", "01"], ["M", "NA"],
    ]  # fmt: skip
    # All else is the answer of one column that was joined before.
    joined = cases.assign(both=cases["sex"] + " / " + cases["site"])
    plain = rs.Study("y", ["a", "b"], data=joined, group="both").auc()
    pd.testing.assert_frame_equal(without(frame), pd.DataFrame(plain))


# Groups of marks are columns of a table of cases: tests/inference/localisation has them.
GROUPED = [
    name
    for name, call in OF_STUDIES.items()
    if "group" in ROLES[call.kind] and call.kind is not rs.DetectionStudy
]


@pytest.mark.parametrize("name", GROUPED)
def test_every_question_answers_as_of_one_joined_column(name):
    call = OF_STUDIES[name]
    one = ROLES[call.kind]["group"]
    other = np.char.add("0", one)
    joined = np.char.add(np.char.add(one, " / "), other)
    try:
        plain = call.of(group=joined).answer()
    except rs.InputError:
        with pytest.raises(rs.InputError):
            call.of(group={"sex": one, "site": other}).answer()
        return
    frame = call.of(group={"sex": one, "site": other}).answer()
    if "group" not in plain:
        assert "sex" not in frame
        return
    assert_frames_equal(without(frame), pd.DataFrame(plain), check_exact=True)
    behind = frame.columns.get_loc("group") + 1
    assert frame.columns[behind : behind + 2].tolist() == PARTS
    known = {("x / 0x", "x", "0x"), ("y / 0y", "y", "0y"), ("all", "all", "all")}
    assert set(frame[["group", *PARTS]].itertuples(index=False, name=None)) <= known
    again = rs.read_csv(io.StringIO(frame.to_csv(index=False)))
    assert_frames_equal(pd.DataFrame(again), pd.DataFrame(frame), check_exact=True)
    assert json.loads(json.dumps(frame.attrs)) == frame.attrs


def test_counted_pairs_have_them(cases):
    pytest.importorskip("narwhals")
    pairs = rs.count_paired(cases, "y", ["a", "b"], by=PARTS, exact=True).compare_auc()
    rows = rs.Study("y", ["a", "b"], data=cases, group=PARTS).compare_auc()
    assert pairs[["group", *PARTS]].equals(rows[["group", *PARTS]])


def test_stacked_test_sets_keep_them(cases):
    parts = [rs.Study("y", "a", data=part, group=PARTS) for part in (cases, cases.iloc[::-1])]
    frame = rs.stack_test_sets(parts).auc()
    assert list(map(tuple, frame[["group", *PARTS]].to_numpy())) == [
        (f"{sex} / {site}", sex, site) for sex in "FM" for site in ("01", "NA")
    ]


def test_they_sort_and_select_rows(study):
    frame = study.auc().sort_values(["site", "sex"]).query("site == 'NA'")
    assert frame["group"].tolist() == ["F / NA", "F / NA", "M / NA", "M / NA"]
    assert columns_of_groups(frame) == PARTS


def test_pooled_imputations_keep_them(study):
    frames = [study.auc(), study.auc()]
    pooled = rs.pool_imputations(frames)
    assert pooled.columns[1:4].tolist() == ["group", *PARTS]
    assert pooled[PARTS].equals(frames[0][PARTS])


def test_added_keys_are_kept_by_pooling(study):
    frames = [study.auc().assign(model="x") for _ in range(2)]
    pooled = rs.pool_imputations(frames)
    assert pooled["model"].tolist() == ["x"] * 8
    frames[1] = frames[1].assign(model="y")
    with pytest.raises(rs.InputError, match="same rows in the same order; got model 'x' and 'y'"):
        rs.pool_imputations(frames)


def test_tables_print_a_column_for_each(study, tmp_path):
    table = rs.format_table(study.auc())
    assert table.columns[:3].tolist() == ["Predictor", "Sex", "site"]
    # A file has no labels, and the same columns.
    path = rs.save_table(study.auc(), tmp_path / "areas.csv")
    assert rs.format_table(rs.read_csv(path)).columns[:3].tolist() == ["Predictor", *PARTS]
    wide = rs.format_table(study.operating_points(threshold=0.5), layout="wide")
    assert wide.columns[:3].tolist() == ["Predictor", "Sex", "site"]


def test_across_groups_both_sides_have_the_joined_label(study):
    table = rs.format_table(study.compare_auc(across="groups"))
    assert table.columns[:3].tolist() == ["Predictor", "Reference", "Sex, site"]
    assert table.iloc[0, :3].tolist() == ["a", "F / NA", "F / 01"]


def test_a_row_of_all_groups_says_so_in_each(study):
    frame = study.stratified_auc()
    assert frame.loc[0, ["group", *PARTS]].tolist() == ["all"] * 3
    assert rs.format_table(frame).iloc[0, :3].tolist() == ["a", "all", "all"]


def test_frames_of_other_studies_concatenate(study, cases):
    both = pd.concat([study.auc(), rs.Study("y", "a", data=cases).auc()], ignore_index=True)
    assert rs.format_table(both).iloc[-1, :3].tolist() == ["a", "", ""]


def test_a_table_of_readers_has_them(rng):
    modality, reader, case = (axis.ravel() for axis in np.indices((2, 3, 40)))
    truth = case % 2
    study = rs.ReaderStudy(
        truth, rng.normal(truth, 1), reader=reader, case=case, modality=modality,
        group={"sex": np.where(case < 20, "F", "M"), "site": np.where(case % 4 < 2, "01", "02")},
    )  # fmt: skip
    table = rs.format_table(study.auc(), layout="wide")
    assert table.columns[:3].tolist() == [*PARTS, "Reader"]
    assert table["site"].iloc[0] == "01"


def test_figures_have_a_line_for_each_group(study):
    one = study.auc().query("predictor == 'a'")
    texts = [text.get_text() for text in rs.plot_forest(one).texts]
    assert {"F, 01", "F, NA", "M, 01", "M, NA"} <= {text.removeprefix("a, ") for text in texts}
    curve = study.roc_curve()
    ax = rs.plot_roc(curve[(curve["predictor"] == "a") & (curve["sex"] == "F")], auc=study.auc())
    words = [text.get_text() for text in np.ravel(ax)[0].figure.findobj(Text)]
    assert any("F / NA" in word for word in words)


def test_a_name_of_a_column_of_answers_has_a_prefix(cases):
    renamed = cases.rename(columns={"sex": "class"})
    study = rs.Study("y", "a", data=renamed, group=["class", "site"])
    frame = study.auc()
    assert frame.columns[1:4].tolist() == ["group", "group_class", "site"]
    assert rs.format_table(frame).columns[:3].tolist() == ["Predictor", "class", "site"]
    assert rs.read_csv(io.StringIO(frame.to_csv(index=False))).equals(frame)
    # One column is the column ``group``, whatever its name.
    assert "group_class" not in rs.Study("y", "a", data=renamed, group="class").auc()
    with pytest.raises(rs.InputError, match=r"got \['class', 'group_class'\], which answers call"):
        rs.Study("y", "a", data=renamed.assign(group_class="z"), group=["class", "group_class"])


def test_one_column_has_no_column_behind(cases):
    for group in (["sex"], cases[["sex"]], {"sex": cases["sex"]}):
        frame = rs.Study("y", "a", data=cases, group=group).auc()
        assert frame.columns[1:3].tolist() == ["group", "quantity"]


def test_columns_of_a_user_are_no_groups(cases):
    frame = rs.Study("y", "a", data=cases, group="sex").auc()
    frame.insert(2, "first", "x")
    frame.insert(3, "second", "y")
    assert columns_of_groups(frame) == []
    table = rs.format_table(frame)
    assert {"Group", "first", "second"} <= set(table)


def test_read_csv_keeps_added_columns_as_text(study):
    frame = study.auc().assign(year=2020, model=["01", "NA", ""] * 2 + ["", "x"])
    frame.insert(0, "run", range(8))
    again = rs.read_csv(io.StringIO(frame.to_csv(index=False)))
    assert again.columns.tolist() == frame.columns.tolist()
    assert again["year"].tolist() == ["2020"] * 8
    assert again["model"].tolist() == frame["model"].tolist()
    assert again["run"].tolist() == list("01234567")
    ours = frame.columns.drop(["year", "model", "run"])
    pd.testing.assert_frame_equal(
        again[ours], frame[ours], check_exact=True, check_frame_type=False
    )
    # The answer prints as one, and loses nothing by dropping what was added.
    assert "columns in all]" in repr(again.drop(columns=["year", "model", "run"]))
    assert {"run", "year", "model"} <= set(rs.format_table(again))


def test_read_csv_refuses_two_columns_of_one_name():
    with pytest.raises(rs.InputError, match="two have the same name"):
        rs.read_csv(io.StringIO("predictor,x,x\na,1,2\n"))


def test_whole_numbers_before_the_predictor_are_printed(study):
    frame = study.auc()
    frame.insert(0, "year", 2020)
    assert rs.format_table(frame)["year"].tolist() == ["2020"] * 8
