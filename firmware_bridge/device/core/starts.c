#include "starts.h"

#include "frames.h"
#include "hal.h"

/* The count goes around these records, so that a cell is written in every 16th start only: its
 * 100,000 writes are 1.6 million starts. A record is the count of starts (4 bytes), the board's
 * drawn digits (2) and their checksum (2), each with the lowest byte first. */
enum { RECORDS = 16, RECORD_BYTES = 8 };

typedef struct {
    uint32_t starts;
    uint16_t board;
} Record;

typedef enum { RECORD_GOOD, RECORD_BLANK, RECORD_DAMAGED } RecordState;

static RecordState read_record(uint8_t slot, Record *record)
{
    uint8_t bytes[RECORD_BYTES];
    uint16_t crc = CHECKSUM_START;
    bool blank = true;
    for (uint8_t at = 0; at < RECORD_BYTES; at++) {
        bytes[at] = hal_eeprom_read((uint8_t)(slot * RECORD_BYTES + at));
        blank = blank && bytes[at] == 0xFF;
        if (at < RECORD_BYTES - 2) {
            crc = checksum(crc, bytes[at]);
        }
    }
    record->starts = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16
        | (uint32_t)bytes[3] << 24;
    record->board = (uint16_t)(bytes[4] | (uint16_t)bytes[5] << 8);
    if (blank) {
        return RECORD_BLANK;
    }
    return (bytes[6] | (uint16_t)bytes[7] << 8) == crc ? RECORD_GOOD : RECORD_DAMAGED;
}

static bool write_record(uint8_t slot, const Record *record)
{
    uint8_t bytes[RECORD_BYTES] = {
        (uint8_t)record->starts,         (uint8_t)(record->starts >> 8),
        (uint8_t)(record->starts >> 16), (uint8_t)(record->starts >> 24),
        (uint8_t)record->board,          (uint8_t)(record->board >> 8),
    };
    uint16_t crc = CHECKSUM_START;
    for (uint8_t at = 0; at < RECORD_BYTES - 2; at++) {
        crc = checksum(crc, bytes[at]);
    }
    bytes[RECORD_BYTES - 2] = (uint8_t)crc;
    bytes[RECORD_BYTES - 1] = (uint8_t)(crc >> 8);
    bool right = true;
    for (uint8_t at = 0; at < RECORD_BYTES; at++) {
        uint8_t address = (uint8_t)(slot * RECORD_BYTES + at);
        hal_eeprom_write(address, bytes[at]);
        right = right && hal_eeprom_read(address) == bytes[at];
    }
    return right;
}

/* Returns the slot of the highest count, or RECORDS if there is none. */
static uint8_t find_newest(Record *newest)
{
    uint8_t newest_slot = RECORDS;
    for (uint8_t slot = 0; slot < RECORDS; slot++) {
        Record record;
        bool good = read_record(slot, &record) == RECORD_GOOD;
        if (good && (newest_slot == RECORDS || record.starts > newest->starts)) {
            *newest = record;
            newest_slot = slot;
        }
    }
    return newest_slot;
}

/* The record of this start, and the slot where it belongs. */
static uint8_t next_record(Record *next)
{
    Record newest = {0, 0};
    uint8_t slot = find_newest(&newest);
    if (slot == RECORDS) {
        *next = (Record){0, (uint16_t)hal_random()};
        return 0;
    }
    *next = newest;
    Record later;
    /* A damaged record may have been of a later start: its number is not given again. */
    do {
        slot = (uint8_t)((slot + 1) % RECORDS);
        next->starts++;
    } while (read_record(slot, &later) == RECORD_DAMAGED
             && next->starts - newest.starts < RECORDS - 1);
    if ((uint16_t)next->starts < (uint16_t)newest.starts) {
        next->board = (uint16_t)hal_random(); /* all 65536 numbers of the drawn digits are used */
    }
    return slot;
}

/* What was damaged holds this start too: the next damage then finds one of them whole. */
static void repair_damaged(const Record *newest)
{
    Record damaged;
    for (uint8_t slot = 0; slot < RECORDS; slot++) {
        if (read_record(slot, &damaged) == RECORD_DAMAGED) {
            hal_alive();
            write_record(slot, newest);
        }
    }
}

uint32_t starts_count(bool *kept)
{
    Record next;
    uint8_t slot = next_record(&next);
    for (uint8_t tried = 0; tried < RECORDS; tried++) {
        hal_alive();
        if (write_record((uint8_t)((slot + tried) % RECORDS), &next)) {
            repair_damaged(&next);
            *kept = true;
            return (uint32_t)next.board << 16 | (uint16_t)next.starts;
        }
    }
    *kept = false;
    return hal_random();
}
