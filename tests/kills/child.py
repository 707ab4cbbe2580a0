"""The program that is killed: a forked child that follows an evening and tells what it has done."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import numpy as np

from bench.live.evening import Clock
from firmware_bridge.events import EventContent
from firmware_bridge.messages import Hello
from table_assist.game.events import Attested
from table_assist.languages.words import Words
from table_assist.record.commands import Command, NotKeptError, Rule
from table_assist.record.photographer import Shot, open_photographer
from table_assist.record.record import Record
from table_assist.record.store import Store
from table_assist.rules.profile import plain_profile
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.twin.scene import Scene
from table_assist.twin.table import tapped
from table_assist.upkeep.demo import NAMES
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.limits import Limits
from table_assist.vision.table.dice import SeenDie
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.tile_tracker import TileTracker
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, to_seat, zone_at
from tests.kills.power import lose_unsynced
from tests.kills.world import BOOT_ID, MOST_BYTES, KillEvening, World

PICTURES = 4  # of a step


def live(
    evening: KillEvening, path: Path, world: World, telling: int, library: Path | None = None
) -> NoReturn:
    """Be the program; ends the process."""
    code = 3
    try:
        if library is not None:
            lose_unsynced(library, telling)
        for line in _follow(evening, path, world):
            os.write(telling, f"{line}\n".encode("ascii"))
        code = 0
    except BaseException as error:
        print(f"the child: {error!r}", file=sys.stderr, flush=True)
    finally:
        os._exit(code)


def _follow(evening: KillEvening, path: Path, world: World) -> Iterator[str]:
    """The program's lines, as they come: each is given before the next thing is done."""
    clock, said = Clock(float(world.step)), list[str]()
    record = Record(Store(path), clock)
    photographer = open_photographer(
        path,
        MOST_BYTES,
        lambda: Shot(clock.t, _picture(clock.t)),
        lambda moment, digest: session.put(Attested("picture", (str(moment.seq), digest))),
        entries=record.seq,
    )
    profile = plain_profile(evening.rules)
    session = Session(profile, NAMES, record, now=clock, photographer=photographer)
    steady = TileTracker(Limits.alike(0.9))
    yield "open"
    session.process(BoardSignal(_hello(world)))
    next_signal = world.acknowledged
    for index in range(world.step, len(evening.steps)):
        yield f"step {index}"
        clock.t = float(index)
        for place, command in enumerate((*evening.steps[index].commands, *_rulings(index))):
            yield from _tap(session, record, command, f"step {index} command {place}")
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
            session.drain()  # what the log vouches for
            yield f"stored {record.seq}"
    photographer.close()
    session.drain()
    yield f"step {len(evening.steps)}"


def _tap(session: Session, record: Record, command: Command, key: str) -> Iterator[str]:
    """A person taps; whoever had no answer taps again, under the same key."""
    if session.was_done(key):
        yield f"again {key}"
        return
    said = tapped(command, record.state)
    if said is None:
        return
    reply = _reply(session, said, key)
    if reply is None:
        yield f"done {key}"


def _rulings(index: int) -> tuple[Rule, ...]:
    """A referee decides something that moves no points, in every third step."""
    if index % 3:
        return ()
    reason = f"decided in step {index}"
    return (Rule(index % 4, "", (0, 0, 0, 0), Words(reason, reason)),)


def _reply(session: Session, command: Command, key: str) -> Words | NotKeptError | None:
    """The reply to a person, as a page's request waits for it."""
    got: list[Words | NotKeptError | None] = []

    def ask() -> None:
        try:
            got.append(session.submit(command, "a person", key))
        except NotKeptError as error:
            got.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    while asking.is_alive():
        session.drain()
        asking.join(0.001)
    return got[0]


def _picture(t: float) -> Image:
    """Another picture at each moment."""
    return np.random.default_rng(round(1000 * t)).integers(0, 255, (48, 64, 3), dtype=np.uint8)


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


def faultless(scene: Scene, t: float) -> Observation:
    """The table as one picture would show it to a reader that knows everything."""
    tiles = []
    for placed in scene.tiles:
        face = placed.shows
        if face is None:
            continue
        zone = zone_at(placed.x_mm, placed.y_mm, Layout())
        if zone.kind is ZoneKind.ELSEWHERE:
            continue
        tiles.append(
            SeenTile(
                tile=face,
                confidence=1.0,
                x_mm=placed.x_mm,
                y_mm=placed.y_mm,
                width_mm=_width(placed.corners_mm(), zone),
                zone=zone,
                candidates=((face, 1.0),),
            )
        )
    values = tuple(sorted(die.value for die in scene.dice))
    dice = tuple(SeenDie(die.value, die.x_mm, die.y_mm) for die in scene.dice)
    return Observation(t, tuple(tiles), values, dice)


def _width(corners: tuple[tuple[float, float], ...], zone: Zone) -> float:
    across = [to_seat(x, y, zone.seat or 0)[0] for x, y in corners]
    return max(across) - min(across)
