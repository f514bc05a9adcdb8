"""The answer in whole people at each cutoff, and how the cutoff came about."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import pandas as pd

from rocstats.frames.words import capital
from rocstats.present.places import SIGNS, threshold_text
from rocstats.present.report.document import Block, Paragraph, Section, paragraph
from rocstats.present.styles import style_of
from rocstats.present.text import format_level, format_number
from rocstats.present.wording import list_words
from rocstats.tolerances import SAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocstats.present.protocols import StudyLike
    from rocstats.present.report.answers import Answers
    from rocstats.present.report.options import ReportOptions, Words

Kind = Literal["prespecified", "only", "chosen"]
"""Whether a cutoff was set before the study, is the only one of its test, or was chosen in it."""

BALANCE = {
    "youden": "the largest sum of sensitivity and specificity (Youden index)",
    "closest-topleft": "the point of the curve nearest to a test without errors",
    "product": "the largest product of sensitivity and specificity",
    "equal-error": "equal rates of both errors",
    "accuracy": "the most right calls",
    "kappa": "the best agreement beyond chance (kappa)",
}
"""What a criterion looks for, in words."""

# Sentences that are read; more cutoffs than these are in the table.
_MOST_ANSWERS = 6

# People of whom rates are told: more where a rate above 0 would read as nobody.
_PEOPLE = (100, 1000, 10000)


class Rate(NamedTuple):
    """A rate with its limits, and its value in the cases that chose the cutoff."""

    estimate: float
    low: float
    high: float
    apparent: float = math.nan


class Cutoff(NamedTuple):
    """A cutoff of a test, in a group if there are any, and its rates."""

    predictor: str
    group: str
    kind: Kind
    direction: str
    threshold: float
    low: float
    high: float
    tpr: Rate
    tnr: Rate

    @property
    def known(self) -> bool:
        """Whether the cutoff is finite and both rates are known."""
        rates = (self.tpr.estimate, self.tnr.estimate)
        return math.isfinite(self.threshold) and not any(map(math.isnan, rates))


def cutoffs_of(answers: Answers) -> list[Cutoff]:
    """Return the cutoffs of a report in its order: those set before the study first."""
    found = []
    for frame in (answers.given, answers.chosen):
        if frame is None:
            continue
        grouped = frame.assign(group="") if "group" not in frame else frame
        keys = ["predictor", "group", "threshold"]
        for key, piece in grouped.groupby(keys, sort=False, dropna=False):
            found.append(_cutoff(key, piece, answers.yes_no))
    return found


def _cutoff(key: tuple[str, str, float], piece: pd.DataFrame, yes_no: Sequence[str]) -> Cutoff:
    rows = {str(row["quantity"]): row for _, row in piece.iterrows()}
    low = high = math.nan
    kind: Kind = "only" if key[0] in yes_no else "prespecified"
    if "threshold" in rows:
        kind = "chosen"
        low, high = (float(rows["threshold"][name]) for name in ("ci_low", "ci_high"))
    direction = str(piece["direction"].iloc[0])
    rates = (_rate(rows["tpr"]), _rate(rows["tnr"]))
    return Cutoff(str(key[0]), str(key[1]), kind, direction, float(key[2]), low, high, *rates)


def _rate(row: pd.Series) -> Rate:
    names = ("estimate", "ci_low", "ci_high")
    return Rate(*(float(row[name]) for name in names), float(row.get("apparent", math.nan)))


def answer_section(
    study: StudyLike, answers: Answers, cutoffs: Sequence[Cutoff], options: ReportOptions
) -> Section:
    """Return the answer in whole people, and a notice on how each cutoff came about."""
    known = [cutoff for cutoff in cutoffs if cutoff.known]
    blocks: list[Block] = []
    for kinds in (("prespecified", "only"), ("chosen",)):
        these = [cutoff for cutoff in known if cutoff.kind in kinds]
        shown = these[:_MOST_ANSWERS]
        several = len(known) > 1
        for cutoff in shown:
            blocks += _told(cutoff, options, several=several)
        if len(these) > len(shown):
            rest = f"The tables below have all {len(these)} cutoffs."
            blocks.append(paragraph(rest, role="note"))
        if these:
            blocks.append(_notice(these, study, options))
    blocks += [paragraph(text, role="note") for text in _nobody(cutoffs)]
    if not known:
        blocks += _separation(answers, options.words)
    return Section("", tuple(blocks), "answer")


def cut_text(value: float) -> str:
    """Return a cutoff as text: as many digits as it needs, five at most.

    Examples
    --------
    >>> from rocstats.present.report.cutoffs import cut_text
    >>> cut_text(600.0), cut_text((0.04908 + 0.04938) / 2), cut_text(696.254321)
    ('600', '0.04923', '696.25')
    """
    text = threshold_text(value, 0)
    return text.rstrip("0").rstrip(".") if "." in text else text


def name_of(cutoff: Cutoff) -> str:
    """Return a test at its cutoff: "texture ≥ 19.3"; the group follows if there is one."""
    cut = f"{SIGNS[cutoff.direction]}{cut_text(cutoff.threshold)}"
    name = cutoff.predictor if cutoff.kind == "only" else f"{cutoff.predictor} {cut}"
    return f"{name} in {cutoff.group}" if cutoff.group else name


def people(rates: Sequence[float]) -> tuple[int, list[str]]:
    """Return of how many people rates are told, and the numbers of people as text.

    Parameters
    ----------
    rates : sequence of float
        Shares in [0, 1]; NaN prints as "NA".

    Returns
    -------
    int
        100; 1000 or 10000 where a rate that is not 0 or 1 would else read as nobody, or everybody.
    list of str
        Whole numbers, or bounds ("<1") where even 10000 are too few.

    Examples
    --------
    >>> from rocstats.present.report.cutoffs import people
    >>> people([0.742, 0.709]), people([0.997, 1.0])
    ((100, ['74', '71']), (1000, ['997', '1000']))
    """
    for whole in _PEOPLE:
        texts = [format_number(whole * rate, 0, guard=(0, whole)) for rate in rates]
        if not any(text[0] in "<>" for text in texts):
            break
    return whole, texts


def place_of(cutoff: Cutoff) -> str:
    """Return a test, and its group if there is one."""
    return f"{cutoff.predictor} in {cutoff.group}" if cutoff.group else cutoff.predictor


def _told(cutoff: Cutoff, options: ReportOptions, *, several: bool) -> list[Block]:
    """Return the sentences on one cutoff: one paragraph each of several, two of a single one."""
    words, style = options.words, options.style
    (whole, (found, cleared)) = people([cutoff.tpr.estimate, cutoff.tnr.estimate])
    limits = [_limits(rate, whole) for rate in (cutoff.tpr, cutoff.tnr)]
    level = format_level(options.confidence_level)
    if several:
        ci = [f" ({level} CI {limits[0]})" if limits[0] else "", limits[1] and f" ({limits[1]})"]
        text = (
            f"Of {whole} {words.cases} with {words.condition}, {name_of(cutoff)} finds"
            f" {found}{ci[0]}; of {whole} without, it clears {cleared}{ci[1]}."
        )
        return [paragraph(text, role="answer")]
    sentences = (
        f"Of {whole} {words.cases} with {words.condition} the test finds {found}.",
        f"Of {whole} without, it clears {cleared}.",
    )
    digits = style_of(style).digits
    rates = [format_number(r.estimate, digits, guard=(0, 1)) for r in (cutoff.tpr, cutoff.tnr)]
    interval = f"{level} confidence interval {limits[0]} found, {limits[1]} cleared."
    at = f"{capital(name_of(cutoff))} is positive." if cutoff.kind != "only" else ""
    note = paragraph(
        interval if all(limits) else "",
        f"Sensitivity {rates[0]}, specificity {rates[1]}.",
        at,
        role="note",
    )
    return [paragraph(*sentences, role="answer"), note]


def _limits(rate: Rate, whole: int) -> str:
    """Return the limits of a rate in people, "68 to 80"; "" without limits."""
    if math.isnan(rate.low) or math.isnan(rate.high):
        return ""
    return " to ".join(
        format_number(whole * limit, 0, guard=(0, whole)) for limit in (rate.low, rate.high)
    )


def _notice(cutoffs: Sequence[Cutoff], study: StudyLike, options: ReportOptions) -> Paragraph:
    """Return how cutoffs of one kind came about, and what follows for their rates."""
    one = len(cutoffs) == 1
    if cutoffs[0].kind != "chosen":
        if all(cutoff.kind == "only" for cutoff in cutoffs):
            text = "A yes/no test has one cutoff: none was chosen in these data."
            return paragraph(text, role="notice", lead="Nothing to choose.")
        subject = "The cutoff was" if one else "The cutoffs were"
        rates = "its rates need" if one else "their rates need"
        text = f"{subject} set before these data were seen, so that {rates} no correction."
        return paragraph(text, role="notice", lead="Set before the study.")
    return paragraph(
        *_chosen_texts(cutoffs, study, options),
        role="notice",
        lead="Chosen after seeing the data.",
    )


def _chosen_texts(
    cutoffs: Sequence[Cutoff], study: StudyLike, options: ReportOptions
) -> Iterator[str]:
    one, cases = len(cutoffs) == 1, options.words.cases
    looked_for = BALANCE[str(options.criterion)]
    if one:
        cut = cutoffs[0]
        whole, raw = people([cut.tpr.apparent, cut.tnr.apparent])
        yield (
            f"{cut_text(cut.threshold)} gave {looked_for} in these {cases}, so its raw"
            f" results ({raw[0]} and {raw[1]} of {whole}) flatter it."
        )
    else:
        yield f"Each cutoff gave {looked_for} in these {cases}, so raw results flatter it."
    yield "The figures here are corrected for that."
    level = format_level(options.confidence_level)
    intervals = [
        f"{'' if one else f'{place_of(cut)} '}{cut_text(cut.low)} to {cut_text(cut.high)}"
        for cut in cutoffs[:_MOST_ANSWERS]
        if not math.isnan(cut.low)
    ]
    if intervals:
        whose = "the best cutoff" if one else "the best cutoffs"
        yield f"{level} confidence interval of {whose}: {'; '.join(intervals)}."
    yield "Confirm in new patients."


def _nobody(cutoffs: Sequence[Cutoff]) -> Iterator[str]:
    """Say which tests have no chosen cutoff, because calling nobody positive is as good."""
    names = [place_of(cut) for cut in cutoffs if cut.kind == "chosen" and math.isinf(cut.threshold)]
    if names:
        yield (
            f"No cutoff of {list_words(names)} was better in these data than calling nobody"
            " positive: none is given."
        )


def _separation(answers: Answers, words: Words) -> Iterator[Paragraph]:
    """Say each area as the share of pairs that the test orders rightly, where no cutoff is told."""
    areas = answers.auc
    if areas is None:
        return
    for _, row in areas.head(_MOST_ANSWERS).iterrows():
        if math.isnan(row["estimate"]):
            continue
        whole, (pairs,) = people([row["estimate"]])
        place = f" in {row['group']}" if row.get("group", "") else ""
        side = "more" if abs(row["estimate"] - 1) > SAME else "always more"
        yield paragraph(
            f"Take one {words.case} with {words.condition} and one without at random{place}: in"
            f" {pairs} of {whole} such pairs, {row['predictor']} points {side} to the condition in"
            " the first.",
            role="answer",
        )
