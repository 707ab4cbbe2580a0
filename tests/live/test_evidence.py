"""Evidence at a real table: camera, eyes, photographer, file, and what the pages show of it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware_bridge.events import DiceReport, Key, KeyPressed, WallReady
from firmware_bridge.receiver import EventsLost
from table_assist.game.events import Claimed, WinDeclared
from table_assist.languages.words import same
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import EndHand, Insert
from table_assist.record.evidence import Evidence
from table_assist.record.snapshot import has_secret
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.settings.config import BoardConfig
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.lens import Lens
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.upkeep.demo import demo_config, make_renderer
from table_assist.vision.pictures.camera import Camera
from table_assist.vision.pictures.picture import Image
from table_assist.vision.pictures.sources import SourceKind
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.placement_history import HELD_S
from web.access.roles import LOCAL_VIEWER, Role, Viewer
from web.view.secrecy import shown_evidence, shown_picture

RULES = find_rules("changchun")
STRAIGHT = Lens(size_wh=(1280, 720), px_per_mm=0.8)
# What lies in the wall is now where the river was.
MOVED = replace(STRAIGHT, aim_mm=(0.0, -60.0))
BUMP_MM = 55.0
PERIOD_S = 0.2
CLOTH = 130  # grey level: the cloth is darker, a tile's ivory is lighter
SETTLED_S = 4.0  # a move is noticed and fitted within two seconds, and certain after HELD_S more
READY_SEAT = 1
# The lifted indicator lies in a wall; what everybody may see, in the river across.
SECRET_MM, OPEN_MM = (130.0, -250.0), (0.0, 150.0)
RIVER = tuple(
    PlacedTile(tile, x_mm, -150.0)
    for tile, x_mm in zip((Tile.M1, Tile.P5, Tile.S9, Tile.M4), (-100, -70, -40, -10), strict=True)
)
OTHERS = tuple(
    PlacedTile(tile, x_mm, 150.0, 180.0)
    for tile, x_mm in zip((Tile.M7, Tile.P2, Tile.S3, Tile.P8), (-60, -30, 0, 30), strict=True)
)
SECRET = PlacedTile(Tile.S5, *SECRET_MM)


class Above:
    """The simulated table's camera, whose place and table can be pushed."""

    def __init__(self) -> None:
        self.lens = STRAIGHT
        self.scene = Scene(RIVER + OTHERS)
        self._drawn: dict[tuple[Lens, Scene], Image] = {}
        noise = np.random.default_rng(1)
        self._noise = cycle(noise.integers(0, 4, (5, 720, 1280, 3), np.uint8))

    def read(self) -> Image:
        key = self.lens, self.scene
        if key not in self._drawn:
            self._drawn[key] = make_renderer(RULES, seed=1, lens=self.lens).picture(self.scene)
        drawn = self._drawn[key]
        return np.asarray(cv2.add(drawn, next(self._noise)), np.uint8)

    def bump(self) -> None:
        tiles = tuple(replace(tile, y_mm=tile.y_mm + BUMP_MM) for tile in self.scene.tiles)
        self.scene = replace(self.scene, tiles=tiles)


class Table:
    """A live table without threads of its own, on a clock of its own."""

    def __init__(self, folder: Path, reader: Reader) -> None:
        self.t = 1000.0
        self.above = Above()
        kind = SourceKind(lambda: self.above, same("the camera"), is_live=True)
        config = demo_config(STRAIGHT, port="", log=folder / "log.sqlite", rules=RULES)
        config = replace(config, board=BoardConfig())
        self._camera = Camera(kind, stale_s=config.camera.stale_s, now=lambda: self.t)
        self.live = LiveTable(config, camera=self._camera, reader=reader, now=lambda: self.t)
        self._step_t = self.t

    def pass_time(self, seconds: float) -> Iterator[None]:
        """Every picture of so many seconds."""
        ends = self.t + seconds
        while self.t < ends:
            self.t += PERIOD_S
            if self.t >= self._step_t:
                self._step_t = self.t + self._camera.step()
            self.live.eyes.watch_once(0.0)
            self.live.session.drain()
            yield

    def hear(self, *contents: object) -> None:
        for content in contents:
            self.live.session.process(BoardSignal(content))  # type: ignore[arg-type]

    def doubt(self) -> str:
        """Something is asked; the id of its picture."""
        known = set(self.live.snapshot.evidence)
        self.hear(EventsLost(1 + len(known)))
        ((_, id),) = set(self.live.snapshot.evidence) - known
        return id

    def seen(self, id: str, viewer: Viewer = LOCAL_VIEWER) -> Evidence:
        found = shown_evidence(self.live, id, viewer)
        assert found is not None
        return found


