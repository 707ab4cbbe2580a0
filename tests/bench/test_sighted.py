"""Real eyes noted down: what is kept of a look is what the look was told from."""

from itertools import islice, pairwise
from math import hypot

import numpy as np
import pytest

from bench.live.calibrate import told_pieces
from bench.live.eyes import OVERHEAD, RealEyes
from bench.live.moments import Fate, Lay, Looked
from bench.live.read_things import TellingReader
from bench.live.record import Notes, NotingEyes
from table_assist.rules.registry import find_rules
from table_assist.twin.disturb import Disturber
from table_assist.twin.evening import play_evening
from table_assist.vision.reading.read import open_reader
from table_assist.vision.reading.readings import tile_of
from table_assist.vision.reading.recognise import LABELS, NOTHING
from table_assist.vision.table.attention import Attention
from table_assist.vision.table.zones import Zone, ZoneKind

CHANGSHA = find_rules("changsha")


@pytest.mark.slow
def test_each_look_is_kept_with_what_it_was_told_from() -> None:
    reader = open_reader(threads=1)
    telling = TellingReader(reader.detector, reader.recogniser, reader.limits)
    notes = Notes()
    real = RealEyes(CHANGSHA, telling, OVERHEAD, seed=1, faces=None)
    eyes = NotingEyes(real, telling, notes)
    eyes.attend(Attention(frozenset({Zone(ZoneKind.RIVER, 0)})))
    disturber, t = Disturber(1), 0.0
    for step in islice(play_evening(1, CHANGSHA, hands=1), 12):
        for moment in disturber.moments(step):
            t += moment.seconds
            eyes.look(moment, t)
    looks = [each for each in notes.moments if isinstance(each, Looked)]
    assert isinstance(notes.moments[0], Lay)
    assert len(looks) > 30
    for look in looks:
        seen = look.seen
        assert seen is not None
        assert np.allclose(seen.things.rows.sum(axis=1), 1.0, atol=1e-3)
        middles = seen.outlines_mm(seen.things).mean(axis=1)
        told = middles[seen.fates != Fate.NO_TILE]
        for tile in look.observation.tiles:
            if tile.age_s == 0 and tile.confidence > 0.9:
                away = [hypot(tile.x_mm - x, tile.y_mm - y) for x, y in told.tolist()]
                assert min(away) < 0.1
                nearest = seen.things.rows[seen.fates != Fate.NO_TILE][int(np.argmin(away))]
                assert tile_of(LABELS[int(nearest[:NOTHING].argmax())]) is tile.tile
        nothing = seen.things.rows[seen.fates == Fate.NO_TILE]
        assert (nothing[:, NOTHING] > 0.5).all()
    pieces = told_pieces(notes.moments)
    assert len(pieces) >= 3
    assert all(piece.is_so for piece in pieces)
    stills = [look.t for look in looks if look.seen is not None and look.seen.still is not None]
    assert 2 <= len(stills) <= 8
    assert all(later - earlier >= 1.5 for earlier, later in pairwise(stills))
