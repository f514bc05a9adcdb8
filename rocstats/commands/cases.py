"""The options that describe a file of cases, and the study they make; thresholds of scores.

A threshold on the command line is one for all scores, or one for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer

from rocstats.commands.options import command_option_of_parameter
from rocstats.commands.reading import Reading, report_hints, report_parsing
from rocstats.errors import InputError, require_name
from rocstats.reports.hints import hints_on_missing_codes, hints_on_repeated_patients
from rocstats.studies.studies import MulticlassStudy, Study
from rocstats.study.base import NanPolicy, OwnNanPolicy
from rocstats.study.cells import label_meant, require_no_dates
from rocstats.study.files import DATA_ENDINGS
from rocstats.study.forms import ONE_PREDICTOR
from rocstats.study.tables import CELLS

# --- Files of cases -------------------------------------------------------------------------------

_FILE = typer.Argument(
    metavar="FILE", help=f"Data: {', '.join(DATA_ENDINGS)}, or - for text from standard input."
)

_OUTCOME = typer.Argument(metavar="OUTCOME", help="Column with the outcome.")
_SCORES = typer.Argument(metavar="SCORE", help="Columns with the scores.")
STUDY_PANEL = "The study"

role_option = partial(command_option_of_parameter, rich_help_panel=STUDY_PANEL)
"""Makes the option of a parameter that describes the study."""

Labels = Annotated[list[str] | None, role_option("labels", repeatable=True, metavar="NAME=TEXT")]
Clusters = Annotated[str | None, role_option("cluster")]
Lower = Annotated[
    list[str] | None,
    typer.Option(
        help="A score of which low values are positive (repeatable).", rich_help_panel=STUDY_PANEL
    ),
]
Positive = Annotated[str | None, role_option("pos_label")]
# Of the commands about readers and times to an event.
Subgroup = Annotated[str | None, role_option("group")]
Missing = Annotated[NanPolicy, role_option("nan_policy")]


@dataclass(frozen=True, kw_only=True)
class Scores(Reading):
    """A file, its outcome and its scores."""

    file: Annotated[Path, _FILE]
    outcome: Annotated[str, _OUTCOME]
    scores: Annotated[list[str], _SCORES]


@dataclass(frozen=True, kw_only=True)
class Rows(Scores):
    """A file, its outcome, its scores and the roles of its other columns."""

    frequency: Annotated[str | None, role_option("frequency")] = None
    cluster: Clusters = None
    fold: Annotated[str | None, role_option("fold")] = None
    group: Annotated[
        list[str] | None,
        typer.Option(
            help="Column with the subgroup (repeatable: each combination).",
            rich_help_panel=STUDY_PANEL,
        ),
    ] = None
    # Named after the question of a user; the keyword is ``nan_policy``, as in SciPy.
    missing: Annotated[
        OwnNanPolicy,
        typer.Option(
            help="Rows with a missing value; available: each score its own cases.",
            rich_help_panel=STUDY_PANEL,
        ),
    ] = "raise"
    label: Labels = None

    def roles(self) -> dict[str, Any]:
        """Return the arguments of a study that all kinds of studies have."""
        group = self.group or None
        return {
            "frequency": self.frequency,
            "cluster": self.cluster,
            "fold": self.fold,
            "group": group[0] if group and len(group) == 1 else group,
            "nan_policy": self.missing,
        }

    def of_labels(self) -> list[str]:
        """Return the columns of labels, which are read as names and not as numbers."""
        return [name for name in (self.cluster, self.fold, *(self.group or [])) if name is not None]

    def labels(self) -> dict[str, str] | None:
        """Return the labels in print, by name."""
        return option_texts_by_name("--label", self.label or []) or None

    def labels_in_print(self, data: pd.DataFrame) -> dict[str, str] | None:
        """Return the labels in print: those of the options, else those of the file's variables."""
        of_file = data.attrs["rocstats"]["variable_labels"] or {}
        of_scores = {name: of_file[name] for name in self.scores if name in of_file}
        given = option_texts_by_name("--label", self.label or [])
        return {**(self.labels() or {}), **of_scores, **given} or None

    def multiclass(self, of_class: list[str]) -> MulticlassStudy:
        """Return the study of more than two classes, each text CLASS=SCORE a column of a class."""
        data = self.read(self.file, labels=self.of_labels(), codes=[self.outcome])
        columns = option_texts_by_name("--class", of_class)
        for column in columns.values():
            require_name("--class", column, self.scores)
        named = {column: name for name, column in columns.items()}
        study = MulticlassStudy(
            self.outcome,
            {ONE_PREDICTOR: self.scores} if named else self.scores,
            data=data,
            labels=[named.get(column, column) for column in self.scores] if named else None,
            display_labels=self.labels(),
            **self.roles(),
        )
        report_parsing(data)
        return study


