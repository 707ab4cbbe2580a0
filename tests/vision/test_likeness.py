"""A table whose faces are read less surely than usual is told so, once it lasts."""

from table_assist.tiles.tile import Tile
from table_assist.vision.reading.limits import Usual
from table_assist.vision.reading.why import WhyDoubtful
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.watcher import NEW_LASTS_S, Likeness
from table_assist.vision.table.zones import Zone, ZoneKind

USUAL = Usual(surer_than=0.97, most=0.5)
RIVER = Zone(ZoneKind.RIVER, 0)


def tile(confidence: float, zone: Zone = RIVER, why: WhyDoubtful | None = None) -> SeenTile:
    return SeenTile(Tile.M5, confidence, 0.0, 0.0, 26.0, zone, ((Tile.M5, confidence),), why=why)


def table(hardly_sure: int, count: int, t: float, zone: Zone = RIVER) -> Observation:
    sure = [0.9] * hardly_sure + [0.99] * (count - hardly_sure)
    return Observation(t, tuple(tile(each, zone) for each in sure))


def test_an_unlike_table_is_told_with_the_figure_and_where_to_go_once_it_lasts() -> None:
    watch = Likeness(USUAL)
    watch.update(table(9, 12, 0.0))
    assert not watch.words, "what has just been laid is hardly sure for a moment"
    watch.update(table(9, 12, NEW_LASTS_S))
    assert "9 of 12 faces" in watch.words.en
    assert "enrol" in watch.words.en
    assert "9" in watch.words.zh
    watch.update(table(3, 12, NEW_LASTS_S + 1))
    assert not watch.words


def test_a_usual_table_and_one_with_few_tiles_are_not_told() -> None:
    for hardly_sure, count in ((6, 12), (7, 7), (0, 0)):
        watch = Likeness(USUAL)
        for t in (0.0, NEW_LASTS_S, 2 * NEW_LASTS_S):
            watch.update(table(hardly_sure, count, t))
        assert not watch.words


def test_only_whole_faces_that_lie_open_tell_of_the_table() -> None:
    hand, parts = Zone(ZoneKind.HAND, 1), tuple(tile(0.5, why=WhyDoubtful.PART) for _ in range(12))
    for t in (0.0, NEW_LASTS_S):
        watch = Likeness(USUAL)
        watch.update(table(12, 12, t, hand))
        watch.update(Observation(t, parts))
        assert not watch.words


def test_a_break_begins_the_wait_anew_and_nobody_fitted_nobody_tells() -> None:
    watch, unfitted = Likeness(USUAL), Likeness(None)
    for hardly_sure, t in (
        (9, 0.0),
        (0, NEW_LASTS_S / 2),
        (9, NEW_LASTS_S),
        (9, 1.5 * NEW_LASTS_S),
    ):
        watch.update(table(hardly_sure, 12, t))
        unfitted.update(table(hardly_sure, 12, t))
    assert not watch.words
    watch.update(table(9, 12, 2 * NEW_LASTS_S))
    assert watch.words
    assert not unfitted.words
