/* words.h - lists of policies in one text: "greedy,shelf:backfill=no,easy". */
#ifndef CS_PROBLEM_WORDS_H
#define CS_PROBLEM_WORDS_H

#include "base/arena.h"

struct cs_words {
    int count;
    const char *const *name;
};

/* The names in a text, apart at the commas that are not those between the parameters of a policy;
 * they live in the arena. */
struct cs_words cs_words_split(const char *text, struct cs_arena *arena);

#endif
