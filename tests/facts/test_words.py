"""What a row estimates, in words."""

from __future__ import annotations

import pytest

from rocstats.facts.words import quantity_text


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"quantity": "auc"}, "AUC"),
        ({"quantity": "auc_difference", "reference": "ndka"}, "Difference in AUC"),
        ({"quantity": "auc_difference", "reference": "contrast"}, "Contrast of AUC"),
        # As version 0.2 wrote it.
        ({"quantity": "auc", "reference": "ndka"}, "Difference in AUC"),
        ({"quantity": "kappa_difference"}, "Difference in Cohen's kappa"),
        ({"quantity": "rmse_difference"}, "Difference in rmse"),
        ({"quantity": "tpr_ratio", "reference": "ndka"}, "Ratio of sensitivities"),
        (
            {
                "quantity": "partial_auc_difference",
                "reference": "b",
                "range_axis": "fpr",
                "range_low": 0.0,
                "range_high": 0.1,
            },
            "Difference in partial AUC (false positive rates 0 to 0.1)",
        ),
        ({"quantity": "net_benefit", "risk_threshold": 0.2}, "Net benefit (risk threshold 0.2)"),
        ({"quantity": "net_benefit", "risk_threshold": float("nan")}, "Net benefit"),
        ({"quantity": "auc", "covariates": "age 60"}, "AUC (age 60)"),
    ],
)
def test_quantities_say_of_what_at_which_risk_and_whether_they_differ(row, words):
    assert quantity_text(row) == words


def test_a_table_with_a_column_for_the_risk_does_not_say_it_twice():
    row = {"quantity": "net_benefit", "risk_threshold": 0.2}
    assert quantity_text(row, with_risk=False) == "Net benefit"
