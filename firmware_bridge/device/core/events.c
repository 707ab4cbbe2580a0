#include "events.h"

#include "profile.h"
#include "text.h"

static Event kept[KEPT_EVENTS];
static uint8_t oldest;
static uint8_t pending;
static uint8_t sent; /* how many of the kept events were sent in this round */
static uint16_t last_seq;
static bool repeating;
static uint32_t repeat_from; /* the first was sent, or a repetition went on */

void events_start(void)
{
    oldest = 0;
    pending = 0;
    sent = 0;
    repeating = false;
    last_seq = 0;
}

static void forget_oldest(void)
{
    oldest = (uint8_t)((oldest + 1) % KEPT_EVENTS);
    pending--;
    if (sent > 0) {
        sent--;
    }
}

void events_add(EventKind kind, uint8_t place, int32_t value, uint32_t board_ms)
{
    if (pending == KEPT_EVENTS) {
        forget_oldest();
    }
    Event *added = &kept[(oldest + pending) % KEPT_EVENTS];
    added->board_ms = board_ms;
    added->value = value;
    added->kind = (uint8_t)kind;
    added->place = place;
    pending++;
    last_seq++;
}

void events_forget(uint16_t seq)
{
    uint16_t newer = (uint16_t)(last_seq - seq);
    while (pending > newer) {
        forget_oldest();
    }
}

uint8_t events_pending(void)
{
    return pending;
}

uint16_t events_last(void)
{
    return last_seq;
}

static const char *kind_name(uint8_t kind)
{
    switch (kind) {
    case DICE:
        return TEXT("DICE");
    case WALL:
        return TEXT("WALL");
    case DOME:
        return TEXT("DOME");
    case KEY:
        return TEXT("KEY");
    case LIFT:
        return TEXT("LIFT");
    case LIFTKEY:
        return TEXT("LIFTKEY");
    case TRAY:
        return TEXT("TRAY");
    default:
        return TEXT("FAULT");
    }
}

void events_write_kinds(Line *line)
{
    line_text(line, kind_name(0));
    for (uint8_t kind = 1; kind < KINDS; kind++) {
        line_more_character(line, '+');
        line_more_text(line, kind_name(kind));
    }
}

static const char *key_name(int32_t key)
{
    switch (key) {
    case KEY_READY:
        return TEXT("READY");
    case KEY_WIN:
        return TEXT("WIN");
    case KEY_KONG:
        return TEXT("KONG");
    default:
        return TEXT("PASS");
    }
}

static void write_fault(Line *line, const Event *event)
{
    switch (event->value) {
    case FAULT_STUCK_KEYPAD:
        line_text(line, TEXT("STUCK-K"));
        break;
    case FAULT_STUCK_DICE_KEY:
        line_text(line, TEXT("STUCK-D"));
        break;
    case FAULT_STUCK_LIFT_KEY:
        line_text(line, TEXT("STUCK-L"));
        break;
    case FAULT_LADDER:
        line_text(line, TEXT("LADDER-"));
        break;
    case FAULT_TRAY:
        line_text(line, TEXT("TRAY-"));
        break;
    case FAULT_EEPROM:
        line_text(line, TEXT("EEPROM"));
        return;
    case FAULT_WATCHDOG:
        line_text(line, TEXT("WATCHDOG"));
        return;
    default:
        line_text(line, TEXT("BROWNOUT"));
        return;
    }
    line_more_character(line, (char)('0' + event->place));
}

static void write_fields(Line *line, const Event *event)
{
    switch (event->kind) {
    case WALL:
        break;
    case DOME:
        line_decimal(line, (uint32_t)event->value);
        break;
    case KEY:
        line_decimal(line, event->place);
        line_text(line, key_name(event->value));
        break;
    case LIFT:
        line_decimal(line, event->place);
        line_decimal(line, (uint32_t)event->value);
        break;
    case TRAY:
        line_decimal(line, event->place);
        line_signed(line, event->value);
        break;
    case FAULT:
        write_fault(line, event);
        break;
    default: /* DICE, LIFTKEY */
        line_decimal(line, event->place);
        break;
    }
}

void events_repeat(void)
{
    sent = 0;
    repeating = true;
}

bool events_next_line(uint32_t now, uint32_t boot_id, Line *line)
{
    if (sent == pending && pending > 0 && now - repeat_from >= RESEND_MS) {
        events_repeat();
    }
    if (sent == pending) {
        return false;
    }
    const Event *event = &kept[(oldest + sent) % KEPT_EVENTS];
    line_begin(line, 'E', 'V', (uint16_t)(last_seq - (pending - 1 - sent)));
    line_hexadecimal(line, boot_id);
    line_decimal(line, event->board_ms);
    line_text(line, kind_name(event->kind));
    write_fields(line, event);
    line_end(line);
    /* A new event does not put the repetition of the older ones off: hurried players would do so
     * until there is no room for them. */
    if (sent == 0 || repeating) {
        repeat_from = now;
    }
    sent++;
    repeating = repeating && sent < pending;
    return true;
}
