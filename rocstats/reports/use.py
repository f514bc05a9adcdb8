"""The section on scores that are risks: what acting by them is worth, and are they right."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from rocstats.frame.make import text_frame
from rocstats.plots.calibration import plot_calibration
from rocstats.plots.net_benefit import plot_net_benefit
from rocstats.plots.series import series_of
from rocstats.reports.accuracy import IN_SAMPLE
from rocstats.reports.document import Block, FigureBlock, Section, TableBlock, paragraph
from rocstats.reports.figures import figure_of, new_axes_outside_pyplot
from rocstats.reports.texts import say
from rocstats.study.points import TREAT_ALL
from rocstats.tables.footnotes import footnotes
from rocstats.tables.markup import printed_table
from rocstats.tables.sentences import sentences_of_answer
from rocstats.tables.tables import table_cells_by_heading, table_columns
from rocstats.tables.text import format_interval, format_level, format_number, style_of
from rocstats.tables.wording import Sentence, list_words, method_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.figure import Figure

    from rocstats.reports.answers import UseAnswers
    from rocstats.reports.options import ReportOptions


# Sentences that are read; the tables have all predictors.
_MOST_TOLD = 3
# Lines that colours and dashes tell apart; bands of more than two hide one another.
_MOST_CURVES, _MOST_BANDS = 4, 2
# A net benefit in print: 1 in 1000 people.
_DIGITS = 3
# Ratios and slopes in a sentence.
_DIGITS_OF_RATIOS = 2

# From here on the false alarms of a sentence are whole.
_WHOLE = 10

# Notes that the first table of the section has for all of them.
_SAID = (*IN_SAMPLE, "scores-taken-as-risks")
# Columns of intervals beside the measures, on an upright page.
_MOST_TURNED = 4

# Height by width.
_RATIO, _SQUARE = 0.8, 1.0


def use_section(use: UseAnswers | None, options: ReportOptions) -> list[Section]:
    """Return the section on net benefit and calibration; nothing of scores that are no risks."""
    if use is None:
        return []
    blocks: list[Block] = [
        *_sentences_on_net_benefit(use, options),
        *_tables_of_net_benefit(use, options),
        *_sentences_on_calibration(use),
        *_calibration_table(use, options),
        *_figures_of_use_of_risks(use, options),
    ]
    return [Section(say("heading.use"), tuple(blocks), "use")] if blocks else []


def use_methods(use: UseAnswers | None) -> Iterator[Sentence]:
    """Return how the numbers of the section came about."""
    if use is None:
        return
    if use.decisions is not None:
        yield Sentence(say("use.methods_benefit"), ("vickers-2006",))
    if use.benefits is not None:
        yield from method_sentences(_only_net_benefit_rows(use.benefits), "net benefits")
    if use.gains is not None:
        kept = use.gains.drop(columns=["p_value", "p_adjusted"])
        yield from method_sentences(kept, "their differences from treating all")
    if use.pairs is not None:
        yield from method_sentences(use.pairs, "their differences between tests")
    if use.calibration is not None:
        yield from method_sentences(use.calibration, "measures of calibration")
    if use.curve is not None:
        yield Sentence(say("use.methods_curve"), ("austin-2019",))
    if use.scores is not None:
        yield from method_sentences(_only_brier_score_rows(use.scores), "Brier scores")


def _only_net_benefit_rows(frame: pd.DataFrame) -> pd.DataFrame:
    kept: pd.DataFrame = frame[frame["quantity"] == "net_benefit"]
    return kept


def _only_brier_score_rows(frame: pd.DataFrame) -> pd.DataFrame:
    kept: pd.DataFrame = frame[frame["quantity"].isin(["brier_score", "scaled_brier_score"])]
    return kept


def _sentences_on_net_benefit(use: UseAnswers, options: ReportOptions) -> Iterator[Block]:
    """Say the net benefit at the first stated risk, and how much more it is than treating all."""
    if use.benefits is None:
        if use.decisions is not None:
            yield paragraph(say("use.not_stated"))
        return
    risk = options.risk_threshold[0]
    odds = (1 - risk) / risk
    whole = odds >= _WHOLE or math.isclose(odds, round(odds))
    alarms = format_number(odds, 0 if whole else 1)
    rows = _rows_at_risk_threshold(_only_net_benefit_rows(use.benefits), risk)
    words = options.words._asdict()
    told = [say("use.accepts", risk=f"{100 * risk:g}%", alarms=alarms, **words)]
    for name, row in list(rows.items())[:_MOST_TOLD]:
        if name.partition(" in ")[0] == TREAT_ALL or math.isnan(row["estimate"]):
            continue
        gain = None if use.gains is None else _rows_at_risk_threshold(use.gains, risk).get(name)
        told.append(say("use.benefit", test=name, value=_estimate_of_use_with_limits(row, options)))
        if gain is not None:
            told.append(say("use.gain", value=_estimate_of_use_with_limits(gain, options)))
    yield paragraph(*told)


def _rows_at_risk_threshold(frame: pd.DataFrame, risk: float) -> dict[str, pd.Series]:
    """Return the rows at a risk threshold by predictor, and group if there are any."""
    rows = frame[frame["risk_threshold"] == risk]
    return {_predictor_and_group_in_words(row): row for _, row in rows.iterrows()}


def _predictor_and_group_in_words(row: pd.Series) -> str:
    group = row.get("group", "")
    return f"{row['predictor']} in {group}" if group else str(row["predictor"])


def _estimate_of_use_with_limits(
    row: pd.Series, options: ReportOptions, digits: int = _DIGITS
) -> str:
    """Return an estimate with its limits, as the tables of the style print them."""
    number = format_number(row["estimate"], digits)
    if math.isnan(row["ci_low"]):
        return number
    level = format_level(row["confidence_level"])
    limits = format_interval(
        row["ci_low"], row["ci_high"], style=options.style, digits=digits,
        difference=row["ci_low"] < 0,
    )  # fmt: skip
    return f"{number} ({level} {style_of(options.style).interval.strip(' ,:')} {limits})"


def _tables_of_net_benefit(use: UseAnswers, options: ReportOptions) -> Iterator[Block]:
    if use.benefits is not None:
        kept = use.benefits[use.benefits["quantity"] != "standardized_net_benefit"]
        yield _wide_table_block_of_use(
            kept, options, say("use.benefits"), without=("Positives", "Negatives"), said=IN_SAMPLE
        )
    if use.gains is not None:
        tested = ("Positives", "Negatives", "Reference", "P value", "Adjusted P value")
        yield _wide_table_block_of_use(use.gains, options, say("use.gains"), without=tested)
    if use.pairs is not None:
        yield _wide_table_block_of_use(
            use.pairs, options, say("use.pairs"), without=("Positives", "Negatives")
        )


def _wide_table_block_of_use(
    frame: pd.DataFrame,
    options: ReportOptions,
    caption: str,
    *,
    without: Sequence[str],
    said: Sequence[str] = _SAID,
) -> TableBlock:
    """Return a frame as a table of measures, without some columns, and notes that are said."""
    columns = table_cells_by_heading(table_columns(frame, options.style, layout="wide"))
    kept = {head: cells for head, cells in columns.items() if head not in without}
    notes = footnotes(frame, kept, methods=False, without=said)
    table, told = text_frame(kept, footnotes=notes), sentences_of_answer(frame, options.style)
    return TableBlock(printed_table(table, caption=caption, footnotes=notes, sentences=told))


def _sentences_on_calibration(use: UseAnswers) -> Iterator[Block]:
    """Say whether risks are right on average, and whether they spread as they should."""
    if use.calibration is None:
        return
    told = []
    for (name, group), rows in _calibration_rows_by_predictor(use.calibration)[:_MOST_TOLD]:
        of = {str(row["quantity"]): row for _, row in rows.iterrows()}
        ratio, slope = of["observed_expected_ratio"], of["calibration_slope"]
        place = f"{name} in {group}" if group else name
        if not math.isnan(ratio["ci_low"]):
            told.append(
                say(
                    f"use.events{_side_of_one_of_calibration_limits(ratio)}",
                    ratio=_ratio_with_limits_as_text(ratio),
                    test=place,
                )
            )
        if not math.isnan(slope["ci_low"]):
            told.append(
                say(
                    f"use.slope{_side_of_one_of_calibration_limits(slope)}",
                    slope=_ratio_with_limits_as_text(slope),
                )
            )
    if told:
        yield paragraph(*told)


def _calibration_rows_by_predictor(
    frame: pd.DataFrame,
) -> list[tuple[tuple[str, str], pd.DataFrame]]:
    grouped = frame.assign(group="") if "group" not in frame else frame
    pieces = grouped.groupby(["predictor", "group"], sort=False)
    return [((str(name), str(group)), rows) for (name, group), rows in pieces]


def _ratio_with_limits_as_text(row: pd.Series) -> str:
    numbers = (row[name] for name in ("estimate", "ci_low", "ci_high"))
    estimate, low, high = (format_number(number, _DIGITS_OF_RATIOS) for number in numbers)
    return f"{estimate} ({format_level(row['confidence_level'])} CI {low} to {high})"


def _side_of_one_of_calibration_limits(row: pd.Series) -> str:
    """Return "_low" or "_high" where both limits are on one side of 1, else "": no conclusion."""
    if row["ci_high"] < 1:
        return "_low"
    return "_high" if row["ci_low"] > 1 else ""


def _calibration_table(use: UseAnswers, options: ReportOptions) -> Iterator[Block]:
    frames = [frame for frame in (use.calibration, use.scores) if frame is not None]
    if not frames:
        return
    kept: dict[str, list[str]] = {}
    for frame in frames:
        shown = frame if frame is use.calibration else _only_brier_score_rows(frame)
        columns = table_cells_by_heading(table_columns(shown, options.style, layout="wide"))
        # Limits say more of single measures than P values: the joint test alone is printed.
        single = ("P value, observed", "P value, calibration", "Positives", "Negatives")
        kept |= {head: cells for head, cells in columns.items() if not head.startswith(single)}
    notes = footnotes(frames[0], kept, methods=False, without=_SAID)
    if len(next(iter(kept.values()))) <= _MOST_TURNED and "group" not in frames[0]:
        kept = _calibration_table_turned(kept)
    caption = say("use.calibration")
    told = [text for frame in frames for text in sentences_of_answer(frame, options.style)]
    table = text_frame(kept, footnotes=notes)
    yield TableBlock(printed_table(table, caption=caption, footnotes=notes, sentences=told))


def _calibration_table_turned(columns: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return a table with a row for each measure and a column for each predictor."""
    names, *measures = columns.values()
    heads = list(columns)[1:]
    rows = zip(*measures, strict=True)
    return {"Measure": heads} | {name: list(row) for name, row in zip(names, rows, strict=True)}


