#include "chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avr_eeprom.h"
#include "avr_extint.h"
#include "avr_watchdog.h"
#include "parts.h"
#include "sim_elf.h"
#include "wire.h"

#define EEPROM_SIZE 1024
#define RESET_CAUSES 0x54 /* MCUSR */
#define WATCHDOG_CONTROL 0x60 /* WDTCSR */
#define WATCHDOG_VECTOR 6
#define POWER_ON 0x01
#define RESET_PIN 0x02
#define WATCHDOG 0x08
#define BRANCH_TO_ITSELF 0xCFFF
/* simavr looks at its timers after at most so many cycles. */
#define LONGEST_RUN 160

static avr_t *avr;
static elf_firmware_t firmware;
static chip_options options;
static chip_counts counts;
static uint64_t stopped_cycles; /* for which the chip's own counter stood still */
static uint64_t held_until;     /* by the bootloader */
static bool is_powered, was_reset, line_was_sent, waits_for_main;
static uint32_t random_state;
static uint8_t kept_eeprom[EEPROM_SIZE];
static uint64_t alarm_since; /* the watchdog's interrupt waits to be served; UINT64_MAX: it does not */
static struct {
    bool is_set;
    uint32_t address;
    uint8_t code[2];
} hang;

static void die(const char *sentence)
{
    fprintf(stderr, "%s\n", sentence);
    exit(2);
}

/* simavr writes some of its log to stdout, where our answers go. */
static void log_to_stderr(avr_t *from, const int level, const char *format, va_list arguments)
{
    (void)from;
    if (level <= LOG_ERROR)
        vfprintf(stderr, format, arguments);
}

/* We pace the chip ourselves; simavr would do so only while it sleeps. */
static void do_not_sleep(avr_t *from, avr_cycle_count_t how_long)
{
    (void)from;
    (void)how_long;
}

static void note_reset(avr_io_t *port)
{
    (void)port;
    was_reset = true;
}

static avr_io_t reset_watcher = {.kind = "harness", .reset = note_reset};

avr_t *chip(void)
{
    return avr;
}

uint64_t chip_now(void)
{
    return avr->cycle + stopped_cycles;
}

uint32_t chip_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

chip_counts chip_get_counts(void)
{
    return counts;
}

bool chip_is_powered(void)
{
    return is_powered;
}

static bool find_symbol(const char *name, uint32_t *address)
{
    for (uint32_t index = 0; index < firmware.symbolcount; index++) {
        if (strcmp(firmware.symbol[index]->symbol, name) == 0) {
            *address = firmware.symbol[index]->addr;
            return true;
        }
    }
    return false;
}

/* NULL: the firmware has no such counter. */
static uint8_t *millis_counter(void)
{
    uint32_t address;
    /* ELF puts data behind 0x800000. */
    return find_symbol("timer0_millis", &address) ? avr->data + (address & 0xFFFF) : NULL;
}

bool chip_skip(uint32_t milliseconds)
{
    uint8_t *counter = millis_counter();
    if (counter == NULL)
        return false;
    uint32_t millis = 0;
    for (int byte = 3; byte >= 0; byte--)
        millis = millis << 8 | counter[byte];
    millis += milliseconds;
    for (int byte = 0; byte < 4; byte++)
        counter[byte] = millis >> (8 * byte);
    return true;
}

static void mend_hang(void)
{
    if (hang.is_set)
        memcpy(avr->flash + hang.address, hang.code, sizeof hang.code);
    hang.is_set = false;
}

void chip_hang(bool is_deaf)
{
    mend_hang();
    if (is_deaf) {
        avr->sreg[S_I] = 0;
        avr->data[R_SREG] &= ~(1 << S_I);
    }
    avr->state = cpu_Running; /* the firmware rests in between: it must not hang asleep */
    hang.is_set = true;
    hang.address = avr->pc;
    memcpy(hang.code, avr->flash + avr->pc, sizeof hang.code);
    avr->flash[avr->pc] = BRANCH_TO_ITSELF & 0xFF;
    avr->flash[avr->pc + 1] = BRANCH_TO_ITSELF >> 8;
}

static void on_alarm(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    alarm_since = value ? chip_now() : UINT64_MAX;
}

static void on_alarm_served(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    if (value) {
        counts.watchdog_interrupts++;
        mend_hang();
    }
}

/* What simavr leaves undone at a reset, its own by the watchdog included. */
static void after_reset(void)
{
    was_reset = false;
    mend_hang();
    /* Else a low level at D2 or D3 would be looked at in every cycle: most of the time went there. */
    avr_extint_set_strict_lvl_trig(avr, 0, 0);
    avr_extint_set_strict_lvl_trig(avr, 1, 0);
    counts.resets++;
    counts.watchdog_resets += (avr->data[RESET_CAUSES] & WATCHDOG) != 0;
    alarm_since = UINT64_MAX;
    parts_after_reset();
    wire_after_reset();
}

static void reset(uint8_t cause)
{
    avr_reset(avr);
    avr->data[RESET_CAUSES] = cause;
    after_reset();
    if (cause != WATCHDOG)
        held_until = chip_now() + (uint64_t)options.bootloader_ms * 1000 * CYCLES_PER_US;
}

/* Data sheet, WDIE: "If the interrupt is not executed before the next time-out, a System Reset
   will be applied." simavr would wait for ever. */
