"""The words of the assistant that sets a table up, in English and Chinese."""

from table_assist.languages.words import Words

# Of every page that needs no table.
FRAME = {
    "language": Words("Language", "语言"),
    "locale": Words("en-GB", "zh-CN"),
    "go_dark": Words("Dark colours", "深色"),
    "go_light": Words("Light colours", "浅色"),
    "skip": Words("Skip to the content", "跳到正文"),
    "script": Words("This page needs JavaScript.", "本页面需要 JavaScript。"),
    "gone": Words("The program does not answer. Trying again …", "程序没有响应，正在重试…"),
    "line": Words("{file}, line {line}, {key}", "{file}，第 {line} 行，{key}"),
    "line_only": Words("{file}, line {line}", "{file}，第 {line} 行"),
    "key_only": Words("{file}, {key}", "{file}，{key}"),
    "close": Words("Close", "关闭"),
}
PAGE = FRAME | {
    "title": Words("Set the table up", "设置牌桌"),
    "to_admin": Words("Health and backups", "健康与备份"),
    "step_language": Words("Language", "语言"),
    "step_seats": Words("Seats", "座位"),
    "step_rules": Words("Rules", "规则"),
    "step_camera": Words("Camera", "摄像头"),
    "step_corners": Words("Calibration", "标定"),
    "step_tiles": Words("Tiles", "牌"),
    "step_board": Words("Board", "电路板"),
    "step_review": Words("Save", "保存"),
    "step_file": Words("Editor", "编辑文件"),
    "running": Words("The table is being followed", "牌桌正在运行"),
    "running_says": Words(
        "To set it up, camera and board are needed here: the table pauses meanwhile. What was "
        "recorded stays, and play goes on afterwards.",
        "设置时需要占用摄像头和电路板，牌桌会暂停。已有的记录都会保留，之后可继续。",
    ),
    "pause": Words("Pause the table and set it up", "暂停牌桌并设置"),
    "welcome": Words(
        "Welcome. A few questions, and the table is ready: who sits where, which rules, where the "
        "camera hangs.",
        "欢迎。回答几个问题就能开始：谁坐哪里、用哪种规则、摄像头在哪里。",
    ),
    "language_says": Words("Which language should this page use?", "本页使用哪种语言？"),
    "first_says": Words(
        "You can skip everything and change it later. Nothing is written before you have seen what "
        "changes.",
        "每一步都可以跳过，以后再改。写入之前会先让您看到改动。",
    ),
    "by_phones": Words("Score with phones: no camera, no board", "只用手机计分（无须设备）"),
    "by_phones_says": Words(
        "Only names and rules are needed. Phones in this network may then ask to join, you let "
        "each of them in, and who wins photographs the hand.",
        "只需姓名和规则。之后同一网络中的手机可请求加入，由您逐一允许；和牌者拍下手牌即可。",
    ),
    "seats_say": Words(
        "Who sits where? Counter-clockwise; the first sits at the near side of the picture.",
        "谁坐在哪里？按逆时针；第一位坐在画面近端。",
    ),
    "seat": Words("Seat {n}", "座位 {n}"),
    "rule_set": Words("Rule set", "规则"),
    "options": Words("House rules", "约定"),
    "more_options": Words("All other house rules", "其他约定"),
    "sheet": Words("Rule sheet", "规则表"),
    "to_house": Words("Each rule with an example; print, keep, scan", "逐条举例；打印、保存、扫码"),
    "profile_says": Words(
        "The settings name a house profile, {file}. What you choose here replaces it.",
        "设置中指定了约定文件 {file}：在此选择将取代它。",
    ),
    "default": Words("by the book: {value}", "默认：{value}"),
    "camera_says": Words(
        "A camera above the table. Without one, you keep score by tapping.",
        "桌面上方的摄像头。没有也可以，用点按记分。",
    ),
    "camera_n": Words("Camera {n}", "摄像头 {n}"),
    "camera_phone": Words("A phone", "手机"),
    "phone_says": Words(
        "Scan this with the phone that is to watch the table, and let it in here. It shows you "
        "where the table is on its own screen.",
        "用要拍摄牌桌的手机扫码，并在此允许它。之后在该手机屏幕上标定牌桌。",
    ),
    "phone_unreachable": Words(
        "Phones cannot reach this address: start again with --host 0.0.0.0 --tls.",
        "手机打不开此地址：请加上 --host 0.0.0.0 --tls 重新启动。",
    ),
    "phone_again": Words("Another code", "换一个码"),
    "phone_joins": Words(
        "{name} wants to be the camera. Does that phone show this number?",
        "{name} 请求作摄像头，号码对吗？",
    ),
    "phone_yes": Words("Let in", "允许"),
    "phone_no": Words("No", "拒绝"),
    "no_camera": Words("No camera", "不用摄像头"),
    "found_none": Words("No camera was found on this machine.", "本机没有找到摄像头。"),
    "source": Words("Or an address, a video or a folder", "或地址、视频、文件夹"),
    "try": Words("Show its picture", "看画面"),
    "advise": Words("Is it good enough?", "画面够好吗？"),
    "no_picture": Words("The picture appears here.", "画面显示在这里。"),
    "seen": Words(
        "{tiles} tiles and dice are seen, {unsure} of them unsure.",
        "看到 {tiles} 张牌和骰子，其中 {unsure} 个不确定。",
    ),
    "fine": Words("Nothing needs to be better.", "没有需要改进的。"),
    "looking": Words("Looking …", "正在看…"),
    "size": Words("{width} × {height} pixels", "{width} × {height} 像素"),
    "corners_say": Words(
        "Show once where the table is in the picture. Mostly the program finds it by itself.",
        "指出牌桌在画面中的位置；多数情况下会自动找到。",
    ),
    "calibrate": Words("Find the table", "查找牌桌"),
    "open_page": Words("Open its page", "打开页面"),
    "calibrated": Words("The table's corners are known.", "已知道牌桌四角。"),
    "not_calibrated": Words("The table's corners are not known yet.", "还不知道牌桌四角。"),
    "needs_camera": Words("Show the camera's picture first.", "请先看摄像头画面。"),
    "tiles_say": Words(
        "The program knows the tiles of most sets. It reads your own set more surely once you have "
        "enrolled it.",
        "常见的牌都认识。录入您自己的牌后会认得更准。",
    ),
    "set": Words("Tile set", "牌组"),
    "no_set": Words("No set of its own", "不指定"),
    "learns": Words("Our evenings may teach it", "可以从我们的牌局中学习"),
    "learns_says": Words(
        "Then, when you ask for it, the program cuts small pictures of single tiles out of what it "
        "keeps of an evening: only tiles of settled hands, and those of which somebody said what "
        "they are. At most twelve of each face stay with the set, on this machine, until you "
        "delete them.",
        "同意后，在您要求时，程序会从保存的牌局画面中截取单张牌的小图：仅限已结算的手牌，以及经人说明的牌。"
        "每种牌面最多保留十二张，只存在本机的牌组里，可随时删除。",
    ),
    "from_evenings": Words("Learn from our evenings", "从牌局中学习"),
    "enrol": Words("Enrol your own set", "录入自己的牌"),
    "enrol_says": Words(
        "Lay all tiles face up in rows and photograph them, with the camera above the table or a "
        "phone. Three pictures are best; mix the tiles in between. Then check what was read.",
        "把所有牌面朝上排成行，用桌上的摄像头或手机拍照；中间打乱，拍三张最好。然后查看识别结果。",
    ),
    "snap": Words("Take a picture", "拍照"),
    "from_file": Words("Photographs from this device", "从本设备选照片"),
    "snapped": Words("{n} pictures", "{n} 张"),
    "forget": Words("Begin again", "重来"),
    "set_name": Words("What is the set called?", "牌组的名称"),
    "read": Words("Read the tiles", "识别"),
    "board_says": Words(
        "The board with keys and sensors. Without one, you tap everything.",
        "带按键和传感器的电路板。没有也可以，用点按代替。",
    ),
    "wiring_says": Words(
        "Pull the mains plug of the table first. Parts, warnings and what goes where are in "
        "docs/BOARD.md; when it is wired, table-assist firmware flash writes the program to it, "
        "and table-assist firmware test asks for each key.",
        "先拔下麻将桌的电源插头。部件、警告和接法见 docs/BOARD.md；接好后用 "
        "table-assist firmware flash 写入固件，用 table-assist firmware test 逐个测试按键。",
    ),
    "port": Words("Port", "端口"),
    "port_example": Words("chosen above, or the port's name", "在上面选择，或填写端口名"),
    "no_board": Words("No board", "不用电路板"),
    "listen": Words("Try it", "试一试"),
    "unlisten": Words("Stop", "停止"),
    "waiting": Words("Waiting for the board to answer …", "等待电路板回应…"),
    "press": Words("Now: {what}", "现在：{what}"),
    "press_seat": Words("press any key on seat {n}'s pad", "请按座位 {n} 按键盘上的任意键"),
    "press_other": Words("press or move: {what}", "请按下或拨动：{what}"),
    "all_seen": Words("Every sensor has been seen to change.", "所有传感器都有反应。"),
    "sensor_seat": Words("seat {n} {key}", "座位 {n} {key}"),
    "sensor_dice": Words("dice key {n}", "骰子键 {n}"),
    "sensor_liftkey": Words("lift key {n}", "升降键 {n}"),
    "sensor_lift": Words("lift {n}", "升降台 {n}"),
    "sensor_tray": Words("tray {n}", "牌盘 {n}"),
    "sensor_wall": Words("wall ready", "牌墙就绪"),
    "sensor_dome": Words("dice dome", "骰子罩"),
    "nothing_changes": Words("Nothing changes. You can start the table.", "没有改动，可以开始。"),
    "as_it_is": Words("Everything stays as the program has it.", "一切保持默认。"),
    "will_change": Words("This will change in {file}:", "{file} 将有以下改动："),
    "saved": Words("Saved. The earlier version is kept.", "已保存，上一个版本也保留着。"),
    "save": Words("Write the settings", "写入设置"),
    "start": Words("Start the table", "开始"),
    "to_trial": Words("Try it for ten minutes first", "先试十分钟"),
    "starting": Words("The table is starting …", "正在启动…"),
    "file_says": Words("{file}", "{file}"),
    "check": Words("Check", "检查"),
    "checked": Words("These settings can be used.", "可以使用。"),
    "write": Words("Save", "保存"),
    "try_again": Words("Start the table", "开始"),
    "previous": Words("Earlier versions", "以前的版本"),
    "no_previous": Words("None yet.", "还没有。"),
    "take_back": Words("Look at it", "查看"),
    "back": Words("Back", "上一步"),
    "next": Words("Next", "下一步"),
    "first_name": Words("Every seat needs a name.", "每个座位都要有名字。"),
}
