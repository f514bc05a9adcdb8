"""Files of figures: TrueType letters, no alpha channel, settings of the user unchanged."""

from __future__ import annotations

from io import BytesIO

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

import rocstats as rs
from rocstats.plots.files import PICTURES, picture_content, save_figure
from rocstats.plots.roc import roc_figure

Y = np.tile([1, 0], 30)
STUDY = rs.Study(Y, {"a": np.arange(60) % 7 + Y, "b": np.arange(60) % 5 + Y})


def draw():
    band = STUDY.roc_band("working-hotelling", at=[0.2, 0.5, 0.8])
    points = STUDY.operating_points(threshold=4)
    return roc_figure(STUDY.roc_curve(), auc=STUDY.auc(), band=band, points=points)


@pytest.mark.parametrize("ending", PICTURES)
def test_a_file_of_each_kind_leaves_the_settings(tmp_path, ending):
    before = dict(mpl.rcParams)
    ax = rs.plot_roc(STUDY.roc_curve(), auc=STUDY.auc())
    path = save_figure(ax, tmp_path / f"a{ending}")
    assert path.stat().st_size > 1000
    assert dict(mpl.rcParams) == before
    # the figure of the user keeps its layout
    assert ax.figure.get_layout_engine() is not None


def test_letters_are_truetype():
    pdf = picture_content(draw, "pdf")
    assert b"/Type3" not in pdf
    assert b"/CIDFontType2" in pdf
    eps = picture_content(draw, "eps")
    assert b"/FontType 42" in eps or b"Type 42" in eps


def test_letters_of_journals_are_as_wide_as_arial(monkeypatch):
    seen = []

    def noted():
        seen.append(list(mpl.rcParams["font.sans-serif"])[:2])
        return draw()

    picture_content(noted, "png", style="jama", dpi=72)
    picture_content(noted, "png", dpi=72)
    assert seen[0] == ["Arial", "Helvetica"]
    assert seen[1] == list(mpl.rcParams["font.sans-serif"])[:2]


def test_tiff_has_no_alpha_and_the_dots_that_were_asked():
    with Image.open(BytesIO(picture_content(draw, "tiff", dpi=600))) as picture:
        assert picture.mode == "RGB"
        assert picture.info["compression"] == "tiff_lzw"
        assert picture.info["dpi"] == (600, 600)
        # 85 mm
        assert picture.width == pytest.approx(85 / 25.4 * 600, abs=1)


def test_eps_has_the_colours_of_bands_on_white(recwarn):
    figure = draw()
    (ax,) = figure.axes
    before = [(one.get_alpha(), one.get_facecolor().copy()) for one in ax.collections]
    assert any(colour[0, 3] < 1 for _, colour in before)
    picture_content(lambda: figure, "eps")
    assert not [one for one in recwarn if "transparen" in str(one.message)]
    for one, (alpha, colour) in zip(ax.collections, before, strict=True):
        assert one.get_alpha() == alpha
        assert np.allclose(one.get_facecolor(), colour)


def test_marks_have_the_side_of_their_cutoff():
    (ax,) = draw().axes
    words = [text.get_text() for text in ax.texts]
    words += [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []
    assert any(text.startswith("≥ 4:") for text in words)


def test_bad_options_are_refused(tmp_path):
    ax = rs.plot_roc(STUDY.roc_curve())
    with pytest.raises(rs.InputError, match="`dpi`"):
        save_figure(ax, tmp_path / "a.png", dpi=10)
    with pytest.raises(rs.InputError, match="`path`"):
        save_figure(ax, tmp_path / "a.jpg")
    with pytest.raises(rs.InputError, match="`ax`"):
        save_figure(ax.figure, tmp_path / "a.png")
