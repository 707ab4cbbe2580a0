"""Real eyes noted down: what is kept of a look is what was told."""

from itertools import islice
from pathlib import Path

import pytest

from bench.live.calibrate import told_pieces
from bench.live.eyes import OVERHEAD, RealEyes
from bench.live.moments import Lay, Looked
from bench.live.record import Notes, NotingEyes
from bench.live.sightings import ENDING, load_hand, save_hand
from table_assist.rules.registry import find_rules
from table_assist.twin.disturb import Disturber
from table_assist.twin.evening import play_evening
from table_assist.vision.reading.read import open_reader
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.stages.sighted import hand_of

CHANGSHA = find_rules("changsha")


@pytest.mark.slow
def test_each_look_is_kept_as_it_was_told(tmp_path: Path) -> None:
    reader = open_reader(threads=1)
    notes = Notes()
    real = RealEyes(CHANGSHA, reader, OVERHEAD, seed=1, faces=None)
    eyes = NotingEyes(real, notes)
    eyes.attend(Attention(frozenset({Zone(ZoneKind.RIVER, 0)})))
    disturber, t = Disturber(1), 0.0
    for step in islice(play_evening(1, CHANGSHA, hands=1), 12):
        for moment in disturber.moments(step):
            t += moment.seconds
            eyes.look(moment, t)
    looks = [each for each in notes.moments if isinstance(each, Looked)]
    assert isinstance(notes.moments[0], Lay)
    assert len(looks) > 30
    assert all(look.calibration is not None for look in looks)
    assert any(tile.confidence > 0.9 for look in looks for tile in look.observation.tiles)
    path = tmp_path / f"a{ENDING}"
    save_hand(hand_of(notes.moments), path)
    assert list(load_hand(path).moments) == notes.moments
    pieces = told_pieces(notes.moments, OVERHEAD.size_wh)
    assert len(pieces) >= 3
    assert all(piece.is_so for piece in pieces)
