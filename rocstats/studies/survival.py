"""The study of times to an event, with a method for each question."""

from __future__ import annotations

from rocstats.inference.survival.auc import survival_auc
from rocstats.inference.survival.band import survival_auc_band
from rocstats.inference.survival.comparison import survival_compare_auc
from rocstats.inference.survival.concordance import concordance
from rocstats.inference.survival.concordance_comparison import compare_concordance
from rocstats.inference.survival.curve import survival_roc_curve
from rocstats.inference.survival.net_benefit import survival_net_benefit
from rocstats.inference.survival.points import survival_operating_points
from rocstats.sample.survival import SurvivalSample
from rocstats.studies.naming import names_its_methods


@names_its_methods
class SurvivalStudy(SurvivalSample):  # noqa: D101 (its docstring is that of SurvivalSample)
    __doc__ = SurvivalSample.__doc__

    auc = survival_auc
    auc_band = survival_auc_band
    compare_auc = survival_compare_auc
    compare_concordance = compare_concordance
    concordance = concordance
    net_benefit = survival_net_benefit
    operating_points = survival_operating_points
    roc_curve = survival_roc_curve
