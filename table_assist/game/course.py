"""The next step at the table in words, and how a hand ended that people see to.

``next_step(rules, state)``: from the choice of the first dealer through wall, dice, deal, flowers,
exchange and turned tiles to draws, settlement and the next deal. It says what the rules want; what
the seats may choose beside it is in `allowed` and `offered`.
"""

from dataclasses import dataclass

from table_assist.game import places
from table_assist.game.choices import TREASURE_UNKNOWN
from table_assist.game.events import PlayedOut, Throw
from table_assist.game.in_force import rules_in_force
from table_assist.game.offered import who_won
from table_assist.game.outcome import end_of_hand, exhausted_event, settled_event
from table_assist.game.state import SEATS, Phase, TableState, replace
from table_assist.game.step import (
    Act,
    Step,
    at_words,
    between_hands,
    seat_words,
    seats_words,
    wall_ready,
)
from table_assist.game.win import may_rush, may_seek, wall_after
from table_assist.languages.words import (
    NOTHING,
    Plural,
    Words,
    capitalised,
    phrase,
    player_at,
    words_of,
)
from table_assist.rules.play_rules import MarkedTile, Replaces, must_throw_again
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.tile import Tile


def next_step(rules: RuleSet, state: TableState) -> Step:
    """The step that the rules want next.

    Args:
        rules: those of the next hand; a hand that is played has its own.
    """
    match state.phase:
        case Phase.WAITING | Phase.SETTLED:
            return between_hands(rules, state)
        case Phase.WALL_READY:
            return wall_ready(rules, state)
        case Phase.SHOWING:
            return _showing(rules_in_force(state), state)
        case Phase.PLAYING:
            rules = rules_in_force(state)
            return (
                _all_dead(state)
                or _before_first_discard(rules, state)
                or _indicator_due(rules, state)
                or _replacement_due(state)
                or _holder_plays(rules, state)
                or _draw(rules, state)
            )


def _all_dead(state: TableState) -> Step | None:
    """Play goes on until somebody wins or all hands are dead (Classical > Discards 2)."""
    if any(seat.dead is None for seat in state.seats):
        return None
    words = Words("All hands are dead: the hand is drawn.", "四家皆为死牌，流局。")
    return Step(Act.NOBODY_WINS, (), words)


def _before_first_discard(rules: RuleSet, state: TableState) -> Step | None:
    if any(seat.discards for seat in state.seats) or state.called:
        return None
    laying = bonus_holders(rules, state)
    if laying:
        in_turn = rules.chosen.get("grounding_order") != "as_dealt"
        return _lay_bonus(rules, state, laying[:1] if in_turn else laying)
    if rules.exchange is not None and not state.exchanged:
        count, seats = rules.exchange.count, (state.dealer,)
        thrown = [sum(dice.values) for dice in state.throws if dice.throw is Throw.EXCHANGE]
        if thrown and thrown[-1] in _DIE:  # a throw of more than one die names nobody
            die = thrown[-1]
            to = _DIRECTIONS[rules.exchange.passed_to(die, rules.chosen)]
            words = phrase("course.everyone_passes_the_tiles", die=die, count=count, to=to)
            return Step(Act.EXCHANGE, tuple(SEATS), words)
        early = rules.starting_tiles(True, rules.chosen) == rules.starting_tiles(
            False, rules.chosen
        )
        words = phrase(
            "course.everyone_lays_tiles", count=count, apart=_FOURTEENTH_APART if early else NOTHING
        )
        return Step(Act.EXCHANGE, seats, words, throw=Throw.EXCHANGE)
    if rules.wilds is not None and not state.indicators:
        roller = (state.dealer + rules.wilds.roller) % len(SEATS)
        return _indicator_step(rules, state, roller)
    return None


def _lay_bonus(rules: RuleSet, state: TableState, seats: tuple[int, ...]) -> Step:
    """The spot is where the first replacement lies."""
    spot = places.replacement_tile(state, Replaces.BONUS)
    who, where = seats_words(seats), at_words(spot)
    words = Plural(
        len(seats),
        "{who} lays out flowers and draws for them{where}.",
        "{who} lay out flowers and draw for them{where}.",
        "{who}补花{where}。",
        who=capitalised(who),
        where=where,
    )
    return Step(Act.LAY_BONUS, seats, words, spot)


