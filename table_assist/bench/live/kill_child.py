"""The program that is killed: a forked child that follows an evening and tells what it has done."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from firmware_bridge.events import EventContent
from firmware_bridge.messages import Hello
from table_assist.bench.live.evening import NAMES, Clock
from table_assist.bench.live.faultless import faultless
from table_assist.bench.live.kill_world import BOOT_ID, Evening, World, events_of
from table_assist.bench.live.power import lose_unsynced
from table_assist.contract.commands import Command
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.rules.profile import plain_profile
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.twin.steps import tapped
from table_assist.vision.table.steady import Steady

PICTURES = 4  # of a step


def live(
    evening: Evening, path: Path, world: World, telling: int, library: Path | None = None
) -> NoReturn:
    """Be the program; ends the process."""
    code = 3
    try:
        if library is not None:
            lose_unsynced(library)
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
        if said is not None and len(events_of(record.entries)) <= before:
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
