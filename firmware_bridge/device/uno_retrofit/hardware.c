#include "hardware.h"

#include <Arduino.h>
#include <avr/boot.h>
#include <avr/eeprom.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "frames.h"
#include "hal.h"
#include "serial_port.h"

/* Port D, the shift registers 74HC165. */
#define SHIFT_LOAD _BV(4)  /* D4: low takes the inputs over */
#define SHIFT_CLOCK _BV(5) /* D5 */
#define SHIFT_DATA _BV(6)  /* D6: QH, input 0 first */
/* Port B, the HX711 of the trays. */
#define TRAY_CLOCK _BV(0)    /* D8 */
#define TRAY_FIRST_DATA 1    /* D9 to D12: seat 0 to 3 */
#define TRAY_DATA (0x0F << TRAY_FIRST_DATA)
#define LIGHT _BV(5)         /* D13 */

enum { TRAY_BITS = 24, VOLTAGES = SEATS };

/* What must outlive a reset; the mark is no value that memory has by itself. */
#define WATCHDOG_MARK 0xB17EC0DEUL
static uint32_t watchdog_mark __attribute__((section(".noinit")));
static uint8_t reset_cause __attribute__((section(".noinit")));
static uint32_t memory_noise __attribute__((section(".noinit")));

static volatile uint16_t voltages[VOLTAGES];
static volatile uint8_t measuring;
static uint32_t measured_at;

/* What static memory holds when the power comes on differs from chip to chip. */
static uint16_t checksum_of_memory(uint16_t crc)
{
    for (const uint8_t *at = (const uint8_t *)RAMSTART; at < (const uint8_t *)SP; at++) {
        crc = checksum(crc, *at);
    }
    return crc;
}

/* Before variables get their values. The watchdog may still run from the reset that it caused. */
void before_variables(void) __attribute__((naked, used, section(".init3")));
static void __attribute__((noinline)) note_reset(void)
{
    uint8_t cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
    uint32_t noise = (uint32_t)checksum_of_memory(CHECKSUM_START) << 16 | checksum_of_memory(0);
    reset_cause = cause;
    memory_noise = noise;
}

void before_variables(void)
{
    note_reset();
}

/* The program hangs. Start it anew at once: a reset would go through the bootloader, and the one
 * of older Nanos never comes back from a watchdog reset. If even this interrupt does not run, the
 * watchdog resets the chip one period later. */
ISR(WDT_vect)
{
    watchdog_mark = WATCHDOG_MARK;
    __asm__ volatile("jmp 0");
}

static void start_watchdog(void)
{
    noInterrupts();
    wdt_reset();
    WDTCSR = _BV(WDCE) | _BV(WDE);
    WDTCSR = _BV(WDIE) | _BV(WDE) | _BV(WDP2) | _BV(WDP1); /* interrupt, then reset; 1 s */
    interrupts();
}

void hardware_start(void)
{
    DDRD |= SHIFT_LOAD | SHIFT_CLOCK;
    PORTD |= SHIFT_LOAD | SHIFT_DATA; /* without shift registers all inputs read as open */
    DDRB |= TRAY_CLOCK | LIGHT;
    PORTB |= TRAY_DATA; /* a tray that is not there is never ready */
    (void)analogRead(0); /* the first after switching the reference on is not exact */
    for (uint8_t seat = 0; seat < VOLTAGES; seat++) {
        voltages[seat] = (uint16_t)analogRead(seat);
    }
    ADCSRA |= _BV(ADIE);
    serial_port_start();
    start_watchdog();
    set_sleep_mode(SLEEP_MODE_IDLE);
}

static void measure(uint8_t seat)
{
    measuring = seat;
    ADMUX = _BV(REFS0) | seat; /* of the supply, as the ladders are */
    ADCSRA |= _BV(ADSC);
}

ISR(ADC_vect)
{
    voltages[measuring] = ADC;
    if (measuring + 1 < VOLTAGES) {
        measure((uint8_t)(measuring + 1));
    }
}

void hardware_pass(void)
{
    uint32_t now = millis();
    if (now != measured_at && bit_is_clear(ADCSRA, ADSC)) {
        measured_at = now;
        measure(0);
    }
}

void hardware_rest(void)
{
    sleep_mode();
}

uint32_t hal_milliseconds(void)
{
    return millis();
}

uint16_t hal_switches(void)
{
    uint16_t low = 0;
    PORTD &= (uint8_t)~SHIFT_LOAD;
    PORTD &= (uint8_t)~SHIFT_CLOCK;
    PORTD |= SHIFT_LOAD;
    for (uint8_t input = 0; input < INPUTS; input++) {
        if ((PIND & SHIFT_DATA) == 0) {
            low |= (uint16_t)(1U << input);
        }
        PORTD |= SHIFT_CLOCK;
        PORTD &= (uint8_t)~SHIFT_CLOCK;
    }
    return low;
}

