#include "parts.h"

#include <stdlib.h>
#include <string.h>

#include "avr_adc.h"
#include "avr_ioport.h"
#include "chip.h"

#define SEATS 4
#define CHANNELS 8
#define INPUTS 16
#define NOISE_MV 8 /* one and a half steps of the converter, up or down */
#define NO_TRAY INT32_MIN
#define TRAY_BITS 24
/* HX711 data sheet: 10 conversions a second; a clock that stays high for 60 us switches it off;
   400 ms until the first value after that. */
#define CONVERSION (100000ull * CYCLES_PER_US)
#define SWITCH_OFF (60ull * CYCLES_PER_US)
#define SETTLING (400000ull * CYCLES_PER_US)
#define CHANGES 512
#define COMMAND_LENGTH 64

static const char *const INPUT_NAMES[INPUTS] = {
    "dice0", "dice1", "dice2", "dice3", "liftkey0", "liftkey1", "lift0",  "lift1",
    "lift2", "lift3", "wall",  "dome",  "spare0",   "spare1",   "spare2", "spare3",
};
/* A keypad: each key connects its resistor to ground, a pull-up holds the line. In ohms; READY has
   the wire's own. */
#define PULL_UP 4700
static const char *const KEY_NAMES[] = {"ready", "win", "kong", "pass"};
static const int KEY_OHMS[] = {1, 1600, 4700, 15000};

typedef struct port {
    char name;
    avr_irq_t *pins;
    uint8_t driven, levels; /* by the parts */
} port;

typedef struct tray {
    int32_t value;
    uint32_t shifting; /* what is being clocked out */
    int bits_out;      /* 0: not begun; 25: all read */
    uint64_t ready_at;
} tray;

typedef struct change {
    uint64_t at;
    char command[COMMAND_LENGTH];
} change;

static port port_b = {.name = 'B'}, port_d = {.name = 'D'};
static avr_irq_t *converter;
static int channel_mv[CHANNELS];
static uint16_t held;      /* inputs pulled low, as bits */
static uint16_t shifting;  /* of the 74HC165 chain; bit 0 is at its output */
static bool load_is_low, tray_clock_is_high, led_is_on;
static uint64_t tray_clock_rose_at;
static tray trays[SEATS];
static change changes[CHANGES];
static int changes_waiting;

/* The level that a part gives to a pin. Both are needed: the irq reaches the chip now, and the
   external level keeps simavr from raising the pin again when the firmware writes to the port. */
static void drive(port *to, int pin, bool level)
{
    if ((to->driven >> pin & 1) && (to->levels >> pin & 1) == level)
        return;
    to->driven |= 1 << pin;
    to->levels = (to->levels & ~(1 << pin)) | level << pin;
    avr_ioport_external_t external = {
        .name = to->name, .mask = to->driven, .value = to->levels};
    avr_ioctl(chip(), AVR_IOCTL_IOPORT_SET_EXTERNAL(to->name), &external);
    avr_raise_irq(to->pins + pin, level);
}

static void show_shift_register(void)
{
    drive(&port_d, 6, shifting & 1);
}

static void load_shift_register(void)
{
    if (load_is_low)
        shifting = ~held;
    show_shift_register();
}

static void on_load(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    load_is_low = !(value & 1);
    load_shift_register();
}

static void on_shift_clock(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    if ((value & 1) && !load_is_low) {
        shifting = shifting >> 1 | 0x8000; /* the serial input is tied high */
        show_shift_register();
    }
}

static void show_tray(int seat)
{
    const tray *shown = &trays[seat];
    bool level = shown->value == NO_TRAY || chip_now() < shown->ready_at;
    if (!level && shown->bits_out > 0)
        level = shown->bits_out > TRAY_BITS || (shown->shifting >> (TRAY_BITS - shown->bits_out) & 1);
    drive(&port_b, 1 + seat, level);
}

