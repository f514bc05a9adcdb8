"""Engines that resample: seeds and streams, cells and cases, areas and curves."""
