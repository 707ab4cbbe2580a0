"""A hand typed on the command line: judged, or told what it waits for.

``answer(rules, typed) -> Judged | ReadyHelp``. A hand of 14 tiles (less three for each meld) holds
its winning tile and is judged; one of 13 without a winning tile gets ready help.
"""

import re
from collections import Counter
from dataclasses import dataclass, replace

from table_assist.melds import Meld, MeldKind
from table_assist.rules.judge import judge
from table_assist.rules.ready_help import ReadyHelp, ready_help
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import Antes, Circumstance, ShownHand
from table_assist.rules.verdict import Verdict
from table_assist.tiles import Tile, parse_tile, parse_tiles

_WAITING = 13
_MELD = re.compile(r"([a-z][a-z _-]*?)\s*([^a-z _-].*)")
_KINDS = {kind.value: kind for kind in MeldKind} | {
    "exposed_kong": MeldKind.KONG_EXPOSED,
    "concealed_kong": MeldKind.KONG_CONCEALED,
    "added_kong": MeldKind.KONG_ADDED,
    "egg": MeldKind.LUCKY_EGG,
}
# What a circumstance says beside itself.
_MEANS = {
    Circumstance.AFTER_KONG_CONCEALED: Circumstance.AFTER_KONG,
    Circumstance.AFTER_KONG_EXPOSED: Circumstance.AFTER_KONG,
    Circumstance.AFTER_KONG_ADDED: Circumstance.AFTER_KONG,
    Circumstance.ROBBED_EGG_SUPPLEMENT: Circumstance.ROBBING_KONG,
    Circumstance.ROBBED_REGULAR_KONG: Circumstance.ROBBING_KONG,
}


class TypedHandError(ValueError):
    """A hand that cannot be judged as it was typed; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class TypedHand:
    """A hand as it was typed, tiles as text.

    Attributes:
        melds: ``pung 555p; chow 123m``; an egg's appended tiles follow a ``+``.
        flags: circumstances by name.
        birds: none if they are not drawn.
        seen: tiles that lie open elsewhere, for ready help.
        challenges: the seats of the tokens put down, one for each.
    """

    tiles: str
    melds: str = ""
    winning_tile: str | None = None
    self_drawn: bool = False
    discarder: int | None = None
    winner: int = 0
    dealer: int = 0
    flags: tuple[str, ...] = ()
    birds: str | None = None
    wilds: str = ""
    treasures: str = ""
    bonus: str = ""
    prevailing: str | None = None
    wall_remaining: int | None = None
    discard_round: int | None = None
    double_down: bool = False
    challenges: tuple[int, ...] = ()
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict on the hand.

    Attributes:
        any_tile: the winning tile was not named, and the verdict is the same whichever it was.
    """

    shown: ShownHand
    verdict: Verdict
    any_tile: bool = False

    @property
    def good(self) -> bool:
        """It is a win."""
        return self.verdict.valid


def answer(rules: RuleSet, typed: TypedHand) -> Judged | ReadyHelp:
    """Judge the hand, or say what it waits for.

    Raises:
        TypedHandError: what was typed is no tile, meld or circumstance, the rule set does not know
            it, or the verdict depends on a winning tile that was not named.
    """
    _refuse_strange(rules, typed)
    shown = _read(typed)
    if typed.winning_tile is not None:
        return Judged(shown, judge(rules, shown))
    if len(shown.concealed) == _WAITING - 3 * len(shown.melds):
        return _help(rules, typed, shown)
    return _judge_any(rules, shown)


# --- Reading


def _refuse_strange(rules: RuleSet, typed: TypedHand) -> None:
    """Nothing that was typed is passed over in silence."""
    for what, given, known in (
        ("wild tiles", typed.wilds, rules.wilds),
        ("treasure", typed.treasures, rules.treasure),
        ("birds", typed.birds, rules.birds),
        ("antes", typed.double_down or typed.challenges, rules.antes),
        ("flowers or seasons", typed.bonus, rules.bonus_tiles or None),
        ("prevailing wind", typed.prevailing, rules.next_round),
    ):
        if given and known is None:
            raise TypedHandError(f"{rules.id} has no {what}")


def _read(typed: TypedHand) -> ShownHand:
    concealed = _tiles("the hand", typed.tiles)
    if not concealed:
        raise TypedHandError("there is no tile in the hand")
    winning_tile = Tile.UNKNOWN
    if typed.winning_tile is not None:
        winning_tile = _tile("the winning tile", typed.winning_tile)
    try:
        return ShownHand(
            concealed=concealed,
            winning_tile=winning_tile,
            winner=typed.winner,
            dealer=typed.dealer,
            melds=read_melds(typed.melds),
            self_drawn=typed.self_drawn,
            discarder=typed.discarder,
            circumstances=read_flags(typed.flags),
            wall_remaining=typed.wall_remaining,
            birds=None if typed.birds is None else _tiles("the birds", typed.birds),
            treasures=_faces("the treasure", typed.treasures),
            wilds=_faces("the wild tiles", typed.wilds),
            antes=_antes(typed),
            discard_round=typed.discard_round,
            bonus=_faces("the flowers", typed.bonus),
            prevailing=_wind(typed.prevailing),
        )
    except TypedHandError:
        raise
    except ValueError as error:
        raise TypedHandError(str(error)) from error


