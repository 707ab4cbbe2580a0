"""The program is killed at random moments of hands.

A forked child follows an evening that was made up before, with a real log on disk, and tells
through a pipe what it has acknowledged to the board. It is killed (SIGKILL) whenever it comes. The
next child opens the log, is told again by the board what was not acknowledged, and goes on.
"""

import os
import select
import signal
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from table_assist.rules.ruleset import RuleSet
from tests.kills.child import live
from tests.kills.power import FileNames, build
from tests.kills.world import HANDS, KillEvening, LostError, World, check, check_end, make_evening

LONGEST_S = 0.12  # until the kill: some dozen steps, or the opening of the log
# Half of the kills are aimed: so soon after a signal of the board was sent to the program.
AIMED_S = 0.006


@dataclass(slots=True)
class Killed:
    """The result of a run of kills.

    Attributes:
        starting: kills before the child had opened its log.
        resent: signals that were sent and not acknowledged: the board sends them again.
        twice: of these, already recorded: the program must know them again.
        commands: of people, of which they were told that they are done.
        again: commands that had no answer, were tapped again and were on record already.
        pictures: for which the log vouches at the end.
        names: of files, not synced, that went with the power.
    """

    kills: int = 0
    evenings: int = 0
    entries: int = 0
    acknowledged: int = 0
    starting: int = 0
    resent: int = 0
    twice: int = 0
    commands: int = 0
    again: int = 0
    pictures: int = 0
    names: int = 0

    @property
    def line(self) -> str:
        """The figures in one line."""
        return (
            f"{self.kills} kills in {self.evenings * HANDS} hands of {self.evenings} evenings: "
            f"{self.acknowledged} signals acknowledged, none lost; {self.resent} sent again, "
            f"{self.twice} of them on record already, none recorded twice; {self.entries} entries, "
            f"all as the truth; {self.commands} commands called done, none lost, {self.again} "
            f"tapped again, none done twice; {self.pictures} pictures, all as the log vouches; "
            f"{self.names} names not synced and gone; {self.starting} kills before the log was open"
        )


def kill_often(sets: Sequence[RuleSet], *, kills: int, seed: int, power: bool = False) -> Killed:
    """Kill so often, each time at another moment; the last evening is played to its end.

    Args:
        sets: the rules of the evenings, in turn.
        kills: so many.
        seed: of the evenings and the moments.
        power: each kill is a power cut: what was not synced is lost.

    Raises:
        LostError: something acknowledged was lost, or the state is not the truth's.
    """
    rng, tally = Random(f"kill-{seed}"), Killed()
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        library = build(Path(folder)) if power else None
        while tally.kills < kills:
            number, tally.evenings = tally.evenings, tally.evenings + 1
            evening = make_evening(sets[number % len(sets)], seed + number)
            path, world = Path(folder) / f"{number}.sqlite", World()
            while world.step < len(evening.steps):
                aim = _aim(rng) if tally.kills < kills else None
                names = FileNames()
                has_opened = _let_live(evening, path, world, aim, library, names, tally)
                is_killed = aim is not None and world.step < len(evening.steps)
                if is_killed:
                    names.cut(rng)
                    tally.names += names.lost
                where = f"kill {tally.kills + is_killed}, evening {evening.seed}"
                recorded = check(evening, path, world, where)
                if is_killed:
                    tally.kills += 1
                    tally.starting += not has_opened
                    tally.resent += world.sent - world.acknowledged
                    tally.twice += max(0, recorded - world.acknowledged)
            tally.acknowledged += world.acknowledged
            tally.entries += world.stored
            tally.commands += len(world.done)
            tally.pictures += check_end(evening, path)
    return tally


@dataclass(frozen=True, slots=True)
class _Aim:
    """When to kill: after so long, or so long after the next signal was sent."""

    after_s: float
    at_signal: bool


def _aim(rng: Random) -> _Aim:
    if rng.random() < 0.5:
        return _Aim(rng.uniform(0, LONGEST_S), at_signal=False)
    return _Aim(rng.uniform(0, AIMED_S), at_signal=True)


def _let_live(
    evening: KillEvening,
    path: Path,
    world: World,
    aim: _Aim | None,
    library: Path | None,
    names: FileNames,
    tally: Killed,
) -> bool:
    """Let a child follow the evening until it is killed or done; whether it opened its log."""
    told, telling = os.pipe()
    # As `os.fork`, where nothing is lost in the copy
    if threading.active_count() > 1:
        raise RuntimeError("a process with threads is not copied: kill from one of its own")
    child = os.fork()
    if child == 0:
        os.close(told)
        live(evening, path, world, telling, library)
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
        if not names.note(line):
            _note(world, tally, line)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise LostError(f"the program ended by itself with {os.WEXITSTATUS(status)}: {lines[-1:]}")
    return "open" in lines


def _note(world: World, tally: Killed, line: str) -> None:
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
        case "done":
            world.done.add(number)
        case "again":
            tally.again += number not in world.done
            world.done.add(number)
        case _:
            pass
