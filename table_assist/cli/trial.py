"""The trial: at the table of the settings."""

import argparse

from table_assist.cli.modes import WantedTable
from table_assist.cli.reach import reach_of
from table_assist.cli.run import run
from table_assist.upkeep.table_service import Mode
from table_assist.upkeep.trial.instruction import TrialAct
from table_assist.upkeep.trial.script import ALL
from table_assist.upkeep.trial.service import TrialWanted


def command(options: argparse.Namespace) -> int:
    """As ``table-assist trial``; returns the exit code."""
    acts = tuple(TrialAct(act) for act in options.acts) or ALL
    wanted = TrialWanted(acts, folder=options.folder)
    return run(WantedTable(options.config, reach_of(options), mode=Mode.TRIAL, trial=wanted))
