"""`python -m tests.kills`: the program is killed at random moments; nothing may be lost."""

import argparse
import sys

from table_assist.rules.registry import find_rules
from tests.kills.kill import kill_often
from tests.kills.world import LostError


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("rules", nargs="*", default=["changsha"], help="rule sets, in turn")
    parser.add_argument("--kills", type=int, default=1000, metavar="N", help="how often")
    parser.add_argument("--seed", type=int, default=1, help="another seed plays other evenings")
    parser.add_argument("--power", action="store_true", help="each is a power cut")
    options = parser.parse_args()
    sets = [find_rules(id) for id in options.rules]
    try:
        killed = kill_often(sets, kills=options.kills, seed=options.seed, power=options.power)
    except LostError as error:
        print(f"LOST: {error}")
        return 1
    print(killed.line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
