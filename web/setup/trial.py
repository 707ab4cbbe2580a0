"""The trial's page: one step at a time, on one person's phone or here; then the report."""

from pathlib import Path
from typing import Protocol

from flask import Blueprint, Flask, Response, current_app, send_file

from table_assist.contract.view import View
from table_assist.languages.words import Words
from web.access.roles import Role, require
from web.answers import json_answer
from web.api.bodies import choice, takes, texts, whole
from web.refusal import refuse
from web.setup.setup import refusing, render
from web.setup.setup_source import RefusedError
from web.setup.setup_words import FRAME

# The words of the trial's page, in English and Chinese.

PAGE = FRAME | {
    "title": Words("The trial", "试局"),
    "to_table": Words("To the table", "回到牌桌"),
    "off_says": Words(
        "Ten minutes at your own table say how well it will be followed there. One person lays "
        "what this page says; the table follows without knowing it. Scores and log stay as they "
        "are.",
        "用十分钟在自己的牌桌上试一试，就知道跟踪效果如何。由一人照本页所说摆牌，"
        "牌桌在不知内容的情况下跟踪。比分和记录不受影响。",
    ),
    "act_hand": Words("A short hand, to its settlement (5 min)", "一局短牌，直到结算（5 分钟）"),
    "act_trouble": Words(
        "Trouble: arm, cup, lamp, a push (3 min)", "意外：手臂、杯子、灯、碰撞（3 分钟）"
    ),
    "begin": Words("Begin", "开始"),
    "beginning": Words("The table is starting …", "正在启动…"),
    "step": Words(
        "Step {step} of {steps}, about {minutes} min left",
        "第 {step} 步，共 {steps} 步，约剩 {minutes} 分钟",
    ),
    "done": Words("Done", "完成"),
    "tap": Words("Tap, and done", "点按并完成"),
    "back": Words("Back", "上一步"),
    "skip": Words("Skip", "跳过"),
    "otherwise": Words("I laid something else", "我摆的不一样"),
    "pause": Words("Pause", "暂停"),
    "go_on": Words("Go on", "继续"),
    "end": Words("End the trial", "结束试局"),
    "end_sure": Words("Tap again to end it", "再按一次即结束"),
    "speak": Words("Say it aloud", "朗读"),
    "paused": Words("Paused. Nothing is lost.", "已暂停，不会丢失任何内容。"),
    "not_right": Words("What was not right", "不正确之处"),
    "admit": Words("I did lay something else here", "这一步我确实摆错了"),
    "events": Words(
        "{right} events right, {asked} asked, {wrong} wrong and asked, {silent} wrong without a "
        "question.",
        "{right} 个事件正确，{asked} 个已询问，{wrong} 个有误并已询问，{silent} 个有误且未询问。",
    ),
    "seconds": Words(
        "Seen after {median} s in the median, nine in ten within {p90} s.",
        "中位数 {median} 秒后看到，九成在 {p90} 秒内。",
    ),
    "settled": Words(
        "The hand moved {truth}; the table reckoned {ledger}.",
        "本局应为 {truth}；牌桌算得 {ledger}。",
    ),
    "nothing": Words("nothing", "无"),
    "report": Words("The whole report, one file", "完整报告（一个文件）"),
    "leave": Words("To the table", "回到牌桌"),
    "kept": Words("Kept in {folder}.", "保存在 {folder}。"),
}


blueprint = Blueprint("trial", __name__)
MOST_STEPS = 10_000
SAYS = ("done", "otherwise", "skip", "back", "pause", "go_on", "end", "admit")
ACTS = ("hand", "trouble")


class TrialSource(Protocol):
    """The trial as its page sees it; every member may be used from any thread."""

    def view(self) -> View:
        """The current step or the report; ``mode`` is ``off`` where none is laid."""
        ...

    def do(self, what: str, step: int) -> Words | None:
        """Do as the person says of a step; None when it was done, else why not."""
        ...

    def begin(self, acts: list[str]) -> None:
        """Leave the table for a trial.

        Raises:
            RefusedError: it cannot be left now.
        """
        ...

    def leave(self) -> None:
        """Follow the table again."""
        ...

    def report_file(self, name: str) -> Path | None:
        """A file of the report; None where there is none."""
        ...


def init_app(app: Flask, source: TrialSource) -> None:
    """Give the app its trial."""
    app.extensions["trial"] = source
    app.register_blueprint(blueprint)


@blueprint.get("/trial")
@require(Role.SEAT)
def page() -> str:
    """The page; what is on it comes from `state`."""
    return render("trial.html", PAGE, "trial", acts=ACTS)


@blueprint.get("/api/trial")
@require(Role.SEAT)
@refusing
def state() -> Response:
    """The current step, or the report."""
    return json_answer(_source().view())


@blueprint.post("/api/trial/do")
@require(Role.SEAT)
@refusing
@takes(choice("what", *SAYS), whole("step", 0, MOST_STEPS))
def do(what: str, step: int) -> Response:
    """Do as the person says of a step."""
    why = _source().do(what, step)
    if why is not None:
        raise RefusedError(why)
    return json_answer(_source().view())


@blueprint.post("/api/trial/begin")
@require(Role.ADMIN)
@refusing
@takes(texts("acts", len(ACTS)))
def begin(acts: list[str]) -> Response:
    """Leave the table for a trial of these acts."""
    _source().begin([act for act in ACTS if act in acts])
    return json_answer({"ok": True})


@blueprint.post("/api/trial/leave")
@require(Role.ADMIN)
@refusing
@takes()
def leave() -> Response:
    """Follow the table again."""
    _source().leave()
    return json_answer({"ok": True})


@blueprint.get("/trial/<name>")
@require(Role.SEAT)
def report_file(name: str) -> Response:
    """The report, as one HTML file or as JSON."""
    path = _source().report_file(name)
    if path is None:
        refuse(404, "There is no report yet.", "还没有报告。")
    return send_file(path.absolute())


def _source() -> TrialSource:
    source: TrialSource = current_app.extensions["trial"]
    return source
