"""Messages name the options of the command: every option is in the table of words."""

from __future__ import annotations

import inspect
from typing import Any, get_args

import pytest
from typer.models import ArgumentInfo, OptionInfo

import rocstats as rs
from rocstats.cli import COMMANDS
from rocstats.commands.options import command_with_option_groups, in_words_of_the_command
from rocstats.facts.options import OPTIONS

OPTION_OF = {name: one.command for name, one in OPTIONS.items() if one.command}
OWN = {
    "--class": "what by_name reads, in its own words",
    "--example": "data that ship",
    "--figure": "a file, checked by the command",
    "--file": "a file, read by the command",
    "--fold-case": "the command's own, of labels spelled alike",
    "--keep-case": "the command's own, of labels spelled alike",
    "--force": "whether files are replaced",
    "--format": "how a table is printed",
    "--independent": "compares tables of tests one by one",
    "--methods": "whether the paragraph is printed",
    "--out": "a file, checked by the command",
    "--repeated": "the argument `independent`, turned round",
    "--scores": "another question",
    "--tables": "a file, read by the command",
    "--time": "checked by the command: to the library `time` is the column TIME",
    "SHELL": "no question",
}
"""Options that are no argument of the library, and what they are."""

STUDIES = (rs.Study, rs.MulticlassStudy, rs.ReaderStudy, rs.SurvivalStudy)
FUNCTIONS: list[Any] = [
    rs.report,
    rs.read_table,
    rs.format_table,
    rs.power,
    rs.sample_size,
    rs.plot_roc,
]
FUNCTIONS += [rs.OneAUC, rs.TwoAUCs, rs.PairedAUCs, rs.OneRate, rs.PairedRates, rs.ReaderDesign]

# Of these names an option is another argument than that of the library.
OTHERS = {"event", "outcome", "tp", "fp", "fn", "tn"}


def options():
    """Return each option or argument of each command: its command, its parameter, its name."""
    found = []
    for command, function in COMMANDS.items():
        for parameter in inspect.signature(
            command_with_option_groups(function)
        ).parameters.values():
            infos = [
                info for info in get_args(parameter.annotation)
                if isinstance(info, (OptionInfo, ArgumentInfo))
            ]  # fmt: skip
            info = infos[0]
            plain = "--" + parameter.name.replace("_", "-")
            given = [text for text in (info.default, *(info.param_decls or ()))
                     if isinstance(text, str)]  # fmt: skip
            if isinstance(info, ArgumentInfo):
                name = info.metavar or parameter.name.upper()
            else:
                name = next(iter(given), plain)
            found.append((command, parameter.name, name))
    return found


def arguments():
    """Return the names of the arguments of the library that commands pass on."""
    asked = [*FUNCTIONS, *STUDIES]
    for study in STUDIES:
        asked += [function for name, function in inspect.getmembers(study, callable)
                  if not name.startswith("_")]  # fmt: skip
    return {name for function in asked for name in inspect.signature(function).parameters}


def test_every_option_is_in_the_table_or_is_the_commands_own():
    known = {*OPTION_OF.values(), *OWN}
    assert [each for each in options() if each[2] not in known] == []
    assert OWN.keys() <= {name for _, _, name in options()}


def test_an_argument_of_the_library_is_said_as_its_option():
    library = arguments() - OTHERS
    wrong = [
        (command, parameter, name) for command, parameter, name in options()
        if parameter in library and name not in OWN and OPTION_OF.get(parameter) != name
    ]  # fmt: skip
    assert wrong == []


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("`covariate` must be numbers.", "`--covariate` must be numbers."),
        ("`quantity` must be tpr or tnr.", "`--quantity` must be tpr or tnr."),
        ("Pass only_reference=0.1.", "Pass --only-reference 0.1."),
        (
            "`words` must be a dict of words, each a text; got {}. Pass for instance"
            " words={'case': 'woman', 'condition': 'cancer'}.",
            "`--word` must be a dict of words, each a text; got {}. Pass for instance"
            " --word 'case=woman' --word 'condition=cancer'.",
        ),
    ],
)
def test_messages_are_in_the_words_of_the_command(message, said):
    assert in_words_of_the_command(message) == said
