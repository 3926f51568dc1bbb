/* plain.h - numbers and letters in the C locale, for any locale of the host program.
 *
 * The only file that may use locale-dependent functions: script/rules forbids strtod, snprintf and
 * similar functions elsewhere. The locales of other threads and of the program are unchanged.
 */
#ifndef CS_BASE_PLAIN_H
#define CS_BASE_PLAIN_H

#include <cosched/error.h>
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* As snprintf and vsnprintf. */
int cs_plain_print(char *text, size_t size, const char *format, ...) CS_PRINTF(3, 4);
int cs_plain_vprint(char *text, size_t size, const char *format, va_list args);

/* As strtod; *end, unless NULL, is the end of the number. */
double cs_plain_double(const char *text, char **end);

/* Letters of ASCII without regard to case: as strcasecmp, and whether `text` begins with `word`. */
int cs_plain_compare(const char *a, const char *b);
bool cs_plain_begins(const char *text, const char *word);

/* A letter or a digit of ASCII; a capital letter of ASCII made small. */
bool cs_plain_is_word(char c);
char cs_plain_lower(char c);

/* Enclose calls of other libraries that read or write numbers, in one thread. */
locale_t cs_plain_enter(void);
void cs_plain_leave(locale_t before);

#endif
