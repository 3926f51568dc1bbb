/* template.h - texts with {words} that stand for values.
 *
 * Each template makes exactly one text, whatever is in the values: nothing is split, no pattern is
 * expanded, no shell is there.  "{{" and "}}" stand for braces.
 */
#ifndef CS_RUN_TEMPLATE_H
#define CS_RUN_TEMPLATE_H

#include "base/strbuf.h"

#include <cosched/error.h>
#include <stdbool.h>
#include <stddef.h>

/* Gives the value of a word: appends it and returns 1; 0 when there is no such word; -1 with err
 * when it cannot be had. */
typedef int cs_run_word_f(void *who, const char *word, size_t length, struct cs_strbuf *out,
                          struct cs_error *err);

/* Append the text.  -1 with err: "there is no word {abc}", a brace that is not closed, a value that
 * cannot be had. */
int cs_run_template_expand(const char *text, cs_run_word_f *value, void *who, struct cs_strbuf *out,
                           struct cs_error *err);

#endif
