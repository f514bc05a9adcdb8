"""Numbers printed by OR-DBM MRMC 2.51 (University of Iowa) for two reader studies.

The inputs are the areas of readers and the covariances in the reports: ratings, which belong to
others, are not needed. Inputs have 8 decimals, so that averages are held to 5 of the 8 in print
and correlations to 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from validation.reference import Expected, printed

Digits = tuple[str, ...]
ANALYSES: Mapping[str, Mapping[str, str]] = {
    "RRRC": {"readers": "random", "cases": "random"},
    "FRRC": {"readers": "fixed", "cases": "random"},
    "RRFC": {"readers": "random", "cases": "fixed"},
}
COMPONENTS = (
    *("reader", "modality-x-reader", "error", "cov-1", "cov-2", "cov-3"),
    *("correlation-1", "correlation-2", "correlation-3"),
)
_PAIR: Digits = ("estimate", "se", "df", "statistic", "p_value", "ci_low", "ci_high")
_AVERAGE: Digits = ("estimate", "se", "df", "ci_low", "ci_high")


class Report(NamedTuple):
    """What a report prints.

    ``tests`` are the numbers of the global tests, ``lines`` those of averages and differences:
    "modality-reference reader numbers". With fixed readers there are no degrees of freedom.
    """

    areas: tuple[Digits, ...]
    variance_of_modality: Digits
    cov2: Digits
    variance_of_reader: Digits
    cov1: Digits
    cov3: str
    components: Digits
    tests: Mapping[str, Mapping[str, str]]
    lines: Mapping[str, str]

    def columns(self) -> dict[str, Sequence[object]]:
        """Return the columns of input.csv, modality by modality."""
        cells = [(i, j) for i in range(len(self.areas)) for j in range(len(self.areas[0]))]
        return {
            "modality": [i + 1 for i, _ in cells],
            "reader": [j + 1 for _, j in cells],
            "auc": [self.areas[i][j] for i, j in cells],
            "variance_of_modality": [self.variance_of_modality[i] for i, _ in cells],
            "cov2": [self.cov2[i] for i, _ in cells],
            "variance_of_reader": [self.variance_of_reader[j] for _, j in cells],
            "cov1": [self.cov1[j] for _, j in cells],
            "cov3": [self.cov3] * len(cells),
        }

    def rows(self) -> Iterator[Expected]:
        """Yield a line for each printed number."""
        for name, digits in zip(COMPONENTS, self.components, strict=True):
            yield from printed("or_variances", {"component": name}, {"estimate": digits})
        for word, asked in ANALYSES.items():
            yield from printed("or_analysis", {"modality": "all"}, self.tests[word], **asked)
            for line in self.lines[word].strip().splitlines():
                names, reader, *numbers = line.split()
                modality, _, reference = names.partition("-")
                where = {"modality": modality, "reference": reference, "reader": reader}
                columns = _PAIR if reference else _AVERAGE
                if word == "FRRC":
                    columns = tuple(column for column in columns if column != "df")
                row = dict(zip(columns, numbers, strict=True))
                yield from printed("or_analysis", where, row, **asked)


REPORTS = {
    "iowa_two_modalities": Report(
        areas=(
            ("0.91964573", "0.85877617", "0.90386473", "0.97310789", "0.82979066"),
            ("0.94782609", "0.90531401", "0.92173913", "0.99935588", "0.92995169"),
        ),
        variance_of_modality=("0.00101410", "0.00059047"),
        cov2=("0.00048396", "0.00020419"),
        variance_of_reader=("0.00069890", "0.00110605", "0.00084234", "0.00015058", "0.00121357"),
        cov1=("0.00037347", "0.00076016", "0.00035532", "0.00000108", "0.00024304"),
        cov3="0.00023903",
        components=(
            *("0.00153500", "0.00020040", "0.00080229", "0.00034661", "0.00034407", "0.00023903"),
            *("0.4320", "0.4289", "0.2979"),
        ),
        tests={
            "RRRC": {"statistic": "4.46", "df": "15.26", "p_value": "0.0517"},
            "FRRC": {"chi_square": "5.48", "p_value": "0.0193"},
            "RRFC": {"statistic": "8.70", "p_value": "0.0420"},
        },
        lines={
            "RRRC": """
