// The firmware of the board profile "Uno retrofit", for Arduino Uno and classic Nano.
//
// What it does is in ../core, the pins are in hardware.c. Wiring: docs/BOARD.md. Inputs only: it
// never drives the table. (`make sketch` puts all files into one folder for the Arduino IDE.)
#include "board.h"
#include "hardware.h"

void setup() {
  hardware_start();
  board_start();
}

void loop() {
  hardware_pass();
  board_pass();
  hardware_rest();
}
