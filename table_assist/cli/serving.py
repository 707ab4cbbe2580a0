"""The dashboard of a running table."""

import argparse

from table_assist.cli.ending import end_asked, wait_for_end
from table_assist.cli.reach import reach_of
from table_assist.club.uplink import ClubService
from table_assist.contract.table_source import TableSource
from web import create_app


def serve_until_stopped(table: TableSource, options: argparse.Namespace, club: ClubService) -> int:
    """Serve the dashboard until Ctrl-C or a request to end."""
    stop = end_asked()
    reach = reach_of(options)
    serving = reach.serve(create_app(table, reach.host, trust=reach.trust, club=club))
    print(f"Dashboard: {serving.url}  (Ctrl-C ends)", flush=True)
    for line in reach.told(serving):
        print(line, flush=True)
    wait_for_end(stop)
    serving.close()
    return 0
