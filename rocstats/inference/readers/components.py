"""Variance components of a reader study."""

from __future__ import annotations

import numpy as np
import pandas as pd

from rocstats.estimate.answers import answer_rows
from rocstats.estimate.reader_covariance import Covariance
from rocstats.estimate.readers import dbm_components, is_nested_reader_study, or_components
from rocstats.frame.question import Question, estimate_columns
from rocstats.inference.readers.endpoints import endpoints
from rocstats.inference.readers.plan import read_reader_plan
from rocstats.study.readers import ReaderSample

OR, DBM = "obuchowski-rockette", "dorfman-berbaum-metz"
READER_COMPONENTS = Question(
    "reader_components",
    estimate_columns("model component group estimate n_readers n_pos n_neg method note"),
    ("obuchowski-1995", "dorfman-1992", "hillis-2005", "hillis-2007"),
)


def reader_components(
    sample: ReaderSample, *, covariance: Covariance = "jackknife"
) -> pd.DataFrame:
    """Return variance components and correlations of a reader study; a row is one component.

    Use the components to report the variation of readers and cases, and to plan the next study.

    Parameters
    ----------
    covariance : {"jackknife", "delong", "unbiased", "bootstrap"}, default "jackknife"
        Covariance of the readers' areas, as in ``compare_auc``.

    Returns
    -------
    pandas.DataFrame
        Columns ``model, component, [group], estimate, n_pos, n_neg, n_readers, method, note``.

        - ``model`` "obuchowski-rockette": "reader" and "modality-x-reader" are variances between
          readers. "error" is the variance of an area due to the sample of cases. "cov-1" to "cov-3"
          are covariances of two areas. "cov-1" is for the same reader under different modalities.
          "cov-2" is for different readers under the same modality. "cov-3" is for different readers
          under different modalities. "correlation-1" to "correlation-3" are the covariances divided
          by "error".
        - ``model`` "dorfman-berbaum-metz", with crossed readers: "reader", "case",
          "modality-x-reader", "modality-x-case", "reader-x-case" and "error" are variances of
          pseudo-values.

    Raises
    ------
    InputError
        If a reader has no area under a modality (unless each reader read one modality), or the
        study does not support the covariance.

    Notes
    -----
    Let MS(R) be the mean square of readers, MS(TR) the mean square of modality by reader, and t the
    number of modalities. Then reader = (MS(R) - MS(TR))/t - Cov1 + Cov3, and modality-x-reader =
    MS(TR) - error + Cov1 + Cov2 - Cov3. Components may be negative and are not truncated. With few
    readers, the standard errors of components are large. With c cases, case = c Cov3,
    modality-x-case = c (Cov2 - Cov3) and reader-x-case = c (Cov1 - Cov3). The error of
    pseudo-values is c times "error" minus these three components.

    If each reader read one modality, "reader" is the variance within modalities, and there is no
    "cov-1". With one modality, components with a modality term are absent.

    References
    ----------
    - Obuchowski & Rockette (1995) [obuchowski-1995]
    - Dorfman, Berbaum & Metz (1992) [dorfman-1992]
    - Hillis, Obuchowski, Schartz & Berbaum (2005), how both models agree [hillis-2005]
    - Hillis (2007) [hillis-2007]

    Examples
    --------
    >>> import rocstats as rs
    >>> study = rs.ReaderStudy(
    ...     "truth", "rating", data=rs.load_viper(),
    ...     reader="reader", case="case", modality="modality",
    ... )
    >>> found = study.components()
    >>> found.loc[found["model"] == "obuchowski-rockette", ["component", "estimate"]].round(5)
               component  estimate
    0             reader  -0.00046
    1  modality-x-reader   0.00059
    2              error   0.00456
    3              cov-1   0.00157
    4              cov-2   0.00040
    5              cov-3   0.00026
    6      correlation-1   0.34298
    7      correlation-2   0.08740
    8      correlation-3   0.05790
    """
    plan = read_reader_plan(
        sample,
        method=OR,
        covariance=covariance,
        readers="fixed" if len(sample.readers) == 1 else "random",
        cases="random",
    )
    rows = []
    for endpoint in endpoints(sample, plan, needs_served=True):
        table = endpoint.engine.table
        models = {OR: or_components(table)}
        if not is_nested_reader_study(table.has_area) and min(table.theta.shape) > 1:
            n_cases = float(endpoint.part.n_pos + endpoint.part.n_neg)
            models[DBM] = dbm_components(table, n_cases)
        rows += [
            {
                "group": endpoint.group,
                "model": model,
                "component": name,
                "estimate": estimate,
                **endpoint.sizes(*range(len(endpoint.part.modalities))),
                "method": f"{endpoint.engine.word}/none",
                "note": endpoint.notes(),
            }
            for model, components in models.items()
            for name, estimate in components.items()
            if np.isfinite(estimate)
        ]
    return answer_rows(READER_COMPONENTS, sample, rows)
