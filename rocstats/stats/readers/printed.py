"""The words for reader studies in ``method``, and their phrases in print."""

from __future__ import annotations

from rocstats.stats.readers.covariance import COVARIANCES
from rocstats.stats.word import Word

STANDARD_ERRORS = (
    *(
        Word(
            f"obuchowski-rockette-{record.word}",
            "by the method of Obuchowski and Rockette with the degrees of freedom of Hillis, the"
            f" covariances of the readers estimated {record.phrase}",
            ("obuchowski-1995", "hillis-2007", *record.references),
        )
        for record in COVARIANCES
    ),
    Word(
        "obuchowski-rockette-resampled",
        "by the method of Obuchowski and Rockette with the degrees of freedom of Hillis, the"
        " covariances of the readers estimated by the bootstrap of cases, as sensitivity at a false"
        " positive rate has no jackknife variance",
        ("obuchowski-1995", "hillis-2007", "efron-1993"),
    ),
    Word(
        "u-statistic",
        "by U-statistics over all pairs of cases that were read, with the degrees of freedom of"
        " Obuchowski, Gallas and Hillis",
        ("gallas-2006", "gallas-2009", "obuchowski-2012"),
    ),
    Word(
        "u-statistic-centred",
        "by U-statistics over all pairs of cases that were read, less the average areas, with the"
        " degrees of freedom of Obuchowski, Gallas and Hillis",
        ("gallas-2006", "gallas-2009", "obuchowski-2012"),
        published=False,
    ),
)
LIMITS = (
    Word(
        "average-mover",
        "by combining the limits of both averages (MOVER)",
        ("zou-2008",),
    ),
)
