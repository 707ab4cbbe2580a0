"""The words of the page on which a house chooses its rules."""

from table_assist.languages.words import Words

HOUSE = {
    "house_title": Words("House rules", "约定"),
    "house_how": Words(
        "Choose what your table plays. Under each rule a hand shows what the choice changes.",
        "选择您桌上的打法。每条规则下有一手牌，显示不同选择的差别。",
    ),
    "house_set": Words("Rule set", "规则"),
    "house_name": Words("What the house calls its rules", "约定的名称"),
    "house_default": Words("by the book: {value}", "默认：{value}"),
    "house_changed": Words(
        "{n} of {all} rules differ from the book.", "{all} 条中有 {n} 条不同于默认。"
    ),
    "house_example": Words("Example: {told}", "例：{told}"),
    "house_at": Words("{value}:", "{value}："),
    "house_tools": Words("Print and pass on", "打印与传递"),
    "house_print_en": Words("Print in English", "打印英文表"),
    "house_print_zh": Words("Print in Chinese", "打印中文表"),
    "house_save": Words("Save as a file", "存为文件"),
    "house_open": Words("Open a file", "打开文件"),
    "house_scan": Words("Read a photographed code", "读取拍下的二维码"),
    "house_code": Words(
        "Another table scans or photographs this code.", "另一桌可扫描或拍下此码。"
    ),
    "house_too_long": Words(
        "So many rules do not fit in a code: pass the file on.",
        "约定过多，二维码放不下：请用文件传递。",
    ),
    "house_opened": Words("Opened: {name}.", "已打开：{name}。"),
    "house_use": Words("Use at this table", "用于本桌"),
    "house_will": Words("This will change in the settings:", "设置将有以下改动："),
    "house_write": Words("Write the settings", "写入设置"),
    "house_written": Words(
        "Written. They count when the table is started again.", "已写入，重新启动牌桌后生效。"
    ),
    "house_same": Words("The table plays by these rules already.", "本桌已在使用这些规则。"),
    "gone": Words("The program does not answer. Trying again …", "程序没有响应，正在重试…"),
}