_FOURTEENTH_APART = Words(", the dealer's fourteenth apart", "（庄家第十四张不在内）")
_DIE = range(1, 7)
_DIRECTIONS = {
    1: Words("to the right", "下家"),
    2: Words("across", "对家"),
    3: Words("to the left", "上家"),
}


def bonus_holders(rules: RuleSet, state: TableState) -> tuple[int, ...]:
    """Seats that hold flowers or seasons, as far as is known, from the dealer on."""
    order = [(state.dealer + turn) % len(SEATS) for turn in SEATS]
    return tuple(
        seat
        for seat in order
        if any(tile in rules.bonus_tiles for tile in state.seats[seat].concealed or ())
    )


def _indicator_due(rules: RuleSet, state: TableState) -> Step | None:
    """The treasure is looked for once somebody is ready, if enough tiles are left (CC-27, 31).

    Another one is only where the first ready player has thrown for it (CC-32).
    """
    ready = state.first_ready
    if rules.treasure is None or ready is None or (state.indicators and not state.seeking):
        return None
    if state.holder == ready or not may_seek(rules, state):
        return None
    if not state.seeking and not may_rush(rules, state):
        return None  # it is not asked for: a drawn treasure alone may still help
    return _indicator_step(rules, state, ready)


def _indicator_step(rules: RuleSet, state: TableState, roller: int) -> Step:
    who, thrown = seat_words(roller), state.seeking
    if not thrown or must_throw_again(thrown, places.columns_left(state)):
        words = Words(
            "{who} rolls{again} for the tile to turn.",
            "{who}{again}掷骰，定翻牌位置。",
            who=capitalised(who),
            again=Words(" again", "重") if thrown else NOTHING,
        )
        return Step(Act.TURN_INDICATOR, (roller,), words, throw=Throw.INDICATOR)
    count = sum(thrown)
    spot = places.indicator(state, count)
    where = at_words(spot)
    if rules.treasure is None:
        words = Plural(
            count,
            "Count {n} stack from the tail and turn the top tile{where}. It stays there.",
            "Count {n} stacks from the tail and turn the top tile{where}. It stays there.",
            "从牌尾数 {n} 墩，翻上层牌{where}，留在原处。",
            where=where,
        )
    else:
        words = Plural(
            count,
            "Count {n} stack from the tail{where}. {who} looks at the top tile and lays it "
            "face down in the middle; other ready players may look.",
            "Count {n} stacks from the tail{where}. {who} looks at the top tile and lays it "
            "face down in the middle; other ready players may look.",
            "从牌尾数 {n} 墩{where}，{who}暗看上层牌，扣放在桌子中间，其他听牌者可看。",
            where=where,
            who=capitalised(who),
        )
    return Step(Act.TURN_INDICATOR, (roller,), words, spot)


def _replacement_due(state: TableState) -> Step | None:
    if state.holder is None or (state.owed is None and state.holder not in state.unnamed):
        return None
    rolled = None if state.owed is None else places.rolled_tile(state, state.holder)
    if rolled is not None:
        spot = places.spot_at(state, rolled.tile)
    else:
        spot = (
            places.unnamed_tile(state)
            if state.owed is None
            else places.replacement_tile(state, state.owed)
        )
    who, where, rolls = seat_words(state.holder), at_words(spot), places.may_roll(state)
    words = Words(
        "{who} draws a replacement{where}{or_rolls}.",
        "{who}补牌{where}{or_rolls}。",
        who=capitalised(who),
        where=where,
        or_rolls=_OR_ROLLS if rolls else NOTHING,
    )
    throw = Throw.REPLACEMENT if rolls else Throw.UNSAID
    return Step(Act.REPLACE, (state.holder,), words, spot, throw)


_OR_ROLLS = Words("; or rolls the dice for its place", "；或掷骰定位")


