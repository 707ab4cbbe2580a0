/* The serial line: bytes to and from the chip's UART. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void wire_connect(void);
void wire_after_reset(void);
void wire_forget(void);

/* To the chip. How many bytes there was room for. */
size_t wire_send(const uint8_t *bytes, size_t count);
size_t wire_room(void);

/* From the chip: what it has sent since the last call. */
size_t wire_take(uint8_t *bytes, size_t room);

/* A pseudo-terminal at this path. */
void pty_open(const char *path, bool reset_on_open);
int pty_descriptor(void);

/* Carry bytes both ways. What nobody reads is lost, as on a wire. */
void pty_carry(void);
void pty_close(void);
