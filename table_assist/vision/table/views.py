"""Several cameras over one table: the better view of each zone counts, the other confirms.

A zone that one camera cannot see is told by the other. Where both see it, the view that reads its
tiles more surely is told. A tile that the other reads surely as something else is told as unread,
so that people are asked; a tile that the other does not see there at all, for longer than cameras
may differ in haste, makes its zone one that cannot be seen.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import Observation, SeenTile, apart_mm, foot_of
from table_assist.vision.table.tile_size import TILE_MM
from table_assist.vision.table.tile_tracker import SAME_PLACE_MM
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.viewpoint import Viewpoint
from table_assist.vision.table.zone_views import zone_polygons
from table_assist.vision.table.zones import FLAT, Layout, Zone, ZoneKind

# Two calibrations and two guesses of where a camera hangs differ by some millimetres; usual tiles
# side by side are 26 mm apart.
SAME_TILE_MM = 15.0
BETTER = 0.05  # by so much another view must be surer before it takes a zone over
HASTE_S = 2.5  # one camera may be so much later than the other


@dataclass(frozen=True, slots=True)
class CameraView:
    """One camera's latest view, and from where."""

    observation: Observation
    above: Viewpoint | None = None


@dataclass(slots=True)
class JoinedViews:
    """Puts views together; remembers which camera tells a zone. Used by one thread."""

    _best: dict[Zone, str] = field(default_factory=dict)
    _differs_t: dict[Zone, float] = field(default_factory=dict)
    _numbers: dict[tuple[str, int], int] = field(default_factory=dict)
    _told: tuple[SeenTile, ...] = ()
    _given: set[int] = field(default_factory=set)
    _next: int = 1
    _size: Observation = field(default_factory=lambda: Observation(0.0, ()))

    def together(self, views: Mapping[str, CameraView], t: float) -> Observation:
        """The table at ``t``, by every camera that sees it now.

        Args:
            views: of the cameras that give pictures; at least one.
        """
        seen = {name: _grounded(view) for name, view in views.items()}
        known = {(name, tile.id) for name, each in seen.items() for tile in each.tiles}
        self._numbers = {key: id for key, id in self._numbers.items() if key in known}
        self._given.clear()
        sizes = (each for each in seen.values() if each.tile_mm != TILE_MM)
        self._size = next(sizes, next(iter(seen.values())))
        tiles: list[SeenTile] = []
        gone: list[OccludedZone] = []
        for zone in _ZONE_POLYGONS:
            found, unavailable = self._zone(zone, seen, t)
            tiles += found
            gone += unavailable
        self._told = tuple(tiles)
        dice = self._best.get(Zone(ZoneKind.DICE), next(iter(seen)))
        told = seen.get(dice, next(iter(seen.values())))
        thrown = () if Zone(ZoneKind.DICE) in {each.zone for each in gone} else told.dice
        mm, layout = self._size.tile_mm, self._size.layout
        partly = frozenset.intersection(*(each.partly_hidden for each in seen.values()))
        return Observation(
            t,
            tuple(tiles),
            thrown,
            told.seen_dice,
            tuple(gone),
            tile_mm=mm,
            layout=layout,
            partly_hidden=partly,
        )

    def _zone(
        self, zone: Zone, seen: Mapping[str, Observation], t: float
    ) -> tuple[list[SeenTile], list[OccludedZone]]:
        gone = {
            name: next((each for each in view.unavailable if each.zone == zone), None)
            for name, view in seen.items()
        }
        able = [name for name, hidden in gone.items() if hidden is None]
        # The camera that tells a zone: the one that did, unless another is surer of it
        names = able or list(seen)
        told = self._best.get(zone)
        most = max(1, *(len(_in(seen[name], zone)) for name in names))
        read = {n: [x for x in _in(seen[n], zone) if x.tile != Tile.UNKNOWN] for n in names}
        scores = {name: sum(x.confidence for x in read[name]) / most for name in names}
        best = max(names, key=lambda name: scores[name])
        if told in scores and scores[best] < scores[told] + BETTER:
            best = told
        self._best[zone] = best
        mine = _in(seen[best], zone)
        others = [name for name in able if name != best]
        if not able:
            # Until the last camera lost sight of it somebody saw it.
            last = max((each for each in gone.values() if each), key=lambda each: each.since_t)
            return [self._numbered(best, tile) for tile in mine], [last]
        if not others:
            self._differs_t.pop(zone, None)
            return [self._numbered(best, tile) for tile in mine], []
        return self._compared(zone, best, others[0], seen, t)

    def _compared(
        self, zone: Zone, best: str, other: str, seen: Mapping[str, Observation], t: float
    ) -> tuple[list[SeenTile], list[OccludedZone]]:
        """The better view of a zone, tile by tile against the other."""
        found = []
        left = [tile for tile in seen[other].tiles if tile.age_s == 0]
        alone = False
        for tile in _in(seen[best], zone):
            match = min(left, key=lambda each: apart_mm(each, tile), default=None)
            if match is None or apart_mm(match, tile) > SAME_TILE_MM * self._size.times:
                alone |= tile.age_s == 0
                found.append(self._numbered(best, tile))
                continue
            left.remove(match)
            told = self._numbered(best, tile)
            self._numbers[other, match.id] = told.id
            found.append(_agreed(told, match))
        alone |= any(tile.zone == zone for tile in left)
        if zone.kind is ZoneKind.DICE:
            alone = seen[best].dice != seen[other].dice
        if not alone or zone.kind not in (*FLAT, ZoneKind.DICE):
            self._differs_t.pop(zone, None)
            return found, []
        since_t = self._differs_t.setdefault(zone, t)
        if 0 <= t - since_t < HASTE_S:
            return found, []
        return found, [OccludedZone(zone, since_t, WhyUnseen.DISPUTED)]

    def _numbered(self, name: str, tile: SeenTile) -> SeenTile:
        """The tile under a number that stays whichever camera tells it."""
        if not tile.id:
            return tile
        number = self._numbers.get((name, tile.id))
        if number is None or number in self._given:  # for a moment each sees it elsewhere
            near = [
                each
                for each in self._told
                if apart_mm(each, tile) <= SAME_PLACE_MM * self._size.times
                and each.id not in self._given
                and not any(
                    camera == name and known == each.id
                    for (camera, _), known in self._numbers.items()
                )
            ]
            if near:
                number = min(near, key=lambda each: apart_mm(each, tile)).id
            else:
                number, self._next = self._next, self._next + 1
            self._numbers[name, tile.id] = number
        self._given.add(number)
        return replace(tile, id=number)