@pytest.fixture
def table(tmp_path: Path, reader: Reader) -> Iterator[Table]:
    """Seat 1 is ready, and has turned a tile up."""
    table = Table(tmp_path, reader)
    run(table.pass_time(2.0))
    table.hear(WallReady(), DiceReport(0, (1, 2)))
    # A closed hand may not be declared ready, and its phone would not be shown the treasure.
    pung = Claimed(READY_SEAT, MeldKind.PUNG, (Tile.P5,) * 3, 0)
    table.live.session.put_command(Insert(0, pung))
    table.hear(KeyPressed(READY_SEAT, Key.READY))
    assert has_secret(table.live.snapshot)
    table.above.scene = Scene((*RIVER, *OTHERS, SECRET))
    run(table.pass_time(SETTLED_S))
    yield table
    table.live.close()


def run(pictures: Iterator[None]) -> None:
    for _ in pictures:
        pass


def light(jpeg: bytes | None, lens: Lens, x_mm: float, y_mm: float) -> float:
    """How light it is around a place of the table; 0 where there is no picture."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE) if jpeg else None
    if image is None:
        return 0.0
    x, y = (round(each) for each in lens.project(x_mm, y_mm))
    return float(np.asarray(image)[y - 12 : y + 13, x - 10 : x + 11].max())


def tells(jpeg: bytes | None) -> bool:
    """Whether the secret can be seen, wherever the camera and the table are."""
    x_mm, y_mm = SECRET_MM
    places = ((STRAIGHT, y_mm), (MOVED, y_mm), (STRAIGHT, y_mm + BUMP_MM))
    return any(light(jpeg, lens, x_mm, place_mm) > CLOTH for lens, place_mm in places)


def test_the_secret_is_in_the_picture_and_shown_to_nobody(table: Table) -> None:
    plain = table.live.eyes.picture()
    assert plain is not None
    assert light(plain, STRAIGHT, *SECRET_MM) > CLOTH
    assert tells(plain)
    id = table.doubt()
    assert table.seen(id).jpeg == b""  # it may turn out that the table lay elsewhere
    run(table.pass_time(HELD_S + 1.0))
    for shown in (table.seen(id).jpeg, shown_picture(table.live, LOCAL_VIEWER)):
        assert not tells(shown)
        assert light(shown, STRAIGHT, *OPEN_MM) > CLOTH
    # Who is ready knows it, and sees no more: the others' hands are in the picture, too.
    ready = Viewer(Role.SEAT, READY_SEAT)
    assert not tells(table.seen(id, ready).jpeg)
    assert not tells(shown_picture(table.live, ready))
    kept = table.live.evidence(id)
    assert kept is not None
    assert tells(kept.jpeg)


@pytest.mark.parametrize("pushed", ["camera", "table"])
def test_a_push_in_mid_hand_shows_the_secret_in_no_picture_before_or_after(
    table: Table, pushed: str
) -> None:
    before = table.doubt()
    run(table.pass_time(HELD_S + 1.0))
    just_before = table.doubt()
    if pushed == "camera":
        table.above.lens = MOVED
    else:
        table.above.bump()
    pictures = []
    for number, _ in enumerate(table.pass_time(SETTLED_S)):
        assert not tells(shown_picture(table.live, LOCAL_VIEWER))
        if number % 2 == 0:
            pictures.append(table.doubt())
    after = table.doubt()
    for _ in table.pass_time(HELD_S + 1.0):
        assert not tells(shown_picture(table.live, LOCAL_VIEWER))
    for id in (before, just_before, *pictures, after):
        assert not tells(table.seen(id).jpeg), id
    # By its own place each, and nothing where it was not certain.
    assert light(table.seen(before).jpeg, STRAIGHT, *OPEN_MM) > CLOTH
    assert table.seen(just_before).jpeg == b""
    if pushed == "camera":  # a bumped table is found in the very picture
        assert table.seen(pictures[0]).jpeg == b""
    x_mm, y_mm = OPEN_MM
    lens, y_mm = (MOVED, y_mm) if pushed == "camera" else (STRAIGHT, y_mm + BUMP_MM)
    for shown in (table.seen(after).jpeg, shown_picture(table.live, LOCAL_VIEWER)):
        assert light(shown, lens, x_mm, y_mm) > CLOTH


def test_a_restart_forgets_where_the_table_lay_and_shows_nothing_of_it(
    table: Table, tmp_path: Path, reader: Reader
) -> None:
    id = table.doubt()
    run(table.pass_time(HELD_S + 1.0))
    assert table.seen(id).jpeg
    table.live.close()
    again = Table(tmp_path, reader)
    try:
        again.t = table.t + 5.0
        run(again.pass_time(HELD_S + 1.0))
        assert has_secret(again.live.snapshot)
        assert again.seen(id).jpeg == b""
        kept = again.live.evidence(id)
        assert kept is not None
        assert tells(kept.jpeg)
    finally:
        again.live.close()


def test_a_crop_is_cut_from_what_may_be_seen(table: Table) -> None:
    table.hear(KeyPressed(0, Key.WIN))
    declared = next(e for e in table.live.snapshot.entries if isinstance(e.event, WinDeclared))
    id = f"e{declared.seq}"
    run(table.pass_time(HELD_S + 1.0))
    crop = table.seen(id).crop
    image = cv2.imdecode(np.frombuffer(crop, np.uint8), cv2.IMREAD_COLOR) if crop else None
    assert image is None or not np.asarray(image).any()


PLAYERS = (Viewer(Role.SEAT, 0), Viewer(Role.SEAT, 2), Viewer(Role.SCORER))
REFEREE = Viewer(Role.REFEREE)
HELD_MM = (40.0, -366.0)  # in the hand of seat 0


@pytest.fixture
def playing(tmp_path: Path, reader: Reader) -> Iterator[Table]:
    """A hand without a secret, and seat 0's tiles where the camera sees their faces."""
    table = Table(tmp_path, reader)
    held = [PlacedTile(tile, HELD_MM[0] + 28 * n, HELD_MM[1]) for n, tile in enumerate(HELD)]
    table.above.scene = Scene((*RIVER, *OTHERS, *held))
    run(table.pass_time(2.0))
    table.hear(WallReady(), DiceReport(0, (1, 2)))
    assert not has_secret(table.live.snapshot)
    run(table.pass_time(HELD_S + 1.0))
    yield table
    table.live.close()