1-2 all -0.04380 0.02075 15.26 -2.11 0.0517 -0.08796 0.00036
1 all 0.89704 0.03317 12.74 0.82522 0.96885
2 all 0.94084 0.02157 12.71 0.89414 0.98754
""",
            "FRRC": """
1-2 all -0.04380 0.01872 -2.34 0.0193 -0.08049 -0.00711
1 all 0.89704 0.02429 0.84943 0.94464
2 all 0.94084 0.01678 0.90796 0.97372
1-2 1 -0.02818 0.02551 -1.10 0.2693 -0.07818 0.02182
1-2 2 -0.04654 0.02630 -1.77 0.0768 -0.09809 0.00501
1-2 3 -0.01787 0.03121 -0.57 0.5668 -0.07904 0.04330
1-2 4 -0.02625 0.01729 -1.52 0.1290 -0.06014 0.00764
1-2 5 -0.10016 0.04406 -2.27 0.0230 -0.18651 -0.01381
""",
            "RRFC": """
1-2 all -0.04380 0.01485 4 -2.95 0.0420 -0.08502 -0.00258
1 all 0.89704 0.02483 4 0.82810 0.96598
2 all 0.94084 0.01615 4 0.89599 0.98569
""",
        },
    ),
    "iowa_five_modalities": Report(
        areas=(
            ("0.90425000", "0.79820000", "0.81175000", "0.86645000"),
            ("0.86425000", "0.84470000", "0.82050000", "0.87160000"),
            ("0.81295000", "0.81635000", "0.75275000", "0.85730000"),
            ("0.90235000", "0.83150000", "0.78865000", "0.87980000"),
            ("0.84140000", "0.77300000", "0.77115000", "0.84800000"),
        ),
        variance_of_modality=("0.00071053", "0.00075106", "0.00087587", "0.00072652", "0.00088163"),
        cov2=("0.00021119", "0.00026649", "0.00024646", "0.00022043", "0.00022200"),
        variance_of_reader=("0.00068948", "0.00082356", "0.00100854", "0.00063489"),
        cov1=("0.00021527", "0.00034558", "0.00035359", "0.00026476"),
        cov3="0.00021213",
        components=(
            *("0.00128372", "-0.00001093", "0.00078912", "0.00029480", "0.00023331", "0.00021213"),
            *("0.3736", "0.2957", "0.2688"),
        ),
        tests={
            "RRRC": {"statistic": "3.47", "df": "16.80", "p_value": "0.0305"},
            "FRRC": {"chi_square": "13.60", "p_value": "0.0087"},
            "RRFC": {"statistic": "4.10", "p_value": "0.0253"},
        },
        lines={
            "RRRC": """
1-2 all -0.00510 0.01654 16.80 -0.31 0.7616 -0.04002 0.02982
1-3 all 0.03533 0.01654 16.80 2.14 0.0477 0.00040 0.07025
1-4 all -0.00541 0.01654 16.80 -0.33 0.7475 -0.04033 0.02951
1-5 all 0.03678 0.01654 16.80 2.22 0.0402 0.00185 0.07170
2-3 all 0.04042 0.01654 16.80 2.44 0.0258 0.00550 0.07535
2-4 all -0.00031 0.01654 16.80 -0.02 0.9851 -0.03523 0.03461
2-5 all 0.04187 0.01654 16.80 2.53 0.0216 0.00695 0.07680
3-4 all -0.04074 0.01654 16.80 -2.46 0.0249 -0.07566 -0.00582
3-5 all 0.00145 0.01654 16.80 0.09 0.9312 -0.03347 0.03637
4-5 all 0.04219 0.01654 16.80 2.55 0.0208 0.00727 0.07711
1 all 0.84516 0.02858 5.46 0.77351 0.91681
2 all 0.85026 0.01993 27.72 0.80942 0.89110
3 all 0.80984 0.02665 7.04 0.74689 0.87278
4 all 0.85057 0.02941 5.40 0.77664 0.92451
5 all 0.80839 0.02576 6.78 0.74707 0.86971
""",
            "FRRC": """
