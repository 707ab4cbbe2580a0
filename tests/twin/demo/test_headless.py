"""What a trial compares: the truth and the record of a hand, where only words may differ."""

from pathlib import Path

import pytest

from table_assist.cli.arguments import parse_arguments
from table_assist.cli.main import main
from table_assist.game.events import (
    BonusLaid,
    Claimed,
    Discarded,
    HandShown,
    IndicatorTurned,
    Settled,
    WinDeclared,
)
from table_assist.record.course import key_of
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.build import rules_of
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.twin.demo.demo import demo_config
from table_assist.twin.demo.headless import compare
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import CAMERAS, Lens
from table_assist.twin.river import RiverStyle


def test_the_order_of_a_hands_tiles_makes_no_difference_but_the_winning_tile_does() -> None:
    tiles = parse_tiles("123m 55p")
    shown = HandShown(1, tiles, Tile.P5, self_drawn=True)
    turned = HandShown(1, tiles[::-1], Tile.P5, self_drawn=True)
    assert key_of(shown) == key_of(turned)
    assert key_of(shown) != key_of(HandShown(1, tiles, Tile.M1, self_drawn=True))
    chow = Claimed(2, MeldKind.CHOW, parse_tiles("123s"), 1)
    assert key_of(chow) == key_of(Claimed(2, MeldKind.CHOW, parse_tiles("312s"), 1))
    assert key_of(BonusLaid(0, parse_tiles("1f 2f"))) == key_of(BonusLaid(0, parse_tiles("2f 1f")))


def test_the_words_of_a_settlement_make_no_difference_but_its_points_do() -> None:
    settled = Settled((1,), (-1, 3, -1, -1), 1, (("en", "zh"),))
    assert key_of(settled) == key_of(Settled((1,), (-1, 3, -1, -1), 1))
    assert key_of(settled) != key_of(Settled((1,), (-2, 6, -2, -2), 1))


def test_a_revealed_tile_takes_the_place_of_the_secret() -> None:
    secret, revealed = IndicatorTurned(Tile.UNKNOWN, 5), IndicatorTurned(Tile.M1, 5)
    between = (Discarded(0, Tile.S1), WinDeclared(2))
    record = Record(None, lambda: 0.0)
    for event in (revealed, *between):
        record.append(event, Source.CAMERA)
    figures = compare("changchun", 1, 1, [secret, *between, revealed], record, 0)
    assert (figures.events_right, figures.missing, figures.surplus) == (4, (), ())
    other = IndicatorTurned(Tile.UNKNOWN, 4)
    figures = compare("changchun", 1, 1, [other, *between], record, 0)
    assert (figures.events_right, figures.missing) == (2, (str(other),))


@pytest.mark.parametrize("rules", rule_sets(), ids=lambda rules: rules.id)
def test_the_demos_program_plays_by_the_rules_of_its_table(rules: RuleSet) -> None:
    config = demo_config(Lens(), port="", log=Path("x"), rules=rules)
    assert rules_of(config).id == rules.id
    assert rules_of(config).chosen == rules.chosen


def test_the_built_in_faces_dress_every_rule_set() -> None:
    for rules in rule_sets():
        needed = (*rules.kinds, *rules.bonus_tiles)
        faces = load_faces(needed=needed)
        assert all(faces.picture(tile).size for tile in needed)


@pytest.mark.parametrize("name", CAMERAS)
def test_every_camera_of_the_demo_sees_the_whole_table(name: str) -> None:
    camera = CAMERAS[name]
    width, height = camera.size_wh
    for x, y in camera.corners_px():
        assert 0 <= x < width
        assert 0 <= y < height


def test_an_unknown_rule_set_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--headless", "--rules", "juggling"]) != 0
    said = capsys.readouterr().err
    assert "juggling" in said
    assert "Traceback" not in said


def test_the_demo_with_a_heap_tells_the_program_so_and_throws_its_discards_there() -> None:
    rows = demo_config(Lens(), port="", log=Path("x"))
    heap = demo_config(Lens(), port="", log=Path("x"), river=RiverStyle.HEAP)
    assert (rows.zones.river_style, heap.zones.river_style) == ("rows", "heap")
    assert parse_arguments(["demo", "--heap"]).heap is True