HELD = (Tile.S3, Tile.S4, Tile.M9)


def held_is_seen(jpeg: bytes | None) -> bool:
    return light(jpeg, STRAIGHT, *HELD_MM) > CLOTH


def test_no_player_sees_anothers_tiles_in_a_picture_of_the_running_hand(playing: Table) -> None:
    assert held_is_seen(playing.live.eyes.picture())
    id = playing.doubt()
    for who in PLAYERS:
        assert playing.seen(id, who).jpeg == b""  # it may turn out that the table lay elsewhere
    run(playing.pass_time(HELD_S + 1.0))
    for who in PLAYERS:
        for shown in (shown_picture(playing.live, who), playing.seen(id, who).jpeg):
            assert not held_is_seen(shown)
            assert light(shown, STRAIGHT, *OPEN_MM) > CLOTH
        assert playing.seen(id, who).readings == "{}"
    for shown in (shown_picture(playing.live, REFEREE), playing.seen(id, REFEREE).jpeg):
        assert held_is_seen(shown)
    assert "S" in playing.seen(id, REFEREE).readings.upper()


def test_a_crop_shows_a_concealed_hand_to_its_own_seat_alone(playing: Table) -> None:
    """Who says that somebody wins has the hand cut out: at once, before anybody laid it open."""
    playing.hear(KeyPressed(0, Key.WIN))
    declared = next(e for e in playing.live.snapshot.entries if isinstance(e.event, WinDeclared))
    id = f"e{declared.seq}"
    lightest = {
        who: int(cv2.imdecode(np.frombuffer(playing.seen(id, who).crop, np.uint8), 0).max())
        for who in (*PLAYERS, REFEREE)
    }
    own, other, scorer, referee = lightest.values()
    assert min(own, referee) > CLOTH
    assert max(other, scorer) < CLOTH


def test_when_the_hand_is_over_everybody_sees_all_of_it(playing: Table) -> None:
    id = playing.doubt()
    playing.live.session.put_command(EndHand())
    playing.live.session.drain()
    assert not playing.live.snapshot.state.is_running
    for who in PLAYERS:
        assert held_is_seen(playing.seen(id, who).jpeg)
