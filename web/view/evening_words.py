"""The words of the page of an evening."""

from table_assist.languages.words import Words

EVENING = {
    "evening_title": Words("The evening", "这一晚"),
    "evening_back": Words("Table", "牌桌"),
    "evening_none": Words("No hand is over yet.", "还没有打完一局。"),
    "evening_standing": Words("The standing", "名次"),
    "evening_told": Words("What there is to tell", "值得一说"),
    "evening_even": Words("To be even", "怎么结清"),
    "evening_stake": Words("One point is worth", "每分合"),
    "evening_currency": Words("Currency", "货币"),
    "evening_gives": Words("{from} gives {to}", "{from} 给 {to}"),
    "evening_share": Words("Send the picture", "发送图片"),
    "evening_save": Words("Keep the picture", "保存图片"),
}
