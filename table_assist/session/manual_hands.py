"""A hand that people tell instead of a camera: begun if none runs, held to what can be, recorded.

What is wrong by the rules is recorded all the same, and judged; what cannot be is refused.
"""

from dataclasses import replace
from typing import assert_never

from table_assist.game.choices import may_open
from table_assist.game.course import birds_due
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    Answered,
    BirdTurned,
    DealerChosen,
    Drew,
    HandTold,
    IndicatorTurned,
    LastTilePassed,
    StartingHandShown,
    WallBuilt,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.fold import apply
from table_assist.game.in_force import rules_in_force
from table_assist.game.irregular import visible_tiles
from table_assist.game.outcome import next_after
from table_assist.game.people import seat_of
from table_assist.game.question import QuestionKind
from table_assist.game.start import told_hand_started
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.told_facts import may_tell_treasure, with_known
from table_assist.languages.words import Words, player_at
from table_assist.record.commands import (
    PlaceAntes,
    TellBirds,
    TellDraw,
    TellHand,
    TellOpening,
    Told,
)
from table_assist.rules.profile import Profile
from table_assist.rules.reckoning import instant_wins
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Antes
from table_assist.rules.shown_hand_validity import too_many_copies
from table_assist.session.before_the_hand import stakes
from table_assist.session.command_transaction import CommandTransaction
from table_assist.session.signals import drawn, drawn_as_told
from table_assist.tiles.melds import MeldKind, tile_noted
from table_assist.tiles.tile import Tile

Refused = Words | None


def tell(
    transaction: CommandTransaction, command: Told, profile: Profile
) -> Words | tuple[Doubt, ...]:
    """Record what is told, with all that must stand before it.

    Returns:
        Why not, in one sentence, and then what was written is to be forgotten; else the doubts
        that it raises.
    """
    match command:
        case TellHand():
            return _tell_hand(transaction, command, profile) or ()
        case TellOpening():
            return _tell_opening(transaction, command, profile) or ()
        case TellBirds():
            return _tell_birds(transaction, command) or ()
        case TellDraw():
            # End a hand that nobody won; what must be asked first
            wrong = _begin(transaction, command.dealer, profile, None)
            if wrong:
                return wrong
            state = transaction.record.state
            if state.phase is not Phase.PLAYING:
                return _WON_ALREADY
            wrong = _tell_last_tile(transaction, command)
            if wrong:
                return wrong
            if command.chased:
                # The dealer's kongs and eggs stay as they were: only the first discards are told
                told = next((hand for hand in state.told if hand.seat == state.dealer), None)
                own = state.seats[state.dealer]
                told = told or HandTold(state.dealer, (), melds=own.melds, bonus=own.bonus)
                transaction.write(replace(told, chased=True))
            ending = drawn(transaction.record.state)
            ends = [each for each in ending.events if isinstance(each, WallExhausted)]
            if ends and any(ends[0].transfers) and seat_of(transaction.by) is not None:
                return (drawn_as_told(transaction.record.state, ends[0]),)
            for event in ending.events:
                transaction.write(event)
            return ending.doubts
        case _:
            assert_never(command)


def _tell_hand(transaction: CommandTransaction, command: TellHand, profile: Profile) -> Refused:
    hand = command.hand
    wrong = _impossible(hand) or _begin(transaction, command.dealer, profile, command.antes)
    if wrong:
        return wrong
    state = transaction.record.state
    rules = rules_in_force(state)
    indicator = command.indicator if may_tell_treasure(state) else None
    if indicator is not None and indicator not in rules.kinds:
        return _no_tile(indicator)
    turned = None if indicator is None else IndicatorTurned(indicator)
    hand = with_known(state if turned is None else apply(state, turned), hand)
    wrong = _strange(rules, hand) or _too_many(apply(state, hand))
    if wrong:
        return wrong
    if hand.winning_tile is not None and hand.seat not in state.declared:
        transaction.write(WinDeclared(hand.seat))
    for asked in state.questions:
        if asked.question.kind is QuestionKind.DRAWN:
            transaction.write(
                Answered(asked.question, "")
            )  # it was about the hand as it was told then
    transaction.write(hand)
    if turned is not None:
        transaction.write(turned)  # nobody followed when
    return None


