"""Sentences of the board's line, its program and its tools, in every language.

They say it in English, for they know nothing of this program; here each sentence is known by its
form. Tests make every one of them and fail for one that is not here.
"""

import re

from table_assist.languages.words import Words

# A seat's keys, by the board's names for them.
KEYS = {
    "win": Words("win", "和"),
    "ready": Words("ready", "听"),
    "pass": Words("pass", "过"),
    "kong": Words("kong", "杠"),
}
# A form that holds another sentence comes first.
_FORMS = (
    # the line
    Words("The link to {port} is not started.", "与 {port} 的连接尚未开始。"),
    Words("The link to {port} is stopped.", "与 {port} 的连接已停止。"),
    Words("The link to {port} met a fault of this program; see its log.", "与 {port} 的连接中程序出错，详见程序日志。"),  # noqa: E501
    Words("Connecting to {port}.", "正在连接 {port}。"),
    Words("Connected to {board} on {port}.", "已连接 {port} 上的 {board}。"),
    Words("The board on {port} was unplugged.", "{port} 上的控制板已被拔下。"),
    Words("The line to the board on {port} broke: {why}.", "与 {port} 上控制板的连线中断：{why}。"),
    Words("The board on {port} has been silent for {n} s.", "{port} 上的控制板已 {n} 秒没有回应。"),
    Words("What is on {port} sends lines, but does not say that it is a board.", "{port} 上的设备在发送数据，但没有说明自己是控制板。"),  # noqa: E501
    Words("What is on {port} sends bytes that cannot be read: is it the board, and is its speed {speed}?", "{port} 上的设备发来无法读取的数据：它是控制板吗？速率是 {speed} 吗？"),  # noqa: E501
    Words("Nothing answers on {port}: is it the board's port?", "{port} 没有回应：它是控制板的端口吗？"),  # noqa: E501
    Words("The board on {port} sends signals without waiting for acknowledgements: it is broken, or was not made for this program; unplug it.", "{port} 上的控制板不等确认就不断发送信号：它已损坏，或不是本程序的控制板；请拔下它。"),  # noqa: E501
    Words("The board on {port} restarts without end: check its supply and its cable.", "{port} 上的控制板不断重启：请检查电源和线缆。"),  # noqa: E501
    Words("The board on {port} ({board}) speaks protocol {protocol}, this program speaks {ours}: update the older of the two.", "{port} 上的控制板（{board}）使用协议 {protocol}，本程序使用 {ours}：请更新较旧的一方。"),  # noqa: E501
    # its port
    Words("Port {port} is not there: is the board plugged in?", "没有端口 {port}：控制板接好了吗？"),  # noqa: E501
    Words("Port {port} may not be opened by this user: add the user to the group that owns it (often dialout) and log in again.", "当前用户无权打开端口 {port}：请把用户加入其所属的组（常为 dialout），然后重新登录。"),  # noqa: E501
    Words("Port {port} is in use by another program.", "端口 {port} 正被另一个程序使用。"),
    Words("Port {port} cannot be opened: {why}.", "端口 {port} 无法打开：{why}。"),
    Words("'{name}' is no USB port: write usb:VENDOR:PRODUCT, as in usb:2341:0043.", "“{name}”不是 USB 端口：请写成 usb:VENDOR:PRODUCT，如 usb:2341:0043。"),  # noqa: E501
    Words("No port is {name}: is the board plugged in?", "没有 {name} 这样的端口：控制板接好了吗？"),  # noqa: E501
    Words("Several ports are {name}: {ports}; name one by path or serial.", "符合 {name} 的端口有多个：{ports}；请用路径或序列号指明一个。"),  # noqa: E501
    # putting the firmware on it, and trying its keys
    Words("the board said instead: {said}; compare the wiring (docs/BOARD.md)", "控制板报告的却是：{said}；请核对接线（docs/BOARD.md）"),  # noqa: E501
    Words("not heard: {asked}", "没有收到：{asked}"),
    Words("The firmware is {path}, sha256 {digest}.", "固件：{path}，sha256 {digest}。"),
    Words("avrdude writes the program to the board and is not here: install it with: {how}.", "写入固件需要 avrdude，本机没有；安装方法：{how}"),  # noqa: E501
    Words("The firmware {path} cannot be read: {why}.", "固件 {path} 无法读取：{why}。"),
    Words("The firmware {path} is not ours: its sha256 begins with {its}, ours with {ours}. Install table-assist again.", "固件 {path} 不是本程序的：其 sha256 以 {its} 开头，应为 {ours}。请重新安装 table-assist。"),  # noqa: E501
    Words("No board is on USB: plug it in, or name its port with --port.", "USB 上没有控制板：请插上，或用 --port 指明端口。"),  # noqa: E501
    Words("Several boards could be meant: {ports}; name one with --port.", "有多块可能的控制板：{ports}；请用 --port 指明一块。"),  # noqa: E501
    Words("The board is at {port}.", "控制板在 {port}。"),
    Words("Writing at {baud} baud ...", "正在以 {baud} 波特写入…"),
    Words("Written, and read back the same. Waiting for its greeting ...", "已写入并校验一致。正在等待控制板问候…"),  # noqa: E501
    Words("It greets: {board}, it can tell {what}.", "控制板已问候：{board}，能报告 {what}。"),
    Words("Put the 10 µF capacitor between RESET and GND, then try the keys:", "请在 RESET 与 GND 之间接上 10 µF 电容，然后测试按键："),  # noqa: E501
    Words("The board at {port} does not answer its bootloader. Take the 10 µF capacitor at RESET out, close other programs that use the port, and try again.", "{port} 上的控制板没有进入引导程序。请取下 RESET 处的 10 µF 电容，关闭占用该端口的程序，再试一次。"),  # noqa: E501
    Words("avrdude failed: {why}", "avrdude 失败：{why}"),
    Words("avrdude did not end within {n} s.", "avrdude 在 {n} 秒内没有结束。"),
    Words("{program} cannot be run: {why}.", "{program} 无法运行：{why}。"),
    Words("The board at {port} is written but did not greet within {n} s: press its reset key, then run: table-assist firmware test", "{port} 上的控制板已写入，但 {n} 秒内没有问候：请按其复位键，再运行 table-assist firmware test"),  # noqa: E501
    Words("Press the dice key of side {side}.", "请按第 {side} 边的骰子键。"),
    Words("Press {key} at seat {seat}.", "请按 {seat} 号座位的 {key} 键。"),
    Words("Let the table push up a wall.", "请让麻将桌升起一副牌墙。"),
    Words("Open the dome.", "请打开骰盅罩。"),
    Words("Close it.", "请合上骰盅罩。"),
    Words("heard", "收到"),
    Words("nothing came", "没有收到"),
    Words("the dice key of side {side}", "第 {side} 边的骰子键"),
    Words("{key} at seat {seat}", "{seat} 号座位的 {key} 键"),
    Words("the dome is open", "骰盅罩已打开"),
    Words("the dome is closed", "骰盅罩已合上"),
    Words("the wall is ready", "牌墙已升起"),
    Words("{heard} of {all} heard.", "{all} 项中收到 {heard} 项。"),
    Words("Look at the wires of those (docs/BOARD.md), or leave out with --parts what you lack.", "请检查这些接线（docs/BOARD.md）；没有的部分可用 --parts 略去。"),  # noqa: E501
)  # fmt: skip
_OTHER_SENTENCE = Words("{said}", "控制板：{said}")
# Names that stand for one word, so that a form does not take in another sentence.
_ONE_WORD = {"board", "n", "speed", "protocol", "key", "seat"}
_SLOT = re.compile(r"\\\{(\w+)\\\}")


