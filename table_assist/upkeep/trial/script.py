"""The script of a trial: made for the table's rules, and made again by its seed.

``make_script(rules, seed)`` gives all acts. What follows the table never sees any of it: it is
given pictures, keys and taps.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from table_assist.game.events import Attested, Discarded, HandAbandoned
from table_assist.languages.words import SaidError, Words, phrase, player_at
from table_assist.record.commands import EndHand
from table_assist.record.log import Entry
from table_assist.rules.ruleset import RuleSet
from table_assist.tiles.melds import tile_words
from table_assist.twin.moment import CameraMoment, Spoiled
from table_assist.twin.river import on_table, put
from table_assist.twin.scene import Cover, Scene, reaching_arm
from table_assist.upkeep.trial.courses import (
    ENDS,
    SHORT,
    Instruction,
    Script,
    TrialAct,
    quiet_beginning,
    short_hand,
)

ALL_ACTS = tuple(TrialAct)
TROUBLED = 7  # discards, each with something beside it
TRIAL_BUMP_MM = 12.0
WRONG_ROW_R_MM, WRONG_ROW_D_MM = 100.0, 150.0
CUP_MM, CUP_COLOUR = 40.0, (60, 70, 160)
LAMP_S, ARM_S, CALL_S = 5.0, 5.0, 5.0


def make_script(
    rules: RuleSet,
    seed: int,
    acts: Sequence[TrialAct] = ALL_ACTS,
    *,
    has_board: bool = False,
    most: int = SHORT,
) -> Script:
    """The steps of a trial, in the acts' order.

    Args:
        most: about so many events in the short hand.
    """
    steps: list[Instruction] = []
    for act in ALL_ACTS:
        if act not in acts:
            continue
        match act:
            case TrialAct.HAND:
                steps += short_hand(rules, seed, has_board=has_board, most=most)
            case TrialAct.TROUBLE:
                steps += _trouble(rules, seed, has_board=has_board)
        steps.append(Instruction(act, ENDS, CameraMoment(Scene(), 3.0)))
    return Script(rules.id, seed, tuple(a for a in ALL_ACTS if a in acts), tuple(steps))


# --- Trouble


def _trouble(rules: RuleSet, seed: int, *, has_board: bool) -> Iterator[Instruction]:
    """The beginning of another hand, with something beside each discard; then it is given up."""
    moved, troubles = (0.0, 0.0), iter(_DISTURBANCES)
    lying = Scene()
    for step in quiet_beginning(rules, seed, TROUBLED, has_board=has_board):
        discards = any(isinstance(event, Discarded) for event in step.events)
        trouble = next(troubles, None) if discards else None
        if trouble is not None:
            for each in trouble(rules, lying, step):
                moved = each.look.moved_mm if each.look.moved_mm != (0.0, 0.0) else moved
                yield replace(each, look=replace(each.look, moved_mm=moved))
        yield replace(step, look=replace(step.look, moved_mm=moved))
        lying = step.look.scene
    says = Words("Tap: the hand is given up.", "请点按：放弃本局。")
    look = CameraMoment(lying, 1.0, moved_mm=moved)
    yield Instruction(TrialAct.TROUBLE, says, look, (HandAbandoned(),), (EndHand(),))


def _beside(says: Words, scene: Scene, *covers: Cover, seconds: float = 3.0) -> Instruction:
    """Something that is no event of the game."""
    covered = replace(scene, covers=(*scene.covers, *covers))
    return Instruction(TrialAct.TROUBLE, says, CameraMoment(covered, seconds))


def _arm(rules: RuleSet, lying: Scene, step: Instruction) -> Iterator[Instruction]:
    seat = ((step.seat or 0) + 2) % 4
    says = phrase("script.hold_an_arm_over", seat=player_at(seat))
    yield _beside(says, lying, *reaching_arm(seat, *on_table(seat, 0, 60)), seconds=ARM_S)
    yield _beside(Words("Take the arm away.", "把手臂收回。"), lying)


def _call(rules: RuleSet, lying: Scene, step: Instruction) -> Iterator[Instruction]:
    """A called player looks away; a phone that watches the table gives no pictures meanwhile."""
    called = _beside(phrase("script.as_if_you"), lying, seconds=CALL_S)
    yield replace(called, look=replace(called.look, arrives=False))


def _wrong_row(rules: RuleSet, lying: Scene, step: Instruction) -> Iterator[Instruction]:
    """The tile lies before another seat first; it belongs where the step then lays it."""
    new = [tile for tile in step.look.scene.tiles if tile not in lying.tiles]
    if len(new) != 1 or step.seat is None:
        return
    seat, (tile,) = (step.seat + 2) % 4, new
    laid = put(seat, tile.tile, r=WRONG_ROW_R_MM, d=WRONG_ROW_D_MM)
    says = Words(
        "{seat}: {name}, by mistake across, before {seat_2}, at the right end of the row.",
        "{seat}：{name}，错放到对家{seat_2}面前那一行的右端。",
        seat=player_at(step.seat),
        name=tile_words(tile.tile),
        seat_2=player_at(seat),
    )
    look = CameraMoment(replace(lying, tiles=(*lying.tiles, laid)), 2.0)
    yield Instruction(TrialAct.TROUBLE, says, look, tiles=(tile.tile,), seat=seat, is_mistake=True)
    says = Words("Take it away again: it belongs elsewhere.", "拿开这张牌：它放错了。")
    yield _beside(says, lying)


def _takes_back(rules: RuleSet, lying: Scene, step: Instruction) -> Iterator[Instruction]:
    """Another tile is laid first; where the rules forbid to take one back, nobody does."""
    new = [tile for tile in step.look.scene.tiles if tile not in lying.tiles]
    if rules.chosen.get("discard_takeback") == "never" or len(new) != 1:
        return
    others = [tile for tile in rules.kinds if tile is not new[0].tile]
    other = others[len(lying.tiles) % len(others)]
    seat, name = step.seat, tile_words(other)
    says = phrase("script.right_of_the_last", seat=player_at(seat), name=name)
    laid = replace(lying, tiles=(*lying.tiles, replace(new[0], tile=other)))
    look = CameraMoment(laid, 2.0)
    yield Instruction(TrialAct.TROUBLE, says, look, tiles=(other,), seat=seat)
    yield _beside(
        Words("{seat}: take it back.", "{seat}：收回这张牌。", seat=player_at(seat)), lying
    )


def _cup(rules: RuleSet, lying: Scene, step: Instruction) -> Iterator[Instruction]:
    seat = ((step.seat or 0) + 1) % 4
    x, y = on_table(seat, 250.0, 300.0)
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    cup = Cover(tuple((x + CUP_MM * a, y + CUP_MM * b) for a, b in corners), CUP_COLOUR, 80.0)
    yield _beside(phrase("script.put_a_cup", seat=player_at(seat)), lying, cup)
    yield _beside(Words("Take the cup away.", "把杯子拿走。"), lying)


def _lamp(rules: RuleSet, lying: Scene, step: Instruction) -> Iterator[Instruction]:
    says = Words("Turn a lamp off, and count to five.", "关掉一盏灯，数到五。")
    off = _beside(says, lying, seconds=LAMP_S)
    yield replace(off, look=replace(off.look, spoiled=Spoiled.TINTED))
    yield _beside(Words("Turn it on again.", "再把灯打开。"), lying)


def _bump(rules: RuleSet, lying: Scene, step: Instruction) -> Iterator[Instruction]:
    pushed = _beside(phrase("script.push_the_camera"), lying, seconds=4.0)
    yield replace(pushed, look=replace(pushed.look, moved_mm=(TRIAL_BUMP_MM, 0.0)))


# The wrong row comes last: the table asks about it, and then about what rests on it.
_DISTURBANCES = (_call, _arm, _takes_back, _cup, _lamp, _bump, _wrong_row)


TRIAL_KIND = "trial"
BEGUN = "begun"
SAYS = ("done", "otherwise", "skip", "back", "pause", "go_on", "end", "admit")


class TrialError(SaidError):
    """A trial that cannot be begun or gone on with; the message is one sentence."""


class Mark(StrEnum):
    """The outcome of a step."""

    DONE = "done"
    SKIPPED = "skip"
    OTHERWISE = "otherwise"  # something else was laid: its truth does not count


@dataclass(frozen=True, slots=True)
class Marked:
    """A step is over; the next one begins."""

    t: float
    step: int
    mark: Mark


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a trial stands.

    Attributes:
        begun: which trial it is, as `begun` says; empty before it has begun.
        marks: what became of the steps so far, and when; the next one is current.
        since: when the first step was shown.
    """

    begun: tuple[str, ...] = ()
    marks: tuple[Marked, ...] = ()
    since: float = 0.0
    is_paused: bool = False
    is_over: bool = False

    @property
    def step(self) -> int:
        """The current one, from 0."""
        return len(self.marks)


