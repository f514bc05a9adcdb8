"""Commands about two by two tables of yes/no tests."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from rocstats.commands.cases import Labels, option_texts_by_name
from rocstats.commands.options import (
    Level,
    Prevalences,
    command_option_of_parameter,
    given_command_options,
)
from rocstats.commands.output import Output, OutputAndFigure, write_picture
from rocstats.commands.points import Quantities
from rocstats.commands.reading import Reading, report_parsing
from rocstats.errors import InputError
from rocstats.inference.verification.rates import begg_greenes
from rocstats.plots.roc import roc_figure
from rocstats.studies.studies import Study
from rocstats.study.vectors import read_vector, require_no_text

# In the order of the arguments, in which other programs differ.
_CELLS = ("tp", "fp", "fn", "tn")
Tests = dict[str, list[Any]]


def table(
    reading: Reading,
    output: OutputAndFigure,
    tp: Annotated[int | None, typer.Argument(metavar="TP", help="Diseased, positive.")] = None,
    fp: Annotated[int | None, typer.Argument(metavar="FP", help="Healthy, positive.")] = None,
    fn: Annotated[int | None, typer.Argument(metavar="FN", help="Diseased, negative.")] = None,
    tn: Annotated[int | None, typer.Argument(metavar="TN", help="Healthy, negative.")] = None,
    file: Annotated[
        Path | None, typer.Option(help="File with a row a test: columns test, tp, fp, fn and tn.")
    ] = None,
    prevalence: Prevalences = None,
    quantity: Quantities = None,
    level: Level = 0.95,
    label: Labels = None,
    independent: Annotated[
        bool, typer.Option("--independent", help="Compare the tests, each of its own cases.")
    ] = False,
) -> None:
    r"""Print the measures of a yes/no test from its two by two table: TP FP FN TN.

    A yes/no test has one operating point: no area, cutpoint or band. Two tests of
    the same cases are compared from a file with a row for each combination of
    outcome and answers (0 or 1) and its number of cases: rocstats compare --help.
    The figure has the tests in ROC space.

    rocstats table 670 202 74 640 --prevalence 0.05

    rocstats table --file two_by_two.csv --quantity tpr --quantity tnr

    rocstats table --file two_by_two.csv --layout wide --figure tests.pdf

    rocstats table --file two_by_two.csv --independent
    """
    counts = given_command_options(tp=tp, fp=fp, fn=fn, tn=tn)
    if (file is None) != (len(counts) == len(_CELLS)) or (file is not None and counts):
        raise InputError(
            f"`TP FP FN TN` must be four counts, or --file must be given; got {len(counts)}"
            f" counts and {'no file' if file is None else 'a file'}. See: rocstats table --help."
        )
    tests = _tests_of_one_table(counts) if file is None else read_tests(reading, file)
    labels = option_texts_by_name("--label", label or [])
    study = Study.from_confusion(tests, labels=labels)
    say_how_counts_were_taken(tests)
    asked: dict[str, Any] = {"confidence_level": level, "quantities": quantity}
    if independent:
        groups = _study_of_independent_tests(tests, labels, prevalence)
        output.answer(groups.compare_operating_points, threshold=1, across="groups", **asked)
    else:
        output.answer(study.operating_points, prevalence=prevalence, **asked)
        _say_why_not_compared(tests)
    if output.figure is not None:
        points = study.operating_points(confidence_level=level)
        draw = partial(roc_figure, study.roc_curve(), style=output.style, points=points)
        write_picture(draw, output.figure, style=output.style)


def verified_table(
    output: Output,
    tp: Annotated[int, typer.Argument(metavar="TP", help="Diseased, positive.")],
    fp: Annotated[int, typer.Argument(metavar="FP", help="Healthy, positive.")],
    fn: Annotated[int, typer.Argument(metavar="FN", help="Diseased, negative.")],
    tn: Annotated[int, typer.Argument(metavar="TN", help="Healthy, negative.")],
    n_test_positive: Annotated[int, command_option_of_parameter("n_test_positive")],
    n_test_negative: Annotated[int, command_option_of_parameter("n_test_negative")],
    level: Level = 0.95,
) -> None:
    r"""Print the rates of a yes/no test that only some cases were verified for.

    TP FP FN TN are the cases that had the reference standard. Whether they had it
    must depend on the result of the test alone (Begg and Greenes).

    rocstats verified-table 231 32 27 54 --n-test-positive 429 \
      --n-test-negative 221
    """
    output.answer(
        begg_greenes,
        tp=tp,
        fp=fp,
        fn=fn,
        tn=tn,
        n_test_positive=n_test_positive,
        n_test_negative=n_test_negative,
        confidence_level=level,
    )


def _tests_of_one_table(counts: dict[str, int]) -> Tests:
    return {"predictor": ["test"], **{name: [count] for name, count in counts.items()}}


def read_tests(reading: Reading, file: Path, option: str = "--file") -> Tests:
    """Return the tests of a file, by columns; ``option`` names the file in messages."""
    data = reading.read(file, labels=["test"])
    # Other programs write TP or Tp.
    data.columns = [
        name.lower() if name.lower() in ("test", *_CELLS) else name for name in data.columns
    ]
    missing = [name for name in ("test", *_CELLS) if name not in data.columns]
    if missing:
        raise InputError(
            f"`{option}` must have the columns test, tp, fp, fn and tn; got none called"
            f" {', '.join(missing)}. Rename its columns."
        )
    for name in _CELLS:
        require_no_text(read_vector(data[name], option), "Write the number of cases.")
    if repeated := data["test"][data["test"].duplicated()].tolist():
        raise InputError(
            f"`{option}` must have each test once; got {repeated[0]!r} more than once. Rename the"
            " tests, or leave rows out."
        )
    report_parsing(data)
    return {"predictor": list(data["test"]), **{name: list(data[name]) for name in _CELLS}}


def _study_of_independent_tests(
    tests: Tests, labels: dict[str, str], prevalence: list[float] | None
) -> Study:
    """Return tests of different cases as the groups of one study."""
    names = tests["predictor"]
    if len(names) < 2 or prevalence:
        raise InputError(
            "`--independent` must be used with two or more tests, and without --prevalence; got"
            f" {len(names)} and {prevalence}. Leave one of them out."
        )
    k = len(names)
    return Study(
        [1, 0, 1, 0] * k,
        {"test": [1, 1, 0, 0] * k},
        # The cells of a test in the order tp, fp, fn, tn.
        frequency=[tests[cell][i] for i in range(k) for cell in _CELLS],
        group=[labels.get(str(name), str(name)) for name in names for _ in _CELLS],
    )


def _say_why_not_compared(tests: Tests) -> None:
    if len(tests["predictor"]) > 1:
        typer.echo(
            "rocstats: not compared: two by two tables do not say which cases the tests share."
            " Pass --independent if none; else see the joint results of rocstats compare --help.",
            err=True,
        )


def say_how_counts_were_taken(tests: Tests) -> None:
    """Say which count was taken for what: other programs have other orders."""
    for name, tp, fp, fn, tn in zip(*(tests[key] for key in ("predictor", *_CELLS)), strict=True):
        typer.echo(
            f"rocstats: {name}: true positives {tp}, false positives {fp}, false negatives {fn},"
            f" true negatives {tn}",
            err=True,
        )