def _holder_plays(rules: RuleSet, state: TableState) -> Step | None:
    seat = state.holder
    if seat is None:
        return None
    if seat in bonus_holders(rules, state):
        return _lay_bonus(rules, state, (seat,))
    who = seat_words(seat)
    words = Words("{who} discards.", "{who}打牌。", who=capitalised(who))
    hidden = any(each.concealed is None for each in state.seats)
    if rules.bonus_tiles and hidden and not any(each.discards for each in state.seats):
        words = phrase("course.flowers_are_laid_out", dealer=state.dealer, who=who)
    return Step(Act.PLAY, (seat,), words)


def _draw(rules: RuleSet, state: TableState) -> Step:
    who = seat_words(state.turn)
    if state.wall_left <= 0 or len(state.passed_on) >= len(SEATS):
        words = Words("Nobody wins: the hand is drawn.", "无人和牌，流局。")
        if state.last_discard is not None:
            words = phrase("course.if_nobody_wins")
        return Step(Act.NOBODY_WINS, (), words)
    spot = places.next_tile(state)
    if state.wall_left == 1 and rules.last_tile_may_be_passed:
        words = phrase("course.takes_the_last_tile", who=capitalised(who), at_words=at_words(spot))
        return Step(Act.TAKE_LAST_TILE, (state.turn,), words, spot)
    late = _late_treasure(rules, state)
    words = phrase("course.draws", who=capitalised(who), at_words=at_words(spot), late=late)
    return Step(Act.DRAW, (state.turn,), words, spot)


def _late_treasure(rules: RuleSet, state: TableState) -> Words:
    """Nobody rushes any more, and a drawn treasure is wild all the same (CC-30, CC-33)."""
    if state.indicators or not may_seek(rules, state) or state.first_ready is None:
        return Words("", "")
    who = seat_words(state.first_ready)
    return phrase("course.may_roll", who=capitalised(who))


def birds_due(rules: RuleSet, state: TableState) -> int:
    """How many birds are turned for these winners: what the wall still has, if that is less."""
    if rules.birds is None:
        return 0
    each = rules.birds.count
    shared = rules.birds.shared(rules.chosen) or not rules.settles_together(rules.chosen)
    due = each * (1 if shared else max(len(state.declared), 1))
    told = [hand.wall_left for hand in state.told if hand.wall_left is not None]
    left = min(told, default=state.wall_left - _undrawn(state))
    if left >= due:
        return due
    # A winner for whom too few are left turns none, where that is agreed.
    return left - left % each if rules.chosen.get("bird_shortage") == "none" else left


def _undrawn(state: TableState) -> int:
    """Tiles of the winners that are not counted as drawn yet."""
    after = (wall_after(state, hand.seat, self_drawn=hand.self_drawn) for hand in state.shown)
    return state.wall_left - min(after, default=state.wall_left)


_MARKED = {
    MarkedTile.NOT: Words("", ""),
    MarkedTile.MIDDLE_TURNED: phrase("course.of_a_concealed_triplet"),
    MarkedTile.ONE_ON_TWO: phrase("course.concealed_triplet_is_marked"),
}


def _showing(rules: RuleSet, state: TableState) -> Step:
    hidden = tuple(
        seat for seat in state.declared if all(hand.seat != seat for hand in state.shown)
    )
    if hidden:
        who = seats_words(hidden)
        how = _MARKED[rules.lying(rules.chosen).marked]
        words = Plural(
            len(hidden),
            "{who} shows the hand.{how}",
            "{who} show their hands.{how}",
            "{who}亮牌。{how}",
            who=capitalised(who),
            how=how,
        )
        return Step(Act.SHOW_HANDS, hidden, words)
    return _refused_win(rules, state) or _birds_step(rules, state) or _settling(rules, state)


def _refused_win(rules: RuleSet, state: TableState) -> Step | None:
    """A hand shown that does not win, and why."""
    try:
        verdicts = who_won(rules, state).verdicts
    except ValueError:
        return None  # it is said at the settlement what is wrong
    refused = [seat for seat in state.declared if verdicts[seat].refusals]
    if not refused:
        return None
    who, refusal = seat_words(refused[0]), verdicts[refused[0]].refusals[0]
    why = refusal.words
    if refusal is TREASURE_UNKNOWN:
        words = phrase("course.hand_of_cannot", who=who, why=why)
        return Step(Act.SHOW_HANDS, (refused[0],), words)
    words = phrase("course.hand_of_does", who=who, why=why)
    return Step(Act.REFUSE_WIN, (refused[0],), words)


