"""A script is a legal course for one person, in plain words, and its seed makes it again."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware_bridge.events import KeyPressed
from table_assist.game.events import Discarded, ReadyDeclared, Settled, WinDeclared
from table_assist.game.fold import apply
from table_assist.game.irregular import irregularities
from table_assist.game.outcome import end_of_hand, settled_event
from table_assist.game.state import TableState
from table_assist.live.camera_service import calibration_file, kept_calibrations
from table_assist.live.corners import CornersFrom, FoundCorners, keep_corners
from table_assist.live.phones import Phones, PhoneTold
from table_assist.live.replay_folder import replay_folder
from table_assist.record.log import Source
from table_assist.rules.registry import rule_sets
from table_assist.twin.faces import load_faces
from table_assist.twin.lens import Lens
from table_assist.twin.looks import look_of
from table_assist.twin.moment import CameraMoment
from table_assist.twin.render import Renderer
from table_assist.twin.scene import PlacedTile, Scene
from table_assist.upkeep.running import Running
from table_assist.upkeep.trial.courses import TrialAct
from table_assist.upkeep.trial.script import Mark, begun, make_script
from table_assist.upkeep.trial.service import TrialService, open_trial_table
from table_assist.vision.reading.read import Reader
from tests.stages.keeping_table import SETTINGS, wait_for
from tests.stages.linked_board import VirtualBoard
from tests.stages.on_paper import is_in_both
from tests.stages.trial_person import NAMES, SHORTEST, TrialPerson, rules_named, script

IDS = sorted(rules.id for rules in rule_sets())
NOTATION = re.compile(r"\b[1-9][mpsfq]\b|\bpung\b|\bchow\b|UNKNOWN|Tile")


@pytest.mark.parametrize("id", IDS)
def test_every_event_of_it_is_allowed_and_the_hand_is_settled_as_the_rules_say(id: str) -> None:
    state, ended = TableState(), []
    for step in script(id).steps:
        if step.act is TrialAct.TROUBLE:
            break
        for event in step.events:
            assert not irregularities(state, event), (step.says.en, event)
            if isinstance(event, Settled):
                assert settled_event(end_of_hand(state)).transfers == event.transfers
                ended.append(event)
            state = apply(state, event)
    assert len(ended) == 1
    assert ended[0].winners


@pytest.mark.parametrize("id", IDS)
def test_each_step_is_said_in_both_languages_without_notation(id: str) -> None:
    for step in script(id).steps:
        assert is_in_both(step.says), step.says
        assert not NOTATION.search(step.says.en), step.says.en


def test_a_step_lays_what_it_says() -> None:
    lying: tuple[PlacedTile, ...] = ()
    for step in script("changchun").steps:
        new = [tile.tile for tile in step.look.scene.tiles if tile not in lying]
        if step.events and isinstance(step.events[0], Discarded):
            assert new == [step.events[0].tile] == list(step.tiles)
        lying = step.look.scene.tiles


def test_the_same_seed_makes_the_same_script_and_another_one_another() -> None:
    rules = rules_named("wanzhou")
    assert make_script(rules, 1) == script("wanzhou", 1)
    assert make_script(rules, 2).steps != script("wanzhou", 1).steps


def test_where_no_tile_may_be_taken_back_nobody_does() -> None:
    rules = rules_named("classical")
    said = {
        choice: " ".join(
            step.says.en
            for step in make_script(
                rules.with_options({"discard_takeback": choice}), 1, (TrialAct.TROUBLE,)
            ).steps
        )
        for choice in ("never", "until_claimed")
    }
    assert "take it back" not in said["never"]
    assert "take it back" in said["until_claimed"]


def test_at_a_board_the_keys_are_pressed_there() -> None:
    with_board = make_script(rules_named("wanzhou"), 1, (TrialAct.HAND,), has_board=True)
    keys = [step.key for step in with_board.steps if step.key]
    assert {key for _, key in keys} >= {"win"}
    assert all(not step.taps for step in with_board.steps if step.key)


RULES = rules_named("wanzhou")
BEFORE, ACROSS = Lens((1280, 720), 0.87), Lens((1600, 900), 0.94, tilt_deg=18.0, turn_deg=180.0)
SEND_S = 0.2
PATIENCE_S = 240.0  # the machine may be busy


def opened(folder: Path, more: str, phones: Phones | None = None) -> Running:
    settings = folder / "table.toml"
    settings.write_text(f'{SETTINGS}[rules]\nid = "wanzhou"\n{more}', encoding="utf-8")
    return open_trial_table(settings, folder / "trial", phones)


def desk_of(running: Running, folder: Path) -> TrialService:
    has_board = running.config.board.is_there
    begin = begun(RULES, 1, (TrialAct.HAND,), has_board=has_board, most=SHORTEST)
    return TrialService(folder / "trial", RULES, begin, running.table, NAMES)


def test_keys_are_pressed_at_the_board_and_the_recording_keeps_them(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "1.png"), np.full((720, 1280, 3), 80, np.uint8))
    corners = [list(corner) for corner in BEFORE.corners_px()]
    with VirtualBoard(seed=1) as board:
        camera = f'[camera]\nsource = "{pictures}"\ncorners = {corners}\n'
        running = opened(tmp_path, f'{camera}[board]\nport = "{board.port}"\n')
        desk = desk_of(running, tmp_path)
        running.table.start()
        desk.start()
        try:
            for number, step in enumerate(desk.script.steps):
                said = len(running.table.entries())
                if step.key is not None:
                    board.happen(KeyPressed(*step.key))
                    wait_for(lambda said=said: len(running.table.entries()) > said)  # type: ignore[misc]
                desk.do("done", number)
        finally:
            running.table.stop()
        by_board = [e.event for e in running.table.entries() if e.source is Source.BOARD]
    pressed = {type(event) for event in by_board}
    assert WinDeclared in pressed, by_board
    assert ReadyDeclared in pressed, by_board
    assert (tmp_path / "trial" / "recording-1" / "serial.txt").stat().st_size > 0


@contextmanager
def watched(running: Running, phones: Phones, lenses: tuple[Lens, ...]) -> Iterator[list[Scene]]:
    """Phones that send what lies on the table: the one scene that is in the list."""
    faces, stop = load_faces(needed=RULES.kinds), threading.Event()
    lying = [Scene()]
    eyes = {
        f"{number:012x}": Renderer(faces, look_of(5), lens, number)
        for number, lens in enumerate(lenses)
    }
    for (device, renderer), lens in zip(eyes.items(), lenses, strict=True):
        file = calibration_file(running.config, device)
        shown = FoundCorners(lens.corners_px(), CornersFrom.PERSON)
        keep_corners(running.config, renderer.picture(Scene()), shown, file)
        phones.find(device, device).placed += 1

    def send() -> None:
        while not stop.wait(SEND_S):
            for device, renderer in eyes.items():
                data = cv2.imencode(".jpg", renderer.picture(lying[0]))[1].tobytes()
                phones.hand_in(device, device, data, PhoneTold(), phones.clock_ms, phones.run)

    sending = threading.Thread(target=send)
    running.table.start()
    sending.start()
    try:
        yield lying
    finally:
        stop.set()
        sending.join()
        running.table.stop()


def lay(
    desk: TrialService, running: Running, lying: list[Scene], moment: CameraMoment, number: int
) -> None:
    """Lay a step, and say so once it was seen."""
    lying[0] = moment.scene
    looked = running.table.eyes.looked
    wait_for(lambda: running.table.eyes.looked > looked + 8, PATIENCE_S)
    phones = len(list(kept_calibrations(running.config)))
    wait_for(lambda: len(running.table.eyes.pictures()) == phones, PATIENCE_S)
    assert desk.do("done", number) is None


def test_a_recording_of_two_phones_leads_to_the_same_log_without_them(
    reader: Reader, laid: TrialService
) -> None:
    folder = Path(laid.view()["folder"])
    compared = replay_folder(folder / "recording-1", lambda config: reader)
    assert compared.is_same, list(compared.lines())
    assert any(isinstance(entry.event, Discarded) for entry in compared.replayed.entries)


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory, reader: Reader) -> TrialService:
    """The beginning of a short hand before two phones, to the first discard; it is over."""
    tmp_path = tmp_path_factory.mktemp("phones")
    phones = Phones()
    running = opened(tmp_path, '[camera]\nsource = "phone"\ncalibration = "c.json"\n', phones)
    desk = desk_of(running, tmp_path)
    person = TrialPerson(desk.script)
    first = next(
        number
        for number, step in enumerate(desk.script.steps)
        if any(isinstance(event, Discarded) for event in step.events)
    )
    truth = [e for e in desk.script.steps[first].events if isinstance(e, Discarded)]
    with watched(running, phones, (BEFORE, ACROSS)) as lying:
        desk.start()
        for number in range(first + 1):
            lay(desk, running, lying, person.lay(number), number)
        entries = running.table.entries
        wait_for(lambda: any(isinstance(e.event, Discarded) for e in entries()), PATIENCE_S)
        assert [e.event for e in entries() if isinstance(e.event, Discarded)] == truth
    return desk


def test_two_phones_follow_the_hand(laid: TrialService) -> None:
    assert {marked.mark for marked in laid.progress.marks} == {Mark.DONE}
