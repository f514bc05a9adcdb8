"""Messages of the library in the words of the command line."""

from __future__ import annotations

import re
from typing import cast

import typer

from rocstats.frames.notes import NOTES

UsageError = cast("type[Exception]", typer.BadParameter.__base__)
"""What typer raises of a command that it cannot read; it exports only this one kind."""

_SAME = (
    "sep decimal encoding sheet frequency cluster fold group interval method reference across"
    " hypothesis margin alternative adjust at threshold fpr tpr reading prevalence criterion"
    " cost_fp cost_fn joint digits bars kind n_candidates auc null_auc reference_auc"
    " correlation_pos correlation_neg n_pos n_neg power half_width ratio alpha simulate"
    " n_simulations fpr_range variance statistic band n_readers n_groups structure readers nested"
    " truth rating reader case cases modality machine covariance prespecified by clip"
    " risk_threshold cause controls"
)
_WORDS = {
    **{name: f"--{name.replace('_', '-')}" for name in _SAME.split()},
    "path": "FILE",
    "data": "FILE",
    "time": "TIME",
    "event": "EVENT",
    "score": "SCORE",
    "y_true": "OUTCOME",
    "y_score": "SCORE",
    "pos_label": "--positive",
    "higher_is_positive": "--lower",
    "nan_policy": "--missing",
    "labels": "--label",
    "display_labels": "--label",
    "outcome": "--outcome-name",
    "confidence_level": "--level",
    "n_resamples": "--resamples",
    "rng": "--seed",
    "quantities": "--quantity",
    "tp": "TP",
    "fp": "FP",
    "fn": "FN",
    "tn": "TN",
}
"""The argument or option of the command for an argument of the library."""

# Advice that only Python can follow, and the command's own.
_ADVICE = {
    "Use MulticlassStudy for more classes, or pass one class against the rest.": (
        "Ask rocstats classes, or add a column of one class against the rest."
    ),
    "Name the columns by their labels, or pass labels=.": (
        "Name the columns by their labels, or pass --class CLASS=SCORE."
    ),
    "Say their order with pandas.Categorical(..., ordered=True).": "Save them as numbers.",
    "Convert it to numbers, or to ordered categories.": "Correct it, or pass another column.",
    "more than once. Rename the columns.": "more than once. Name each column once.",
    "Resample the classes apart (stratified=True), or merge folds.": "Merge folds.",
    "Pass fold= to the study, or join studies with stack_test_sets.": "Pass fold=.",
    "= to the study": "=",
    "must stay None": "must be left out",
    "Pass None for": "Leave it out for",
    "got None and None": "got neither",
    "Pass for instance (0, 0.1)": "Pass for instance 0 0.1",
    "independent=False": "--repeated",
    "higher_is_positive=False": "higher_is_positive=",
    "Describe a reader study with ReaderDesign.": "Describe a reader study with --structure.",
}

# A quoted text is the user's own; `name`, name='value', name= and names that are no English word.
_NAMES = re.compile(
    r"(?<!\w)'[^']*'|`(\w+)`|\b([a-z]+_[a-z_]+)\b(?!=)"
    r"|\b(\w+)=(?:['\"]([^'\"]*)['\"]|(?=[\d.])([\d.]*\d))?"
)


def in_words_of_the_command(message: str) -> str:
    """Return the message of the library with options in place of its arguments.

    Parameters
    ----------
    message : str
        The text of an error or a note.

    Returns
    -------
    str
        The same, for someone who has no Python.

    Examples
    --------
    >>> from rocstats.commands.messages import in_words_of_the_command
    >>> in_words_of_the_command("`pos_label` must be given; pass sep=';' too.")
    "`--positive` must be given; pass --sep ';' too."
    """
    message = re.sub(r" Leave it out: y_score\.drop.*", " Leave it out.", message)
    message = re.sub(r"\bauc\(([^()]*)\)", r"auc \1", message)
    for python, command in _ADVICE.items():
        message = message.replace(python, command)
    return _NAMES.sub(_option, message)


def note_in_words(message: str) -> str:
    """Return a note with its code, by which the documentation lists it, behind the sentence."""
    code, _, meaning = message.partition(": ")
    words = in_words_of_the_command(meaning if code in NOTES else message)
    return f"{words} ({code})" if code in NOTES else words


def usage_in_words(problem: Exception) -> str:
    """Return what typer could not read, as a line; "" if it has printed the help instead."""
    found: str = problem.format_message().strip()  # type: ignore[attr-defined]
    # An option without its value is noticed before there is a command.
    command = getattr(getattr(problem, "ctx", None), "command_path", "rocstats")
    end = "" if found.endswith((".", "?")) else "."
    return found and f"{found}{end} See {command} --help."


def _option(found: re.Match[str]) -> str:
    ticked, bare, given, text, number = found.groups()
    value = number if text is None else text
    word = _WORDS.get(ticked or given or bare or "")
    if word is None:
        return found[0]
    if value is None:
        return f"`{word}`" if ticked else word
    # A shell takes a plain word as it is; a mark is quoted.
    return f"{word} {value}" if re.fullmatch(r"\w[\w.-]*", value) else f"{word} '{value}'"
