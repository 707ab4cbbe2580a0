"""The command ``table-assist evaluate``: a labelled folder in, lines out."""

import base64
import html
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.enrolment.labelled import LabelledPicture, read_folder
from table_assist.vision.evaluate.compare import (
    ComparedPicture,
    ComparedThing,
    ThingOutcome,
    asked_names,
)
from table_assist.vision.evaluate.run import Evaluation, evaluate
from table_assist.vision.evaluate.spoil import parse_spoil
from table_assist.vision.evaluate.tally import EvaluationTally
from table_assist.vision.pictures.picture import Image, PictureError, jpeg, resized
from table_assist.vision.reading.read import Reader

# An evaluation as JSON and as lines of text.

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
    if total.confusions:
        yield "silently wrong, as labelled > as read:"
        yield f"  {_pairs(total.confusions)}"
    if total.asked_confusions:
        yield "marked ?, and the likeliest is another:"
        yield f"  {_pairs(total.asked_confusions)}"
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


# The failures of an evaluation as one HTML page that needs nothing else.

MOST_PICTURES = 150  # about 20 MB of page
PICTURE_SIDE = 1280  # px of the longer side, at most
CROP_SIDE = 112  # px
MARGIN = 0.35  # of a thing's longer side around its crop
COLOURS = {  # BGR, and the same in the page's style
    ThingOutcome.WRONG: (60, 40, 230),
    ThingOutcome.MISSED: (200, 60, 200),
    ThingOutcome.ASKED: (30, 160, 245),
    ThingOutcome.EXTRA: (235, 150, 40),
    ThingOutcome.RIGHT: (110, 190, 70),
}
SAID = {
    ThingOutcome.WRONG: "silently wrong",
    ThingOutcome.MISSED: "not found",
    ThingOutcome.ASKED: "asked",
    ThingOutcome.EXTRA: "nothing is labelled here",
}
WORST = (ThingOutcome.WRONG, ThingOutcome.EXTRA, ThingOutcome.MISSED, ThingOutcome.ASKED)

Boxes = NDArray[np.float64]


class Gallery:
    """Collects the pictures that are not wholly right, as they are read."""

    def __init__(self) -> None:
        self._sections: list[str] = []
        self._left_out = 0

    def add(self, picture: LabelledPicture, image: Image, compared: ComparedPicture) -> None:
        """Take in a picture; nothing is kept of one that is wholly right."""
        failures = [thing for thing in compared.things if thing.outcome is not ThingOutcome.RIGHT]
        if not failures:
            return
        if len(self._sections) == MOST_PICTURES:
            self._left_out += 1
            return
        failures.sort(key=lambda thing: WORST.index(thing.outcome))
        crops = "".join(_figure(image, thing) for thing in failures)
        count = len(compared.things)
        self._sections.append(
            f"<section><h2>{html.escape(picture.path.name)}</h2>"
            f"<p>{count - len(failures)} of {count} right</p>"
            f'<div class="crops">{crops}</div>'
            f'<img class="whole" loading="lazy" alt="" src="{_drawn(image, compared)}"></section>'
        )

    def page(self, title: str, lines: list[str]) -> str:
        """The page, with the evaluation's lines on top."""
        key = "".join(f'<li class="{outcome}">{text}</li>' for outcome, text in SAID.items())
        sections = "".join(self._sections) or "<p>Every picture is wholly right.</p>"
        if self._left_out:
            sections += f"<p>{self._left_out} more pictures are not shown.</p>"
        return _PAGE.format(
            title=html.escape(title),
            lines=html.escape("\n".join(lines)),
            key=key,
            sections=sections,
        )


def _figure(image: Image, thing: ComparedThing) -> str:
    if thing.outcome is ThingOutcome.MISSED:
        words = f"is <b>{thing.labelled}</b>"
    elif thing.outcome is ThingOutcome.EXTRA:
        words = f"read as <b>{thing.said}</b>"
    else:
        words = f"is <b>{thing.labelled}</b>, read as <b>{thing.said}</b>"
    return (
        f'<figure class="{thing.outcome}"><img alt="" src="{_crop(image, thing.xyxy)}">'
        f"<figcaption>{words}<br><small>{SAID[thing.outcome]}<br>"
        f"{html.escape(asked_names(thing.candidates))}</small></figcaption></figure>"
    )


