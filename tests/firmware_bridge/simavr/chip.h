/* The microcontroller: firmware, time, resets, memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim_avr.h"

#define CYCLES_PER_US 16
#define SUPPLY_MV 5000

typedef struct chip_options {
    const char *firmware;
    const char *eeprom_file;  /* NULL: forgotten at the end */
    uint32_t seed;            /* of what a real chip leaves to chance */
    uint32_t bootloader_ms;   /* silence after every reset but the watchdog's */
    int64_t millis;           /* what Arduino's millis() starts from; -1: 0 */
} chip_options;

/* Load the firmware and switch the power on. Ends the program with a sentence if it cannot. */
void chip_start(const chip_options *options);

avr_t *chip(void);

/* Cycles since the start of the harness, those without power included. */
uint64_t chip_now(void);

/* Run up to this time. Returns early at the end of a sent line if asked to. False: it crashed. */
bool chip_run(uint64_t until, bool stop_at_line);

/* A line was sent: chip_run shall return if it was asked to. */
void chip_line_sent(void);

void chip_press_reset(void);
void chip_power(bool on);
bool chip_is_powered(void);

/* Let the program go on for ever at the place where it is, until a reset or the watchdog's
   interrupt. Deaf: without interrupts. */
void chip_hang(bool is_deaf);

/* Move Arduino's millisecond counter on. False: the firmware has none. */
bool chip_skip(uint32_t milliseconds);

/* NULL if it worked, else what is wrong. */
const char *chip_load_eeprom(const char *file);
const char *chip_save_eeprom(const char *file);

/* Keep the file of the options equal to the memory. */
void chip_keep_eeprom(void);

uint32_t chip_random(void);

typedef struct chip_counts {
    unsigned resets, watchdog_resets, watchdog_interrupts;
} chip_counts;
chip_counts chip_get_counts(void);
