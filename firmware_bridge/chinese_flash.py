"""What putting the firmware on a board and trying its keys says, in Chinese; see `chinese`."""

# What holds another sentence comes first.
FORMS = (
    (r"the board said instead: (.+); compare the wiring \(docs/BOARD\.md\)", r"控制板报告的却是：{}；请核对接线（docs/BOARD.md）"),  # noqa: E501
    (r"not heard: (.+)", r"没有收到：{}"),
    (r"The firmware is (.+), sha256 (.+)\.", r"固件：{}，sha256 {}。"),
    (r"avrdude writes the program to the board and is not here: install it with: (.+)\.", r"写入固件需要 avrdude，本机没有；安装方法：{}"),  # noqa: E501
    (r"The firmware (.+) cannot be read: (.+)\.", r"固件 {} 无法读取：{}。"),
    (r"The firmware (.+) is not ours: its sha256 begins with (.+), ours with (.+)\. Install table-assist again\.", r"固件 {} 不是本程序的：其 sha256 以 {} 开头，应为 {}。请重新安装 table-assist。"),  # noqa: E501
    (r"No board is on USB: plug it in, or name its port with --port\.", r"USB 上没有控制板：请插上，或用 --port 指明端口。"),  # noqa: E501
    (r"Several boards could be meant: (.+); name one with --port\.", r"有多块可能的控制板：{}；请用 --port 指明一块。"),  # noqa: E501
    (r"The board is at (.+)\.", r"控制板在 {}。"),
    (r"Writing at (.+) baud \.\.\.", r"正在以 {} 波特写入…"),
    (r"Written, and read back the same\. Waiting for its greeting \.\.\.", r"已写入并校验一致。正在等待控制板问候…"),  # noqa: E501
    (r"It greets: (.+), it can tell (.+)\.", r"控制板已问候：{}，能报告 {}。"),
    (r"Put the 10 µF capacitor between RESET and GND, then try the keys:", r"请在 RESET 与 GND 之间接上 10 µF 电容，然后测试按键："),  # noqa: E501
    (r"The board at (.+) does not answer its bootloader\. Take the 10 µF capacitor at RESET out, close other programs that use the port, and try again\.", r"{} 上的控制板没有进入引导程序。请取下 RESET 处的 10 µF 电容，关闭占用该端口的程序，再试一次。"),  # noqa: E501
    (r"avrdude failed: (.+)", r"avrdude 失败：{}"),
    (r"avrdude did not end within (.+) s\.", r"avrdude 在 {} 秒内没有结束。"),
    (r"(.+) cannot be run: (.+)\.", r"{} 无法运行：{}。"),
    (r"The board at (.+) is written but did not greet within (.+) s: press its reset key, then run: table-assist firmware test", r"{} 上的控制板已写入，但 {} 秒内没有问候：请按其复位键，再运行 table-assist firmware test"),  # noqa: E501
    (r"Press the dice key of side (.+)\.", r"请按第 {} 边的骰子键。"),
    (r"Press (.+) at seat (.+)\.", r"请按 {1} 号座位的 {0} 键。"),
    (r"Let the table push up a wall\.", r"请让麻将桌升起一副牌墙。"),
    (r"Open the dome\.", r"请打开骰盅罩。"),
    (r"Close it\.", r"请合上骰盅罩。"),
    (r"heard", r"收到"),
    (r"nothing came", r"没有收到"),
    (r"the dice key of side (.+)", r"第 {} 边的骰子键"),
    (r"(\w+) at seat (\d)", r"{1} 号座位的 {0} 键"),
    (r"the dome is open", r"骰盅罩已打开"),
    (r"the dome is closed", r"骰盅罩已合上"),
    (r"the wall is ready", r"牌墙已升起"),
    (r"(.+) of (.+) heard\.", r"{1} 项中收到 {0} 项。"),
    (r"Look at the wires of those \(docs/BOARD\.md\), or leave out with --parts what you lack\.", r"请检查这些接线（docs/BOARD.md）；没有的部分可用 --parts 略去。"),  # noqa: E501
)  # fmt: skip
