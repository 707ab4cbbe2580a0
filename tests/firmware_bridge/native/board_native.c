/* The core as a program on a computer: its hardware is moved by commands on standard input, its time
 * by one of them. For the tests; built with sanitizers, so that a fault ends the program.
 *
 *   start MS [watchdog|brownout]   power on or reset, with the clock at MS
 *   run MS                         let the time pass
 *   jump MS                        let it pass without the board
 *   switch N 0|1                   open or close a switch input
 *   switches BITS                  all of them
 *   keypad SEAT VOLTAGE            0 to 1023
 *   tray SEAT WEIGHT|none|short    a tray that weighs ten times a second, is absent, or short to ground
 *   transfers                      answers "transfers N", how often the trays were read
 *   receive HEX                    bytes that arrive at once
 *   trickle HEX                    bytes that arrive one after the other, each read before the next
 *   wire BYTES                     how many bytes leave in a millisecond; 0 for all
 *   eeprom ADDRESS HEX             what the EEPROM holds
 *   worn ADDRESS                   a cell that cannot be written any more
 *   dump                           answers "eeprom HEX"
 *   random VALUE                   what is drawn next; one more each time
 *   encode TYPE SEQ [FIELD,...]    answers "line HEX"
 *   decode HEX                     answers "bad" or "frame TYPE SEQ FIELD,..." for each it finds
 *
 * As a library it is moved through what is not static here (bench/board.py).
 *
 * What the board sends comes as "sent MS HEX", its light as "light MS 0|1". A dot ends each answer.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "frames.h"
#include "hal.h"

enum { BUFFER = 64, CELLS = 256, TRAY_PERIOD_MS = 100, SENT_ROOM = 8192 };

typedef enum { TRAY_ABSENT, TRAY_WEIGHS, TRAY_SHORT } TrayState;

uint32_t now;
static uint16_t switches;
static uint16_t keypads[SEATS] = {1023, 1023, 1023, 1023};
static TrayState tray_states[SEATS];
static int32_t weights[SEATS];
static uint32_t weighed_at[SEATS];
static unsigned transfers;
static uint8_t received[BUFFER];
static unsigned received_count;
static unsigned lost;
uint8_t sent[SENT_ROOM];
unsigned sent_count;
static unsigned on_the_wire; /* bytes that wait in the transmit buffer */
static unsigned wire_bytes;  /* that leave it in a millisecond; 0 for all at once */
static uint8_t eeprom[CELLS];
static bool worn[CELLS];
uint32_t next_random = 0xB0A2D001;
static StartCause cause;
static bool is_program; /* and no library */
static Decoder test_decoder;

uint32_t hal_milliseconds(void)
{
    return now;
}

uint16_t hal_switches(void)
{
    return switches;
}

uint16_t hal_keypad(uint8_t seat)
{
    return keypads[seat];
}

uint8_t hal_trays_ready(void)
{
    unsigned ready = 0;
    for (unsigned seat = 0; seat < SEATS; seat++) {
        bool weighed = now - weighed_at[seat] >= TRAY_PERIOD_MS;
        if (tray_states[seat] == TRAY_SHORT || (tray_states[seat] == TRAY_WEIGHS && weighed)) {
            ready |= 1U << seat;
        }
    }
    return (uint8_t)ready;
}

uint8_t hal_trays_read(int32_t raw[SEATS])
{
    unsigned ready = hal_trays_ready();
    unsigned high = 0;
    transfers++;
    for (unsigned seat = 0; seat < SEATS; seat++) {
        if (tray_states[seat] == TRAY_SHORT) {
            raw[seat] = 0;
            continue;
        }
        high |= 1U << seat;
        raw[seat] = ready >> seat & 1 ? weights[seat] : -1;
        if (ready >> seat & 1) {
            weighed_at[seat] = now;
        }
    }
    return (uint8_t)high;
}

int16_t hal_receive(void)
{
    if (received_count == 0) {
        return -1;
    }
    uint8_t byte = received[0];
    memmove(received, received + 1, --received_count);
    return byte;
}

uint16_t hal_overruns(void)
{
    uint16_t count = (uint16_t)(lost > UINT16_MAX ? UINT16_MAX : lost);
    lost = 0;
    return count;
}

bool hal_send(uint8_t byte)
{
    if (wire_bytes != 0) {
        if (on_the_wire == BUFFER) {
            return false;
        }
        on_the_wire++;
    }
    if (sent_count == SENT_ROOM) {
        fprintf(stderr, "more than %d bytes in one millisecond\n", SENT_ROOM);
        exit(2);
    }
    sent[sent_count++] = byte;
    return true;
}

uint8_t hal_eeprom_read(uint8_t address)
{
    return eeprom[address];
}

void hal_eeprom_write(uint8_t address, uint8_t value)
{
    if (!worn[address]) {
        eeprom[address] = value;
    }
}

uint32_t hal_random(void)
{
    return next_random++;
}

StartCause hal_start_cause(void)
{
    return cause;
}

void hal_alive(void)
{
}

void hal_light(bool on)
{
    static bool was_on;
    if (on != was_on && is_program) {
        printf("light %" PRIu32 " %d\n", now, on);
    }
    was_on = on;
}

static void print_hex(const uint8_t *bytes, unsigned count)
{
    for (unsigned at = 0; at < count; at++) {
        printf("%02x", bytes[at]);
    }
    putchar('\n');
}

static void print_sent(void)
{
    if (sent_count > 0) {
        printf("sent %" PRIu32 " ", now);
        print_hex(sent, sent_count);
    }
    sent_count = 0;
}

