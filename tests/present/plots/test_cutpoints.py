"""The figures of scores and of resampled cutpoints: what is drawn is compared, not pixels."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocstats as rs

pytestmark = pytest.mark.filterwarnings("ignore::rocstats.errors.StatisticalWarning")


@pytest.fixture(autouse=True)
def _closed_figures():
    mpl.use("Agg")
    yield
    plt.close("all")


@pytest.fixture
def masses():
    data = rs.load_breast_cancer()
    return rs.Study("diagnosis", "texture", data=data, pos_label="malignant")


def texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_bars_of_ratings_are_the_shares_of_each_class(ct):
    cut = ct.cutpoints(rng=1)
    ax = rs.plot_scores(ct.roc_curve(), cutpoints=cut)
    negatives, positives = ax.containers
    assert [bar.get_height() for bar in negatives] == pytest.approx(
        np.array([33, 6, 6, 11, 2]) / 58
    )
    assert [bar.get_height() for bar in positives] == pytest.approx(
        np.array([3, 2, 2, 11, 33]) / 51
    )
    assert [bar.get_center()[0] for bar in positives] == pytest.approx([1, 2, 3, 4, 5])
    (line,) = ax.lines
    assert line.get_xdata()[0] == cut.loc[0, "estimate"] == 4
    assert texts(ax) == ["58 negatives", "51 positives", "cutpoint 4 and 95% interval"]
    assert ax.get_xlabel() == "rating (high is positive)"


def test_the_line_and_its_label_are_at_the_midpoint(masses):
    cut = masses.cutpoints(rng=1, n_resamples=200)
    ax = rs.plot_scores(masses.roc_curve(), cutpoints=cut)
    assert ax.lines[0].get_xdata()[0] == cut.loc[0, "estimate"] == pytest.approx(19.315, rel=1e-14)
    assert texts(ax)[2] == "cutpoint 19.315 and 95% interval"


def test_many_scores_are_binned(masses):
    ax = rs.plot_scores(masses.roc_curve(), cutpoints=masses.cutpoints(rng=1, n_resamples=200))
    for patch, label in zip(ax.patches, (False, True), strict=False):
        heights, edges, _ = patch.get_data()
        own = masses.scores[0][masses.is_positive == label]
        np.testing.assert_allclose(heights, np.histogram(own, edges)[0] / len(own))
        assert len(heights) == 40


def test_the_interval_is_a_band_behind_the_scores(masses):
    cut = masses.cutpoints(rng=1, n_resamples=200)
    for ax in (
        rs.plot_scores(masses.roc_curve(), cutpoints=cut),
        rs.plot_cutpoint_draws(masses.cutpoint_draws(rng=1, n_resamples=200), cutpoints=cut),
    ):
        *bars, band = ax.patches
        # older matplotlib draws a polygon, newer a rectangle
        x = band.get_path().transformed(band.get_patch_transform()).vertices[:, 0]
        ends = x.min(), x.max()
        assert ends == pytest.approx(tuple(cut.loc[0, ["ci_low", "ci_high"]]))
        assert band.get_zorder() < min(bar.get_zorder() for bar in bars)


def test_shares_of_resamples_add_up_to_one(masses):
    draws = masses.cutpoint_draws(rng=1, n_resamples=300)
    ax = rs.plot_cutpoint_draws(draws)
    heights, edges, _ = ax.patches[0].get_data()
    assert heights.sum() == pytest.approx(1)
    np.testing.assert_allclose(heights, np.histogram(draws["threshold"], edges)[0] / 300)
    assert texts(ax) == ["300 resamples"]


def test_what_has_no_place_is_counted():
    study = rs.Study([1, 1, 0, 0, 0], [np.inf, 2, 3, 1, -np.inf])
    ax = rs.plot_scores(study.roc_curve())
    assert texts(ax) == [
        "3 negatives, 1 of them infinite",
        "2 positives, 1 of them infinite",
    ]
    same = rs.Study([1, 0, 1, 0], [7, 7, 7, 7])
    asked = {"n_resamples": 100, "rng": 1}
    ax = rs.plot_cutpoint_draws(same.cutpoint_draws(**asked), cutpoints=same.cutpoints(**asked))
    assert texts(ax)[0] == "100 resamples, 100 of them call nobody positive"


def test_names_are_drawn_as_they_are_and_directions_said():
    y = np.arange(40) % 2
    study = rs.Study(y, {"$x_1$": -(y + np.arange(40) % 7)}, higher_is_positive=False)
    ax = rs.plot_scores(study.roc_curve(), ax=Figure().subplots())
    assert ax.get_xlabel() == "$x_1$ (low is positive)"
    assert not ax.xaxis.label.get_parse_math()


def test_a_group_has_its_own_cutpoint(patients):
    study = rs.Study("outcome", "a", data=patients, pos_label="Poor", group="site")
    curve, cut = study.roc_curve(), study.cutpoints(rng=1, n_resamples=100)
    ax = rs.plot_scores(curve[curve["group"] == "y"], cutpoints=cut)
    wanted = cut.loc[(cut["group"] == "y") & (cut["quantity"] == "threshold"), "estimate"]
    assert ax.lines[0].get_xdata()[0] == wanted.iloc[0]


def test_what_cannot_be_drawn_is_refused(three, ct):
    with pytest.raises(rs.InputError, match=r"`curve` must have columns predictor, fold"):
        rs.plot_scores(three.auc())
    with pytest.raises(rs.InputError) as caught:
        rs.plot_scores(three.roc_curve())
    assert str(caught.value) == (
        "`curve` must be a curve of one predictor, in one group; got 3: d1, d2, d3. Choose rows of"
        " one: their scores need not have one scale."
    )
    with pytest.raises(rs.InputError, match="`draws` must be cutpoints of one predictor"):
        rs.plot_cutpoint_draws(three.cutpoint_draws(rng=1, n_resamples=100))
    with pytest.raises(rs.InputError, match=r"`draws` must have columns predictor, direction"):
        rs.plot_cutpoint_draws(ct.roc_curve())
    with pytest.raises(rs.InputError) as caught:
        rs.plot_scores(ct.roc_curve(), cutpoints=three.cutpoints(rng=1, n_resamples=100))
    assert str(caught.value) == (
        "`cutpoints` must have one row of the threshold of 'rating'; got 0. Pass"
        " study.cutpoints(...) of the same study."
    )