def _tell_opening(
    transaction: CommandTransaction, command: TellOpening, profile: Profile
) -> Refused:
    """A dealt hand that scores before play; one that scores nothing is refused, with the reason."""
    if command.seat not in SEATS:
        return _no_seat(command.seat)
    wrong = _begin(transaction, command.dealer, profile, None)
    if wrong:
        return wrong
    state = transaction.record.state
    rules = rules_in_force(state)
    if not rules.opening:
        return Words("No dealt hand scores in these rules.", "本规则没有起手胡。")
    if not may_open(state, command.seat):
        return Words(
            "{seat} cannot show a dealt hand any more.",
            "{seat}不能再亮起手牌。",
            seat=player_at(command.seat),
        )
    strange = next((tile for tile in command.tiles if tile not in rules.kinds), None)
    if strange is not None:
        return _no_tile(strange)
    found = instant_wins(rules, command.tiles, seat=command.seat, dealer=state.dealer)
    if found.refusals:
        return found.refusals[0].words
    if not found.wins:
        return Words("This dealt hand scores nothing.", "这副起手牌不成起手胡。")
    transaction.write(StartingHandShown(command.seat, command.tiles))
    return None


def _tell_birds(transaction: CommandTransaction, command: TellBirds) -> Refused:
    state = transaction.record.state
    rules = rules_in_force(state) if state.phase is Phase.SHOWING else None
    if rules is None or rules.birds is None:
        return Words("No win is shown that birds are turned for.", "没有需要翻鸟的和牌。")
    left = birds_due(rules, state) - len(state.birds)
    if len(command.tiles) > left:
        return Words(
            "{count} birds are told; {left} are still to be turned.",
            "报了 {count} 只鸟，只剩 {left} 只未翻。",
            count=len(command.tiles),
            left=left,
        )
    for tile in command.tiles:
        if tile not in rules.kinds:
            return _no_tile(tile)
    wrong = _too_many(replace(state, birds=(*state.birds, *command.tiles)))
    for tile in () if wrong else command.tiles:
        transaction.write(BirdTurned(tile))
    return wrong


def _tell_last_tile(transaction: CommandTransaction, command: TellDraw) -> Refused:
    """Record who drew the last tile of the wall, or left it to the next as the fourth."""
    state = transaction.record.state
    for seat in (command.last_drawer, command.last_passed):
        if seat is not None and seat not in SEATS:
            return _no_seat(seat)
    if command.last_drawer is not None:
        transaction.write(Drew(command.last_drawer))
    elif command.last_passed is not None:
        if not rules_in_force(state).last_tile_may_be_passed:
            return _NOT_PASSED
        for turn in range(1, len(SEATS) + 1):
            transaction.write(LastTilePassed((command.last_passed + turn) % len(SEATS)))
    elif asks_last_drawer(state):
        return _WHO_DREW
    return None


def asks_last_drawer(state: TableState) -> bool:
    """Whether it matters for the next deal who drew the last tile of a hand nobody won."""
    rules = rules_in_force(state)
    follows = {next_after(rules, replace(state, last_drawer=seat), ()).dealers for seat in SEATS}
    return len(follows) > 1


_WON_ALREADY = Words("A win is declared in this hand.", "本局已有人宣布和牌。")
_NOT_PASSED = Words("In these rules the last tile is not passed on.", "本规则不能让出最后一张。")
_WHO_DREW = Words(
    "Who drew the last tile deals next: say who.", "摸最后一张者下局坐庄：请说明是谁。"
)


