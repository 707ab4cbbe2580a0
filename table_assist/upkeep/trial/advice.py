"""The changes that would help most at a table, by its trial."""

from collections.abc import Iterator
from dataclasses import replace

from table_assist.languages.words import Words
from table_assist.upkeep.trial.faces import SeenBy, SeenFaces
from table_assist.upkeep.trial.gains import HELPS, Helps, TableChange, worth_of

SMALL_PX = 26  # of a tile's width: below, more pixels help most
LEARN_SHARE = 0.9  # of the faces: below, the set is to be learnt
MOST_ADVICE = 3
ASKEW_DEG = 30.0
LATE_S = 8.0


def advice(seen: SeenFaces, late_s: float | None) -> list[TableChange]:
    """The few changes that would help most, what helps most first; none that did not help.

    Args:
        late_s: within which nine in ten events were seen; None: there were none.
    """
    found: list[TableChange] = []
    for number, camera in enumerate(seen.cameras, start=1):
        whose = camera_name(number) if len(seen.cameras) > 1 else None
        found += (replace(each, says=_of(whose, each.says)) for each in _advice_on(camera))
    faces, unread = len(seen.faces), len(seen.faces) - seen.faces.right
    if faces and seen.faces.right < LEARN_SHARE * faces:
        found.append(
            TableChange(
                Words(
                    "{unread} of {faces} faces were not read: learn the set from the pictures "
                    "of this trial",
                    "{faces} 种牌面中有 {unread} 种未能认出：请用本次试局的画面录入这副牌",
                    unread=unread,
                    faces=faces,
                ),
                Helps.LEARN,
            )
        )
    if late_s is not None and late_s > LATE_S:
        found.append(
            TableChange(
                Words(
                    "one event in ten was seen later than {late_s} s: keep hands and arms off "
                    "the tiles for a moment",
                    "十分之一的事件在 {late_s} 秒后才被看到：手和手臂请稍离开牌面",
                    late_s=f"{late_s:.0f}",
                )
            )
        )
    helpful = (each for each in found if worth_of(each.helps) > 0)
    return sorted(helpful, key=lambda each: -worth_of(each.helps))[:MOST_ADVICE]


def _advice_on(camera: SeenBy) -> Iterator[TableChange]:
    """The changes that would make one camera's pictures better."""
    for each in camera.advice:
        yield TableChange(each.words, HELPS.get(each.trouble))
    width = camera.conditions.width_px
    if width is not None and width < SMALL_PX and not camera.advice:
        yield TableChange(
            Words(
                "a tile is {width} pixels wide: bring the camera nearer until it is {small_px}"
                ", {small_px_2} times as near",
                "每张牌宽 {width} 像素：请移近摄像头，至 {small_px} 像素，约近到 {small_px_2} 倍",
                width=f"{width:.0f}",
                small_px=SMALL_PX,
                small_px_2=f"{SMALL_PX / width:.1f}",
            ),
            Helps.NEARER,
        )
    if camera.tilt_deg is not None and camera.tilt_deg > ASKEW_DEG:
        yield TableChange(
            Words(
                "the camera looks {tilt_deg}° askew: hang it higher, nearer the table's middle",
                "摄像头倾斜 {tilt_deg}°：请挂得更高、更靠近桌子正上方",
                tilt_deg=f"{camera.tilt_deg:.0f}",
            ),
            Helps.ABOVE,
        )


def camera_name(number: int) -> Words:
    """One of several that watch, from 1; the report shows the picture of each."""
    return Words("camera {number}", "摄像头 {number}", number=number)


def _of(whose: Words | None, says: Words) -> Words:
    return (
        says
        if whose is None
        else Words("{whose}: {says}", "{whose}：{says}", whose=whose, says=says)
    )
