"""Trains, measures and exports the networks; nothing of it is in the program."""

import os

# The libraries that train and compute tell their makers nothing.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
