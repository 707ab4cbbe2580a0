/* Words that stay in flash on AVR, where every constant would otherwise also take RAM. */
#ifndef TEXT_H
#define TEXT_H

#ifdef __AVR__
#include <avr/pgmspace.h>
#define TEXT(words) PSTR(words)
#define text_character(at) ((char)pgm_read_byte(at))
#else
#define TEXT(words) (words)
#define text_character(at) (*(at))
#endif

#endif
