"""Every answer of every study is shown, or refused in one sentence."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rocstats as rs
from rocstats.facts.words import row_dicts
from rocstats.frame.screen import Answer
from rocstats.tables.cells import measure_text, row_identifying_columns
from tests import examples
from tests.inference.readers.studies import rows_of as reads_of
from tests.inference.readers.worked import worked
from tests.quick import each

N = 40
Y = np.arange(N) % 2
SITE = np.repeat(["x", "y"], N // 2)
# All of the group "y" are positive: it lacks a class.
Y_OF_ONE = np.where(SITE == "y", 1, Y)
RISKS = {"a": (np.arange(N) * 7 % 11 + Y) / 13, "b": (np.arange(N) * 5 % 13) / 14}
COVERED = {"age": np.arange(N) % 10}
NEEDED = {
    # A threshold on the scale of risks.
    **{
        name: {**options, "threshold": 0.5} if "threshold" in options else options
        for name, options in examples.NEEDED.items()
    },
    "band_likelihood_ratios": {"edges": [0.4]},
    "subgroups": {"by": {"half": SITE}},
}
# Nobody is called "w": its predictive value is undefined, and has a note.
PROBABILITIES = np.stack([0.6 - Y / 3, 0.3 + Y / 3, np.full(N, 0.1)], axis=1)
STUDIES: dict[str, Any] = {
    "pairs": rs.Study(Y, RISKS),
    "groups": rs.Study(Y_OF_ONE, RISKS, group=SITE),
    "folds": rs.Study(Y, RISKS, fold=np.arange(N) % 3, cluster=np.arange(N) // 2),
    "covariates": rs.Study(Y, RISKS, covariate=COVERED),
    "classes": rs.MulticlassStudy(
        np.array(["u", "v", "w"])[np.arange(N) % 3], pd.DataFrame(PROBABILITIES, columns=[*"uvw"])
    ),
    "readers": rs.ReaderStudy(
        "truth", "rating", data=reads_of(worked()), reader="reader", case="case",
        modality="modality",
    ),
    "times": rs.SurvivalStudy(np.arange(N) + 1, np.arange(N) % 3 > 0, RISKS),
}  # fmt: skip
DRAWN = {"n_resamples": 100, "rng": 1}
OF_OTHERS = {**DRAWN, "time": 20, "threshold": 0.5, "risk_threshold": 0.2, "machine": "m1"}
LAYOUTS = ("long", "wide")


def asked(study, name):
    """The answer to a question; None where the study does not allow it."""
    ask = getattr(study, name)
    options = DRAWN if isinstance(study, rs.Study) else OF_OTHERS
    options = {**options, "statistic": lambda y, score: float(np.mean(score))}
    known = inspect.signature(ask).parameters
    options = {key: value for key, value in options.items() if key in known}
    if isinstance(study, rs.Study):
        options |= NEEDED.get(name, {})
    machine = (options.pop("machine"),) if "machine" in options else ()
    try:
        return ask(*machine, **options)
    except rs.InputError:
        return None


@pytest.fixture(scope="module")
def answers():
    with pytest.warns(rs.StatisticalWarning):
        found = {
            (kind, name): asked(study, name)
            for kind, study in STUDIES.items()
            for name, function in vars(type(study)).items()
            if inspect.isfunction(function) and not name.startswith("_")
        }
    frames = {key: frame for key, frame in found.items() if isinstance(frame, pd.DataFrame)}
    assert {name for _, name in frames} >= {"roc_difference_band", "cost_difference_band", "auc"}
    return frames


def is_estimates(frame):
    return {"estimate", "ci_low", "ci_high", "confidence_level"} <= set(frame) and len(frame) > 0


def test_estimates_with_limits_are_a_table_in_both_layouts(answers):
    tables = [
        (key, layout, rs.format_table(frame, layout=layout))
        for key, frame in answers.items()
        if is_estimates(frame)
        for layout in LAYOUTS
    ]
    assert len(tables) > 2 * 60
    for key, layout, table in tables:
        assert len(table), (key, layout)
        assert table.map(lambda cell: isinstance(cell, str)).all(axis=None), (key, layout)


def test_other_answers_are_refused_in_words(answers):
    for key, frame in answers.items():
        for layout in LAYOUTS if not is_estimates(frame) else ():
            with pytest.raises(rs.InputError, match=r"^`frame` must .*; got .*\. Pass the answer"):
                rs.format_table(frame, layout=layout)
            assert key


def test_the_rows_of_a_long_table_are_told_apart(answers):
    for key, frame in answers.items():
        if not is_estimates(frame):
            continue
        places = list(zip(*row_identifying_columns(frame, 2).values(), strict=True))
        texts = [measure_text(row) for row in row_dicts(frame)]
        rows = [*zip(places, texts, strict=True)]
        assert len(set(rows)) == len(rows), key


def test_every_kind_of_answer_is_printed(answers):
    # One of each schema, and two rows of it: pandas takes a quarter of a second for a table.
    for frame in {tuple(frame): frame for frame in answers.values()}.values():
        short = Answer(frame.head(2))
        assert re.search(r"rows?, \d+ columns in all\]$", repr(short))
        assert short._repr_html_().endswith("columns in all]</p>")
        assert len(rs.brief(frame)) == len(frame)


# Notes and methods of some rows name these rows, in words that each frame has.
def test_a_note_of_one_row_names_the_row(answers):
    for key, frame in answers.items():
        if not is_estimates(frame) or "note" not in frame:
            continue
        marked = frame.head(1).assign(note="few-cases")
        table = rs.format_table(pd.concat([marked, frame.iloc[1:3].assign(note="")]))
        assert table.attrs["rocstats"]["footnotes"], key


@each("ending", [".docx", ".xlsx", ".tex", ".md", ".html"])
def test_bands_of_differences_are_saved(ending, answers, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    for name in ("roc_difference_band", "cost_difference_band"):
        path = folder / f"{name}{ending}"
        assert rs.save_table(answers["pairs", name].head(3), path) == path
        assert path.stat().st_size


def test_the_place_along_a_band_is_in_its_table():
    study = STUDIES["pairs"]
    band = study.roc_difference_band(at=[0.05, 0.2], n_resamples=100, rng=1)
    costs = study.cost_difference_band(at=[0.125, 0.5], n_resamples=100, rng=1)
    table = rs.format_table(band, "jama")
    assert [*table.columns[:3]] == ["Predictor", "Reference", "At false positive rate"]
    assert table.columns[3] == "Difference in sensitivity, percentage points (95% CI)"
    assert [*table["At false positive rate"]] == ["0.05", "0.20"]
    table = rs.format_table(costs, "jama")
    assert [*table.columns[2:4]] == ["Probability cost", "Difference in normalized cost (95% CI)"]
    assert [*table["Probability cost"]] == ["0.13", "0.50"]
