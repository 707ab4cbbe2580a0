"""Washing and stacking while a hand is thought to run: then nothing that lies there is play.

A hand may be given up, or end unseen, without anybody saying so. What tells washing from play:
tiles lie face down among the discards, many new ones come there at once, or the recorded ones are
no more among those that do. One such picture may be a misreading; after two of them nothing counts
as play until the table has been calm for a while, whatever single pictures look like.
"""

from collections import Counter

from table_assist.following.as_it_lies import FEW_DISCARDS
from table_assist.following.opening import has_begun
from table_assist.following.seen_table import (
    MISSED_AT_MOST,
    REST_PICTURES,
    TableSight,
    piece_of_wall,
    recorded_melds,
)
from table_assist.game.doubt import Doubt
from table_assist.game.events import HandAbandoned
from table_assist.game.in_force import rules_in_force
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.game.state import SEATS, TableState
from table_assist.game.turn import thrown
from table_assist.languages.words import NOTHING, Words
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SURE_PICTURES, Observation, SeenTile
from table_assist.vision.table.zones import LYING, ZoneKind

# More new discards between two pictures cannot be told apart.
STEPS_AT_MOST = 8
# So many tiles face down among the discards: nobody who plays lays them so. Nearer to the wall
# than this they may be the wall's, where the table or the camera was bumped.
WASHED_TILES, FROM_WALL_MM = 4, 50.0
# So many faces that have come to lie in the rivers and among the melds within so few pictures.
NEW_AT_MOST, NEW_PICTURES = 10, 3
# The table must lie as recorded for so long before it is believed again ...
CALM_AFTER_WASH_S = 3.0
# ... and is washed for so long before people are asked whether the hand is over.
ASKED_S = 6.0


def is_washed(state: TableState, sight: TableSight) -> bool:
    """Whether tiles lie among the discards as nobody who plays lays them."""
    observation = sight.observation
    away = observation.layout.river - FROM_WALL_MM * observation.times
    down = sum(
        _lies_down(tile, away) and tile not in piece_of_wall(observation, seat)
        for seat in SEATS
        for tile in observation.in_zone(ZoneKind.RIVER, seat)
    )
    recorded = thrown(state)
    fresh = len(sight.thrown) - len(recorded)
    coming = sum(tile.pictures < REST_PICTURES for tile in sight.thrown)
    gone = _gone(recorded, sight)
    return (
        down >= WASHED_TILES
        or (fresh > STEPS_AT_MOST and coming > FEW_DISCARDS)
        or gone > max(MISSED_AT_MOST, len(recorded) // 2)
        or _new(state, sight) > NEW_AT_MOST
    )


def _lies_down(tile: SeenTile, away_mm: float) -> bool:
    """Whether it is seen now to lie face down in the middle, and away from the walls."""
    from_centre = max(abs(tile.x_mm), abs(tile.y_mm))
    is_seen = tile.age_s == 0 and tile.pictures >= SURE_PICTURES and tile.is_clear
    return is_seen and tile.tile is Tile.BACK and from_centre < away_mm


def _gone(recorded: tuple[Tile, ...], sight: TableSight) -> int:
    """How many recorded faces lie there no more; an unread tile may be any of them."""
    faces = Counter(tile for tile in recorded if tile.is_face)
    seen = Counter(tile.tile for tile in sight.thrown)
    return max((faces - seen).total() - seen[Tile.UNKNOWN], 0)


def _new(state: TableState, sight: TableSight) -> int:
    """How many faces have just come to lie there that are no recorded ones."""
    known = Counter(thrown(state))
    for seat in SEATS:
        known.update(tile for _, tiles in recorded_melds(state, seat) for tile in tiles)
        known.update(state.seats[seat].bonus)
    new: Counter[Tile] = Counter(
        seen.tile
        for seen in sight.observation.tiles
        if seen.zone.kind in LYING
        and seen.tile is not Tile.BACK  # a wall's or a hand's, where the table was bumped
        and seen.pictures <= NEW_PICTURES
        and seen.age_s == 0
    )
    return (new - known).total()


class WashWatch:
    """Remembers that tiles are being washed, over moments in which it does not look like it."""

    def __init__(self) -> None:
        self._hand = 0
        self._pictures = 0
        self._since_t: float | None = None
        self._calm_t: float | None = None

    def update(
        self, state: TableState, observation: Observation, *, washed: bool, covered: bool
    ) -> bool:
        """Take a picture in; whether what it shows is to be left alone.

        Args:
            washed: it looks like washing.
            covered: much of what must lie there is not seen.
        """
        if state.hand != self._hand or _is_exchanging(state):
            self._hand, self._pictures, self._since_t = state.hand, 0, None
            washed = washed and not _is_exchanging(state)
        t = observation.t
        if washed:
            self._pictures += 1
            self._calm_t = None
            if self._pictures >= SURE_PICTURES and self._since_t is None:
                self._since_t = t
        elif not covered and observation.can_see(ZoneKind.RIVER):  # what is hidden is not calm
            self._calm_t = t if self._calm_t is None else self._calm_t
            if self._since_t is None or t - self._calm_t >= CALM_AFTER_WASH_S:
                self._pictures, self._since_t = 0, None
        return self._since_t is not None

    def asks(self, t: float) -> bool:
        """Whether it has lasted long enough to ask people about it."""
        return self._since_t is not None and t - self._since_t >= ASKED_S


def _is_exchanging(state: TableState) -> bool:
    """Before anybody plays tiles lie face down in the middle, to be passed on."""
    exchange = rules_in_force(state).exchange if state.is_running else None
    return exchange is not None and not has_begun(state)


class UnbegunWatch:
    """Remembers how few tiles lay among the discards since the last hand: more are played now."""

    def __init__(self) -> None:
        self._fewest: int | None = None
        self._since_t: float | None = None

    def update(self, state: TableState, observation: Observation) -> Words:
        """What people are told where tiles are played and no hand runs; else nothing."""
        river = observation.in_zone(ZoneKind.RIVER)
        lying = sum(each.tile.is_face and each.pictures >= REST_PICTURES for each in river)
        known = 0 if state.hand == 0 else lying if self._fewest is None else self._fewest
        self._fewest = None if state.is_running else min(known, lying)
        away = observation.layout.river - FROM_WALL_MM * observation.times
        is_mixed = sum(_lies_down(each, away) for each in river) >= WASHED_TILES
        if state.is_running or is_mixed or lying - known <= FEW_DISCARDS:
            self._since_t = None
        elif self._since_t is None:
            self._since_t = observation.t
        is_sure = self._since_t is not None and observation.t - self._since_t >= ASKED_S
        return _UNBEGUN if is_sure else NOTHING


_UNBEGUN = Words(
    "Tiles are played, and no hand runs. Say who deals: it is taken as it lies.",
    "正在打牌，但没有开局。请说明谁坐庄：将按桌面现状记录。",
)


def over_doubt(hand: int) -> Doubt:
    """The tiles are being washed: is the hand over?"""
    text = Words(
        "The tiles look as if they were being washed. Is the hand over? Until that is said or they "
        "lie as before, nothing is recorded.",
        "看起来正在洗牌。本局结束了吗? 在回答或牌面恢复之前不作记录。",
    )
    return Doubt(QuestionId(hand, QuestionKind.WASHED), text, if_yes=HandAbandoned())
