"""Short hands as bots play them, staged in words for one person who lays them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import get_args

from firmware_bridge.events import Key, KeyPressed
from table_assist.game.events import (
    BirdTurned,
    BonusLaid,
    Claimed,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    Event,
    HandLaidDown,
    HandShown,
    IndicatorTurned,
    KongDeclared,
    LastTilePassed,
    Preparation,
    ReadyDeclared,
    Settled,
    StartingHandShown,
    TilesExchanged,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.in_force import rules_in_force
from table_assist.game.people import Names
from table_assist.game.state import TableState
from table_assist.languages.board_words import KEYS
from table_assist.languages.words import Words, joined, phrase, player_at, same, with_players
from table_assist.record.commands import (
    Command,
    DeclareReady,
    DeclareWin,
    Insert,
    PassLastTile,
    Settle,
)
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import MeldKind, tile_words
from table_assist.tiles.tile import Tile
from table_assist.twin.evening import play_one
from table_assist.twin.holdings import PieceSet
from table_assist.twin.moment import CameraMoment
from table_assist.twin.play.hand import Habits
from table_assist.twin.river import RIVER_ROW
from table_assist.twin.scene import PlacedTile, Pose, Scene
from table_assist.twin.staging import StagedHand, moments, stage_hand
from table_assist.twin.table import Manners, SimulatedTable, TableStep
from table_assist.vision.table.zones import to_seat


class TrialAct(StrEnum):
    """A part of a trial, which can be done by itself."""

    HAND = "hand"  # a short hand, to its settlement
    TROUBLE = "trouble"  # what happens at a table beside the play


ACTS: dict[TrialAct, Words] = {
    TrialAct.HAND: Words("A short hand", "一局短牌"),
    TrialAct.TROUBLE: Words("Trouble", "意外情形"),
}


def named(words: Words, names: Names) -> Words:
    """The players' names where seats were.

    >>> named(Words("{1}: ready", "{1}：听"), ("Ann", "Bo", "Chen", "Du")).en
    'Bo: ready'
    """
    return with_players(words, map(same, names))


@dataclass(frozen=True, slots=True)
class Instruction:
    """One step of a trial.

    Attributes:
        says: what to do, with hands and eyes; ``{0}`` to ``{3}`` stand for the players' names.
        look: the table when it is done, as the twin lays it.
        events: the truth: what a perfect observer would record.
        taps: what the person tells the program with it, as in a game.
        key: a seat and the key that is pressed there, where the table has a board.
        tiles: those that are laid, in their order.
        seat: before whom something is laid; None for nobody.
        is_mistake: it is against the rules, and the table does right to ask from then on.
    """

    act: TrialAct
    says: Words
    look: CameraMoment
    events: tuple[Event, ...] = ()
    taps: tuple[Command, ...] = ()
    key: tuple[int, Key] | None = None
    tiles: tuple[Tile, ...] = ()
    seat: int | None = None
    is_mistake: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """A whole trial.

    Attributes:
        rules: the rule set's id.
        seed: makes it again, with the same rules, acts and board.
    """

    rules: str
    seed: int
    acts: tuple[TrialAct, ...]
    steps: tuple[Instruction, ...]


ENDS = Words("Take all tiles off the table.", "把所有牌拿下桌。")
_IN_ROW = Words("in one row where the hand stands, faces up", "在手牌位置排成一行，牌面朝上")


def laid(tiles: Sequence[PlacedTile]) -> Words:
    """The same of tiles that lie there, from the left, and which of them face down."""
    names = []
    for tile in tiles:
        name = tile_words(tile.tile)
        is_down = tile.pose is Pose.FACE_DOWN
        names.append(Words("{name} face down", "{name}（扣着）", name=name) if is_down else name)
    return joined(names)


def words_of(event: Event, before: TableState, new: Sequence[PlacedTile]) -> Words:  # noqa: C901 - one arm per event
    """The words for people's part in the event.

    Args:
        before: the state before it.
        new: what comes to lie there, as its seat sees it from the left.

    Raises:
        ValueError: no script has such an event.
    """
    tiles = laid(new)
    match event:
        case Discarded(seat, tile):
            return _discard(seat, tile, before)
        case Claimed(seat, _, _, discarder):
            return _claim(event, before, discarder, tiles)
        case KongDeclared(seat, MeldKind.KONG_ADDED, tile):
            return phrase("courses.beside_the_three", seat=player_at(seat), name=tile_words(tile))
        case KongDeclared(seat) | EggLaid(seat):
            place = _beside(before, seat)
            return phrase("courses.lay_before_you", seat=player_at(seat), place=place, tiles=tiles)
        case EggAppended(seat, _, tile):
            name = tile_words(tile)
            return phrase("courses.close_beside_the_egg", seat=player_at(seat), name=name)
        case BonusLaid(seat):
            return phrase("courses.before_you", seat=player_at(seat), tiles=tiles)
        case StartingHandShown(seat):
            return phrase("courses.lay_these", seat=player_at(seat), in_row=_IN_ROW, tiles=tiles)
        case ReadyDeclared(seat):
            ready = rules_in_force(before).ready_names
            return Words("{seat}: {ready}.", "{seat}：{ready}。", seat=player_at(seat), ready=ready)
        case LastTilePassed(seat):
            return phrase("courses.leaves_the_last_tile", seat=player_at(seat))
        case WinDeclared(seat):
            return Words("{seat} declares a win.", "{seat}报和。", seat=player_at(seat))
        case HandShown(seat):
            apart = Words("", "")
            if event.self_drawn:
                apart = Words("; the last one two fingers apart", "；最后一张隔开两指")
            return phrase(
                "courses.lay_these_2",
                seat=player_at(seat),
                in_row=_IN_ROW,
                tiles=tiles,
                apart=apart,
            )
        case HandLaidDown(seat):
            return phrase("courses.lay_the_hand", seat=player_at(seat), in_row=_IN_ROW, tiles=tiles)
        case IndicatorTurned():
            return _indicator(event, new, tiles)
        case BirdTurned(tile):
            return phrase("courses.bird_face_up", name=tile_words(tile))
        case Settled():
            return Words("Tap: everybody accepts what is shown.", "请点按：大家同意所示的结算。")
        case _:
            raise ValueError(f"no script has {event}")


def _discard(seat: int, tile: Tile, before: TableState) -> Words:
    name, lying = tile_words(tile), len(before.seats[seat].river)
    if lying == 0:
        where = phrase("courses.first_of_the_row")
    elif lying % RIVER_ROW == 0:
        where = Words("begin the next row, nearer to you", "另起一行，靠近自己，从左边开始")
    else:
        where = Words("into the row before you, right of the last", "放入面前这一行，最后一张右边")
    return phrase("courses.seat_name_where", seat=player_at(seat), name=name, where=where)


def _claim(event: Claimed, before: TableState, discarder: int, tiles: Words) -> Words:
    claimed = before.last_discard[1] if before.last_discard else event.tiles[0]
    if before.robbable is not None:
        claimed = before.robbable.tile
    name, seat = tile_words(claimed), event.seat
    return Words(
        "{seat}: take {name} from {discarder}. Lay open before you, {place}: {tiles}.",
        "{seat}：拿走{discarder}的{name}，在面前{place}亮出：{tiles}。",
        seat=player_at(seat),
        name=name,
        discarder=player_at(discarder),
        place=_beside(before, seat),
        tiles=tiles,
    )


def _beside(before: TableState, seat: int) -> Words:
    if before.seats[seat].melds:
        return Words("left of what lies open there", "已亮出的牌的左边")
    return Words("at your right", "右侧")


def _indicator(event: IndicatorTurned, new: Sequence[PlacedTile], tiles: Words) -> Words:
    if not new or any(tile.pose is Pose.FACE_DOWN for tile in new):
        return Words("In the middle of the table: {tiles}.", "放在桌子中间：{tiles}。", tiles=tiles)
    if event.tile is Tile.UNKNOWN or abs(new[0].x_mm) + abs(new[0].y_mm) < 150:  # in the middle
        return phrase("courses.turn_the_tile", tiles=tiles)
    # Before whom it lies in the wall, and how far to the right of the middle
    places = [to_seat(new[0].x_mm, new[0].y_mm, seat) for seat in range(4)]
    seat = max(range(4), key=lambda seat: places[seat][1])
    aside_cm = round(places[seat][0] / 10)
    return Words(
        "{seat}: where your wall would stand, {abs} cm {side} of its middle: any tile face "
        "down, and on it {tiles}, face up.",
        "{seat}：在你的牌墙位置、中点{side}边 {abs} 厘米处扣一张任意牌，上面放{tiles}，牌面朝上。",
        seat=player_at(seat),
        abs=abs(aside_cm),
        side=Words("right", "右") if aside_cm >= 0 else Words("left", "左"),
        tiles=tiles,
    )


# Tiles that nobody lays from an open pool: the wall, the dealt hands. They are told, as people may.
NOT_LAID = (*get_args(Preparation), Drew, TilesExchanged)
# The events that a rule set is rich in, each worth so much of a hand's length.
RARE: dict[type[Event], int] = {
    KongDeclared: 6, EggLaid: 6, EggAppended: 3, IndicatorTurned: 6, BirdTurned: 3, BonusLaid: 3,
    StartingHandShown: 4, ReadyDeclared: 3, Claimed: 4,
}  # fmt: skip
SHORT = 40  # events that are laid or said
SHORTER = 15  # by so much it may be shorter
CANDIDATES = 24  # hands of which the best is taken
RICH = 14  # is good enough
LIVELY = (Habits(claims=0.6, kongs=1.0, ready=1.0),) * 4
QUIET = (Habits(wins=0.0, claims=0.0, kongs=0.0, ready=0.0),) * 4
# One person lays all tiles straight, and leaves the won one where it is.
PLAIN = Manners(turns_claimed=(False,) * 4, takes_won=(False,) * 4)

_TAKEN = Words("Take that row off the table again.", "把那一行牌拿下桌。")


def short_hand(rules: RuleSet, seed: int, *, has_board: bool, most: int) -> list[Instruction]:
    """A legal hand that somebody wins, with the acts that the rule set is rich in.

    Args:
        most: about so many events.
    """
    best, worth = None, float("-inf")
    for number in range(CANDIDATES):
        played, _ = play_one(rules, TableState(), Random(f"trial-{seed}-{number}"), habits=LIVELY)
        # How much rarer than long it is; nothing counts as much as that it ends with a win
        kinds = [type(e) for m in moments(played.before, played.events) for e in m.truth]
        laid = sum(kind not in NOT_LAID for kind in kinds)
        rare = sum(worth for kind, worth in RARE.items() if kind in kinds)
        amiss = max(0, laid - most, most - SHORTER - laid)
        found = rare - amiss - 1000 * (HandShown not in kinds)
        if found > worth:
            best, worth = played, found
        if worth >= RICH:
            break
    assert best is not None
    return list(_laid(best, seed, TrialAct.HAND, has_board=has_board))


def quiet_beginning(
    rules: RuleSet, seed: int, discards: int, *, has_board: bool
) -> list[Instruction]:
    """A hand's beginning, up to so many discards, without a call."""
    played, _ = play_one(rules, TableState(), Random(f"trouble-{seed}"), habits=QUIET)
    found: list[Instruction] = []
    for step in _laid(played, seed, TrialAct.TROUBLE, has_board=has_board):
        found.append(step)
        discards -= any(isinstance(event, Discarded) for event in step.events)
        if not discards:
            break
    return found


