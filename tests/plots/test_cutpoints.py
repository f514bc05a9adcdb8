"""The figures of scores and of resampled cutpoints: what is drawn is compared, not pixels."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import rocstats as rs


@pytest.fixture
def masses():
    data = rs.load_breast_cancer()
    return rs.Study("diagnosis", "texture", data=data, pos_label="malignant")


def texts(ax):
    return [text.get_text() for text in ax.texts]


def bars(ax, *, hatched=None):
    """Ends and heights of bars, from left to right."""
    drawn = [bar for bar in ax.patches if hasattr(bar, "get_height") and bar.get_linewidth() == 0.4]
    chosen = [bar for bar in drawn if hatched is None or bool(bar.get_hatch()) == hatched]
    return sorted((bar.get_x(), bar.get_x() + bar.get_width(), bar.get_height()) for bar in chosen)


def line_at(ax):
    (line,) = [line for line in ax.lines if line.get_zorder() == 4]
    return line.get_xdata()[0]


def test_bars_of_ratings_are_the_shares_of_each_class(ct):
    cut = ct.cutpoints(rng=1)
    ax = rs.plot_scores(ct.roc_curve(), cutpoints=cut)
    assert line_at(ax) == cut.loc[0, "estimate"] == 4
    # at 4 and 5 positives are right, below it negatives are
    positives, negatives = np.array([3, 2, 2, 11, 33]) / 51, np.array([33, 6, 6, 11, 2]) / 58
    solid, hatched = bars(ax, hatched=False), bars(ax, hatched=True)
    heights = [bar[2] for bar in solid]
    assert heights == pytest.approx([*-negatives[:3], *positives[3:]])
    heights = [bar[2] for bar in hatched]
    assert heights == pytest.approx([*positives[:3], *-negatives[3:]])
    assert [sum(bar[:2]) / 2 for bar in solid] == pytest.approx([1, 2, 3, 4, 5])
    assert texts(ax) == [
        *("44 found\nof 51 positives", "7 missed"),
        *("45 cleared\nof 58 negatives", "13 false alarms"),
    ]
    assert ax.get_title() == "Cutpoint 4 (95% CI 3 to 5)"
    assert ax.get_xlabel() == "rating (high is positive)"
    # without a cutpoint nobody is right or wrong
    alone = rs.plot_scores(ct.roc_curve())
    assert texts(alone) == ["51 positives", "", "58 negatives", ""]
    assert len(bars(alone, hatched=False)) == 10


def test_the_line_and_its_label_are_at_the_midpoint(masses):
    cut = masses.cutpoints(rng=1, n_resamples=200)
    ax = rs.plot_scores(masses.roc_curve(), cutpoints=cut)
    assert line_at(ax) == cut.loc[0, "estimate"] == pytest.approx(19.315, rel=1e-14)
    low, high = cut.loc[0, ["ci_low", "ci_high"]]
    # 19.31 is not called, and the midpoint is a rounding error below 19.315.
    assert ax.get_title() == f"Cutpoint 19.314 (95% CI {low:.5g} to {high:.5g})"


def test_many_scores_are_binned(masses):
    cut = masses.cutpoints(rng=1, n_resamples=200)
    ax = rs.plot_scores(masses.roc_curve(), cutpoints=cut)
    own = masses.scores[0]
    span = np.ptp(own)
    for low, high, height in bars(ax):
        assert high - low == pytest.approx(span / 40)
        in_class = own[masses.is_positive == (height > 0)]
        share = ((in_class >= low) & (in_class < high)).mean()
        assert abs(height) == pytest.approx(share)
    # a bin starts at the cutpoint: hatched are positives below it and negatives above it
    at = cut.loc[0, "estimate"]
    for low, high, height in bars(ax, hatched=True):
        assert high <= at + 1e-9 if height > 0 else low >= at - 1e-9
    assert sum(abs(height) for *_, height in bars(ax)) == pytest.approx(2)


def test_the_interval_is_a_band_behind_the_scores(masses):
    cut = masses.cutpoints(rng=1, n_resamples=200)
    ax = rs.plot_scores(masses.roc_curve(), cutpoints=cut)
    *columns, band = ax.patches
    # older matplotlib draws a polygon, newer a rectangle
    x = band.get_path().transformed(band.get_patch_transform()).vertices[:, 0]
    ends = tuple(cut.loc[0, ["ci_low", "ci_high"]])
    assert (x.min(), x.max()) == pytest.approx(ends)
    assert band.get_zorder() < min(bar.get_zorder() for bar in columns)
    draws = masses.cutpoint_draws(rng=1, n_resamples=200)
    (bar,) = [
        line
        for line in rs.plot_cutpoint_draws(draws, cutpoints=cut).lines
        if line.get_linewidth() == 3
    ]
    assert tuple(bar.get_xdata()) == pytest.approx(ends)


def dots(ax):
    """Places of the dots inside the interval, and of those outside."""
    return [line.get_xydata() for line in ax.lines if line.get_marker() == "o"]


def test_fifty_dots_are_the_quantiles_of_the_resamples(masses):
    draws = masses.cutpoint_draws(rng=1, n_resamples=300)
    inside, outside = dots(rs.plot_cutpoint_draws(draws))
    assert (len(inside), len(outside)) == (50, 0)
    # the dot at a place k of 50 is the resample that ends a share of (k - 1/2) / 50
    values = np.sort(draws["threshold"])[np.ceil(300 * (np.arange(50) + 0.5) / 50).astype(int) - 1]
    column = np.ptp(values) / 10
    assert np.abs(np.sort(inside[:, 0]) - values).max() < column
    cut = masses.cutpoints(rng=1, n_resamples=300)
    low, high = cut.loc[0, ["ci_low", "ci_high"]]
    ax = rs.plot_cutpoint_draws(draws, cutpoints=cut)
    (bar,) = (line for line in ax.lines if line.get_solid_capstyle() == "butt")
    np.testing.assert_allclose(bar.get_xdata(), [low, high])
    assert ax.get_ylim()[0] < np.asarray(bar.get_ydata()).min() < 0  # below the dots
    inside, outside = dots(ax)
    assert len(inside) == ((values >= low) & (values <= high)).sum()
    assert len(outside) == 50 - len(inside)


def test_dots_do_not_overlap(masses, ct):
    for study in (masses, ct):
        ax = rs.plot_cutpoint_draws(study.cutpoint_draws(rng=1, n_resamples=200))
        (marks,) = [line for line in ax.lines if line.get_marker() == "o" and len(line.get_xdata())]
        ax.figure.draw_without_rendering()
        places = ax.transData.transform(marks.get_xydata())
        gaps = np.hypot(*(places[:, None] - places[None]).T)[~np.eye(len(places), dtype=bool)]
        assert gaps.min() > 0.9 * marks.get_markersize() * ax.figure.dpi / 72


def test_what_has_no_place_is_counted():
    study = rs.Study([1, 1, 0, 0, 0], [np.inf, 2, 3, 1, -np.inf])
    ax = rs.plot_scores(study.roc_curve())
    assert texts(ax)[::2] == [
        "2 positives, 1 of them infinite",
        "3 negatives, 1 of them infinite",
    ]
    same = rs.Study([1, 0, 1, 0], [7, 7, 7, 7])
    asked = {"n_resamples": 100, "rng": 1}
    cut = same.cutpoints(**asked)
    ax = rs.plot_cutpoint_draws(same.cutpoint_draws(**asked), cutpoints=cut)
    assert ax.get_xlabel().endswith("\n100 of 100 resamples call nobody positive")
    assert [len(each) for each in dots(ax)] == [0, 0]
    ax = rs.plot_scores(same.roc_curve(), cutpoints=cut)
    assert texts(ax)[:2] == ["0 found\nof 2 positives", "2 missed"]
    assert ax.get_title() == "Cutpoint ∞ (95% CI 7 to ∞)"


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
    assert line_at(ax) == wanted.iloc[0]


def test_what_cannot_be_drawn_is_refused(three, ct):
    with pytest.raises(rs.InputError) as caught:
        rs.plot_scores(three.roc_curve())
    assert str(caught.value) == (
        "`curve` must be a curve of one predictor, in one group; got 3: d1, d2, d3. Choose rows of"
        " one: their scores need not have one scale."
    )
    with pytest.raises(rs.InputError, match="`draws` must be cutpoints of one predictor"):
        rs.plot_cutpoint_draws(three.cutpoint_draws(rng=1, n_resamples=100))
    with pytest.raises(rs.InputError) as caught:
        rs.plot_scores(ct.roc_curve(), cutpoints=three.cutpoints(rng=1, n_resamples=100))
    assert str(caught.value) == (
        "`cutpoints` must have one row with the threshold of 'rating'; got 0. Pass"
        " study.cutpoints(...) of the same study."
    )


def test_cutpoints_of_the_least_numbers_are_drawn():
    # The axis is 2e-323 long: no number is as small as the width of a dot.
    study = rs.Study([1, 1, 1, 0, 0, 0], np.array([3, 2, 2, 1, 0, 1]) * 5e-324)
    drawn = dots(rs.plot_cutpoint_draws(study.cutpoint_draws(rng=1, n_resamples=100)))
    assert sum(map(len, drawn)) > 0
