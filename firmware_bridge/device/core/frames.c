#include "frames.h"

#include "text.h"

uint16_t checksum(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)(crc ^ (uint16_t)byte << 8);
    for (uint8_t bit = 0; bit < 8; bit++) {
        crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1);
    }
    return crc;
}

static char hexadecimal_digit(uint8_t value)
{
    return (char)(value < 10 ? '0' + value : 'A' + value - 10);
}

void line_more_character(Line *line, char character)
{
    if (line->length < MAX_LINE) {
        line->bytes[line->length++] = character;
    }
}

void line_more_text(Line *line, const char *flash_text)
{
    for (char next; (next = text_character(flash_text)) != 0; flash_text++) {
        line_more_character(line, next);
    }
}

static void more_decimal(Line *line, uint32_t value)
{
    char digits[10];
    uint8_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count > 0) {
        line_more_character(line, digits[--count]);
    }
}

static void more_hexadecimal(Line *line, uint32_t value, uint8_t digits)
{
    while (digits > 0) {
        digits--;
        line_more_character(line, hexadecimal_digit((uint8_t)(value >> (4 * digits) & 0xF)));
    }
}

void line_begin(Line *line, char first, char second, uint16_t seq)
{
    line->length = 0;
    line_more_character(line, '$');
    line_more_character(line, first);
    line_more_character(line, second);
    line_decimal(line, seq);
}

void line_text(Line *line, const char *flash_text)
{
    line_more_character(line, ',');
    line_more_text(line, flash_text);
}

void line_decimal(Line *line, uint32_t value)
{
    line_more_character(line, ',');
    more_decimal(line, value);
}

void line_signed(Line *line, int32_t value)
{
    line_more_character(line, ',');
    if (value < 0) {
        line_more_character(line, '-');
        more_decimal(line, 0 - (uint32_t)value);
    } else {
        more_decimal(line, (uint32_t)value);
    }
}

void line_hexadecimal(Line *line, uint32_t value)
{
    line_more_character(line, ',');
    more_hexadecimal(line, value, 8);
}

void line_end(Line *line)
{
    uint16_t crc = CHECKSUM_START;
    for (uint8_t at = 1; at < line->length; at++) {
        crc = checksum(crc, (uint8_t)line->bytes[at]);
    }
    line_more_character(line, '*');
    more_hexadecimal(line, crc, 4);
    line_more_character(line, '\r');
    line_more_character(line, '\n');
}

void decoder_start(Decoder *decoder)
{
    decoder->state = AT_LINE_START;
    decoder->length = 0;
}

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

static bool is_capital(char character)
{
    return character >= 'A' && character <= 'Z';
}

static bool is_field_character(char character)
{
    return is_digit(character) || is_capital(character) || (character >= 'a' && character <= 'z')
        || character == '.' || character == '_' || character == '+' || character == '-';
}

/* Whether the bytes end in * and the checksum of all between $ and *; `length` is up to the *. */
static bool has_right_checksum(const char *bytes, uint8_t length)
{
    uint16_t crc = CHECKSUM_START;
    for (uint8_t at = 1; at < length; at++) {
        crc = checksum(crc, (uint8_t)bytes[at]);
    }
    for (uint8_t digit = 0; digit < 4; digit++) {
        if (bytes[length + 1 + digit] != hexadecimal_digit((uint8_t)(crc >> (12 - 4 * digit) & 0xF))) {
            return false;
        }
    }
    return bytes[length] == '*';
}

/* Reads ",seq" at `at`; returns where it ends, or 0 if it is no number from 0 to 65535. */
static uint8_t read_seq(const char *bytes, uint8_t at, uint8_t length, uint16_t *seq)
{
    if (at + 1 >= length || bytes[at] != ',') {
        return 0;
    }
    uint8_t first = ++at;
    uint32_t value = 0;
    while (at < length && is_digit(bytes[at]) && at - first < 6) {
        value = value * 10 + (uint32_t)(bytes[at++] - '0');
    }
    bool leading_zero = bytes[first] == '0' && at - first > 1;
    if (at == first || leading_zero || value > UINT16_MAX) {
        return 0;
    }
    *seq = (uint16_t)value;
    return at;
}

static Found read_piece(const char *bytes, uint8_t length, Frame *frame)
{
    if (length > 0 && bytes[length - 1] == '\r') {
        length--;
    }
    if (length < 10 || bytes[0] != '$') { /* the shortest is $PI,7*77F8 */
        return FRAME_BAD;
    }
    length = (uint8_t)(length - 5);
    if (!has_right_checksum(bytes, length) || !is_capital(bytes[1]) || !is_capital(bytes[2])) {
        return FRAME_BAD;
    }
    uint8_t at = read_seq(bytes, 3, length, &frame->seq);
    if (at == 0 || (at < length && bytes[at] != ',')) {
        return FRAME_BAD;
    }
    frame->type[0] = bytes[1];
    frame->type[1] = bytes[2];
    frame->fields = bytes + at;
    frame->fields_length = (uint8_t)(length - at);
    for (; at < length; at++) {
        if (bytes[at] != ',' && !is_field_character(bytes[at])) {
            return FRAME_BAD;
        }
    }
    return FRAME_FOUND;
}

/* What the collected piece is, now that it has ended. A carriage return before a $ is nothing. */
static Found end_piece(Decoder *decoder, Frame *frame)
{
    uint8_t length = decoder->length;
    if (decoder->state != IN_PIECE || (length == 1 && decoder->bytes[0] == '\r')) {
        return NOTHING_YET;
    }
    return read_piece(decoder->bytes, length, frame);
}

/* Adds a byte to the piece; one that grows too long is bad at once, and the rest of it is skipped. */
static Found collect(Decoder *decoder, uint8_t byte)
{
    if (decoder->state == AT_LINE_START) {
        decoder->state = IN_PIECE;
        decoder->length = 0;
    }
    if (decoder->state == IN_PIECE) {
        decoder->bytes[decoder->length++] = (char)byte;
        if (decoder->length == ORDER_LINE) {
            decoder->state = IN_OVERLONG;
            return FRAME_BAD;
        }
    }
    return NOTHING_YET;
}

Found decoder_take(Decoder *decoder, uint8_t byte, Frame *frame)
{
    if (decoder->state == IN_DEBUG_TEXT && byte != '\n') {
        return NOTHING_YET;
    }
    if (decoder->state == AT_LINE_START && byte == '#') {
        decoder->state = IN_DEBUG_TEXT;
        return NOTHING_YET;
    }
    if (byte != '\n' && byte != '$') {
        return collect(decoder, byte);
    }
    Found ended = end_piece(decoder, frame);
    decoder->state = AT_LINE_START;
    if (byte == '$') {
        /* The ended piece began with a $ too: what the frame points to stays as it is. */
        collect(decoder, byte);
    }
    return ended;
}
