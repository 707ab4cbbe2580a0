"""Two examples for each measurement, at the end of its help; a test runs them."""

EXAMPLES = {
    "hands": ("hands --hands 3", "hands --rules tianjin --hands 3 --seed 7"),
    "rules": ("rules --hands 20", "rules --rules classical --hands 20 --json"),
    "perft": ("perft", "perft"),
    "eyes": ("eyes --runs 1", "eyes --runs 1 --threads 1 --json"),
    "calibration": ("calibration --tables 1", "calibration --tables 2"),
    "phones": ("phones --tables 1", "phones --tables 1 --first 9"),
    "live": (
        "live --hands 1 --rules changsha",
        "live faults --hands 1 --rules tianjin",
    ),
    "trials": ("trials --tables 1", "trials --tables 2 --seed 3 --json"),
    "secrecy": ("secrecy --hands 1", "secrecy --hands 1 --stride 40"),
    "log": ("log --entries 500", "log --entries 500 --seed 3"),
    "decoder": ("decoder --inputs 5000", "decoder --inputs 5000 --seed 3"),
    "club": (
        "club --tables 3 --seconds 2",
        "club --tables 3 --seconds 3 --hubs 2 --kills 1",
    ),
    "load": (
        "load --viewers 2 --dead 0 --events 3",
        "load --viewers 2 --dead 1 --events 3",
    ),
}
