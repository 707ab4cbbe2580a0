"""What a trial compares: the truth and the record of a hand, where only words may differ."""

from pathlib import Path

import pytest

from table_assist.cli.main import main
from table_assist.game.events import Discarded, IndicatorTurned, WinDeclared
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.rules.registry import rule_sets
from table_assist.rules.ruleset import RuleSet
from table_assist.settings.build import rules_of
from table_assist.tiles.tile import Tile
from table_assist.twin.demo.demo import demo_config
from table_assist.twin.demo.headless import compare
from table_assist.twin.lens import CAMERAS, Lens


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