def _birds_step(rules: RuleSet, state: TableState) -> Step | None:
    due = birds_due(rules, state) - len(state.birds)
    if due <= 0:
        return None
    spot = places.bird_tile(state, _undrawn(state))
    words = Plural(
        due,
        "Turn {n}{more} bird{where}.",
        "Turn {n}{more} birds{where}.",
        "{more}翻 {n} 张鸟牌{where}。",
        more=Words(" more", "再") if state.birds else NOTHING,
        where=at_words(spot),
    )
    return Step(Act.TURN_BIRDS, (state.declared[0],), words, spot)


def _settling(rules: RuleSet, state: TableState) -> Step:
    """Where the losers' hands count, they are shown first (CL-66)."""
    if rules.settle_values is not None:
        try:
            missing = end_of_hand(state, rules).missing
        except ValueError:
            missing = ()
        if missing:
            who = seats_words(missing)
            how = _MARKED[rules.lying(rules.chosen).marked]
            words = phrase("course.others_lay_down", who=who, how=how)
            return Step(Act.SHOW_HANDS, missing, words)
    return Step(Act.SETTLE, state.declared, Words("Settle the hand.", "结算本局。"))


@dataclass(frozen=True, slots=True)
class Due:
    """The result of a hand.

    Attributes:
        end: None where it cannot be settled.
        unsure: what is not known of it, though it can be settled as it stands.
        why: what stands in the way where it cannot.
    """

    end: PlayedOut | None
    unsure: tuple[Words, ...] = ()
    why: Words = NOTHING


def due_end(state: TableState, *, drawn: bool) -> Due:
    """The end of a hand that is running.

    Args:
        state: just before the hand ends.
        drawn: it ended without a win if none is declared.
    """
    if state.phase is Phase.PLAYING:
        if drawn:
            ended = end_of_hand(replace(state, shown=()))
            return Due(exhausted_event(ended), ended.unsure)
        return _open(Words("No win is declared.", "无人报和。"))
    if state.phase is not Phase.SHOWING:
        return _open(Words("The hand is not running.", "牌局未进行。"))
    return _won(state)


def _won(state: TableState) -> Due:
    hidden = set(state.declared) - {hand.seat for hand in state.shown}
    if hidden:
        return _open(phrase("course.hand", seats=_seats(hidden)))
    if any(Tile.UNKNOWN in (*hand.concealed, hand.winning_tile) for hand in state.shown):
        return _open(Words("A tile of a hand is not known.", "有手牌未能辨认。"))
    if Tile.UNKNOWN in state.birds:
        return _open(Words("A bird is not known.", "有鸟牌未能辨认。"))
    try:
        ended = end_of_hand(state)
    except ValueError as error:
        why = words_of(error)
        return _open(phrase("course.these_wins_cannot", why=why))
    for hand in state.shown:
        refusals = ended.verdicts[hand.seat].refusals
        if refusals and refusals[0] is TREASURE_UNKNOWN:
            return _open(
                phrase(
                    "course.hand_of_cannot_2", seat=player_at(hand.seat), words=refusals[0].words
                )
            )
        if refusals:
            why = refusals[0].words
            return _open(phrase("course.hand_of_does_2", seat=player_at(hand.seat), why=why))
    if len(state.birds) < birds_due(rules_in_force(state), state):
        return _open(Words("Not all birds are recorded.", "鸟牌没有记全。"))
    if ended.missing:
        missing = _seats(set(ended.missing))
        return _open(phrase("course.hands", missing=missing))
    return Due(settled_event(ended), ended.unsure)


def _open(words: Words) -> Due:
    return Due(None, (), words)


def _seats(seats: set[int]) -> str:
    return ", ".join(f"{{{seat}}}" for seat in sorted(seats))
