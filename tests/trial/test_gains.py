"""The report says what was measured, in both languages, and what helps most comes first."""

import json

import pytest

from table_assist.tiles import Tile
from table_assist.trial.compare import Compared
from table_assist.trial.faces import ReadFace, Seen
from table_assist.trial.gains import GAINS, Helps, gain_of, worth_of
from table_assist.trial.report import advice
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
    faces = tuple(ReadFace(Tile.M1, Tile.UNKNOWN) for _ in range(9))
    seen = Seen(faces, DARK, 40.0, None, advice_on(DARK))
    found = advice(Compared((), None, ()), seen)
    assert [each.helps for each in found] == [Helps.DARK, Helps.LEARN, Helps.ABOVE]
