"""One thing that is to be done at the table, how it is said, and those between two hands."""

from dataclasses import dataclass
from enum import StrEnum

from table_assist.game.events import Throw
from table_assist.game.places import Spot, breached_side, dealing, opened, total_thrown
from table_assist.game.state import SEATS, TableState
from table_assist.languages.words import (
    COMMA,
    NOTHING,
    SEMICOLON,
    Plural,
    Words,
    capitalised,
    joined,
    phrase,
    same,
)
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.wall import Break, deal, first_dealer


class Act(StrEnum):
    """A step's action."""

    CHOOSE_DEALER = "choose_dealer"
    ROLL_FOR_DEALER = "roll_for_dealer"
    PLACE_ANTES = "place_antes"
    BUILD_WALL = "build_wall"
    ROLL_TO_BREAK = "roll_to_break"
    ROLL_AGAIN_TO_BREAK = "roll_again_to_break"
    DEAL = "deal"
    LAY_BONUS = "lay_bonus"
    EXCHANGE = "exchange"
    TURN_INDICATOR = "turn_indicator"
    DRAW = "draw"
    TAKE_LAST_TILE = "take_last_tile"
    REPLACE = "replace"
    PLAY = "play"
    SHOW_HANDS = "show_hands"
    REFUSE_WIN = "refuse_win"
    TURN_BIRDS = "turn_birds"
    SETTLE = "settle"
    NOBODY_WINS = "nobody_wins"
    GAME_OVER = "game_over"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is to be done.

    Attributes:
        seats: who does it; several where each of them does.
        words: what it is, as it is said at the table; seats by their numbers.
        spot: the tile of the wall that it is about, where the dice are known.
        throw: what dice are thrown for in it.
    """

    act: Act
    seats: tuple[int, ...]
    words: Words
    spot: Spot | None = None
    throw: Throw = Throw.UNSAID


def seat_words(seat: int) -> Words:
    """A seat as all rules may name it."""
    return Words("seat {seat}", "座位 {seat} ", seat=seat)


def seats_words(seats: tuple[int, ...]) -> Words:
    """Several seats."""
    return Plural(
        len(seats),
        "seat {seats}",
        "seats {seats}",
        "座位 {seats} ",
        seats=joined(same(str(seat)) for seat in seats),
    )


def at_words(spot: Spot | None) -> Words:
    """Where a tile lies, behind what is done with it; nothing where that is not known."""
    if spot is None:
        return Words("", "")
    return Words(": {words}", "：{words}", words=spot.words)


_FIRST_DEALER = {
    "wind_markers": phrase("step.draw_the_wind_markers"),
    "highest_dice": phrase("step.everyone_throws_two_dice"),
    "dice_and_row": phrase("step.throw_for_who_takes"),
}
_AT_RANDOM = Words("Choose the first dealer, at random or by agreement.", "首局庄家：随机或商定。")
_ANTES = phrase("step.before_the_deal")
_BY_DEALER = Words(" The dealer hands the tiles out.", "由庄家分牌。")
_JUMPS = Words(" (the first and the fifth)", "（取第一和第五张）")
_NEW_ROUND = Words("A new round begins: draw for seats again. ", "新的一圈：重新摸风定位。")


def between_hands(rules: RuleSet, state: TableState) -> Step:
    """From the end of a hand to the next wall."""
    if state.game_over:
        return Step(Act.GAME_OVER, (), Words("The game is over.", "全场结束。"))
    if state.dealer_next is None:
        if state.hand > state.game.since:
            won = () if state.settled is None else state.settled.winners
            words = Words("Agree who deals next.", "请商定下一局庄家。")
            return Step(Act.CHOOSE_DEALER, won or tuple(SEATS), words)
        if rules.first_dealer is None:
            words = _FIRST_DEALER.get(str(rules.chosen.get("seat_draw")), _AT_RANDOM)
            return Step(Act.CHOOSE_DEALER, tuple(SEATS), words)
        thrown = [dice for dice in state.throws if dice.throw is Throw.DEALER and dice.values]
        if thrown:
            seat = first_dealer(rules, thrown[-1].seat, thrown[-1].values)
            total, who = sum(thrown[-1].values), seat_words(seat)
            words = phrase("step.deals_first", total=total, who=who)
            return Step(Act.CHOOSE_DEALER, (seat,), words)
        words = Words("One player rolls two dice for the first dealer.", "一人掷两骰，定庄家。")
        return Step(Act.ROLL_FOR_DEALER, tuple(SEATS), words, throw=Throw.DEALER)
    if rules.antes is not None and not state.antes_placed:
        return Step(Act.PLACE_ANTES, tuple(SEATS), _ANTES)
    stacks = rules.wall.stacks(dealing(state), rules.chosen)
    sides = [
        Words("{count} before seat {seat}", "座位 {seat} 前 {count} 墩", count=count, seat=seat)
        for seat, count in enumerate(stacks)
    ]
    new = _NEW_ROUND if seats_are_due(rules, state) else Words("", "")
    words = phrase("step.build_the_wall", new=new, sides=joined(sides, COMMA))
    if not rules.wall.is_built(rules.chosen):
        words = phrase("step.shuffle_the_cards_everyone", new=new)
    return Step(Act.BUILD_WALL, tuple(SEATS), words)


def seats_are_due(rules: RuleSet, state: TableState) -> bool:
    """A round is over, and its players draw for seats again, and have not yet (CL-05)."""
    again = rules.chosen.get("redraw_seats_each_round") and state.hand > state.game.since
    begins = state.prevailing_next is not state.prevailing and not state.is_running
    return bool(again) and begins and not state.reseated and not state.game_over


def wall_ready(rules: RuleSet, state: TableState) -> Step:
    """From the wall to the deal."""
    dealer = dealing(state)
    who = seat_words(dealer)
    first = total_thrown(state, Throw.BREAK)
    if first is None:
        words = Words("The dealer, {who}, rolls to break the wall.", "庄家{who}掷骰开门。", who=who)
        return Step(Act.ROLL_TO_BREAK, (dealer,), words, throw=Throw.BREAK)
    side = breached_side(rules, dealer, first)
    if not rules.wall.is_built(rules.chosen):
        # From the heap that the dice name (CL-15)
        words = phrase(
            "step.cut_the_heap", first=first, heap=seat_words(side), who=capitalised(who)
        )
        return Step(Act.DEAL, (dealer,), words)
    opening = opened(state, rules)
    if opening is None:
        words = phrase("step.wall_of_who_rolls", first=first, breacher=seat_words(side))
        return Step(Act.ROLL_AGAIN_TO_BREAK, (side,), words, throw=Throw.SECOND_BREAK)
    broken, loose, dealt = seat_words(opening.side), _loose(rules, opening), _dealt(rules, dealer)
    by = _BY_DEALER if rules.wall.handed_out(rules.chosen) else Words("", "")
    words = Words(
        "Break the wall of {broken} after stack {stack} and deal from {who} on: {dealt}.{by}"
        "{loose}",
        "从{broken}牌墙第 {stack} 墩后开门，自{who}起发牌：{dealt}。{by}{loose}",
        broken=broken,
        stack=opening.stack,
        who=who,
        dealt=dealt,
        by=by,
        loose=loose,
    )
    return Step(Act.DEAL, (dealer,), words)


def _loose(rules: RuleSet, opening: Break) -> Words:
    """The stack that is lifted out, where two tiles lie loose (CL-19, CL-20)."""
    if rules.wall.breach is None:
        return Words("", "")
    lower, upper = rules.wall.breach.loose(rules.chosen)
    return Words(
        " Lift stack {stack} out first: its lower tile goes on top {places} to the right of "
        "the breach, its upper one {further} to the right.",
        "先取出第 {stack} 墩：下层牌放在缺口右边第 {places} 墩上，上层牌放在第 {further} 墩上。",
        stack=opening.stack,
        places=_places(lower),
        further=_places(upper),
    )


def _places(count: int) -> Words:
    return Plural(count, "{n} place", "{n} places", "{n}")


def _dealt(rules: RuleSet, dealer: int) -> Words:
    """The numbers of tiles taken, in order; a number that everyone takes in turn is said once."""
    blocks = list(deal(rules, dealer))
    takes: list[Words] = []
    while blocks:
        turns = 0
        in_turn = [((dealer + turn) % len(SEATS), blocks[0][1]) for turn in SEATS]
        while blocks[: len(SEATS)] == in_turn:
            blocks, turns = blocks[len(SEATS) :], turns + 1
        if turns:
            times = Words(", {turns} times", "，共 {turns} 次", turns=turns)
            takes.append(
                Plural(
                    in_turn[0][1],
                    "{n} tile each{times}",
                    "{n} tiles each{times}",
                    "每家 {n} 张{times}",
                    times=NOTHING if turns == 1 else times,
                )
            )
            continue
        seat, count = blocks.pop(0)
        jumps = seat == dealer and count > 1 and rules.wall.dealer_jumps(rules.chosen)
        which = _JUMPS if jumps else Words("", "")
        takes.append(phrase("step.to_seat", count=count, seat=seat, which=which))
    return joined(takes, SEMICOLON)
