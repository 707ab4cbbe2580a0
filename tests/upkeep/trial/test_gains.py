"""The report says what was measured, in both languages, and what helps most comes first."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from table_assist.tiles.tile import Tile
from table_assist.upkeep.trial.advice import advice
from table_assist.upkeep.trial.faces import ReadFace, SeenBy, SeenFaces, TrialFaces
from table_assist.upkeep.trial.gains import GAINS, Helps, gain_of, worth_of
from table_assist.vision.table.advice import Conditions, advice_on
from tests.stages.both_languages import is_in_both

DARK = Conditions(
    tiles=9, unsure=2, cut_off=0, width_px=22.0, clipped=0.0, highlight=20.0, sharpness=0.5
)


@pytest.mark.parametrize("helps", Helps)
def test_every_change_was_measured_by_the_command(helps: Helps) -> None:
    kept = json.loads(GAINS.read_text("utf-8"))
    assert kept["command"].startswith("python -m models.advised")
    counts = kept["gains"][helps]
    for when in ("before", "after"):
        kinds = sum(counts[f"{kind}_{when}"] for kind in ("right", "asked", "wrong"))
        assert kinds == counts["faces"] > 100
    said = gain_of(helps)
    assert said is not None
    assert is_in_both(said)
    assert str(counts["tables"]) in said.en
    assert ("did not help" in said.en) is (worth_of(helps) <= 0)


def test_what_helped_most_at_simulated_tables_comes_first() -> None:
    faces = TrialFaces(tuple(ReadFace(Tile.M1, Tile.UNKNOWN) for _ in range(9)))
    camera = SeenBy(faces, DARK, 40.0, advice_on(DARK), Path("0001.jpg"))
    found = advice(SeenFaces(faces, (camera,)), None)
    assert [each.helps for each in found] == [Helps.DARK, Helps.LEARN, Helps.ABOVE]


def test_what_helped_nobody_is_not_advised_and_of_two_cameras_it_is_said_which() -> None:
    """A tile of 22 pixels is read as surely as one of 32."""
    faces = TrialFaces(tuple(ReadFace(Tile.M1, Tile.M1) for _ in range(9)))
    light = replace(DARK, highlight=200.0)
    straight = SeenBy(faces, light, 3.0, advice_on(light), Path("0001.ab12.jpg"))
    askew = replace(straight, tilt_deg=40.0, picture=Path("0001.cd34.jpg"))
    (found,) = advice(SeenFaces(faces, (straight, askew)), None)
    assert found.helps is Helps.ABOVE
    assert is_in_both(found.says)
    assert found.says.en.startswith("camera 2: ")
