"""The last discard: taken back for another one, laid astray, or on its way to who claimed it."""

from dataclasses import replace

import pytest

from firmware_bridge.events import Key, KeyPressed
from table_assist.contract.commands import Answer
from table_assist.game.events import (
    Claimed,
    Discarded,
    HandShown,
    HandStarted,
    WinDeclared,
)
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.session.kong_keys import KONG_S
from table_assist.session.late_faces import OTHERWISE_S
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile, parse_tiles
from table_assist.vision.table.observation import Observation, SeenTile
from table_assist.vision.table.unseen import OccludedZone, WhyUnseen
from table_assist.vision.table.zones import Zone, ZoneKind
from tests.following.test_infer import melds, river, shown, tile
from tests.stages.seen_play import Table, heap

ANN = river(0, "1m")
YOUNG = 3  # pictures: surely read, and not for long


def table_after_a_discard(rules: str = "changsha", **options: object) -> Table:
    table = Table(rules, **options)
    table.put(HandStarted(1, rules, 0, 55, options=tuple(options.items())))
    table.look_for(1.0, ANN)
    table.look_for(1.0, ANN, river(1, "2m"))
    assert table.state.last_discard == (1, Tile.M2)
    return table


def test_a_discard_that_was_lifted_and_replaced_is_put_right_and_told() -> None:
    table = table_after_a_discard()
    table.look_for(1.0, ANN)
    table.look(ANN, river(1, "7s", pictures=YOUNG))
    assert table.state.seats[1].river == (Tile.S7,)
    assert table.asked == []
    said = table.session.snapshot.notices[-1]
    assert said.en == "Bo took 2m back and discarded 7s."
    assert said.zh == "Bo 收回二万，改打七条。"
    table.look(ANN, river(1, "7s"), river(2, "9p"))
    assert table.state.last_discard == (2, Tile.P9)


def test_a_face_that_changes_where_it_lies_is_asked_about() -> None:
    table = table_after_a_discard()
    table.look_for(OTHERWISE_S, ANN, river(1, "7s"))
    assert table.state.seats[1].river == (Tile.M2,)
    assert [each.split("-")[2] for each in table.asked] == ["reread"]


def test_a_discard_laid_down_again_was_not_taken_back() -> None:
    table = table_after_a_discard()
    table.look_for(1.0, ANN)
    table.look(ANN, river(1, "2m"))
    table.look(ANN, river(1, "7s", pictures=YOUNG))
    assert table.state.seats[1].river == (Tile.M2,)


def test_what_a_hand_lies_over_was_not_lifted() -> None:
    table = table_after_a_discard()
    hidden = (OccludedZone(Zone(ZoneKind.RIVER, 1), 0.0, WhyUnseen.HIDDEN),)
    for _ in range(4):
        table.t += 0.5
        table.session.process(Observation(table.t, tuple(ANN), unavailable=hidden))
    table.look(ANN, river(1, "7s", pictures=YOUNG))
    assert table.state.seats[1].river == (Tile.M2,)


@pytest.mark.parametrize("may", ["never", "until_claimed"])
def test_where_the_rules_let_nobody_recall_a_discard_people_are_told_and_asked_when_it_is_won(
    may: str,
) -> None:
    """Classical > Irregularities 6."""
    table, is_forbidden = table_after_a_discard("classical", discard_takeback=may), may == "never"
    table.look_for(1.0, ANN)
    table.look(ANN, river(1, "7s", pictures=YOUNG))
    assert table.state.seats[1].river == (Tile.S7,)
    assert ("forbid" in table.session.snapshot.notices[-1].en) == is_forbidden
    assert table.asked == []
    table.put(WinDeclared(2))
    table.look_for(4.0, ANN, shown(2, "123m567p111s55p88s", apart="7s"))
    assert any("instead of" in each.text.en for each in table.state.questions) == is_forbidden


def test_what_a_person_has_said_is_not_taken_back() -> None:
    table = table_after_a_discard()
    table.look_for(OTHERWISE_S, ANN, river(1, "7s"))
    table.say(Answer(QuestionId.parse(table.asked[0]), "2m"))
    table.look_for(1.0, ANN)
    table.look(ANN, river(1, "7s", pictures=YOUNG))
    assert table.state.seats[1].river == (Tile.M2,)


def test_a_pung_whose_fourth_tile_comes_before_anybody_draws_was_a_claimed_kong() -> None:
    """Who lays three down and pushes the discard to them added no tile to a pung."""
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 55), Discarded(0, Tile.M1))
    table.hear(KeyPressed(2, Key.KONG))
    table.look(melds(2, "111m"), river(2, "1m", pictures=YOUNG))
    assert not table.state.seats[2].river, "it is on its way"
    table.look_for(KONG_S, melds(2, "1111m", pictures=20))
    assert table.last(Claimed) == Claimed(2, MeldKind.KONG_EXPOSED, parse_tiles("1111m"), 0)
    assert table.asked == []


