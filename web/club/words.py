"""The words of the hub's pages."""

from table_assist.languages.words import Words

HALL = {
    "hall_title": Words("The club", "俱乐部"),
    "hall_standing": Words("Standings", "排名"),
    "hall_tables": Words("Tables", "牌桌"),
    "hall_desk": Words("Desk", "工作台"),
    "hall_wall": Words("Television", "大屏"),
    "hall_seats": Words("Seats", "座位"),
    "hall_hall": Words("Hall", "大厅"),
    "hall_none": Words("No table has come yet.", "还没有牌桌。"),
    "hall_table_n": Words("Table {n}", "{n} 号桌"),
    "hall_hand": Words("hand {n}", "第 {n} 局"),
    "hall_quiet": Words("not heard of for {n} s", "{n} 秒未通信"),
    "hall_coming": Words("{n} entries to come", "还有 {n} 条待上传"),
    "hall_behind": Words(
        "{table}: {entries} entries of its log are on their way. What they hold is missing here.",
        "{table}：日志还有 {entries} 条正在上传，尚未计入。",
    ),
    "hall_held": Words(
        "The standings appear here when the director publishes them, after the first hand.",
        "首局结束、管理员公布后，排名显示在这里。",
    ),
    "hall_player": Words("Player", "选手"),
    "hall_points": Words("Points", "分数"),
    "hall_hands": Words("Hands", "局数"),
    "hall_wins": Words("Wins", "胡牌"),
    "hall_lost": Words(
        "The line to the club is lost; it is tried again.", "与俱乐部断开，正在重连。"
    ),
}
DESK = {
    "staff_title": Words("The club's desk", "俱乐部工作台"),
    "staff_let": Words("Let a table in", "接纳牌桌"),
    "staff_asks": Words("Tables that ask to be let in: {n}", "{n} 张牌桌请求加入。"),
    "staff_code": Words("The code on its page", "牌桌页面上的代码"),
    "staff_name": Words("Its name", "名称"),
    "staff_ok": Words("Let in", "接纳"),
    "staff_out": Words("Let go", "移除"),
    "staff_calls": Words("Calls for a referee", "裁判呼叫"),
    "staff_no_calls": Words("Nobody calls.", "无人呼叫。"),
    "staff_waits": Words("{table}: waits {n} s. {reason}", "{table}：已等 {n} 秒。{reason}"),
    "staff_goes": Words("{name} goes", "{name} 前往"),
    "staff_go": Words("I go", "我去"),
    "staff_over": Words("Done", "完成"),
    "staff_alarms": Words("Alarms", "警报"),
    "staff_no_alarms": Words("All logs are as they should be.", "所有日志正常。"),
    "staff_seen": Words("Seen to", "已处理"),
    "walk_before": Words("Before the evening", "开赛之前"),
    "walk_during": Words("While it is played", "比赛之中"),
    "walk_after": Words("Afterwards", "赛后"),
    "walk_tables": Words("Next: let the tables in", "下一步：让牌桌加入"),
    "walk_players": Words("Next: enter the players", "下一步：录入选手"),
    "walk_session": Words("Next: begin a session", "下一步：开始场次"),
    "walk_draw": Words("Next: draw the seats", "下一步：抽签排座"),
    "walk_seat": Words("Next: seat round {n}", "下一步：第 {n} 轮入座"),
    "walk_end": Words("Next: end round {n}, when it is played", "下一步：打完后结束第 {n} 轮"),
    "walk_publish": Words("Next: publish the standings", "下一步：公布排名"),
    "staff_message": Words("Tell all tables", "通知所有牌桌"),
    "staff_words": Words("What to say", "内容"),
    "staff_send": Words("Send", "发送"),
    "staff_players": Words("Players", "选手"),
    "staff_csv": Words(
        "A line a player; the first line is name,number", "每行一名选手；首行写 name,number"
    ),
    "staff_add": Words("Add", "添加"),
    "staff_added": Words("{new} new, {known} known.", "新增 {new}，已有 {known}。"),
    "staff_sessions": Words("Sessions", "场次"),
    "staff_begin": Words("Begin", "开始"),
    "staff_publish": Words("Show to everybody", "公布"),
    "staff_hold": Words("Hold back", "暂不公布"),
    "staff_seats": Words("Seat players", "安排座位"),
    "staff_session": Words("Session", "场次"),
    "staff_round": Words("Round", "轮次"),
    "staff_table": Words("Table", "牌桌"),
    "staff_seat": Words("Seat {n}", "座位 {n}"),
    "staff_seat_them": Words("Seat them", "入座"),
    "staff_ruling": Words("A ruling for a table", "对牌桌的裁定"),
    "staff_against": Words("Against seat", "针对座位"),
    "staff_points": Words("Points of the four seats, together 0", "四家分数，合计为 0"),
    "staff_reason": Words("Reason", "原因"),
    "staff_correct": Words("Correct a standing", "更正排名"),
    "staff_undo": Words("Undo", "撤销"),
    "staff_acts": Words("What was done", "操作记录"),
    "staff_act": Words("{says} ({by}, {at})", "{says}（{by}，{at}）"),
    "staff_undone": Words("taken back by {name}", "由 {name} 撤销"),
    "staff_takes_back": Words("taken back: {says}", "撤销：{says}"),
    "staff_no_acts": Words("Nothing yet.", "暂无。"),
    "staff_done": Words("Done.", "完成。"),
    "staff_adds_up": Words("Does everything add up?", "核对总账"),
    "staff_check": Words("Check", "核对"),
    "staff_holds": Words("holds", "相符"),
    "staff_fails": Words("DOES NOT HOLD", "不符"),
    "staff_refused": Words("Refused so far: {what}", "已拒绝：{what}"),
    "series_first": Words("First day", "首日"),
    "series_last": Words("Last day", "末日"),
    "series_season": Words("Make a season", "建立赛季"),
    "series_tournament": Words("Make a tournament", "建立赛事"),
    "enter_title": Words("Come in", "进入"),
    "enter_why": Words(
        "This link lets you into the club's desk on this device for a day. It opens once.",
        "此链接让本设备在一天内使用俱乐部工作台，仅可使用一次。",
    ),
    "enter_go": Words("Come in", "进入"),
}
CLOCK = {
    "clock_title": Words("Clock", "计时"),
    "clock_minutes": Words("Minutes", "分钟"),
    "clock_start": Words("Start at all tables", "所有牌桌开始计时"),
    "clock_pause": Words("Pause", "暂停"),
    "clock_resume": Words("Go on", "继续"),
    "clock_extra": Words("More time for one table", "为一桌加时"),
    "clock_give": Words("Give", "加时"),
    "clock_stands": Words("{time}, stands", "{time}，暂停中"),
    "clock_over": Words("over since {time}", "已超时 {time}"),
    "clock_more": Words("{table}: {time} ({n} min more)", "{table}：{time}（加时 {n} 分钟）"),
    "clock_none": Words("The clock was not started.", "尚未开始计时。"),
}
ROSTER = {
    "roster_title": Words("Late, absent, stand-ins", "迟到、缺席与替补"),
    "roster_count": Words("{n} can play in round {round}.", "第 {round} 轮有 {n} 人可参赛。"),
    "roster_missing": Words("{n} more would fill the tables.", "还缺 {n} 人才能坐满。"),
    "roster_all": Words(
        "Nobody was entered: all players of the club play.", "未指定参赛者：俱乐部全体选手参赛。"
    ),
    "roster_player": Words("Player", "选手"),
    "roster_first": Words("From round", "从第几轮起"),
    "roster_last": Words("Until round (0: until further notice)", "到第几轮（0：另行通知）"),
    "roster_absent": Words("Not there", "缺席"),
    "roster_here": Words("There (again)", "到场"),
    "roster_by": Words("Who plays instead", "替补选手"),
    "roster_counts": Words("The points count for", "分数计入"),
    "roster_sitter": Words("who sat there", "实际入座者"),
    "roster_replaced": Words("who is replaced", "被替补者"),
    "roster_stand_in": Words("Stands in", "替补"),
    "roster_rule": Words(
        "Points go to the person who sat there, unless you choose otherwise for a stand-in. At a "
        "table that plays already, a stand-in sits from the next hand on.",
        "分数归实际入座者，除非对替补另作选择。已开局的牌桌，替补从下一局起入座。",
    ),
    "roster_is_absent": Words("{name} is not there", "{name} 缺席"),
    "roster_plays_for": Words(
        "{by} plays for {player} {when}; the points count for {whom}",
        "{when} {by} 替补 {player}；分数计入 {whom}",
    ),
    "roster_enter": Words("Enter players", "指定参赛者"),
    "roster_numbers": Words(
        "Their numbers, with spaces; empty: all", "选手编号，以空格分隔；空白：全部"
    ),
}
ROUNDS = {
    "rounds_title": Words("End a round", "结束一轮"),
    "rounds_none": Words("No round is seated.", "还没有入座的轮次。"),
    "rounds_round": Words("Round {n}", "第 {n} 轮"),
    "rounds_ask": Words("Ask every table", "询问所有牌桌"),
    "rounds_finish": Words("Finish the round", "结束本轮"),
    "rounds_agrees": Words("agrees with its log", "与日志一致"),
    "rounds_reason": Words("Reason to finish it all the same", "强制结束的原因"),
    "rounds_finished": Words("Finished by {by}; every table agreed.", "由 {by} 结束；各桌一致。"),
    "rounds_forced": Words(
        "Finished by {by} although {tables} did not agree: {reason}",
        "由 {by} 结束，但 {tables} 不一致：{reason}",
    ),
    "rounds_changed": Words(
        "Points have moved since at {tables}: take the end back, and ask again.",
        "{tables} 的分数此后有变动：请撤销结束并重新询问。",
    ),
}
PROFILE = {
    "profile_title": Words("Rules of the session", "场次规则"),
    "profile_none": Words(
        "No rule profile is named: every table plays by its own.",
        "未指定规则档：各桌使用自己的规则。",
    ),
    "profile_is": Words("All tables play by {name} ({sign}).", "所有牌桌使用 {name}（{sign}）。"),
    "profile_which": Words("Rule profile", "规则档"),
    "profile_file": Words("or a profile's file (TOML)", "或粘贴规则档文件（TOML）"),
    "profile_name": Words("All tables play by it", "所有牌桌使用"),
    "profile_foreign": Words(
        "{table}: {hands} hands were played by another rule profile ({sign}). They are counted.",
        "{table}：{hands} 局使用了其他规则档（{sign}），已计入排名。",
    ),
    "profile_how": Words(
        "A table does not change its rules by an order: its people do, in its settings. Until then "
        "it is shown as not agreed.",
        "牌桌不能由命令更改规则：须由其管理员在设置中更改。在此之前显示为不一致。",
    ),
}
FILES = {
    "file_title": Words("A hand's file", "争议文件"),
    "file_files": Words("Files of hands", "争议文件"),
    "file_why": Words(
        "A table sends a hand's file with all its pictures when the hand is over: nothing of a "
        "hand that is played leaves the table.",
        "牌局结束后，牌桌才发送该局的文件与图像：进行中的牌局不会离开牌桌。",
    ),
    "file_hand_number": Words("Hand", "局"),
    "file_ask": Words("Have it sent", "调取"),
    "file_of": Words("{table}, hand {hand}", "{table}，第 {hand} 局"),
    "file_waits": Words(
        "waits until the hand is over, or the table is back", "等待该局结束或牌桌恢复连接"
    ),
    "file_comes": Words("{n} % has come", "已接收 {n}%"),
    "file_refused": Words("not sent: {why}", "未发送：{why}"),
    "file_pictures": Words("Pictures of hands", "牌局照片"),
    "file_no_pictures": Words("None has come.", "还没有照片。"),
    "file_delete": Words("Delete", "删除"),
    "file_open": Words("Open", "打开"),
    "file_page": Words("The hand as it was recorded", "本局记录"),
    "file_save": Words("Save the file", "保存文件"),
    "file_signed": Words("Signed by {table}'s own key.", "由 {table} 的密钥签名。"),
    "file_unsigned": Words("It is not signed by {table}'s key.", "签名不属于 {table}。"),
    "file_hand": Words("It is of hand {n}, as asked.", "确为所调取的第 {n} 局。"),
    "file_other_hand": Words(
        "It is not of hand {n}, which was asked for.", "并非所调取的第 {n} 局。"
    ),
    "file_same_log": Words("Its log is the one that the club holds.", "其日志与俱乐部所存一致。"),
    "file_other_log": Words(
        "Its log is not the one that the club holds.", "其日志与俱乐部所存不一致。"
    ),
    "file_not_yet": Words(
        "The club does not hold so much of the log yet.", "俱乐部尚未收到日志的这一部分。"
    ),
}
PLAN = {
    "plan_title": Words("Plan of the hall", "大厅平面图"),
    "plan_move": Words("Move tables", "移动牌桌"),
    "plan_end": Words("Done moving", "完成移动"),
    "plan_how": Words(
        "Drag a table to its place, or choose the table and then the place.",
        "拖动牌桌到位，或先点牌桌再点位置。",
    ),
    "plan_cell": Words("row {row}, column {column}", "第 {row} 行第 {column} 列"),
    "plan_playing": Words("playing", "进行中"),
    "plan_between": Words("between hands", "局间"),
    "plan_question": Words("question open", "有待回答"),
    "plan_called": Words("referee called", "呼叫裁判"),
    "plan_offline": Words("offline", "离线"),
    "plan_alarm": Words("alarm", "警报"),
    "plan_open": Words("not agreed", "不一致"),
}
SEATING = {
    "seating_written": Words("A written plan", "手工座位表"),
    "seating_csv": Words(
        "A line a table; the first line is round,east,south,west,north. Players by number or name",
        "每行一桌；首行为轮次、东、南、西、北五列，用英文逗号分隔。选手写编号或姓名",
    ),
    "seating_check": Words("Check it", "检查"),
    "seating_left": Words(
        "Round {n}: {names} are there and do not sit.", "第 {n} 轮：{names} 到场但未入座。"
    ),
    "seating_odd": Words(
        "Round {n}: {names} sit and are not there, or stand in for somebody.",
        "第 {n} 轮：{names} 缺席或在替补，却被安排入座。",
    ),
    "seating_sit_out": Words("who is too many sits out one round", "多余的人轮空一轮"),
    "seating_out": Words("Sit out: {names}.", "轮空：{names}。"),
    "seating_title": Words("Seats", "座位"),
    "seating_round": Words("Round {n}", "第 {n} 轮"),
    "seating_now": Words("Now: round {n}", "当前：第 {n} 轮"),
    "seating_next": Words("Next: round {n}", "下一轮：第 {n} 轮"),
    "seating_winds": Words("East South West North", "东 南 西 北"),
    "seating_none": Words("No round is planned yet.", "还没有排座。"),
    "seating_draw": Words("Draw seats for all who are there", "为到场选手排座"),
    "seating_kind": Words("How", "方式"),
    "seating_balanced": Words("balanced", "均衡"),
    "seating_random": Words("by lot", "抽签"),
    "seating_swiss": Words("Swiss: by the standings", "瑞士制：名次相邻"),
    "seating_interval": Words("interval: the best apart", "间隔制：高名次分开"),
    "seating_rounds": Words("Rounds", "轮数"),
    "seating_propose": Words("Propose", "生成方案"),
    "seating_accept": Words("Accept", "采用"),
    "seating_told": Words(
        "{again} meetings again (at least {least_again}), one pair {most} times; winds uneven by "
        "{winds}; {places} times at the same table.",
        "重复同桌 {again} 次（至少 {least_again}），同一对最多 {most} 次；风位不均 {winds}；"
        "回到同一桌 {places} 次。",
    ),
    "seating_begin": Words("Seat round {n}", "第 {n} 轮入座"),
    "seating_seated": Words("round {n}: the tables are told", "第 {n} 轮：已通知牌桌"),
}
# Why a batch was refused, as the hub counts it.
REFUSED = {
    "stranger": Words("strangers", "陌生牌桌"),
    "repetition": Words("repetitions", "重复"),
    "gap": Words("gaps", "缺口"),
    "conflict": Words("conflicts", "冲突"),
    "old log": Words("old logs", "旧日志"),
    "unsigned": Words("wrong signatures", "签名错误"),
    "malformed": Words("malformed", "格式错误"),
}
# The subject of an alarm; its numbers stand behind it.
ALARMS = {
    "conflict": Words(
        "another entry came under a stored number: was its program copied?",
        "同一编号出现不同记录：程序是否被复制过？",
    ),
    "restored": Words("its log was restored, and has gone up anew", "日志已从备份恢复并重新上传"),
    "another log": Words(
        "another log of it holds this club's orders, and none of its hands counts: seat the table "
        "again if this log is to count from now on",
        "另一份日志含有本俱乐部的指令，其牌局均不计：若要从现在起按此日志计，请重新排座",
    ),
    "late": Words(
        "entries came to a finished round and change nothing: undo its end if they are to count",
        "已结束的轮次又有新记录，不改变成绩：若要计入，请撤销结束",
    ),
    "in again": Words(
        "it was let in after the backup of this database, as the hub's own signature says, and is "
        "in again: let it go if it has left the club",
        "它在此数据库备份之后被接纳（有本中心签名为证），现已重新接纳：若已离开俱乐部，请移除",
    ),
    "set back": Words(
        "the hub holds less of its log than it had acknowledged: the database was set back. The "
        "table sends the rest again",
        "俱乐部所存日志少于已确认的数量：数据库被还原过。牌桌会重新上传",
    ),
    "unknown order": Words(
        "its log holds an order of this hub that the hub did not know: the database was set back. "
        "Sessions, players, seats and rulings are entered again from such orders, corrections are "
        "not: look at the list",
        "日志中有本中心签发但已丢失的指令：数据库被还原过。场次、选手、座位与裁定已据此补回，"
        "分数更正未补回：请核对操作列表",
    ),
    "profile": Words(
        "it plays by another rule profile than the session: change its house rules, then name the "
        "profile again",
        "规则档与场次不同：请修改牌桌的规则设置，然后重新指定规则档",
    ),
    "other picture": Words(
        "the picture that it sent of a hand is not the one that its log vouches for",
        "上传的牌局照片与其日志所证不符",
    ),
    "picture": Words("the picture that it sent of a hand cannot be read", "上传的牌局照片无法读取"),
    "two logs": Words(
        "an older log goes on beside the newer one: does its program run twice?",
        "旧日志仍在继续：程序是否运行了两份？",
    ),
}
# Standings of a session, a tournament, a season; ratings.
STANDINGS = {
    "standings_session": Words("Session", "场次"),
    "standings_series": Words("Tournaments and seasons", "赛事与赛季"),
    "standings_sessions": Words("Sessions", "场次"),
    "standings_best": Words("Best hand", "最大一局"),
    "standings_corrected": Words("of which corrected", "其中更正"),
    "standings_zero": Words("All points together: 0.", "全部分数合计：0。"),
    "standings_uneven": Words(
        "All points together: {n}. Corrections by the directors do not balance.",
        "全部分数合计：{n}。管理员的更正尚未平衡。",
    ),
    "standings_ratings": Words("Ratings", "等级分"),
    "standings_rating": Words("Rating", "等级分"),
    "standings_rounds": Words("Rounds", "轮数"),
    "standings_why": Words(
        "Reckoned by openskill from all published sessions: a round at a table is a game of four. "
        "Shown is the guess less three times its doubt, so who has played little stands low.",
        "用 openskill 按已公布的场次计算：一桌一轮为一局四人赛。显示值为估计减去三倍不确定度，"
        "因此打得少的人靠后。",
    ),
    "standings_none_rated": Words("Nobody is rated yet.", "还没有等级分。"),
}
PLAYER = {
    "player_title": Words("Player", "选手"),
    "player_sessions": Words("Sessions", "场次"),
    "player_place": Words("{place} of {of}", "{of} 人中第 {place}"),
    "player_rounds": Words("Rounds", "各轮"),
    "player_round": Words("Round", "轮"),
    "player_table": Words("Table", "牌桌"),
    "player_best": Words("Best hands", "最大的牌"),
    "player_no_wins": Words("No hand won yet.", "还没有胡牌。"),
    "player_picture": Words(
        "The hand as the camera saw it: {name}, {table}, hand {n}",
        "摄像头拍下的这手牌：{name}，{table}，第 {n} 局",
    ),
    "player_pictures": Words(
        "Pictures show the hand alone, where the table's owner allows it. The table vouched for "
        "each in its log when the hand was shown.",
        "照片只拍这手牌，并须经牌桌主人允许。亮牌时，牌桌已在日志中为每张照片作证。",
    ),
    "player_won": Words("Hands won", "胡牌记录"),
    "player_hand": Words("{table}, hand {n}", "{table}，第 {n} 局"),
    "player_drawn": Words("own draw", "自摸"),
    "player_given": Words("given by {name}", "{name} 点炮"),
    "player_robbed": Words("not told how", "方式未记录"),
    "player_paid": Words("Paid by", "付分"),
    "player_how": Words("How", "方式"),
    "player_luck": Words("Luck", "运气"),
    "player_luck_wins": Words("Won", "胡牌"),
    "player_luck_drawn": Words("Won by own draw", "自摸"),
    "player_luck_given": Words("Others won on this player's tile", "点炮"),
    "player_luck_row": Words("{count} of {of}", "{of} 中 {count}"),
    "player_luck_chance": Words("chance: {chance} ± {spread}", "机会均等：{chance} ± {spread}"),
    "player_luck_why": Words(
        "Wins: of all wins at this player's tables a quarter. Own draw: of the player's wins, as "
        "many as all winners at these tables drew themselves. Tiles given: of hands that others "
        "won on somebody's tile, a third, as one of three gave it. Behind ± stands one standard "
        "deviation: two out of three who play alike lie within.",
        "胡牌：同桌全部胡牌的四分之一。自摸：本人胡牌中，按同桌所有胡牌者的自摸比例。点炮：他人点和的局中"
        "三分之一，因为三家之一放出。± 后为一个标准差：水平相同者约三分之二在此范围内。",
    ),
    "player_course": Words("Its course, round by round", "逐轮变化"),
}
WALL = {
    "wall_stale": Words("stale: no news from the club", "已断开：显示可能过时"),
    "wall_quiet": Words("not heard of", "未通信"),
    "wall_great": Words("Great hand", "大牌"),
    "wall_nobody": Words("Nobody won", "流局"),
    "wall_ended": Words("Just played", "刚结束"),
    "wall_made_of": Words("What it is made of", "由什么组成"),
    "wall_moved": Words("Who pays whom", "谁付给谁"),
    "wall_standing": Words("At the table now", "现在的比分"),
}
SEALS = {
    "seals_title": Words("Seals", "封印"),
    "seals_none": Words(
        "Open this page from the club page of your phone at the table: it brings the seals that "
        "the phone has kept.",
        "请从手机上牌桌的“俱乐部”页面打开：手机会带来其保存的封印。",
    ),
    "seals_why": Words(
        "A seal is reckoned from every entry of the table's record up to the end of that hand. "
        "Where it agrees, the club holds the same record that the phone saw then. Only seals, "
        "entry numbers and the table's public key are sent.",
        "封印由截至该局结束的全部记录算出。相符即表示俱乐部保存的记录与手机当时所见相同。"
        "仅发送封印、记录编号和牌桌公钥。",
    ),
    "seals_good": Words("{n} of {all} seals agree.", "{all} 个封印中 {n} 个相符。"),
    "seals_bad": Words("{n} of {all} seals DO NOT AGREE.", "{all} 个封印中 {n} 个不符。"),
    "seals_asking": Words("asking …", "查询中…"),
    "seals_agrees": Words("agrees", "相符"),
    "seals_old": Words("agrees with an older log that counts no more", "与已不计的旧日志相符"),
    "seals_differs": Words("DOES NOT AGREE", "不符"),
    "seals_unknown": Words("not here (yet)", "尚未收到"),
    "seals_failed": Words("cannot be asked now", "暂时无法查询"),
}
