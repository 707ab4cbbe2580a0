"""Where belief and table part: what failed first is told apart, and each failed hand has a page."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.live.pages import PageAlbum
from bench.live.partings import Cause, Still, cause_of, packed, partings, unpacked
from table_assist.game.events import WinDeclared
from table_assist.tiles.tile import Tile
from table_assist.twin.demo.compare import HandFigures
from table_assist.twin.lens import Lens, askew
from table_assist.twin.scene import PlacedTile, Pose, Scene
from table_assist.twin.steps import TableStep
from table_assist.vision.reading.readings import Readings, box_readings
from table_assist.vision.reading.recognise import Candidate, Name
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.viewpoint import viewpoint
from table_assist.vision.table.zones import Zone, ZoneKind

SIDE = 800
WHERE = Calibration(((0, SIDE), (SIDE, SIDE), (SIDE, 0), (0, 0)))
RIVER = Zone(ZoneKind.RIVER, 0)
AT = (0.0, -130.0)
LIES = PlacedTile(Tile.P5, *AT)


class Reading:
    """Reads the one tile that lies there as this; None: as nothing."""

    def __init__(self, label: str | None) -> None:
        self._label = label

    def read(self, image: np.ndarray, *, of_a_table: bool) -> Readings:
        left, top = AT[0] - 13 + SIDE / 2, SIDE / 2 - AT[1] - 17
        label = self._label or "back"
        names = [Name(label, 0.99, (Candidate(label, 0.99),))] * (self._label is not None)
        boxes = np.array([(left, top, left + 26, top + 35)] * len(names), np.float32)
        return box_readings((SIDE, SIDE), boxes.reshape(-1, 4), names)


def seen(tile: Tile) -> SeenTile:
    return SeenTile(tile, 0.99, *AT, 26.0, RIVER)


def stills(*believed: Tile | None, lies: bool = True, hidden: bool = False) -> list[Still]:
    gone = (OccludedZone(RIVER, 0.0, WhyUnseen.HIDDEN),) if hidden else ()
    blank = packed(np.full((SIDE, SIDE, 3), 90, np.uint8))
    return [
        Still(
            number,
            float(number),
            "a step",
            Scene((LIES,) if lies else ()),
            blank,
            Observation(float(number), () if tile is None else (seen(tile),), unavailable=gone),
            WHERE,
        )
        for number, tile in enumerate(believed, start=1)
    ]


@pytest.mark.parametrize(
    ("label", "hidden", "cause"),
    [
        ("5p", False, Cause.MEMORY),
        ("5p", True, Cause.HIDDEN),
        ("6p", False, Cause.READER),
        (None, True, Cause.READER),
    ],
)
def test_what_failed_first_is_told_by_the_whole_still(
    label: str | None, hidden: bool, cause: Cause
) -> None:
    found = partings(stills(Tile.P5, None, None, hidden=hidden), Reading(label))  # type: ignore[arg-type]
    (parting,) = found
    assert (parting.first, parting.steps, parting.cause) == (2, 2, cause)
    assert (parting.lies, parting.believed) == (Tile.P5, None)
    assert cause_of(found) is cause


def test_what_is_named_but_not_surely_is_no_fault_of_memory() -> None:
    """The still has other noise: there it may be just sure enough."""
    unsure = replace(seen(Tile.UNKNOWN), candidates=((Tile.P5, 0.86), (Tile.P6, 0.14)))
    kept = [
        replace(still, observation=Observation(still.t, (unsure,))) for still in stills(None, None)
    ]
    (parting,) = partings(kept, Reading("5p"))  # type: ignore[arg-type]
    assert (parting.believed, parting.cause) == (Tile.UNKNOWN, Cause.UNSURE)


def test_a_camera_askew_sees_a_tile_beside_its_foot() -> None:
    lens = askew(Lens(), 35.0)
    where, size_wh = Calibration(lens.corners_px()), lens.size_wh
    above = viewpoint(where, size_wh)
    assert above is not None
    top = lens.project(*AT, LIES.size_mm[2])
    x, y = (float(value) for value in where.to_table(np.array([top], np.float32))[0])
    assert np.hypot(x - AT[0], y - AT[1]) > 10
    assert above.seen_at(*AT, LIES.size_mm[2]) == pytest.approx((x, y), abs=1.5)
    assert above.below(*above.seen_at(*AT, 20.0), 20.0) == pytest.approx(AT)
    believed = replace(seen(Tile.P5), x_mm=x, y_mm=y)
    askew_stills = [
        replace(still, observation=Observation(still.t, (believed,)), where=where, above=above)
        for still in stills(Tile.P5, Tile.P5, Tile.P5)
    ]
    assert partings(askew_stills, Reading("5p")) == []  # type: ignore[arg-type]


def test_what_is_only_late_is_no_parting() -> None:
    found = partings(stills(None, Tile.P5, Tile.UNKNOWN, Tile.P5), Reading("5p"))  # type: ignore[arg-type]
    assert found == []
    assert cause_of(found) is Cause.AFTERWARDS


def test_a_ghost_is_a_parting_but_not_beside_standing_tiles() -> None:
    (ghost,) = partings(stills(Tile.M1, Tile.M1, lies=False), Reading(None))  # type: ignore[arg-type]
    assert (ghost.lies, ghost.believed, ghost.cause) == (None, Tile.M1, Cause.MEMORY)
    hand, x, y = Zone(ZoneKind.HAND, 0), 0.0, -360.0
    standing = Scene((PlacedTile(Tile.P5, 100.0, y, pose=Pose.STANDING),))
    observation = Observation(1.0, (SeenTile(Tile.WHITE, 0.99, x, y, 26.0, hand),))
    closed = [
        replace(still, scene=standing, observation=observation)
        for still in stills(None, None, lies=False)
    ]
    assert partings(closed, Reading(None)) == []  # type: ignore[arg-type]


class _Eyes:
    """One picture and what is believed with it."""

    latest = (np.full((SIDE, SIDE, 3), 90, np.uint8), Observation(1.0, ()))
    calibration = WHERE
    hidden_cells = np.zeros((100, 100), np.bool_)

    @property
    def observer(self) -> "_Eyes":
        return self


FIGURES = HandFigures("changsha", 7, 1, (3, -1, -1, -1), None, 2, 1, ("gone",), (), ())


def album(folder: Path) -> PageAlbum:
    made = PageAlbum(folder, _Eyes(), Reading("5p"), lambda figures: "the command")  # type: ignore[arg-type]
    for _ in range(2):
        made.keep(
            TableStep(1, Scene((LIES,)), "Seat 1 <wins>.", 1.0, events=(WinDeclared(0),)), 1.0
        )
    return made


def test_each_hand_that_was_not_right_has_a_page_that_needs_nothing_else(tmp_path: Path) -> None:
    assert album(tmp_path / "pages").end(FIGURES) is Cause.MEMORY
    (page,) = (tmp_path / "pages").iterdir()
    text = page.read_text(encoding="utf-8")
    assert page.name == "changsha-7-1.html"
    for part in (Cause.MEMORY, "the command", "gone", "Seat 1 &lt;wins&gt;.", "lies 5p"):
        assert part in text
    assert text.count("data:image/jpeg;base64,") == 2
    assert "http" not in text


def test_a_hand_that_was_right_has_none(tmp_path: Path) -> None:
    right = replace(FIGURES, ledger=FIGURES.truth)
    made = album(tmp_path / "pages")
    assert made.end(right) is None
    assert not (tmp_path / "pages").exists()
    assert made.end(replace(right, questions=("What?",))) is Cause.AFTERWARDS, "nothing was kept"


def test_a_kept_picture_comes_back() -> None:
    picture = np.full((20, 30, 3), (10, 90, 200), np.uint8)
    assert np.abs(unpacked(packed(picture)).astype(int) - picture).max() <= 3
