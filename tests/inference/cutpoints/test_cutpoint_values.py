"""Predictive values of a chosen cutpoint: rows, roles, edges and refusals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit, logit

import rocstats as rs
from rocstats.curves.criteria import CRITERIA
from rocstats.inference.cutpoints.limits import effective_rate_sizes

Z = 1.959963984540054
EXTRA = {"cost": {"cost_fp": 1, "cost_fn": 5}, "fixed-tpr": {"tpr": 0.9}, "fixed-fpr": {"fpr": 0.1}}
OF_MERCALDO = {
    "ppv": lambda t, f: (np.log(t / f), (1 - t) / t, (1 - f) / f),
    "npv": lambda t, f: (np.log((1 - f) / (1 - t)), t / (1 - t), f / (1 - f)),
}


def ask(study, criterion="youden", **more):
    return study.cutpoints(criterion, **{"n_resamples": 200, "rng": 1, **more})


def by_hand(quantity, tpr, fpr, sizes, prevalence):
    """docs/methods/points.md, "Predictive values of a chosen cutpoint"."""
    centre, of_pos, of_neg = OF_MERCALDO[quantity](tpr, fpr)
    a, b = of_pos / sizes.n_pos, of_neg / sizes.n_neg
    reach = Z * np.sqrt(a + b - 2 * sizes.correlation * np.sqrt(a * b))
    odds = logit(prevalence) if quantity == "ppv" else -logit(prevalence)
    return expit(centre + odds + np.array([0, -reach, reach]))


@pytest.mark.parametrize("criterion", [*CRITERIA, lambda tpr, fpr: tpr - 2 * fpr])
def test_any_criterion_takes_a_prevalence(masses, criterion):
    extra = {} if callable(criterion) else EXTRA.get(criterion, {})
    frame = ask(masses, criterion, prevalence=0.05, **extra)
    rest, values = frame.iloc[:-2], frame.iloc[-2:].set_index("quantity")
    if criterion != "cost":
        plain = ask(masses, criterion, **extra)
        assert rest.equals(plain)
    assert values.index.tolist() == ["ppv", "npv"]
    assert (values["prevalence"] == 0.05).all()
    assert set(values["target"]) == {"chosen"}
    assert set(values["method"]) == {"binomial/mercaldo-corrected"}
    np.testing.assert_allclose(values["apparent"] - values["optimism"], values["estimate"])
    assert (values["ci_low"] < values["estimate"]).all()
    assert (values["estimate"] < values["ci_high"]).all()
    assert frame.columns.tolist() == masses.cutpoints(n_resamples=100).columns.tolist()


@pytest.mark.parametrize("clustered", [False, True])
def test_values_are_mercaldos_at_the_corrected_rates(clustered, rng):
    cluster = np.repeat(np.arange(40), 5)
    y = np.tile([1, 1, 0, 0, 0], 40)
    score = np.round(y + rng.normal(size=200) + rng.normal(size=40)[cluster], 1)
    study = rs.Study(y, score, cluster=cluster if clustered else None)
    frame = ask(study, prevalence=0.2).set_index("quantity")
    tpr, tnr = frame.loc[["tpr", "tnr"], "estimate"]
    point = frame.iloc[0]
    # The threshold of the first vertex is infinite.
    vertex = int(np.count_nonzero(study.roc_curve()["threshold"] >= point["threshold"])) - 1
    sizes = effective_rate_sizes(study.cases, 0, vertex)
    assert (abs(sizes.correlation) > 0.1) is clustered
    for quantity in ("ppv", "npv"):
        row = frame.loc[quantity]
        expected = by_hand(quantity, tpr, 1 - tnr, sizes, 0.2)
        found = row[["estimate", "ci_low", "ci_high"]].tolist()
        assert found == pytest.approx(expected.tolist(), rel=1e-9)
        apparent = by_hand(quantity, point["tpr"], point["fpr"], sizes, 0.2)[0]
        assert row["apparent"] == pytest.approx(apparent)
        source = "clusters" if clustered else "binomial"
        assert row["method"] == f"{source}/mercaldo-corrected"


def test_frequencies_are_repeated_rows(rng):
    y, score, times = rng.integers(0, 2, 40), rng.integers(0, 6, 40), rng.integers(1, 4, 40)
    grouped = ask(rs.Study(y, score, frequency=times), prevalence=0.1)
    each = ask(rs.Study(np.repeat(y, times), np.repeat(score, times)), prevalence=0.1)
    columns = ["estimate", "ci_low", "ci_high", "se", "apparent"]
    np.testing.assert_allclose(grouped[columns], each[columns], rtol=1e-10)


def test_a_cutpoint_that_calls_nobody_has_no_ppv():
    study = rs.Study([1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 1])
    values = ask(study, prevalence=0.1).set_index("quantity")
    assert values.loc["ppv", ["estimate", "ci_low", "ci_high", "se"]].isna().all()
    assert values.loc["ppv", "method"] == "none/none"
    assert values.loc["ppv", "note"].startswith("no-calls; nobody-positive")
    # Without a positive call NPV is the share of negatives, and its limits have a width.
    assert values.loc["npv", "estimate"] == pytest.approx(0.9)
    assert values.loc["npv", "ci_low"] < 0.9 < values.loc["npv", "ci_high"]
    assert values.loc["npv", "note"].startswith("adjusted-cells; nobody-positive")


def test_a_perfect_cutpoint_has_limits_of_adjusted_cells():
    study = rs.Study([1] * 5 + [0] * 7, [2] * 5 + [1] * 7)
    values = ask(study, prevalence=0.1).iloc[-2:]
    assert values["estimate"].tolist() == [1, 1]
    assert (values["ci_low"] < 0.99).all()
    assert values["ci_high"].tolist() == [1, 1]
    assert values["note"].str.startswith("adjusted-cells").all()


def test_a_group_without_a_class_has_blank_values():
    study = rs.Study([1, 0, 1, 1], [3, 1, 2, 4], group=["x", "x", "y", "y"])
    frame = ask(study, prevalence=0.1)
    empty = frame[frame["group"] == "y"]
    assert empty["quantity"].tolist() == ["threshold", "tpr", "tnr", "youden", "ppv", "npv"]
    assert empty["prevalence"].tolist()[-2:] == [0.1, 0.1]
    assert empty["prevalence"].iloc[:-2].isna().all()
    assert empty[["apparent", "estimate", "ci_low", "ci_high"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"prevalence": 1.0}, "`prevalence` must be a number strictly between 0 and 1; got 1.0."),
        ({"prevalence": [0.1, 0.2]}, "`prevalence` must be a number strictly between 0 and 1"),
        (
            {"prevalence": 0.1, "method": "kernel"},
            "`prevalence` must be left out of smoothed cutpoints, whose predictive values have no"
            " limits; got 0.1 with the method 'kernel'. Use the method 'empirical'.",
        ),
    ],
)
def test_messages(masses, arguments, message):
    with pytest.raises(rs.InputError) as caught:
        masses.cutpoints(**arguments)
    assert str(caught.value).startswith(message)


def test_draws_take_a_prevalence_for_costs_alone(masses):
    with pytest.raises(rs.InputError, match="`prevalence` must stay None with the criterion 'youd"):
        masses.cutpoint_draws(prevalence=0.1)


def test_the_methods_paragraph_names_the_correction(masses):
    table = rs.format_table(ask(masses, prevalence=0.1))
    text = " ".join(table.attrs["rocstats"]["footnotes"])
    assert "Mercaldo et al around values at rates corrected for optimism" in text
