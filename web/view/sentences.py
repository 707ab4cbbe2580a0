"""What happened, and what is going on now, as sentences in English and Chinese."""

from collections.abc import Callable
from typing import assert_never

from table_assist.contract.snapshot import Snapshot
from table_assist.game.events import (
    Answered,
    Asked,
    BirdTurned,
    Claimed,
    DiceRolled,
    Discarded,
    Event,
    HandAbandoned,
    HandShown,
    HandStarted,
    KongDeclared,
    ReadyDeclared,
    Settled,
    WallBuilt,
    WallExhausted,
    WinDeclared,
    WinRefused,
)
from table_assist.game.people import Names
from table_assist.game.state import Phase, TableState
from table_assist.hand.tile_words import UNREADABLE, tile_words
from table_assist.melds import MeldKind
from table_assist.tiles import Tile, parse_tile
from table_assist.words import Words
from web.view.names import player, with_placeholders
from web.view.special_sentences import special_sentence
from web.view.views import is_open
from web.view.vocabulary import ANSWERS, MELDS, WINDS, joined, signed


def wind_of(seat: int, dealer: int) -> Words:
    """The seat's wind in this hand: the dealer is East."""
    return WINDS[(seat - dealer) % 4]


def sentence(  # noqa: C901 - one arm per event
    event: Event, names: Names, refusal: Callable[[str], Words]
) -> Words:
    """The event as one sentence.

    Args:
        event: any of the closed union.
        names: the players' names, by seat.
        refusal: the words of a refusal's code under the hand's rules.
    """

    def who(seat: int) -> Words:
        return player(names, seat)

    match event:
        case WallBuilt():
            return Words("A new wall stands.", "新牌墙已砌好。")
        case DiceRolled(seat, values):
            return _dice(who(seat), values)
        case HandStarted(hand, _, dealer, wall_left):
            dealt = who(dealer)
            return Words(
                f"Hand {hand}: {dealt.en} deals, {wall_left} tiles in the wall.",
                f"第{hand}局：{dealt.zh}坐庄，牌墙剩{wall_left}张。",
            )
        case Discarded(seat, tile):
            actor, face = who(seat), tile_words(tile)
            return Words(f"{actor.en} discards {face.en}.", f"{actor.zh}打出{face.zh}。")
        case Claimed(seat, kind, _, discarder):
            actor, giver, meld = who(seat), who(discarder), MELDS[kind]
            return Words(
                f"{actor.en} claims from {giver.en}: {meld.en}.",
                f"{actor.zh}{meld.zh}{giver.zh}的牌。",
            )
        case KongDeclared(seat, kind, tile):
            return _kong(who(seat), kind, tile)
        case ReadyDeclared(seat):
            return Words(f"{who(seat).en} is ready.", f"{who(seat).zh}报听。")
        case WinDeclared(seat):
            return Words(f"{who(seat).en} declares a win.", f"{who(seat).zh}宣布和牌。")
        case HandShown(seat, _, tile, self_drawn):
            return _shown(who(seat), tile, self_drawn=self_drawn)
        case WinRefused(seat, refusals):
            why = joined([refusal(code) for code in refusals], "; ", "；")
            return Words(
                f"{who(seat).en} has not won: {why.en}.".replace("..", "."),
                f"{who(seat).zh}的牌不成立：{why.zh}。".replace("。。", "。"),
            )
        case BirdTurned(tile):
            return Words(f"A bird: {tile_words(tile).en}.", f"翻鸟：{tile_words(tile).zh}。")
        case Settled(winners, transfers):
            return _settled(names, winners, transfers)
        case WallExhausted():
            return Words("The wall is empty: nobody won.", "牌墙已空，流局。")
        case HandAbandoned():
            return Words(
                "The tiles went back before the hand was over: nothing is paid.",
                "牌未打完即被收走，本局作废，不计输赢。",
            )
        case Asked(_, text):
            return with_placeholders(text, names)
        case Answered(_, answer):
            said = answer_words(answer)
            return Words(f"Answer: {said.en}.", f"回答：{said.zh}。")
        case _:
            return special_sentence(event, who)


def answer_words(choice: str) -> Words:
    """A question's choice: a tile's name, yes, no, or as it was written."""
    if choice in ANSWERS:
        return ANSWERS[choice]
    tile = choice_tile(choice)
    return Words(choice, choice) if tile is None else tile_words(tile)


def choice_tile(choice: str) -> Tile | None:
    """The tile that a choice names, if it names one."""
    try:
        return parse_tile(choice)
    except ValueError:
        return None


def headline(snapshot: Snapshot) -> Words:
    """What is going on, short enough to be read across a room."""
    state = snapshot.state
    if is_unfollowed(snapshot) and state.phase in _TOLD_LATER:
        number = state.hand + (state.phase is not Phase.PLAYING)
        return Words(f"Hand {number}: who wins photographs it", f"第{number}局：和牌者拍照")
    match state.phase:
        case Phase.WAITING:
            return Words("Waiting for a wall", "等待砌牌")
        case Phase.WALL_READY:
            return _wall_ready(state)
        case Phase.PLAYING:
            return _playing(snapshot)
        case Phase.SHOWING:
            return _showing(snapshot)
        case Phase.SETTLED:
            won = state.settled is not None and bool(state.settled.winners)
            if won:
                return Words(f"Hand {state.hand} is settled", f"第{state.hand}局已结算")
            return Words(f"Hand {state.hand}: nobody won", f"第{state.hand}局无人和牌")
        case _:
            assert_never(state.phase)


