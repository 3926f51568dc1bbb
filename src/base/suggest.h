/* suggest.h - "did you mean": the nearest of the names that exist.
 *
 *   struct cs_suggest suggest = {.word = what_the_user_wrote};
 *
 *   for each name that exists
 *       cs_suggest_offer(&suggest, name);
 *   if (suggest.best[0]) ... suggest.best is near enough to be what was meant
 */
#ifndef CS_BASE_SUGGEST_H
#define CS_BASE_SUGGEST_H

#include "base/strbuf.h"

#define CS_SUGGEST_SIZE 64

struct cs_suggest {
    const char *word;
    char best[CS_SUGGEST_SIZE]; /* the nearest so far (the first of equals), or "" */
    int distance;               /* of best */
};

/* Letters to put in, take out, replace, or swap with their neighbour to make b of a;
 * upper and lower case are the same.  Names are cut at CS_SUGGEST_SIZE - 1 bytes. */
int cs_suggest_distance(const char *a, const char *b);

/* Keep the name if it is near enough (a third of its letters wrong at most, or the word is a prefix
 * of it) and nearer than the best so far. */
void cs_suggest_offer(struct cs_suggest *suggest, const char *name);

/* Offer every part of a text such as "first|second|third" with the separator '|'. */
void cs_suggest_offer_parts(struct cs_suggest *suggest, const char *parts, char separator);

/* "first, second or third" for "first|second|third". */
void cs_suggest_put_parts(struct cs_strbuf *out, const char *parts);

#endif
