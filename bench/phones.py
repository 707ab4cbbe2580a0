"""``python -m bench phones``: what two phones see of a table, and what each would alone.

Two cameras look obliquely from opposite sides. Before one of them an arm lies over the table the
whole time; in every second moment the other sees one tile with another face, as a misprint of the
world would have it, so that the two contradict each other.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import hypot

from table_assist.rules.registry import find_rules
from table_assist.tiles.tile import SUITED, Tile
from table_assist.twin.evening import play_evening
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.render import Renderer
from table_assist.twin.scene import TABLE_MM, PlacedTile, Scene, reaching_arm
from table_assist.vision.reading.incremental import LiveReader
from table_assist.vision.reading.read import Reader, open_reader
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.views import SAME_TILE_MM, CameraView, JoinedViews
from table_assist.vision.table.watcher import Watcher
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, zone_at

RULES = "changsha"
LENS = Lens(px_per_mm=1.0, height_mm=1500.0, tilt_deg=30.0)
ACROSS = replace(LENS, turn_deg=180.0)
MOMENTS = 6  # of each table
PICTURES, PICTURE_S = 9, 0.4  # of each moment: longer than cameras may differ in haste
OFF_PX = 2.0  # by which each corner was shown wrongly
LYING = (ZoneKind.RIVER, ZoneKind.MELDS)


@dataclass(slots=True)
class PhonesTally:
    """Tiles that lie face up in rivers and melds, and what was told of each.

    Attributes:
        unseen: its zone was told as one that cannot be seen.
        missed: nothing was told, of a zone that was told as seen.
        surplus: told where none lies.
    """

    tiles: int = 0
    right: int = 0
    unread: int = 0
    wrong: int = 0
    unseen: int = 0
    missed: int = 0
    surplus: int = 0

    def line(self, name: str) -> str:
        """For people."""
        share = 100 * self.right / max(1, self.tiles)
        return (
            f"{name:<28} {self.right:5} of {self.tiles} right ({share:.1f} %), {self.unread} '?', "
            f"{self.unseen} told as unseen, {self.missed} missed, {self.wrong} wrong, "
            f"{self.surplus} surplus"
        )


@dataclass(slots=True)
class PhonesBench:
    """The measured figures, by who looks.

    Attributes:
        contradicted: tiles of which the two cameras saw different faces: how many were told as
            unread, unseen, as either face, or not at all.
    """

    under_arm: PhonesTally = field(default_factory=PhonesTally)
    free: PhonesTally = field(default_factory=PhonesTally)
    both: PhonesTally = field(default_factory=PhonesTally)
    contradicted: dict[str, int] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        """For people."""
        yield self.under_arm.line("one phone, an arm before it")
        yield self.free.line("the other, nothing before it")
        yield self.both.line("both together")
        told = ", ".join(f"{count} {what}" for what, count in sorted(self.contradicted.items()))
        yield f"contradictions: {told or 'none'}"


def bench_phones(tables: int, first: int = 0, moments: int = MOMENTS) -> PhonesBench:
    """Watch so many tables at so many moments; those of seeds from ``first`` on."""
    bench, reader = PhonesBench(), open_reader()
    for seed in range(first, first + tables):
        _Table(seed, reader, moments).watch(bench)
    return bench


class _Table:
    def __init__(self, seed: int, reader: Reader, moments: int) -> None:
        self._random = random.Random(f"phones {seed}")
        rules = find_rules(RULES)
        faces = load_faces(None, needed=(*rules.kinds, *rules.bonus_tiles))
        look = look_of(seed)
        self._renderers = {
            name: Renderer(faces, look, lens, seed + 1000 * number)
            for number, (name, lens) in enumerate((("arm", LENS), ("free", ACROSS)))
        }
        self._watchers = {
            name: self._watcher(lens, reader) for name, lens in (("arm", LENS), ("free", ACROSS))
        }
        scenes = [step.scene for step in play_evening(seed, rules, hands=1)]
        playing = [scene for scene in scenes if len(_lying(scene)) >= MOMENTS]
        step = max(1, len(playing) // moments)
        self._moments = playing[::step][:moments]
        self._alone = {name: JoinedViews() for name in self._watchers}
        self._joined = JoinedViews()
        self._joined_now = Observation(0.0, ())
        self._t = 0.0

    def watch(self, bench: PhonesBench) -> None:
        """Look at every moment, and count."""
        for number, scene in enumerate(self._moments):
            changed = self._random.choice(_lying(scene)) if number % 2 else None
            views = self._look(scene, changed)
            arm = self._alone["arm"].together({"arm": views["arm"]}, self._t)
            free = self._alone["free"].together({"free": views["free"]}, self._t)
            both = self._joined_now
            true = [tile for tile in _lying(scene) if tile is not changed]
            _count(bench.under_arm, true, arm, changed)
            _count(bench.free, true, free, changed)
            _count(bench.both, true, both, changed)
            if changed is not None:
                what = _told(changed, both)
                if _told(changed, arm) in ("unseen", "nothing", "unread"):
                    what = "that only one read"
                bench.contradicted[what] = bench.contradicted.get(what, 0) + 1

    def _look(self, scene: Scene, changed: PlacedTile | None) -> Mapping[str, CameraView]:
        over = self._random.choice(_lying(scene))
        seat = self._random.randrange(4)
        scenes = {
            "arm": replace(scene, covers=reaching_arm(seat, over.x_mm, over.y_mm)),
            "free": _with_another_face(scene, changed),
        }
        views: dict[str, CameraView] = {}
        for _ in range(PICTURES):
            self._t += PICTURE_S
            for name, watcher in self._watchers.items():
                seen = watcher.look(self._renderers[name].picture(scenes[name]), self._t)
                views[name] = CameraView(seen, watcher.above)
            self._joined_now = self._joined.together(views, self._t)
        return views

    def _watcher(self, lens: Lens, reader: Reader) -> Watcher:
        a, b, c, d = (
            (x + self._random.uniform(-OFF_PX, OFF_PX), y + self._random.uniform(-OFF_PX, OFF_PX))
            for x, y in lens.corners_px()
        )
        calibration = Calibration((a, b, c, d), TABLE_MM)
        upright = replace(reader, stretch=calibration.foreshortening)
        eyes = LiveReader(upright, calibration.px_per_mm * TILE_MM)
        return Watcher(eyes, calibration, Layout(), limits=reader.limits)


def _lying(scene: Scene) -> list[PlacedTile]:
    """The tiles whose faces all may see."""
    return [tile for tile in scene.tiles if _is_face(tile) and _zone(tile).kind in LYING]


def _is_face(tile: PlacedTile) -> bool:
    return tile.shows is not None and tile.shows.is_face


def _zone(tile: PlacedTile) -> Zone:
    return zone_at(tile.x_mm, tile.y_mm, Layout())


def _with_another_face(scene: Scene, changed: PlacedTile | None) -> Scene:
    if changed is None:
        return scene
    other = next(face for face in SUITED if face is not changed.tile)
    tiles = tuple(replace(each, tile=other) if each is changed else each for each in scene.tiles)
    return replace(scene, tiles=tiles)


def _nearest(tile: PlacedTile, seen: Observation) -> SeenTile | None:
    def apart(each: SeenTile) -> float:
        return hypot(each.x_mm - tile.x_mm, each.y_mm - tile.y_mm)

    found = min(seen.tiles, key=apart, default=None)
    return found if found is not None and apart(found) <= SAME_TILE_MM else None


def _told(tile: PlacedTile, seen: Observation) -> str:
    if _zone(tile) in {gone.zone for gone in seen.unavailable}:
        return "unseen"
    found = _nearest(tile, seen)
    if found is None:
        return "nothing"
    if found.tile is Tile.UNKNOWN:
        return "unread"
    return "right" if found.tile is tile.shows else "wrong"


def _count(
    tally: PhonesTally, true: list[PlacedTile], seen: Observation, changed: PlacedTile | None
) -> None:
    for tile in true:
        tally.tiles += 1
        match _told(tile, seen):
            case "right":
                tally.right += 1
            case "unread":
                tally.unread += 1
            case "wrong":
                tally.wrong += 1
            case "unseen":
                tally.unseen += 1
            case _:
                tally.missed += 1
    hidden = {gone.zone for gone in seen.unavailable}
    places = [*true, *([changed] if changed is not None else [])]
    tally.surplus += sum(
        each.zone.kind in LYING
        and each.zone not in hidden
        and each.tile.is_face
        and all(hypot(each.x_mm - o.x_mm, each.y_mm - o.y_mm) > SAME_TILE_MM for o in places)
        for each in seen.tiles
    )
