"""Whole hands by bots: what moved in the end, against a second account kept from the events."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

import pytest

from table_assist.game.events import (
    Claimed,
    Discarded,
    EggAppended,
    EggLaid,
    Event,
    HandShown,
    KongDeclared,
    Settled,
    StartingHandShown,
    WallExhausted,
)
from table_assist.game.fold import apply
from table_assist.game.outcome import end_of_hand
from table_assist.game.state import TableState
from table_assist.game.win import declared_hand
from table_assist.rules.judge import judge
from table_assist.rules.registry import find_rules
from table_assist.rules.rounds import LosingHand
from table_assist.tiles.melds import MeldKind
from table_assist.tiles.tile import Tile
from table_assist.twin.play.hand import play_hand
from tests.rules.test_classical_values import counted

HANDS = 12


@dataclass
class Kong:
    """A kong or an egg as a player would remember it."""

    seat: int
    kind: str
    tile: Tile
    discarder: int | None = None
    appended: int = 0
    void: bool = False


@dataclass
class Account:
    """Kept from the events alone."""

    laid: list[Kong] = field(default_factory=list)
    openings: list[StartingHandShown] = field(default_factory=list)
    discards: list[Discarded] = field(default_factory=list)
    calls: int = 0
    robbable: Kong | None = None
    after: Kong | None = None
    """The kong after which nothing but its replacement and a discard has happened."""
    discarded: bool = False

    def take(self, event: Event) -> None:
        match event:
            case StartingHandShown():
                self.openings.append(event)
            case EggLaid(seat, tiles):
                self.laid.append(Kong(seat, "egg", tiles[0]))
            case EggAppended(seat, number, tile):
                egg = [each for each in self.laid if (each.seat, each.kind) == (seat, "egg")][
                    number
                ]
                egg.appended += 1
                self.robbable, self.discarded = egg, False
            case KongDeclared(seat, kind, tile):
                self.robbable = self._lay(Kong(seat, kind, tile))
            case Claimed(seat, kind, tiles, discarder):
                self.calls += 1
                if self.robbable is not None and self.robbable.kind == "egg":
                    self.robbable.appended -= 1
                    self.robbable.void = True
                self.robbable, self.after = None, None
                if kind is MeldKind.KONG_EXPOSED:
                    self._lay(Kong(seat, kind, tiles[0], discarder))
            case Discarded(seat):
                self.discards.append(event)
                self.robbable, self.discarded = None, True
                if self.after is not None and self.after.seat != seat:
                    self.after = None
            case HandShown(_, _, _, self_drawn, rush) if not (self_drawn or rush):
                if self.robbable is not None:
                    self.robbable.void = True
                elif self.after is not None and self.discarded:
                    self.after.void = True
            case _:
                pass

    def _lay(self, kong: Kong) -> Kong:
        self.laid.append(kong)
        self.after, self.discarded = kong, False
        return kong


def each_other(seat: int, points: Sequence[int]) -> list[int]:
    """Every other seat pays the seat what stands at its place."""
    moved = [-amount for amount in points]
    moved[seat] = sum(points) - points[seat]
    return moved


def beside(state: TableState, account: Account) -> list[list[int]]:
    """What was moved beside the hands' own points."""
    match state.rules:
        case "changchun":
            worth = {"kong_concealed": 2, "kong_exposed": 1, "kong_added": 1}
            return [
                each_other(one.seat, [worth.get(one.kind, 1 + one.appended)] * 4)
                for one in account.laid
                if not (one.kind == "egg" and one.void)
            ]
        case "changsha":
            rules = find_rules("changsha")
            paid = []
            for shown in account.openings:
                met = sum(each.predicate(shown.tiles, rules.chosen) for each in rules.opening)
                with_dealer = [
                    met * (2 if state.dealer in (seat, shown.seat) else 1) for seat in range(4)
                ]
                paid.append(each_other(shown.seat, with_dealer))
            return paid
        case "wanzhou":
            return [kong_of(one, [2, 2, 1]) for one in account.laid if not one.void]
        case "tianjin":
            return tianjin_beside(state, account)
        case _:
            return []


def kong_of(one: Kong, worth: Sequence[int]) -> list[int]:
    """A kong at the price of a concealed, an exposed, an added one."""
    points = worth[["kong_concealed", "kong_exposed", "kong_added"].index(one.kind)]
    return each_other(
        one.seat, [points if one.discarder in (None, seat) else 0 for seat in range(4)]
    )