def read_melds(text: str) -> tuple[Meld, ...]:
    """Melds from text, those that are wrong too.

    >>> [str(meld) for meld in read_melds("pung 555p; concealed kong EEEE")]
    ['pung 555p', 'kong_concealed EEEE']

    Raises:
        TypedHandError: a kind is missing or unknown, or something is no tile.
    """
    return tuple(_meld(part.strip()) for part in text.split(";") if part.strip())


def _meld(text: str) -> Meld:
    match = _MELD.fullmatch(text)
    kind = re.sub("[ _-]+", "_", match[1]) if match else ""
    if match is None or kind not in _KINDS:
        raise TypedHandError(
            f"no meld in {text!r}; write a kind of {[each.value for each in MeldKind]} and its "
            "tiles, as in 'pung 555p'"
        )
    base, _, appended = match[2].partition("+")
    return Meld(_KINDS[kind], _tiles(f"the {kind}", base), _tiles(f"the {kind}", appended))


def read_flags(names: tuple[str, ...]) -> frozenset[Circumstance]:
    """Circumstances by name, with what they imply.

    >>> sorted(read_flags(("after_kong_added",)))
    [<Circumstance.AFTER_KONG: 'after_kong'>, <Circumstance.AFTER_KONG_ADDED: 'after_kong_added'>]

    Raises:
        TypedHandError: there is none of that name.
    """
    known = [each.value for each in Circumstance]
    for name in names:
        if name not in known:
            raise TypedHandError(f"no flag {name!r}; there are {known}")
    stated = {Circumstance(name) for name in names}
    return frozenset(stated | {_MEANS[each] for each in stated if each in _MEANS})


def _antes(typed: TypedHand) -> Antes:
    tokens = Counter(typed.challenges)
    if tokens[typed.dealer]:
        raise TypedHandError(f"seat {typed.dealer} deals and cannot challenge itself")
    return Antes(typed.double_down, (tokens[0], tokens[1], tokens[2], tokens[3]))


def _wind(text: str | None) -> Tile | None:
    if text is None:
        return None
    tile = _tile("the prevailing wind", text)
    if not tile.is_wind:
        raise TypedHandError(f"the prevailing wind is E, S, W or N, not {tile}")
    return tile


def _tiles(what: str, text: str) -> tuple[Tile, ...]:
    try:
        return parse_tiles(text)
    except ValueError as error:
        raise TypedHandError(f"{what}: {error}") from error


def _tile(what: str, text: str) -> Tile:
    try:
        return parse_tile(text)
    except ValueError as error:
        raise TypedHandError(f"{what}: {error}") from error


def _faces(what: str, text: str) -> tuple[Tile, ...]:
    tiles = _tiles(what, text)
    if not all(tile.is_face for tile in tiles):
        raise TypedHandError(f"{what}: a tile in {text!r} has no face")
    return tiles


def _help(rules: RuleSet, typed: TypedHand, shown: ShownHand) -> ReadyHelp:
    try:
        return ready_help(rules, shown, _faces("the tiles seen", typed.seen))
    except TypedHandError:
        raise
    except ValueError as error:
        raise TypedHandError(str(error)) from error


# --- A winning tile that was not named


def _judge_any(rules: RuleSet, shown: ShownHand) -> Judged:
    """The verdict, if it is the same whichever tile came last."""
    verdicts = {
        tile: judge(rules, replace(shown, winning_tile=tile))
        for tile in sorted(set(shown.concealed))
    }
    told = {tile: _told(verdict) for tile, verdict in verdicts.items()}
    if len(set(told.values())) > 1:
        worth = ", ".join(f"{tile} {_worth(each)}" for tile, each in verdicts.items())
        raise TypedHandError(f"name the winning tile, the verdict depends on it: {worth}")
    tile, verdict = next(iter(verdicts.items()))
    return Judged(replace(shown, winning_tile=tile), verdict, any_tile=len(verdicts) > 1)


def _told(verdict: Verdict) -> tuple[object, ...]:
    """What must be equal for two verdicts to say the same."""
    completions = [(each.tiles, each.payments, each.patterns) for each in verdict.completions]
    return (
        verdict.valid,
        verdict.refusals,
        verdict.patterns,
        verdict.payments,
        verdict.steps,
        tuple(dict.fromkeys(completions)),
    )


def _worth(verdict: Verdict) -> str:
    if verdict.valid:
        return str(verdict.total)
    return f"with {len(verdict.completions)} ways" if verdict.completions else "no win"
