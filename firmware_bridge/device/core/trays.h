/* Score trays: which of them answer, and when a new weight has settled. */
#ifndef TRAYS_H
#define TRAYS_H

#include <stdint.h>

void trays_start(void);

/* To be called once in a millisecond; adds the events of settled weights and silent trays. */
void trays_step(uint32_t now, uint32_t board_ms);

/* Bit per seat: its tray answers. */
uint8_t trays_present(void);

#endif