def _begin(
    transaction: CommandTransaction, dealer: int | None, profile: Profile, antes: Antes | None
) -> Refused:
    """A hand that runs, or a new one dealt by who deals by the rules, else by whom people say."""
    state = transaction.record.state
    if state.is_running:
        if dealer not in (None, state.dealer):
            return Words(
                "Hand {hand} is dealt by {dealer}, not by {dealer_2}.",
                "第{hand}局由{dealer}坐庄，不是{dealer_2}。",
                hand=state.hand,
                dealer=player_at(state.dealer),
                dealer_2=player_at(dealer),
            )
        return None
    deals = _who_deals(state, dealer)
    if isinstance(deals, Words):
        return deals
    if antes is not None:
        staked = _stake(transaction, deals, antes, profile)
        if staked:
            return staked
    if transaction.record.state.phase is not Phase.WALL_READY:
        transaction.write(WallBuilt())
    transaction.write(told_hand_started(profile, transaction.record.state, deals))
    return None


def _who_deals(state: TableState, said: int | None) -> int | Words:
    """The dealer of the next hand by the rules, else by people; or why nobody can be."""
    if state.game_over:
        return Words("The game is over: begin a new one.", "本场已结束：请开始新的一场。")
    by_rules = state.dealer_next if state.hand > state.game.since else None
    if by_rules is not None and said not in (None, by_rules):
        return Words(
            "{by_rules} deals the next hand by the rules.",
            "按规则下局由{by_rules}坐庄。",
            by_rules=player_at(by_rules),
        )
    deals = by_rules if said is None else said
    deals = state.dealer_next if deals is None else deals
    if deals is None:
        return Words("Say who deals.", "尚未说明谁坐庄。")
    return deals if deals in SEATS else _no_seat(deals)


def _stake(transaction: CommandTransaction, dealer: int, antes: Antes, profile: Profile) -> Refused:
    """Record the stakes before the deal, against who deals."""
    if transaction.record.state.dealer_next is None:
        transaction.write(DealerChosen(dealer))
    command = PlaceAntes(antes.double_down, antes.challenges)
    said = stakes(profile.rules, transaction.record.state, command)
    if isinstance(said, Words):
        return said
    transaction.write(said)
    return None


def _impossible(hand: HandTold) -> Refused:
    """The reason why no hand can be so, whatever the rules."""
    for seat in (hand.seat, hand.discarder, *hand.claimed_from):
        if seat is not None and seat not in SEATS:
            return _no_seat(seat)
    if hand.seat in (hand.discarder, *hand.claimed_from):
        return Words(
            "{seat} cannot take its own discard.",
            "{seat}不能和自己打出的牌。",
            seat=player_at(hand.seat),
        )
    if not hand.concealed and (hand.winning_tile is not None or not hand.melds):
        return Words("There is no tile in the hand.", "手牌是空的。")
    if hand.winning_tile is not None and hand.winning_tile not in hand.concealed:
        return Words(
            "The winning tile {value} is not in the hand.",
            "和的{value}不在手牌里。",
            value=tile_noted(hand.winning_tile),
        )
    if len(hand.claimed_from) > len(hand.melds):
        return Words("There are more givers than melds.", "吃碰来源多于副露。")
    eggs = [at for at, meld in enumerate(hand.melds) if meld.kind is MeldKind.LUCKY_EGG]
    if not set(hand.broken) <= set(eggs):
        return Words("Only an egg can be broken.", "只有蛋会被抢破。")
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


def _too_many(state: TableState) -> Refused:
    """Why hands that are told cannot be so together: the set has fewer of a tile.

    Where discards are followed one of them may be misread, and people see what lies there.
    """
    found = next(too_many_copies(rules_in_force(state), visible_tiles(state)), None)
    is_followed = any(seat.discards for seat in state.seats)
    return None if found is None or is_followed else found.words


def _no_tile(tile: Tile) -> Words:
    if tile in (Tile.UNKNOWN, Tile.BACK):
        return Words(
            "A tile is not named yet: tap it and say which it is.", "有牌未认出：请点它并选牌。"
        )
    return Words(
        "These rules have no tile {value}.", "本规则没有{value}这张牌。", value=tile_noted(tile)
    )


def _no_seat(seat: int) -> Words:
    return Words("There is no seat {seat}.", "没有座位 {seat}。", seat=seat)