@dataclass(frozen=True, kw_only=True)
class Cases(Rows):
    """A file of cases with a binary outcome."""

    positive: Positive = None
    lower: Lower = None
    outcome_name: Annotated[str | None, role_option("outcome")] = None

    def study(self, covariate: list[str] | None = None) -> Study:
        """Return the study of the file, with the columns of covariates."""
        return self.study_and_data(covariate)[0]

    def study_and_data(
        self, covariate: list[str] | None = None, by: list[str] | None = None
    ) -> tuple[Study, pd.DataFrame]:
        """Return the study of the file, and its data with the columns ``by`` of subgroups."""
        data = self.read(
            self.file,
            labels=[*self.of_labels(), *(by or [])],
            codes=[self.outcome],
            words=covariate or [],
        )
        _require_cases(data)
        for name in self.group or []:
            require_no_dates(data, name, "--group")
        for name in by or []:
            require_no_dates(data, name, "--by")
        study = Study(
            self.outcome,
            self.scores,
            data=data,
            pos_label=label_meant(data, self.outcome, self.positive),
            higher_is_positive=dict.fromkeys(self.lower or [], False),
            labels=self.labels_in_print(data),
            outcome=self.outcome_name,
            covariate=covariate or None,
            **self.roles(),
        )
        report_parsing(data)
        report_hints(self.hints(data))
        return study, data

    def hints(self, data: pd.DataFrame) -> list[str]:
        """Return hints on mistakes that the file may have."""
        # With frequencies a row is no patient.
        no_patients = self.cluster is not None or self.frequency is not None
        used = [self.outcome, *self.scores]
        return [
            *([] if no_patients else hints_on_repeated_patients(data, used)),
            *hints_on_missing_codes(data, self.scores),
        ]


@dataclass(frozen=True, kw_only=True)
class CasesOrExample(Cases):
    """A file of cases; none for the data of the package."""

    file: Annotated[Path | None, _FILE] = None  # type: ignore[assignment]
    outcome: Annotated[str | None, _OUTCOME] = None  # type: ignore[assignment]
    scores: Annotated[list[str] | None, _SCORES] = None  # type: ignore[assignment]

    def study_and_data(
        self, covariate: list[str] | None = None, by: list[str] | None = None
    ) -> tuple[Study, pd.DataFrame]:
        """Return the study of the file, and its data."""
        if not self.scores:  # the last of the arguments: missing if one before it is
            raise InputError(
                "`FILE OUTCOME SCORE...` must be given without --example; got too few arguments."
                " A file of two by two tables is passed as --tables FILE. See: rocstats report"
                " --help."
            )
        return super().study_and_data(covariate, by)

    def labels(self) -> dict[str, str] | None:
        """Return the labels in print; a name without one has blanks for its underscores."""
        names = self.scores or []
        spaced = {name: name.replace("_", " ").strip() for name in names if "_" in name}
        usual = {name: text for name, text in spaced.items() if text and text not in names}
        return {**usual, **(super().labels() or {})} or None