def _laid(
    played: StagedHand, seed: int, act: TrialAct, *, has_board: bool
) -> Iterator[Instruction]:
    """The hand's steps, without what nobody lays; what is told goes with the step before."""
    rules = played.rules
    table = SimulatedTable(Random(f"laid-{seed}-{act}"), PLAIN, len(PieceSet(rules)))
    held = Instruction(act, phrase("courses.table_is_empty"), CameraMoment(Scene(), 1.0))
    state, lying, fit = played.before, Scene(), table.fit
    for step in stage_hand(played, table):
        # Without the wall, the standing hands and the dice
        tiles = []
        for tile in step.scene.tiles:
            from_wall_mm = abs(max(abs(tile.x_mm), abs(tile.y_mm)) - fit.wall_d)
            in_wall = tile.pose is Pose.FACE_DOWN and from_wall_mm < fit.length / 3
            if tile.pose not in (Pose.STANDING, Pose.STACKED, Pose.TOPPED) and not in_wall:
                tiles.append(tile)
        scene = Scene(tuple(tiles))
        told = tuple(event for event in step.events if isinstance(event, NOT_LAID))
        if told:
            taps = tuple(Insert(0, event) for event in told)
            held = replace(held, events=(*held.events, *told), taps=(*held.taps, *taps))
            state = replay(told, state)
        found = _instruction(act, step, scene, lying, state, has_board=has_board)
        if found is not None:
            yield held
            held, lying = found, scene
            state = replay(found.events, state)
        if any(isinstance(event, Settled) for event in step.events):
            break
    yield held


