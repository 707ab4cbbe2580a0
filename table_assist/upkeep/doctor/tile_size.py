"""The doctor's look at how large the tiles are, by those that lie in the picture."""

from collections.abc import Iterator

from table_assist.health.finding import Finding, State
from table_assist.languages.words import Words
from table_assist.settings.build import calibration_of, layout_of
from table_assist.settings.config import Config
from table_assist.vision.reading.readings import Readings
from table_assist.vision.table.calibration import LEAST_PX_PER_TILE
from table_assist.vision.table.observation import observe
from table_assist.vision.table.outline import seen_tile_mm
from table_assist.vision.table.tile_size import odd_size, other_size
from table_assist.vision.table.viewpoint import viewpoint

CALIBRATE_AGAIN = Words("Run table-assist calibrate again.", "请重新运行 table-assist calibrate。")
_CLOSER = Words(
    "Fewer than {least_px_per_tile} px are too few: move the camera closer, or use a higher "
    "resolution.",
    "少于 {least_px_per_tile} 像素不够：请将摄像头移近，或提高分辨率。",
    least_px_per_tile=f"{LEAST_PX_PER_TILE:.0f}",
)


def size_findings(
    config: Config, size_wh: tuple[int, int], readings: Readings
) -> Iterator[Finding]:
    """How large the tiles are, where enough of them lie side by side."""
    calibration, kept = calibration_of(config)
    above = viewpoint(calibration, size_wh)
    measured = observe(readings, calibration, layout_of(config), 0.0, above).measured_mm
    kept_mm = kept.tile_mm if kept else None
    if measured is None and kept_mm is not None:
        measured = seen_tile_mm(readings, calibration)
    if measured is None:
        return
    words = odd_size(measured) or other_size(measured, kept_mm)
    if words:
        yield Finding("tiles", State.DOUBT, words, CALIBRATE_AGAIN)
        return
    per_tile = calibration.px_per_mm * measured
    says = Words(
        "They are {measured} wide on a table of 800, {per_tile} px in the picture.",
        "以桌边为 800 计，牌宽 {measured}，在画面中为 {per_tile} 像素。",
        measured=f"{measured:.0f}",
        per_tile=f"{per_tile:.0f}",
    )
    if per_tile < LEAST_PX_PER_TILE:
        yield Finding("tiles", State.DOUBT, says, _CLOSER)
        return
    yield Finding("tiles", State.GOOD, says)