def option_texts_by_name(option: str, texts: list[str]) -> dict[str, str]:
    """Return texts of the form NAME=TEXT by their names.

    Parameters
    ----------
    option : str
        Option that they come from, for the message.
    texts : list of str
        The texts.

    Returns
    -------
    dict
        What stands behind the first "=", by what stands before.

    Raises
    ------
    InputError
        If a text has no "=", or a name comes twice.

    Examples
    --------
    >>> from rocstats.commands.cases import option_texts_by_name
    >>> option_texts_by_name("--label", ["wfns=WFNS grade"])
    {'wfns': 'WFNS grade'}
    """
    found: dict[str, str] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        if not equals:
            raise InputError(f"`{option}` must be NAME=VALUE; got {text!r}. Write both.")
        if name in found:
            raise InputError(f"`{option}` must have each name once; got {name!r} twice. Drop one.")
        found[name] = rest
    return found


def _require_cases(data: pd.DataFrame) -> None:
    if set(CELLS) <= {str(name).lower() for name in data.columns}:
        raise InputError(
            "`FILE` must have one row per case, or per number of equal cases (--frequency); got"
            " two by two tables (tp, fp, fn, tn). A yes/no test has only one operating point:"
            " areas, cutpoints and bands are not defined. See: rocstats table --help."
        )


# --- Thresholds -----------------------------------------------------------------------------------

Thresholds = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[SCORE=]VALUE",
        help="Threshold, of all scores or of one such as area=600 (repeatable).",
    ),
]

ThresholdValues = list[float] | dict[str, list[float]] | None


def thresholds_of(texts: list[str] | None, option: str = "--threshold") -> ThresholdValues:
    """Return thresholds: a list for all scores, or a dict of lists by score; None without any.

    Parameters
    ----------
    texts : list of str or None
        Each a number, or each of the form SCORE=NUMBER.
    option : str, default "--threshold"
        Option that they come from, for the message.

    Returns
    -------
    list, dict or None
        The thresholds.

    Raises
    ------
    InputError
        If one is no number, or only some name a score.

    Examples
    --------
    >>> from rocstats.commands.cases import thresholds_of
    >>> thresholds_of(["area=600", "texture=20", "area=700"])
    {'area': [600.0, 700.0], 'texture': [20.0]}
    """
    if not texts:
        return None
    pairs = [text.rpartition("=") for text in texts]
    if not any(equals for _, equals, _ in pairs):
        return [number_in_option_text(text, option) for text in texts]
    if not all(equals for _, equals, _ in pairs):
        raise InputError(
            f"`{option}` must have a score name in every value, or in none; got"
            f" {', '.join(texts)}. Write SCORE=NUMBER."
        )
    found: dict[str, list[float]] = {}
    for name, _, number in pairs:
        found.setdefault(name, []).append(number_in_option_text(number, option))
    return found


def one_threshold(texts: list[str] | None) -> float | dict[str, float] | None:
    """Return the threshold to compare scores at: one for all, or one for each; None without any.

    Parameters
    ----------
    texts : list of str or None
        See ``thresholds_of``.

    Returns
    -------
    float, dict or None
        The threshold, or one of each score.

    Raises
    ------
    InputError
        See ``thresholds_of``; if a score has two.
    """
    thresholds = thresholds_of(texts)
    if thresholds is None:
        return None
    lists = thresholds.values() if isinstance(thresholds, dict) else [thresholds]
    if any(len(values) > 1 for values in lists):
        raise InputError(
            f"`--threshold` must be one value for each score to compare; got"
            f" {', '.join(texts or [])}."
            " Run the command once for each."
        )
    if isinstance(thresholds, dict):
        return {name: values[0] for name, values in thresholds.items()}
    return thresholds[0]


def number_in_option_text(text: str, option: str, form: str = "a number, or SCORE=NUMBER") -> float:
    """Return the number that a text of an option is; raise InputError if it is none."""
    try:
        return float(text)
    except ValueError:
        advice = "Write the decimals behind a point." if "," in text else "Correct it."
        raise InputError(f"`{option}` must be {form}; got {text!r}. {advice}") from None