static void clock_tray(int seat)
{
    tray *clocked = &trays[seat];
    if (clocked->value == NO_TRAY || chip_now() < clocked->ready_at)
        return;
    if (clocked->bits_out == 0)
        clocked->shifting = (uint32_t)clocked->value & 0xFFFFFF;
    if (++clocked->bits_out > TRAY_BITS) {
        clocked->bits_out = 0;
        clocked->ready_at = chip_now() + CONVERSION;
    }
    show_tray(seat);
}

static void on_tray_clock(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    bool is_high = value & 1;
    if (is_high == tray_clock_is_high)
        return;
    tray_clock_is_high = is_high;
    if (is_high)
        tray_clock_rose_at = chip_now();
    for (int seat = 0; seat < SEATS; seat++) {
        if (is_high) {
            clock_tray(seat);
        } else if (chip_now() - tray_clock_rose_at > SWITCH_OFF) {
            trays[seat].bits_out = 0;
            trays[seat].ready_at = chip_now() + SETTLING;
            show_tray(seat);
        }
    }
}

static void on_led(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    led_is_on = value & 1;
}

/* The pins that nothing is wired to pick up whatever there is. */
static void on_conversion(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    union {
        avr_adc_mux_t mux;
        uint32_t word;
    } trigger = {.word = value};
    int channel = trigger.mux.src;
    if (trigger.mux.kind != ADC_MUX_SINGLE || channel >= CHANNELS)
        return;
    int noise = (int)(chip_random() >> 8) % (2 * NOISE_MV + 1) - NOISE_MV;
    int level = channel < SEATS ? channel_mv[channel] + noise : (int)(chip_random() >> 8) % SUPPLY_MV;
    level = level < 0 ? 0 : level > SUPPLY_MV ? SUPPLY_MV : level;
    avr_raise_irq(converter + ADC_IRQ_ADC0 + channel, level);
}

void parts_connect(void)
{
    port_b.pins = avr_io_getirq(chip(), AVR_IOCTL_IOPORT_GETIRQ('B'), 0);
    port_d.pins = avr_io_getirq(chip(), AVR_IOCTL_IOPORT_GETIRQ('D'), 0);
    converter = avr_io_getirq(chip(), AVR_IOCTL_ADC_GETIRQ, 0);
    avr_irq_register_notify(port_d.pins + 4, on_load, NULL);
    avr_irq_register_notify(port_d.pins + 5, on_shift_clock, NULL);
    avr_irq_register_notify(port_b.pins + 0, on_tray_clock, NULL);
    avr_irq_register_notify(port_b.pins + 5, on_led, NULL);
    avr_irq_register_notify(converter + ADC_IRQ_OUT_TRIGGER, on_conversion, NULL);
    for (int seat = 0; seat < SEATS; seat++) {
        channel_mv[seat] = SUPPLY_MV;
        trays[seat].value = NO_TRAY;
    }
}

/* simavr has zeroed the registers, but its irqs remember the levels before, and a level that does
   not change does not reach the chip. */
void parts_after_reset(void)
{
    for (int pin = 0; pin < 8; pin++) {
        avr_raise_irq(port_b.pins + pin, 0);
        avr_raise_irq(port_d.pins + pin, 0);
    }
    port_b.driven = port_d.driven = 0;
    show_shift_register();
    for (int seat = 0; seat < SEATS; seat++)
        show_tray(seat);
}

static int find_name(const char *name, const char *const *names, int count)
{
    for (int index = 0; index < count; index++)
        if (strcmp(name, names[index]) == 0)
            return index;
    return -1;
}

static const char *set_input(const char *name, int is_active)
{
    int input = find_name(name, INPUT_NAMES, INPUTS);
    if (input < 0)
        return "there is no such input";
    held = (held & ~(1 << input)) | (is_active != 0) << input;
    load_shift_register();
    return NULL;
}

