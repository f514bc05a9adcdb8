"""Cost of the questions in units of a sort: ``python -m validation.benchmarks``."""

from __future__ import annotations

import os

# Before NumPy is loaded. A second thread of OpenBLAS waits in a loop after each product, and the
# next task would be charged for it: a sort of 10^5 numbers took 9 to 13 ms of CPU instead of 5.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