def factor(state: TableState, one: int, other: int) -> int:
    """Doubled for doubling down and for each token between the dealer and a challenger."""
    if state.dealer not in (one, other):
        return 1
    challenger = other if one == state.dealer else one
    return (1 + state.antes.double_down) << state.antes.challenges[challenger]


def tianjin_beside(state: TableState, account: Account) -> list[list[int]]:
    paid = []
    for one in account.laid:
        if one.kind == "kong_added" and one.void:
            continue
        golden = one.kind == "kong_concealed" and one.tile in state.wilds
        plain = each_other(one.seat, [8] * 4) if golden else kong_of(one, [2, 1, 1])
        staked = [
            -plain[seat] * factor(state, one.seat, seat) if seat != one.seat else 0
            for seat in range(4)
        ]
        paid.append(each_other(one.seat, staked))
    first = account.discards[:4]
    order = [(state.dealer + turn) % 4 for turn in range(4)]
    if [each.seat for each in first] == order and len({each.tile for each in first}) == 1:
        paid += [
            each_other(seat, [factor(state, seat, s) if s == state.dealer else 0 for s in range(4)])
            for seat in range(4)
            if seat != state.dealer
        ]
    return paid


def hands_alone(state: TableState, winners: Sequence[int]) -> list[list[int]]:
    """What the winning hands moved; in the classical game all four hands against each other."""
    rules = find_rules(state.rules)
    verdicts = {
        hand.seat: judge(rules, declared_hand(state, hand))
        for hand in state.shown
        if hand.seat in winners
    }
    if state.rules == "classical" and winners:
        return classical_hands(state, winners[0], verdicts[winners[0]].total)
    return [
        [points * birds(state, seat) for points in verdict.payments]
        for seat, verdict in verdicts.items()
    ]


def birds(state: TableState, winner: int) -> int:
    """One more for each bird that names the winner or the discarder, counted from the dealer."""
    hand = next(hand for hand in state.shown if hand.seat == winner)
    named = [(state.dealer + tile.number - 1) % 4 for tile in state.birds]
    discarder = None if hand.self_drawn else declared_hand(state, hand).discarder
    return 1 + sum(seat in (winner, discarder) for seat in named)


def classical_hands(state: TableState, winner: int, total: int) -> list[list[int]]:
    values = {winner: total}
    for hand in state.laid_down:
        own = state.seats[hand.seat]
        robbed = state.robbable is not None and state.robbable.seat == hand.seat
        assert not robbed, "choose another seed: the account cannot take a kong back"
        losing = LosingHand(
            hand.concealed, own.melds, own.bonus, hand.seat, state.dealer, state.prevailing
        )
        values[hand.seat] = min(500, counted(losing))
    assert len(values) == 4
    paid = []
    for one, other in combinations(range(4), 2):
        gain = values[one] - values[other]
        if one == winner:
            gain = values[one]
        elif other == winner:
            gain = -values[other]
        moved = [0, 0, 0, 0]
        moved[one] = gain * (2 if state.dealer in (one, other) else 1)
        moved[other] = -moved[one]
        paid.append(moved)
    return paid


@pytest.mark.slow
@pytest.mark.parametrize("id", ["changchun", "changsha", "classical", "tianjin", "wanzhou"])
def test_whole_hands_move_what_a_second_account_says(id: str) -> None:
    rules = find_rules(id)
    state = TableState()
    beside_hands = 0
    for number in range(HANDS):
        before = TableState() if state.game_over else state
        events, state = play_hand(rules, before, Random(f"{id} outcome {number}"))
        account, now = Account(), before
        for event in events[:-1]:
            account.take(event)
            now = apply(now, event)
        last = events[-1]
        assert isinstance(last, Settled | WallExhausted)
        winners = last.winners if isinstance(last, Settled) else ()
        side = beside(now, account)
        moved = [*hands_alone(now, winners), *side]
        assert list(last.transfers) == [sum(each[seat] for each in moved) for seat in range(4)]
        assert sum(last.transfers) == 0
        assert end_of_hand(now).final
        beside_hands += any(any(each) for each in side)
    assert beside_hands or id == "classical"
