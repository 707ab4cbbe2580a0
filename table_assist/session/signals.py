"""The meaning of dice, keys, the dome and of taps in their place, at this state of the table."""

from dataclasses import dataclass, replace

from firmware_bridge.events import DiceReport as BoardDice
from firmware_bridge.events import (
    Dome,
    EventContent,
    Fault,
    Key,
    KeyPressed,
    LiftKeyPressed,
    LiftMoved,
    TrayWeighed,
    UnreadableEvent,
    WallReady,
)
from firmware_bridge.receiver import EventsLost
from table_assist.game.allowed import refuse
from table_assist.game.course import birds_due, due_end, next_step
from table_assist.game.doubt import Doubt
from table_assist.game.events import (
    DealerChosen,
    DiceRolled,
    Event,
    HandAbandoned,
    HandStarted,
    IndicatorTurned,
    LastTilePassed,
    ReadyDeclared,
    Throw,
    TilesExchanged,
    WallBuilt,
    WallExhausted,
    WinDeclared,
)
from table_assist.game.fold import apply, replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.places import columns_left, total_thrown
from table_assist.game.question import TOLD_SUBJECT, QuestionId, QuestionKind
from table_assist.game.side_payments import told_before
from table_assist.game.start import hand_started
from table_assist.game.state import SEATS, Phase, TableState
from table_assist.game.step import Act
from table_assist.game.turn import may_pass
from table_assist.game.win import may_seek
from table_assist.languages.board_words import KEYS
from table_assist.languages.words import SPACE, Words, joined, player_at, words_of
from table_assist.record.commands import DeclareReady, DeclareWin, EndHand, PassLastTile, StartHand
from table_assist.rules.play_rules import must_throw_again
from table_assist.rules.profile import Profile
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.settlement import Laid, LaidKind
from table_assist.rules.wall import first_dealer
from table_assist.tiles.tile import Tile


