"""Chinese Classical's numbered rules of play and irregularities, for the rule sheet."""

from table_assist.rules.laws import law

_DRAWING = "Drawing from the Wall"
_DISCARDS = "Discards"
_KONG = "The Kong"
_LOOSE = "Loose Tiles"
_WRONG = "Irregularities"

PLAY = (
    law(
        "CL-30",
        "Turns go counter-clockwise; a pung moves on from the one who claimed it.",
        "逆时针轮流；碰牌后从碰者继续。",
        "During Play",
    ),
    law(
        "CL-31",
        "A drawn tile is not shown unless it is a flower or makes a kong.",
        "摸的牌不须亮出，花牌和成杠者除外。",
        "During Play",
    ),
    law(
        "CL-32",
        "After a draw the last discard may still be claimed until the discard, unless a flower or "
        "kong was laid down.",
        "下家摸牌后、打牌前仍可要上一张，已补花或开杠者除外。",
        f"{_DRAWING} 1; {_LOOSE} 6",
    ),
    law(
        "CL-33",
        "Who exposes the tile that is due takes it; any other is shuffled with six stacks.",
        "翻开应摸的牌须取；翻开别的牌与六墩重洗。",
        f"{_DRAWING} 2",
    ),
    law(
        "CL-34",
        "A tile drawn wrongly goes back; once its face was seen it is shuffled in.",
        "摸错的牌放回；已见牌面则重洗。",
        f"{_DRAWING} 3",
    ),
    law(
        "CL-35",
        "Touching the wall's end to draw binds; a claimed tile may be rejected before discarding.",
        "触到应摸的牌即须摸；要来的牌在打牌前可退。",
        f"{_DRAWING} 4",
    ),
    law(
        "CL-36",
        "Grounded sets are final after the discard.",
        "打牌后副露不得更改。",
        f"{_DRAWING} 5",
    ),
    law(
        "CL-37",
        "Discards lie {discard_face} and are named.",
        "打出的牌{discard_face}并报名。",
        f"{_DISCARDS} 1",
    ),
    law(
        "CL-38",
        "After discarding a hand has 13 tiles, a kong's fourth and flowers apart; else it is "
        "dead: it plays on, collects nothing and pays {dead_hand_payment}.",
        "打牌后须有 13 张（杠的第四张和花牌除外），否则手牌作废：继续打，不收分，照付"
        "（{dead_hand_payment}）。",
        f"{_DISCARDS} 2",
    ),
    law(
        "CL-39",
        "No discard is added to an exposed set.",
        "打出的牌不能加在已亮的牌组上。",
        f"{_DISCARDS} 3",
    ),
    law(
        "CL-40",
        "A tile is discarded when it touches the table, drawn when touched; a discard is "
        "{discard_takeback}.",
        "牌触桌即为打出，触牌即为摸；打出的牌{discard_takeback}。",
        f"{_DISCARDS} 4; {_WRONG} 6",
    ),
    law(
        "CL-41",
        "Only the next player chows; the set is exposed {chow_exposure}.",
        "只有下家能吃，{chow_exposure}亮出。",
        "The Chow",
    ),
    law(
        "CL-42",
        "A pung takes a pair held; play goes on from there.",
        "手中一对可碰，从碰者继续。",
        "The Pong",
    ),
    law(
        "CL-43",
        "A pung let go may not be made on such a tile before another own turn.",
        "放过的碰须过自己一轮后再碰。",
        "The Pong 3",
    ),
    law(
        "CL-44",
        "Kongs: three held and a discard (it lies {kong_from_discard_mark}), four held, or a "
        "drawn fourth added to a pung; never a discarded fourth.",
        "杠：手中三张加他家打出（{kong_from_discard_mark}）、手中四张、或自摸第四张加杠；打出的牌"
        "不能加杠。",
        f"{_KONG} 1 to 5",
    ),
    law(
        "CL-45",
        "A four counts as a kong only if laid down before another's Mah-Jong; else it counts as "
        "{kong_ungrounded_counts}.",
        "他家和牌前亮出的四张才算杠，否则算{kong_ungrounded_counts}。",
        f"{_KONG} 6",
    ),
    law("CL-46", "A wrongly marked kong counts as exposed.", "标记有误的杠算明杠。", f"{_KONG} 7"),
    law(
        "CL-47",
        "Replacements are the loose tiles, the one farthest from the breach first.",
        "补牌先取离缺口最远的一张。",
        f"{_LOOSE} 1, 2",
    ),
    law(
        "CL-48",
        "Mah-Jong goes first, then kong, pung, chow; of equals the nearest in turn. Among "
        "several Mah-Jongs: {mahjong_precedence}.",
        "先后：和、杠、碰、吃；同级按座次。几家同和：{mahjong_precedence}。",
        f"{_LOOSE} 4",
    ),
    law(
        "CL-49",
        "A higher claim holds until discard, exposure and replacement are complete, also after the "
        "next draw.",
        "下家未打完牌、亮完牌、补完牌前，可提出更高的要牌。",
        f"{_LOOSE} 4, 5",
    ),
    law(
        "CL-50",
        "A discard is dead once the next is made.",
        "下一张打出后，前一张即死。",
        f"{_LOOSE} 5",
    ),
    law("CL-51", "No player reclaims an own discard.", "不能要自己打出的牌。", f"{_LOOSE} 7"),
    law(
        "CL-52",
        "A discard out of turn goes back, and the turn to draw or chow is lost.",
        "未轮到即打牌须收回，并失去摸牌或吃牌的机会。",
        f"{_LOOSE} 8",
    ),
    law(
        "CL-53",
        "Wrong tiles grounded may be corrected until the discard; else the hand is foul.",
        "亮错牌组在打牌前可改，否则犯规。",
        f"{_WRONG} 1",
    ),
    law(
        "CL-54",
        "A discard that cannot be used goes back without penalty before discarding.",
        "要来不能用的牌在打牌前可退，不罚。",
        f"{_WRONG} 2",
    ),
    law(
        "CL-55",
        "A tile taken wrongly goes to whom it belongs until the next discard; who has discarded "
        "plays on short.",
        "误拿的牌在下一张打出前归还；已打牌者少张继续。",
        f"{_WRONG} 3",
    ),
    law(
        "CL-56",
        "A discard placed among concealed tiles goes back on demand; the turn is forfeited.",
        "要来的牌放进手牌，经要求须退回，并失去本轮。",
        f"{_WRONG} 4",
    ),
    law(
        "CL-57",
        "Of two tiles discarded the first counts; the second may not be claimed and goes back "
        "until the next discard.",
        "打出两张以第一张为准；第二张不可要，在下一张打出前可收回。",
        f"{_WRONG} 5",
    ),
    law(
        "CL-58",
        "A discard that was let go is {discard_takeback}.",
        "手离开的牌{discard_takeback}。",
        f"{_WRONG} 6",
    ),
    law(
        "CL-59",
        "Dead discards stay; a set made with one may not be corrected after the next discard.",
        "死牌留在桌面；误用死牌在下一张打出后不得改正。",
        f"{_WRONG} 7",
    ),
    law(
        "CL-60",
        "Who discards before drawing may be made to take it back.",
        "未摸先打，可要求收回。",
        f"{_WRONG} 8",
    ),
    law(
        "CL-61",
        "A drawn tile goes back only if the last discard is claimed.",
        "上一张被要走时，摸的牌才放回。",
        f"{_WRONG} 9",
    ),
)
