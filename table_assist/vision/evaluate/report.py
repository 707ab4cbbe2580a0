"""An evaluation as JSON and as lines of text."""

from collections import Counter
from collections.abc import Iterator

from table_assist.vision.evaluate.compare import ThingOutcome
from table_assist.vision.evaluate.run import Evaluation
from table_assist.vision.evaluate.tally import EvaluationTally

CONFUSIONS_TOLD = 20


def to_json(folder: str, evaluation: Evaluation) -> dict[str, object]:
    """The whole evaluation as one object."""
    total = evaluation.total
    return {
        "folder": folder,
        **total.to_json(),
        "confusions": _confusions(total.confusions),
        "asked_confusions": _confusions(total.asked_confusions),
        "reliability": total.reliability(),
        "by_width": total.by_width(),
        "sources": {name: tally.to_json() for name, tally in evaluation.sources.items()},
        "unlabelled_pictures": evaluation.unlabelled,
        "unreadable": evaluation.unreadable,
    }


def tell(folder: str, evaluation: Evaluation) -> Iterator[str]:
    """The whole evaluation line by line."""
    total = evaluation.total
    yield f"{folder}: {_count(total.pictures, 'picture')}, {_count(total.tiles, 'tile')} labelled"
    yield from _told(total)
    yield from _doubts(total)
    yield from _curves(total)
    if evaluation.sources:
        yield "by source:"
        width = max(len(name) for name in evaluation.sources)
        for name, tally in evaluation.sources.items():
            yield f"  {name:{width}}  {_line(tally)}"
    if evaluation.unlabelled:
        yield f"left out, they have no labels: {_count(evaluation.unlabelled, 'picture')}"
    for sentence in evaluation.unreadable:
        yield f"left out: {sentence}"


def _doubts(total: EvaluationTally) -> Iterator[str]:
    if total.confusions:
        yield "silently wrong, as labelled > as read:"
        yield f"  {_pairs(total.confusions)}"
    if total.asked_confusions:
        yield "marked ?, and the likeliest is another:"
        yield f"  {_pairs(total.asked_confusions)}"


def _curves(total: EvaluationTally) -> Iterator[str]:
    if total.answers:
        yield "confidence of the likeliest name, and how often it was right:"
        for row in total.reliability():
            yield f"  {row['from']:>5} to {row['to']:<5} {row['right']:7.1%} of {row['tiles']}"
    if total.widths:
        yield "by the width of a tile in the picture:"
        for row in total.by_width():
            yield (
                f"  from {row['from_px']:3} px  {row['right']:7.1%} right, "
                f"{row['asked']:.1%} asked, {row['wrong']:.2%} silent, "
                f"{row['missed']:.1%} missed of {row['tiles']}"
            )


def _told(tally: EvaluationTally) -> Iterator[str]:
    outcomes, tiles = tally.outcomes, tally.tiles
    if tiles:
        for name, count in (
            ("found", tally.found),
            ("right", outcomes[ThingOutcome.RIGHT]),
            ('"?"', outcomes[ThingOutcome.ASKED]),
            ("missed", outcomes[ThingOutcome.MISSED]),
            ("silent errors", outcomes[ThingOutcome.WRONG]),
        ):
            yield f"  {name:22}{count:6}  {count / tiles:7.2%} of the tiles"
    yield f"  {'extra':22}{outcomes[ThingOutcome.EXTRA]:6}  {tally.invented} of them named"
    if tally.pictures > tally.empty:
        for name, count in (
            ("pictures wholly right", tally.right_pictures),
            ("wholly right or asked", tally.right_or_asked_pictures),
        ):
            yield f"  {name:22}{count:6}  {count / tally.pictures:7.1%} of the pictures"
    if tally.empty:
        false = tally.extra_in_empty
        yield (
            f"  {'false tiles':22}{false:6}  {false / tally.empty:7.2f} per empty picture "
            f"({tally.empty})"
        )
    if tally.milliseconds:
        yield f"  {'ms a picture':22}{sum(tally.milliseconds) / len(tally.milliseconds):6.0f}"


def _line(tally: EvaluationTally) -> str:
    outcomes = tally.outcomes
    of = max(tally.tiles, 1)
    return (
        f"{tally.right_pictures} of {tally.pictures} pictures right, "
        f"{tally.right_or_asked_pictures} or asked; "
        f"{outcomes[ThingOutcome.RIGHT] / of:.1%} of {tally.tiles} tiles right, "
        f"{tally.found / of:.1%} found, {outcomes[ThingOutcome.ASKED] / of:.1%} asked, "
        f"{outcomes[ThingOutcome.WRONG]} silent, {outcomes[ThingOutcome.EXTRA]} extra"
    )


def _confusions(confusions: Counter[tuple[str, str]]) -> list[dict[str, object]]:
    return [
        {"labelled": labelled, "read": read, "count": count}
        for (labelled, read), count in confusions.most_common()
    ]


def _pairs(confusions: Counter[tuple[str, str]]) -> str:
    told = [
        f"{labelled} > {read}" + (f" ({count})" if count > 1 else "")
        for (labelled, read), count in confusions.most_common(CONFUSIONS_TOLD)
    ]
    more = len(confusions) - len(told)
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")