def begun(
    rules: RuleSet, seed: int, acts: Sequence[TrialAct], *, has_board: bool, most: int
) -> Attested:
    """The attestation that says which trial it is, so that its script can be made again."""
    options = json.dumps(dict(sorted(rules.chosen.items())))
    board = "board" if has_board else ""
    return Attested(
        TRIAL_KIND, (BEGUN, rules.id, options, str(seed), " ".join(acts), board, str(most))
    )


def said(what: str, step: int = 0) -> Attested:
    """The attestation of what a person says, one of `SAYS`."""
    return Attested(TRIAL_KIND, (what, str(step)))


def folded(entries: Iterable[Entry]) -> Progress:
    """Where the log's attestations lead to; what says nothing is passed over."""
    progress = Progress()
    for entry in entries:
        event = entry.event
        if isinstance(event, Attested) and event.kind == TRIAL_KIND and event.fields:
            progress = _next(progress, entry.t, event.fields)
    return progress


def _next(progress: Progress, t: float, fields: tuple[str, ...]) -> Progress:
    what, step = fields[0], fields[1] if fields[1:] else "0"
    match what:
        case "begun":
            return Progress(fields[1:], since=t)
        case "done" | "skip" | "otherwise":
            marks = (*progress.marks, Marked(t, progress.step, Mark(what)))
            return replace(progress, marks=marks, is_paused=False)
        case "admit":
            marks = tuple(
                replace(each, mark=Mark.OTHERWISE) if str(each.step) == step else each
                for each in progress.marks
            )
            return replace(progress, marks=marks)
        case "back":
            return replace(progress, marks=progress.marks[:-1], is_paused=False, is_over=False)
        case "pause" | "go_on":
            return replace(progress, is_paused=what == "pause")
        case "end":
            return replace(progress, is_over=True, is_paused=False)
        case _:
            return progress


def script_of(progress: Progress, rules: RuleSet) -> Script:
    """The script of a trial, made again.

    Args:
        rules: the table's now.

    Raises:
        TrialError: none was begun, or under other rules.
    """
    if len(progress.begun) != 6:
        raise TrialError("this log holds no trial", "此日志里没有试局")
    id, options, seed, acts, board, most = progress.begun
    if id != rules.id or json.loads(options) != dict(rules.chosen):
        raise TrialError.told("other_options", rules=id)
    wanted = tuple(map(TrialAct, acts.split()))
    return make_script(rules, int(seed), wanted, has_board=bool(board), most=int(most))
