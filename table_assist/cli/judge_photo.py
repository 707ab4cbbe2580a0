"""From a photograph of a declared hand to a verdict, in words and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from table_assist.languages.words import NOTHING, Words, phrase, words_of
from table_assist.rules.by_hand import telling
from table_assist.rules.by_hand.typed import JudgedHand, TypedHand, TypedHandError, answer
from table_assist.rules.profile import Profile
from table_assist.rules.waiting import ReadyHelp
from table_assist.tiles.melds import MELD_NAMES, tile_noted, tiles_words
from table_assist.tiles.tile import Tile, format_tiles
from table_assist.vision.photos.arrange import (
    ArrangedHand,
    advice_lines,
    advice_report,
    arrange_hand,
)
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.read import Reader, read_picture
from table_assist.vision.reading.readings import Readings, picture_report
from table_assist.vision.reading.recognise import UNKNOWN
from table_assist.vision.table.advice import Advice, PictureFault, advise


@dataclass(frozen=True, slots=True)
class PhotoFacts:
    """Facts that a photograph does not show.

    Attributes:
        discarder: who discarded the winning tile; None takes the hand for self-drawn.
        winning_tile: None takes the tile that lies apart or turned.
    """

    winner: int = 0
    dealer: int = 0
    discarder: int | None = None
    winning_tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class CheckedPhoto:
    """A photograph, what was read in it, and the judgement.

    Attributes:
        answer: None when nothing can be judged; ``problem`` says why in a sentence.
    """

    path: Path
    image: Image
    readings: Readings
    hand: ArrangedHand
    profile: Profile
    asked: PhotoFacts
    advice: tuple[Advice, ...]
    answer: JudgedHand | ReadyHelp | None
    problem: Words = NOTHING

    @property
    def is_win(self) -> bool:
        """The hand was judged and is a win."""
        return isinstance(self.answer, JudgedHand) and self.answer.good


def check_photo(path: Path, reader: Reader, profile: Profile, asked: PhotoFacts) -> CheckedPhoto:
    """Read and judge.

    Raises:
        PictureError: the file is no picture.
    """
    image, readings = read_picture(path, reader)
    hand = arrange_hand(readings)
    beside = set(hand.left_out)
    own = readings.select([index for index in range(len(readings)) if index not in beside])
    advice = tuple(
        each for each in advise(image, readings) if each.trouble is not PictureFault.CUT_OFF
    ) + tuple(each for each in advise(image, own) if each.trouble is PictureFault.CUT_OFF)
    answered, problem = _judge(hand, profile, asked)
    return CheckedPhoto(path, image, readings, hand, profile, asked, advice, answered, problem)


def in_order(tiles: Sequence[Tile], winning_tile: Tile | None) -> tuple[Tile, ...]:
    """A hand as a person sorts it: by suit and number, the unread ones, the winning tile last."""
    rest = list(tiles)
    last = [winning_tile] if winning_tile in rest else []
    for tile in last:
        rest.remove(tile)
    return (*sorted(rest, key=lambda tile: (not tile.is_face, tile)), *last)


def _judge(
    hand: ArrangedHand, profile: Profile, asked: PhotoFacts
) -> tuple[JudgedHand | ReadyHelp | None, Words]:
    if all(tile is Tile.BACK for tile in hand.concealed):
        return None, Words("there is no hand in the picture", "图中没有手牌")
    winning_tile = hand.winning_tile if asked.winning_tile is None else asked.winning_tile
    if asked.winning_tile is not None and asked.winning_tile not in hand.concealed:
        tile = asked.winning_tile
        return None, phrase("judge_photo.winning_tile", value=tile_noted(tile))
    bonus = [tile for tile in hand.bonus if tile in profile.rules.bonus_tiles]
    # The tiles as text; one that lies face down in a hand is as good as unread
    tiles = in_order(hand.concealed, winning_tile)
    typed = TypedHand(
        format_tiles(Tile.UNKNOWN if tile is Tile.BACK else tile for tile in tiles),
        melds="; ".join(f"{meld.kind} {format_tiles(meld.tiles)}" for meld in hand.melds),
        winning_tile=None if winning_tile is None else str(winning_tile),
        self_drawn=asked.discarder is None,
        discarder=asked.discarder,
        winner=asked.winner,
        dealer=asked.dealer,
        bonus=format_tiles(bonus),
    )
    try:
        return answer(profile.rules, typed), NOTHING
    except TypedHandError as error:
        return None, words_of(error)


# --- Telling


def tell(checked: CheckedPhoto, language: str = "en") -> str:
    """The check as lines of text."""
    return "\n".join(_lines(checked, language))


def to_json(checked: CheckedPhoto) -> dict[str, object]:
    """The check as one object."""
    hand = checked.hand
    return {
        **picture_report(str(checked.path), checked.readings),
        "hand": {
            "concealed": format_tiles(in_order(hand.concealed, hand.winning_tile)),
            "melds": [str(meld) for meld in hand.melds],
            "claimed_from": [side and str(side) for side in hand.claimed_from],
            "winning_tile": None if hand.winning_tile is None else str(hand.winning_tile),
            "bonus": format_tiles(hand.bonus),
            "doubts": [doubt.en for doubt in hand.doubts],
            "left_out": list(hand.left_out),
        },
        "advice": advice_report(checked.advice),
        "problem": checked.problem.en or None,
        "answer": None
        if checked.answer is None
        else telling.to_json(checked.answer, checked.profile),
    }


def _lines(checked: CheckedPhoto, language: str) -> Iterator[str]:
    for line in _seen(checked):
        yield line.said(language)
    yield from advice_lines(checked.advice, language)
    yield ""
    if checked.answer is None:
        why = Words("CANNOT TELL: {problem}.", "无法判定：{problem}。", problem=checked.problem)
        yield why.said(language)
        return
    for line in telling.tell(checked.answer, checked.profile):
        yield line.said(language)


def _seen(checked: CheckedPhoto) -> Iterator[Words]:
    """The readings, whose tiles the melds hold, and the doubts."""
    readings, hand = checked.readings, checked.hand
    count, unread = len(readings), readings.labels.count(UNKNOWN)
    yield phrase("judge_photo.tiles_and_dice_read", path=checked.path, count=count, unread=unread)
    for meld, side in zip(hand.melds, hand.claimed_from, strict=True):
        if side is not None:
            seat, name, text = side.seat(checked.asked.winner), MELD_NAMES[meld.kind], meld.tiles
            yield Words(
                "The {meld} has a turned tile: claimed from seat {seat}, {side}.",
                "{meld}有一张横放：来自座位 {seat}（{side}）。",
                meld=Words("{meld}", "{name}{text}", meld=meld, name=name, text=tiles_words(text)),
                seat=seat,
                side=side.words,
            )
    for doubt in hand.doubts:
        yield Words("Doubt: {doubt}", "存疑：{doubt}", doubt=doubt)
