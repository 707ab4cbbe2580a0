"""What happens next at the table, and what it takes in words.

``next_step(rules, state)``: from the choice of the first dealer through wall, dice, deal, flowers,
exchange and turned tiles to draws, settlement and the next deal. It says what the rules want; what
the seats may choose beside it is in `own_turn` and `offered`.
"""

from dataclasses import dataclass
from enum import StrEnum

from table_assist.game.events import Throw
from table_assist.game.in_force import rules_in_force
from table_assist.game.places import (
    Spot,
    breached_side,
    columns_left,
    dealing,
    indicator,
    next_tile,
    opened,
    replacement_tile,
    total_thrown,
)
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.win import wall_after
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.treasure import must_throw_again
from table_assist.rules.words import Words


class Act(StrEnum):
    """What is to be done."""

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


def next_step(rules: RuleSet, state: TableState) -> Step:
    """What the rules want next.

    Args:
        rules: those of the next hand; a hand that is played has its own.
    """
    match state.phase:
        case Phase.WAITING | Phase.SETTLED:
            return _between_hands(rules, state)
        case Phase.WALL_READY:
            return _wall_ready(rules, state)
        case Phase.SHOWING:
            return _showing(state)
        case Phase.PLAYING:
            return _playing(rules_in_force(state), state)


def _seat(seat: int) -> Words:
    return Words(f"seat {seat}", f"座位 {seat}")


def _between_hands(rules: RuleSet, state: TableState) -> Step:
    if state.game_over:
        return Step(Act.GAME_OVER, (), Words("The game is over.", "全场结束。"))
    first = state.hand == 0
    if first and rules.first_dealer is not None and state.dealer_next is None:
        return Step(
            Act.ROLL_FOR_DEALER,
            tuple(SEATS),
            Words("One player rolls two dice for the first dealer.", "一人掷两骰，定庄家。"),
            throw=Throw.DEALER,
        )
    if state.dealer_next is None:
        won = () if state.settled is None else state.settled.winners
        seats = won or tuple(SEATS)
        return Step(Act.CHOOSE_DEALER, seats, Words("Agree who deals next.", "请商定下一局庄家。"))
    stacks = rules.wall.stacks(dealing(state), rules.chosen)
    sides = ", ".join(str(count) for count in stacks)
    words = Words(f"Build the wall: {sides} stacks.", f"砌牌：各方 {sides} 墩。")
    return Step(Act.BUILD_WALL, tuple(SEATS), words)


def _thrown(state: TableState, throw: Throw) -> bool:
    return any(dice.throw is throw for dice in state.throws)


def _wall_ready(rules: RuleSet, state: TableState) -> Step:
    dealer = dealing(state)
    who = _seat(dealer)
    first = total_thrown(state, Throw.BREAK)
    if first is None:
        words = Words(f"The dealer, {who.en}, rolls to break the wall.", f"庄家{who.zh}掷骰开门。")
        return Step(Act.ROLL_TO_BREAK, (dealer,), words, throw=Throw.BREAK)
    side = breached_side(rules, dealer, first)
    if rules.wall.breach is not None and not _thrown(state, Throw.SECOND_BREAK):
        breacher = _seat(side)
        words = Words(
            f"{first}: the wall of {breacher.en}, who rolls again.",
            f"{first} 点：{breacher.zh}的牌墙，由其再掷。",
        )
        return Step(Act.ROLL_AGAIN_TO_BREAK, (side,), words, throw=Throw.SECOND_BREAK)
    opening = opened(state, rules)
    assert opening is not None
    broken = _seat(opening.side)
    words = Words(
        f"Break the wall of {broken.en} after stack {opening.stack} and deal from {who.en} on.",
        f"从{broken.zh}牌墙第 {opening.stack} 墩后开门，自{who.zh}起发牌。",
    )
    return Step(Act.DEAL, (dealer,), words)


def _playing(rules: RuleSet, state: TableState) -> Step:
    return (
        _before_first_discard(rules, state)
        or _indicator_due(rules, state)
        or _replacement_due(state)
        or _holder_plays(state)
        or _draw(rules, state)
    )


def _before_first_discard(rules: RuleSet, state: TableState) -> Step | None:
    if any(seat.discards for seat in state.seats) or state.called:
        return None
    laying = bonus_holders(rules, state)
    if laying:
        who = _seat(laying[0])
        words = Words(f"{who.en.capitalize()} lays out flowers.", f"{who.zh}补花。")
        return Step(Act.LAY_BONUS, laying[:1], words)
    if rules.exchange is not None and not state.exchanged:
        count = rules.exchange.count
        words = Words(
            f"Everyone lays {count} tiles of one suit face down; the dealer rolls one die.",
            f"各家扣下同花色 {count} 张，庄家掷一骰定方向。",
        )
        return Step(Act.EXCHANGE, (state.dealer,), words, throw=Throw.EXCHANGE)
    if rules.wilds is not None and not state.indicators:
        roller = (state.dealer + rules.wilds.roller) % len(SEATS)
        return _indicator_step(state, roller)
    return None


