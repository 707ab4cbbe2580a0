"""A simulated table with its dashboard."""

import argparse
import tempfile
from pathlib import Path

from table_assist.cli.door import end_asked, progress, wait_for_end
from table_assist.cli.reach import reach_of
from table_assist.club.uplink import ClubService
from table_assist.settings.config import Config, RulesConfig
from table_assist.settings.edit import rules_of
from table_assist.trust.installation import key_of_secret, new_secret
from table_assist.upkeep.demo import Demo
from table_assist.vision.enrolment.files import find_set
from table_assist.vision.reading.read import open_reader
from web import create_app
from web.pages.club_page import hall_view


def command(options: argparse.Namespace) -> int:
    """As ``table-assist demo``; returns the exit code."""
    rules = rules_of(Config(rules=RulesConfig(id=options.rules)))
    progress("Loading the tile reader ...")
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        # A key of its own: several demos on one machine are several tables to a club.
        key = key_of_secret(new_secret())
        demo = Demo(
            rules,
            open_reader(own_set=find_set(options.set)),
            log=Path(folder) / "demo.sqlite",
            seed=options.seed,
            speed=options.speed,
            faces=options.faces,
            camera=options.camera,
            heap=options.heap,
            vouches=key.public,
        )
        # Its pictures show nobody: they are drawn.
        club = ClubService(
            demo.table, Path(folder) / "demo.club.json", hall_view, key=key,
            seen=demo.table.evidence,
        )  # fmt: skip
        with demo:
            progress("Four simulated players sit down; the camera and the board are simulated.")
            try:
                # Serve the dashboard until Ctrl-C or a request to end
                stop = end_asked()
                reach = reach_of(options)
                serving = reach.serve(
                    create_app(demo.table, reach.host, trust=reach.trust, club=club)
                )
                print(f"Dashboard: {serving.url}  (Ctrl-C ends)", flush=True)
                for line in reach.told(serving):
                    print(line, flush=True)
                wait_for_end(stop)
                serving.close()
                return 0
            finally:
                club.stop()
