"""Random faults in one long run, and fifty tables whose own logs are the truth.

`python -m tests.club.faults --faults 200 --seed 1`: two PostgreSQL servers that wait for the disk,
and with each commit for the other; two hubs. After each fault what was broken is repaired as
CLUB.md says, and every table must go on. Between faults new players are seated at some tables. At
the end everything that was acknowledged must be in the database once, and every point be credited
to who sat there. One JSON line a fault; it ends with 1 where anything of this does not hold.
"""

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from random import Random
from secrets import token_hex

import psycopg
from sqlalchemy import Engine

from bench.club.load import compared
from table_assist.club.hub.database import hub_key, open_base
from table_assist.club.hub.desk import ask_in, hall, let_in, open_alarms, see_to
from table_assist.club.hub.ledger import Ledger
from table_assist.club.hub.people import all_players, all_sessions, begin_session, take_players
from table_assist.club.hub.seats import seat_four
from tests.club.fault_pair import PLAIN, Pair, fault_pair
from tests.club.seated_tables import Playing, SeatedTable

WAIT_S = 90.0  # after this nothing is waited for any more
HOLD_S = 3.0  # so long a fault lasts of which the desk says nothing
BACKLOG = 120  # so that the entries' file is larger than any other and is the first to fill a disk
SEATED = 3  # tables, before a fault

# A fault as it is made; the words that the desk is to say, if any; then the repair.
Fault = Callable[[Pair, Random], Iterator[str]]


def hub_killed(pair: Pair, random: Random) -> Iterator[str]:
    hub = random.choice(pair.hubs)
    hub.kill()
    yield ""
    hub.start()


def hub_frozen(pair: Pair, random: Random) -> Iterator[str]:
    hub = random.choice(pair.hubs)
    assert hub.process is not None
    os.kill(hub.process.pid, signal.SIGSTOP)
    yield ""
    os.kill(hub.process.pid, signal.SIGCONT)


def clock_moved(pair: Pair, random: Random) -> Iterator[str]:
    hub = random.choice(pair.hubs)
    for ahead_s in (random.choice((-3600.0, -20.0, 20.0, 3600.0)), 0.0):
        hub.stop()
        hub.ahead_s = ahead_s
        hub.start()
        if ahead_s:
            yield ""


def primary_killed(pair: Pair, random: Random) -> Iterator[str]:
    pair.primary.kill()
    yield ""
    pair.primary.start(PLAIN)


def failed_over(pair: Pair, random: Random) -> Iterator[str]:
    pair.primary.kill()
    yield ""
    pair.promote()
    pair.rejoin()


def old_returned(pair: Pair, random: Random) -> Iterator[str]:
    """Its commits wait for a standby that does not come: nothing is acknowledged there."""
    pair.primary.kill()
    pair.promote()
    pair.standby.start(PLAIN)
    yield ""
    pair.rejoin()


def both_primary(pair: Pair, random: Random) -> Iterator[str]:
    pair.promote()
    yield ""
    pair.rejoin()


def primary_frozen(pair: Pair, random: Random) -> Iterator[str]:
    pair.primary.freeze()
    yield ""
    pair.primary.thaw()


def standby_killed(pair: Pair, random: Random) -> Iterator[str]:
    pair.standby.kill()
    yield ""
    pair.standby.start(PLAIN)


def network_cut(pair: Pair, random: Random) -> Iterator[str]:
    cable = pair.cables[pair.primary.port]
    cable.cut()
    yield ""
    cable.mend()


def restored(pair: Pair, random: Random) -> Iterator[str]:
    pair.restore()
    yield "the database was set back"


def disk_filled(pair: Pair, random: Random) -> Iterator[str]:
    with psycopg.connect(pair.primary.address()) as line:
        row = line.execute("SELECT pg_relation_size('entries')").fetchone()
    assert row is not None
    pair.primary.limit_files(row[0])
    yield "The database does not take what tables send"
    pair.primary.limit_files(None)


FAULTS: tuple[Fault, ...] = (
    hub_killed, hub_frozen, clock_moved, primary_killed, failed_over, old_returned, both_primary,
    primary_frozen, standby_killed, network_cut, restored, disk_filled,
)  # fmt: skip


