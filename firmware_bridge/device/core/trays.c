#include "trays.h"

#include "events.h"
#include "hal.h"
#include "profile.h"

typedef struct {
    int32_t readings[TRAY_READINGS]; /* the last ones, in a circle */
    int32_t reported;
    uint16_t answered_at;
    uint8_t next;
    uint8_t count;
    bool has_reported;
} Tray;

static Tray trays[SEATS];
static uint8_t present;
/* A chip raises its line when it has been read. One that did not, is not believed until it does:
 * a line that is short to ground would look ready for ever. */
static uint8_t believed;
static bool waiting; /* for the others, since one is ready */
static uint16_t waiting_since;

void trays_start(void)
{
    present = 0;
    believed = (1 << SEATS) - 1;
    waiting = false;
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        trays[seat] = (Tray){.count = 0};
    }
}

static bool is_steady(const Tray *tray, int32_t *mean)
{
    int32_t lowest = tray->readings[0];
    int32_t highest = lowest;
    int32_t sum = lowest;
    for (uint8_t at = 1; at < TRAY_READINGS; at++) {
        int32_t reading = tray->readings[at];
        lowest = reading < lowest ? reading : lowest;
        highest = reading > highest ? reading : highest;
        sum += reading;
    }
    *mean = sum / TRAY_READINGS;
    return tray->count == TRAY_READINGS && highest - lowest <= TRAY_STEADY;
}

static void take_reading(uint8_t seat, int32_t reading, uint16_t now, uint32_t board_ms)
{
    Tray *tray = &trays[seat];
    present |= (uint8_t)(1 << seat);
    tray->answered_at = now;
    tray->readings[tray->next] = reading;
    tray->next = (uint8_t)((tray->next + 1) % TRAY_READINGS);
    if (tray->count < TRAY_READINGS) {
        tray->count++;
    }
    int32_t mean;
    if (!is_steady(tray, &mean)) {
        return;
    }
    int32_t change = mean - tray->reported;
    if (!tray->has_reported || change >= TRAY_NEW || change <= -TRAY_NEW) {
        tray->has_reported = true;
        tray->reported = mean;
        events_add(TRAY, seat, mean, board_ms);
    }
}

/* The trays share a clock: they are read together, and for a moment a ready one waits. */
static uint8_t trays_to_read(uint16_t now)
{
    uint8_t ready = hal_trays_ready();
    believed |= (uint8_t)~ready;
    ready &= believed;
    if (ready == 0) {
        waiting = false;
        return 0;
    }
    if (!waiting) {
        waiting = true;
        waiting_since = now;
    }
    bool all = (present & (uint8_t)~ready) == 0;
    return all || (uint16_t)(now - waiting_since) >= TRAY_TOGETHER_MS ? ready : 0;
}

static void watch_silence(uint8_t seat, uint16_t now, uint32_t board_ms)
{
    uint8_t bit = (uint8_t)(1 << seat);
    if ((present & bit) != 0 && (uint16_t)(now - trays[seat].answered_at) >= TRAY_SILENT_MS) {
        present &= (uint8_t)~bit;
        trays[seat] = (Tray){.count = 0};
        events_add(FAULT, seat, FAULT_TRAY, board_ms);
    }
}

void trays_step(uint32_t now, uint32_t board_ms)
{
    uint8_t reading = trays_to_read((uint16_t)now);
    if (reading != 0) {
        int32_t raw[SEATS];
        uint8_t ended_rightly = hal_trays_read(raw);
        believed &= (uint8_t)(~reading | ended_rightly);
        waiting = false;
        for (uint8_t seat = 0; seat < SEATS; seat++) {
            if ((reading & ended_rightly) >> seat & 1) {
                take_reading(seat, raw[seat], (uint16_t)now, board_ms);
            }
        }
    }
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        watch_silence(seat, (uint16_t)now, board_ms);
    }
}

uint8_t trays_present(void)
{
    return present;
}
