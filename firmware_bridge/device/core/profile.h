/* The board profile "Uno retrofit": which input is what, and how long each sensor must be steady.
 *
 * docs/BOARD.md has the same as a table, with the wiring.
 */
#ifndef PROFILE_H
#define PROFILE_H

#define FIRMWARE "uno-0.1.0"

/* Switch inputs, in the order in which the shift registers give them. */
enum {
    INPUT_DICE = 0,     /* 0 to 3: dice key of side 0 to 3 */
    INPUT_LIFT_KEY = 4, /* 4 and 5: lift keys 0 and 1 */
    INPUT_LIFT = 6,     /* 6 to 9: limit switch of the wall lift of side 0 to 3; closed is up */
    INPUT_WALL = 10,    /* the next wall is ready */
    INPUT_DOME = 11,    /* the dome is open */
    INPUTS_USED = 12    /* 12 to 15 are kept for the dealer lamps */
};

/* How long a new level must last before it counts, in milliseconds.
 *
 * Keys: contacts bounce for 1 to 6 ms. A press counts after 8 ms, so that it is known at the host
 * within 20; it is over only after 40 ms without contact, so that no bounce is a second press.
 * Limit switches shake with the plate that they stop: 50 ms.
 * The wall's photo sensor sees tiles bounce as they are pushed up; makers hold its output for that
 * reason (CN202315268U). Nobody waits for it: 150 ms, and half a second until it may come again.
 */
#define KEY_PRESSED_MS 8
#define KEY_RELEASED_MS 40
#define LIMIT_SWITCH_MS 50
#define WALL_READY_MS 150
#define WALL_GONE_MS 500

/* A keypad's voltage with each key, in 1023rds of the supply. The resistors (1 %) are 0, 1.6, 4.7
 * and 15 kilohm against 4.7 kilohm: 0, 260, 512 and 779. Two keys together give 207, 241 or 442,
 * which no window holds.
 */
#define LADDER_READY_MAX 60
#define LADDER_WIN_MIN 248
#define LADDER_WIN_MAX 300
#define LADDER_KONG_MIN 470
#define LADDER_KONG_MAX 555
#define LADDER_PASS_MIN 725
#define LADDER_PASS_MAX 830
#define LADDER_NONE_MIN 960
#define LADDER_BETWEEN_MS 100 /* longer than this between two windows is a fault ... */
#define LADDER_GOOD_MS 1000   /* ... which is gone after this time in windows */

#define STUCK_MS 30000

/* Trays: an HX711 weighs 10 times a second and shows about 100 counts of noise; a stick of 1 g on
 * a 1 kg load cell is about 2000 counts. A weight is settled when TRAY_READINGS in a row lie
 * within TRAY_STEADY counts, and new when it is TRAY_NEW counts from the last one reported.
 */
enum { TRAY_READINGS = 4 };
#define TRAY_STEADY 400
#define TRAY_NEW 1000
#define TRAY_SILENT_MS 2000
#define TRAY_TOGETHER_MS 150 /* how long a ready tray waits for the others */

/* The protocol's times. */
#define RESEND_MS 250
#define SNAPSHOT_MS 500

#define LIGHT_MS 20

#endif
