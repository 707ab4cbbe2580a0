#include "inputs.h"

#include "events.h"
#include "hal.h"
#include "profile.h"

/* Times are kept in 16 bits: each is looked at within a minute, and no longer. */
typedef uint16_t ShortMs;

enum { PRESSED_KEYS = INPUT_LIFT }; /* inputs below this one are keys, the others are sensors */
enum { BETWEEN_WINDOWS = KEYS + 1 };

static uint16_t levels;    /* bit per switch: what counts */
static uint16_t showing;   /* bit per switch: what it shows, perhaps only for a moment */
static uint16_t stuck;     /* bit per key, while its fault stands */
static ShortMs showing_since[INPUTS_USED];
static ShortMs pressed_since[PRESSED_KEYS];

typedef struct {
    uint8_t key;     /* what counts, a KeypadKey */
    uint8_t showing; /* what the voltage says, perhaps only for a moment */
    bool stuck;
    bool bad_ladder;
    ShortMs showing_since;
    ShortMs pressed_since;
    ShortMs in_window_since; /* or, while between two windows, since when */
    bool between;
} Keypad;

static Keypad keypads[SEATS];

static uint8_t key_of_voltage(uint16_t voltage)
{
    if (voltage <= LADDER_READY_MAX) {
        return KEY_READY;
    }
    if (voltage >= LADDER_WIN_MIN && voltage <= LADDER_WIN_MAX) {
        return KEY_WIN;
    }
    if (voltage >= LADDER_KONG_MIN && voltage <= LADDER_KONG_MAX) {
        return KEY_KONG;
    }
    if (voltage >= LADDER_PASS_MIN && voltage <= LADDER_PASS_MAX) {
        return KEY_PASS;
    }
    return voltage >= LADDER_NONE_MIN ? NO_KEY : BETWEEN_WINDOWS;
}

static ShortMs switch_time(uint8_t input, bool closed)
{
    if (input < PRESSED_KEYS) {
        return closed ? KEY_PRESSED_MS : KEY_RELEASED_MS;
    }
    if (input == INPUT_WALL) {
        return closed ? WALL_READY_MS : WALL_GONE_MS;
    }
    return LIMIT_SWITCH_MS;
}

static void add_switch_event(uint8_t input, bool closed, uint32_t board_ms)
{
    if (input >= INPUT_LIFT && input < INPUT_WALL) {
        events_add(LIFT, (uint8_t)(input - INPUT_LIFT), closed, board_ms);
    } else if (input == INPUT_DOME) {
        events_add(DOME, 0, closed, board_ms);
    } else if (closed && input == INPUT_WALL) {
        events_add(WALL, 0, 0, board_ms);
    } else if (closed && input < INPUT_LIFT_KEY) {
        events_add(DICE, input, 0, board_ms);
    } else if (closed) {
        events_add(LIFTKEY, (uint8_t)(input - INPUT_LIFT_KEY), 0, board_ms);
    }
}

static void step_switch(uint8_t input, bool closed, ShortMs now, uint32_t board_ms)
{
    uint16_t bit = (uint16_t)(1U << input);
    if (closed != ((showing & bit) != 0)) {
        showing ^= bit;
        showing_since[input] = now;
    }
    ShortMs steady_for = (ShortMs)(now - showing_since[input]);
    if (((showing ^ levels) & bit) == 0 || steady_for < switch_time(input, closed)) {
        return;
    }
    levels ^= bit;
    if (input < PRESSED_KEYS) {
        pressed_since[input] = now;
    }
    add_switch_event(input, closed, board_ms);
}

static void watch_stuck_switch(uint8_t input, ShortMs now, uint32_t board_ms)
{
    uint16_t bit = (uint16_t)(1U << input);
    if ((levels & bit) == 0) {
        stuck &= (uint16_t)~bit;
    } else if ((stuck & bit) == 0 && (ShortMs)(now - pressed_since[input]) >= STUCK_MS) {
        stuck |= bit;
        if (input < INPUT_LIFT_KEY) {
            events_add(FAULT, input, FAULT_STUCK_DICE_KEY, board_ms);
        } else {
            events_add(FAULT, (uint8_t)(input - INPUT_LIFT_KEY), FAULT_STUCK_LIFT_KEY, board_ms);
        }
    }
}

