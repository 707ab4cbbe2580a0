#!/usr/bin/env bash
# Renews what is locked: requirements/light.txt and test.txt (every package, with the hashes of all
# its files, for every system and Python from 3.11 on), and the list of what the program is made of
# (CycloneDX). Looks for known faults in it where the service that knows them can be reached.
#
# torch and what it brings are not locked: which build fits depends on the machine, and a lock would
# load several GB of another. Its major version is bound in pyproject.toml.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$(mktemp -d)
trap 'rm -rf "$venv"' EXIT
"${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/pip" install --disable-pip-version-check -q uv cyclonedx-bom pip-audit
# Extras stay in the names: pip before 23.3, which Python 3.11 brings, takes the newest "coverage" for
# "coverage[toml]" when only the bare name is locked, and then refuses it for its hash.
compile() {
  "$venv/bin/uv" pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
    --no-header --no-emit-index-url --no-emit-find-links --no-strip-extras --upgrade "$@"
}
compile pyproject.toml requirements/build.in -o requirements/light.txt
compile pyproject.toml requirements/build.in --extra test -c requirements/light.txt \
  -o requirements/test.txt
"$venv/bin/cyclonedx-py" requirements requirements/light.txt --pyproject pyproject.toml \
  --output-reproducible --output-format JSON -o "$venv/sbom.json"
"$venv/bin/python" - "$venv/sbom.json" requirements/sbom.cdx.json <<'EOF_PYTHON'
# Without addresses: where a file is loaded from is the reader's choice, its hash is in the lock.
import json, re, sys
bom = json.load(open(sys.argv[1], encoding="utf-8"))
parts = open("table_assist/parts.py", encoding="utf-8").read()
bom["metadata"]["component"]["version"] = re.search(r'VERSION = "(.+?)"', parts)[1]
bom["metadata"].pop("tools", None)
for each in [bom["metadata"].get("component", {}), *bom["components"]]:
    for key in ("externalReferences", "description"):
        each.pop(key, None)
with open(sys.argv[2], "w", encoding="utf-8") as out:
    out.write(json.dumps(bom, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
EOF_PYTHON
"$venv/bin/pip-audit" --require-hashes --disable-pip -r requirements/light.txt ||
  echo "pip-audit: see above; nothing was changed for it"
