"""Two logs of one evening: what counts as a difference between them."""

from dataclasses import replace

from table_assist.game.events import Discarded, Settled
from table_assist.languages.words import Words
from table_assist.live.replay_folder import compare
from table_assist.record.log import Amended, Entry, Source
from table_assist.tiles.tile import Tile

WON = Settled((2,), (0, 0, 2, -2), 2, (Words("Small Win.", "小胡。"),))
LOG = [
    Entry(1, 5.0, Source.CAMERA, Discarded(3, Tile.P7), 0.99),
    Entry(2, 9.0, Source.RULES, WON),
    Entry(3, 12.0, Source.PERSON, Amended(2, WON)),
]


def test_times_confidences_and_sentences_are_no_differences() -> None:
    worded = replace(WON, steps=(Words("A small win.", "胡了。"),))
    other = [
        replace(LOG[0], t=5.4, confidence=0.97),
        replace(LOG[1], event=worded),
        replace(LOG[2], event=Amended(2, worded)),
    ]
    assert compare(LOG, other, {}) == ()


def test_points_sources_and_missing_entries_are_differences() -> None:
    dearer = replace(LOG[1], event=replace(WON, transfers=(0, 0, 4, -4)))
    (differs,) = compare(LOG, [LOG[0], dearer, LOG[2]], {2: "a key"})
    assert (differs.kind, differs.recorded, differs.replayed) == ("differs", LOG[1], dearer)
    assert differs.cause == "a key"
    (said,) = compare(LOG, [replace(LOG[0], source=Source.PERSON), *LOG[1:]], {})
    assert said.kind == "differs"
    assert [each.kind for each in compare(LOG, LOG[:2], {})] == ["missing"]
    assert [each.kind for each in compare(LOG[:2], LOG, {})] == ["added"]