@dataclass(slots=True)
class Run:
    """One run.

    Attributes:
        wrong: what does not hold.
    """

    pair: Pair
    random: Random
    tables: list[SeatedTable]
    again_s: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def let_in(self) -> None:
        """All tables are in, and have played for a while."""
        with closing_base(self.pair) as base:
            for table in self.tables:
                table.club = hub_key(base).public
                table.hub = table.club
                ask_in(base, table.key.public, f"CODE-{table.number}")
                let_in(base, f"CODE-{table.number}", f"Table {table.number + 1}")

    def seat_some(self, evening: int) -> None:
        """Players whom nobody knew sit at some tables."""
        with closing_base(self.pair) as base:
            key, session = hub_key(base), begin_session(base, f"Evening {evening}", "Ada")
            for place, table in enumerate(self.random.sample(hall(base), SEATED)):
                numbers = [f"{evening}-{place}-{seat}" for seat in range(4)]
                take_players(base, "number,name\n" + "".join(f"{n},P{n}\n" for n in numbers))
                by_number = {row.number: row.id for row in all_players(base)}
                four = tuple(by_number[number] for number in numbers)
                seat_four(base, key, session, 1, table.id, four, "Ada")

    def suffer(self, fault: Fault, playing: Playing) -> None:
        """One fault, from its begin until every table goes on."""
        steps = fault(self.pair, self.random)
        if words := next(steps):
            self.pair.told(words, WAIT_S)
        else:
            time.sleep(HOLD_S)
        for _ in steps:
            raise AssertionError("a fault is made once")
        self.again_s.append(playing.all_go_on(WAIT_S))
        self.pair.quiet(WAIT_S)
        with closing_base(self.pair) as base:
            expected = {"set back", "unknown order"} if fault is restored else set()
            for alarm in open_alarms(base):
                if alarm.kind not in expected:
                    self.wrong.append(f"{fault.__name__}: alarm {alarm.kind} {alarm.told}")
                see_to(base, alarm.id, "Ada")

    def look_at_all(self) -> None:
        """Is everything there, and whose is it?"""
        lost, doubled = compared(self.pair.address, list(self.tables))
        if lost or doubled:
            self.wrong.append(f"{lost} entries lost, {doubled} doubled")
        self.wrong += [f"table {table.number}: {each}" for table in self.tables
                       for each in table.faults]  # fmt: skip
        with closing_base(self.pair) as base:
            self.wrong += [each.told.en for each in Ledger(base).reconciled() if not each.holds]
            self.wrong += list(_misgiven(base, self.tables))


def _misgiven(base: Engine, tables: Sequence[SeatedTable]) -> Iterator[str]:
    """Points that the standings give to somebody else than the tables' logs do."""
    points: Counter[tuple[int, int]] = Counter()
    names: dict[int, str] = {}
    for table in tables:
        points.update(table.points)
        for player, name in table.names.items():
            if names.setdefault(player, name) != name:
                yield f"player {player} is {name} and {names[player]}"
    ledger = Ledger(base)
    for session in {session for session, _ in points}:
        there = {
            each.player: (each.name, each.points)
            for each in ledger.standing(session)
            if each.points  # who was seated and has not played yet stands there, too
        }
        own = {
            player: (names[player], many)
            for (of, player), many in points.items()
            if of == session and many
        }
        if there != own:
            yield f"session {session}: the standings have {there}, the logs {own}"
    known = {row.id for row in all_sessions(base)}
    missing = {session for session, _ in points} - known
    if missing:
        yield f"sessions {missing} are unknown"


class closing_base(closing):  # type: ignore[type-arg]  # noqa: N801
    """The database as the desk's people reach it."""

    def __init__(self, pair: Pair) -> None:
        self._base = open_base(pair.address)
        super().__init__(self._base)

    def __exit__(self, *_: object) -> None:
        self._base.dispose()


def run(faults: Sequence[Fault], seed: int, tables: int = 50, minutes: float = 600.0) -> Run:
    """Let all these happen, one after the other, as many as there is time for."""
    until = time.monotonic() + 60 * minutes
    random = Random(seed)
    with fault_pair() as pair:
        made = [
            SeatedTable(number, token_hex(16), _hubs(pair, number), Random(f"{seed} {number}"))
            for number in range(tables)
        ]
        done = Run(pair, random, made)
        done.let_in()
        for table in made:
            for _ in range(BACKLOG):
                table.make(None)
        playing = Playing(made)
        try:
            playing.all_go_on(WAIT_S)
            for number, fault in enumerate(faults):
                if time.monotonic() > until:
                    break
                if number % 20 == 0:
                    pair.back_up()
                done.seat_some(number)
                done.suffer(fault, playing)
                again_s = round(done.again_s[-1], 1)
                told = {"fault": fault.__name__, "again_s": again_s, "wrong": done.wrong}
                print(json.dumps(told), flush=True)
            playing.end()
        finally:
            playing.give_up()
        done.look_at_all()
    return done


def _hubs(pair: Pair, number: int) -> list[tuple[str, int]]:
    places = [("127.0.0.1", hub.port) for hub in pair.hubs]
    return places[number % 2 :] + places[: number % 2]


def main() -> None:
    """Do it, tell each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600.0, help="begin no fault after these")
    parser.add_argument("--only", default="", help="faults by name, with commas between")
    options = parser.parse_args()
    random = Random(f"faults {options.seed}")
    chosen = [each for each in FAULTS if each.__name__ in options.only.split(",")]
    chosen = chosen or random.choices(FAULTS, k=options.faults)
    done = run(chosen, options.seed, options.tables, options.minutes)
    told = {
        "faults": len(done.again_s), "entries": sum(table.acknowledged for table in done.tables),
        "again_longest_s": round(max(done.again_s), 1), "wrong": done.wrong,
    }  # fmt: skip
    print(json.dumps(told), flush=True)
    sys.exit(1 if done.wrong else 0)


if __name__ == "__main__":
    main()
