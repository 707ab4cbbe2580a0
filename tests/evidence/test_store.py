"""Pictures of what was decided: kept beside the log, bounded, and never in the way of play."""

import json
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import Key, KeyPressed, WallReady
from firmware_bridge.receiver import EventsLost
from table_assist.game.events import Asked, Discarded, HandAbandoned, HandStarted, WinDeclared
from table_assist.game.question import QuestionId
from table_assist.record.commands import Correct
from table_assist.record.crop import MARGIN_MM, box_of, crop_of, readings_json
from table_assist.record.evidence import EvidenceError, EvidenceMoment, EvidenceStore
from table_assist.record.log import Source
from table_assist.record.photographer import (
    MOST_WAITING,
    Album,
    Occasion,
    Photographer,
    Shot,
    occasions,
    open_photographer,
)
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.from_board import BoardSignal
from table_assist.session.session import Session
from table_assist.tiles.tile import Tile
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.zones import Layout, Zone, ZoneKind, zone_at

CALIBRATION = Calibration(((0.0, 800.0), (800.0, 800.0), (800.0, 0.0), (0.0, 0.0)))
NAMES = ("Ann", "Bo", "Chen", "Du")


def keep(store: EvidenceStore, seq: int, hand: int, size: int = 1000, crop: bytes = b"") -> None:
    store.keep([(EvidenceMoment(seq, hand), crop)], t=float(seq), jpeg=bytes(size), readings="{}")


def has(store: EvidenceStore, *seqs: int) -> list[bool]:
    return [store.get(f"e{seq}") is not None for seq in seqs]


def test_of_too_much_the_oldest_hands_pictures_go_first(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path / "log.evidence.sqlite", most_bytes=3500)
    for seq, hand in ((1, 1), (2, 1), (3, 2)):
        keep(store, seq, hand)
    keep(store, 4, 3)
    assert has(store, 1, 2, 3, 4) == [False, False, True, True]
    keep(store, 5, 3)
    keep(store, 6, 3)
    assert has(store, 3, 4, 5, 6) == [False, True, True, True]
    store.close()


def test_what_is_disputed_or_on_the_table_is_never_thrown_away(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path / "log.evidence.sqlite", most_bytes=3500)
    for seq in (1, 2, 3):
        keep(store, seq, seq)
    store.hold(1)
    keep(store, 4, 4)
    assert has(store, 1, 2, 3, 4) == [True, False, True, True]
    store.hold(3)
    with pytest.raises(EvidenceError, match="in use by this hand and disputed ones"):
        keep(store, 5, 4, 1000)
    assert has(store, 1, 3, 4, 5) == [True, True, True, False]
    store.hold(1, held=False)
    keep(store, 5, 4)
    assert has(store, 1, 5) == [False, True]
    store.close()


def test_the_file_does_not_grow_once_it_is_full(tmp_path: Path) -> None:
    path = tmp_path / "log.evidence.sqlite"
    sizes = []
    for first in (1, 31, 61, 91):
        store = EvidenceStore(path, most_bytes=400_000)
        for hand in range(first, first + 30):
            keep(store, hand, hand, 40_000)
        assert sum(has(store, *range(1, first + 30))) == 10
        store.close()
        sizes.append(path.stat().st_size)
    assert sizes[0] == sizes[1] == sizes[2] == sizes[3]
    assert sizes[0] < 600_000


def test_on_a_full_disk_nothing_is_kept_by_half(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path / "log.evidence.sqlite")
    keep(store, 1, 1)
    pages = store._db.execute("PRAGMA page_count").fetchone()[0]
    store._db.execute(f"PRAGMA max_page_count={pages + 2}")
    with pytest.raises(EvidenceError, match="full"):
        keep(store, 2, 1, 1_000_000)
    assert has(store, 1, 2) == [True, False]
    store._db.execute("PRAGMA max_page_count=100000")
    keep(store, 2, 1)
    assert has(store, 1, 2) == [True, True]
    store.close()


