/* Events, and the ring that keeps them until the host has stored them. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "frames.h"

/* Protocol 1 asks for 16 at least; 32 of 10 bytes are a minute of hurried players. */
enum { KEPT_EVENTS = 32 };

typedef enum { DICE, WALL, DOME, KEY, LIFT, LIFTKEY, TRAY, FAULT, KINDS } EventKind;

/* The order of a keypad's bits in a snapshot. */
typedef enum { KEY_READY, KEY_WIN, KEY_KONG, KEY_PASS, KEYS, NO_KEY = KEYS } KeypadKey;

typedef enum {
    FAULT_STUCK_KEYPAD,
    FAULT_STUCK_DICE_KEY,
    FAULT_STUCK_LIFT_KEY,
    FAULT_LADDER,
    FAULT_TRAY,
    FAULT_EEPROM,
    FAULT_WATCHDOG,
    FAULT_BROWNOUT
} Fault;

typedef struct {
    uint32_t board_ms;
    int32_t value;     /* key, open, up, weight or fault, by its kind */
    uint8_t kind;
    uint8_t place;    /* side, seat or key */
} Event;

/* Forgets everything; the next event is number 1. */
void events_start(void);

/* When there is no room, the oldest event is thrown away. */
void events_add(EventKind kind, uint8_t place, int32_t value, uint32_t board_ms);

/* Forgets the event with this number and all before it; nothing, if it is not among the kept. */
void events_forget(uint16_t seq);

uint8_t events_pending(void);

/* The last event's number, 0 before the first. */
uint16_t events_last(void);

/* Sends all that are kept again, without waiting. */
void events_repeat(void);

/* Whether an event is to be sent now: a new one at once, all of them again after RESEND_MS. */
bool events_next_line(uint32_t now, uint32_t boot_id, Line *line);

/* The kinds that this board can send, joined by +, as the last field of HI. */
void events_write_kinds(Line *line);

#endif
