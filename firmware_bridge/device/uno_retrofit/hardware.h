/* The pins and peripherals of an ATmega328P at 16 MHz; answers core/hal.h. */
#ifndef HARDWARE_H
#define HARDWARE_H

#ifdef __cplusplus
extern "C" {
#endif

void hardware_start(void);

/* To be called again and again: takes a finished voltage and starts the next. */
void hardware_pass(void);

#ifdef __cplusplus
}
#endif

#endif
