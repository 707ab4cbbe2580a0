"""The words of the page of a phone that watches the table, in English and Chinese."""

from table_assist.languages.words import Words

CAMERA = {
    "camera_title": Words("The table's camera", "牌桌摄像头"),
    "camera_begin": Words("Begin", "开始"),
    "camera_begin_how": Words(
        "Put the phone where it sees the whole table: on a shelf, or hanging from a lamp. Plug it "
        "in. Then begin.",
        "把手机放在能看到整张牌桌的地方：架子上或挂在灯下，接上电源，然后开始。",
    ),
    "camera_stranger": Words(
        "This phone is not let in as a camera yet.", "这部手机还没有被允许作为摄像头。"
    ),
    "camera_stranger_how": Words(
        "At the table's own machine open Phones (or Set the table up, Camera), choose “A camera”, "
        "and scan the code that it shows.",
        "在牌桌的电脑上打开“手机”（或“设置牌桌”的“摄像头”一步），选择“摄像头”，再用本机扫码。",
    ),
    "camera_other": Words(
        "This table is watched by another camera. To use phones, set its camera to “A phone”.",
        "本桌使用其他摄像头。要用手机，请把摄像头设为“手机”。",
    ),
    "camera_insecure": Words(
        "Browsers give their camera only to pages that come encrypted. Start the table with --tls, "
        "and let this phone trust it once:",
        "浏览器只向加密页面开放摄像头。请用 --tls 启动牌桌，并让本机信任它一次：",
    ),
    "camera_trust": Words("How to trust it", "如何信任"),
    "camera_denied": Words(
        "The browser does not give its camera: allow it for this page, then try again.",
        "浏览器没有开放摄像头：请允许本页使用，然后重试。",
    ),
    "camera_noise": Words(
        "This browser gives noise instead of pictures: allow canvas data for this page.",
        "浏览器给出的是噪点而非画面：请允许本页读取画布（canvas）数据。",
    ),
    "camera_none": Words("No camera was found here.", "本机没有找到摄像头。"),
    "camera_again": Words("Try again", "重试"),
    "camera_starting": Words("The camera is starting …", "正在启动摄像头…"),
    "camera_sending": Words("Watching: {n} pictures a second.", "正在拍摄：每秒 {n} 张。"),
    "camera_waiting": Words(
        "Ready. The table does not ask for pictures now.", "已就绪。牌桌暂时不需要画面。"
    ),
    "camera_away": Words(
        "The table's machine does not answer. Trying again by itself …",
        "牌桌的电脑没有回应，正在自动重试…",
    ),
    "camera_frozen": Words(
        "The phone has stopped its camera (a call?). It goes on by itself.",
        "手机停止了摄像头（来电？），会自动继续。",
    ),
    "camera_full": Words("Not needed: {why}", "暂不需要：{why}"),
    "camera_figures": Words(
        "{sent} sent, {lost} lost, {width} × {height}",
        "已送 {sent}，丢失 {lost}，{width}×{height}",
    ),
    "camera_battery": Words("battery {n} %", "电量 {n}%"),
    "camera_charging": Words("battery {n} %, charging", "电量 {n}%，充电中"),
    "camera_hot": Words("The phone is overloaded or hot.", "手机负荷过高或过热。"),
    "camera_plug": Words("Plug the phone in.", "请接上电源。"),
    "camera_slow": Words(
        "The phone has become {n} times slower: it may be hot.",
        "手机已慢到开始时的 {n} 倍：可能过热。",
    ),
    "camera_unlocked": Words(
        "This browser lets the screen go dark by itself, which ends the pictures: switch that off "
        "in the phone's settings.",
        "本浏览器不能阻止自动熄屏，熄屏后画面会中断：请在手机设置中关闭自动熄屏。",
    ),
    "camera_lens": Words("Lens", "镜头"),
    "camera_lens_n": Words("Lens {n}", "镜头 {n}"),
    "camera_size": Words("Resolution", "分辨率"),
    "camera_torch": Words("Lamp", "补光灯"),
    "camera_dark": Words("Dark screen", "黑屏"),
    "camera_dark_tap": Words("Watching. Tap to wake.", "正在拍摄。点按唤醒。"),
    "camera_unplaced": Words(
        "The table does not know yet where it is in this picture.",
        "还不知道牌桌在画面中的位置。",
    ),
    "camera_aim": Words("Show where the table is", "标定牌桌位置"),
    "camera_aim_again": Words("Show it anew", "重新标定"),
    "camera_aiming": Words(
        "Fit the whole table into the frame, the first player's side below.",
        "让整张牌桌落在框内，第一位玩家在下方。",
    ),
    "camera_now": Words("Now! Sharp and still.", "就现在！清晰且稳定。"),
    "camera_keep": Words("Keep it", "确定"),
    "camera_turn": Words("Next side", "换一边"),
    "camera_cancel": Words("Cancel", "取消"),
    "camera_kept": Words("Kept: the table is read by it now.", "已保存：牌桌开始按此识别。"),
    "camera_corner": Words("Corner {n}", "角 {n}"),
    "camera_first_side": Words("Seat 1", "座位 1"),
    "camera_tiles": Words("Take pictures of your tiles", "拍摄自己的牌"),
    "camera_tiles_how": Words(
        "Lay all tiles face up in rows and fill the frame with them. Three pictures will do.",
        "把所有牌面朝上成排摆好，占满画面。三张照片即可。",
    ),
    "camera_take": Words("Take it", "拍摄"),
    "camera_taken": Words(
        "{n} taken. Go on at the table's machine when there are enough.",
        "已拍 {n} 张。够了就到牌桌的电脑上继续。",
    ),
}