static void watch_ladder(uint8_t seat, bool between, ShortMs now, uint32_t board_ms)
{
    Keypad *keypad = &keypads[seat];
    if (between != keypad->between) {
        keypad->between = between;
        keypad->in_window_since = now;
    }
    ShortMs lasts = (ShortMs)(now - keypad->in_window_since);
    if (between && !keypad->bad_ladder && lasts > LADDER_BETWEEN_MS) {
        keypad->bad_ladder = true;
        events_add(FAULT, seat, FAULT_LADDER, board_ms);
    } else if (!between && lasts >= LADDER_GOOD_MS) {
        keypad->bad_ladder = false;
    }
}

static void watch_stuck_keypad(uint8_t seat, ShortMs now, uint32_t board_ms)
{
    Keypad *keypad = &keypads[seat];
    if (keypad->key == NO_KEY) {
        keypad->stuck = false;
    } else if (!keypad->stuck && (ShortMs)(now - keypad->pressed_since) >= STUCK_MS) {
        keypad->stuck = true;
        events_add(FAULT, seat, FAULT_STUCK_KEYPAD, board_ms);
    }
}

static void step_keypad(uint8_t seat, ShortMs now, uint32_t board_ms)
{
    Keypad *keypad = &keypads[seat];
    uint8_t key = key_of_voltage(hal_keypad(seat));
    watch_ladder(seat, key == BETWEEN_WINDOWS, now, board_ms);
    if (key != keypad->showing) {
        keypad->showing = key;
        keypad->showing_since = now;
    }
    /* Between two windows a held key stays held: without a release, no key is pressed anew. */
    ShortMs time = keypad->key == NO_KEY ? KEY_PRESSED_MS : KEY_RELEASED_MS;
    bool steady = (ShortMs)(now - keypad->showing_since) >= time;
    if (key != keypad->key && key != BETWEEN_WINDOWS && steady) {
        keypad->key = key;
        keypad->pressed_since = now;
        if (key != NO_KEY) {
            events_add(KEY, seat, key, board_ms);
        }
    }
    watch_stuck_keypad(seat, now, board_ms);
}

void inputs_start(uint32_t now)
{
    showing = hal_switches();
    levels = showing;
    stuck = 0;
    for (uint8_t input = 0; input < PRESSED_KEYS; input++) {
        pressed_since[input] = (ShortMs)now;
    }
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        uint8_t key = key_of_voltage(hal_keypad(seat));
        keypads[seat] = (Keypad){
            .key = key == BETWEEN_WINDOWS ? NO_KEY : key,
            .showing = key,
            .pressed_since = (ShortMs)now,
            .showing_since = (ShortMs)now,
            .in_window_since = (ShortMs)now,
            .between = key == BETWEEN_WINDOWS,
        };
    }
}

void inputs_step(uint32_t now, uint32_t board_ms)
{
    uint16_t closed = hal_switches();
    for (uint8_t input = 0; input < INPUTS_USED; input++) {
        step_switch(input, (closed >> input & 1) != 0, (ShortMs)now, board_ms);
        if (input < PRESSED_KEYS) {
            watch_stuck_switch(input, (ShortMs)now, board_ms);
        }
    }
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        step_keypad(seat, (ShortMs)now, board_ms);
    }
}

/* `count` switches from `first` on, in the lowest bits. */
static uint32_t switch_levels(uint8_t first, uint8_t count)
{
    return (uint32_t)levels >> first & (((uint32_t)1 << count) - 1);
}

uint32_t inputs_levels(void)
{
    uint32_t bits = 0;
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        const Keypad *keypad = &keypads[seat];
        if (keypad->key != NO_KEY && !keypad->bad_ladder) {
            bits |= (uint32_t)1 << (KEYS * seat + keypad->key);
        }
    }
    bits |= switch_levels(INPUT_DICE, 4) << 16;
    bits |= switch_levels(INPUT_WALL, 1) << 20;
    bits |= switch_levels(INPUT_DOME, 1) << 21;
    bits |= switch_levels(INPUT_LIFT, 4) << 22;
    bits |= switch_levels(INPUT_LIFT_KEY, 2) << 26;
    return bits;
}
