/* jsonw.h - write JSON incrementally into text.
 *
 *     struct cs_jsonw w = cs_jsonw_begin(&out);
 *     cs_jsonw_open(&w, '{');
 *     cs_jsonw_key(&w, "cost");
 *     cs_jsonw_double(&w, 0.1);
 *     cs_jsonw_key(&w, "procs");
 *     cs_jsonw_open_flat(&w, '[');
 *     ...
 *     cs_jsonw_close(&w);
 *     cs_jsonw_close(&w);
 *     cs_jsonw_end(&w);
 *
 * Commas, line breaks and two blanks of indentation per level are added automatically; the content
 * of a flat object or array stays on one line. Numbers have the shortest digits that read back as
 * the same double, and null stands for infinities and NaN. Bytes of a string that are not UTF-8
 * become U+FFFD. A key where none may be, a missing key, and too few or too many closes are bugs.
 */
#ifndef CS_BASE_JSONW_H
#define CS_BASE_JSONW_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

#define CS_JSONW_DEEPEST 32

struct cs_jsonw {
    struct cs_strbuf *out;
    int depth, flat_from;          /* how many are open; the first flat one, or a large number */
    bool dense;                    /* no blanks; the caller may change it */
    bool empty, after_key;         /* nothing yet in the innermost; a key waits for its value */
    char closer[CS_JSONW_DEEPEST]; /* '}' or ']' for each that is open */
    struct cs_spill *spill;        /* where the text goes in pieces, or NULL */
};

struct cs_jsonw cs_jsonw_begin(struct cs_strbuf *out);
void cs_jsonw_end(struct cs_jsonw *w); /* everything is closed; adds the last newline */

/* Pass the text on while it grows (file.h), so that memory holds a piece of it. */
void cs_jsonw_stream(struct cs_jsonw *w, struct cs_spill *spill);

void cs_jsonw_open(struct cs_jsonw *w, char bracket); /* '{' or '[' */
void cs_jsonw_open_flat(struct cs_jsonw *w, char bracket);
void cs_jsonw_close(struct cs_jsonw *w);

void cs_jsonw_key(struct cs_jsonw *w, const char *key);
void cs_jsonw_string(struct cs_jsonw *w, const char *text); /* NULL becomes null */
void cs_jsonw_double(struct cs_jsonw *w, double value);
void cs_jsonw_int(struct cs_jsonw *w, int64_t value);
void cs_jsonw_uint(struct cs_jsonw *w, uint64_t value);
void cs_jsonw_bool(struct cs_jsonw *w, bool value);
void cs_jsonw_null(struct cs_jsonw *w);

/* Key and value in one call. */
void cs_jsonw_put_string(struct cs_jsonw *w, const char *key, const char *text);
void cs_jsonw_put_double(struct cs_jsonw *w, const char *key, double value);
void cs_jsonw_put_int(struct cs_jsonw *w, const char *key, int64_t value);
void cs_jsonw_put_bool(struct cs_jsonw *w, const char *key, bool value);

#endif
