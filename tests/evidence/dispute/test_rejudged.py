"""A refused win is judged again from the record: rightly refused, or a win that was taken away."""

import pytest

from table_assist.evidence.dispute.hand import disputed_hand
from table_assist.evidence.dispute.verify import judged_again
from table_assist.game.events import (
    Event,
    HandAbandoned,
    HandShown,
    HandStarted,
    WallBuilt,
    WinDeclared,
    WinRefused,
)
from table_assist.record.log import Source
from table_assist.record.record import Record
from table_assist.tiles.tile import parse_tile, parse_tiles

WHOLE, BROKEN = "123m456m789s123p55s", "123m456m789s124p55s"


def said_of(*events: Event) -> list[tuple[str, str]]:
    record = Record(None, lambda: 1.0e9)
    begin = (WallBuilt(), HandStarted(1, "changsha", 0, 55), WinDeclared(1))
    for event in (*begin, *events, HandAbandoned()):
        record.append(event, Source.PERSON)
    return [(each.mark, each.text.en) for each in judged_again(disputed_hand(record.entries, 1))]


def shown(tiles: str) -> HandShown:
    return HandShown(1, parse_tiles(tiles), parse_tile("5s"), self_drawn=True)


def test_a_win_that_does_not_hold_was_rightly_refused() -> None:
    first = said_of(shown(BROKEN), WinRefused(1, ("structure",)))[0]
    assert first[0] == "ok"
    assert first[1].startswith("The win of seat 1 was rightly refused: ")
    assert len(first[1]) > len("The win of seat 1 was rightly refused: .")


def test_a_win_that_holds_and_was_refused_is_told() -> None:
    first = said_of(shown(WHOLE), WinRefused(1, ("structure",)))[0]
    assert first == ("NO", "The win of seat 1 was refused, and by the rules it is a win.")


def test_of_a_hand_that_was_not_shown_nothing_is_claimed() -> None:
    first = said_of(WinRefused(1, ()))[0]
    assert first == ("ok", "The win of seat 1 was refused; its hand was not shown.")


@pytest.mark.parametrize("tiles", [WHOLE, BROKEN])
def test_a_hand_that_was_given_up_was_not_settled(tiles: str) -> None:
    assert said_of(shown(tiles))[-1][1] == "Hand 1 was not settled."
