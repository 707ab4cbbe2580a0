/* Frames: bytes to checked orders, and messages to lines (docs/PROTOCOL.md, "The line"). */
#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_LINE 96 /* of a message, with its CR LF */

#ifndef ORDER_LINE
#define ORDER_LINE 32 /* of an order, with its CR LF; the native tests also decode longer ones */
#endif

/* CRC-16/IBM-3740 with one more byte; starts from CHECKSUM_START. */
#define CHECKSUM_START 0xFFFF
uint16_t checksum(uint16_t crc, uint8_t byte);

/* A line that is being written. What would not fit is left out, and `length` stays at most
 * MAX_LINE. */
typedef struct {
    uint8_t length;
    char bytes[MAX_LINE];
} Line;

void line_begin(Line *line, char first, char second, uint16_t seq);
/* Each begins a new field with a comma. */
void line_text(Line *line, const char *flash_text);
void line_decimal(Line *line, uint32_t value);
void line_signed(Line *line, int32_t value);
void line_hexadecimal(Line *line, uint32_t value);
/* Continues the last field. */
void line_more_text(Line *line, const char *flash_text);
void line_more_character(Line *line, char character);
void line_end(Line *line);

typedef struct {
    char type[2];
    uint16_t seq;
    const char *fields; /* begins with the comma of the first field; not ended by a zero */
    uint8_t fields_length;
} Frame;

typedef enum { NOTHING_YET, FRAME_FOUND, FRAME_BAD } Found;

typedef struct {
    enum { AT_LINE_START, IN_PIECE, IN_DEBUG_TEXT, IN_OVERLONG } state;
    uint8_t length;
    char bytes[ORDER_LINE];
} Decoder;

void decoder_start(Decoder *decoder);

/* Takes one byte. A frame points into the decoder: it is good until the next byte. */
Found decoder_take(Decoder *decoder, uint8_t byte, Frame *frame);

#endif