def bonus_holders(rules: RuleSet, state: TableState) -> tuple[int, ...]:
    """Seats that hold flowers or seasons, as far as is known, from the dealer on."""
    order = [(state.dealer + turn) % len(SEATS) for turn in SEATS]
    return tuple(
        seat
        for seat in order
        if any(tile in rules.bonus_tiles for tile in state.seats[seat].concealed or ())
    )


def _indicator_due(rules: RuleSet, state: TableState) -> Step | None:
    """The treasure is looked for once somebody is ready, if enough tiles are left (CC-27, 31)."""
    ready = state.first_ready
    if rules.treasure is None or ready is None or state.indicators:
        return None
    if state.holder == ready or state.wall_left < rules.treasure.fewest_tiles:
        return None
    return _indicator_step(state, ready)


def _indicator_step(state: TableState, roller: int) -> Step:
    who = _seat(roller)
    thrown = total_thrown(state, Throw.INDICATOR)
    if thrown is None or must_throw_again(_last_throw(state), columns_left(state)):
        words = Words(
            f"{who.en.capitalize()} rolls for the tile to turn.", f"{who.zh}掷骰，定翻牌位置。"
        )
        return Step(Act.TURN_INDICATOR, (roller,), words, throw=Throw.INDICATOR)
    words = Words(
        f"Count {thrown} stacks from the tail and turn the top tile.",
        f"从牌尾数 {thrown} 墩，翻上层牌。",
    )
    return Step(Act.TURN_INDICATOR, (roller,), words, indicator(state, thrown))


def _last_throw(state: TableState) -> tuple[int, ...]:
    return next(d.values for d in reversed(state.throws) if d.throw is Throw.INDICATOR)


def may_seek_again(rules: RuleSet, state: TableState) -> bool:
    """Whether the first ready player may roll for another treasure (CC-31, CC-32)."""
    if rules.treasure is None or state.first_ready is None or not state.treasures:
        return False
    lying = [tile for seat in state.seats for tile in seat.river]
    lying += [tile for seat in state.seats for meld in seat.melds for tile in meld.tiles]
    visible = sum(tile in state.treasures for tile in lying)
    enough = state.wall_left >= rules.treasure.fewest_tiles
    return enough and visible >= rules.treasure.visible


def _replacement_due(state: TableState) -> Step | None:
    if state.owed is None or state.holder is None:
        return None
    spot = replacement_tile(state, state.owed)
    who = _seat(state.holder)
    words = Words(
        f"{who.en.capitalize()} draws a replacement{_at(spot).en}.", f"{who.zh}补牌{_at(spot).zh}。"
    )
    return Step(Act.REPLACE, (state.holder,), words, spot)


def _holder_plays(state: TableState) -> Step | None:
    if state.holder is None:
        return None
    who = _seat(state.holder)
    words = Words(f"{who.en.capitalize()} discards.", f"{who.zh}打牌。")
    return Step(Act.PLAY, (state.holder,), words)


def _draw(rules: RuleSet, state: TableState) -> Step:
    who = _seat(state.turn)
    if state.wall_left <= 0 or len(state.passed_on) >= len(SEATS):
        return Step(
            Act.NOBODY_WINS, (), Words("Nobody wins: the hand is drawn.", "无人和牌，流局。")
        )
    spot = next_tile(state)
    if state.wall_left == 1 and rules.last_tile_may_be_passed:
        words = Words(
            f"{who.en.capitalize()} takes the last tile or passes it on.",
            f"{who.zh}要或不要海底牌。",
        )
        return Step(Act.TAKE_LAST_TILE, (state.turn,), words, spot)
    words = Words(f"{who.en.capitalize()} draws{_at(spot).en}.", f"{who.zh}摸牌{_at(spot).zh}。")
    return Step(Act.DRAW, (state.turn,), words, spot)


def _at(spot: Spot | None) -> Words:
    if spot is None:
        return Words("", "")
    return Words(f": {spot.words.en}", f"：{spot.words.zh}")


def birds_due(rules: RuleSet, state: TableState) -> int:
    """How many birds are turned for these winners: what the wall still has, if that is less."""
    if rules.birds is None:
        return 0
    together = rules.settles_together(rules.chosen)
    shared = rules.birds.shared(rules.chosen) or not together
    due = rules.birds.count * (1 if shared else max(len(state.declared), 1))
    left = min(
        (wall_after(state, hand.seat, self_drawn=hand.self_drawn) for hand in state.shown),
        default=state.wall_left,
    )
    if left >= due:
        return due
    short = rules.chosen.get("bird_shortage") == "none"
    return 0 if short else left


def _showing(state: TableState) -> Step:
    hidden = tuple(
        seat for seat in state.declared if all(hand.seat != seat for hand in state.shown)
    )
    if hidden:
        words = Words("Who has declared shows the hand.", "请宣布和牌者亮牌。")
        return Step(Act.SHOW_HANDS, hidden, words)
    due = birds_due(rules_in_force(state), state) - len(state.birds)
    if due > 0:
        words = Words(f"Turn {due} more birds.", f"再翻 {due} 张鸟牌。")
        return Step(Act.TURN_BIRDS, (state.declared[0],), words, next_tile(state))
    return Step(Act.SETTLE, state.declared, Words("Settle the hand.", "结算本局。"))
