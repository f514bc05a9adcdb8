"""Bands of a report are named in its methods, and its figures are those of any machine."""

from __future__ import annotations

import matplotlib as mpl
import pytest

import rocstats as rs
from rocstats.reports.document import FigureBlock, blocks_of
from rocstats.reports.figures import figure_as_file_content, svg_of
from rocstats.reports.options import read_report_options
from rocstats.tables.methods import band_sentence
from tests.reports.pages import document_of, references_of, small, words_of


def test_a_band_is_named_with_its_seed_and_source():
    document = document_of(small(), criterion=None, rng=7)
    words = words_of(document)
    assert "Each shaded area is a simultaneous 95% confidence band for the whole curve" in words
    assert "fixed-width bands, from 2000 bootstrap resamples (seed 7)" in words
    assert any("Campbell G" in reference for reference in references_of(document))


def test_a_band_of_ours_says_so():
    study = small()
    words = words_of(document_of(study, criterion=None, band="smoothed-score", rng=7))
    assert (
        "score-adjusted bands from a smoothed bootstrap (of rocstats, not peer-reviewed), from"
        " 2000 bootstrap resamples (seed 7)"
    ) in words
    with pytest.raises(rs.InputError, match="`band` must be one of 'fixed-width', 'smoothed-score"):
        read_report_options(study, band="joint")


def test_a_joint_band_that_stands_in_is_named():
    study = rs.Study([1] * 20 + [0] * 20, [*range(20, 40), *range(20)])
    band = study.roc_band("fixed-width", rng=7)
    assert set(band["method"]) == {"fixed-width/joint"}
    text = band_sentence(band).text
    assert "for score, whose resamples do not vary, the joint band" in text


def test_the_global_test_is_that_of_its_frame():
    study = small(predictors=("a", "b", "c"))
    (row,) = study.test_equal_auc().to_dict("records")
    words = words_of(document_of(study, criterion=None))
    assert "The global test that all 3 areas are equal gives" in words
    assert f"chi-square = {row['statistic']:.2f} on 2 degrees of freedom, P" in words


def test_figures_do_not_depend_on_the_users_settings():
    expected = svg_of(roc_block().draw, "")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path"}):
        assert svg_of(roc_block().draw, "") == expected


def roc_block():
    """Return the ROC figure of a new report: a report draws its figures once."""
    (block,) = [
        block
        for block in blocks_of(document_of(small(), criterion=None))
        if isinstance(block, FigureBlock) and "ROC" in block.caption
    ]
    return block


def test_files_of_all_kinds_share_a_figure_and_are_the_same_in_any_order():
    first, second = roc_block(), roc_block()
    assert first.draw() is first.draw()
    assert first.draw() is not second.draw()
    page, picture = svg_of(first.draw, ""), figure_as_file_content(first.draw, "png", dpi=60)
    assert figure_as_file_content(second.draw, "png", dpi=60) == picture
    assert svg_of(second.draw, "") == page == svg_of(first.draw, "")