def astray(face: Tile, id: int = 0) -> list[SeenTile]:
    """In the third row before Bo, who has begun the first one."""
    return [replace(tile(face, -65, 169, 1), id=id)]


@pytest.mark.parametrize("id", [0, 50])
def test_a_discard_that_lies_before_another_player_is_of_whose_turn_it_was(id: int) -> None:
    """It continues no row there: whoever it lies before has discarded nothing out of turn."""
    table, lies = table_after_a_discard(), astray(Tile.P5, id)
    bo, chen, ann = river(1, "2m"), river(2, "3m"), river(0, "14m")
    table.look(ANN, bo, chen)
    table.look_for(2.0, ANN, bo, chen, lies)
    assert table.state.last_discard == (3, Tile.P5)
    table.look(ann, bo, chen, lies)
    table.look(ann, river(1, "26m"), chen, lies)
    assert table.state.last_discard == (1, Tile.M6)
    table.look_for(3.0, ann, river(1, "26m"), river(2, "37m"), lies)
    assert [seat.river[-1] for seat in table.state.seats] == [Tile.M4, Tile.M6, Tile.M7, Tile.P5]
    assert table.asked == []


def test_a_discard_that_lies_before_another_player_is_claimed_from_who_made_it() -> None:
    table, lies = table_after_a_discard(), astray(Tile.P5)
    rest = *river(2, "3m"), *ANN, *river(1, "2m")
    table.look(rest)
    table.look_for(2.0, rest, lies)
    table.look_for(2.0, rest, melds(1, "555p"))
    assert table.last(Claimed) == Claimed(1, MeldKind.PUNG, (Tile.P5,) * 3, 3)
    assert table.asked == []


def test_who_made_a_discard_that_lay_before_another_player_is_asked_once_it_is_won() -> None:
    """Who made it pays: it may have been the one before whom it lay."""
    table, lies = table_after_a_discard(), astray(Tile.P8)
    rest = *river(2, "3m"), *ANN, *river(1, "2m")
    table.look(rest)
    table.look_for(2.0, rest, lies)
    table.put(WinDeclared(1))
    table.look_for(4.0, rest, shown(1, "123m567p111s55s88p", apart="8p"))
    won = table.last(HandShown)
    assert isinstance(won, HandShown)
    assert not won.self_drawn
    (asked,) = table.state.questions
    assert (asked.question.kind, asked.blocks) == (QuestionKind.IRREGULAR, True)
    assert asked.text.en == "{3} discarded 8p (before another player). Is that what happened?"
    table.say(Answer(asked.question, "yes"))
    assert table.asked == []


@pytest.mark.parametrize("unread", [True, False])
def test_in_a_heap_who_gave_the_won_tile_is_asked_if_a_discard_was_not_read(
    unread: bool,
) -> None:
    """Only turn order tells: another one may have been missed, and the next player would pay."""
    table = Table("changsha", in_heap=True)
    first = Tile.UNKNOWN if unread else Tile.M4
    table.put(HandStarted(1, "changsha", 0, 55), Discarded(0, first), Discarded(1, Tile.M2))
    table.put(Discarded(2, Tile.M3), Discarded(3, Tile.P8), WinDeclared(1))
    lying = heap("?2m3m" if unread else "4m2m3m")
    table.look_for(4.0, lying, shown(1, "123m567p111s55s88p", apart="8p"))
    assert [asked.blocks for asked in table.state.questions] == [True] * unread


def test_where_rivers_begin_is_seen_and_not_known() -> None:
    """A console may be large: the first discard before Du lies as far out as that of Ann."""
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 55))
    far = [tile(face, -65, 169, seat) for face, seat in ((Tile.M1, 0), (Tile.M2, 3))]
    table.look_for(1.0, far[:1])
    table.look_for(4.0, far)
    assert table.last(Discarded) == Discarded(3, Tile.M2)


def test_the_first_discard_of_a_hand_is_the_dealers_wherever_it_lies() -> None:
    table = Table("changsha")
    table.put(HandStarted(1, "changsha", 0, 55))
    lies = astray(Tile.P8, 50)
    table.look_for(3.0, lies)
    table.look_for(1.0, lies, river(1, "2m"))
    assert [each.river for each in table.state.seats[:2]] == [(Tile.P8,), (Tile.M2,)]
    assert table.asked == []


def test_a_tile_at_the_next_place_of_a_river_is_its_owners() -> None:
    table = table_after_a_discard()
    table.look_for(4.0, ANN, river(1, "2m"), river(3, "5p"))
    assert table.last(Discarded) == Discarded(3, Tile.P5)
    assert [each.split("-")[2] for each in table.asked] == ["irregular"]