@dataclass(frozen=True, slots=True)
class SignalEffect:
    """A signal's additions to the record.

    Attributes:
        doubts: each is about the last of the events, if there is one. ``{2}`` in a text stands for
            the name of the player in seat 2.
        notice: why nothing follows from what a person said; None if something does.
        told: what was odd, for everybody to read, with the same stand-ins.
    """

    events: tuple[Event, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    notice: Words | None = None
    told: Words | None = None


def read_dice(
    state: TableState, side: int, values: tuple[int, ...], profile: Profile
) -> SignalEffect:
    """A throw's additions to the record.

    Args:
        side: the seat that threw, or whose key was pressed.
        profile: the rules of the next hand.
    """
    if state.is_running:
        return _in_the_hand(state, side, values)
    rules = profile.rules
    is_first = state.dealer_next is None and state.hand == state.game.since
    if rules.first_dealer is not None and is_first:
        rolled = DiceRolled(side, values, Throw.DEALER)
        return SignalEffect((rolled, DealerChosen(first_dealer(rules, side, values))))
    # The wall is opened, by one throw or two; then the tiles are dealt
    rules = profile.rules
    built = () if state.phase is Phase.WALL_READY else (WallBuilt(),)
    state = replay(built, state)
    if state.dealer_next is None:  # who opens the wall deals: nobody has said otherwise
        opener = next((d.seat for d in state.throws if d.throw is Throw.BREAK), side)
        state = replace(state, dealer_next=opener)
    rolled = DiceRolled(side, values, next_step(rules, state).throw)
    state = apply(state, rolled)
    if next_step(rules, state).act is not Act.DEAL:
        return SignalEffect((*built, rolled))
    # The hand starts with the dealer of the rules; who broke the wall may be another
    before = (*built, rolled)
    dealer = state.dealer if state.dealer_next is None else state.dealer_next
    broke = next(dice.seat for dice in reversed(state.throws) if dice.throw is Throw.BREAK)
    started = _started(state, dealer, profile)
    if broke == dealer:
        return SignalEffect((*before, started))
    text = Words(
        "{broke} rolled the dice, but by the rules {dealer} deals: does {broke} deal?",
        "{broke} 掷了骰子，但按规则应由 {dealer} 坐庄。由 {broke} 坐庄吗？",
        broke=player_at(broke),
        dealer=player_at(dealer),
    )
    other = _started(state, broke, profile)
    question = QuestionId(started.hand, QuestionKind.DEALER)
    doubt = Doubt(question, text, if_yes=other)
    return SignalEffect((*before, started), (doubt,))


def _started(state: TableState, dealer: int, profile: Profile) -> HandStarted:
    return hand_started(profile, state, dealer, counted=counted(profile.rules, state))


def counted(rules: RuleSet, state: TableState) -> int | None:
    """The stacks counted off, where two throws open the wall; None if they are not known."""
    first, second = total_thrown(state, Throw.BREAK), total_thrown(state, Throw.SECOND_BREAK)
    if rules.wall.breach is None or first is None or second is None:
        return None
    return rules.wall.breach.count(first, second, rules.chosen)


# --- In the hand


def _in_the_hand(state: TableState, side: int, values: tuple[int, ...]) -> SignalEffect:
    rules = rules_in_force(state)
    throw = _thrown_for(rules, state, side)
    rolled, is_on = DiceRolled(side, values, throw), state.phase is Phase.PLAYING
    match throw:
        case Throw.EXCHANGE:
            assert rules.exchange is not None
            if len(rolled.values) != 1:
                shown = " ".join(map(str, rolled.values))
                text = Words(
                    "One die says where the exchanged tiles go, and {shown} was reported.",
                    "换牌方向由一颗骰子决定，而报来的是 {shown}。",
                    shown=shown,
                )
                question = QuestionId(state.hand, QuestionKind.EXCHANGE, subject=shown)
                return SignalEffect((rolled,), (Doubt(question, text, ("yes",)),))
            seats_on = rules.exchange.passed_to(rolled.values[0], rules.chosen)
            return SignalEffect((rolled, TilesExchanged(seats_on)))
        case Throw.INDICATOR:
            # The treasure is looked at by who is ready; a tile that makes others wild is seen
            if rules.treasure is None or must_throw_again(rolled.values, columns_left(state)):
                return SignalEffect((rolled,))
            return SignalEffect((rolled, IndicatorTurned(Tile.UNKNOWN, sum(rolled.values))))
        case Throw.UNSAID if is_on and side == state.first_ready and may_seek(rules, state):
            # That people are asked, and how, is the same whatever the treasure: it is a secret, and
            # with it whether three of it lie open
            return SignalEffect((rolled,), (_another_treasure(state, rolled),))
        case _:
            return SignalEffect((rolled,))


def _thrown_for(rules: RuleSet, state: TableState, side: int) -> Throw:
    """The purpose of a throw now; the camera may be a discard behind the dice."""
    throw = next_step(rules, state).throw
    if throw is not Throw.UNSAID or rules.treasure is None or state.phase is not Phase.PLAYING:
        return throw
    if side != state.first_ready or not may_seek(rules, state) or state.treasures:
        return throw  # whether another treasure is due nobody may see who does not know the first
    return Throw.INDICATOR


def _another_treasure(state: TableState, rolled: DiceRolled) -> Doubt:
    """A question that must not tell how many treasures lie open: the treasure is a secret."""
    shown = " ".join(map(str, rolled.values))
    text = Words(
        "{seat} threw {shown}. Was it for another treasure, as three lie open?",
        "{seat} 掷出 {shown}。是因明宝满三张而另定宝牌吗？",
        seat=player_at(rolled.seat),
        shown=shown,
    )
    return Doubt(
        QuestionId(state.hand, QuestionKind.SEEK, subject=str(len(state.throws))),
        text,
        if_yes=replace(rolled, throw=Throw.INDICATOR),
        blocks=True,  # with another treasure the hand is worth something else
    )


# --- The board's words


def read_signal(
    state: TableState, content: EventContent | EventsLost, profile: Profile
) -> SignalEffect:
    """The events and doubts that follow from one signal of the board."""
    match content:
        case WallReady():
            # A new wall is proof that the hand is over, settled or not: what is missing is asked
            if not state.is_running:
                return SignalEffect((WallBuilt(),))
            if is_played_out(state):
                ending = drawn(state)
                if ending.events:
                    return replace(ending, events=(*ending.events, WallBuilt()))
            standing = _standing(state)
            text = Words(
                "Hand {hand} ended without a settlement ({standing}). Was it given up?",
                "第 {hand} 局没有结算（{standing}）就结束了。这一局作废吗？",
                hand=state.hand,
                standing=standing,
            )
            doubt = Doubt(QuestionId(state.hand, QuestionKind.UNSETTLED), text)
            return SignalEffect((HandAbandoned(), WallBuilt()), (doubt,))
        case BoardDice():
            return read_dice(state, content.side, content.values, profile)
        case Dome(is_open):
            return _dome(state) if is_open else SignalEffect()
        case KeyPressed(seat, key):
            return _key(state, seat, key)
        case LiftMoved() | LiftKeyPressed() | TrayWeighed():
            return SignalEffect()
        case EventsLost(count):
            text = Words(
                "The board lost {count} of its signals: please check what was recorded last.",
                "控制板丢失了 {count} 个信号，请核对最近的记录。",
                count=count,
            )
            question = QuestionId(state.hand, QuestionKind.LOST, subject=str(count))
            return SignalEffect((), (Doubt(question, text, ("yes",)),))
        case Fault(kind):
            return SignalEffect(
                told=Words(
                    "The board reports a fault: {kind}.", "控制板报告故障：{kind}。", kind=kind
                )
            )
        case UnreadableEvent(kind, _, reason):
            return SignalEffect(
                told=Words(
                    "The board said {kind}, which was not understood: {reason}.",
                    "控制板发来 {kind}，无法理解：{reason}。",
                    kind=kind,
                    reason=reason,
                )
            )


# --- The wall


def _dome(state: TableState) -> SignalEffect:
    if is_played_out(state):
        return drawn(state)
    is_asked = any(asked.question.hand == state.hand for asked in state.questions)
    shown, birds = {hand.seat for hand in state.shown}, birds_due(rules_in_force(state), state)
    is_open = shown >= {*state.declared} and len(state.birds) >= birds
    if not state.is_running or (shown and (is_asked or is_open)):
        return SignalEffect()  # whoever shows a hand has not given it up; what it lacks is asked
    standing = _standing(state)
    text = Words(
        "The dome opened while hand {hand} was running ({standing}). Was the hand given up?",
        "第 {hand} 局尚未结束（{standing}），机盖已打开。这一局作废吗？",
        hand=state.hand,
        standing=standing,
    )
    question = QuestionId(state.hand, QuestionKind.ENDED)
    doubt = Doubt(question, text, if_yes=HandAbandoned())
    return SignalEffect((), (doubt,))


def _standing(state: TableState) -> Words:
    if state.declared:
        winner = f"{{{state.declared[0]}}}"
        return Words("the win of {winner} is not settled", "{winner}的和牌尚未结算", winner=winner)
    left = state.wall_left
    return Words("{left} tiles left in the wall", "牌墙剩 {left} 张", left=left)


# --- Keys


def _key(state: TableState, seat: int, key: Key) -> SignalEffect:
    if not state.is_running:
        return SignalEffect(
            told=Words(
                "{seat} pressed {key} while no hand was running.",
                "没有进行中的牌局，{seat} 却按了“{key}”键。",
                seat=player_at(seat),
                key=KEYS[key],
            )
        )
    match key:
        case Key.WIN:
            return (
                SignalEffect((WinDeclared(seat),)) if seat not in state.declared else SignalEffect()
            )
        case Key.READY:
            return _ready(state, seat)
        case Key.PASS:
            passes = may_pass(state) and seat == state.turn
            return SignalEffect((LastTilePassed(seat),)) if passes else SignalEffect()
        case Key.KONG:
            return SignalEffect()  # what lies on the table says which; the camera looks for it


def _ready(state: TableState, seat: int) -> SignalEffect:
    """A key pressed before the discard is judged with it: what it was claimed with comes first."""
    if state.seats[seat].ready:
        return SignalEffect()
    declared = ReadyDeclared(seat)
    refusal = refuse(state, declared)
    has_discarded = state.last_discard is not None and state.last_discard[0] == seat
    if refusal is None or not has_discarded:
        return SignalEffect((declared,))
    text = Words(
        "{seat} declared: {ready}. {words} Does the declaration stand?",
        "{seat} {ready}。{words}仍然算数吗？",
        seat=player_at(seat),
        ready=rules_in_force(state).ready_names,
        words=refusal.words,
    )
    question = QuestionId(state.hand, QuestionKind.READY, seat)
    return SignalEffect((declared,), (Doubt(question, text),))


# --- A hand that nobody can win any more: whether it is one, and how it ends


def drawn_as_told(state: TableState, end: WallExhausted) -> Doubt:
    """Nobody has won, and who pays for what was told says so first."""
    text = Words(
        "Nobody has won, and points move by what a player told. Is the hand drawn as shown?",
        "无人和牌，但按玩家所报有计分。按所示流局吗？",
    )
    question = QuestionId(state.hand, QuestionKind.DRAWN, subject=TOLD_SUBJECT)
    return Doubt(question, text, ("yes",), if_yes=end)


def is_played_out(state: TableState) -> bool:
    """Whether the wall is empty, or nobody wanted its last tile, and nobody has won."""
    if state.phase is not Phase.PLAYING:
        return False
    return next_step(rules_in_force(state), state).act is Act.NOBODY_WINS


def drawn(state: TableState) -> SignalEffect:
    """Nobody wins; where not all is known that is paid all the same, people say so first.

    Where a draw pays by kongs, nor is it while somebody is asked about what lies before a seat.
    """
    try:
        due = due_end(state, drawn=True)
    except ValueError as error:  # who deals next cannot be told
        why = words_of(error)
        text = Words("Nobody has won, but {why}.", "无人和牌，但{why}。", why=why)
        return SignalEffect(
            (), (Doubt(QuestionId(state.hand, QuestionKind.DRAWN), text, ("yes",)),)
        )
    if due.end is None:
        return SignalEffect()
    earlier = told_before(state, ())
    unsure = [*due.unsure, *earlier]
    if _pays_by_kongs(state):
        unsure += [asked.text for asked in state.questions
                   if asked.blocks and asked.question.hand == state.hand]  # fmt: skip
    if not unsure:
        return SignalEffect((due.end,))
    text = Words(
        "Nobody has won. {said} Is the hand drawn as shown?",
        "无人和牌。{said}按所示流局吗？",
        said=joined(unsure, SPACE),
    )
    question = QuestionId(state.hand, QuestionKind.DRAWN)
    choices = ("yes",) if earlier else ("yes", "no")  # what is told again is asked about again
    return SignalEffect((), (Doubt(question, text, choices, if_yes=due.end),))


def _pays_by_kongs(state: TableState) -> bool:
    kongs = (Laid(LaidKind.KONG_CONCEALED, seat, tiles=(Tile.M1,) * 4) for seat in SEATS)
    others = (replace(state, laid=(*state.laid, kong)) for kong in kongs)
    ends = [due_end(each, drawn=True).end for each in (state, *others)]
    return len({end and end.transfers for end in ends}) > 1


# --- Commands at a table without a board: who deals, who wins, that the hand is over

NO_HAND = Words("no hand is running", "没有进行中的牌局")


# The words of a key or the dome where there is a board.
Said = StartHand | DeclareWin | DeclareReady | PassLastTile | EndHand


def read_command(state: TableState, command: Said, profile: Profile) -> SignalEffect:
    """A command at a table without a board; the notice is why nothing follows from it."""
    match command:
        case StartHand(dealer):
            if state.is_running:
                return SignalEffect(
                    notice=Words(
                        "hand {hand} is still running", "第 {hand} 局还在进行", hand=state.hand
                    )
                )
            built = () if state.phase is Phase.WALL_READY else (WallBuilt(),)
            try:
                started = hand_started(profile, replay(built, state), dealer)
            except ValueError:
                why = Words(
                    "the size of the wall rests on the dice: roll them where they are seen",
                    "牌墙大小取决于骰子：请在看得见的地方掷骰",
                )
                return SignalEffect(notice=why)
            return SignalEffect((*built, started))
        case DeclareWin(seat):
            if not state.is_running:
                return SignalEffect(notice=NO_HAND)
            if seat in state.declared:
                return SignalEffect(
                    notice=Words(
                        "{seat} has already declared a win", "{seat} 已经报和", seat=player_at(seat)
                    )
                )
            return SignalEffect((WinDeclared(seat),))
        case DeclareReady(seat):
            if state.phase is not Phase.PLAYING:
                return SignalEffect(
                    notice=Words("no hand is being played that could be ready", "没有进行中的牌局")
                )
            rules = rules_in_force(state)
            if rules.ready is None:
                return SignalEffect(
                    notice=Words("nobody declares ready in these rules", "本规则不报听")
                )
            if state.seats[seat].ready:
                return SignalEffect(
                    notice=Words(
                        "{seat} has declared already: {ready}",
                        "{seat} 已经{ready}",
                        seat=player_at(seat),
                        ready=rules.ready.names,
                    )
                )
            return SignalEffect((ReadyDeclared(seat),))
        case PassLastTile(seat):
            # The seat that is to draw the last tile leaves it to the next, where the rules allow
            # that
            if state.phase is Phase.PLAYING and may_pass(state) and state.turn == seat:
                return SignalEffect((LastTilePassed(seat),))
            return SignalEffect(
                notice=Words(
                    "there is no last tile that {seat} may leave now",
                    "现在没有 {seat} 可以放弃的最后一张牌",
                    seat=player_at(seat),
                )
            )
        case EndHand():
            if not state.is_running:
                return SignalEffect(notice=NO_HAND)
            return drawn(state) if is_played_out(state) else SignalEffect((HandAbandoned(),))
