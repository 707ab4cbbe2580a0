"""The ways to begin that `table-assist` alone offers on a terminal, one of them a key away."""

from collections.abc import Callable
from dataclasses import dataclass

from table_assist.languages.words import Words

_HELLO = Words("What shall we do?", "想做什么？")
_ASK = Words("A number, or Enter to leave: ", "输入数字，或按回车离开：")
_UNKNOWN = Words("There is no such number.", "没有这个数字。")
_MORE = Words("All commands: table-assist --help", "全部命令：table-assist --help")
MOST_TRIES = 5


@dataclass(frozen=True, slots=True)
class StartOffer:
    """One way to begin.

    Attributes:
        arguments: of the command line.
    """

    says: Words
    arguments: tuple[str, ...]


OFFERS = (
    StartOffer(
        Words("Keep the score with phones: no camera, no board", "只用手机计分（无须摄像头和板）"),
        ("score",),
    ),
    StartOffer(
        Words("Set up a table with a camera, and follow it", "设置有摄像头的牌桌并开始"),
        ("run",),
    ),
    StartOffer(
        Words("Show me: four simulated players at a simulated table", "演示：四位模拟玩家的牌桌"),
        ("demo",),
    ),
    StartOffer(Words("Examine this machine and its table", "检查本机和牌桌"), ("doctor",)),
)


def offer(say: Callable[[str], None], language: str) -> None:
    """The ways to begin, in six lines."""
    say(_HELLO.said(language))
    for number, way in enumerate(OFFERS, 1):
        say(f"  {number}  {way.says.said(language)}  (table-assist {' '.join(way.arguments)})")
    say(_MORE.said(language))


def choose(
    ask: Callable[[str], str], say: Callable[[str], None], language: str
) -> tuple[str, ...] | None:
    """Ask which way to begin; its arguments, or None for none."""
    offer(say, language)
    for _ in range(MOST_TRIES):
        try:
            said = ask(_ASK.said(language)).strip()
        except (EOFError, KeyboardInterrupt):
            return None
        if not said:
            return None
        if said.isascii() and said.isdigit() and 1 <= int(said) <= len(OFFERS):
            return OFFERS[int(said) - 1].arguments
        say(_UNKNOWN.said(language))
    return None
