"""``table-assist bench live kill``: the program is killed at random moments of hands.

A forked child follows an evening that was made up before, with a real log on disk, and tells
through a pipe what it has acknowledged to the board. It is killed (SIGKILL) whenever it comes. The
next child opens the log, is told again by the board what was not acknowledged, and goes on.
"""

import argparse
import os
import select
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import NoReturn

from firmware_bridge.events import EventContent
from firmware_bridge.messages import Hello
from table_assist.bench_live.compare import key_of
from table_assist.bench_live.evening import NAMES, Clock
from table_assist.bench_live.faultless import faultless
from table_assist.game.events import Answered, Asked, BoardSaid, Event, HandStarted, Settled
from table_assist.game.fold import replay
from table_assist.game.log import Entry, effective
from table_assist.game.record import Record
from table_assist.game.state import TableState
from table_assist.game.store import Store
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.session import Session
from table_assist.signals import BoardSignal
from table_assist.snapshot import Command
from table_assist.twin.evening import play_evening
from table_assist.twin.steps import Step, tapped
from table_assist.vision.steady import Steady

HANDS = 3  # of one log: then a new evening begins
PICTURES = 4
LONGEST_S = 0.12  # until the kill: some dozen steps, or the opening of the log
# Half of the kills are aimed: so soon after a signal of the board was sent to the program.
AIMED_S = 0.006
BOOT_ID = "00C00001"


class LostError(AssertionError):
    """What was acknowledged is not there, or the state is not the truth's."""


@dataclass(frozen=True, slots=True)
class Evening:
    """What happens, whatever becomes of the program.

    Attributes:
        signals: all of the board's, with the step in which they come.
        truth: the events up to the end of each step.
    """

    rules: RuleSet
    seed: int
    steps: tuple[Step, ...]
    signals: tuple[tuple[int, EventContent], ...]
    truth: tuple[Event, ...]
    true_after: tuple[int, ...]


@dataclass(slots=True)
class World:
    """What the board and the table know after a kill.

    Attributes:
        step: the last that has begun.
        sent: so many signals of the board were.
        acknowledged: so many were.
        stored: the last entry that was published.
    """

    step: int = 0
    sent: int = 0
    acknowledged: int = 0
    stored: int = 0


@dataclass(frozen=True, slots=True)
class Killed:
    """What a run of kills has shown.

    Attributes:
        starting: kills before the child had opened its log.
        resent: signals that were sent and not acknowledged: the board sends them again.
        twice: of these, already recorded: the program must know them again.
    """

    kills: int
    evenings: int
    hands: int
    entries: int
    acknowledged: int
    starting: int
    resent: int
    twice: int
    seconds: float

    @property
    def line(self) -> str:
        """The figures in one line."""
        return (
            f"{self.kills} kills in {self.hands} hands of {self.evenings} evenings: "
            f"{self.acknowledged} signals acknowledged, none lost; {self.resent} sent again, "
            f"{self.twice} of them on record already, none recorded twice; {self.entries} entries, "
            f"all as the truth; {self.starting} kills before the log was open; {self.seconds:.0f} s"
        )


def run(options: argparse.Namespace) -> int:
    """Kill as often as asked for; returns the exit code."""
    ids = options.rules or ["changsha"]
    try:
        killed = kill_often([find_rules(id) for id in ids], kills=options.kills, seed=options.seed)
    except LostError as error:
        print(f"LOST: {error}", flush=True)
        return 1
    print(killed.line, flush=True)
    return 0


