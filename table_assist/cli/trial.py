"""The trial: at the table of the settings, or at a drawn one where the twin plays the person."""

import argparse
import functools
from pathlib import Path

from table_assist.cli.ending import end_asked, wait_for_end
from table_assist.cli.modes import WantedTable
from table_assist.cli.reach import reach_of
from table_assist.cli.run import run
from table_assist.cli.telling import progress
from table_assist.settings.build import rules_of
from table_assist.settings.config import Config, RulesConfig
from table_assist.upkeep.table_service import Mode
from table_assist.upkeep.trial.demo import TrialDemo
from table_assist.upkeep.trial.door import DemoDoor, TrialWanted
from table_assist.upkeep.trial.instruction import TrialAct
from table_assist.upkeep.trial.script import ALL
from web import create_app, finish
from web.setup import trial

DEMO_SEED = 1


def command(options: argparse.Namespace) -> int:
    """As ``table-assist trial``; returns the exit code."""
    acts = tuple(TrialAct(act) for act in options.acts) or ALL
    if options.demo:
        return _demo(options, acts)
    wanted = TrialWanted(acts, options.seed, options.folder, options.events)
    return run(WantedTable(options.config, reach_of(options), mode=Mode.TRIAL, trial=wanted))


def _demo(options: argparse.Namespace, acts: tuple[TrialAct, ...]) -> int:
    progress("Loading the tile reader ...")
    stop = end_asked()
    folder = options.folder or Path("trial-demo")
    demo = TrialDemo(
        rules_of(Config(rules=RulesConfig(id=options.rules))),
        folder,
        seed=DEMO_SEED if options.seed is None else options.seed,
        acts=acts,
        most=options.events,
        speed=options.speed,
    )
    with demo:
        reach = reach_of(options)
        app = create_app(demo.table, reach.host, trust=reach.trust)
        trial.init_app(app, DemoDoor(demo.desk))
        finish(app)
        serving = reach.serve(app)
        say = functools.partial(print, flush=True)
        say(f"The trial: {serving.url}trial  (the twin lays; Ctrl-C ends)")
        for line in reach.told(serving):
            say(line)
        wait_for_end(stop, lambda: options.headless and demo.is_over)
        serving.close()
        if demo.is_over:
            say(f"{demo.desk.view()['report']['verdict']['en']} {folder / 'report.html'}")
    return 0
