"""Published reviews with their worked numbers, for the tests of the bivariate model.

The numbers were computed outside this package: likelihoods by a trapezoid rule and by GLMMadaptive
with 21 points, Laplace's by glmmTMB, restricted optima and profile limits by the trapezoid rule.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs

CELLS = ("tp", "fp", "fn", "tn")


def audit_c() -> pd.DataFrame:
    return rs.load_audit_c()


def modality(name: str) -> pd.DataFrame:
    data = rs.load_lymph_nodes()
    return data[data["modality"] == name].reset_index(drop=True)


def telomerase() -> pd.DataFrame:
    """The counts of Glas et al. (2003), as in Riley et al. (2007)."""
    return pd.DataFrame(
        {
            "tp": [25, 17, 88, 16, 40, 38, 23, 27, 14, 37],
            "fp": [1, 3, 16, 3, 1, 6, 0, 2, 3, 22],
            "fn": [8, 4, 16, 10, 17, 9, 19, 6, 3, 7],
            "tn": [25, 11, 31, 80, 137, 24, 12, 18, 29, 7],
        }
    )


REVIEWS = {
    "audit-c": audit_c(),
    "lag": modality("LAG"),
    "mri": modality("MRI"),
    "telomerase": telomerase(),
}

WORKED: dict[str, dict[str, Any]] = {
    "audit-c": {
        "value": -122.74671112,
        "laplace": -122.79198218,
        "mu": (2.5113228, 1.2762956),
        "se": (0.4626228, 0.1689568),
        "covariance": -0.0582755,
        "sd": (1.6163931, 0.6177366),
        "rho": -0.8153962,
        "tpr": (0.9249318, 0.8193407, 0.9709923),
        "tpr_profile": (0.8293981, 0.9723511),
        "tnr": (0.7818185, 0.7132634, 0.8377124),
        "restricted_mu": (2.5323814, 1.2772580),
        "restricted_sd": (1.7086655, 0.6446625),
    },
    "lag": {
        "value": -91.38919581,
        "laplace": -91.49927550,
        "mu": (0.7266343, 1.6390335),
        "se": (0.1544651, 0.2506347),
        "covariance": 0.0045854,
        "sd": (0.3535119, 0.9077531),
        "rho": 0.2387567,
        "tpr": (0.6740663, 0.5984913, 0.7415587),
        "tpr_profile": (0.6017570, 0.7464756),
        "tnr": (0.8374034, 0.7517022, 0.8975557),
        "restricted_mu": (0.7311097, 1.6465066),
        "restricted_sd": (0.3966669, 0.9550709),
    },
    "mri": {
        "value": -46.26700289,
        "laplace": -46.34670044,
        "mu": (0.1999730, 3.0433314),
        "se": (0.4271013, 0.3601623),
        "covariance": -0.0760958,
        "sd": (1.1604628, 0.8723880),
        "rho": -0.7235046,
        "tpr": (0.5498273, 0.3173023, 0.7624472),
        "tpr_profile": (0.3122579, 0.7572872),
        "tnr": (0.9544937, 0.9027875, 0.9793278),
        "restricted_mu": (0.1883528, 3.0551845),
        "restricted_sd": (1.2807177, 0.9540813),
    },
    "telomerase": {
        "value": -50.38669008,
        "laplace": -50.45609199,
        "mu": (1.1923108, 2.3408488),
        "se": (0.1803163, 0.6346002),
        "covariance": -0.0776572,
        "sd": (0.4278529, 1.8210406),
        "rho": -1.0,
        "tpr": (0.7671541, 0.6866291, 0.8320484),
        "tpr_profile": (0.6936617, 0.8301860),
        "tnr": (0.9122041, 0.7120340, 0.9776082),
        "restricted_mu": (1.1938824, 2.3694710),
        "restricted_sd": (0.4559509, 1.9698184),
    },
}


def study(data: pd.DataFrame, **roles: Any) -> rs.MetaStudy:
    """Return the study of a table of counts."""
    return rs.MetaStudy(*CELLS, data=data, **roles)


def tables(data: pd.DataFrame) -> Any:
    """Return the counts in the order tp, fn, fp, tn."""
    return data[["tp", "fn", "fp", "tn"]].to_numpy(np.float64).T


def drawn(
    rng: np.random.Generator,
    k: int,
    rates: tuple[float, float] = (0.8, 0.9),
    sd: float = 0.7,
    sizes: tuple[int, int] = (10, 60),
) -> pd.DataFrame:
    """Return counts of k studies drawn from the model."""
    n = rng.integers(*sizes, (k, 2))
    logits = np.log(rates) - np.log1p(-np.array(rates)) + sd * rng.normal(size=(k, 2))
    y = rng.binomial(n, 1 / (1 + np.exp(-logits)))
    wrong = n - y
    return pd.DataFrame({"tp": y[:, 0], "fp": wrong[:, 1], "fn": wrong[:, 0], "tn": y[:, 1]})