uint16_t hal_keypad(uint8_t seat)
{
    uint16_t voltage;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        voltage = voltages[seat];
    }
    return voltage;
}

static uint8_t tray_lines(void)
{
    return (uint8_t)(PINB >> TRAY_FIRST_DATA & 0x0F);
}

uint8_t hal_trays_ready(void)
{
    return (uint8_t)~tray_lines() & 0x0F;
}

/* One clock of 1 microsecond. An HX711 falls asleep if the clock is high for 60: no interrupt may
 * come between. */
static uint8_t clock_trays(void)
{
    noInterrupts();
    PORTB |= TRAY_CLOCK;
    delayMicroseconds(1);
    uint8_t lines = tray_lines();
    PORTB &= (uint8_t)~TRAY_CLOCK;
    interrupts();
    delayMicroseconds(1);
    return lines;
}

uint8_t hal_trays_read(int32_t raw[SEATS])
{
    uint32_t bits[SEATS] = {0, 0, 0, 0};
    for (uint8_t bit = 0; bit < TRAY_BITS; bit++) {
        uint8_t lines = clock_trays();
        for (uint8_t seat = 0; seat < SEATS; seat++) {
            bits[seat] = bits[seat] << 1 | (lines >> seat & 1);
        }
    }
    clock_trays(); /* the 25th asks for channel A with gain 128, and ends the transfer */
    for (uint8_t seat = 0; seat < SEATS; seat++) {
        raw[seat] = (int32_t)(bits[seat] << 8) >> 8; /* 24 bits with their sign */
    }
    return tray_lines();
}

int16_t hal_receive(void)
{
    return serial_port_receive();
}

uint16_t hal_overruns(void)
{
    return serial_port_overruns();
}

bool hal_send(uint8_t byte)
{
    return serial_port_send(byte);
}

uint8_t hal_eeprom_read(uint8_t address)
{
    return eeprom_read_byte((const uint8_t *)(uintptr_t)address);
}

void hal_eeprom_write(uint8_t address, uint8_t value)
{
    eeprom_update_byte((uint8_t *)(uintptr_t)address, value);
}

/* The memory at power-on, the chip's own bytes (lot, wafer and place on it, where the maker has
 * left them) and the last bits of its thermometer. */
uint32_t hal_random(void)
{
    uint16_t high = (uint16_t)(memory_noise >> 16);
    uint16_t low = (uint16_t)memory_noise;
    for (uint8_t address = 0x0E; address < 0x18; address++) {
        uint8_t byte = boot_signature_byte_get(address);
        high = checksum(high, byte);
        low = checksum(low, (uint8_t)~byte);
    }
    ADCSRA &= (uint8_t)~_BV(ADIE);
    loop_until_bit_is_clear(ADCSRA, ADSC);
    ADMUX = _BV(REFS1) | _BV(REFS0) | _BV(MUX3);
    for (uint8_t measured = 0; measured < 64; measured++) {
        ADCSRA |= _BV(ADSC);
        loop_until_bit_is_clear(ADCSRA, ADSC);
        high = checksum(high, ADCL);
        low = checksum(low, (uint8_t)(ADCH ^ TCNT0));
    }
    (void)analogRead(0); /* back to the supply as reference, which takes one measurement */
    memory_noise = (uint32_t)high << 16 | low;
    ADCSRA |= _BV(ADIF) | _BV(ADIE);
    return memory_noise;
}

/* Most bootloaders clear the chip's own note of the cause before this program can read it. The
 * watchdog leaves its mark in memory; a brown-out is known only where the note is left. A bootloader
 * that was entered by the reset key may itself have used the watchdog to leave: that does not count.
 */
StartCause hal_start_cause(void)
{
    bool marked = watchdog_mark == WATCHDOG_MARK && !(reset_cause & _BV(PORF));
    watchdog_mark = 0;
    if (marked || (reset_cause & (_BV(WDRF) | _BV(EXTRF) | _BV(PORF))) == _BV(WDRF)) {
        return START_WATCHDOG;
    }
    bool brownout = (reset_cause & _BV(BORF)) && !(reset_cause & _BV(PORF));
    return brownout ? START_BROWNOUT : START_NORMAL;
}

void hal_alive(void)
{
    wdt_reset();
}

void hal_light(bool on)
{
    if (on) {
        PORTB |= LIGHT;
    } else {
        PORTB &= (uint8_t)~LIGHT;
    }
}