def _instruction(
    act: TrialAct,
    step: TableStep,
    scene: Scene,
    lying: Scene,
    state: TableState,
    *,
    has_board: bool,
) -> Instruction | None:
    """People's task in a step of the twin's; None for nothing."""
    events = tuple(event for event in step.events if not isinstance(event, NOT_LAID))
    taps, key = _said(events, step, has_board=has_board)
    look = CameraMoment(scene, step.seconds)
    new = [tile for tile in scene.tiles if tile not in lying.tiles]
    if events:
        seat = getattr(events[0], "seat", None)
        new.sort(key=lambda tile: to_seat(tile.x_mm, tile.y_mm, seat or 0)[0])
        says = words_of(events[0], state, new) if key is None else _presses(*key)
        return Instruction(act, says, look, events, taps, key, tuple(t.tile for t in new), seat)
    if key is not None:
        return Instruction(act, _presses(*key), look, key=key, seat=key[0])
    if len(scene.tiles) < len(lying.tiles):
        return Instruction(act, _TAKEN, look)
    return None


def _said(
    events: Sequence[Event], step: TableStep, *, has_board: bool
) -> tuple[tuple[Command, ...], tuple[int, Key] | None]:
    """The taps of a step, or the key that is pressed instead."""
    pressed = [signal for signal in step.signals if isinstance(signal, KeyPressed)]
    if pressed and has_board:
        return (), (pressed[0].seat, pressed[0].key)
    for event in events:
        match event:
            case WinDeclared(seat):
                return (DeclareWin(seat),), None
            case ReadyDeclared(seat):
                return (DeclareReady(seat),), None
            case Settled():
                return (Settle(),), None
            case _ if pressed and pressed[0].key is Key.PASS:
                return (PassLastTile(pressed[0].seat),), None
    return (), None


def _presses(seat: int, key: Key) -> Words:
    return phrase("courses.press_the_key", seat=player_at(seat), name=KEYS[key])
