"""Check the numbers of RJafroc: ``python -m validation.r_rjafroc FOLDER``, see the README."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import rocstats as rs
from rocstats.estimate.readers import modality_test
from rocstats.inference.localisation.endpoints import MarksPlan
from rocstats.inference.localisation.points import _endpoints_at_thresholds

EXPECTED = Path(__file__).with_name("expected.csv")
# Numbers are printed with 9 to 12 digits.
_DIGITS = 1e-8
_DIGITS_OF_POWER = 2e-6


def read_study(path: Path) -> rs.DetectionStudy:
    """Return the study of a data file of RJafroc: false marks NL, marks on lesions LL, in arrays.

    Cases without lesions come first in NL; minus infinity means no mark.
    """
    import rdata  # type: ignore[import-not-found]  # a reader of R's files, for this check alone

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (data,) = rdata.read_rda(path).values()
    false, found = (np.asarray(data["ratings"][name], dtype=float) for name in ("NL", "LL"))
    number = np.asarray(data["lesions"]["perCase"], dtype=int)
    n, n_neg = false.shape[2], false.shape[2] - len(number)
    descriptions = data["descriptions"]
    modalities, readers = (
        [str(name) for name in descriptions[key]] for key in ("modalityID", "readerID")
    )
    rows: list[tuple[Any, ...]] = []
    for ratings, first in ((false, 0), (found, n_neg)):
        for i, j, k, place in np.argwhere(np.isfinite(ratings)):
            lesion = "" if ratings is false else str(place)
            rows.append((first + k, ratings[i, j, k, place], lesion, readers[j], modalities[i]))
    lesions = [(n_neg + k, str(place)) for k in range(len(number)) for place in range(number[k])]
    # Every reader is there, also without a mark.
    marks = pd.DataFrame(rows, columns=["case", "rating", "lesion", "reader", "modality"])
    marks["reader"] = pd.Categorical(marks["reader"], readers)
    marks["modality"] = pd.Categorical(marks["modality"], modalities)
    return rs.DetectionStudy(
        marks,
        pd.DataFrame({"case": range(n)}),
        pd.DataFrame(lesions, columns=["case", "lesion"]),
        reader="reader",
        modality="modality",
    )


def found_in(study: rs.DetectionStudy, asked: str, figure: Any, column: str) -> float:
    """Return the number of this package."""
    if asked == "machine":
        return float(study.compare_with(study.readers[0], curve=figure)[column].iloc[0])
    if asked == "power":
        sizes: dict[str, Any] = {"pilot_n_pos": study.n_pos, "pilot_n_neg": study.n_neg}
        design = rs.ReaderDesign(difference=0.05, components=study.components(), **sizes)
        return float(rs.power(design, n_readers=6, n_pos=120, n_neg=130)["power"].iloc[0])
    effects: Any = ("fixed" if asked == "readers fixed" else "random"), "random"
    if figure == "lesion_tpr":
        plan, every = MarksPlan(*effects), np.full((1, len(study.modalities)), -np.inf)
        endpoint = next(iter(_endpoints_at_thresholds("", study, plan, every, study.readers)))
        test = modality_test(endpoint.table, *effects)
        return {"statistic": test.statistic, "df": test.df_denominator}[column]
    row = study.compare_auc(curve=figure, readers=effects[0]).iloc[0]
    # RJafroc prints chi-square; a test with fixed readers has it over its degrees of freedom.
    chi2 = float(row["statistic"] * row["df_numerator"])
    return chi2 if column == "chi2" else float(row[column])


def main(folder: str) -> int:
    """Print each number with its deviation; return the number of those that disagree."""
    wrong = 0
    studies: dict[str, rs.DetectionStudy] = {}
    row: Any
    for row in pd.read_csv(EXPECTED).itertuples():
        if row.dataset not in studies:
            studies[row.dataset] = read_study(Path(folder) / f"{row.dataset}.RData")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rs.StatisticalWarning)
            value = found_in(studies[row.dataset], row.asked, row.figure, row.column)
        relative = abs(value / row.expected - 1)
        differs = relative > (_DIGITS_OF_POWER if row.asked == "power" else _DIGITS)
        wrong += differs
        print(*row[1:], f"{value:.12g}", f"{relative:.1e}", "DIFFERS" if differs else "")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
