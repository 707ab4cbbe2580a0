"""The zones that cannot be seen now, since when and why: never the same as empty."""

from dataclasses import dataclass
from enum import StrEnum

from table_assist.languages.words import Words, player_at
from table_assist.vision.table.zones import Zone, ZoneKind


class WhyUnseen(StrEnum):
    """Why a zone cannot be seen."""

    MOTION = "motion"  # something moves there
    HIDDEN = "hidden"  # a hand, an arm or a thing lies over it
    GLARE = "glare"
    DARK = "dark"
    COVERED = "covered"  # the lens
    STALE = "stale"  # no new picture
    MOVED = "moved"  # it is not known where the table is in the picture
    UNSURE = "unsure"  # wrong colours or a blur, in which tiles are not read for sure
    OUTSIDE = "outside"  # of the picture: the camera was moved
    DISPUTED = "disputed"  # two cameras see it differently


@dataclass(frozen=True, slots=True)
class OccludedZone:
    """A zone that cannot be seen.

    What lay there is told as it was last seen, and nothing follows from what is not seen there.

    Attributes:
        since_t: seconds since the epoch.
    """

    zone: Zone
    since_t: float
    why: WhyUnseen

    @property
    def words(self) -> Words:
        """One sentence; ``{2}`` stands for the name of the player in seat 2."""
        what = _ZONE_NAMES[self.zone.kind]
        why = _REASONS[self.why]
        if self.zone.seat is None:
            return Words(
                "The {what} cannot be seen: {why}.", "{what}看不到：{why}。", what=what, why=why
            )
        return Words(
            "The {what} of {owner} cannot be seen: {why}.",
            "{owner}的{what}看不到：{why}。",
            what=what,
            owner=player_at(self.zone.seat),
            why=why,
        )


_ZONE_NAMES = {
    ZoneKind.HAND: Words("hand", "手牌"),
    ZoneKind.MELDS: Words("melds", "副露"),
    ZoneKind.WALL: Words("wall", "牌墙"),
    ZoneKind.RIVER: Words("river", "牌河"),
    ZoneKind.DICE: Words("dice", "骰子区"),
    ZoneKind.BIRDS: Words("place of the birds", "鸟牌区"),
    ZoneKind.ELSEWHERE: Words("rest of the table", "桌面其余部分"),
}
_REASONS = {
    WhyUnseen.MOTION: Words("something moves there", "有东西在动"),
    WhyUnseen.HIDDEN: Words("something lies over it", "被遮住"),
    WhyUnseen.GLARE: Words("it mirrors a light", "反光"),
    WhyUnseen.DARK: Words("it is too dark", "太暗"),
    WhyUnseen.COVERED: Words("the camera is covered", "摄像头被遮挡"),
    WhyUnseen.STALE: Words("the camera gives no new picture", "摄像头没有新画面"),
    WhyUnseen.MOVED: Words("the camera or the table was moved", "摄像头或桌子被移动"),
    WhyUnseen.OUTSIDE: Words("it lies partly outside the picture", "部分在画面之外"),
    WhyUnseen.DISPUTED: Words("two cameras see it differently", "两个摄像头所见不同"),
    WhyUnseen.UNSURE: Words("the picture is too poor to read", "画面质量不足以识别"),
}
