"""Short hands as bots play them, staged for one person who lays them from an open pool."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from firmware_bridge.events import Key, KeyPressed
from table_assist.contract.commands import (
    Command,
    DeclareReady,
    DeclareWin,
    Insert,
    PassLastTile,
    Settle,
)
from table_assist.game.events import (
    AntesPlaced,
    BirdTurned,
    BonusLaid,
    Claimed,
    DealerChosen,
    DiceRolled,
    Discarded,
    Drew,
    EggAppended,
    EggLaid,
    Event,
    HandShown,
    HandStarted,
    IndicatorTurned,
    KongDeclared,
    ReadyDeclared,
    SeatsChanged,
    Settled,
    StartingHandShown,
    TilesExchanged,
    WallBuilt,
    WinDeclared,
)
from table_assist.game.fold import replay
from table_assist.game.state import TableState
from table_assist.languages.words import Words, player_at
from table_assist.rules.ruleset import RuleSet
from table_assist.twin.disturb import CameraMoment
from table_assist.twin.evening import play_one
from table_assist.twin.fit import Fit
from table_assist.twin.holdings import PieceSet
from table_assist.twin.play.hand import Habits
from table_assist.twin.scene import PlacedTile, Pose, Scene
from table_assist.twin.staging.hand import StagedHand, stage_hand
from table_assist.twin.staging.truth import moments
from table_assist.twin.steps import TableStep
from table_assist.twin.table import Manners, SimulatedTable
from table_assist.upkeep.trial.instruction import Instruction, TrialAct
from table_assist.upkeep.trial.steps_words import BEGINS, words_of
from table_assist.vision.table.zones import to_seat

# Tiles that nobody lays from an open pool: the wall, the dealt hands. They are told, as people may.
TOLD = (
    AntesPlaced, DealerChosen, DiceRolled, Drew, HandStarted, SeatsChanged, TilesExchanged,
    WallBuilt,
)  # fmt: skip
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

KEYS = {
    Key.READY: Words("ready", "听"),
    Key.WIN: Words("win", "和"),
    Key.KONG: Words("kong", "杠"),
    Key.PASS: Words("pass", "过"),
}
_TAKEN = Words("Take that row off the table again.", "把那一行牌拿下桌。")


def short_hand(
    rules: RuleSet, seed: int, *, has_board: bool, most: int = SHORT
) -> list[Instruction]:
    """A legal hand that somebody wins, with the acts that the rule set is rich in.

    Args:
        most: about so many events.
    """
    best, worth = None, float("-inf")
    for number in range(CANDIDATES):
        played, _ = play_one(rules, TableState(), Random(f"trial-{seed}-{number}"), habits=LIVELY)
        # How much rarer than long it is; nothing counts as much as that it ends with a win
        kinds = [type(e) for m in moments(played.before, played.events) for e in m.truth]
        laid = sum(kind not in TOLD for kind in kinds)
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
    held = Instruction(act, BEGINS, CameraMoment(Scene(), 1.0))
    state, lying = played.before, Scene()
    for step in stage_hand(played, table):
        # Without the wall, the standing hands and the dice
        tiles = tuple(
            tile
            for tile in step.scene.tiles
            if tile.pose not in (Pose.STANDING, Pose.STACKED, Pose.TOPPED)
            and not (tile.pose is Pose.FACE_DOWN and _is_in_wall(tile, table.fit))
        )
        scene = Scene(tiles)
        told = tuple(event for event in step.events if isinstance(event, TOLD))
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
    events = tuple(event for event in step.events if not isinstance(event, TOLD))
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
    name = KEYS[key]
    return Words(
        "{seat}: press the {name} key.", "{seat}：按“{name}”键。", seat=player_at(seat), name=name
    )


def _is_in_wall(tile: PlacedTile, fit: Fit) -> bool:
    return abs(max(abs(tile.x_mm), abs(tile.y_mm)) - fit.wall_d) < fit.length / 3
