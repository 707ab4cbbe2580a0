"""The lesson of a table's own evenings about its set: `python -m models.evenings`.

A set that the networks do not know is played with: our own mirrored, or with ``--faces DIR`` that
folder's (mirrored, too, with ``--mirrored``). Of simulated evenings with fresh seeds the pictures
of the hands that were won are kept, as the program keeps them; people have confirmed those hands.
Everything that lies face up at the end of other hands is read before, after one evening, and after
three. Questions that people answer teach as well, and are left out here.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from models.laid_tables import KINDS, TableExample, mirrored_set
from table_assist.evidence.confirmed import (
    ConfirmedPicture,
    ConfirmedZone,
    named_tiles,
    shown_hand,
)
from table_assist.evidence.crop import readings_json
from table_assist.game.events import Event, HandShown
from table_assist.game.fold import replay
from table_assist.rules.registry import find_rules
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.scene import Scene
from table_assist.twin.world import WorldLooks, look_from
from table_assist.upkeep.setup.evenings import evening_samples, missing_faces
from table_assist.vision.enrolment.learn import Sample, learn
from table_assist.vision.pictures.picture import jpeg
from table_assist.vision.reading.own_set import OwnSet, digest
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.reading.recognise import OnnxRecogniser
from table_assist.vision.reading.weights import Weights, load_weights

EVENINGS = (1, 3)  # after which it is measured
QUALITY = 85  # of a kept picture


def won_hands(
    rules: str, seed: int, hands: int
) -> Iterator[tuple[Scene, tuple[ConfirmedZone, ...]]]:
    """How the table lies when a hand is shown, and what people confirm by settling it."""
    known = find_rules(rules)
    events: list[Event] = []
    for step in play_evening(seed, known, hands=hands):
        for event in step.events:
            if isinstance(event, HandShown):
                yield step.scene, shown_hand("", event, replay(events).seats[event.seat])
            events.append(event)


def kept_picture(
    table: TableExample, scene: Scene, looks: tuple[ConfirmedZone, ...], reader: Reader
) -> ConfirmedPicture:
    """As the program would have kept it, and found what is confirmed in it."""
    seen = table.looked_at(scene, reader)
    rows = json.loads(readings_json(seen.observation, seen.calibration))["tiles"]
    tiles = tuple(named for each in looks for named in named_tiles(rows, each))
    return ConfirmedPicture(0.0, jpeg(seen.image, QUALITY), tiles)


def measured(table: TableExample, seed: int, hands: int, fresh: int) -> Iterator[dict[str, object]]:
    """Before any evening, and after so many. Before all faces came nothing is learnt."""
    weights = load_weights()
    reader = open_reader()
    others = [scene for scene, _ in won_hands(table.rules.id, seed + 900, fresh)]
    before = _row(table, others, reader)
    yield {"evenings": 0, **before}
    pictures: list[ConfirmedPicture] = []
    for evening in range(1, max(EVENINGS) + 1):
        for scene, looks in won_hands(table.rules.id, seed + evening, hands):
            pictures.append(kept_picture(table, scene, looks, reader))
        if evening in EVENINGS:
            samples = evening_samples(pictures, reader.detector)
            missing = len(missing_faces(table.rules, samples))
            row = before
            if not missing:
                own = _learnt(samples, weights)
                row = _row(table, others, open_reader(own_set=own))
            learnt = {"confirmed": len(samples), "faces_missing": missing}
            yield {"evenings": evening, **learnt, **row}


def _learnt(samples: list[Sample], weights: Weights) -> OwnSet:
    recogniser = weights.recogniser
    own, _ = learn(
        samples, OnnxRecogniser(recogniser), name="evenings",
        recogniser=digest(recogniser.network), limits=recogniser.limits,
    )  # fmt: skip
    return own


def _row(table: TableExample, scenes: list[Scene], reader: Reader) -> dict[str, object]:
    found: Counter[str] = Counter()
    for scene in scenes:
        found += table.tally(scene, table.looked_at(scene, reader))
    return {
        "set": table.faces.name, "rules": table.rules.id, "hands": len(scenes),
        "faces": found.total(), **{kind: found[kind] for kind in KINDS},
    }  # fmt: skip


def main() -> None:
    """As the module says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--faces", type=Path, help="a folder of faces; default: our own, mirrored")
    parser.add_argument("--mirrored", action="store_true")
    parser.add_argument("--rules", default="wanzhou")
    parser.add_argument("--hands", type=int, default=16, help="of an evening")
    parser.add_argument("--fresh", type=int, default=6, help="hands to measure on")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rules = find_rules(options.rules)
    needed = (*rules.kinds, *rules.bonus_tiles)
    faces = load_faces(options.faces, needed=needed)
    if options.faces is None or options.mirrored:
        faces = mirrored_set(faces)
    look = look_from(WorldLooks.USUAL, options.seed)
    table = TableExample(rules, faces, look, Lens(tilt_deg=12.0), options.seed)
    for row in measured(table, options.seed, options.hands, options.fresh):
        print(json.dumps(row, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
