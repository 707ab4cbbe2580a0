/* The board: one pass of its main loop after the other, without ever waiting. */
#ifndef BOARD_H
#define BOARD_H

#ifdef __cplusplus
extern "C" {
#endif

void board_start(void);
void board_pass(void);

#ifdef __cplusplus
}
#endif

#endif
