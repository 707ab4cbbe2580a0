"""What lies under an arm or a glare: it is waited for, asked for late, and asked no more once seen.

No rule of a rule book: nothing may be recorded or asked by what cannot be seen.
"""

from dataclasses import replace

import pytest

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from table_assist.following.claimed_tiles import turned_tile
from table_assist.following.infer import step
from table_assist.game.events import Asked, Discarded, HandStarted
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.from_camera import WITHDRAWN_S
from table_assist.session.late_faces import OTHERWISE_S
from table_assist.session.session import Session
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import M1, events, hand, river, tile
from tests.stages.seen_play import Table as PlayedTable

HIDDEN = OccludedZone(Zone(ZoneKind.RIVER, 0), 0.0, WhyUnseen.HIDDEN)


class Clock:
    t = 0.0


class Table:
    """A table whose camera sees what the test says, at the test's time."""

    def __init__(self) -> None:
        self._clock = Clock()
        self.record = Record(None, lambda: self._clock.t)
        names = ("Ann", "Bo", "Chen", "Du")
        profile = plain_profile(find_rules("changsha"))
        self._session = Session(profile, names, self.record, now=lambda: self._clock.t)
        for content in (WallReady(), BoardDice(0, (1, 2))):
            self.press(content)

    def press(self, content: object) -> None:
        self._session.process(BoardSignal(content, lambda: None))

    def see(self, t: float, *groups: list[SeenTile], hidden: bool = False) -> None:
        self._clock.t = t
        tiles = tuple(tile for group in groups for tile in group)
        unavailable = (HIDDEN,) if hidden else ()
        self._session.process(Observation(t, tiles, unavailable=unavailable))

    @property
    def open(self) -> list[str]:
        return [question.text.en for question in self.record.state.questions]

    @property
    def asked(self) -> int:
        return sum(isinstance(event, Asked) for _, event in self.record.counting)


def test_nothing_is_withdrawn_by_what_cannot_be_seen() -> None:
    table = Table()
    table.see(1.0, river(0, "9p"))
    table.see(2.0, river(0, "8p"))
    table.see(2.0 + OTHERWISE_S, river(0, "8p"))
    for t in (20.0, 20.0 + WITHDRAWN_S):
        table.see(t, river(0, "?"), hidden=True)
    assert len(table.open) == 1


def test_what_a_glare_in_a_part_of_the_river_may_hide_is_recorded_unread() -> None:
    """A lamp that is mirrored on a tile or two hides no zone, and yet the next discard."""
    unread = [Discarded(1, Tile.UNKNOWN), Discarded(2, Tile.M2)]
    before, follower = hand(M1, Discarded(1, Tile.S3), *a_round()), river(2, "9p2m")
    others = (*river(0, "1m5s"), *river(3, "9s"), *follower)
    plain = river(1, "3s")
    glared = Observation(0.0, (*others, *plain), partly_hidden=frozenset({Zone(ZoneKind.RIVER, 1)}))
    wiped_out, gone = [replace(plain[0], tile=Tile.UNKNOWN)], [replace(plain[0], age_s=3.0)]
    for seen in (glared, *(Observation(0.0, (*others, *lying)) for lying in (wiped_out, gone))):
        assert [each.event for each in step(before, seen).proposed] == unread
    assert events(before, [*others, *plain]) == [Discarded(2, Tile.M2)]


def a_round() -> list[Discarded]:
    """Of seats 2, 3 and 0: seat 1 is on turn."""
    return [Discarded(2, Tile.P9), Discarded(3, Tile.S9), Discarded(0, Tile.S5)]


@pytest.mark.parametrize("width", [20.0, 26.0, 33.0])
@pytest.mark.parametrize("turned", [None, 0, 1, 2])
@pytest.mark.parametrize("large", [0.95, 1.08])
def test_the_tile_that_lies_sideways_is_known_whatever_the_tiles_size(
    width: float, turned: int | None, large: float
) -> None:
    """Boxes are larger than tiles by some per cent, those of one row alike."""
    found, right = [], 320.0
    for place, face in enumerate(parse_tiles("678m")):
        side = width * (35 / 26 if place == turned else 1.0)
        seen = tile(face, right - side / 2, 300, 3)
        found.append(replace(seen, width_mm=side * large))
        right -= side + 0.4
    told = Tile.UNKNOWN if turned is None else found[turned].tile
    assert turned_tile(found) is told
    crooked = [replace(found[0], width_mm=found[0].width_mm * 1.12), *found[1:]]
    assert turned_tile(crooked) in (told, Tile.UNKNOWN)


def test_once_a_win_is_declared_no_more_unread_discards_are_recorded() -> None:
    """A thing that is no discard would change how many turns there were."""
    table = Table()
    table.see(1.0, river(0, "?"))
    table.press(KeyPressed(0, Key.WIN))
    table.see(2.0, river(0, "??"), hidden=True)
    assert table.record.state.seats[0].river == (Tile.UNKNOWN,)
    assert table.open == []


def test_a_tile_before_the_next_player_is_of_who_was_on_turn_once_that_one_discards_too() -> None:
    table, hides = PlayedTable("changsha"), frozenset({Zone(ZoneKind.RIVER, 1)})
    table.put(HandStarted(1, "changsha", 0, 55))
    first, astray, second = (
        replace(each, id=n) for n, each in enumerate((*river(0, "1m"), *river(2, "7p5s")), start=1)
    )
    for lying in ((first,), (first, astray), (first, astray, second)):
        for _ in range(4):
            table.t += 0.5
            table.session.process(Observation(table.t, lying, partly_hidden=hides))
    assert [seat.river for seat in table.state.seats[:3]] == [(Tile.M1,), (Tile.P7,), (Tile.S5,)]
    assert table.asked == []
