/* Switches and keypads: from what the pins show to events, faults and the levels of a snapshot. */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdint.h>

/* Takes what the inputs show now as given: only what changes from here on is an event. */
void inputs_start(uint32_t now);

/* To be called once in a millisecond; adds the events of what has changed. */
void inputs_step(uint32_t now, uint32_t board_ms);

/* The levels, as bits 0 to 27 of a snapshot's inputs. */
uint32_t inputs_levels(void);

#endif
