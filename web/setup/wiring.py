"""The pictures of the board's wiring, as docs/BOARD.md has them, with labels in either language.

The files are drawn once, in English; here each label is known by its text. A test looks for labels
that are not.
"""

import re
from functools import cache
from html import escape
from xml.etree import ElementTree

from flask import Blueprint, Response, request

from table_assist.languages.words import Words
from table_assist.parts import part
from web.access.roles import Role, require
from web.refusal import refuse

PICTURES = ("overview", "keypad", "tap", "shift-registers", "trays")
_LABEL = re.compile(r"(<(?:text|tspan|title|desc)\b[^>]*>)([^<]+)(<)")
_KEPT = re.compile(r"[-\d.,·–×+ ]*|[A-Z0-9+/–·. -]+( V)?|[\d.]+ (kΩ|nF)|1N4148|PC817|Uno or Nano")
_LABELS = {
    "A keypad on a resistor ladder": "电阻分压键盘",
    "A 4.7 kilohm pull-up to 5 volts; READY pulls to ground directly, WIN through 1.6, KONG "
    "through 4.7 and PASS through 15 kilohm. Below, the windows of voltage in which the board "
    "sees each key; two keys together fall between them.": "4.7 kΩ 上拉到 5 V；"
    "READY 直接接地，WIN 经 1.6 kΩ、"
    "KONG 经 4.7 kΩ、PASS 经 15 kΩ 接地。下方为各键的电压区间；两键同按时电压落在区间之间。",
    "One seat’s keypad: four keys on one wire": "一个座位的键盘：四个键共用一根线",
    "at the board": "控制板端",
    "A0 to A3": "A0 至 A3",
    "seat 0 to 3": "座位 0 至 3",
    "a wire": "导线",
    "What the board makes of the voltage, 0 to 1023 for 0 to 5 V. Red: no key, and a fault when it "
    "lasts.": "控制板读到的电压：0 至 1023 对应 0 至 5 V。红色：不是任何键，持续则报故障。",
    "no key": "无按键",
    "The board and its parts": "控制板及其部件",
    "The table’s twelve signals pass twelve opto-isolators and two shift registers to the board; "
    "keypads and score trays go to it directly; USB leads to the computer.": "麻将桌的十二路信号经"
    "十二个光耦和两个移位寄存器进入控制板；键盘和分数盘直接接到控制板；USB 接电脑。",
    "Uno retrofit: what goes where": "Uno 改装：各部件的连接",
    "automatic table": "自动麻将桌",
    "4 dice keys": "4 个骰子键",
    "2 lift keys": "2 个升降键",
    "4 lift limit switches": "4 个升降限位开关",
    "wall-ready photo sensor": "牌墙到位光电开关",
    "dome switch": "骰盅罩开关",
    "mains and motors:": "市电与电机：",
    "read the warnings first": "请先阅读安全警告",
    "isolation": "隔离",
    "Uno or Nano": "Uno 或 Nano",
    "D4 load": "D4 装载",
    "D5 clock": "D5 时钟",
    "D6 data": "D6 数据",
    "D8 clock": "D8 时钟",
    "D9–D12 data": "D9–D12 数据",
    "D13 light": "D13 指示灯",
    "4 keypads": "4 个键盘",
    "ready win kong pass": "报听 和 杠 过",
    "4 score trays": "4 个分数盘",
    "HX711, optional": "HX711，可选",
    "computer": "电脑",
    "USB, 115200 baud": "USB，115200 波特",
    "No output leads to the table:": "没有任何输出接到麻将桌：",
    "it is never driven.": "程序绝不驱动它。",
    "Two 74HC165 shift registers in a chain": "两个级联的 74HC165 移位寄存器",
    "The sixteen inputs with the pins of both chips; load, clock and data to the board’s pins D4, "
    "D5 and D6; the second chip’s output feeds the first one’s serial input.": "十六路输入"
    "与两个芯片的引脚；装载、时钟、数据分别接控制板的 D4、D5、D6；第二片的输出接第一片的串行输入。",
    "Sixteen inputs on three pins": "三个引脚读十六路输入",
    "chip 1": "芯片 1",
    "chip 2": "芯片 2",
    **{f"dice key, side {side}": f"骰子键，第 {side} 边" for side in range(4)},
    **{f"lift key {key}": f"升降键 {key}" for key in range(2)},
    **{f"lift up, side {side}": f"升起到位，第 {side} 边" for side in range(4)},
    "wall ready": "牌墙到位",
    "dome open": "罩已打开",
    "reserved: to 5 V": "保留：接 5 V",
    "Both chips: 16 to 5 V, 8 to GND,": "两片：16 脚接 5 V，8 脚接 GND，",
    "100 nF between them.": "其间接 100 nF。",
    "Every input: 4.7 kΩ to 5 V;": "每路输入：4.7 kΩ 接 5 V；",
    "low is pressed, up, ready, open.": "低电平表示按下、升起、到位、打开。",
    "A tap on the table through a PC817": "经 PC817 从麻将桌取信号",
    "Two ways to light the LED of an opto-isolator through 3.9 kilohm, with a 1N4148 across it; on "
    "the other side the transistor pulls an input of a shift register, with a pull-up of 4.7 "
    "kilohm, to ground.": "点亮光耦 LED 的两种接法：串 3.9 kΩ，并联 1N4148；"
    "另一侧由晶体管把移位寄存器的输入（4.7 kΩ 上拉）拉到地。",
    "One signal of the table, through an opto-isolator": "麻将桌的一路信号，经光耦隔离",
    "the table’s side": "麻将桌一侧",
    "the board’s side": "控制板一侧",
    "no wire crosses this line, the grounds least of all": "任何导线都不得跨过此线，地线尤其不可",
    "line that goes to 0 V": "动作时变为 0 V 的线",
    "a key; a switch to 0 V; a sensor with open collector": "按键；接 0 V 的开关；"
    "集电极开路的传感器",
    "input of a": "输入端：",
    "line that goes to 12 V": "动作时变为 12 V 的线",
    "a lamp; a sensor that switches 12 V": "指示灯；输出 12 V 的传感器",
    "Score trays": "分数盘",
    "Four HX711 converters share the clock of pin D8; their data lines go to D9 to D12. Each reads "
    "one load cell.": "四个 HX711 共用 D8 的时钟；数据线分别接 D9 至 D12；各接一个称重传感器。",
    "Score trays (optional)": "分数盘（可选）",
    **{f"D{pin} data": f"D{pin} 数据" for pin in range(9, 13)},
    "load cell 1 kg": "1 kg 称重传感器",
    **{f"seat {seat}": f"座位 {seat}" for seat in range(4)},
    "VCC to 5 V; RATE to GND: 10 a second": "VCC 接 5 V；RATE 接 GND：每秒 10 次",
}

