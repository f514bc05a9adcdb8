"""Patients followed over time: censoring weights, areas and concordance with influence."""
