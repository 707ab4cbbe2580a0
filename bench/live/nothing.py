"""``python -m bench live nothing``: what is no play must yield no event of play.

For two minutes tiles are washed: they wander over the table face up and face down, hands reach
over them; then they are stacked. Before the first hand, between two hands, and while the program
still believes that a hand runs, because nobody has told it of its end.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from bench.live.evening import EveningTable
from bench.live.hands import EyesFor, WantedHands
from table_assist.game.events import Answered, Asked, BoardSaid
from table_assist.rules.registry import find_rules, rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile
from table_assist.twin.disturb import Hardness
from table_assist.twin.evening import play_evening
from table_assist.twin.scene import PlacedTile, Pose, Scene
from table_assist.twin.steps import ArmReach, TableStep

SECONDS = 120.0
STEP_S = 0.8
TILES = 136
REACH_MM = 330.0
WANDER_MM, WANDER_DEG = 45.0, 60.0
TURNED = 0.06  # of the tiles a step
STACKING = 0.7  # of the time is washing, the rest is stacking
MIDDLE_OF_A_HAND = 30  # steps


@dataclass(frozen=True, slots=True)
class Washed:
    """The result of two minutes without play.

    Attributes:
        when: before, between or in a hand.
        events: of play, on record.
        questions: that people were asked.
    """

    rules: str
    when: str
    pictures: int
    events: tuple[str, ...]
    questions: int

    @property
    def line(self) -> str:
        """The figures in one line."""
        text = (
            f"{self.rules}, {self.when}: {self.pictures} pictures of washing and stacking, "
            f"{len(self.events)} events of play, {self.questions} questions"
        )
        return "\n    ".join([text, *self.events[:4]])


def run(options: argparse.Namespace) -> int:
    """Wash before, between and in hands; returns the exit code."""
    ids = options.rules or [rules.id for rules in rule_sets()]
    wanted = WantedHands(0, options.seed, real=options.eyes == "real", faces=options.faces)
    eyes_for, untrue = EyesFor(wanted), 0
    for id in ids:
        rules = find_rules(id)
        for when in ("before a hand", "between hands", "in a hand"):
            eyes = eyes_for(rules, options.seed)
            table = EveningTable(rules, eyes, seed=options.seed, hardness=Hardness(bumps=0.0))
            washed = wash(rules, table, when, options.seed)
            untrue += len(washed.events)
            print(washed.line, flush=True)
    return 1 if untrue else 0


def wash(rules: RuleSet, table: EveningTable, when: str, seed: int) -> Washed:
    """Play as far as is wanted, then wash for two minutes."""
    steps = play_evening(seed, rules, hands=1)
    if when != "before a hand":
        for number, step in enumerate(steps):
            if when == "in a hand" and number == MIDDLE_OF_A_HAND:
                break
            table.follow(step)
    first = table.record.seq
    pictures = 0
    for step in washing(seed):
        table.follow(step)
        pictures += 1
    gained = [event for seq, event in table.record.counting if seq > first]
    asked = sum(isinstance(event, Asked) for event in gained)
    played = tuple(str(e) for e in gained if not isinstance(e, Asked | Answered | BoardSaid))
    return Washed(rules.id, when, pictures, played, asked)


def washing(seed: int) -> Iterator[TableStep]:
    """Two minutes of washing and stacking."""
    rng = Random(f"washing-{seed}")
    tiles = [_thrown(rng) for _ in range(TILES)]
    steps = round(SECONDS / STEP_S)
    for number in range(steps):
        stacked = round(TILES * max(0.0, (number / steps - STACKING) / (1 - STACKING)))
        tiles = [
            _stacked(index) if index < stacked else _moved(tile, rng)
            for index, tile in enumerate(tiles)
        ]
        place = rng.uniform(-REACH_MM, REACH_MM), rng.uniform(-REACH_MM, REACH_MM)
        reach = ArmReach(rng.randrange(4), *place)
        yield TableStep(0, Scene(tuple(tiles)), "The tiles are washed.", STEP_S, reach=reach)


def _thrown(rng: Random) -> PlacedTile:
    faces = [tile for tile in Tile if tile.is_face and not tile.is_bonus]
    return PlacedTile(
        rng.choice(faces),
        rng.uniform(-REACH_MM, REACH_MM),
        rng.uniform(-REACH_MM, REACH_MM),
        rng.uniform(0, 360),
        Pose.FACE_DOWN if rng.random() < 0.7 else Pose.FACE_UP,
    )


def _moved(tile: PlacedTile, rng: Random) -> PlacedTile:
    """Most are pushed a little, many lie still for a moment, some are turned over."""
    if rng.random() < 0.4:
        return tile
    turned = {Pose.FACE_UP: Pose.FACE_DOWN, Pose.FACE_DOWN: Pose.FACE_UP}
    pose = turned.get(tile.pose, tile.pose) if rng.random() < TURNED else tile.pose
    x, y = (
        max(-REACH_MM, min(REACH_MM, value + rng.uniform(-WANDER_MM, WANDER_MM)))
        for value in (tile.x_mm, tile.y_mm)
    )
    return PlacedTile(tile.tile, x, y, tile.turn_deg + rng.uniform(-WANDER_DEG, WANDER_DEG), pose)


def _stacked(index: int) -> PlacedTile:
    """In the walls, two by two."""
    seat, place = (index // 2) % 4, index // 8
    r = 26.0 * (place - 8)
    x, y = r, -247.0
    for _ in range(seat):
        x, y = -y, x
    return PlacedTile(Tile.M1, x, y, 90.0 * seat, Pose.STACKED)