def test_another_programs_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.evidence.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(EvidenceError, match="no evidence of this program's version"):
        EvidenceStore(path)
    assert path.read_bytes() == before
    path.write_text("not a database " * 100)
    with pytest.raises(EvidenceError, match="cannot be opened"):
        EvidenceStore(path)


def seen(x_mm: float, y_mm: float, tile: Tile = Tile.M1, confidence: float = 0.99) -> SeenTile:
    zone = zone_at(x_mm, y_mm, Layout())
    candidates = ((Tile.S7, 0.5), (Tile.S9, 0.4)) if tile is Tile.UNKNOWN else ()
    return SeenTile(tile, confidence, x_mm, y_mm, 26.0, zone, candidates)


def picture() -> np.ndarray:
    """Red and green tell where a pixel of the table lies."""
    y, x = np.mgrid[0:800, 0:800]
    return np.dstack([np.zeros_like(x), y * 255 // 800, x * 255 // 800]).astype(np.uint8)


def test_the_crop_shows_the_unread_tile_of_the_zone_in_question() -> None:
    unread = seen(-40.0, -150.0, Tile.UNKNOWN, 0.4)
    observation = Observation(0.0, (seen(0.0, -150.0), unread, seen(10.0, -360.0)))
    assert unread.zone == Zone(ZoneKind.RIVER, 0)
    box = box_of((800, 800), observation, CALIBRATION, unread.zone)
    assert box is not None
    crop = crop_of(picture(), box)
    assert crop.shape[:2] == (2 * MARGIN_MM, 2 * MARGIN_MM)  # a pixel a millimetre
    middle = CALIBRATION.to_picture(np.array([[-40.0, -150.0]], np.float32))[0]
    at = picture()[int(middle[1]), int(middle[0])]
    assert np.abs(crop[30, 30].astype(int) - at).max() <= 1


def test_the_crop_shows_the_very_piece_that_is_in_question() -> None:
    unread = seen(-40.0, -150.0, Tile.UNKNOWN, 0.4)
    observation = Observation(0.0, (seen(60.0, -150.0), unread))
    box = box_of((800, 800), observation, CALIBRATION, unread.zone, at=((60.0, -150.0),))
    other = box_of((800, 800), observation, CALIBRATION, unread.zone)
    assert box is not None
    assert other is not None
    assert (box[0] - other[0], box[2] - box[0]) == (100, 2 * MARGIN_MM)


def test_readings_say_what_was_read_how_surely_and_where() -> None:
    observation = Observation(3.5, (seen(-40.0, -150.0, Tile.UNKNOWN, 0.4),), (2, 5))
    content = json.loads(readings_json(observation, CALIBRATION))
    (row,) = content["tiles"]
    assert (row["tile"], row["zone"], row["seat"]) == ("?", "river", 0)
    assert row["candidates"] == [["7s", 0.5], ["9s", 0.4]]
    assert row["px"] == pytest.approx([360.0, 550.0], abs=0.2)
    assert (content["t"], content["dice"]) == (3.5, [2, 5])
    assert "px" not in json.loads(readings_json(observation, None))["tiles"][0]


def shot() -> Shot:
    tile = seen(-40.0, -150.0, Tile.UNKNOWN, 0.4)
    return Shot(100.0, picture(), Observation(100.0, (tile,)), CALIBRATION)


def table(photographer: Photographer, record: Record | None = None) -> Session:
    return Session(
        plain_profile(find_rules("changsha")),
        NAMES,
        record or Record(None, lambda: 1.0),
        now=lambda: 1.0,
        photographer=photographer,
    )


def hear(session: Session, *contents: object) -> None:
    for content in contents:
        session.process(BoardSignal(content))  # type: ignore[arg-type]


def test_a_declared_win_has_its_picture_at_once_and_after_the_programs_end(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    photographer = open_photographer(log, 10**9, shot, entries=99)
    session = table(photographer)
    hear(session, WallReady(), BoardDice(0, (1, 2)))
    assert session.snapshot.entry_evidence == ()
    hear(session, KeyPressed(1, Key.WIN))
    ((seq, id),) = session.snapshot.entry_evidence
    now = photographer.evidence(id)
    assert now is not None
    assert now.jpeg.startswith(b"\xff\xd8")
    photographer.close()
    photographer = open_photographer(log, 10**9, lambda: None, entries=99)
    again = table(photographer, Record(None, lambda: 1.0, session.entries()))
    assert again.snapshot.entry_evidence == ((seq, id),)
    assert photographer.evidence(id) == replace(now, crop_px=None)
    photographer.close()


def test_a_question_has_the_picture_that_raised_it(tmp_path: Path) -> None:
    photographer = open_photographer(tmp_path / "log.sqlite", 10**9, shot, entries=99)
    session = table(photographer)
    hear(session, WallReady(), BoardDice(0, (1, 2)), EventsLost(2))
    (question,) = session.snapshot.state.questions
    ((asked, id),) = session.snapshot.evidence
    assert asked == question.question
    assert photographer.evidence(id) is not None
    photographer.close()


def test_decisions_doubts_and_unsure_discards_are_worth_a_picture_and_nothing_else() -> None:
    record = Record(None, lambda: 1.0)
    doubtful = Asked(QuestionId.parse("hand-1-meld-2-1m"), ("?", "?"), ("yes",))
    for event, confidence in (
        (HandStarted(1, "changsha", 0, 55), 1.0),
        (Discarded(0, Tile.M1), 0.99),
        (Discarded(1, Tile.UNKNOWN), 0.99),
        (Discarded(2, Tile.M2), 0.7),
        (Asked(QuestionId.parse("hand-1-unread-3"), ("?", "?"), ("7s",), about=3), 1.0),
        (doubtful, 1.0),
        (WinDeclared(3), 1.0),
        (Asked(QuestionId.parse("hand-1-birds-2m-3m"), ("?", "?"), ("yes",)), 1.0),
        (Asked(QuestionId.parse("hand-1-turned-2m-3m"), ("?", "?"), ("yes",)), 1.0),
    ):
        record.append(event, Source.CAMERA, confidence=confidence)
    found = occasions(record, record.entries)
    assert [(each.moment.seq, each.zone) for each in found] == [
        (3, Zone(ZoneKind.RIVER, 1)),
        (4, Zone(ZoneKind.RIVER, 2)),
        (5, Zone(ZoneKind.RIVER, 1)),
        (6, Zone(ZoneKind.MELDS, 2)),
        (7, Zone(ZoneKind.HAND, 3)),
        (8, Zone(ZoneKind.BIRDS)),
        (9, None),  # it may be a secret
    ]
    assert [each.moment.question for each in found[2:5]] == [
        "hand-1-unread-3",
        "hand-1-meld-2-1m",
        "",
    ]


def test_the_pictures_of_a_hand_that_is_changed_afterwards_are_kept_for_good(
    tmp_path: Path,
) -> None:
    photographer = open_photographer(tmp_path / "log.sqlite", 10**9, shot, entries=99)
    record = Record(None, lambda: 1.0)
    for event in (HandStarted(1, "changsha", 0, 55), Discarded(0, Tile.M1), HandAbandoned()):
        record.append(event, Source.CAMERA)
    record.append(HandStarted(2, "changsha", 0, 55), Source.BOARD)
    Album(record, photographer).hold(Correct(2, Discarded(0, Tile.M2)))
    photographer.close()
    with sqlite3.connect(tmp_path / "log.sqlite.evidence.sqlite") as db:
        assert db.execute("SELECT hand FROM held").fetchall() == [(1,)]
    db.close()


def test_without_a_picture_there_is_no_evidence_and_play_goes_on(tmp_path: Path) -> None:
    photographer = open_photographer(tmp_path / "log.sqlite", 10**9, lambda: None, entries=99)
    session = table(photographer)
    hear(session, WallReady(), BoardDice(0, (1, 2)), KeyPressed(1, Key.WIN))
    assert session.snapshot.state.declared == (1,)
    assert session.snapshot.entry_evidence == ()
    photographer.close()


def test_evidence_that_cannot_be_kept_is_told_and_stops_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log.sqlite"
    (tmp_path / "log.sqlite.evidence.sqlite").write_text("something else " * 100)
    photographer = open_photographer(log, 10**9, shot, entries=99)
    assert photographer.health.status == "lost"
    assert "the table goes on" in photographer.health.says.en
    session = table(photographer)
    hear(session, WallReady(), BoardDice(0, (1, 2)), KeyPressed(1, Key.WIN))
    assert session.snapshot.state.declared == (1,)
    assert session.snapshot.entry_evidence == ()
    photographer.close()


class SlowStore(EvidenceStore):
    """A disk that waits for the test."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.go = threading.Event()

    def keep(self, *args: object, **values: object) -> None:
        assert self.go.wait(30.0)
        super().keep(*args, **values)  # type: ignore[arg-type]


def test_a_slow_disk_holds_a_few_pictures_and_loses_the_rest_openly(tmp_path: Path) -> None:
    store = SlowStore(tmp_path / "log.evidence.sqlite")
    photographer = Photographer(store, shot)
    taken = [
        photographer.take([Occasion(EvidenceMoment(seq, 1))]) for seq in range(1, MOST_WAITING + 3)
    ]
    assert taken == [True] * MOST_WAITING + [False, False]
    assert photographer.health.counters == (("pictures lost", 2),)
    store.go.set()
    photographer._jobs.put(None)
    photographer._thread.join(30.0)
    assert has(store, *range(1, MOST_WAITING + 3)) == taken
    store.close()


def test_a_full_disk_is_told_by_the_photographer(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path / "log.evidence.sqlite", most_bytes=10)
    photographer = Photographer(store, shot)
    photographer.take([Occasion(EvidenceMoment(1, 1), Zone(ZoneKind.RIVER, 0))])
    photographer._jobs.put(None)
    photographer._thread.join(30.0)
    assert photographer.health.status == "lost"
    assert "bytes are in use" in photographer.health.says.en
    assert photographer.evidence("e1") is None
    store.close()


def test_a_file_whose_making_was_cut_short_is_made_whole(tmp_path: Path) -> None:
    """An earlier program made one table after the other, and its format last."""
    path = tmp_path / "log.sqlite.evidence.sqlite"
    half = sqlite3.connect(path)
    half.execute(
        "CREATE TABLE pictures (id INTEGER PRIMARY KEY, t REAL NOT NULL, hand INTEGER NOT NULL,"
        " jpeg BLOB NOT NULL, readings TEXT NOT NULL)"
    )
    half.close()
    store = EvidenceStore(path)
    store.keep([(EvidenceMoment(5, 1), b"crop")], t=1.0, jpeg=b"jpeg", readings="{}")
    store.close()
    again = EvidenceStore(path)
    assert again.get("e5") is not None
    again.close()


def test_pictures_of_entries_that_never_were_on_record_are_forgotten(tmp_path: Path) -> None:
    """Another entry will have the number: it must not get a picture of something else."""
    log = tmp_path / "log.sqlite"
    store = EvidenceStore(tmp_path / "log.sqlite.evidence.sqlite")
    for seq in (4, 9):
        moment = EvidenceMoment(seq, 1)
        store.keep([(moment, b"")], t=float(seq), jpeg=b"jpeg %d" % seq, readings="{}")
    store.close()
    photographer = open_photographer(log, 10**9, lambda: None, entries=8)
    kept, gone = photographer.evidence("e4"), photographer.evidence("e9")
    photographer.close()
    assert kept is not None
    assert kept.jpeg == b"jpeg 4"
    assert gone is None
    database = sqlite3.connect(tmp_path / "log.sqlite.evidence.sqlite")
    assert database.execute("SELECT count(*) FROM pictures").fetchone() == (1,)
    database.close()
