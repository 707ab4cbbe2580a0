"""The twin plays the person: it lays what the script says, with a person's mistakes."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from table_assist.game.events import Discarded
from table_assist.twin.disturb import CameraMoment
from table_assist.twin.river import on_table
from table_assist.twin.scene import PlacedTile, Scene, reaching_arm
from table_assist.upkeep.trial.courses import Instruction, Script

PICTURE_S = 0.4
MOST_S = 3.0


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Which of the discards of the short hand, from 0, go wrong how.

    Attributes:
        wrong_tile: another tile than the script's is laid, and nobody notices.
        forgotten: it is not laid, and "done" is tapped.
        arm_stays: an arm lies over the next seat's discards until the discard after it.
    """

    wrong_tile: int | None = None
    forgotten: int | None = None
    arm_stays: int | None = None


NO_MISTAKES = Mistakes()


@dataclass(slots=True)
class TrialPerson:
    """Lays a script's steps one after the other.

    Attributes:
        wrong: the steps that were not laid as the script says, and what became of each; the twin
            knows them and nobody else does.
    """

    script: Script
    mistakes: Mistakes = NO_MISTAKES
    wrong: dict[int, str] = field(default_factory=dict)
    _instead: dict[PlacedTile, PlacedTile | None] = field(default_factory=dict)
    _arm: int | None = None
    _discards: int = 0

    def lay(self, number: int) -> CameraMoment:
        """How the table looks when the step is laid."""
        step = self.script.steps[number]
        before = self.script.steps[number - 1].look.scene if number else Scene()
        if step.act == "hand" and any(isinstance(e, Discarded) for e in step.events):
            self._err(number, step, before)
            self._discards += 1
        look = step.look
        tiles = [self._instead.get(tile, tile) for tile in look.scene.tiles]
        scene = replace(look.scene, tiles=tuple(tile for tile in tiles if tile is not None))
        if self._arm is not None:
            x, y = on_table(self._arm, 0, 75)
            scene = replace(scene, covers=(*scene.covers, *reaching_arm(self._arm, x, y)))
        return replace(look, scene=scene)

    def moments(self, number: int) -> Iterator[CameraMoment]:
        """The same, as a camera meets it until the next step."""
        look = self.lay(number)
        seconds = min(max(look.seconds, 3 * PICTURE_S), MOST_S if not look.scene.covers else 6.0)
        pictures = round(seconds / PICTURE_S)
        for _ in range(pictures):
            yield replace(look, seconds=seconds / pictures)

    def _err(self, number: int, step: Instruction, before: Scene) -> None:
        new = [tile for tile in step.look.scene.tiles if tile not in before.tiles]
        mistakes, at = self.mistakes, self._discards
        if self._arm is not None:
            self._arm = None
        if at == mistakes.wrong_tile and new:
            faces = sorted({tile.tile for tile in self.script.steps[-1].look.scene.tiles} | {
                face for each in self.script.steps for face in each.tiles
            })  # fmt: skip
            others = [face for face in faces if face is not new[0].tile and face.is_suited]
            other = Random(self.script.seed).choice(others)
            self._instead[new[0]] = replace(new[0], tile=other)
            self.wrong[number] = f"{other}"
        elif at == mistakes.forgotten and new:
            self._instead[new[0]] = None
            self.wrong[number] = ""
        elif at == mistakes.arm_stays and step.seat is not None:
            self._arm = (step.seat + 1) % 4
