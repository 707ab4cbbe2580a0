"""The primary is killed under load and the standby promoted, again and again: what is lost?

`python -m tests.club.failovers --times 20`: each time a new pair of servers, two hub processes and
fifty tables that make an entry a second. One JSON line a time; it ends with 1 if anything was lost.
"""

import argparse
import json
import sys
import time
from random import Random
from threading import Thread

import psycopg

from bench.club.load import Came, WantedLoad, run_club, share
from tests.stages.postgres import Cluster, address_of, replicated

SECONDS = 12.0
START_S = 60.0
UNNOTICED_S = 0.5  # until somebody promotes


def once(seed: int) -> Came:
    """One failover at a random moment of the load."""
    came: list[Came] = []
    with replicated() as (primary, standby):
        where = address_of(primary, standby)
        wanted = WantedLoad(tables=50, seconds=SECONDS, hubs=2, base=where, seed=seed)
        playing = Thread(target=lambda: came.append(run_club(wanted)))
        playing.start()
        wait_for_load(primary)
        time.sleep(SECONDS / 2 * Random(seed).random())
        primary.kill()
        time.sleep(UNNOTICED_S)
        standby.promote()
        playing.join()
    assert came, "the load came to no end"
    return came[0]


def wait_for_load(primary: Cluster, base: str = "postgres") -> None:
    """Until the hubs have started and entries come."""
    until = time.monotonic() + START_S
    with psycopg.connect(primary.address(base), autocommit=True) as line:
        while True:
            assert time.monotonic() < until, "nothing comes"
            made = line.execute("SELECT to_regclass('entries')").fetchone()
            many = "SELECT count(*) > 99 FROM entries"
            if made != (None,) and line.execute(many).fetchone() == (True,):
                return
            time.sleep(0.2)


def main() -> None:
    """Do it, tell each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lost = 0
    for seed in range(options.seed, options.seed + options.times):
        came = once(seed)
        lost += came.lost + came.doubled
        told = {
            "seed": seed, "entries": came.entries, "lost": came.lost, "doubled": came.doubled,
            "longest_s": round(share(came.waits_s, 1.0), 1),
        }  # fmt: skip
        print(json.dumps(told), flush=True)
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
