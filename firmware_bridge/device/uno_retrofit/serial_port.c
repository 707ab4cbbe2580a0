#include "serial_port.h"

#include <Arduino.h>
#include <util/atomic.h>

enum { ROOM = 64 }; /* bytes in each direction; a power of 2 */

/* Places are counted on without end; what is between `taken` and `put` waits. */
static uint8_t received[ROOM];
static volatile uint8_t received_put;
static volatile uint8_t received_taken;
static volatile uint16_t lost;

static uint8_t to_send[ROOM];
static volatile uint8_t to_send_put;
static volatile uint8_t to_send_taken;

void serial_port_start(void)
{
    UCSR0A = _BV(U2X0); /* before the rate: simavr takes it over when the rate is set */
    UBRR0 = F_CPU / 8 / 115200 - 1 + (F_CPU / 8 % 115200 > 115200 / 2);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

ISR(USART_RX_vect)
{
    bool overrun = UCSR0A & _BV(DOR0); /* the interrupt came too late for the byte before this */
    uint8_t byte = UDR0;
    if ((uint8_t)(received_put - received_taken) < ROOM) {
        received[received_put % ROOM] = byte;
        received_put++;
    } else if (lost < UINT16_MAX) {
        lost++;
    }
    if (overrun && lost < UINT16_MAX) {
        lost++;
    }
}

ISR(USART_UDRE_vect)
{
    if (to_send_put == to_send_taken) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = to_send[to_send_taken % ROOM];
    to_send_taken++;
}

int16_t serial_port_receive(void)
{
    if (received_put == received_taken) {
        return -1;
    }
    uint8_t byte = received[received_taken % ROOM];
    received_taken++;
    return byte;
}

uint16_t serial_port_overruns(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        count = lost;
        lost = 0;
    }
    return count;
}

bool serial_port_send(uint8_t byte)
{
    if ((uint8_t)(to_send_put - to_send_taken) == ROOM) {
        return false;
    }
    to_send[to_send_put % ROOM] = byte;
    to_send_put++;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        UCSR0B |= _BV(UDRIE0);
    }
    return true;
}
