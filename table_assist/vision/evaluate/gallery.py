"""The failures of an evaluation as one HTML page that needs nothing else."""

import base64
import html
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table_assist.vision.evaluate.compare import (
    ComparedPicture,
    ComparedThing,
    ThingOutcome,
    asked_names,
)
from table_assist.vision.evaluate.labelled import LabelledPicture
from table_assist.vision.pictures.picture import Image, PictureError, jpeg

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


def write_page(path: Path, page: str) -> None:
    """Write the page.

    Raises:
        PictureError: the place cannot be written to.
    """
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise PictureError(
            "{path} cannot be written: {strerror}",
            "{path} 无法写入：{strerror}",
            path=path,
            strerror=error.strerror,
        ) from error


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
    size = tuple(max(1, round(length * scale)) for length in part.shape[1::-1])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_NEAREST
    return _url(np.asarray(cv2.resize(part, (size[0], size[1]), interpolation=how), np.uint8))


def _drawn(image: Image, compared: ComparedPicture) -> str:
    """The picture with a box around each thing, the failures' on top and with their words."""
    scale = min(1.0, PICTURE_SIDE / max(image.shape[:2]))
    size = tuple(max(1, round(length * scale)) for length in image.shape[1::-1])
    drawn = np.asarray(
        cv2.resize(image, (size[0], size[1]), interpolation=cv2.INTER_AREA), np.uint8
    )
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
