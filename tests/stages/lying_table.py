"""What lies on the table in a state of the game, for eyes that make no mistake.

Hands must be followed in the state. Places are those of the layout that the zones are made for.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from random import Random

from table_assist.following.indicators import stack_mm
from table_assist.game.in_force import rules_in_force
from table_assist.game.places import indicator, opened
from table_assist.game.state import Phase, TableState
from table_assist.rules.wall import WallPlace, stack_after, stacks_of
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import Layout, ZoneKind, from_seat, zone_at

PITCH, WIDTH = 26.4, 26.0
HAND_D, MELDS_D, WALL_D, RIVER_D = 362.0, 300.0, 247.0, 98.0
# Pictures in which everything was seen already.
SEEN = 9


@lru_cache(20_000)
@cache
def seen(face: Tile, x: float, y: float) -> SeenTile:
    zone = zone_at(x, y, Layout())
    assert zone.kind is not ZoneKind.ELSEWHERE, (face, x, y)
    return SeenTile(face, 1.0, x, y, WIDTH, zone, ((face, 1.0),), SEEN)


@lru_cache(20_000)
@cache
def at_seat(face: Tile, r: float, d: float, seat: int) -> SeenTile:
    return seen(face, *from_seat(r, d, seat))


@lru_cache(20_000)
def _stack_spot(
    stacks: tuple[int, int, int, int], first: WallPlace, steps: int
) -> tuple[float, float]:
    place = stack_after(stacks, first, steps)
    return stack_mm(stacks, place.seat, place.stack)


class LyingTable:
    """The table of one hand, as the truth of its states says.

    Args:
        heap: discards lie in a heap in the middle.
    """

    def __init__(self, *, heap: bool = False, seed: int = 0) -> None:
        self.heap = heap
        self._random = Random(seed)
        self._thrown: dict[tuple[int, int], tuple[float, float]] = {}
        self.open_hands: dict[int, tuple[tuple[Tile, ...], Tile | None]] = {}
        self.turned_up: list[SeenTile] = []

    def clear(self) -> None:
        """Everything goes into the machine."""
        self._thrown.clear()
        self.open_hands.clear()
        self.turned_up.clear()

    def tiles(self, state: TableState) -> tuple[SeenTile, ...]:
        """All that is seen."""
        found = list(self.turned_up)
        for seat in range(4):
            found += self._hand(state, seat)
            found += self._open(state, seat)
            found += self._river(state, seat)
        found += self._birds(state)
        found += self._wall(state)
        return tuple(found)

    def observation(self, state: TableState, t: float, dice: tuple[int, ...] = ()) -> Observation:
        tiles = self.tiles(state) if state.is_running else ()
        return Observation(t, tiles, tuple(sorted(dice)))

    def _hand(self, state: TableState, seat: int) -> Iterator[SeenTile]:
        if seat in self.open_hands:
            faces, apart = self.open_hands[seat]
            for place, face in enumerate(faces):
                yield at_seat(face, -307 + PITCH * place, HAND_D, seat)
            if apart is not None:
                yield at_seat(apart, -307 + PITCH * len(faces) + 20, HAND_D, seat)
            return
        for place in range(len(state.seats[seat].concealed or ())):
            yield at_seat(Tile.BACK, -307 + PITCH * place, HAND_D, seat)

    def _open(self, state: TableState, seat: int) -> Iterator[SeenTile]:
        right = 325.0
        rules = rules_in_force(state)
        lying = rules.lying(rules.chosen)
        for meld in state.seats[seat].melds:
            tiles = lying.faces(meld)
            if meld.kind is MeldKind.KONG_CONCEALED:
                shows = lying.concealed_kong_up[0]
                tiles = (Tile.BACK, *meld.tiles[:shows], *(Tile.BACK,) * (3 - shows))
            for face in tiles:
                yield at_seat(face, right - WIDTH / 2, MELDS_D, seat)
                right -= PITCH
            right -= 8
        for place, face in enumerate(state.seats[seat].bonus):
            yield at_seat(face, -261 + PITCH * place, MELDS_D, seat)

    def _wall(self, state: TableState) -> Iterator[SeenTile]:
        """The stacks that stand, those of which the top is turned up left out."""
        open_at = opened(state)
        if open_at is None:
            return
        stacks = stacks_of(rules_in_force(state), state.dealer)
        up = {(tile.x_mm, tile.y_mm) for tile in self.turned_up}
        first = state.wall.from_front // 2
        for stack in range(first, sum(stacks) - state.wall.from_tail // 2):
            spot = _stack_spot(stacks, open_at.first_draw, stack)
            if spot not in up:
                yield seen(Tile.BACK, *spot)

    def _river(self, state: TableState, seat: int) -> Iterator[SeenTile]:
        river = state.seats[seat].river
        for gone in [key for key in self._thrown if key[0] == seat and key[1] >= len(river)]:
            del self._thrown[gone]
        for place, face in enumerate(river):
            if self.heap:
                yield seen(face, *self._place_in_heap(seat, place))
            else:
                row, column = divmod(place, 6)
                row, column = (row, column) if row < 4 else (3, place - 18)
                yield at_seat(face, -65 + 26 * column, RIVER_D + 35.5 * row, seat)

    def _place_in_heap(self, seat: int, place: int) -> tuple[float, float]:
        known = self._thrown.get((seat, place))
        while known is None:
            x, y = self._random.uniform(-218, 218), self._random.uniform(-218, 218)
            far = all(abs(x - a) + abs(y - b) > 30 for a, b in self._thrown.values())
            if max(abs(x), abs(y)) >= 84 and far:
                known = self._thrown[seat, place] = (x, y)
        return known

    def _birds(self, state: TableState) -> Iterator[SeenTile]:
        if state.phase not in (Phase.SHOWING, Phase.SETTLED):
            return
        for place, face in enumerate(state.birds):
            yield seen(face, 30, (20, -25, 60, -62)[place])

    def turn_up_aside(self, face: Tile, number: int) -> None:
        """Turn up what was looked at and lies in the middle, the so-manyth from 0."""
        row, place = divmod(number, 4)
        self.turned_up.append(seen(face, 30 - 40 * row, (20, -25, 60, -62)[place]))

    def turn_up(self, state: TableState, face: Tile, column: int) -> None:
        """Turn the top tile of a column of the wall, counted from its tail now."""
        assert opened(state) is not None
        spot = indicator(state, column)
        assert spot is not None
        stacks = stacks_of(rules_in_force(state), state.dealer)
        self.turned_up.append(seen(face, *stack_mm(stacks, spot.place.seat, spot.place.stack)))