static void watch_unserved_alarm(void)
{
    if (alarm_since == UINT64_MAX)
        return;
    uint8_t control = avr->data[WATCHDOG_CONTROL];
    unsigned doublings = (control & 7) | (control >> 2 & 8);
    if (chip_now() - alarm_since >= (16000ull << doublings) * CYCLES_PER_US)
        reset(WATCHDOG);
}

void chip_press_reset(void)
{
    if (is_powered)
        reset(RESET_PIN);
}

void chip_power(bool on)
{
    if (on == is_powered)
        return;
    is_powered = on;
    if (!on) {
        wire_forget();
        return;
    }
    for (int address = avr->ioend + 1; address <= avr->ramend; address++)
        avr->data[address] = chip_random();
    reset(POWER_ON);
}

static void stand_still(uint64_t until)
{
    if (chip_now() < until)
        stopped_cycles += until - chip_now();
}

/* Before main, the start-up code would overwrite the counter with 0. */
static void set_millis_at_main(void)
{
    uint32_t start;
    if (!find_symbol("main", &start) || avr->pc != start)
        return;
    waits_for_main = false;
    avr->run_cycle_limit = LONGEST_RUN;
    if (!chip_skip(options.millis))
        die("The firmware has no counter timer0_millis to set.");
}

static bool run_chip(uint64_t until, bool stop_at_line)
{
    while (chip_now() < until && !(stop_at_line && line_was_sent)) {
        uint64_t next = parts_next_change(); /* a tray that was read weighs again, and is then due */
        if (next < until)
            until = next;
        int state = avr_run(avr);
        if (was_reset)
            after_reset();
        if (state == cpu_Done || state == cpu_Crashed)
            return false;
        watch_unserved_alarm();
        if (waits_for_main)
            set_millis_at_main();
    }
    return true;
}

bool chip_run(uint64_t until, bool stop_at_line)
{
    line_was_sent = false;
    while (chip_now() < until && !(stop_at_line && line_was_sent)) {
        uint64_t next = parts_next_change();
        if (next > until)
            next = until;
        if (!is_powered)
            stand_still(next);
        else if (chip_now() < held_until)
            stand_still(held_until < next ? held_until : next);
        else if (!run_chip(next, stop_at_line))
            return false;
        parts_change();
    }
    return true;
}

void chip_line_sent(void)
{
    line_was_sent = true;
    avr->run_cycle_count = 0; /* so that avr_run returns soon */
}

static uint8_t *eeprom(void)
{
    avr_eeprom_desc_t memory = {.offset = 0, .size = 1};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &memory);
    return memory.ee;
}

const char *chip_load_eeprom(const char *file)
{
    FILE *opened = fopen(file, "rb");
    if (opened == NULL)
        return "the file cannot be opened";
    size_t size = fread(eeprom(), 1, EEPROM_SIZE, opened);
    fclose(opened);
    return size == EEPROM_SIZE ? NULL : "the file is shorter than the memory";
}

const char *chip_save_eeprom(const char *file)
{
    FILE *opened = fopen(file, "wb");
    if (opened == NULL)
        return "the file cannot be opened";
    size_t size = fwrite(eeprom(), 1, EEPROM_SIZE, opened);
    return (fclose(opened) == 0 && size == EEPROM_SIZE) ? NULL : "the file cannot be written";
}

void chip_keep_eeprom(void)
{
    if (options.eeprom_file == NULL || memcmp(kept_eeprom, eeprom(), EEPROM_SIZE) == 0)
        return;
    memcpy(kept_eeprom, eeprom(), EEPROM_SIZE);
    if (chip_save_eeprom(options.eeprom_file) != NULL)
        die("The file for the EEPROM cannot be written.");
}

void chip_start(const chip_options *given)
{
    options = *given;
    random_state = options.seed * 2654435761u + 1;
    avr_global_logger_set(log_to_stderr);
    if (elf_read_firmware(options.firmware, &firmware) != 0)
        die("The firmware cannot be read: build it first.");
    avr = avr_make_mcu_by_name("atmega328p");
    if (avr == NULL)
        die("This simavr does not know the atmega328p.");
    firmware.frequency = CYCLES_PER_US * 1000000;
    firmware.vcc = firmware.avcc = firmware.aref = SUPPLY_MV;
    avr_init(avr);
    avr_load_firmware(avr, &firmware);
    avr->sleep = do_not_sleep;
    avr->run_cycle_limit = LONGEST_RUN;
    avr_register_io(avr, &reset_watcher);
    avr_irq_t *alarm = avr_get_interrupt_irq(avr, WATCHDOG_VECTOR);
    avr_irq_register_notify(alarm + AVR_INT_IRQ_PENDING, on_alarm, NULL);
    avr_irq_register_notify(alarm + AVR_INT_IRQ_RUNNING, on_alarm_served, NULL);
    parts_connect();
    wire_connect();
    if (options.eeprom_file != NULL && chip_load_eeprom(options.eeprom_file) == NULL)
        memcpy(kept_eeprom, eeprom(), EEPROM_SIZE);
    if (options.millis >= 0) {
        waits_for_main = true;
        avr->run_cycle_limit = 1;
    }
    chip_power(true);
    counts = (chip_counts){0};
}
