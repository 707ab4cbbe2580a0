#include "board.h"

#include "events.h"
#include "frames.h"
#include "hal.h"
#include "inputs.h"
#include "profile.h"
#include "starts.h"
#include "text.h"
#include "trays.h"

#define PROTOCOL 1

typedef enum { NO_ANSWER, ANSWER_OK, ANSWER_NO } Answer;

static uint32_t boot_id;
static uint32_t started_at;
static uint32_t sampled_at;
static uint32_t snapshot_sent_at;
static uint32_t light_since;
static bool hello_due;
static bool snapshot_due;
static bool light_on;

static Decoder orders;
static uint16_t bad_lines;
static uint16_t overruns;
static Answer answer_due;
static uint16_t answer_seq;
static bool restart_due;

static Line outgoing;
static uint8_t outgoing_sent;

static uint16_t saturated_sum(uint16_t counter, uint16_t more)
{
    return more > UINT16_MAX - counter ? UINT16_MAX : (uint16_t)(counter + more);
}

static void start(StartCause cause)
{
    bool starts_are_kept;
    boot_id = starts_count(&starts_are_kept);
    started_at = hal_milliseconds();
    sampled_at = started_at;
    hello_due = true;
    light_on = false;
    hal_light(false);
    while (hal_receive() >= 0) {
    }
    (void)hal_overruns();
    decoder_start(&orders);
    bad_lines = 0;
    overruns = 0;
    answer_due = NO_ANSWER;
    restart_due = false;
    outgoing.length = 0;
    outgoing_sent = 0;
    events_start();
    inputs_start(started_at);
    trays_start();
    if (!starts_are_kept) {
        events_add(FAULT, 0, FAULT_EEPROM, 0);
    }
    if (cause != START_NORMAL) {
        events_add(FAULT, 0, cause == START_WATCHDOG ? FAULT_WATCHDOG : FAULT_BROWNOUT, 0);
    }
}

void board_start(void)
{
    start(hal_start_cause());
}

static void answer_with(Answer answer, uint16_t seq)
{
    answer_due = answer;
    answer_seq = seq;
}

static bool is_order(const Frame *frame, char first, char second)
{
    return frame->type[0] == first && frame->type[1] == second;
}

/* Reads the one field of AK, eight capital hexadecimal digits. */
static bool read_boot_id(const Frame *frame, uint32_t *id)
{
    if (frame->fields_length != 9) {
        return false;
    }
    *id = 0;
    for (uint8_t at = 1; at < 9; at++) {
        char digit = frame->fields[at];
        if (digit >= '0' && digit <= '9') {
            *id = *id << 4 | (uint32_t)(digit - '0');
        } else if (digit >= 'A' && digit <= 'F') {
            *id = *id << 4 | (uint32_t)(digit - 'A' + 10);
        } else {
            return false;
        }
    }
    return true;
}

static void obey(const Frame *frame)
{
    uint32_t id;
    if (is_order(frame, 'A', 'K') && read_boot_id(frame, &id)) {
        if (id == boot_id) {
            events_forget(frame->seq);
        }
        return;
    }
    if (is_order(frame, 'R', 'Q')) {
        hello_due = true;
        events_repeat();
    } else if (is_order(frame, 'R', 'S')) {
        restart_due = true;
    } else if (!is_order(frame, 'P', 'I')) {
        bad_lines = saturated_sum(bad_lines, 1);
        answer_with(ANSWER_NO, frame->seq);
        return;
    }
    answer_with(ANSWER_OK, frame->seq);
}

/* Reads what has come, up to the first order that wants an answer. What follows an RS is lost, as
 * in a reset. */
static void receive(void)
{
    overruns = saturated_sum(overruns, hal_overruns());
    int16_t byte;
    while (answer_due == NO_ANSWER && !restart_due && (byte = hal_receive()) >= 0) {
        Frame frame;
        switch (decoder_take(&orders, (uint8_t)byte, &frame)) {
        case FRAME_FOUND:
            obey(&frame);
            break;
        case FRAME_BAD:
            bad_lines = saturated_sum(bad_lines, 1);
            break;
        case NOTHING_YET:
            break;
        }
    }
}

static void write_answer(void)
{
    if (answer_due == ANSWER_OK) {
        line_begin(&outgoing, 'O', 'K', answer_seq);
    } else {
        line_begin(&outgoing, 'N', 'O', answer_seq);
        line_text(&outgoing, TEXT("TYPE"));
    }
    line_end(&outgoing);
    answer_due = NO_ANSWER;
}

static void begin_message(char first, char second, uint32_t now)
{
    line_begin(&outgoing, first, second, events_last());
    line_hexadecimal(&outgoing, boot_id);
    line_decimal(&outgoing, now - started_at);
    line_decimal(&outgoing, events_pending());
}

static void write_hello(uint32_t now)
{
    begin_message('H', 'I', now);
    line_decimal(&outgoing, PROTOCOL);
    line_text(&outgoing, TEXT(FIRMWARE));
    events_write_kinds(&outgoing);
    line_end(&outgoing);
    hello_due = false;
    snapshot_due = true;
}

static void write_snapshot(uint32_t now)
{
    begin_message('S', 'T', now);
    line_hexadecimal(&outgoing, inputs_levels() | (uint32_t)trays_present() << 28);
    line_decimal(&outgoing, bad_lines);
    line_decimal(&outgoing, overruns);
    line_end(&outgoing);
    snapshot_due = false;
    snapshot_sent_at = now;
    light_on = true;
    light_since = now;
    hal_light(true);
}

/* Leaves `outgoing` empty if there is nothing to say. */
static void write_next_line(uint32_t now)
{
    if (answer_due != NO_ANSWER) {
        write_answer();
    } else if (hello_due) {
        write_hello(now);
    } else if (snapshot_due) {
        write_snapshot(now);
    } else if (!events_next_line(now, boot_id, &outgoing)
               && now - snapshot_sent_at >= SNAPSHOT_MS) {
        write_snapshot(now);
    }
}

/* Hands over as much of the line as there is room for; a whole one makes place for the next. */
static void send(void)
{
    while (outgoing_sent < outgoing.length && hal_send((uint8_t)outgoing.bytes[outgoing_sent])) {
        outgoing_sent++;
    }
    if (outgoing_sent == outgoing.length) {
        outgoing.length = 0;
        outgoing_sent = 0;
    }
}

static void sample(uint32_t now)
{
    sampled_at = now;
    hal_alive(); /* a clock that stands still is no life */
    inputs_step(now, now - started_at);
    trays_step(now, now - started_at);
    if (light_on && now - light_since >= LIGHT_MS) {
        light_on = false;
        hal_light(false);
    }
}

void board_pass(void)
{
    uint32_t now = hal_milliseconds();
    if (now != sampled_at) {
        sample(now);
    }
    receive();
    if (outgoing.length == 0) {
        if (restart_due && answer_due == NO_ANSWER) {
            start(START_NORMAL);
            return;
        }
        write_next_line(now);
    }
    send();
}
