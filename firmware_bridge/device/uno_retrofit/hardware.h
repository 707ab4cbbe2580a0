/* The pins and peripherals of an ATmega328P at 16 MHz; answers core/hal.h. */
#ifndef HARDWARE_H
#define HARDWARE_H

#ifdef __cplusplus
extern "C" {
#endif

void hardware_start(void);

/* To be called again and again: lets the voltages be measured once in a millisecond. */
void hardware_pass(void);

/* Sleeps until the next interrupt, a millisecond at most. */
void hardware_rest(void);

#ifdef __cplusplus
}
#endif

#endif
