"""What people changed in a photographed hand, and a hand without a photograph: seen by all."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from table_assist.game.events import HandTold
from table_assist.live.live_table import LiveTable
from table_assist.record.commands import TellHand
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile, parse_tile, parse_tiles
from tests.web.test_photo import as_jpeg, photograph, table_of
from web.view.outcome import settlement_view, verdict_views

ROW = "123m456m789s123p55s"
WIN = HandTold(1, parse_tiles(ROW), winning_tile=parse_tile("5s"), bonus=())


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    opened = table_of(tmp_path, "classical")
    opened.start()
    yield opened
    opened.stop()


def read(table: LiveTable, tiles: str) -> tuple[str, ...]:
    """A photograph's id; every tile in it was read."""
    photo = table.photos.read(as_jpeg(photograph(tiles)))
    assert sorted(photo.hand.tiles) == sorted(parse_tiles(tiles))
    return (photo.id,)


def tell(table: LiveTable, hand: HandTold, photos: tuple[str, ...] = ()) -> None:
    assert table.submit(TellHand(hand, photos=photos, dealer=0)) is None


def test_a_tile_changed_by_hand_is_seen_and_outlives_a_restart(tmp_path: Path) -> None:
    table = table_of(tmp_path, "classical")
    table.start()
    tell(table, WIN, read(table, "123m456m789s123p85s"))
    table.stop()
    for _ in range(2):
        again = table_of(tmp_path, "classical")
        again.start()
        seen = again.session.version
        if not again.snapshot.verdicts:
            assert again.wait(seen, 10) is not None
        (verdict,) = verdict_views(again.snapshot)
        assert verdict["changed"]["en"] == "Changed by hand: 8 bamboo read, 5 bamboo told"
        assert not verdict["tapped"]
        again.stop()


def test_a_hand_told_as_it_was_read_has_no_mark(table: LiveTable) -> None:
    tell(table, WIN, read(table, ROW))
    (verdict,) = verdict_views(table.snapshot)
    assert verdict["changed"] is None
    assert not verdict["tapped"]


def test_a_hand_without_a_photograph_says_so(table: LiveTable) -> None:
    tell(table, WIN)
    (verdict,) = verdict_views(table.snapshot)
    assert verdict["changed"] is None
    assert verdict["tapped"]


def test_a_picture_of_nothing_hides_no_tapping(table: LiveTable) -> None:
    """A cheat photographs the dark, and taps in what he likes."""
    dark = table.photos.read(as_jpeg(np.zeros((480, 640, 3), np.uint8)))
    tell(table, WIN, (dark.id,))
    (verdict,) = verdict_views(table.snapshot)
    assert "nothing was read" in verdict["changed"]["en"]


def test_nobody_says_himself_what_was_read(table: LiveTable) -> None:
    tell(table, replace(WIN, read=WIN.concealed))
    (verdict,) = verdict_views(table.snapshot)
    assert verdict["tapped"]


def test_a_losers_changed_hand_is_seen_before_anybody_pays(table: LiveTable) -> None:
    tell(table, WIN, read(table, ROW))
    kong = Meld(MeldKind.KONG_CONCEALED, (Tile.RED,) * 4)
    tell(
        table,
        HandTold(2, parse_tiles("123m456m78s5p"), melds=(kong,)),
        read(table, "123m456m78s6p"),
    )
    tell(table, HandTold(3, parse_tiles("123m456m789s123p5p")))
    moved = settlement_view(table.snapshot)
    assert moved is not None
    said = [words["en"] for words in moved["unsure"]]
    assert [each for each in said if "hand" in each] == [
        "Chen: Changed by hand: 6 dots read, 5 dots, red dragon ×4 told",
        "Du: tapped in by hand, no photograph",
    ]