# What is played then nobody sees: it is told when somebody wins.
_TOLD_LATER = (Phase.WAITING, Phase.WALL_READY, Phase.PLAYING)


def is_unfollowed(snapshot: Snapshot) -> bool:
    """Whether neither a camera nor a board follows this table: people tell what happened."""
    status = {source.name: source.status for source in snapshot.health}
    return status.get("camera") == status.get("board") == "none"


def _wall_ready(state: TableState) -> Words:
    if state.hand and state.dealer_next is None:
        return Words("The wall is ready: agree who deals", "牌墙已好：请商定庄家")
    if state.dice is not None:
        return Words("The dice have fallen: deal", "骰子已掷：请起牌")
    return Words("The wall is ready: roll the dice", "牌墙已好：请掷骰")


def _playing(snapshot: Snapshot) -> Words:
    state = snapshot.state
    if state.holder is not None:
        who = player(snapshot.names, state.holder)
        return Words(f"{who.en} discards", f"{who.zh}打牌")
    if state.wall_left <= 0:
        return Words("The wall is empty", "牌墙已空")
    who = player(snapshot.names, state.turn)
    return Words(f"{who.en} draws", f"{who.zh}摸牌")


def _showing(snapshot: Snapshot) -> Words:
    state = snapshot.state
    shown = {hand.seat for hand in state.shown}
    waiting = _players(snapshot, [seat for seat in state.declared if seat not in shown])
    if waiting.en:
        return Words(f"{waiting.en} declared a win: show the hand", f"{waiting.zh}和牌：请亮牌")
    if not snapshot.verdicts:
        return Words("The hand is shown: judging", "手牌已亮：判定中")
    if snapshot.settlement is None or not snapshot.settlement.winners:
        if any(is_open(verdict, state) for _, verdict in snapshot.verdicts):
            return Words("A tile cannot be read: not decided", "有牌看不清：尚未判定")
        refused = _players(
            snapshot, [seat for seat, verdict in snapshot.verdicts if not verdict.valid]
        )
        return Words(f"{refused.en} has not won", f"{refused.zh}的和牌不成立")
    winners = _players(snapshot, list(snapshot.settlement.winners))
    verb = "wins" if len(snapshot.settlement.winners) == 1 else "win"
    left = 0 if snapshot.rules.birds is None else snapshot.rules.birds.count - len(state.birds)
    if left <= 0:
        return Words(f"{winners.en} {verb}", f"{winners.zh}和牌")
    birds = "1 bird" if left == 1 else f"{left} birds"
    return Words(f"{winners.en} {verb}: turn {birds}", f"{winners.zh}和牌：请翻{left}只鸟")


def _players(snapshot: Snapshot, seats: list[int]) -> Words:
    return joined([player(snapshot.names, seat) for seat in seats], " and ", "、")


def _dice(who: Words, values: tuple[int, ...]) -> Words:
    each, total = " + ".join(str(value) for value in values), sum(values)
    if len(values) < 2:
        return Words(f"{who.en} rolls {each}.", f"{who.zh}掷出{each}点。")
    return Words(f"{who.en} rolls {each} = {total}.", f"{who.zh}掷出{each}，共{total}点。")


def _kong(who: Words, kind: MeldKind, tile: Tile) -> Words:
    face, meld = tile_words(tile), MELDS[kind]
    if kind is MeldKind.KONG_ADDED:
        return Words(f"{who.en} adds {face.en} to a pung: kong.", f"{who.zh}加杠{face.zh}。")
    return Words(f"{who.en} declares a {meld.en}: {face.en}.", f"{who.zh}{meld.zh}{face.zh}。")


def _shown(who: Words, tile: Tile, *, self_drawn: bool) -> Words:
    face = UNREADABLE if tile is Tile.UNKNOWN else tile_words(tile)
    if self_drawn:
        return Words(f"{who.en} shows the hand: drew {face.en}.", f"{who.zh}亮牌：自摸{face.zh}。")
    return Words(f"{who.en} shows the hand: won on {face.en}.", f"{who.zh}亮牌：和{face.zh}。")


def _settled(names: Names, winners: tuple[int, ...], transfers: tuple[int, ...]) -> Words:
    moved = [
        Words(
            f"{player(names, seat).en} {signed(points)}",
            f"{player(names, seat).zh}{signed(points)}",
        )
        for seat, points in enumerate(transfers)
        if points
    ]
    if not moved:
        return Words("Settled: nothing is paid.", "结算：没有输赢。")
    change = joined(moved)
    if not winners:
        return Words(f"Settled: {change.en}.", f"结算：{change.zh}。")
    won = joined([player(names, seat) for seat in winners], " and ", "、")
    return Words(f"{won.en} won. {change.en}.", f"{won.zh}和牌。{change.zh}。")
