"""A hand typed on the command line: judged, or told what it waits for.

``answer(rules, typed) -> Judged | ReadyHelp``. A hand of 14 tiles (less three for each meld) holds
its winning tile and is judged; one of 13 without a winning tile gets ready help.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from table_assist.languages.words import Words, WordsError, joined
from table_assist.rules.judge import judge
from table_assist.rules.play_rules import Replaces, WallEnd
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import SEAT_COUNT, Antes, Circumstance, ShownHand
from table_assist.rules.verdict import Verdict
from table_assist.rules.waiting import ReadyHelp, ready_help
from table_assist.rules.wall import tiles_after_deal
from table_assist.tiles.melds import Meld, MeldKind, tile_noted
from table_assist.tiles.tile import Tile, Tiles, parse_tile, parse_tiles

_WAITING = 13
_MELD = re.compile(r"([a-z][a-z _-]*?|[吃碰明暗补杠蛋]+)\s*([^a-z _-].*)")
_MELD_KINDS = {kind.value: kind for kind in MeldKind} | {
    "pong": MeldKind.PUNG,
    "exposed_kong": MeldKind.KONG_EXPOSED,
    "concealed_kong": MeldKind.KONG_CONCEALED,
    "added_kong": MeldKind.KONG_ADDED,
    "egg": MeldKind.LUCKY_EGG,
    "吃": MeldKind.CHOW,
    "碰": MeldKind.PUNG,
    "明杠": MeldKind.KONG_EXPOSED,
    "暗杠": MeldKind.KONG_CONCEALED,
    "补杠": MeldKind.KONG_ADDED,
    "蛋": MeldKind.LUCKY_EGG,
}
_HAND, _WINNING_TILE = Words("the hand", "手牌"), Words("the winning tile", "和牌张")
_BIRDS, _TREASURE = Words("the birds", "扎鸟"), Words("the treasure", "宝牌")
_WILDS, _FLOWERS = Words("the wild tiles", "混儿"), Words("the flowers", "花牌")
_WIND, _SEEN = Words("the prevailing wind", "圈风"), Words("the tiles seen", "已见的牌")
_MELD_TILES = Words("the meld", "副露")
# How a hand was won on another's tile, which is not how it was drawn.
_OF_CLAIMS = {
    Circumstance.ROBBING_KONG,
    Circumstance.ROBBED_EGG_SUPPLEMENT,
    Circumstance.ROBBED_REGULAR_KONG,
    Circumstance.AFTER_KONG_DISCARD,
}
# What a tile replaced, by what is said of it.
_TYPED_REPLACES = {"after_bonus": Replaces.BONUS, "after_kong": Replaces.KONG} | dict.fromkeys(
    ("after_kong_concealed", "after_kong_exposed", "after_kong_added"), Replaces.KONG
)
# The facts that a circumstance includes.
_MEANS = {
    Circumstance.AFTER_KONG_CONCEALED: Circumstance.AFTER_KONG,
    Circumstance.AFTER_KONG_EXPOSED: Circumstance.AFTER_KONG,
    Circumstance.AFTER_KONG_ADDED: Circumstance.AFTER_KONG,
    Circumstance.ROBBED_EGG_SUPPLEMENT: Circumstance.ROBBING_KONG,
    Circumstance.ROBBED_REGULAR_KONG: Circumstance.ROBBING_KONG,
}


class TypedHandError(WordsError):
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
class JudgedHand:
    """A verdict on the hand.

    Attributes:
        any_tile: the winning tile was not named, and the verdict is the same whichever it was.
        otherwise: wins that the hand would have been with the tile from elsewhere, by discarder;
            None for a self-drawn one. Asked only where the hand is none as it was typed.
        unsaid: what was not typed and alone keeps the hand from being judged, as refusals name it.
        before_birds: it wins, and what the birds make of it was not typed.
    """

    shown: ShownHand
    verdict: Verdict
    any_tile: bool = False
    otherwise: Mapping[int | None, Verdict] = field(default_factory=dict)
    unsaid: frozenset[str] = frozenset()
    before_birds: bool = False

    @property
    def good(self) -> bool:
        """It is a win."""
        return self.verdict.valid


def answer(rules: RuleSet, typed: TypedHand) -> JudgedHand | ReadyHelp:
    """Judge the hand, or say what it waits for.

    Raises:
        TypedHandError: what was typed is no tile, meld or circumstance, the rule set does not know
            it, or the verdict depends on a winning tile that was not named.
    """
    # Nothing that was typed is passed over in silence
    for en, zh, given, known in (
        ("wild tiles", "混儿", typed.wilds, rules.wilds),
        ("treasure", "宝牌", typed.treasures, rules.treasure),
        ("birds", "扎鸟", typed.birds, rules.birds),
        ("antes", "坐庄拉庄", typed.double_down or typed.challenges, rules.antes),
        ("flowers or seasons", "花牌", typed.bonus, rules.bonus_tiles or None),
        ("prevailing wind", "圈风", typed.prevailing, rules.next_round),
    ):
        if given and known is None:
            raise TypedHandError.told("not_played", names=rules.names, said=Words(en, zh))
    shown = _read(rules, typed)
    if typed.winning_tile is not None:
        return _judge(rules, shown)
    if len(shown.concealed) == _WAITING - 3 * len(shown.melds):
        try:
            return ready_help(rules, shown, _faces(_SEEN, typed.seen))
        except TypedHandError:
            raise
        except ValueError as error:
            raise _strange(error) from error
    # The verdict, if it is the same whichever tile came last
    answers = {
        tile: _judge(rules, replace(shown, winning_tile=tile))
        for tile in sorted(set(shown.concealed))
    }
    told = {tile: _told(each) for tile, each in answers.items()}
    if len(set(told.values())) > 1:
        worths = {tile: _worth(each.verdict) for tile, each in answers.items()}
        raise TypedHandError.told(
            "winning_tile",
            worths=joined(
                Words("{tile} {worth}", "{tile} {worth}", tile=tile_noted(tile), worth=worth)
                for tile, worth in worths.items()
            ),
        )
    return replace(next(iter(answers.values())), any_tile=len(answers) > 1)


# --- Reading


def _read(rules: RuleSet, typed: TypedHand) -> ShownHand:
    concealed = _tiles(_HAND, typed.tiles)
    if not concealed:
        raise TypedHandError("there is no tile in the hand", "没有手牌")
    winning_tile = Tile.UNKNOWN
    if typed.winning_tile is not None:
        winning_tile = _tile(_WINNING_TILE, typed.winning_tile)
    if typed.discarder == typed.winner:
        raise TypedHandError.told("own_discard", winner=typed.winner)
    most = tiles_after_deal(rules)
    if (typed.wall_remaining or 0) > most:
        raise TypedHandError.told("too_many_left", left=typed.wall_remaining, most=most)
    if typed.discard_round == 0:
        raise TypedHandError("rounds of discards are counted from 1", "出牌轮次从 1 数起")
    try:
        # A tile drawn so that none is left is the last one, unless it came out of the box
        boxed = any(
            _TYPED_REPLACES.get(flag)
            and rules.wall.replaced_from(_TYPED_REPLACES[flag], rules.chosen) is WallEnd.BOX
            for flag in typed.flags
        )
        is_last = typed.self_drawn and typed.wall_remaining == 0 and not boxed
        return ShownHand(
            concealed=concealed,
            winning_tile=winning_tile,
            winner=typed.winner,
            dealer=typed.dealer,
            melds=read_melds(typed.melds),
            self_drawn=typed.self_drawn,
            discarder=typed.discarder,
            circumstances=read_flags(typed.flags)
            | frozenset({Circumstance.LAST_TILE} if is_last else ()),
            wall_remaining=typed.wall_remaining,
            birds=None if typed.birds is None else _tiles(_BIRDS, typed.birds),
            treasures=_faces(_TREASURE, typed.treasures),
            wilds=_faces(_WILDS, typed.wilds),
            antes=_antes(rules, typed),
            discard_round=typed.discard_round,
            bonus=_faces(_FLOWERS, typed.bonus),
            prevailing=_wind(typed.prevailing),
            is_said=True,
        )
    except TypedHandError:
        raise
    except ValueError as error:
        raise _strange(error) from error


def read_melds(text: str) -> tuple[Meld, ...]:
    """Melds from text, those that are wrong too.

    >>> [str(meld) for meld in read_melds("pung 555p; concealed kong EEEE")]
    ['pung 555p', 'kong_concealed EEEE']

    Raises:
        TypedHandError: a kind is missing or unknown, or something is no tile.
    """
    melds = []
    for part in filter(None, map(str.strip, text.split(";"))):
        match = _MELD.fullmatch(part)
        kind = re.sub("[ _-]+", "_", match[1]) if match else ""
        if match is None or kind not in _MELD_KINDS:
            kinds = ", ".join(each.value for each in MeldKind)
            raise TypedHandError.told("no_meld", text=f"{part!r}", kinds=kinds)
        base, _, more = match[2].partition("+")
        melds.append(Meld(_MELD_KINDS[kind], _tiles(_MELD_TILES, base), _tiles(_MELD_TILES, more)))
    return tuple(melds)


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
            raise TypedHandError.told("no_flag", name=f"{name!r}", listed=", ".join(known))
    stated = {Circumstance(name) for name in names}
    return frozenset(stated | {_MEANS[each] for each in stated if each in _MEANS})


def _antes(rules: RuleSet, typed: TypedHand) -> Antes:
    tokens = Counter(typed.challenges)
    if tokens[typed.dealer]:
        raise TypedHandError.told("dealer_challenges", dealer=typed.dealer)
    most = 0 if rules.antes is None else rules.antes.tokens
    if max(tokens.values(), default=0) > most:
        raise TypedHandError.told("tokens", most=most)
    return Antes(typed.double_down, (tokens[0], tokens[1], tokens[2], tokens[3]))


def _wind(text: str | None) -> Tile | None:
    if text is None:
        return None
    tile = _tile(_WIND, text)
    if not tile.is_wind:
        raise TypedHandError.told("no_wind", value=tile_noted(tile))
    return tile


def _tiles(what: Words, text: str) -> Tiles:
    try:
        return parse_tiles(text)
    except ValueError as error:
        raise TypedHandError.told(
            "not_tiles", what=what, error=Words(str(error), f"{text!r}")
        ) from error


def _tile(what: Words, text: str) -> Tile:
    try:
        return parse_tile(text)
    except ValueError as error:
        raise TypedHandError.told(
            "not_a_tile", what=what, error=Words(str(error), f"{text!r}")
        ) from error


def _faces(what: Words, text: str) -> Tiles:
    tiles = _tiles(what, text)
    if not all(tile.is_face for tile in tiles):
        raise TypedHandError.told("no_face", what=what, text=f"{text!r}")
    return tiles


def _strange(error: ValueError) -> TypedHandError:
    """The error for a hand that the rules themselves would not take."""
    if isinstance(error, WordsError):
        return TypedHandError.of(error.words)
    return TypedHandError("{error}", "输入的牌不能成立（{error}）", error=error)


# --- How it was won


def _judge(rules: RuleSet, shown: ShownHand) -> JudgedHand:
    """The verdict, and what the hand would be with the tile from elsewhere."""
    verdict = judge(rules, shown)
    if verdict.valid:
        before = rules.birds is not None and shown.birds is None and shown.wall_remaining != 0
        return JudgedHand(shown, verdict, before_birds=before)
    failed = _failed(verdict)
    if failed == {"wild_tiles"} and not shown.wilds:
        return JudgedHand(shown, verdict, unsaid=failed)
    if shown.self_drawn or Circumstance.TREASURE_RUSH in shown.circumstances:
        return JudgedHand(shown, verdict)
    drawn = replace(
        shown,
        self_drawn=True,
        discarder=None,
        circumstances=shown.circumstances - _OF_CLAIMS,
    )
    ways: dict[int | None, Verdict] = {None: judge(rules, drawn)}
    if "discarder" in failed and _failed(ways[None]) == {"wild_tiles"} and not shown.wilds:
        return JudgedHand(shown, verdict, unsaid=frozenset({"wild_tiles", "discarder"}))
    if failed == {"discarder"}:
        others = [seat for seat in range(SEAT_COUNT) if seat != shown.winner]
        ways |= {seat: judge(rules, replace(shown, discarder=seat)) for seat in others}
        if not any(way.valid for way in ways.values()):
            verdict = ways[None]  # no win, whoever it came from
    unsaid = failed if _failed(verdict) == {"discarder"} else frozenset()
    won = {seat: way for seat, way in ways.items() if way.valid}
    return JudgedHand(shown, verdict, otherwise=won, unsaid=unsaid)


def _failed(verdict: Verdict) -> frozenset[str]:
    return frozenset(refusal.id for refusal in verdict.refusals)


# --- A winning tile that was not named


def _told(answer: JudgedHand) -> tuple[object, ...]:
    """The parts that must be equal for two answers to say the same."""
    verdict = answer.verdict
    completions = [(each.tiles, each.payments, each.patterns) for each in verdict.completions]
    return (
        verdict.valid,
        verdict.refusals,
        verdict.patterns,
        verdict.payments,
        verdict.steps,
        tuple(dict.fromkeys(completions)),
        tuple((seat, way.payments, way.patterns) for seat, way in answer.otherwise.items()),
    )


def _worth(verdict: Verdict) -> Words:
    if verdict.valid:
        return Words(str(verdict.total), str(verdict.total))
    if verdict.completions:
        return Words("with {ways} ways", "有 {ways} 种可能", ways=len(verdict.completions))
    return Words("no win", "不成和")
