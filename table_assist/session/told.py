"""A hand that people tell instead of a camera: begun if none runs, held to what can be, recorded.

What is wrong by the rules is recorded all the same, and judged; what cannot be is refused.
"""

from dataclasses import replace

from table_assist.contract.commands import StartHand, TellBirds, TellDraw, TellHand
from table_assist.game.course import birds_due
from table_assist.game.doubt import Doubt
from table_assist.game.events import BirdTurned, Drew, HandTold, IndicatorTurned, WinDeclared
from table_assist.game.in_force import rules_in_force
from table_assist.game.outcome import next_after
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.rules.profile import Profile
from table_assist.rules.ruleset import RuleSet
from table_assist.session.entry_writer import Pen
from table_assist.session.played_out import drawn
from table_assist.session.without_board import read_command
from table_assist.tiles import Tile
from table_assist.words import Words

Refused = Words | None


def tell_hand(pen: Pen, command: TellHand, profile: Profile) -> Refused:
    """Record the hand, with all that must stand before it; why not, else None."""
    hand = command.hand
    wrong = _impossible(hand) or _begin(pen, command.dealer, profile)
    if wrong:
        return wrong
    state = pen.record.state
    rules = rules_in_force(state)
    wrong = _strange(rules, hand)
    if wrong:
        return wrong
    if command.indicator is not None and not state.indicators:
        pen.write(IndicatorTurned(command.indicator))
    if hand.winning_tile is not None and hand.seat not in state.declared:
        pen.write(WinDeclared(hand.seat))
    pen.write(hand)
    return None


def tell_birds(pen: Pen, command: TellBirds) -> Refused:
    """Record the birds of a win that is shown; why not, else None."""
    state = pen.record.state
    rules = rules_in_force(state) if state.phase is Phase.SHOWING else None
    if rules is None or rules.birds is None:
        return Words("No win is shown that birds are turned for.", "没有需要翻鸟的和牌。")
    left = birds_due(rules, state) - len(state.birds)
    if len(command.tiles) > left:
        return Words(
            f"{len(command.tiles)} birds are told; {left} are still to be turned.",
            f"报了 {len(command.tiles)} 只鸟，只剩 {left} 只未翻。",
        )
    for tile in command.tiles:
        if tile not in rules.kinds:
            return _no_tile(tile)
    for tile in command.tiles:
        pen.write(BirdTurned(tile))
    return None


def tell_draw(pen: Pen, command: TellDraw, profile: Profile) -> tuple[Refused, tuple[Doubt, ...]]:
    """End a hand that nobody won: why not, else None, and what must be asked first."""
    wrong = _begin(pen, command.dealer, profile)
    if wrong:
        return wrong, ()
    state = pen.record.state
    if state.phase is not Phase.PLAYING:
        return _WON_ALREADY, ()
    if command.last_drawer is not None:
        if command.last_drawer not in SEATS:
            return _no_seat(command.last_drawer), ()
        pen.write(Drew(command.last_drawer))
    elif asks_last_drawer(state):
        return _WHO_DREW, ()
    ending = drawn(pen.record.state)
    for event in ending.events:
        pen.write(event)
    return None, ending.doubts


def asks_last_drawer(state: TableState) -> bool:
    """Whether it matters for the next deal who drew the last tile of a hand nobody won."""
    rules = rules_in_force(state)
    follows = {next_after(rules, replace(state, last_drawer=seat), ()).dealers for seat in SEATS}
    return len(follows) > 1


_WON_ALREADY = Words("A win is declared in this hand.", "本局已有人宣布和牌。")
_WHO_DREW = Words(
    "Who drew the last tile deals next: say who.", "摸最后一张者下局坐庄：请说明是谁。"
)


def _begin(pen: Pen, dealer: int | None, profile: Profile) -> Refused:
    """A hand that runs, or a new one dealt by who deals by the rules, else by whom people say."""
    state = pen.record.state
    if state.is_running:
        if dealer not in (None, state.dealer):
            return Words(
                f"Hand {state.hand} is dealt by {{{state.dealer}}}, not by {{{dealer}}}.",
                f"第{state.hand}局由{{{state.dealer}}}坐庄，不是{{{dealer}}}。",
            )
        return None
    if state.game_over:
        return Words("The game is over: begin a new one.", "本场已结束：请开始新的一场。")
    deals = state.dealer_next if state.hand > state.game.since else None
    if deals is None:
        deals = state.dealer_next if dealer is None else dealer
    elif dealer not in (None, deals):
        return Words(
            f"{{{deals}}} deals the next hand by the rules.", f"按规则下局由{{{deals}}}坐庄。"
        )
    if deals is None:
        return Words("Who deals is not said.", "尚未说明谁坐庄。")
    if deals not in SEATS:
        return _no_seat(deals)
    meaning = read_command(state, StartHand(deals), profile)
    if meaning.notice is not None:
        return meaning.notice
    for event in meaning.events:
        pen.write(event)
    return None


def _impossible(hand: HandTold) -> Refused:
    """What no hand can be, whatever the rules."""
    for seat in (hand.seat, hand.discarder, *hand.claimed_from):
        if seat is not None and seat not in SEATS:
            return _no_seat(seat)
    if hand.seat in (hand.discarder, *hand.claimed_from):
        return Words(
            f"{{{hand.seat}}} cannot take its own discard.", f"{{{hand.seat}}}不能和自己打出的牌。"
        )
    if not hand.concealed:
        return Words("There is no tile in the hand.", "手牌是空的。")
    if hand.winning_tile is not None and hand.winning_tile not in hand.concealed:
        return Words(
            f"The winning tile {hand.winning_tile} is not in the hand.",
            f"和的牌 {hand.winning_tile} 不在手牌里。",
        )
    if len(hand.claimed_from) > len(hand.melds):
        return Words("More givers are said than melds.", "吃碰来源多于副露。")
    return None


def _strange(rules: RuleSet, hand: HandTold) -> Refused:
    """Tiles that nobody named, or that this set does not have."""
    melded = (tile for meld in hand.melds for tile in (*meld.tiles, *meld.supplements))
    for tile in (*hand.concealed, *melded):
        if tile not in rules.kinds:
            return _no_tile(tile)
    for tile in hand.bonus:
        if tile not in rules.bonus_tiles:
            return _no_tile(tile)
    return None


def _no_tile(tile: Tile) -> Words:
    if tile in (Tile.UNKNOWN, Tile.BACK):
        return Words(
            "A tile is not named yet: tap it and say which it is.", "有牌未认出：请点它并选牌。"
        )
    return Words(f"These rules have no tile {tile}.", f"本规则没有牌 {tile}。")


def _no_seat(seat: int) -> Words:
    return Words(f"There is no seat {seat}.", f"没有座位 {seat}。")