def _figures_of_use_of_risks(use: UseAnswers, options: ReportOptions) -> Iterator[Block]:
    if use.decisions is not None:
        own = use.decisions[use.decisions["predictor"] != TREAT_ALL]
        number = len(series_of(own))
        if number > _MOST_CURVES:
            yield paragraph(say("use.curves_left_out", number=number), role="note")
            return
        names = list_words(list(dict.fromkeys(own["predictor"])))
        shaded = _sentence_on_band_of_use_figure(use.decision_band, number, "use.decision_band")
        text = " ".join([say("use.decision_curve", tests=names), *shaded])
        yield FigureBlock(partial(decision_figure, use), text, text)
    if use.curve is not None and use.curve["estimate"].notna().any():
        number = len(series_of(use.curve))
        shaded = _sentence_on_band_of_use_figure(use.curve_band, number, "use.calibration_band")
        condition = options.words.condition
        grouped = [] if use.bins is None else [say("use.calibration_groups")]
        told = say("use.calibration_risks", condition=condition)
        text = " ".join(
            [say("use.calibration_curve", condition=condition), *shaded, *grouped, told]
        )
        yield FigureBlock(partial(calibration_figure, use), text, text)


def _sentence_on_band_of_use_figure(
    band: pd.DataFrame | None, n_curves: int, key: str
) -> list[str]:
    """Return the sentence on the band of a figure; none where no band is drawn."""
    if band is None or n_curves > _MOST_BANDS or not len(band):
        return []
    return [say(key, level=format_level(band["confidence_level"].iloc[0]))]


def decision_figure(use: UseAnswers) -> Figure:
    """Return the decision curves, with the bands of up to two."""
    assert use.decisions is not None
    own = use.decisions[use.decisions["predictor"] != TREAT_ALL]
    band = use.decision_band if len(series_of(own)) <= _MOST_BANDS else None
    return figure_of(plot_net_benefit(use.decisions, band=band, ax=new_axes_outside_pyplot(_RATIO)))


def calibration_figure(use: UseAnswers) -> Figure:
    """Return the calibration curves with groups and risks, and the bands of up to two."""
    assert use.curve is not None
    band = use.curve_band if len(series_of(use.curve)) <= _MOST_BANDS else None
    ax = new_axes_outside_pyplot(_SQUARE)
    return figure_of(plot_calibration(use.curve, band=band, bins=use.bins, risks=use.risks, ax=ax))