def _crop(image: Image, xyxy: Boxes) -> str:
    """The thing at its own resolution, never a smoothed one: what was read is what is shown."""
    margin = MARGIN * max(xyxy[2] - xyxy[0], xyxy[3] - xyxy[1])
    limit = np.array(image.shape[1::-1] * 2)
    left, top, right, bottom = np.clip(
        np.round(xyxy + margin * np.array((-1, -1, 1, 1))), 0, limit
    ).astype(int)
    part = image[top : max(bottom, top + 1), left : max(right, left + 1)]
    if not part.size:
        part = np.zeros((1, 1, 3), np.uint8)
    scale = CROP_SIDE / max(part.shape[:2])
    return _url(resized(part, scale, cv2.INTER_AREA if scale < 1 else cv2.INTER_NEAREST))


def _drawn(image: Image, compared: ComparedPicture) -> str:
    """The picture with a box around each thing, the failures' on top and with their words."""
    scale = min(1.0, PICTURE_SIDE / max(image.shape[:2]))
    drawn = resized(image, scale)
    for thing in sorted(compared.things, key=lambda each: each.outcome is not ThingOutcome.RIGHT):
        left, top, right, bottom = np.round(thing.xyxy * scale).astype(int).tolist()
        colour = COLOURS[thing.outcome]
        is_right = thing.outcome is ThingOutcome.RIGHT
        cv2.rectangle(drawn, (left, top), (right, bottom), colour, 1 if is_right else 2)
        if not is_right:
            words = f"{thing.labelled}>{thing.said or 'none'}" if thing.labelled else thing.said
            place = (left, max(12, top - 4))
            cv2.putText(drawn, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 4)
            cv2.putText(drawn, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 1)
    return _url(drawn)


def _url(image: Image) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(jpeg(image, quality=82)).decode("ascii")


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --edge: light-dark(#d8d8d2, #3a3d3b);
  --ground: light-dark(#fafaf7, #151716); --card: light-dark(#fff, #1f2221); }}
body {{ font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 1100px;
  padding: 0 1rem; background: var(--ground); }}
pre {{ overflow-x: auto; padding: 1rem; background: var(--card); border: 1px solid var(--edge);
  border-radius: 8px; }}
section {{ margin: 2rem 0; padding: 1rem; background: var(--card); border: 1px solid var(--edge);
  border-radius: 8px; }}
h1, h2 {{ font-weight: 600; overflow-wrap: anywhere; }}
h2 {{ font-size: 1rem; margin: 0; }}
.crops {{ display: flex; flex-wrap: wrap; gap: .75rem; margin: .75rem 0; }}
figure {{ margin: 0; width: 132px; border-top: 4px solid; padding-top: .4rem; }}
figcaption {{ font-size: .85rem; }}
figcaption small {{ opacity: .75; }}
.whole {{ max-width: 100%; border-radius: 4px; }}
ul {{ display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; list-style: none; padding: 0; }}
li {{ border-left: 14px solid; padding-left: .4rem; }}
.wrong {{ border-color: #e6283c; }}
.missed {{ border-color: #c83cc8; }}
.asked {{ border-color: #f5a01e; }}
.extra {{ border-color: #2896eb; }}
</style>
</head>
<body>
<h1>{title}</h1>
<pre>{lines}</pre>
<ul>{key}</ul>
{sections}
</body>
</html>
"""


def evaluation_lines(
    folder: Path,
    reader: Reader,
    *,
    empty: bool = False,
    partial: bool = False,
    spoil: str | None = None,
    gallery: Path | None = None,
    as_json: bool = False,
) -> Iterator[str]:
    """Evaluate and tell; one JSON object is one line.

    Raises:
        LabelError: the folder cannot be used.
        SpoilError: pictures cannot be spoilt so.
        PictureError: the gallery cannot be written.
    """
    pictures = Gallery()
    evaluation = evaluate(
        read_folder(folder, empty=empty),
        reader.read,
        partial=partial,
        spoil=None if spoil is None else parse_spoil(spoil),
        watcher=None if gallery is None else pictures.add,
    )
    told = list(tell(str(folder), evaluation))
    if gallery is not None:
        page = pictures.page(f"What was read in {folder.name}", told)
        try:
            gallery.write_text(page, encoding="utf-8")
        except OSError as error:
            raise PictureError(
                "{path} cannot be written: {strerror}",
                "{path} 无法写入：{strerror}",
                path=gallery,
                strerror=error.strerror,
            ) from error
    if as_json:
        yield json.dumps(to_json(str(folder), evaluation), ensure_ascii=False)
    else:
        yield from told
