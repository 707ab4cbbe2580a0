"""Nothing that could tell a secret of a hand in play leaves the table."""

import pytest

from table_assist.club.sending import free_until
from table_assist.contract.secret import has_secret, is_about_treasure
from table_assist.game.events import (
    Drew,
    End,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    Settled,
    WinRefused,
)
from table_assist.record.log import Retracted, Source
from table_assist.record.record import Record
from table_assist.rules.profile import plain_profile
from table_assist.rules.registry import find_rules
from table_assist.session.session import Session
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from tests.stages.evenings import RULE_SETS, played

NAMES = ("Ann", "Bo", "Chen", "Du")


class Told:
    """A session that is told events, and what may leave after each."""

    def __init__(self, rules: str) -> None:
        self.record = Record(None, lambda: 1.0)
        self.session = Session(plain_profile(find_rules(rules)), NAMES, self.record, now=lambda: 1)

    def tell(self, event: object) -> int:
        self.record.append(event, Source.RULES)  # type: ignore[arg-type]
        self.session._publish()
        return free_until(self.session.snapshot, self.record.entries)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_of_a_hand_in_play_only_what_lies_open_leaves(rules: str) -> None:
    told, most = Told(rules), 0
    for event in played(rules, 5, 4):
        most = max(most, told.tell(event))
        snapshot = told.session.snapshot
        if not (snapshot.state.is_running or has_secret(snapshot)):
            assert most == snapshot.seq
            continue
        begun = max(e.seq for e in told.record.entries if isinstance(e.event, HandStarted))
        for entry in told.record.entries[begun:most]:
            hidden = isinstance(entry.event, IndicatorTurned | WinRefused) or (
                isinstance(entry.event, KongDeclared)
                and entry.event.kind is MeldKind.KONG_CONCEALED
            )
            assert not hidden, f"{entry.event} has left in play"
            assert not is_about_treasure(entry.event)
    assert most > 50


def test_a_hidden_treasure_stays_until_the_next_deal() -> None:
    """Also when the hand ends without a winner, and when that is taken back."""
    for seed in range(40):
        events = played("changchun", seed, 1)
        turned = [n for n, event in enumerate(events) if isinstance(event, IndicatorTurned)]
        ends = [n for n, event in enumerate(events) if isinstance(event, End)]
        won = any(isinstance(event, Settled) and event.winners for event in events)
        if turned and not won and ends:
            break
    else:
        raise AssertionError("no hand of them ends with a hidden treasure")
    told = Told("changchun")
    frees = [told.tell(event) for event in events[: ends[0] + 1]]
    assert max(frees) <= turned[0]
    assert told.tell(Retracted(ends[0] + 1)) <= turned[0]


def test_a_deal_that_the_program_knows_stays_until_the_hand_is_over() -> None:
    told = Told("changsha")
    hands = ((Tile.EAST,) * 13,) * 4
    before = told.tell(HandStarted(1, "changsha", 0, 55, hands=hands))
    assert before == 0
    told = Told("changsha")
    assert told.tell(HandStarted(1, "changsha", 0, 55)) == 1
    assert told.tell(Drew(0, Tile.EAST)) == 1
    assert told.tell(Drew(0)) == 1, "what comes after a secret waits with it"
