"""The sentences of the link, and of putting the firmware on a board, in Chinese.

They are made in English where they arise; here each is known by its form, as in a catalogue of
messages. A test makes every one of them and fails for one that is not here.
"""

import re

from firmware_bridge.chinese_flash import FORMS

_FORMS = (
    (r"The link to (.+) is not started\.", r"与 {} 的连接尚未开始。"),
    (r"The link to (.+) is stopped\.", r"与 {} 的连接已停止。"),
    (r"The link to (.+) met a fault of this program; see its log\.", r"与 {} 的连接中程序出错，详见程序日志。"),  # noqa: E501
    (r"Connecting to (.+)\.", r"正在连接 {}。"),
    (r"Connected to (\S+) on (.+)\.", r"已连接 {1} 上的 {0}。"),
    (r"The board on (.+) was unplugged\.", r"{} 上的控制板已被拔下。"),
    (r"The line to the board on (.+?) broke: (.+)\.", r"与 {} 上控制板的连线中断：{}。"),
    (r"The board on (.+) has been silent for (\S+) s\.", r"{} 上的控制板已 {} 秒没有回应。"),
    (r"What is on (.+) sends lines, but does not say that it is a board\.", r"{} 上的设备在发送数据，但没有说明自己是控制板。"),  # noqa: E501
    (r"What is on (.+) sends bytes that cannot be read: is it the board, and is its speed (\d+)\?", r"{} 上的设备发来无法读取的数据：它是控制板吗？速率是 {} 吗？"),  # noqa: E501
    (r"Nothing answers on (.+): is it the board's port\?", r"{} 没有回应：它是控制板的端口吗？"),
    (r"The board on (.+) sends signals without waiting for acknowledgements: it is broken, or was not made for this program; unplug it\.", r"{} 上的控制板不等确认就不断发送信号：它已损坏，或不是本程序的控制板；请拔下它。"),  # noqa: E501
    (r"The board on (.+) restarts without end: check its supply and its cable\.", r"{} 上的控制板不断重启：请检查电源和线缆。"),  # noqa: E501
    (r"The board on (.+) \((\S+)\) speaks protocol (\d+), this program speaks (\d+): update the older of the two\.", r"{} 上的控制板（{}）使用协议 {}，本程序使用 {}：请更新较旧的一方。"),  # noqa: E501
    (r"Port (.+) is not there: is the board plugged in\?", r"没有端口 {}：控制板接好了吗？"),
    (r"Port (.+) may not be opened by this user: add the user to the group that owns it \(often dialout\) and log in again\.", r"当前用户无权打开端口 {}：请把用户加入其所属的组（常为 dialout），然后重新登录。"),  # noqa: E501
    (r"Port (.+) is in use by another program\.", r"端口 {} 正被另一个程序使用。"),
    (r"Port (.+?) cannot be opened: (.+)\.", r"端口 {} 无法打开：{}。"),
    (r"'(.+)' is no USB port: write usb:VENDOR:PRODUCT, as in usb:2341:0043\.", r"“{}”不是 USB 端口：请写成 usb:VENDOR:PRODUCT，如 usb:2341:0043。"),  # noqa: E501
    (r"No port is (.+): is the board plugged in\?", r"没有 {} 这样的端口：控制板接好了吗？"),
    (r"Several ports are (.+?): (.+); name one by path or serial\.", r"符合 {} 的端口有多个：{}；请用路径或序列号指明一个。"),  # noqa: E501
)  # fmt: skip
_KNOWN = tuple((re.compile(english), chinese) for english, chinese in (*_FORMS, *FORMS))


def in_chinese(sentence: str) -> str:
    """The sentence in Chinese; one that is not known is quoted.

    >>> in_chinese("Connecting to /dev/ttyUSB0.")
    '正在连接 /dev/ttyUSB0。'
    """
    for english, chinese in _KNOWN:
        found = english.fullmatch(sentence)
        if found is not None:
            return chinese.format(*(_part(each) for each in found.groups()))
    return f"控制板：{sentence}"


def _part(text: str) -> str:
    """A sentence within a sentence; what is none stays as it is."""
    return in_chinese(text) if is_known(text) else text


def is_known(sentence: str) -> bool:
    """Whether the sentence is in the catalogue."""
    return any(english.fullmatch(sentence) for english, _ in _KNOWN)
