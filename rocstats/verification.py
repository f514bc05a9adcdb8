"""Accuracy of tests if the test result affected who was verified by the reference standard.

The verified cases are then not a random sample, and a study of the verified cases alone is biased.

- ``begg_greenes``: sensitivity and specificity of a test with two results.
- ``verified_auc``: the area under the curve of a score.
"""

from __future__ import annotations

from rocstats.inference.verification.areas import verified_auc
from rocstats.inference.verification.rates import begg_greenes

__all__ = ["begg_greenes", "verified_auc"]