def kill_often(sets: Sequence[RuleSet], *, kills: int, seed: int) -> Killed:
    """Kill so often, each time at another moment; the last evening is played to its end.

    Raises:
        LostError: something acknowledged was lost, or the state is not the truth's.
    """
    rng, started = Random(f"kill-{seed}"), time.monotonic()
    tally, evenings = _Tally(), 0
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        while tally.kills < kills:
            evening = make_evening(sets[evenings % len(sets)], seed + evenings)
            path, world = Path(folder) / f"{evenings}.sqlite", World()
            evenings += 1
            while world.step < len(evening.steps):
                aim = _aim(rng) if tally.kills < kills else None
                has_opened = _let_live(evening, path, world, aim)
                is_killed = aim is not None and world.step < len(evening.steps)
                where = f"kill {tally.kills + is_killed}, evening {evening.seed}"
                recorded = _check(evening, path, world, where)
                if is_killed:
                    tally.kills += 1
                    tally.starting += not has_opened
                    tally.resent += world.sent - world.acknowledged
                    tally.twice += max(0, recorded - world.acknowledged)
            tally.acknowledged += world.acknowledged
            tally.entries += world.stored
            _check_end(evening, path)
    return Killed(
        kills=tally.kills,
        evenings=evenings,
        hands=evenings * HANDS,
        entries=tally.entries,
        acknowledged=tally.acknowledged,
        starting=tally.starting,
        resent=tally.resent,
        twice=tally.twice,
        seconds=time.monotonic() - started,
    )


@dataclass(slots=True)
class _Tally:
    kills: int = 0
    entries: int = 0
    acknowledged: int = 0
    starting: int = 0
    resent: int = 0
    twice: int = 0


@dataclass(frozen=True, slots=True)
class _Aim:
    """When to kill: after so long, or so long after the next signal was sent."""

    after_s: float
    at_signal: bool


def _aim(rng: Random) -> _Aim:
    if rng.random() < 0.5:
        return _Aim(rng.uniform(0, LONGEST_S), at_signal=False)
    return _Aim(rng.uniform(0, AIMED_S), at_signal=True)


def make_evening(rules: RuleSet, seed: int) -> Evening:
    """Some hands, all steps known beforehand."""
    steps = tuple(play_evening(seed, rules, hands=HANDS))
    signals = tuple((i, content) for i, step in enumerate(steps) for content in step.signals)
    truth: list[Event] = []
    true_after = []
    for step in steps:
        truth += step.events
        true_after.append(len(truth))
    return Evening(rules, seed, steps, signals, tuple(truth), tuple(true_after))


def _let_live(evening: Evening, path: Path, world: World, aim: _Aim | None) -> bool:
    """Let a child follow the evening until it is killed or done; whether it opened its log."""
    told, telling = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(told)
        _live(evening, path, world, telling)
    os.close(telling)
    text, until = b"", None
    if aim is not None and not aim.at_signal:
        until = time.monotonic() + aim.after_s
    while True:
        wait_s = None if until is None else max(0.0, until - time.monotonic())
        ready, _, _ = select.select([told], [], [], wait_s)
        if not ready:
            os.kill(child, signal.SIGKILL)
            until, aim = None, None
            continue
        data = os.read(told, 65536)
        if not data:
            break
        text += data
        if aim is not None and aim.at_signal and until is None and b"sent" in data:
            until = time.monotonic() + aim.after_s
    os.close(told)
    _, status = os.waitpid(child, 0)
    lines = text.decode("ascii").split("\n")[:-1]
    for line in lines:
        _note(world, line)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise LostError(f"the program ended by itself with {os.WEXITSTATUS(status)}: {lines[-1:]}")
    return "open" in lines


def _note(world: World, line: str) -> None:
    what, _, number = line.partition(" ")
    match what:
        case "step":
            world.step = int(number)
        case "sent":
            world.sent = max(world.sent, int(number))
        case "acknowledged":
            world.acknowledged = max(world.acknowledged, int(number))
        case "stored":
            world.stored = int(number)
        case _:
            pass


# -- the child ---------------------------------------------------------------------------------


