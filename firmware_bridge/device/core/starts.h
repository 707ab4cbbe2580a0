/* The boot id: four digits drawn once for a board, and four that count its starts. */
#ifndef STARTS_H
#define STARTS_H

#include <stdbool.h>
#include <stdint.h>

/* Counts one more start and returns its boot id. `kept` says whether the EEPROM holds the count;
 * if it does not, all eight digits are drawn. */
uint32_t starts_count(bool *kept);

#endif