/* Passes of the main loop until there is nothing more to do in this millisecond. */
static void pass_all(void)
{
    unsigned idle = 0;
    while (idle < 2) { /* one alone may be a restart, which is silent */
        unsigned sent_before = sent_count;
        unsigned received_before = received_count;
        board_pass();
        bool moved = sent_count != sent_before || received_count != received_before;
        idle = moved ? 0 : idle + 1;
    }
    print_sent();
}

static void run(uint32_t milliseconds)
{
    while (milliseconds-- > 0) {
        now++;
        on_the_wire -= on_the_wire < wire_bytes ? on_the_wire : wire_bytes;
        pass_all();
    }
}

static int hex_digit(char digit)
{
    const char *digits = "0123456789abcdef";
    const char *place = strchr(digits, digit);
    return place != NULL && digit != 0 ? (int)(place - digits) : -1;
}

/* Calls `take` with each byte of `hex`. */
static void each_byte(const char *hex, void (*take)(uint8_t))
{
    for (; hex_digit(hex[0]) >= 0 && hex_digit(hex[1]) >= 0; hex += 2) {
        take((uint8_t)(hex_digit(hex[0]) << 4 | hex_digit(hex[1])));
    }
}

void arrive(uint8_t byte)
{
    if (received_count == BUFFER) {
        lost++;
    } else {
        received[received_count++] = byte;
    }
}

static void arrive_and_pass(uint8_t byte)
{
    arrive(byte);
    pass_all();
}

static unsigned eeprom_at;

static void store(uint8_t byte)
{
    eeprom[eeprom_at++ % CELLS] = byte;
}

static void decode(uint8_t byte)
{
    Frame frame;
    switch (decoder_take(&test_decoder, byte, &frame)) {
    case FRAME_FOUND:
        printf("frame %c%c %u %.*s\n", frame.type[0], frame.type[1], (unsigned)frame.seq,
               (int)frame.fields_length, frame.fields);
        break;
    case FRAME_BAD:
        puts("bad");
        break;
    case NOTHING_YET:
        break;
    }
}

static void encode(const char *type, uint16_t seq, const char *fields)
{
    Line line;
    line_begin(&line, type[0], type[1], seq);
    if (fields != NULL) {
        line_text(&line, fields);
    }
    line_end(&line);
    printf("line ");
    print_hex((const uint8_t *)line.bytes, line.length);
}

static void start(uint32_t at, const char *why)
{
    now = at;
    cause = START_NORMAL;
    if (why != NULL) {
        cause = strcmp(why, "watchdog") == 0 ? START_WATCHDOG : START_BROWNOUT;
    }
    received_count = 0;
    on_the_wire = 0;
    board_start();
    pass_all();
}

static void set_tray(unsigned seat, const char *what)
{
    if (strcmp(what, "none") == 0) {
        tray_states[seat] = TRAY_ABSENT;
    } else if (strcmp(what, "short") == 0) {
        tray_states[seat] = TRAY_SHORT;
    } else {
        if (tray_states[seat] != TRAY_WEIGHS) {
            weighed_at[seat] = now;
        }
        tray_states[seat] = TRAY_WEIGHS;
        weights[seat] = (int32_t)strtol(what, NULL, 10);
    }
}

static void obey(const char *command, const char *first, const char *second, const char *third)
{
    uint32_t number = first == NULL ? 0 : (uint32_t)strtoul(first, NULL, 10);
    uint32_t value = second == NULL ? 0 : (uint32_t)strtoul(second, NULL, 10);
    if (strcmp(command, "start") == 0) {
        start(number, second);
    } else if (strcmp(command, "run") == 0) {
        run(number);
    } else if (strcmp(command, "jump") == 0) {
        now += number;
    } else if (strcmp(command, "switch") == 0) {
        switches = (uint16_t)((switches & ~(1U << number)) | value << number);
    } else if (strcmp(command, "switches") == 0) {
        switches = (uint16_t)number;
    } else if (strcmp(command, "keypad") == 0) {
        keypads[number] = (uint16_t)value;
    } else if (strcmp(command, "tray") == 0) {
        set_tray(number, second);
    } else if (strcmp(command, "transfers") == 0) {
        printf("transfers %u\n", transfers);
    } else if (strcmp(command, "receive") == 0) {
        each_byte(first, arrive);
        pass_all();
    } else if (strcmp(command, "trickle") == 0) {
        each_byte(first, arrive_and_pass);
    } else if (strcmp(command, "wire") == 0) {
        wire_bytes = number;
    } else if (strcmp(command, "eeprom") == 0) {
        eeprom_at = number;
        each_byte(second, store);
    } else if (strcmp(command, "worn") == 0) {
        worn[number] = true;
    } else if (strcmp(command, "dump") == 0) {
        printf("eeprom ");
        print_hex(eeprom, CELLS);
    } else if (strcmp(command, "random") == 0) {
        next_random = number;
    } else if (strcmp(command, "encode") == 0) {
        encode(first, (uint16_t)value, third);
    } else if (strcmp(command, "decode") == 0) {
        decoder_start(&test_decoder);
        each_byte(first == NULL ? "" : first, decode);
    } else {
        fprintf(stderr, "unknown command: %s\n", command);
        exit(2);
    }
}

int main(void)
{
    static char text[1 << 16];
    is_program = true;
    memset(eeprom, 0xFF, sizeof eeprom);
    while (fgets(text, sizeof text, stdin) != NULL) {
        const char *words[4] = {NULL, NULL, NULL, NULL};
        char *next = strtok(text, " \n");
        for (unsigned count = 0; next != NULL && count < 4; count++) {
            words[count] = next;
            next = strtok(NULL, " \n");
        }
        if (words[0] != NULL) {
            obey(words[0], words[1], words[2], words[3]);
        }
        puts(".");
        fflush(stdout);
    }
    return 0;
}
