"""The results per 100 people at each cutoff, and the origin of the cutoff."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

import pandas as pd

from rocstats.curves.criteria import CRITERIA
from rocstats.reports.document import Block, Paragraph, Section, paragraph
from rocstats.reports.texts import say
from rocstats.tables.cells import SIGNS, limit_text, threshold_text
from rocstats.tables.sizes import counted_units_in_words, units_of_frame
from rocstats.tables.text import format_count, format_level, format_number, round_half_up
from rocstats.tables.wording import list_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocstats.reports.answers import ReportAnswers
    from rocstats.reports.options import ReportOptions, ReportWords


Kind = Literal["prespecified", "only", "chosen"]
"""Whether a cutoff was set before the study, is the only one of its test, or was chosen in it."""

# Sentences that are read; more cutoffs than these are in the table.
_MOST_ANSWERS = 6

# Decimals of sensitivities in a sentence.
_DIGITS = 2
# Decimals of a number of 100 people, from a least number on, which is printed as the next power of
# ten: 9.95 would be "10.0". Two digits count then, as a share of 1 in 1000 is not 1 in 2000.
_DECIMALS = ((9.95, 0), (0.95, 1), (0.095, 2), (0.0, 3))


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
    next_score: float
    """The nearest score that is not called positive; NaN to print the threshold in full."""
    low: float
    high: float
    tpr: Rate
    tnr: Rate
    n: float
    """Number of cases."""
    partly: bool
    """Whether much of the optimism of the choice remains after the correction."""

    @property
    def known(self) -> bool:
        """Whether the cutoff is finite and both rates are known."""
        rates = (self.tpr.estimate, self.tnr.estimate)
        return math.isfinite(self.threshold) and not any(map(math.isnan, rates))


def cutoffs_of(answers: ReportAnswers) -> list[Cutoff]:
    """Return the cutoffs of a report in its order: those set before the study first."""
    found = []
    for frame in (answers.given, answers.chosen):
        if frame is None:
            continue
        grouped = frame.assign(group="") if "group" not in frame else frame
        keys = ["predictor", "group", "threshold"]
        # A group without one class has no chosen cutoff.
        for _, piece in grouped.groupby(keys, sort=False):
            found.append(_cutoff_of_its_rows(piece, answers.yes_no))
    named = Counter(map(name_of_test_at_cutoff, found))
    # Two that call the same cases are told apart by all their digits.
    return [
        cut if named[name_of_test_at_cutoff(cut)] == 1 else cut._replace(next_score=math.nan)
        for cut in found
    ]


def _cutoff_of_its_rows(piece: pd.DataFrame, yes_no: Sequence[str]) -> Cutoff:
    first = piece.iloc[0]
    rows = {str(row["quantity"]): row for _, row in piece.iterrows()}
    low = high = math.nan
    kind: Kind = "only" if first["predictor"] in yes_no else "prespecified"
    if "threshold" in rows:
        kind = "chosen"
        low, high = (float(rows["threshold"][name]) for name in ("ci_low", "ci_high"))
    return Cutoff(
        predictor=str(first["predictor"]),
        group=str(first["group"]),
        kind=kind,
        direction=str(first["direction"]),
        threshold=float(first["threshold"]),
        next_score=float(first.get("next_score", math.nan)),
        low=low,
        high=high,
        tpr=_rate_at_cutoff(rows["tpr"]),
        tnr=_rate_at_cutoff(rows["tnr"]),
        n=float(first["n_pos"] + first["n_neg"]),
        partly=bool(piece["note"].str.contains("few-cases-for-cutpoint").any()),
    )


def _rate_at_cutoff(row: pd.Series) -> Rate:
    estimate, low, high = (float(row[name]) for name in ("estimate", "ci_low", "ci_high"))
    return Rate(estimate, low, high, float(row.get("apparent", math.nan)))


def answer_section(
    answers: ReportAnswers, cutoffs: Sequence[Cutoff], options: ReportOptions
) -> Section:
    """Return the answer in whole people, and a notice on how each cutoff came about."""
    known = [cutoff for cutoff in cutoffs if cutoff.known]
    blocks: list[Block] = []
    for kinds in (("prespecified", "only"), ("chosen",)):
        these = [cutoff for cutoff in known if cutoff.kind in kinds]
        shown = these[:_MOST_ANSWERS]
        told = (
            _sentences_on_only_cutoff
            if len(known) == 1 and _is_report_of_one_test(answers)
            else _sentences_on_one_of_cutoffs
        )
        blocks += [block for cutoff in shown for block in told(cutoff, options)]
        if len(these) > len(shown):
            blocks.append(paragraph(say("answer.more", number=len(these)), role="note"))
        if these:
            counted = counted_units_in_words(units_of_frame(answers.curve), options.words.cases)
            blocks.append(_notice_on_choice_of_cutoffs(these, options, counted))
    blocks += [paragraph(text, role="note") for text in _sentences_on_tests_without_cutoff(cutoffs)]
    if not known:
        blocks += _area_as_share_of_ordered_pairs(answers, options.words)
    return Section("", tuple(blocks), "answer")


def _is_report_of_one_test(answers: ReportAnswers) -> bool:
    """Return whether a report is of one test without groups: it needs no name then."""
    return "group" not in answers.curve and answers.curve["predictor"].nunique() == 1


def cut_text(cutoff: Cutoff) -> str:
    """Return a cutoff as text: as few decimals as call the same cases."""
    return threshold_text(cutoff.threshold, cutoff.next_score, 0)


def limits_of_chosen_cutoff_as_texts(cutoff: Cutoff) -> tuple[str, str]:
    """Return the limits of a chosen cutoff as texts."""
    text = cut_text(cutoff)
    return limit_text(cutoff.low, text), limit_text(cutoff.high, text)


def name_of_test_at_cutoff(cutoff: Cutoff) -> str:
    """Return a test at its cutoff: "texture ≥ 19.3"; the group follows if there is one."""
    cut = f"{SIGNS[cutoff.direction]}{cut_text(cutoff)}"
    name = cutoff.predictor if cutoff.kind == "only" else f"{cutoff.predictor} {cut}"
    return f"{name} in {cutoff.group}" if cutoff.group else name


def of_hundred(share: float, *, digits: int | None = None) -> str:
    """Return a share as a number of 100 people, as the explorer of a page rounds it.

    Parameters
    ----------
    share : float
        In [0, 1]; NaN prints as "NA".
    digits : int, optional
        Decimals; by default none from 10, one from 1, two from 0.1, then three.

    Returns
    -------
    str
        0 and 100 only if exact: what would be rounded to them has more decimals, or is a bound.

    Examples
    --------
    >>> from rocstats.reports.cutoffs import of_hundred
    >>> [of_hundred(share) for share in (0.742, 0.039, 0.0047, 0.997, 0.99999, 1.0)]
    ['74', '3.9', '0.47', '99.7', '>99.9', '100']
    """
    value = 100 * share
    if math.isnan(value) or value in (0, 100):
        return format_number(value, 0)
    decimals = _digits_of_people_of_hundred(share) if digits is None else digits
    rounded = round_half_up(value, decimals)
    if rounded == 0:
        decimals = _digits_of_people_of_hundred(share)
    elif rounded == 100:
        decimals = 1
    return format_number(value, decimals, guard=(0, 100))


def _digits_of_people_of_hundred(share: float) -> int:
    if share == 0:
        return 1
    return next(digits for least, digits in _DECIMALS if 100 * share >= least)


def test_and_group_of_cutoff(cutoff: Cutoff) -> str:
    """Return a test, and its group if there is one."""
    return f"{cutoff.predictor} in {cutoff.group}" if cutoff.group else cutoff.predictor


def _sentences_on_only_cutoff(cutoff: Cutoff, options: ReportOptions) -> list[Block]:
    """Return the two sentences on the only cutoff of a report, and its limits."""
    words, level = options.words._asdict(), format_level(options.confidence_level)
    found, cleared = of_hundred(cutoff.tpr.estimate), of_hundred(cutoff.tnr.estimate)
    answer = paragraph(
        say("answer_found", found=found, **words),
        say("answer_cleared", cleared=cleared, **words),
        role="answer",
    )
    limits = {
        "found_limits": limits_of_rate_in_people(cutoff.tpr),
        "cleared_limits": limits_of_rate_in_people(cutoff.tnr),
    }
    rates = {
        name: format_number(rate.estimate, _DIGITS, guard=(0, 1))
        for name, rate in (("tpr", cutoff.tpr), ("tnr", cutoff.tnr))
    }
    key = "answer_limits" if all(limits.values()) else "answer_rates"
    at = (
        "" if cutoff.kind == "only" else say("answer.positive", test=name_of_test_at_cutoff(cutoff))
    )
    return [answer, paragraph(say(key, level=level, **limits, **rates), at, role="note")]


def _sentences_on_one_of_cutoffs(cutoff: Cutoff, options: ReportOptions) -> list[Block]:
    """Return the sentence on one of several cutoffs, with its limits."""
    words = options.words._asdict()
    level = format_level(options.confidence_level)
    found, cleared = of_hundred(cutoff.tpr.estimate), of_hundred(cutoff.tnr.estimate)
    limits = [limits_of_rate_in_people(rate) for rate in (cutoff.tpr, cutoff.tnr)]
    if all(limits):
        found, cleared = f"{found} ({level} CI {limits[0]})", f"{cleared} ({limits[1]})"
    values = {"test": test_and_group_of_cutoff(cutoff), "cutoff": cut_text(cutoff)}
    key = "answer_named_yes_no" if cutoff.kind == "only" else "answer_named"
    text = say(key, found=found, cleared=cleared, **values, **words)
    return [paragraph(text, role="answer")]


def limits_of_rate_in_people(rate: Rate) -> str:
    """Return the limits of a rate in people, "68 to 80"; "" without limits."""
    if math.isnan(rate.low) or math.isnan(rate.high):
        return ""
    digits = _digits_of_people_of_hundred(rate.estimate)
    return " to ".join(of_hundred(limit, digits=digits) for limit in (rate.low, rate.high))


def _notice_on_choice_of_cutoffs(
    cutoffs: Sequence[Cutoff], options: ReportOptions, counted: str
) -> Paragraph:
    """Return how cutoffs of one kind came about, and what follows for their rates."""
    level = format_level(options.confidence_level)
    if cutoffs[0].kind == "chosen":
        lead, texts = (
            "notice_chosen_title",
            [*_sentences_on_chosen_cutoffs(cutoffs, options, counted)],
        )
    elif all(cutoff.kind == "only" for cutoff in cutoffs):
        lead, texts = "notice_yes_no_title", [say("notice_yes_no", level=level)]
    else:
        lead = "notice_prespecified_title"
        texts = [say("notice_prespecified", level=level)]
    if not any(limits_of_rate_in_people(cutoff.tpr) for cutoff in cutoffs):
        texts = [say("answer.no_limits")]
    return paragraph(*texts, role="notice", lead=say(lead))


def _sentences_on_chosen_cutoffs(
    cutoffs: Sequence[Cutoff], options: ReportOptions, counted: str
) -> Iterator[str]:
    words, rule = options.words, CRITERIA[str(options.criterion)].phrase
    cut = cutoffs[0]
    if len(cutoffs) == 1:
        yield say(
            "notice_chosen",
            cutoff=cut_text(cut),
            rule=rule,
            n=format_count(cut.n),
            counted=counted,
            raw_found=of_hundred(cut.tpr.apparent),
            raw_cleared=of_hundred(cut.tnr.apparent),
        )
        if not math.isnan(cut.low):
            ends = dict(
                zip(
                    ("cutoff_low", "cutoff_high"),
                    limits_of_chosen_cutoff_as_texts(cut),
                    strict=True,
                )
            )
            yield say("notice_chosen_again", **ends)
    else:
        yield say("answer.chosen", rule=rule, cases=words.cases)
        intervals = [
            f"{test_and_group_of_cutoff(cut)} {' to '.join(limits_of_chosen_cutoff_as_texts(cut))}"
            for cut in cutoffs[:_MOST_ANSWERS]
            if not math.isnan(cut.low)
        ]
        if intervals:
            level = format_level(options.confidence_level)
            yield say("answer.chosen_intervals", level=level, intervals="; ".join(intervals))
    if any(cutoff.partly for cutoff in cutoffs):
        yield say("notice_chosen_partly", cases=words.cases)
    yield say("notice_chosen_confirm", cases=words.cases)


def _sentences_on_tests_without_cutoff(cutoffs: Sequence[Cutoff]) -> Iterator[str]:
    """Name the tests without a chosen cutoff, because calling no case positive is as good."""
    names = [
        test_and_group_of_cutoff(cut)
        for cut in cutoffs
        if cut.kind == "chosen" and math.isinf(cut.threshold)
    ]
    if names:
        yield say("answer.no_cutoff", tests=list_words(names))


def _area_as_share_of_ordered_pairs(
    answers: ReportAnswers, words: ReportWords
) -> Iterator[Paragraph]:
    """Say each area as the share of pairs that the test orders rightly, where no cutoff is told."""
    areas = answers.auc
    if areas is None:
        return
    for _, row in areas.head(_MOST_ANSWERS).iterrows():
        if math.isnan(row["estimate"]):
            continue
        place = f" in {row['group']}" if row.get("group", "") else ""
        number, test = of_hundred(row["estimate"]), row["predictor"]
        text = say("answer.separation", place=place, number=number, test=test, **words._asdict())
        yield paragraph(text, role="answer")
