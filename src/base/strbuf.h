/* strbuf.h - text that grows.
 *
 * The caller owns the struct: start with CS_STRBUF_INIT, end with release.
 * `text` is never NULL and always ends with a NUL.
 */
#ifndef CS_BASE_STRBUF_H
#define CS_BASE_STRBUF_H

#include <cosched/error.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_strbuf {
    char *text;
    size_t length, capacity;
};

extern char cs_strbuf_empty[1];
#define CS_STRBUF_INIT                                                                             \
    {                                                                                              \
        cs_strbuf_empty, 0, 0                                                                      \
    }

void cs_strbuf_release(struct cs_strbuf *buf);
/* Detach the text, which the caller frees; the buffer is empty then. */
char *cs_strbuf_take(struct cs_strbuf *buf);
void cs_strbuf_clear(struct cs_strbuf *buf); /* keeps the memory */
void cs_strbuf_append(struct cs_strbuf *buf, const char *bytes, size_t length);
void cs_strbuf_puts(struct cs_strbuf *buf, const char *text);
void cs_strbuf_putc(struct cs_strbuf *buf, char c);
void cs_strbuf_put_int(struct cs_strbuf *buf, int64_t value);
void cs_strbuf_put_uint(struct cs_strbuf *buf, uint64_t value);

/* Room for this many bytes and a NUL at the end of the text: the caller writes them, and sets the
 * new length. */
char *cs_strbuf_room(struct cs_strbuf *buf, size_t more);
void cs_strbuf_wrote(struct cs_strbuf *buf, size_t length);

void cs_strbuf_printf(struct cs_strbuf *buf, const char *format, ...) CS_PRINTF(2, 3);

/* The shortest decimal that reads back as the same double ("0.1", "1e+300");
 * "inf", "-inf" and "nan" for the others. */
void cs_strbuf_put_double(struct cs_strbuf *buf, double value);

/* Text as a terminal may show it (cs_utf8_show() of utf8.h); `lines`: its newlines and tabs stay.
 */
void cs_strbuf_put_shown(struct cs_strbuf *buf, const char *text, size_t length, bool lines);

/* The same of foreign text in double quotes, and "..." for what goes beyond about 60 bytes. */
void cs_strbuf_put_excerpt(struct cs_strbuf *buf, const char *text);

/* A word as a shell reads it back: quoted where it has to be. */
void cs_strbuf_put_shell(struct cs_strbuf *buf, const char *word);

/* "1-3,7" for the numbers 1 .. count for which set[number - 1] is true. */
void cs_strbuf_put_ranges(struct cs_strbuf *buf, const bool *set, int count);

#endif
