"""Numbers in print, alike on the page without scripts (Python) and in its explorer (JavaScript)."""

from __future__ import annotations

# Shares as numbers of 100 people: two digits count, and 0 and 100 are printed only if exact.
OF_HUNDRED = {
    0.0: "0", 1.0: "100",
    0.742: "74", 0.745: "75", 0.996: "99.6", 0.9949: "99",
    0.0996: "10", 0.0994: "9.9", 0.0945: "9.5", 0.039: "3.9",
    0.0095: "1.0", 0.0094: "0.94", 0.00095: "0.10", 0.0004: "0.040",
    0.000006: "0.001", 0.000004: "<0.001", 1e-9: "<0.001",
    0.9994: "99.9", 0.9995: ">99.9", 0.9999: ">99.9",
}  # fmt: skip

# A rate with its limits, which have the decimals of the rate.
LIMITS_OF_HUNDRED = {
    (0.742, 0.679, 0.796): "68 to 80",
    (0.742, 0.004, 0.9999): "0.40 to >99.9",
    (0.742, 0.5, 0.996): "50 to 99.6",
    (0.039, 0.0104, 0.125): "1.0 to 12.5",
    (0.0047, 0.00083, 0.0261): "0.08 to 2.61",
    (0.0, 0.0, 0.0369): "0 to 3.7",
    (1.0, 0.9631, 1.0): "96 to 100",
}

# Prevalences per 100: three digits, two below 1; 0 and 100 only if exact, as all shares of 100.
PER_HUNDRED = {
    0.1: "10", 0.3726: "37.3", 0.001: "0.1", 0.00123: "0.12", 0.999: "99.9",
    0.9994: "99.9", 0.9995: ">99.9", 0.9997: ">99.9", 1.0: "100",
    0.00001: "0.001", 0.000004: "<0.001", 1e-9: "<0.001", 0.0: "0",
}  # fmt: skip

# Fractions of two digits, as tables print them: 0.285 is half up, though the double is below.
FRACTIONS = {0.0: "0.00", 1.0: "1.00", 0.285: "0.29", 0.345: "0.35", 0.5: "0.50",
             0.004: "<0.01", 0.005: "0.01", 0.995: ">0.99", 0.9999: ">0.99"}  # fmt: skip

LEVELS = {0.95: "95%", 0.975: "97.5%", 1 - 0.05 / 3: "98.33%", 0.9999: "99.99%"}
