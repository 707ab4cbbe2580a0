/* The UART, 115200 baud, 8N1, without ever waiting.
 *
 * In place of the Arduino core's Serial because that one throws bytes away uncounted when its
 * buffer is full, and the protocol wants them counted.
 */
#ifndef SERIAL_PORT_H
#define SERIAL_PORT_H

#include <stdbool.h>
#include <stdint.h>

void serial_port_start(void);

/* The next received byte, or -1. */
int16_t serial_port_receive(void);

/* Lost bytes since the last call. */
uint16_t serial_port_overruns(void);

/* False if there is no room. */
bool serial_port_send(uint8_t byte);

#endif
