"""A page for each hand that was not right by itself: what lay there, was read, and was believed."""

import base64
import html
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bench.live.eyes import RealEyes
from bench.live.partings import (
    Cause,
    Parting,
    Still,
    cause_of,
    packed,
    partings,
    read_whole,
)
from bench.live.report import wrong_lines
from table_assist.game.events import (
    BirdTurned,
    Event,
    HandLaidDown,
    IndicatorTurned,
    KongDeclared,
    Settled,
    StartingHandShown,
    WallExhausted,
    WinDeclared,
)
from table_assist.tiles.tile import Tile
from table_assist.twin.demo.compare import HandFigures
from table_assist.twin.steps import TableStep
from table_assist.vision.pictures.picture import Image
from table_assist.vision.reading.overlay import draw_overlay
from table_assist.vision.reading.read import Reader
from table_assist.vision.table.calibration import Calibration
from table_assist.vision.table.occlusion import CELL_MM, CELLS
from table_assist.vision.table.viewpoint import viewpoint

DECISIVE = (
    StartingHandShown,
    WinDeclared, HandLaidDown, BirdTurned, IndicatorTurned, KongDeclared, Settled, WallExhausted,
)  # fmt: skip
MOST_STILLS = 12
WIDTH = 1200  # px of a picture on the page
BELIEVED, COVERED = (255, 120, 40), (40, 40, 255)  # BGR


@dataclass(frozen=True, slots=True)
class _Kept:
    still: Still
    hidden: NDArray[np.bool_]
    events: tuple[Event, ...]


class PageAlbum:
    """Keeps a hand's stills while it is played; writes its page if it was not right by itself.

    Args:
        folder: where the pages go.
        again: the command that plays a hand again.
    """

    def __init__(
        self, folder: Path, eyes: RealEyes, reader: Reader, again: Callable[[HandFigures], str]
    ) -> None:
        self._folder, self._eyes, self._reader, self._again = folder, eyes, reader, again
        self._kept: list[_Kept] = []

    def keep(self, step: TableStep, t: float) -> None:
        """A step is over."""
        seen = self._eyes.latest
        if seen is None:
            return
        picture, observation = seen
        observer = self._eyes.observer
        where, above = observer.calibration, None
        if where is not None:  # what is around the table is not read
            size_wh = picture.shape[1], picture.shape[0]
            above = viewpoint(where, size_wh)
            x0, y0, x1, y1 = where.window(size_wh)
            picture, where = picture[y0:y1, x0:x1], where.moved(-x0, -y0)
        number = len(self._kept) + 1
        shown = packed(picture)
        still = Still(number, t, step.text, step.scene, shown, observation, where, above)
        self._kept.append(_Kept(still, observer.hidden_cells.copy(), step.events))

    def end(self, figures: HandFigures) -> Cause | None:
        """A hand is over; what failed first, None where it was right and nothing was asked."""
        kept, self._kept = self._kept, []
        if figures.is_right and not figures.questions:
            return None
        found = partings([each.still for each in kept], self._reader)
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"{figures.rules}-{figures.evening}-{figures.hand}.html"
        text = self._page(figures, kept, found)
        (self._folder / name).write_text(text, encoding="utf-8")
        return cause_of(found)

    def _page(self, figures: HandFigures, kept: list[_Kept], found: list[Parting]) -> str:
        title = f"{figures.rules}, evening {figures.evening}, hand {figures.hand}"
        lines = "\n".join(wrong_lines(figures, self._again(figures)))
        parted = {parting.first for parting in found}
        chosen = [
            each
            for each in kept
            if each.still.number in parted or any(isinstance(e, DECISIVE) for e in each.events)
        ]
        sections = "".join(self._section(each) for each in _spread(chosen, MOST_STILLS))
        causes = "".join(f"<li>{html.escape(str(parting))}</li>" for parting in found)
        return _PAGE.format(
            title=html.escape(title),
            cause=html.escape(cause_of(found)),
            lines=html.escape(lines),
            causes=causes or "<li>Nothing was believed falsely for long.</li>",
            sections=sections,
        )

    def _section(self, kept: _Kept) -> str:
        image, readings, _ = read_whole(kept.still, self._reader)
        drawn = draw_overlay(image, readings)
        if kept.still.where is not None:
            _draw_beliefs(drawn, kept, kept.still.where)
        gone = "".join(
            f"<li>{html.escape(each.words.en)} Since {kept.still.t - each.since_t:.1f} s.</li>"
            for each in kept.still.observation.unavailable
        )
        told = "; ".join(str(event) for event in kept.events) or "nothing of play"
        return (
            f"<section><h2>Step {kept.still.number}: {html.escape(kept.still.text)}</h2>"
            f"<p>{html.escape(told[:600])}</p><ul>{gone}</ul>"
            f'<img alt="" src="{_url(drawn)}"></section>'
        )


def _spread(kept: list[_Kept], most: int) -> list[_Kept]:
    """All of a short list; of a long one the first half of what fits, and the end."""
    return kept if len(kept) <= most else [*kept[: most // 2], *kept[-(most - most // 2) :]]


def _draw_beliefs(drawn: Image, kept: _Kept, where: Calibration) -> None:
    """Cells that count as covered in red; the believed faces, below where they lie."""
    low = (np.argwhere(kept.hidden)[:, ::-1] - CELLS / 2) * CELL_MM
    square = np.array([(0, 0), (CELL_MM, 0), (CELL_MM, CELL_MM), (0, CELL_MM)])
    for corner in low:
        outline = np.round(where.to_picture((corner + square).astype(np.float32)))
        cv2.polylines(drawn, [outline.astype(np.int32)], True, COVERED, 1)
    for tile in kept.still.observation.tiles:
        if tile.tile is Tile.BACK:
            continue
        x, y = where.to_picture(np.array([[tile.x_mm, tile.y_mm]], np.float32))[0]
        place = (round(float(x)) - 10, round(float(y)) + 6)
        cv2.putText(drawn, str(tile.tile), place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 3)
        cv2.putText(drawn, str(tile.tile), place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, BELIEVED, 1)


def _url(image: Image) -> str:
    scale = min(1.0, WIDTH / image.shape[1])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return "data:image/jpeg;base64," + base64.b64encode(data.tobytes()).decode()


_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>body{{font:15px system-ui;margin:2rem;max-width:1240px}}img{{max-width:100%}}
pre{{white-space:pre-wrap;background:#f3f3f0;padding:1rem}}</style>
<h1>{title}</h1><p>What failed first: <b>{cause}</b>.</p><pre>{lines}</pre>
<h2>Where belief and table part</h2><ul>{causes}</ul>
<p>Boxes: what the reader says on the whole still. Blue: what the running table believes.
Red: cells that count as covered.</p>{sections}</html>
"""
