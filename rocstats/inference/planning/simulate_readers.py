"""Simulated reader studies: the ratings of one study under the model of Roe and Metz [roe-1997]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from rocstats._version import __version__
from rocstats.errors import InputError, require_choice, require_whole
from rocstats.estimate.resample import RngLike, resolve_seed
from rocstats.facts.references import require_keys
from rocstats.inference.planning.reader_model import (
    Variances,
    read_roe_metz_model,
    require_reads_in_all_parts,
)
from rocstats.inference.planning.simulated_studies import (
    Nested,
    ReadingPlan,
    Structure,
    draw_simulated_reads,
    ratings_in_levels,
)
from rocstats.study.cases import Reads

_CITED = ("roe-1997", "gallas-2014")


def simulate_readers(
    *,
    n_readers: int,
    n_pos: int,
    n_neg: int,
    n_modalities: int = 2,
    auc: float | Sequence[float] | None = None,
    separation: float | Sequence[float] | None = None,
    structure: Structure | None = None,
    variances: Variances | None = None,
    n_groups: int = 1,
    nested: Nested | None = None,
    missing: float = 0.0,
    n_levels: int | None = None,
    rng: RngLike = None,
) -> pd.DataFrame:
    """Return the ratings of one simulated reader study; a row is one read.

    Use this function to test an analysis or a design on data with known areas. To plan a study, use
    ``ReaderDesign``, which needs no simulation.

    Parameters
    ----------
    n_readers : int >= 1
        Number of readers of the whole study.
    n_pos, n_neg : int >= 1
        Numbers of positive and negative cases of the whole study.
    n_modalities : int >= 1, default 2
        Number of modalities.
    auc : float in (0, 1), or sequence of float
        Expected area of each modality over readers, or one area for all modalities.
    separation : float, or sequence of float
        Instead of ``auc``: mean rating of positives minus mean rating of negatives.
    structure : {"HL", "LL", "HH", "LH"}
        Variances of Roe & Metz. The first letter says whether the correlation of the ratings of a
        case is high (H) or low (L). The second letter says the same for the variability of readers.

        - "HL": variance 0.3 of cases, 0.2 of reader-by-case effects, 0.0055 of readers.
        - "LL": variance 0.1 of cases, 0.2 of reader-by-case effects (0.6 for the effects of single
          modalities), 0.0055 of readers.
        - "HH": as "HL", but the variance of readers is 0.011 at the separation 0.75, 0.030 at 1.5
          and 0.056 at 2.5.
        - "LH": as "LL", but with the variance of readers in "HH".
    variances : mapping of str to float or sequence
        Instead of ``structure``: variances of effects. All modalities share the effects "reader",
        "case" and "reader_case". Single modalities have the effects "modality_reader",
        "modality_case" and "modality_reader_case". Each variance is a number >= 0, or a pair
        (positives, negatives). For the effects of single modalities, the variance may be a list
        with a pair for each modality.
    n_groups : int >= 1, default 1
        Number of reader groups; each group reads a different part of the cases (split plot). With
        one reader per group, each reader reads different cases.
    nested : {None, "readers", "cases"}
        Whether each modality has different readers, or different cases. None means that all
        modalities have the same readers and cases.
    missing : float in [0, 1), default 0
        Share of the planned reads of each class that are missing at random.
    n_levels : int >= 2, optional
        Number of rating levels, 1 to ``n_levels``, with the same cut values for all readers. By
        default ratings are continuous.
    rng : int, SeedSequence, Generator or None
        Random generator or seed of the random numbers; the frame records a seed that reproduces
        them.

    Returns
    -------
    pandas.DataFrame
        Columns ``truth`` (0 or 1), ``rating``, ``reader``, ``case`` (1 and up, positives first) and
        ``modality``, sorted by modality, reader and case; missing reads have no row. The seed is in
        ``attrs["rocstats"]["seed"]``.

    Raises
    ------
    InputError
        If not exactly one of ``auc`` and ``separation`` is passed; if not exactly one of
        ``structure`` and ``variances`` is passed; if a number is invalid; or if a group or a
        modality would have no readers or cases.

    Notes
    -----
    A rating of case k by reader j under modality i is mu_i truth + R_j + C_k + (RC)_jk + R_ij +
    C_ik + (RC)_ijk. All effects are normal and independent; positives and negatives have different
    effects. The expected area is Phi(mu_i/sqrt(v)), where v is the sum of all variances of both
    classes. For high variability of readers, the variance is interpolated between the separations
    of Roe & Metz. Outside their range, the variance is constant. Levels are cut at the quantiles
    j/``n_levels`` of a normal distribution with the mean and variance of all ratings. These two
    rules are not published elsewhere.

    References
    ----------
    - Roe & Metz (1997), table 1 [roe-1997]
    - Gallas & Hillis (2014), other variances for each class and modality [gallas-2014]

    Examples
    --------
    >>> import rocstats as rs
    >>> drawn = rs.simulate_readers(
    ...     n_readers=4, n_pos=10, n_neg=20, auc=[0.8, 0.85], structure="HL", n_levels=5, rng=1
    ... )
    >>> len(drawn), sorted(drawn["modality"].unique())
    (240, ['modality 1', 'modality 2'])
    """
    t = require_whole("n_modalities", n_modalities, 1, "Pass the number of modalities.")
    model = read_roe_metz_model(auc, separation, structure, variances, t)
    plan = _read_simulated_reading_plan(n_readers, n_pos, n_neg, n_groups, nested, missing)
    require_reads_in_all_parts(plan, t)
    if n_levels is not None:
        n_levels = require_whole("n_levels", n_levels, 2, "Leave it out for continuous ratings.")
    seed = resolve_seed(rng)
    reads = draw_simulated_reads(model, plan, np.random.default_rng(seed))
    frame = _simulated_reads_frame(
        reads if n_levels is None else ratings_in_levels(reads, model, n_levels)
    )
    frame.attrs["rocstats"] = {
        "function": "simulate_readers",
        "version": __version__,
        "seed": seed,
        "n_resamples": None,
        "references": require_keys(_CITED),
    }
    return frame


def _read_simulated_reading_plan(
    n_readers: Any, n_pos: Any, n_neg: Any, n_groups: Any, nested: Any, missing: Any
) -> ReadingPlan:
    sizes = {"n_readers": n_readers, "n_pos": n_pos, "n_neg": n_neg, "n_groups": n_groups}
    read = {
        name: require_whole(name, value, 1, "Pass the number of the whole study.")
        for name, value in sizes.items()
    }
    nested = require_choice("nested", nested, ("readers", "cases", None))
    number = isinstance(missing, (int, float)) and not isinstance(missing, bool)
    if not (number and 0 <= missing < 1):
        raise InputError(
            f"`missing` must be a number >= 0 and < 1; got {missing!r}. Pass a share of reads."
        )
    return ReadingPlan(**read, nested=nested, missing=float(missing))


def _simulated_reads_frame(reads: Reads) -> pd.DataFrame:
    """Return one row a read, by modality, reader and case, the positives first."""
    ratings = np.concatenate([reads.pos, reads.neg], axis=2)
    modality, reader, case = np.nonzero(~np.isnan(ratings))
    return pd.DataFrame(
        {
            "truth": (case < reads.n_pos).astype(np.int64),
            "rating": ratings[modality, reader, case],
            "reader": _numbered_reader_and_case_labels("reader", ratings.shape[1])[reader],
            "case": case + 1,
            "modality": _numbered_reader_and_case_labels("modality", ratings.shape[0])[modality],
        }
    )


def _numbered_reader_and_case_labels(word: str, n: int) -> Any:
    return np.array([f"{word} {number}" for number in range(1, n + 1)], dtype=object)
