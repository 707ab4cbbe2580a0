"""Two examples at the end of every command's help; a test runs each as it stands.

The files that they name are those that a first evening leaves behind: `hand.jpg`, `table.toml`,
`table-assist.sqlite`, a recording in `evening/`.
"""

import argparse
from collections.abc import Mapping, Sequence

# By command; of `firmware` by what it does.
EXAMPLES: dict[str, tuple[str, str]] = {
    "run": ("run --config table.toml", "run --config table.toml --record kept"),
    "score": ("score", "score --rules tianjin --names 'Ann, Bo, Chen, Du'"),
    "setup": ("setup", "setup --config cellar.toml --port 8001"),
    "club": ("club --base club.sqlite", "club --director Ann"),
    "demo": ("demo --rules tianjin", "demo --headless --hands 1 --seed 3"),
    "trial": ("trial --config table.toml", "trial --config table.toml --acts hand --folder tried"),
    "read": ("read hand.jpg", "read hand.jpg --json --overlay seen.png"),
    "check": ("check hand.jpg --rules changsha", "check hand.jpg --discarder 2 --lang zh"),
    "enrol": ("enrol --list", "enrol home hand.jpg --yes"),
    "calibrate": (
        "calibrate --config table.toml --picture table.jpg --yes",
        "calibrate --config table.toml --yes",
    ),
    "evaluate": ("evaluate labelled", "evaluate labelled --gallery failures.html"),
    "replay": ("replay evening", "replay evening --anyway --json"),
    "export": (
        "export table-assist.sqlite",
        "export table-assist.sqlite --format log --config table.toml",
    ),
    "backup": (
        "backup --config table.toml",
        "backup evening.tablebackup --config table.toml --evidence",
    ),
    "restore": ("restore old.tablebackup", "restore old.tablebackup --to elsewhere"),
    "dispute": (
        "dispute 1 dispute.zip --config table.toml",
        "dispute 1 first-hand.zip --config table.toml",
    ),
    "verify": ("verify old-dispute.zip", "verify old-dispute.zip --lang zh"),
    "pictures": (
        "pictures --config table.toml",
        "pictures --config table.toml --forget-hand 1",
    ),
    "password": ("password --config table.toml", "password --config cellar.toml"),
    "doctor": ("doctor", "doctor --config table.toml --lang zh"),
    "rules": ("rules", "rules changsha --format markdown"),
    "judge": (
        "judge --rules changsha --self-drawn '123m 456m 789s 555p 88s'",
        "judge --rules changsha '123m 456m 789s 555p 8s' --lang zh",
    ),
    "completion": ("completion bash", "completion zsh"),
    "firmware flash": ("firmware flash --dry-run --port /dev/ttyUSB0", "firmware flash"),
    "firmware test": (
        "firmware test --parts wall --seconds 1",
        "firmware test --port /dev/ttyUSB0 --parts dome --seconds 1",
    ),
}


def add_examples(
    parser: argparse.ArgumentParser, examples: Mapping[str, Sequence[str]], name: str = ""
) -> None:
    """Put them at the end of the help of every command below a parser."""
    told = examples.get(name)
    if told is not None:
        program = parser.prog.removesuffix(f" {name}")
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        lines = "\n".join(f"  {program} {line}" for line in dict.fromkeys(told))
        parser.epilog = f"examples:\n{lines}"
    for below, command in commands_of(parser).items():
        add_examples(command, examples, f"{name} {below}".strip())


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser by their names."""
    found: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            found.update(action.choices)
    return found
