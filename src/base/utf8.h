/* utf8.h - where characters begin and end. */
#ifndef CS_BASE_UTF8_H
#define CS_BASE_UTF8_H

/* How many bytes, 1 to 4, the character at the start of this text has, or 0 when the bytes there
 * are not good UTF-8 (cut off, overlong, a surrogate, beyond U+10FFFF).  1 at the final NUL. */
int cs_utf8_length(const char *text);

#endif
