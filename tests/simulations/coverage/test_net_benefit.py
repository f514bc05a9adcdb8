"""Net benefit: true values, and coverage as the page prints it."""

from __future__ import annotations

import numpy as np
import pytest

from validation.coverage.net_benefit import CELLS, MEANS, REPLICATES, Truth, draw_sample

# docs/methods/costs.md, "Net benefit": the worst of four risk thresholds, or a band, by n and
# prevalence: normal limits and MOVER.
PRINTED = {
    (100, 0.3): ((0.949, 0.954), (0.754, 0.947), (0.771, 0.952), (0.936, 0.952), (0.651, 0.925)),
    (500, 0.3): ((0.946, 0.945), (0.930, 0.949), (0.933, 0.945), (0.943, 0.946), (0.713, 0.929)),
    (100, 0.05): ((0.797, 0.956), (0.499, 0.926), (0.513, 0.958), (0.668, 0.949), (0.325, 0.927)),
    (500, 0.05): ((0.934, 0.954), (0.886, 0.946), (0.888, 0.954), (0.904, 0.954), (0.836, 0.949)),
    (2000, 0.02): ((0.921, 0.943), (0.927, 0.945), (0.935, 0.939), (0.872, 0.945), (0.924, 0.947)),
}
KINDS = ("net_benefit", "known", "treat-all", "band", "treat-all-band")


COMMITTED = "coverage/net_benefit"


def test_limits_of_the_package_fall_short_in_30_clusters_alone(committed):
    """docs/net-benefit names them: 30 clusters of 5. Bands of one predictor take quantiles of t."""
    offered = (committed["limits"] == "mover") & ~committed["kind"].isin(["band", "treat-all-band"])
    offered |= committed["limits"] == "mover-t"
    short = committed[committed["shortfall"] & offered]
    assert set(short[["n", "cluster_size"]].itertuples(index=False, name=None)) == {(150, 5)}
    assert short["coverage"].min() > 0.91


def test_means_fall_short_with_ten_positives_of_a_thousand_cases_alone(committed):
    """docs/net-benefit names them; normal limits fell short in most cells."""
    means = committed[committed["kind"].isin(MEANS)]
    now = means[means["limits"] == "wald-t"]
    assert set(now[["n", "kind"]][now["coverage"] < 0.93].itertuples(index=False, name=None)) == {
        (1000, "mean")
    }
    before = means[means["limits"] == "wald"]
    assert (before["coverage"] < 0.93).sum() > 10


@pytest.mark.parametrize("cell", list(PRINTED))
def test_coverage_as_printed(committed, cell):
    own = committed[(committed["cluster_size"] == 1) & (committed["n"] == cell[0])]
    worst = own[own["prevalence"] == cell[1]].groupby(["kind", "limits"])["coverage"].min()
    for kind, pair in zip(KINDS, PRINTED[cell], strict=True):
        for limits, there in zip(("wald", "mover"), pair, strict=True):
            # Both shares are simulated, with as many samples.
            error = np.sqrt(2 * there * (1 - there) / REPLICATES[kind])
            assert worst[kind, limits] == pytest.approx(there, abs=4 * error)


def test_the_truth_is_that_of_many_cases():
    cell = CELLS[0]._replace(n=400_000)
    sample = draw_sample(cell, np.random.Generator(np.random.PCG64(5)))
    truth = Truth.of(0.3)
    for second, risk in enumerate(sample.risks):
        called = risk >= 0.4
        shares = [(called & side).mean() for side in (sample.is_positive, ~sample.is_positive)]
        wanted = truth.shares(0.4, second=bool(second))
        # Shares of about .2 of 400 000 cases have an error of .0006.
        assert shares == pytest.approx(wanted, abs=0.0025)