def _grounded(view: CameraView) -> Observation:
    """Tiles where they stand: from aside, a tile's upper side is seen farther out."""
    tiles = []
    for tile in view.observation.tiles:
        times = view.observation.times
        x_mm, y_mm = foot_of(tile.x_mm, tile.y_mm, tile.tile, view.above, times)
        tiles.append(replace(tile, x_mm=x_mm, y_mm=y_mm))
    return replace(view.observation, tiles=tuple(tiles))


def _agreed(tile: SeenTile, other: SeenTile) -> SeenTile:
    """A tile that two cameras see: surely one face, or unread."""
    if other.tile is tile.tile or other.tile is Tile.UNKNOWN or not other.is_clear:
        return tile
    if tile.tile is Tile.UNKNOWN or not tile.is_clear:
        return replace(
            tile, tile=other.tile, confidence=other.confidence, candidates=other.candidates
        )
    shares: dict[Tile, float] = {}
    for each in (tile, other):
        for face, share in each.candidates or ((each.tile, each.confidence),):
            shares[face] = shares.get(face, 0.0) + share / 2
    ranked = tuple(sorted(shares.items(), key=lambda item: -item[1])[:3])
    return replace(tile, tile=Tile.UNKNOWN, confidence=ranked[0][1], candidates=ranked)


def _in(observation: Observation, zone: Zone) -> tuple[SeenTile, ...]:
    return tuple(tile for tile in observation.tiles if tile.zone == zone)


_ZONE_POLYGONS = tuple(zone_polygons(Layout()))
