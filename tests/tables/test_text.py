"""Numbers in print: expectations are derived by hand from the styles' rules."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocstats.errors import InputError
from rocstats.tables.tables import format_table
from rocstats.tables.text import (
    STYLES,
    StyleName,
    digits_of,
    format_count,
    format_estimate,
    format_interval,
    format_level,
    format_number,
    format_p,
    p_statement,
)
from tests.quick import each
from tests.tables.hand_frames import area_row, auc_frame

NAN = float("nan")

# Below .001 the bound; above .99 the bound; below .01 three decimals; else two, and three where two
# put P on the other side of .05. Significant means P < .05. With leading zero, per P:
#   .0004  below .001                                            <0.001
#   .0095  below .01, three decimals, the tie .0095 goes up      0.010
#   .0449  .04, and both .04 and .0449 are below .05             0.04
#   .0451  .05 is not below .05 but .0451 is: three decimals     0.045
#   .0496  neither .05 nor .050 is below .05 but .0496 is: four  0.0496
#   .05    .05, neither is below .05                             0.05
#   .0504  .05, neither is below .05                             0.05
#   .994   above .99                                             >0.99
#   .996   above .99                                             >0.99
P_VALUES = (0.0004, 0.0095, 0.0449, 0.0451, 0.0496, 0.05, 0.0504, 0.994, 0.996)
WITH_ZERO = ("<0.001", "0.010", "0.04", "0.045", "0.0496", "0.05", "0.05", ">0.99", ">0.99")
WITHOUT_ZERO = ("<.001", ".010", ".04", ".045", ".0496", ".05", ".05", ">.99", ">.99")
# "plain" has three decimals where they do: .0449 and .0451 are .045; .05 and .0504 are .050.
PLAIN = ("<0.001", "0.010", "0.045", "0.045", "0.0496", "0.050", "0.050", ">0.99", ">0.99")
EXPECTED_P = {
    "plain": PLAIN,
    "jama": WITHOUT_ZERO,
    "radiology": WITHOUT_ZERO,
    "nejm": WITH_ZERO,
    "bmj": WITH_ZERO,
}


def test_every_style_has_its_expected_p_values():
    assert set(EXPECTED_P) == set(STYLES)


@each("style", sorted(EXPECTED_P))
@each("i", range(len(P_VALUES)))
def test_p_value(style, i):
    assert format_p(P_VALUES[i], style=style) == EXPECTED_P[style][i]


@pytest.mark.parametrize(
    ("p", "alpha", "expected"),
    [
        # 1 - 0.95 is 0.050000000000000044 in binary; .05 must still count as alpha.
        (0.0496, 1 - 0.95, ".0496"),
        (0.05, 1 - 0.95, ".05"),
        # At alpha .10, .0951 would round to .10 and look not significant; .0451 is safe as .05.
        (0.0951, 1 - 0.9, ".095"),
        (0.0451, 1 - 0.9, ".05"),
        (0.1049, 1 - 0.9, ".10"),
        # More than four decimals are never printed.
        (0.04996, 1 - 0.95, "<.05"),
        (0.02504, 1 - 0.975, ".03"),
    ],
)
def test_rounding_never_hides_the_side_of_alpha(p, alpha, expected):
    assert format_p(p, style="jama", alpha=alpha) == expected


@pytest.mark.parametrize("style", sorted(STYLES))
def test_no_text_is_printed_on_both_sides_of_alpha(style):
    near = np.round(np.arange(0.0440, 0.0560, 0.00001), 5)
    texts = [{format_p(p, style=style) for p in near[side]} for side in (near < 0.05, near >= 0.05)]
    assert not texts[0] & texts[1]


def test_p_value_ends():
    assert [format_p(p, style="jama") for p in (0, 0.001, 0.01, 0.99, 1)] == [
        "<.001",
        ".001",
        ".01",
        ".99",
        ">.99",
    ]
    assert format_p(NAN) == "NA"
    assert format_p(np.float64(0.04), style="nejm") == "0.04"


@pytest.mark.parametrize(
    ("style", "equal", "below"),
    [
        ("plain", "P=0.040", "P<0.001"),
        ("jama", "P=.04", "P<.001"),
        ("radiology", "P = .04", "P < .001"),
        ("nejm", "P=0.04", "P<0.001"),
        ("bmj", "P=0.04", "P<0.001"),
    ],
)
def test_p_value_in_a_sentence(style, equal, below):
    assert p_statement(0.04, style=style) == equal
    assert p_statement(0.0001, style=style) == below


@each(
    ("value", "digits", "expected"),
    [
        # Half up on the decimals that are written: the doubles lie below 0.285, 1.005 and 2.675.
        (0.285, 2, "0.29"),
        (1.005, 2, "1.01"),
        (2.675, 2, "2.68"),
        # Half to even would give 0.12 and 0.
        (0.125, 2, "0.13"),
        (0.5, 0, "1"),
        (-0.125, 2, "−0.13"),
        (-0.04, 2, "−0.04"),
        (-0.001, 2, "0.00"),
        (1e-7, 2, "0.00"),
        (1e300, 0, "1" + 300 * "0"),
        (NAN, 2, "NA"),
        (math.inf, 2, "∞"),
        (-math.inf, 2, "−∞"),
    ],
)
def test_number(value, digits, expected):
    assert format_number(value, digits) == expected
    assert format_number(np.float64(value), digits) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.004, "<0.01"),
        (0.005, "0.01"),
        (0.0, "0.00"),
        (0.996, ">0.99"),
        (0.995, ">0.99"),
        (0.994, "0.99"),
        (1.0, "1.00"),
        (-0.003, ">−0.01"),
        # A sum that should be 1 and is not, by the last bit.
        (1 - 2**-53, "1.00"),
    ],
)
def test_guarded_number_is_an_inequality(value, expected):
    assert format_number(value, 2, guard=(0, 1)) == expected


@given(st.floats(1e-9, 1 - 1e-9), st.integers(1, 6))
def test_no_proportion_inside_its_range_is_printed_as_an_end(value, digits):
    text = format_number(value, digits, guard=(0, 1))
    assert float(text.strip("<>")) not in (0.0, 1.0)
    if text[0] not in "<>":
        assert abs(float(text) - value) <= 0.5 * 10**-digits * (1 + 1e-6)


AREA = {
    "plain": "0.823 (95% CI 0.749-0.896)",
    "jama": "0.82 (95% CI, 0.75-0.90)",
    "radiology": "0.82 (95% CI: 0.75, 0.90)",
    "nejm": "0.823 (95% CI, 0.749 to 0.896)",
    "bmj": "0.823 (95% confidence interval 0.749 to 0.896)",
}
DIFFERENCE = {
    "plain": "−0.040 (90% CI −0.090 to 0.010)",
    "jama": "−0.04 (90% CI, −0.09 to 0.01)",
    "radiology": "−0.04 (90% CI: −0.09, 0.01)",
    "nejm": "−0.040 (90% CI, −0.090 to 0.010)",
    "bmj": "−0.040 (90% confidence interval −0.090 to 0.010)",
}


@pytest.mark.parametrize("style", sorted(STYLES))
def test_estimate_with_interval(style):
    assert format_estimate(0.8231, 0.7489, 0.8957, style=style) == AREA[style]
    difference = format_estimate(
        -0.0401, -0.0899, 0.0102, style=style, confidence_level=0.9, difference=True
    )
    assert difference == DIFFERENCE[style]


def test_a_hyphen_never_meets_a_sign():
    assert format_interval(0.97, 0.999, style="jama", guard=(0, 1)) == "0.97 to >0.99"
    assert format_interval(-0.2, 0.3, style="jama") == "−0.20 to 0.30"
    assert format_interval(0.1, 0.3, style="jama", difference=True) == "0.10 to 0.30"


def test_missing_numbers():
    assert format_estimate(0.82, NAN, NAN, style="jama") == "0.82 (95% CI, NA)"
    assert format_estimate(NAN, NAN, NAN) == "NA"


def test_an_interval_that_was_never_asked_for_is_not_missing():
    assert format_estimate(0.8231, NAN, NAN, confidence_level=NAN) == "0.823"
    assert format_estimate(NAN, NAN, NAN, confidence_level=NAN) == "NA"


def test_digits_can_be_chosen():
    assert format_estimate(0.8231, 0.7489, 0.8957, style="jama", digits=3) == (
        "0.823 (95% CI, 0.749-0.896)"
    )
    assert digits_of("jama", 0) == 0


@pytest.mark.parametrize("digits", [-1, 16, 2.5, "2"])
def test_impossible_digits(digits):
    with pytest.raises(InputError, match=r"`digits` must be a whole number from 0 to 15; got "):
        digits_of("jama", digits)


def test_unknown_style_lists_the_styles():
    with pytest.raises(InputError, match=r"`style` must be one of 'plain', 'jama'.*got 'lancet'"):
        format_p(0.04, style="lancet")


def test_levels_and_counts():
    assert [format_level(level) for level in (0.9, 0.95, 0.975, 0.57)] == [
        "90%",
        "95%",
        "97.5%",
        "57%",  # 100 * 0.57 is 56.99999999999999
    ]
    assert [format_count(n) for n in (41.0, 41.52, 1e6, NAN)] == ["41", "41.5", "1000000", "NA"]


def test_every_style_is_a_word_of_the_command():
    assert list(get_args(StyleName)) == list(STYLES)


def test_every_style_is_described_as_it_prints():
    described = [line.strip() for line in format_table.__doc__.splitlines()]
    for name in STYLES:
        table = format_table(auc_frame(area_row("a", 0.8231, 0.7489, 0.8957)), name)
        printed = table.iloc[:, 1].tolist()[0]
        assert sum(line.startswith(f'- "{name}": {printed}') for line in described) == 1
