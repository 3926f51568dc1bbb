/* describe.h - problems as data: their fields, values, policies and orders. */
#ifndef CS_STUDY_DESCRIBE_H
#define CS_STUDY_DESCRIBE_H

#include "study/problem.h"

/* Words for sets of enum cs_field_verb, cs_field_of and cs_value_in, a bit each; end with NULL. */
extern const char *const cs_describe_verbs[], *const cs_describe_of[], *const cs_describe_in[];

void cs_describe_put_words(struct cs_strbuf *out, unsigned set, const char *const *word,
                           const char *between);

const char *cs_describe_field_kind(const struct cs_field *field);
const char *cs_describe_value_kind(const struct cs_value *value);

/* The figures of a value in experiments: a metric NAME is the mean, NAME_FIGURE another.  A set of
 * 1 << enum cs_figure, and the words for it. */
unsigned cs_describe_figures(const struct cs_value *value);
void cs_describe_find_figures(const char *word[CS_FIGURES + 1]);

/* An object for each, into the array that is open. */
void cs_describe_put_fields(const struct cs_problem *problem, struct cs_jsonw *w);
void cs_describe_put_values(const struct cs_problem *problem, struct cs_jsonw *w);
void cs_describe_put_policies(const struct cs_problem *problem, struct cs_jsonw *w);

#endif