1-2 all -0.00510 0.01670 -0.31 0.7601 -0.03783 0.02763
1-3 all 0.03533 0.01670 2.12 0.0344 0.00259 0.06806
1-4 all -0.00541 0.01670 -0.32 0.7459 -0.03815 0.02732
1-5 all 0.03678 0.01670 2.20 0.0277 0.00404 0.06951
2-3 all 0.04042 0.01670 2.42 0.0155 0.00769 0.07316
2-4 all -0.00031 0.01670 -0.02 0.9851 -0.03305 0.03242
2-5 all 0.04187 0.01670 2.51 0.0122 0.00914 0.07461
3-4 all -0.04074 0.01670 -2.44 0.0147 -0.07347 -0.00800
3-5 all 0.00145 0.01670 0.09 0.9308 -0.03128 0.03418
4-5 all 0.04219 0.01670 2.53 0.0115 0.00945 0.07492
1 all 0.84516 0.01833 0.80923 0.88109
2 all 0.85026 0.01969 0.81167 0.88885
3 all 0.80984 0.02010 0.77045 0.84922
4 all 0.85057 0.01863 0.81407 0.88708
5 all 0.80839 0.01967 0.76984 0.84694
1-2 1 0.04000 0.03080 1.30 0.1940 -0.02036 0.10036
1-3 1 0.09130 0.03080 2.96 0.0030 0.03094 0.15166
1-4 1 0.00190 0.03080 0.06 0.9508 -0.05846 0.06226
1-5 1 0.06285 0.03080 2.04 0.0413 0.00249 0.12321
2-3 1 0.05130 0.03080 1.67 0.0958 -0.00906 0.11166
2-4 1 -0.03810 0.03080 -1.24 0.2160 -0.09846 0.02226
2-5 1 0.02285 0.03080 0.74 0.4581 -0.03751 0.08321
3-4 1 -0.08940 0.03080 -2.90 0.0037 -0.14976 -0.02904
3-5 1 -0.02845 0.03080 -0.92 0.3556 -0.08881 0.03191
4-5 1 0.06095 0.03080 1.98 0.0478 0.00059 0.12131
""",
            "RRFC": """
1-2 all -0.00510 0.01520 12 -0.34 0.7431 -0.03822 0.02802
1-3 all 0.03533 0.01520 12 2.32 0.0385 0.00220 0.06845
1-4 all -0.00541 0.01520 12 -0.36 0.7280 -0.03854 0.02771
1-5 all 0.03678 0.01520 12 2.42 0.0324 0.00365 0.06990
2-3 all 0.04042 0.01520 12 2.66 0.0208 0.00730 0.07355
2-4 all -0.00031 0.01520 12 -0.02 0.9839 -0.03344 0.03281
2-5 all 0.04187 0.01520 12 2.75 0.0175 0.00875 0.07500
3-4 all -0.04074 0.01520 12 -2.68 0.0200 -0.07386 -0.00761
3-5 all 0.00145 0.01520 12 0.10 0.9256 -0.03167 0.03457
4-5 all 0.04219 0.01520 12 2.78 0.0168 0.00906 0.07531
1 all 0.84516 0.02461 3 0.76685 0.92347
2 all 0.85026 0.01143 3 0.81389 0.88664
3 all 0.80984 0.02153 3 0.74131 0.87836
4 all 0.85057 0.02539 3 0.76979 0.93136
5 all 0.80839 0.02101 3 0.74152 0.87526
""",
        },
    ),
}
