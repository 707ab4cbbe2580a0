"""Entries know their pieces on the table: from the look that found them, and over a restart."""

from dataclasses import replace
from pathlib import Path

from table_assist.game.doubt import PATIENCE_S
from table_assist.game.events import Claimed, Discarded, HandAbandoned, HandStarted, WallBuilt
from table_assist.record.log import Amended, Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.bindings import PIECES_SUFFIX, Bindings
from table_assist.session.session import Session
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.vision.table.observation import SeenTile
from tests.following.test_infer import melds, river
from tests.stages.seen_play import NAMES, Table, heap


class KeptTable(Table):
    """A table whose session keeps the pieces in a file."""

    def __init__(self, file: Path, *, in_heap: bool = False) -> None:
        super().__init__("changsha", in_heap=in_heap)
        self.file, self.in_heap = file, in_heap
        self.put(HandStarted(1, "changsha", 0, 55))
        self.restart()

    def restart(self) -> None:
        self.session = Session(
            plain_profile(find_rules("changsha")), NAMES, self.record,
            now=lambda: self.t, heap=self.in_heap, pieces=self.file,
        )  # fmt: skip

    @property
    def bindings(self) -> Bindings:
        return self.session._bindings  # what it shows are the crops of its questions


def numbered(first: int, tiles: list[SeenTile]) -> list[SeenTile]:
    return [replace(seen, id=id) for id, seen in enumerate(tiles, first)]


def places(table: KeptTable, seat: int) -> list[tuple[float, float]]:
    seqs = [s for s, e in table.record.counting if isinstance(e, Discarded) and e.seat == seat]
    return [table.bindings.places(seq)[0] for seq in seqs]


def test_a_restart_in_the_middle_of_a_hand_finds_the_same_pieces(tmp_path: Path) -> None:
    """Two equal discards, one of them under an arm when the program starts again."""
    table = KeptTable(tmp_path / f"log{PIECES_SUFFIX}")
    others = [numbered(10 * seat, river(seat, "1m")) for seat in (1, 2, 3)]
    own = numbered(1, river(0, "9p9p"))
    table.look_for(1.0, own[:1])
    table.look_for(1.0, own[:1], *others)
    table.look_for(1.0, own, *others)
    before = places(table, 0)
    assert before == [(seen.x_mm, seen.y_mm) for seen in own]
    table.restart()
    assert places(table, 0) == before
    table.look(numbered(1, own[1:]), *others)
    assert table.bindings.is_missed(2)
    assert places(table, 0) == before, "the second one is not taken for the first"
    table.look_for(1.0, numbered(50, own), *others)
    assert places(table, 0) == before
    assert not table.bindings.is_missed(2)
    assert table.asked == []


def test_an_emblem_is_no_tile_of_the_hand_after_a_restart_either(tmp_path: Path) -> None:
    table = KeptTable(tmp_path / "pieces")
    for event in (HandAbandoned(), WallBuilt(), HandStarted(2, "changsha", 0, 55)):
        emblem = numbered(1, river(2, "8p"))
        table.look_for(1.0, emblem)
        table.put(event)
    for number in (1, 70):
        own = numbered(number + 1, river(0, "1m"))
        table.look_for(1.0, numbered(number, river(2, "8p")), own)
        assert [seat.river for seat in table.state.seats] == [(Tile.M1,), (), (), ()]
        table.restart()


def test_a_discard_that_was_claimed_lies_in_the_meld(tmp_path: Path) -> None:
    table = KeptTable(tmp_path / "pieces")
    table.look_for(1.0, numbered(1, river(0, "2m")))
    meld = numbered(5, melds(2, "222m"))
    table.look_for(1.0, meld)
    assert table.last(Claimed) == Claimed(2, MeldKind.PUNG, (Tile.M2,) * 3, 0)
    discard, claim = (
        next(seq for seq, event in table.record.counting if isinstance(event, kind))
        for kind in (Discarded, Claimed)
    )
    lying = {(seen.x_mm, seen.y_mm) for seen in meld}
    assert {*table.bindings.places(discard), *table.bindings.places(claim)} == lying
    assert len(table.bindings.places(discard)) == 1


def test_a_pushed_discard_takes_its_place_along(tmp_path: Path) -> None:
    table = KeptTable(tmp_path / "pieces")
    own = numbered(1, river(0, "2m"))
    table.look_for(1.0, own)
    for by in (9.0, 18.0, 27.0):
        table.look([replace(own[0], x_mm=own[0].x_mm + by)])
    assert places(table, 0) == [(own[0].x_mm + 27.0, own[0].y_mm)]
    assert len(table.record.state.seats[0].river) == 1


def test_in_a_heap_the_question_about_a_lost_discard_is_of_the_one_that_is_gone(
    tmp_path: Path,
) -> None:
    """Seats 0 and 1 have discarded a 9s each; the second one's lies there no more."""
    table = KeptTable(tmp_path / "pieces", in_heap=True)
    lying = numbered(1, heap("9s9s4p"))
    for count in (1, 2, 3):
        table.look_for(1.0, lying[:count])
    assert [table.state.seats[seat].river for seat in (0, 1)] == [(Tile.S9,)] * 2
    table.look_for(PATIENCE_S, [lying[0], lying[2]])
    asked = table.state.questions[0]
    assert table.record.event(asked.about) == Discarded(1, Tile.S9)
    assert asked.question.seat == 1


def test_a_damaged_file_or_one_of_another_hand_is_no_trouble(tmp_path: Path) -> None:
    file = tmp_path / "pieces"
    other = '{"of": [1, 7.0], "pieces": [[2, 0, 1.0, 2.0]]}'  # as many entries, another log
    for content in ("{", other, '{"of": [1, 0.0], "pieces": 3}'):
        file.write_text(content)
        table = KeptTable(file)
        assert table.bindings.places(2) == ()
        table.look_for(1.0, numbered(1, river(0, "2m")))
        assert len(places(table, 0)) == 1


def test_pieces_of_entries_that_do_not_count_any_more_are_nobodys(tmp_path: Path) -> None:
    table = KeptTable(tmp_path / "pieces")
    table.look_for(1.0, numbered(1, river(0, "2m")))
    assert Bindings(Record(None, lambda: 0.0), tmp_path / "pieces").places(2) == ()


def test_what_lies_there_by_the_record_is_told_to_the_camera_and_who_said_it(
    tmp_path: Path,
) -> None:
    """By this the table learns its set: read, said of what was unread, and never guessed."""
    table = KeptTable(tmp_path / "pieces")
    own = [*river(0, "2m"), *river(1, "?"), *river(2, "?")]
    for count in (1, 2, 3):
        table.look_for(3.0, numbered(1, own[:count]))
    second = next(s for s, e in table.record.counting if isinstance(e, Discarded) and e.seat == 1)
    table.record.append(Amended(second, Discarded(1, Tile.P8)), Source.PERSON)
    table.look_for(1.0, numbered(1, own))
    lying = table.session.attention.recorded
    told = [(each.x_mm, each.y_mm, each.tile, each.is_said) for each in lying]
    assert told == [
        (own[0].x_mm, own[0].y_mm, Tile.M2, False),
        (own[1].x_mm, own[1].y_mm, Tile.P8, True),
    ]
