"""The gain of each advice of a trial's report at simulated tables: `python -m models.advised`.

At every table act one is laid twice: as it is with the fault, and with what the report advises. The
set is one that the networks do not know, our own mirrored, as a stranger's is. What is learnt from
act one is measured on a hand. The counts are written beside the report's code, which says them.
"""

import argparse
import json
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2

from models.laid_tables import KINDS, TableExample, mirrored_set
from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import FaceSet, load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import TableLook
from table_assist.twin.render import Renderer
from table_assist.twin.scene import Scene
from table_assist.twin.world import WorldLooks, look_from
from table_assist.upkeep.trial.faces import set_samples
from table_assist.upkeep.trial.gains import GAINS, Helps
from table_assist.upkeep.trial.instruction import Script, TrialAct
from table_assist.upkeep.trial.progress import Mark, Marked, begun, folded
from table_assist.upkeep.trial.script import make_script
from table_assist.vision.enrolment.learn import learn
from table_assist.vision.reading.own_set import OwnSet, digest
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.recognise import OnnxRecogniser
from table_assist.vision.reading.weights import load_weights

RULES = "classical"  # has all 42 faces
SIZE_WH = (1920, 1080)
SMALL, LARGE = 0.84, 1.28  # pixels a millimetre: a tile of 21 and of 32 pixels
BRIGHT, DIM = 4.5, 0.06  # times the usual light
ASKEW_DEG, ABOVE_DEG = 48.0, 8.0


def plain_stream(look: TableLook) -> TableLook:
    """A look without a phone's film or a lens that bends: single pictures have neither."""
    return replace(look, optics=replace(look.optics, distortion=0.0, stream_mbit=0.0))


def lit(look: TableLook, times: float) -> TableLook:
    """The same table in so many times the light."""
    a, b, c = look.optics.lamp
    return replace(look, optics=replace(look.optics, lamp=(a * times, b * times, c * times)))


def pairs(seed: int, faces: FaceSet) -> dict[Helps, tuple[TableExample, TableExample]]:
    """One table before and after each change that needs no learning."""
    rules, look = find_rules(RULES), plain_stream(look_from(WorldLooks.WORLD, seed))
    good = TableExample(rules, faces, look, Lens(SIZE_WH, LARGE, tilt_deg=ABOVE_DEG), seed)
    return {
        Helps.NEARER: (replace(good, lens=replace(good.lens, px_per_mm=SMALL)), good),
        Helps.LAMP: (replace(good, look=lit(look, BRIGHT)), good),
        Helps.DARK: (replace(good, look=lit(look, DIM)), good),
        Helps.ABOVE: (replace(good, lens=Lens(SIZE_WH, 1.2, tilt_deg=ASKEW_DEG)), good),
    }


def learnt(table: TableExample, script: Script, reader: Reader, folder: Path) -> OwnSet:
    """The table's set, from act one's pictures as the report's button learns it."""
    for number, step in enumerate(script.steps):
        picture = Renderer(table.faces, table.look, table.lens, number).picture(step.look.scene)
        cv2.imwrite(str(folder / f"{number:04}.jpg"), picture)
    begin = begun(table.rules, 1, (TrialAct.SET,), has_board=False, most=0)
    marks = [Marked(0.0, number, Mark.DONE) for number in range(len(script.steps))]
    samples = set_samples(folder, script, folded([begin, *marks]), table.config, reader)
    recogniser = load_weights().recogniser
    own, _ = learn(
        samples, OnnxRecogniser(recogniser), name="trial",
        recogniser=digest(recogniser.network), limits=recogniser.limits,
    )  # fmt: skip
    return own


def measure(tables: int, seed: int) -> dict[str, dict[str, int]]:
    """By change: faces, and how many were right, asked and wrong before and after it."""
    rules, reader, faces = find_rules(RULES), open_reader(), mirrored_set(load_faces())
    script = make_script(rules, seed, (TrialAct.SET,))
    laid = max((step.look.scene for step in script.steps), key=lambda scene: len(scene.tiles))
    found: dict[Helps, Counter[str]] = {each: Counter() for each in Helps}
    for number in range(seed, seed + tables):
        for helps, (before, after) in pairs(number, faces).items():
            _count(found[helps], "before", before, laid, reader)
            _count(found[helps], "after", after, laid, reader)
        _, strange = pairs(number, faces)[Helps.NEARER]
        played = _end_of_hand(number)  # act one's own pictures would prove nothing
        _count(found[Helps.LEARN], "before", strange, played, reader)
        with tempfile.TemporaryDirectory() as folder:
            own = learnt(strange, script, reader, Path(folder))
        _count(found[Helps.LEARN], "after", strange, played, open_reader(own_set=own))
    return {helps: {"tables": tables, **counts} for helps, counts in found.items()}


def _end_of_hand(seed: int) -> Scene:
    """A hand's scene with the most faces."""
    scenes = [step.scene for step in play_evening(seed, find_rules(RULES), hands=1)]
    return max(
        scenes, key=lambda s: sum(bool(tile.shows and tile.shows.is_face) for tile in s.tiles)
    )


def _count(
    found: Counter[str], when: str, table: TableExample, scene: Scene, reader: Reader
) -> None:
    counts = table.tally(scene, table.looked_at(scene, reader))
    found.update({f"{kind}_{when}": counts[kind] for kind in KINDS})
    if when == "before":
        found["faces"] += counts.total()


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=GAINS)
    options = parser.parse_args()
    content = {
        "command": f"python -m models.advised --tables {options.tables} --seed {options.seed}",
        "gains": measure(options.tables, options.seed),
    }
    options.out.write_text(f"{json.dumps(content, indent=1)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
