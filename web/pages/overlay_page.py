"""The overlay of streaming software, and the page with its sources ready-made."""

from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Blueprint, Flask, request

from table_assist.languages.words import Words, joined, same
from web.access.address import base_url
from web.access.guard import framed
from web.access.roles import Role, require
from web.api.past import LONGEST_S
from web.api.stream import asked_delay
from web.pages.shell import render
from web.refusal import refuse

blueprint = Blueprint("overlay", __name__)

PARTS = ("all", "now", "scores", "win")


@dataclass(frozen=True, slots=True)
class OverlaySource:
    """One browser source of a picture of 1920 x 1080; places and sizes in its pixels."""

    part: str
    x: int
    y: int
    width: int
    height: int


SOURCES = (
    OverlaySource("all", 0, 0, 1920, 1080),
    OverlaySource("scores", 0, 960, 1920, 120),
    OverlaySource("now", 0, 0, 760, 320),
    OverlaySource("win", 1040, 0, 880, 960),
)
WORDS = {
    "obs_title": Words("Sources for OBS", "OBS 直播源"),
    "obs_how": Words(
        "In OBS add a browser source, with this address, width and height; then Transform, Edit "
        "transform: the position. The ground is transparent.",
        "在 OBS 中添加“浏览器”来源，填入下列网址、宽度和高度；再用“变换 → 编辑变换”填入位置。"
        "背景是透明的。",
    ),
    "obs_delay": Words("Seconds late", "延迟秒数"),
    "obs_delay_why": Words(
        "As late as your picture is. The table itself sends everything that late, so that nothing "
        "newer ever reaches OBS; after the start the sources stay empty for so long.",
        "与您的画面延迟相同。延迟由牌桌自身控制，OBS 收不到更新的内容；"
        "开始后这段时间内各来源为空。",
    ),
    "obs_set": Words("Make the addresses", "生成网址"),
    "obs_address": Words("Address", "网址"),
    "obs_size": Words("Width × height", "宽 × 高"),
    "obs_place": Words("Position", "位置"),
    "obs_unreachable": Words(
        "Only this machine reaches these addresses: start the program with --host 0.0.0.0 for OBS "
        "on another one.",
        "这些网址仅限本机访问；若 OBS 在另一台机器上，请用 --host 0.0.0.0 启动程序。",
    ),
    "part_all": Words("Everything", "全部"),
    "part_scores": Words("The standing", "分数"),
    "part_now": Words("What is going on", "当前进程"),
    "part_win": Words("The win", "和牌"),
}


def init_app(app: Flask) -> None:
    """Give the app both pages."""
    app.register_blueprint(blueprint)


@blueprint.get("/overlay")
@require(Role.TELEVISION)
@framed
def page() -> str:
    """Scores and reveals on a transparent ground: ``?show=scores``, and ``?delay=20`` seconds."""
    part, delay = request.args.get("show", "all"), asked_delay()
    if part not in PARTS:
        refuse(
            400, "show is one of {names}.", "show 只能是 {names}。", names=joined(map(same, PARTS))
        )
    return render("overlay.html", view="overlay", part=part, delay=delay)


@blueprint.get("/obs")
@require(Role.TELEVISION)
def sources() -> str:
    """Address, size and place of each source, for a delay in seconds."""
    delay, (base, reachable) = asked_delay(), base_url()
    rows = [(source, f"{base}/overlay{_asked(source.part, delay)}") for source in SOURCES]
    return render(
        "obs.html",
        view="obs",
        words=WORDS,
        rows=rows,
        delay=delay,
        longest=LONGEST_S,
        reachable=reachable,
    )


def _asked(part: str, delay: int) -> str:
    said = {"show": part} if part != "all" else {}
    said |= {"delay": str(delay)} if delay else {}
    return f"?{urlencode(said)}" if said else ""