def _live(evening: Evening, path: Path, world: World, telling: int) -> NoReturn:
    """Be the program; ends the process."""
    code = 3
    try:
        for line in _follow(evening, path, world):
            os.write(telling, f"{line}\n".encode("ascii"))
        code = 0
    except BaseException as error:
        print(f"the child: {error!r}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def _follow(evening: Evening, path: Path, world: World) -> Iterator[str]:
    """What the program tells, as it comes: a line is given before the next thing is done."""
    clock, said = Clock(float(world.step)), list[str]()
    record = Record(Store(path), clock)
    session = Session(plain_profile(evening.rules), NAMES, record, now=clock)
    steady = Steady(0.9)
    yield "open"
    session.process(BoardSignal(_hello(world)))
    next_signal = world.acknowledged
    for index in range(world.step, len(evening.steps)):
        yield f"step {index}"
        clock.t = float(index)
        for command in _to_tap(evening, index, record):
            session.put_command(command)
            session.drain()
            yield f"stored {record.seq}"
        while next_signal < len(evening.signals) and evening.signals[next_signal][0] <= index:
            next_signal += 1
            content = evening.signals[next_signal - 1][1]
            yield f"sent {next_signal}"
            session.process(_signal(next_signal, content, said))
            yield from _drained(said)
            yield f"stored {record.seq}"
        for _ in range(PICTURES):
            clock.t += 1 / (PICTURES + 1)
            session.process(steady.update(faultless(evening.steps[index].scene, clock.t)))
            yield f"stored {record.seq}"
    yield f"step {len(evening.steps)}"


def _to_tap(evening: Evening, index: int, record: Record) -> Iterator[Command]:
    """What people tap in a step, unless they see on the page that it is on record already."""
    before = evening.true_after[index - 1] if index else 0
    for command in evening.steps[index].commands:
        said = tapped(command, record.state)
        if said is not None and len(_events(record.entries)) <= before:
            yield said


def _signal(number: int, content: EventContent, said: list[str]) -> BoardSignal:
    def stored() -> None:
        said.append(f"acknowledged {number}")

    return BoardSignal(content, origin=f"board {BOOT_ID} {number}", stored=stored)


def _drained(said: list[str]) -> Iterator[str]:
    while said:
        yield said.pop(0)


def _hello(world: World) -> Hello:
    return Hello(
        seq=world.acknowledged,
        boot_id=BOOT_ID,
        board_ms=0,
        pending=0,
        protocol=1,
        firmware="scripted",
        capabilities=(),
    )


# -- what must hold ----------------------------------------------------------------------------


def _check(evening: Evening, path: Path, world: World, where: str) -> int:
    """The log after a kill: nothing acknowledged is missing, nothing untrue is in it.

    Returns:
        how many signals of the board are on record.
    """
    if not path.exists():
        if world.acknowledged or world.stored:
            raise LostError(f"{where}: the log is gone")
        return 0
    with Store(path) as store:
        entries = store.load()
    if len(entries) < world.stored:
        raise LostError(f"{where}: {world.stored} entries were published, {len(entries)} are left")
    recorded = _check_signals(entries, world, where)
    events = _events(entries)
    keys, true = [key_of(e) for e in events], [key_of(e) for e in evening.truth]
    if keys != true[: len(keys)]:
        place = next(i for i, key in enumerate(keys) if i >= len(true) or key != true[i])
        wanted = evening.truth[place] if place < len(true) else "nothing"
        raise LostError(f"{where}: recorded {events[place]} where {wanted} is true")
    if _state(events) != _state(evening.truth[: len(events)]):
        raise LostError(f"{where}: the state is not the fold of the truth's {len(events)} events")
    return recorded


def _check_signals(entries: Sequence[Entry], world: World, where: str) -> int:
    origins = [entry.origin for entry in entries if entry.origin]
    if len(origins) != len(set(origins)):
        raise LostError(f"{where}: a signal of the board was recorded twice")
    for number in range(1, world.acknowledged + 1):
        if f"board {BOOT_ID} {number}" not in origins:
            raise LostError(f"{where}: the board's signal {number} was acknowledged and is lost")
    return len(origins)


def _check_end(evening: Evening, path: Path) -> None:
    with Store(path) as store:
        events = _events(store.load())
    if len(events) != len(evening.truth):
        raise LostError(
            f"evening {evening.seed}: {len(events)} events of {len(evening.truth)} at its end"
        )


def _events(entries: Sequence[Entry]) -> tuple[Event, ...]:
    """What counts, without what was asked and what only the board said."""
    return tuple(
        event
        for _, event in effective(entries)
        if not isinstance(event, Asked | Answered | BoardSaid)
    )


def _state(events: Sequence[Event]) -> TableState:
    """What events fold to; the profile that a hand was played by and words are not compared."""
    return replay([_plain(event) for event in events])


def _plain(event: Event) -> Event:
    match event:
        case HandStarted(hand, rules, dealer, wall_left):
            return HandStarted(hand, rules, dealer, wall_left)
        case Settled():
            return replace(event, steps=())
        case _:
            return event
