"""Where hardly a discard can be read, people are told what to do, and are not asked about each."""

from itertools import cycle, islice

import pytest

from firmware_bridge.events import DiceReport, WallReady
from table_assist.following.legible import Legibility
from table_assist.game.events import Discarded
from table_assist.game.question import QuestionKind
from table_assist.game.state import TableState
from table_assist.languages.words import Words
from table_assist.record.record import Record
from table_assist.record.snapshot import SourceHealth
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation
from tests.following.test_infer import hand, river

ALL = "1m2p3s4m5p6s7m8p9s2m3p4s5m6p7s8m9p1s"


class Table:
    """Tiles are discarded in turn, each as the camera reads it."""

    def __init__(self) -> None:
        self._t = 0.0
        self.record = Record(None, lambda: self._t)
        profile = plain_profile(find_rules("changsha"))
        names = ("Ann", "Bo", "Chen", "Du")
        self.session = Session(profile, names, self.record, now=lambda: self._t)
        for content in (WallReady(), DiceReport(0, (1, 2))):
            self.hear(content)
        self.session.process(SourceHealth("camera", "live"))
        self.rivers = [""] * 4

    def hear(self, content: object) -> None:
        self.session.process(BoardSignal(content, lambda: None))  # type: ignore[arg-type]

    def discard(self, *tiles: str) -> None:
        for tile in tiles:
            seat = sum(len(parse_tiles(row)) for row in self.rivers) % 4
            self.rivers[seat] += tile
            for _ in range(2):
                self.see(1.0)

    def see(self, seconds: float) -> None:
        self._t += seconds
        lying = [tile for seat in range(4) for tile in river(seat, self.rivers[seat])]
        self.session.process(Observation(self._t, tuple(lying)))

    def wait(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            self.see(1.0)

    @property
    def asked(self) -> list[QuestionKind]:
        return [question.question.kind for question in self.record.state.questions]

    @property
    def told(self) -> Words:
        (camera,) = (each for each in self.session.snapshot.health if each.name == "camera")
        return camera.says


def faces(count: int) -> list[str]:
    return [ALL[i : i + 2] for i in range(0, 2 * count, 2)]


def hopeless(count: int = 12) -> Table:
    """Of every three discards one is read."""
    table = Table()
    table.discard(*(face if i % 3 == 0 else "?" for i, face in enumerate(faces(count))))
    return table


def test_a_table_whose_discards_are_hardly_read_is_told_once_with_its_figure() -> None:
    table = hopeless()
    table.wait(24)
    assert table.told.en.startswith("8 of 12 discards cannot be read: give more light")
    assert "enrol" in table.told.en
    assert table.told.zh.startswith("12 张弃牌中有 8 张认不出")
    river = [tile for seat in table.record.state.seats for tile in seat.river]
    assert river.count(Tile.UNKNOWN) == 8, "the record says that they are not known"
    assert table.asked == []


def test_what_can_be_read_again_is_filled_in_quietly() -> None:
    table = hopeless()
    table.rivers = ["".join(face for face in islice(faces(12), seat, None, 4)) for seat in range(4)]
    table.rivers[3] = table.rivers[3][:-2] + "?"
    table.wait(18)
    assert table.told == Words("", "")
    assert table.asked == []


def lying(unread: int, read: int) -> TableState:
    """Discards in turn, those that are not read first."""
    tiles = [Tile.UNKNOWN] * unread + list(parse_tiles(ALL)[:read])
    return hand(*(Discarded(s, t) for s, t in zip(cycle(range(4)), tiles, strict=False)))


@pytest.mark.parametrize(
    ("unread", "read", "told"),
    [(5, 0, False), (2, 4, False), (3, 3, True), (3, 9, True), (3, 10, False), (1, 17, False)],
)
def test_a_few_unread_discards_are_no_sign_of_a_hopeless_table(
    unread: int, read: int, told: bool
) -> None:
    legibility = Legibility()
    legibility.update(lying(unread, read))
    assert legibility.too_many_unread is told
    assert bool(legibility.words.en) is bool(legibility.words.zh) is told


def test_it_stays_so_into_the_next_hand_until_clearly_more_is_read() -> None:
    legibility = Legibility()
    legibility.update(lying(6, 6))
    for unread, read, told in ((0, 3, True), (2, 10, True), (1, 8, False), (2, 10, False)):
        legibility.update(lying(unread, read))
        assert legibility.too_many_unread is told
