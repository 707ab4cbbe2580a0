#include "wire.h"

#include <string.h>

#include "avr_uart.h"
#include "chip.h"

#define TO_CHIP 4096
#define FROM_CHIP 65536

static avr_irq_t *uart;
static uint8_t to_chip[TO_CHIP], from_chip[FROM_CHIP];
static size_t to_chip_count, from_chip_count;
static bool chip_has_room;

/* simavr drops what its 64-byte queue has no room for; a wire does not. */
static void feed_chip(void)
{
    size_t fed = 0;
    while (chip_has_room && fed < to_chip_count)
        avr_raise_irq(uart + UART_IRQ_INPUT, to_chip[fed++]);
    memmove(to_chip, to_chip + fed, to_chip_count -= fed);
}

static void on_room(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)value;
    (void)unused;
    chip_has_room = true;
    if (to_chip_count > 0)
        feed_chip();
}

static void on_full(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    if (value)
        chip_has_room = false;
}

static void on_byte(avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq;
    (void)unused;
    if (from_chip_count < FROM_CHIP)
        from_chip[from_chip_count++] = value;
    if (value == '\n')
        chip_line_sent();
}

void wire_connect(void)
{
    uint32_t no_flags = 0; /* by default it prints, and sleeps while the firmware polls */
    avr_ioctl(chip(), AVR_IOCTL_UART_SET_FLAGS('0'), &no_flags);
    uart = avr_io_getirq(chip(), AVR_IOCTL_UART_GETIRQ('0'), 0);
    avr_irq_register_notify(uart + UART_IRQ_OUTPUT, on_byte, NULL);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XON, on_room, NULL);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XOFF, on_full, NULL);
    chip_has_room = true;
}

void wire_after_reset(void)
{
    chip_has_room = true;
}

void wire_forget(void)
{
    to_chip_count = from_chip_count = 0;
}

size_t wire_room(void)
{
    return TO_CHIP - to_chip_count;
}

size_t wire_send(const uint8_t *bytes, size_t count)
{
    if (count > wire_room())
        count = wire_room();
    if (!chip_is_powered())
        return count;
    memcpy(to_chip + to_chip_count, bytes, count);
    to_chip_count += count;
    feed_chip();
    return count;
}

size_t wire_take(uint8_t *bytes, size_t room)
{
    size_t count = from_chip_count < room ? from_chip_count : room;
    memcpy(bytes, from_chip, count);
    memmove(from_chip, from_chip + count, from_chip_count -= count);
    return count;
}
