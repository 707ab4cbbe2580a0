"""The dashboard of a running table."""

import argparse
import signal
import threading

from table_assist.cli.reach import reach_of
from table_assist.club.desk import ClubDesk
from table_assist.contract.table_source import TableSource
from web import create_app


def serve_until_stopped(table: TableSource, options: argparse.Namespace, club: ClubDesk) -> int:
    """Serve the dashboard until Ctrl-C or a request to end."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    reach = reach_of(options)
    serving = reach.serve(create_app(table, reach.host, trust=reach.trust, club=club))
    print(f"Dashboard: {serving.url}  (Ctrl-C ends)", flush=True)
    for line in reach.told(serving):
        print(line, flush=True)
    while not stop.wait(1.0):
        pass
    serving.close()
    return 0
