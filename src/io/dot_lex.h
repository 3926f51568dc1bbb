/* dot_lex.h - the words of a DOT file.
 *
 * Names, numerals, "quoted text" (parts joined by +), and the marks { } [ ] = ; , : and ->.
 * Comments are those of C and lines that begin with #.  HTML text and NUL bytes are refused.
 */
#ifndef CS_IO_DOT_LEX_H
#define CS_IO_DOT_LEX_H

#include "base/strbuf.h"

#include <cosched/error.h>
#include <stdbool.h>

enum cs_dot_kind {
    CS_DOT_END,   /* of the file */
    CS_DOT_ID,    /* text in `text` */
    CS_DOT_MARK,  /* one of { } [ ] = ; , : */
    CS_DOT_ARROW, /* -> */
};

struct cs_dot_lex {
    const char *file, *at, *end;
    long line;
    enum cs_dot_kind kind; /* of the current word */
    char mark;
    bool quoted;           /* an ID that was in quotes: never a keyword */
    struct cs_strbuf text; /* of an ID; the owner releases it */
};

/* Begin before the first word. */
void cs_dot_lex_begin(struct cs_dot_lex *lex, const char *file, const char *bytes, size_t size);

/* Go to the next word.  -1 with err. */
int cs_dot_lex_next(struct cs_dot_lex *lex, struct cs_error *err);

bool cs_dot_lex_is(const struct cs_dot_lex *lex, char mark);

/* An unquoted ID, capitals or not. */
bool cs_dot_lex_keyword(const struct cs_dot_lex *lex, const char *word);

/* "FILE:LINE: " and the sentence.  Returns -1. */
int cs_dot_lex_error(const struct cs_dot_lex *lex, struct cs_error *err, const char *format, ...)
    CS_PRINTF(3, 4);

/* "expected RIGHT, found WORD". */
int cs_dot_lex_expected(const struct cs_dot_lex *lex, const char *right, struct cs_error *err);

#endif
