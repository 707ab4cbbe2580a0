"""Putting the firmware on a board, and trying each key; the rest is the board's own program."""

import argparse
import queue
import time
from collections.abc import Callable

from firmware_bridge import __main__ as own_program
from firmware_bridge.flashing import (
    HEX,
    Avrdude,
    FlashError,
    KeyTest,
    await_greeting,
    check_hex,
    choose_port,
    find_avrdude,
    flash,
    how_to_get_avrdude,
)
from firmware_bridge.link import Link, LinkDown, LinkItem, LinkUp
from firmware_bridge.ports import find_ports, read_selector
from firmware_bridge.receiver import Reading
from table_assist.cli.shared_arguments import PASSED_ON
from table_assist.languages.board_words import board_words

Say = Callable[..., None]  # a sentence, and what stands before it


def command(options: argparse.Namespace) -> int:
    """As ``table-assist firmware``; returns the exit code."""
    if options.firmware in PASSED_ON:
        return own_program.main([options.firmware, *options.rest], "table-assist firmware")
    return _flash(options) if options.firmware == "flash" else _test(options)


def _teller(options: argparse.Namespace) -> Say:
    """Prints a sentence in the language that was asked for."""

    def say(sentence: str, indent: str = "") -> None:
        print(indent + board_words(sentence).said(options.lang), flush=True)

    return say


def _flash(options: argparse.Namespace) -> int:
    say = _teller(options)
    say(f"The firmware is {HEX}, sha256 {check_hex()[:12]}.")
    avrdude = Avrdude(str(options.avrdude)) if options.avrdude else find_avrdude()
    if avrdude.path is None:
        raise FlashError(how_to_get_avrdude() + ".")
    port = choose_port(options.port, find_ports())
    if options.dry_run:
        print(" ".join(avrdude.command(port, options.baud or 115200, HEX)))
        return 0
    say(f"The board is at {port}.")
    flash(avrdude, port, options.baud, say)
    say("Written, and read back the same. Waiting for its greeting ...")
    hello = await_greeting(port).board
    say(f"It greets: {hello.firmware}, it can tell {', '.join(hello.capabilities)}.")
    say("Put the 10 µF capacitor between RESET and GND, then try the keys:")
    print(f"  table-assist firmware test --port {port}")
    return 0


def _test(options: argparse.Namespace) -> int:
    say = _teller(options)
    port = options.port
    if read_selector(port) is None:
        port = choose_port(port, find_ports())
    test = KeyTest.of(options.parts)
    items: queue.SimpleQueue[LinkItem] = queue.SimpleQueue()
    link = Link(port, items.put, baud=options.baud)
    link.start()
    try:
        # Go through the steps; each waits so long
        said, ends_s = "", 0.0
        while (asks := test.asks) is not None:
            if asks != said:
                say(asks)
                said, ends_s = asks, time.monotonic() + options.seconds
            try:
                item = items.get(timeout=max(0.0, ends_s - time.monotonic()))
            except queue.Empty:
                say("nothing came", "  ")
                test.skip()
                continue
            if isinstance(item, LinkDown):
                say(item.reason, "  ")
            elif isinstance(item, LinkUp):
                ends_s = time.monotonic() + options.seconds
            elif isinstance(item, Reading):
                link.acknowledge(item)
                heard = test.hear(item.content)
                if heard:
                    say(heard, "  ")
    finally:
        link.stop()
    asked = test.heard + len(test.missing)
    say(f"{test.heard} of {asked} heard.")
    for step in test.missing:
        say(f"not heard: {step.asks}", "  ")
    if test.missing:
        say("Look at the wires of those (docs/BOARD.md), or leave out with --parts what you lack.")
    return 1 if test.missing else 0
