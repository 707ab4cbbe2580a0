"""Whole evenings at one simulated table, driven through the pages as people would."""