def _pattern(form: Words) -> re.Pattern[str]:
    def value(slot: re.Match[str]) -> str:
        what = r"\S" if slot[1] in _ONE_WORD else "."
        return f"(?P<{slot[1]}>{what}+?)"

    return re.compile(_SLOT.sub(value, re.escape(form.en)))


_KNOWN = tuple((_pattern(form), form) for form in _FORMS)


def board_words(sentence: str) -> Words:
    """The sentence in every language; one that is not known is quoted.

    >>> board_words("Connecting to /dev/ttyUSB0.").zh
    '正在连接 /dev/ttyUSB0。'
    """
    form, said = _form_of(sentence)
    if form is None:
        return _OTHER_SENTENCE.filled(said=sentence)
    return form.filled(**{name: _part(text) for name, text in said.items()})


def _part(text: str) -> object:
    """A sentence within a sentence, and no deeper; a text that is none stays as it is."""
    form, said = _form_of(text)
    return text if form is None else form.filled(**said)


def _form_of(sentence: str) -> tuple[Words | None, dict[str, str]]:
    for pattern, form in _KNOWN:
        found = pattern.fullmatch(sentence)
        if found is not None:
            return form, found.groupdict()
    return None, {}


def is_known(sentence: str) -> bool:
    """Whether the sentence is in the catalogue."""
    return _form_of(sentence)[0] is not None
