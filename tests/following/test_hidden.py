"""What lies under an arm or a glare: it is waited for, asked for late, and asked no more once seen.

No rule of a rule book: nothing may be recorded or asked by what cannot be seen.
"""

from dataclasses import replace

import pytest

from firmware_bridge.events import Key, KeyPressed
from table_assist.contract.commands import Correct
from table_assist.following.claimed_tiles import turned_tile
from table_assist.game.events import Discarded, HandStarted, LastTilePassed, WinDeclared
from table_assist.session.from_camera import EARLY_S, WITHDRAWN_S
from table_assist.session.late_faces import OTHERWISE_S
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import river, shown, tile
from tests.stages.seen_play import Table

HIDDEN = OccludedZone(Zone(ZoneKind.RIVER, 0), 0.0, WhyUnseen.HIDDEN)


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


def test_a_discard_that_is_read_otherwise_is_asked_about_where_and_while_it_pays() -> None:
    table, ann, won = Table("changsha"), river(0, "1m"), shown(2, "13m567p111s55p888s")
    table.put(HandStarted(1, "changsha", 0, 55))
    table.look_for(1.0, ann)
    table.look_for(1.0, ann, river(1, "2m"))
    table.look_for(OTHERWISE_S, ann, river(1, "7s"))
    assert table.asked == [], "nothing rests on it"
    table.put(WinDeclared(2))
    table.look_for(OTHERWISE_S + 1, ann, river(1, "7s"), won)
    assert [each.split("-")[2] for each in table.asked] == ["reread"]
    table.look_for(WITHDRAWN_S + 1, ann, won)  # gathered up: that tells nothing
    assert len(table.asked) == 1
    table.look_for(WITHDRAWN_S + 1, ann, river(1, "2m"), won)
    assert table.asked == []
    assert table.state.seats[1].river == (Tile.M2,)


def test_what_a_person_has_said_of_a_discard_is_not_taken_back() -> None:
    table, ann = Table("changsha"), river(0, "1m")
    table.put(HandStarted(1, "changsha", 0, 55))
    table.look_for(1.0, ann)
    table.look_for(1.0, ann, river(1, "2m"))
    table.look_for(1.0, ann)  # lifted
    table.say(Correct(table.record.seq, Discarded(1, Tile.M3)))
    table.look(ann, river(1, "7s", pictures=3))
    assert table.state.seats[1].river == (Tile.M3,)


@pytest.mark.parametrize(("later_s", "passes"), [(0.0, True), (EARLY_S + 1, False)])
def test_a_key_that_passes_the_last_tile_on_may_be_faster_than_the_camera(
    later_s: float, passes: bool
) -> None:
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 1))
    table.hear(KeyPressed(1, Key.PASS))
    table.look_for(later_s)
    table.look_for(1.0, river(0, "1m"))
    assert isinstance(table.record.counting[-1][1], LastTilePassed) is passes
