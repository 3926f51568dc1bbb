/* utf8.h - where characters begin and end. */
#ifndef CS_BASE_UTF8_H
#define CS_BASE_UTF8_H

/* How many bytes, 1 to 4, the character at the start of this text has, or 0 when the bytes there
 * are not good UTF-8 (cut off, overlong, a surrogate, beyond U+10FFFF).  1 at the final NUL. */
int cs_utf8_length(const char *text);

/* The character at the start of this text as a terminal may show it: *form is itself, or \n, \t,
 * \r, \x1b or \u009b where it controls a terminal or the direction of text (C0, DEL, C1, bidi, line
 * and paragraph separators), or \xff where a byte is not UTF-8.  Returns how many bytes of the text
 * that is, at least 1. */
#define CS_UTF8_FORM 8
int cs_utf8_show(const char *text, char form[CS_UTF8_FORM]);

#endif
