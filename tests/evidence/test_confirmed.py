"""What people confirmed is truth for a set; nothing else that was read is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_assist.contract.evidence import Evidence
from table_assist.game.events import Discarded, Event, HandShown, HandStarted, Settled
from table_assist.record.log import Amended, Source
from table_assist.record.record import Record
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.upkeep.setup.evenings import ConfirmedZone, confirmed_pictures, named_tiles
from table_assist.vision.table.zones import ZoneKind

SEAT = 2


def row(tile: str, x: float, *candidates: str, kind: str = "hand", seat: int = SEAT) -> Any:
    faces = [[face, 0.3] for face in candidates]
    return {"tile": tile, "zone": kind, "seat": seat, "px": [x, 0.0], "candidates": faces}


def named(rows: list[Any], faces: str, **more: Any) -> list[str]:
    look = ConfirmedZone("e1", ZoneKind.HAND, SEAT, tuple(parse_tiles(faces)), **more)
    found = dict(named_tiles(rows, look))
    return [str(found.get((each["px"][0], 0.0), "-")) for each in rows]


def test_the_one_face_that_is_left_is_the_one_that_was_not_read() -> None:
    assert named([row("1m", 0), row("?", 1), row("3m", 2)], "123m") == ["1m", "2m", "3m"]


def test_a_tile_that_was_taken_for_another_one_is_named_as_people_said() -> None:
    assert named([row("1m", 0), row("8p", 1), row("3m", 2)], "123m") == ["1m", "2m", "3m"]


def test_of_two_that_are_left_each_is_named_only_by_what_it_may_be() -> None:
    two = [row("?", 0, "2m", "7p"), row("?", 1, "3m")]
    assert named(two, "23m") == ["2m", "3m"]
    assert named([row("?", 0, "2m", "3m"), row("?", 1)], "23m") == ["-", "-"]


def test_where_more_or_fewer_lie_than_people_said_nothing_unread_is_named() -> None:
    assert named([row("1m", 0), row("?", 1)], "123m") == ["1m", "-"]
    assert named([row("1m", 0), row("?", 1), row("?", 2)], "12m") == ["1m", "-", "-"]


def test_the_tile_that_was_won_may_lie_where_it_was_discarded() -> None:
    assert named([row("1m", 0), row("?", 1)], "123m", elsewhere=Tile.M3) == ["1m", "2m"]


@given(st.data())
def test_with_truth_spoken_no_tile_is_named_otherwise(data: st.DataObject) -> None:
    """Whatever is not read, and whatever an unread tile may be beside itself."""
    truth = data.draw(st.lists(st.sampled_from(parse_tiles("123m55pEE")), min_size=1, max_size=14))
    rows = []
    for x, tile in enumerate(truth):
        others = data.draw(st.lists(st.sampled_from(["1m", "2m", "9s"]), max_size=2))
        read = data.draw(st.sampled_from([str(tile), "?"]))
        rows.append(row(read, float(x), str(tile), *others))
    found = named(rows, "".join(map(str, truth)))
    assert all(name in ("-", str(tile)) for name, tile in zip(found, truth, strict=True))


def record(*events: Event | Amended) -> Record:
    kept = Record(None, lambda: 0.0)
    for event in events:
        kept.append(event, Source.PERSON if isinstance(event, Amended) else Source.CAMERA)
    return kept


def kept(rows: list[Any]) -> Any:
    return lambda id: Evidence(id, 5.0, b"jpeg", json.dumps({"tiles": rows}))


BEGUN = HandStarted(1, "wanzhou", 0, 60)
SHOWN = HandShown(SEAT, tuple(parse_tiles("123m")), Tile.M3, self_drawn=True)
SETTLED = Settled((SEAT,), (0, 0, 0, 0), SEAT)


@pytest.mark.parametrize(("last", "pictures"), [((SETTLED,), 1), ((), 0), ((BEGUN,), 0)])
def test_a_hand_teaches_once_it_is_settled(last: tuple[Event, ...], pictures: int) -> None:
    entries = record(BEGUN, SHOWN, *last).entries
    found = list(confirmed_pictures(entries, kept([row("1m", 0), row("?", 1), row("3m", 2)])))
    assert len(found) == pictures
    assert all([tile for _, tile in each.tiles] == [Tile.M1, Tile.M3, Tile.M2] for each in found)


def test_a_discard_teaches_once_somebody_said_what_it_is() -> None:
    said = (BEGUN, Discarded(1, Tile.UNKNOWN))
    rows = [row("?", 7, kind="river", seat=1), row("4m", 8, kind="river", seat=1)]
    assert not list(confirmed_pictures(record(*said).entries, kept(rows)))
    answered = record(*said, Amended(2, Discarded(1, Tile.P9)))
    (picture,) = confirmed_pictures(answered.entries, kept(rows))
    assert picture.tiles == (((7.0, 0.0), Tile.P9),)


def test_a_discard_that_was_read_teaches_nothing() -> None:
    entries = record(BEGUN, Discarded(1, Tile.P9), SETTLED).entries
    assert not list(confirmed_pictures(entries, kept([row("9p", 7, kind="river", seat=1)])))


def test_of_a_picture_that_is_gone_nothing_is_learnt() -> None:
    entries = record(BEGUN, SHOWN, SETTLED).entries
    assert not list(confirmed_pictures(entries, lambda id: None))