blueprint = Blueprint("wiring", __name__)


@blueprint.get("/setup/wiring/<name>.svg")
@require(Role.ADMIN)
def picture(name: str) -> Response:
    """One of the pictures; ``?lang=zh`` for Chinese labels."""
    if name not in PICTURES:
        refuse(404, "There is no picture {name}.", "没有图 {name}。", name=name)
    drawn = drawing(name, chinese=request.args.get("lang") == "zh")
    # The picture's own style stands in it; it holds no script, and may load nothing.
    policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return Response(drawn, headers={"Content-Security-Policy": policy}, mimetype="image/svg+xml")


def drawing(name: str, *, chinese: bool) -> str:
    """The picture's SVG."""
    drawn = part("docs", "board", f"{name}.svg").read_text(encoding="utf-8")
    if not chinese:
        return drawn
    return _LABEL.sub(lambda found: found[1] + escape(in_chinese(found[2])) + found[3], drawn)


def in_chinese(label: str) -> str:
    """A label in Chinese; names of pins, parts and keys stay as they are printed on them."""
    return _LABELS.get(label, label)


def is_known(label: str) -> bool:
    """Whether a label has its Chinese, or needs none."""
    return label in _LABELS or _KEPT.fullmatch(label) is not None


@cache
def described() -> tuple[tuple[str, Words], ...]:
    """Each picture's name, and what it shows, for who cannot see it."""
    return tuple((name, _described(name)) for name in PICTURES)


def _described(name: str) -> Words:
    root = ElementTree.fromstring(drawing(name, chinese=False))
    said = [each.text or "" for each in root[:2]]
    return Words(". ".join(said), "。".join(map(in_chinese, said)))
