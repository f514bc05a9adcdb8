"""Summary ROC plots and forest plots of reviews."""

from __future__ import annotations

import numpy as np
import pytest

import rocstats as rs

DATA = rs.load_audit_c()
REVIEW = rs.MetaStudy("tp", "fp", "fn", "tn", data=DATA, study="study")
NODES = rs.load_lymph_nodes()
GROUPS = rs.MetaStudy("tp", "fp", "fn", "tn", data=NODES, study="study", group="modality")
FRAME = REVIEW.summary_roc()


def key_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_circles_are_at_the_studies_with_areas_by_size():
    (circles,) = rs.plot_summary_roc(FRAME).collections
    at = np.asarray(circles.get_offsets())
    assert at[:, 0] == pytest.approx((DATA["fp"] / (DATA["fp"] + DATA["tn"])).tolist())
    assert at[:, 1] == pytest.approx((DATA["tp"] / (DATA["tp"] + DATA["fn"])).tolist())
    people = DATA[["tp", "fp", "fn", "tn"]].sum(axis=1)
    big = circles.get_sizes() > 2.5**2 * 1.001
    ratio = circles.get_sizes()[big] / people[big].to_numpy()
    assert ratio.tolist() == pytest.approx([ratio[0]] * len(ratio))


def test_the_key_names_what_is_drawn():
    assert key_of(rs.plot_summary_roc(FRAME)) == [
        *("Studies", "Mean of the studies", "95% confidence region", "95% prediction region"),
        "Summary curve",
    ]
    few = rs.MetaStudy("tp", "fp", "fn", "tn", data=DATA[:4], study="study")
    with pytest.warns(rs.StatisticalWarning):
        ax = rs.plot_summary_roc(few.summary_roc(confidence_level=0.9))
    assert key_of(ax) == ["Studies", "Mean of the studies"]
    assert key_of(rs.plot_summary_roc(GROUPS.summary_roc()))[:4] == ["CT", "LAG", "MRI", "Studies"]


def test_crosshairs_have_both_limits_of_each_study():
    ax = rs.plot_summary_roc(FRAME, crosshairs=True)
    assert not [one for one in ax.collections if len(one.get_offsets()) == 14]
    single = FRAME[FRAME["part"] == "study"]
    drawn = {tuple(np.round(line.get_xdata(), 9)) for line in ax.lines}
    for row in single.itertuples():
        assert tuple(np.round([row.fpr_low, row.fpr_high], 9)) in drawn
    with pytest.raises(rs.InputError, match=r"^`crosshairs` must be True or False"):
        rs.plot_summary_roc(FRAME, crosshairs="yes")


def test_a_study_without_a_class_has_no_point():
    data = DATA.copy()
    data.loc[0, ["fp", "tn"]] = 0
    found = rs.MetaStudy("tp", "fp", "fn", "tn", data=data).summary_roc()
    (circles,) = rs.plot_summary_roc(found).collections
    assert len(circles.get_offsets()) == 13


def test_another_frame_is_refused():
    with pytest.raises(rs.InputError, match=r"^`frame` must have columns predictor, part"):
        rs.plot_summary_roc(REVIEW.summary())


def test_a_forest_of_a_review_has_two_panels_with_counts_and_means():
    ax = rs.plot_forest(REVIEW.studies(), summary=REVIEW.summary())
    assert [panel.get_xlabel() for panel in ax.figure.axes] == ["Sensitivity", "Specificity"]
    words = [text.get_text() for text in ax.texts]
    assert {"47/56", "752/752", "1.00 (0.99 to 1.00)", "Mean of the studies"} <= set(words)
    other = [text.get_text() for text in ax.figure.axes[1].texts]
    assert "738/839" in other
    (diamond,) = ax.patches
    corners = sorted(set(diamond.get_xy()[:, 0]))
    assert corners == pytest.approx([0.8193407, 0.9249318, 0.9709923], abs=1e-6)


def test_a_forest_of_groups_has_a_mean_in_each():
    ax = rs.plot_forest(GROUPS.studies(), summary=GROUPS.summary())
    words = [text.get_text() for text in ax.texts]
    assert words.count("Mean of the studies") == 3
    assert {"CT", "LAG", "MRI"} <= set(words)
    assert len(ax.patches) == 3


def test_what_a_forest_of_a_review_refuses():
    studies, summary = REVIEW.studies(), REVIEW.summary()
    with pytest.raises(rs.InputError, match=r"^`colors` must be left out with `summary`"):
        rs.plot_forest(studies, summary=summary, colors=["red"])
    with pytest.raises(rs.InputError, match=r"^`frame` must have columns predictor, study"):
        rs.plot_forest(summary, summary=summary)
    with pytest.raises(rs.InputError, match=r"^`summary` must be of the test and the groups"):
        rs.plot_forest(GROUPS.studies(), summary=GROUPS.summary().query("group != 'MRI'"))
    longer = rs.MetaStudy([9] * 61, [3] * 61, [2] * 61, [9] * 61)
    with pytest.raises(rs.InputError, match=r"at most 60 rows"):
        rs.plot_forest(longer.studies(), summary=longer.summary())


def test_predictive_values_of_a_review_are_drawn():
    ax = rs.plot_predictive_values(REVIEW.summary(prevalence=[0.05, 0.2, 0.4]))
    assert [panel.get_title(loc="left") for panel in ax.figure.axes] == [
        *("Positive predictive value", "Negative predictive value"),
    ]