/* Names joined by +, or none. */
static const char *press_keys(int seat, char *names)
{
    double conductance = 0;
    for (char *name = strtok(names, "+"); name != NULL; name = strtok(NULL, "+")) {
        int key = find_name(name, KEY_NAMES, 4);
        if (key >= 0)
            conductance += 1.0 / KEY_OHMS[key];
        else if (strcmp(name, "none") != 0)
            return "there is no such key";
    }
    if (seat < 0 || seat >= SEATS)
        return "there is no such seat";
    channel_mv[seat] = SUPPLY_MV / (1 + PULL_UP * conductance);
    return NULL;
}

static const char *load_tray(int seat, const char *value)
{
    if (seat < 0 || seat >= SEATS)
        return "there is no such seat";
    bool was_absent = trays[seat].value == NO_TRAY;
    trays[seat].value = strcmp(value, "absent") == 0 ? NO_TRAY : atoi(value);
    if (was_absent) {
        trays[seat].bits_out = 0;
        trays[seat].ready_at = chip_now() + SETTLING;
    }
    show_tray(seat);
    return NULL;
}

static const char *order_change(uint64_t after_us, const char *command)
{
    if (changes_waiting == CHANGES || strlen(command) >= COMMAND_LENGTH)
        return "too many or too long changes are waiting";
    uint64_t at = chip_now() + after_us * CYCLES_PER_US;
    int place = changes_waiting++;
    for (; place > 0 && changes[place - 1].at > at; place--)
        changes[place] = changes[place - 1];
    changes[place].at = at;
    strcpy(changes[place].command, command);
    return NULL;
}

static const char *bounce(const char *name, int level, int count, unsigned period_us)
{
    const char *problem = count < 1 ? "there must be a change" : NULL;
    for (int index = 0; index < count && problem == NULL; index++) {
        char command[COMMAND_LENGTH];
        int is_active = (count - 1 - index) % 2 == 0 ? level : !level;
        snprintf(command, sizeof command, "set %s %d", name, is_active);
        problem = order_change((uint64_t)index * period_us, command);
    }
    return problem;
}

const char *parts_command(const char *command)
{
    char name[25];
    int first, second, begin = 0;
    unsigned period;
    if (sscanf(command, "set %24s %d", name, &first) == 2)
        return set_input(name, first);
    if (sscanf(command, "key %d %24s", &first, name) == 2)
        return press_keys(first, name);
    if (sscanf(command, "tray %d %24s", &first, name) == 2)
        return load_tray(first, name);
    if (sscanf(command, "bounce %24s %d %d %u", name, &first, &second, &period) == 4)
        return bounce(name, first, second, period);
    if (sscanf(command, "after %u %n", &period, &begin) == 1 && begin > 0)
        return order_change(period, command + begin);
    if (sscanf(command, "adc %d %d", &first, &second) == 2 && first >= 0 && first < SEATS) {
        channel_mv[first] = second;
        return NULL;
    }
    return "there is no such command";
}

/* The converters of the trays, too, become ready by themselves. */
uint64_t parts_next_change(void)
{
    uint64_t next = changes_waiting > 0 ? changes[0].at : UINT64_MAX;
    for (int seat = 0; seat < SEATS; seat++)
        if (trays[seat].value != NO_TRAY && trays[seat].ready_at > chip_now() &&
            trays[seat].ready_at < next)
            next = trays[seat].ready_at;
    return next;
}

void parts_change(void)
{
    while (changes_waiting > 0 && changes[0].at <= chip_now()) {
        change due = changes[0];
        memmove(changes, changes + 1, --changes_waiting * sizeof *changes);
        parts_command(due.command);
    }
    for (int seat = 0; seat < SEATS; seat++) {
        bool is_low = !(port_b.levels >> (1 + seat) & 1);
        if (trays[seat].value != NO_TRAY && trays[seat].bits_out == 0 && !is_low)
            show_tray(seat);
    }
}

void parts_print_state(FILE *to)
{
    fprintf(to, " led=%d inputs=%04x", led_is_on, held);
}
