"""Words of type checkers are those of the records, and what records say of one another holds."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from rocstats.curves.criteria import CRITERIA, CriterionName
from rocstats.estimate.claim import read_hypothesis
from rocstats.estimate.permute import RankStatistic
from rocstats.estimate.shares import RatioName, ShareName
from rocstats.facts.columns import GLOSSARY
from rocstats.facts.measures import (
    AGREEMENT,
    FURTHER,
    MEASURES,
    QUANTITIES,
    RATES,
    Cells,
    class_of,
    fraction_of,
    measure,
    of_family,
)
from rocstats.facts.notes import NOTES, note_in_print
from rocstats.inference.calibration.measures import CalibrationMeasure
from rocstats.inference.calibration.scores import BrierParts, ScoreName
from rocstats.inference.classes import points as of_classes
from rocstats.inference.points import compare
from rocstats.inference.points.paired_measures import SumName
from rocstats.inference.subgroups import subgroup_quantities
from rocstats.inference.survival import points as of_survival
from rocstats.reports.options import ReportCriterion
from rocstats.tables.cells import LABELS

TABLES = {**MEASURES, **FURTHER}


def test_literals_have_the_words_of_the_records():
    assert get_args(CalibrationMeasure) == of_family("calibration")
    assert get_args(ScoreName) == of_family("score")
    assert {*BrierParts._fields} == {"miscalibration", *of_family("brier-part")}
    assert get_args(SumName) == tuple(w for w, one in TABLES.items() if one.weight is not None)
    words = {*get_args(ShareName), *get_args(RatioName), *get_args(RankStatistic)}
    assert words <= set(QUANTITIES)
    assert get_args(CriterionName) == tuple(CRITERIA)
    plain = tuple(name for name, one in CRITERIA.items() if not one.needs)
    assert get_args(ReportCriterion) == plain


def test_what_a_question_computes_has_a_record():
    plan = read_hypothesis("difference", None, "two-sided", 0.0, 0.95)
    compared = compare.possible_compared_quantities(plan)
    for words in (
        compared,
        of_classes.CALLED_MEASURES,
        of_survival.SURVIVAL_MEASURES,
    ):
        assert set(words) <= set(QUANTITIES)
    assert {one.quantity for one in CRITERIA.values()} - {""} <= set(QUANTITIES)
    differences = {word for word in compared if not QUANTITIES[word].compares}
    assert differences == {*set(subgroup_quantities("another")) & set(MEASURES), "kappa"}


@pytest.mark.parametrize("word", list(TABLES))
def test_a_measure_is_what_its_record_says(word, rng):
    cells = Cells(*rng.integers(1, 9, (4, 50)).astype(float))
    one, values = TABLES[word], measure(word, cells)
    if one.fraction is not None:
        assert one.of_prevalence == (class_of(word) is None)
    if one.complement:
        assert values == pytest.approx(1 - measure(one.complement, cells))
    assert (one.limits == "mirrored") == (one.complement != "")
    if one.weight is not None:
        off = values - one.weight * (measure("tpr", cells) + measure("tnr", cells))
        assert np.ptp(off) == pytest.approx(0, abs=1e-12)
    assert (one.limits == "rate") == (class_of(word) is not None)
    # Shares of positives twice as large: the measure changes where its record says so.
    more = Cells(2 * cells.tp, 2 * cells.fn, cells.fp, cells.tn)
    assert one.of_prevalence == (not np.allclose(measure(word, more), values))


def test_agreement_is_a_measure_under_another_name():
    assert AGREEMENT == {"ppa": "tpr", "npa": "tnr", "overall_agreement": "accuracy"}
    for word, same in AGREEMENT.items():
        assert fraction_of(word) == QUANTITIES[same].fraction
        assert class_of(word) == class_of(same)
    assert [class_of(word) for word in RATES] == [
        *("positives", "negatives", "negatives", "positives")
    ]
    assert fraction_of("my_statistic") is class_of("my_statistic") is None


def test_a_record_has_its_own_word():
    for records in (QUANTITIES, CRITERIA, NOTES):
        for word, record in records.items():
            assert record[0] == word
    assert note_in_print("no-such-code") == "no such code"


def test_columns_that_tables_print_have_headings():
    headings = [column.heading for column in GLOSSARY.values() if column.heading]
    assert len(set(headings)) == len(headings)
    assert all(LABELS.values())
