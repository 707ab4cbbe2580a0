"""What does not fit: doubts that a person must look at."""

from collections import Counter
from dataclasses import dataclass

from table_assist.game.events import Event
from table_assist.game.state import Phase, TableState
from table_assist.sight import (
    DOUBTFUL_PICTURES,
    hand_faces,
    lying,
    turned_birds,
    unexplained,
)
from table_assist.tiles import Tile
from table_assist.vision.observe import Observation, SeenTile
from table_assist.vision.zones import ZoneKind

# ... and before people are asked about something that does not fit.
PUZZLING_PICTURES = 8


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that does not fit and that a person must look at.

    Attributes:
        question: the same id for the same doubt.
        text: (English, Chinese); ``{2}`` stands for the name of the player in seat 2.
        if_yes: what "yes" means, as in `Asked`; `blocks` and `lasts` likewise.
    """

    question: str
    text: tuple[str, str]
    choices: tuple[str, ...] = ("yes",)
    if_yes: Event | None = None
    blocks: bool = False
    lasts: bool = False


def doubts_about(
    state: TableState, observation: Observation, rivers: tuple[tuple[SeenTile, ...], ...]
) -> list[Doubt]:
    """Everything that does not fit, each with the same id as long as it is the same doubt."""
    found = [_dice_doubt(state, observation), _bird_doubt(state, observation)]
    for seat in range(4):
        found += [
            _count_doubt(state, observation, seat),
            _stray_meld_doubt(state, observation, seat),
            _changed_meld_doubt(state, observation, seat),
            _late_doubt(state, rivers, seat),
        ]
    return [doubt for doubt in found if doubt is not None]


def _count_doubt(state: TableState, observation: Observation, seat: int) -> Doubt | None:
    tiles = hand_faces(observation, seat)
    base = 13 - 3 * len(state.seats[seat].melds)
    if seat not in state.declared or any(hand.seat == seat for hand in state.shown):
        return None
    if len(tiles) <= base // 2 or min(tile.pictures for tile in tiles) < PUZZLING_PICTURES:
        return None
    if len(tiles) in (base, base + 1):
        return None
    text = (
        f"The hand of {{{seat}}} shows {len(tiles)} tiles and should have {base} or "
        f"{base + 1}; please spread them out.",
        f"{{{seat}}} 亮出 {len(tiles)} 张,应为 {base} 或 {base + 1} 张,请摊开。",
    )
    return Doubt(f"hand-{state.hand}-count-{seat}-{len(tiles)}", text)


def _stray_meld_doubt(state: TableState, observation: Observation, seat: int) -> Doubt | None:
    _, fresh = unexplained(state, observation, seat)
    if not fresh or min(tile.pictures for tile in fresh) < 2 * PUZZLING_PICTURES:
        return None
    faces = " ".join(str(tile.tile) for tile in fresh)
    text = (
        f"These tiles among the melds of {{{seat}}} fit no meld: {faces}.",
        f"{{{seat}}} 副露处的这些牌不成副: {faces}。",
    )
    return Doubt(f"hand-{state.hand}-meld-{seat}-{faces}", text, blocks=True)


def _changed_meld_doubt(state: TableState, observation: Observation, seat: int) -> Doubt | None:
    """All tiles of the recorded melds are there, but not with the recorded faces."""
    recorded = Counter(tile for meld in state.seats[seat].melds for tile in lying(meld))
    seen = [t for t in observation.in_zone(ZoneKind.MELDS, seat) if t.pictures >= PUZZLING_PICTURES]
    sure: Counter[Tile] = Counter(tile.tile for tile in seen if tile.tile is not Tile.UNKNOWN)
    if len(seen) < recorded.total() or sure.total() < recorded.total() or not recorded - sure:
        return None
    was, now = (
        " ".join(str(tile) for tile in sorted(tiles.elements()))
        for tiles in (recorded - sure, sure - recorded)
    )
    text = (
        f"Among the melds of {{{seat}}} {was} is recorded, and {now} is seen. Is {was} right?",
        f"{{{seat}}} 的副露记为 {was},现在看像 {now}。记录的 {was} 对吗?",
    )
    return Doubt(f"hand-{state.hand}-changed-{seat}-{was}-{now}", text, blocks=True)


def _late_doubt(
    state: TableState, rivers: tuple[tuple[SeenTile, ...], ...], seat: int
) -> Doubt | None:
    """A discard that was not recorded when the hand was shown."""
    extra = rivers[seat][len(state.seats[seat].river) :]
    if not state.shown or not extra or extra[-1].pictures < DOUBTFUL_PICTURES:
        return None
    text = (
        f"In the river of {{{seat}}} lies a tile that was not recorded before the hand was shown. "
        "Is the win to be settled as shown all the same?",
        f"{{{seat}}} 的牌河里有一张亮牌前没有记录的牌。仍按所示结算吗?",
    )
    return Doubt(f"hand-{state.hand}-late-{seat}-{len(rivers[seat])}", text, blocks=True)


def _bird_doubt(state: TableState, observation: Observation) -> Doubt | None:
    """As many birds lie there as are recorded, but they look otherwise."""
    turned = turned_birds(observation)
    known = Counter((*state.birds, *state.old_birds))
    seen: Counter[Tile] = Counter(
        tile.tile for tile in turned if tile.pictures >= DOUBTFUL_PICTURES
    )
    if state.phase is not Phase.SHOWING or seen[Tile.UNKNOWN] or known[Tile.UNKNOWN]:
        return None
    if not state.birds or seen.total() < known.total() or not known - seen:
        return None
    was, now = (
        " ".join(str(tile) for tile in sorted(tiles.elements()))
        for tiles in (known - seen, seen - known)
    )
    text = (
        f"The birds are recorded with {was}, and {now} is seen. Is {was} right?",
        f"鸟牌记为 {was},现在看像 {now}。记录的 {was} 对吗?",
    )
    return Doubt(f"hand-{state.hand}-birds-{was}-{now}", text, blocks=True)


def _dice_doubt(state: TableState, observation: Observation) -> Doubt | None:
    dice = tuple(sorted(state.dice.values)) if state.dice else ()
    if any(seat.discards for seat in state.seats) or len(observation.dice) != len(dice):
        return None
    if observation.dice == dice:
        return None
    seen, said = (" ".join(map(str, values)) for values in (observation.dice, dice))
    text = (
        f"The board reports the dice as {said}, the camera sees {seen}.",
        f"控制板报骰子 {said},摄像头看到 {seen}。",
    )
    return Doubt(f"hand-{state.hand}-dice", text)
