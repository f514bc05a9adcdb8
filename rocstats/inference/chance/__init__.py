"""Tests of areas, points, curves and training pipelines against chance."""
