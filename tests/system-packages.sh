#!/bin/sh
# The Debian packages that the tests need: installed as root, named otherwise.
set -eu
missing=""
for package in \
  gcc make gcc-avr avr-libc arduino-core-avr libsimavr-dev libelf-dev libsqlite3-dev pkg-config chromium-headless-shell openssl \
  avrdude systemd mosquitto postgresql fonts-noto-cjk; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Debian packages for the tests:$missing"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
  echo "The tests need these Debian packages:$missing" >&2
  echo "Install them with: sudo apt-get install$missing" >&2
  exit 1
fi
