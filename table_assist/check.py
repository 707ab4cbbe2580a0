"""From a photograph of a declared hand to a verdict, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from table_assist.rules.judge import judge
from table_assist.rules.ruleset import RuleSet
from table_assist.rules.shown import ShownHand
from table_assist.rules.verdict import Completion, Verdict
from table_assist.tiles import Tile, format_tiles
from table_assist.vision.arrange import ArrangedHand, arrange_hand
from table_assist.vision.picture import Image
from table_assist.vision.read import Reader, read_picture
from table_assist.vision.readings import Readings

SEATS = ("seat 0", "seat 1", "seat 2", "seat 3")
# More ways to complete an unread hand than this only tire the reader.
COMPLETIONS_TOLD = 12


@dataclass(frozen=True, slots=True)
class Checked:
    """A photograph, what was read in it, and the judgement.

    Attributes:
        shown: the hand as it was judged; None when the picture holds no tile.
    """

    path: Path
    image: Image
    readings: Readings
    hand: ArrangedHand
    shown: ShownHand | None
    verdict: Verdict | None


def check_photo(
    path: Path,
    reader: Reader,
    rules: RuleSet,
    *,
    winner: int,
    dealer: int,
    discarder: int | None,
    winning_tile: Tile | None,
) -> Checked:
    """Read and judge.

    Args:
        discarder: None takes the hand for self-drawn.
        winning_tile: None takes the tile that lies apart.

    Raises:
        PictureError: the file is no picture.
    """
    image, readings = read_picture(path, reader)
    hand = arrange_hand(readings)
    last = winning_tile if winning_tile is not None else hand.winning_tile
    if last is None and hand.concealed:
        last = hand.concealed[-1]
    if last is None:
        return Checked(path, image, readings, hand, None, None)
    shown = ShownHand(
        concealed=hand.concealed,
        winning_tile=last,
        winner=winner,
        dealer=dealer,
        melds=hand.melds,
        self_drawn=discarder is None,
        discarder=discarder,
    )
    return Checked(path, image, readings, hand, shown, judge(rules, shown))


def tell(checked: Checked, rules: RuleSet) -> str:
    """The check as lines of text."""
    return "\n".join(_lines(checked, rules))


def _lines(checked: Checked, rules: RuleSet) -> Iterator[str]:
    readings, hand = checked.readings, checked.hand
    yield f"{checked.path}: {len(readings)} tiles and dice read"
    for index, (label, confidence) in enumerate(
        zip(readings.labels, readings.confidence, strict=True)
    ):
        candidates = ""
        if label == "?":
            named = (f"{c.label} {c.confidence:.1%}" for c in readings.candidates[index])
            candidates = "  perhaps " + ", ".join(named)
        yield f"  {label:5}{float(confidence):7.1%}{candidates}"
    if checked.shown is None or checked.verdict is None:
        yield "There is no hand in the picture."
        return
    yield f"In hand: {format_tiles(hand.concealed)}"
    for meld in hand.melds:
        yield f"Meld: {meld}"
    yield f"Winning tile: {checked.shown.winning_tile}"
    for doubt in hand.doubts:
        yield f"Doubt: {doubt}"
    yield ""
    yield _question(checked.shown, rules)
    yield from _verdict_lines(checked.verdict)


def _question(shown: ShownHand, rules: RuleSet) -> str:
    how = "self-drawn" if shown.discarder is None else f"discarded by {SEATS[shown.discarder]}"
    return (
        f"{rules.names.en}: {SEATS[shown.winner]} declares a win, {how}; "
        f"{SEATS[shown.dealer]} is dealer."
    )


def _verdict_lines(verdict: Verdict) -> Iterator[str]:
    if verdict.valid:
        yield f"A WIN, {verdict.total} from each payer before what the dealer adds."
        for pattern in verdict.patterns:
            yield f"  {pattern.names.en} ({pattern.names.zh}): {pattern.value}"
        for step in verdict.steps:
            yield f"  {step.en}"
        for seat, points in enumerate(verdict.payments):
            yield f"  {SEATS[seat]}: {points:+d}"
        return
    unread = any(refusal.id == "unknown_tile" for refusal in verdict.refusals)
    yield "CANNOT TELL: tiles are unread." if unread else "NOT A WIN."
    for refusal in verdict.refusals:
        yield f"  {refusal.id}: {refusal.words.en}"
    for completion in verdict.completions[:COMPLETIONS_TOLD]:
        yield f"  {_completion(completion)}"
    if len(verdict.completions) > COMPLETIONS_TOLD:
        yield f"  and {len(verdict.completions) - COMPLETIONS_TOLD} more ways"


def _completion(completion: Completion) -> str:
    names = ", ".join(pattern.names.en for pattern in completion.patterns)
    return f"a win with {format_tiles(completion.tiles)}: {completion.total} ({names})"
