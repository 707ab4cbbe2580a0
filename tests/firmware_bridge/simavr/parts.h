/* What is wired to the chip, "Uno retrofit": keypads on ladders at A0-A3; two 74HC165 with sixteen
   active-low inputs at D4 (load), D5 (clock), D6 (data); four HX711 at D8 (clock), D9-D12 (data);
   the LED at D13. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

void parts_connect(void);
void parts_after_reset(void);

/* NULL if it was done, else what is wrong with the command:
     set NAME 0|1            dice0-3, liftkey0-1, lift0-3, wall, dome, spare0-3; 1 pulls low
     key SEAT none|KEY|KEY+KEY...         ready, win, kong, pass
     adc CHANNEL MILLIVOLTS
     tray SEAT NUMBER|absent 24 bits with sign
     bounce NAME LEVEL CHANGES MICROSECONDS   ends at the level
     after MICROSECONDS COMMAND */
const char *parts_command(const char *command);

/* When the next change that was ordered for later is due, and doing it. */
uint64_t parts_next_change(void);
void parts_change(void);

void parts_print_state(FILE *to);
