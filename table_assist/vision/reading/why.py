"""Why a thing in a picture is a ``?``."""

from enum import StrEnum

from table_assist.languages.words import Words


class WhyDoubtful(StrEnum):
    """The kind of doubt about a thing that was found."""

    FACE = "face"  # which face it shows
    PART = "part"  # whether its box holds a whole tile: half a 4p looks like a 2p
    NOTHING = "nothing"  # whether there is a tile at all
    CUT_OFF = "cut_off"  # the picture ends there
    GLARE = "glare"  # it is so bright that lines of the drawing may be lost


WORDS = {
    WhyDoubtful.FACE: Words("the face is not clear", "牌面不清楚"),
    WhyDoubtful.PART: Words("perhaps only a part of a tile", "可能只拍到半张牌"),
    WhyDoubtful.NOTHING: Words("perhaps no tile", "可能不是牌"),
    WhyDoubtful.CUT_OFF: Words("cut off by the edge of the picture", "被画面边缘截断"),
    WhyDoubtful.GLARE: Words("too bright to see all of the drawing", "反光，图案看不全"),
}
