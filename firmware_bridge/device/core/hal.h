/* What the core asks of the hardware. The Arduino sketch and the native program each answer it.
 *
 * Nothing here waits: what is not ready is reported as such, and the core comes back later.
 */
#ifndef HAL_H
#define HAL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SEATS = 4, INPUTS = 16 };

/* Why the microcontroller started, as far as it can know. */
typedef enum { START_NORMAL, START_WATCHDOG, START_BROWNOUT } StartCause;

/* Milliseconds of a steady clock, modulo 2^32; need not be 0 at the start. */
uint32_t hal_milliseconds(void);

/* The 16 switch inputs, input 0 in bit 0; a set bit is a closed contact (the line is low). */
uint16_t hal_switches(void);

/* The voltage of a seat's keypad, 0 to 1023 of the supply; the last completed measurement. */
uint16_t hal_keypad(uint8_t seat);

/* Bit per seat: the tray has a new weight to read. */
uint8_t hal_trays_ready(void);

/* Reads the trays that were ready. Returns a bit per seat whose chip ended the transfer rightly. */
uint8_t hal_trays_read(int32_t raw[SEATS]);

/* The next received byte, or -1. */
int16_t hal_receive(void);

/* Bytes that came when the receive buffer was full, since the last call. */
uint16_t hal_overruns(void);

/* Takes one byte to send; false if there is no room now. */
bool hal_send(uint8_t byte);

uint8_t hal_eeprom_read(uint8_t address);
void hal_eeprom_write(uint8_t address, uint8_t value);

/* Bits that no other board draws; asked once in 65536 starts, and if the EEPROM has failed. */
uint32_t hal_random(void);

StartCause hal_start_cause(void);

/* Tells the watchdog that the program is alive. */
void hal_alive(void);

void hal_light(bool on);

#ifdef __cplusplus
}
#endif

#endif
