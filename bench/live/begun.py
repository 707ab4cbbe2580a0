"""``python -m bench live begun``: the camera is switched on when a hand has run for long.

Half of a hand's discards lie there, and people tap that it has begun. What lies open in the rivers,
among the melds and indicators is compared with the record. With ``--folder`` photographs of real
tables are seen instead: `real_tables.csv` says what can be read there by eye.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import ceil
from pathlib import Path

import numpy as np

from bench import report, sets_of
from bench.live.evening import EveningTable, Said
from bench.live.eyes import OVERHEAD, StandInEyes
from bench.live.hands import WantedHands, eyes_for
from bench.tables import Photograph, Rows, photographs
from models.world import WorldLooks
from table_assist.game.events import Discarded
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.state import TableState
from table_assist.record.commands import StartHand
from table_assist.record.course import differences
from table_assist.rules.registry import find_rules
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.edit import watcher_of
from table_assist.twin.evening import play_evening
from table_assist.twin.moment import CameraMoment
from table_assist.twin.scene import Scene
from table_assist.twin.table import Manners
from table_assist.upkeep.demo import demo_config
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.table.observation import Observation

LOOKS_AROUND_TAP, LOOK_EVERY_S = 40, 0.2  # before the tap, and after it
BEGUN_HANDS = 2
PHOTOGRAPHED = "classical"  # what is played there nobody knows: a rule set with every kind


class PhotographEyes:
    """Look at a photograph again and again; what its edges cut off is black."""

    tile_set = ""

    def __init__(self, photo: Photograph, reader: Reader) -> None:
        places = np.array(photo.corners)
        out = ceil(max(0, -places.min(), (places - photo.image.shape[1::-1]).max()))
        corners = tuple((x + out, y + out) for x, y in photo.corners)
        self._image = np.pad(photo.image, ((out, out), (out, out), (0, 0)))
        config = demo_config(OVERHEAD, port="", log=Path(), corners_px=corners)
        self._watcher = watcher_of(config, reader)
        self.attend = self._watcher.attend

    def look(self, moment: CameraMoment, t: float) -> Observation:
        """As `Watcher.look`."""
        return self._watcher.look(self._image, t)


def on_record(state: TableState) -> Rows:
    """What lies open by the record."""
    rules = rules_in_force(state)
    faces = rules.lying(rules.chosen).faces
    laid = (
        (*seat.bonus, *(tile for meld in sorted(map(faces, seat.melds)) for tile in meld))
        for seat in state.seats
    )
    return (*(seat.river for seat in state.seats), *laid, tuple(x.tile for x in state.indicators))


def found(rules: RuleSet, eyes: StandInEyes, scene: Scene, dealer: int) -> Rows:
    """What is on record a while after a tap before such a table."""
    table, looks = EveningTable(rules, eyes, seed=dealer), [CameraMoment(scene, LOOK_EVERY_S)]
    table.watch(looks * LOOKS_AROUND_TAP)
    table.take(Said(table.clock.t, StartHand(dealer)))
    table.watch(looks * LOOKS_AROUND_TAP)
    return on_record(table.record.state)


def drawn(options: argparse.Namespace) -> Iterator[tuple[str, Rows, Rows]]:
    """Of each hand its name, what is on record and what lies there."""
    real, looks = options.eyes == "real", WorldLooks(options.looks)
    wanted = WantedHands(options.hands or BEGUN_HANDS, options.seed, real, looks=looks)
    eyes_of = eyes_for(wanted)
    for rules, number in product(sets_of(options), range(wanted.hands)):
        seed = wanted.seed + number
        manners = Manners(tile_scale=wanted.scale(seed))
        steps = list(play_evening(seed, rules, hands=1, manners=manners))
        ends = [n for n, s in enumerate(steps) if any(isinstance(e, Discarded) for e in s.events)]
        steps = steps[: ends[len(ends) // 2] + 1]
        truth = replay(event for step in steps for event in step.events)
        told = found(rules, eyes_of(rules, seed), steps[-1].scene, truth.dealer)
        yield f"{rules.id} {seed}", told, on_record(truth)


def photographed(folder: Path) -> Iterator[tuple[str, Rows, Rows]]:
    """The same of photographs."""
    reader, rules = open_reader(), find_rules(PHOTOGRAPHED)
    for photo in photographs(folder):
        if photo.lies:
            told = found(rules, PhotographEyes(photo, reader), Scene(), 0)
            yield photo.name, told, photo.lies


def run(options: argparse.Namespace) -> int:
    """Count the tiles that are in their place, and the faces on record that are not there."""
    counts: Counter[str] = Counter()
    for name, told, lies in photographed(options.folder) if options.folder else drawn(options):
        right = 0
        for got, true in zip(told, lies, strict=False):
            for part, _, _, at, end in differences(got, true):
                right += (part == "equal") * sum(tile.is_face for tile in true[at:end])
        faces, tiles = (sum(tile.is_face for row in some for tile in row) for some in (told, lies))
        print(f"{name}: {right} of {tiles} in their place, {faces - right} not there", flush=True)
        counts.update(hands=1, tiles=tiles, right=right, false=faces - right)
    report({"of": "photographs" if options.folder else "drawn", **counts}, as_json=True)
    return 0
