/* words.h - lists of policies in one text: "greedy,shelf:backfill=no,easy". */
#ifndef CS_PROBLEM_WORDS_H
#define CS_PROBLEM_WORDS_H

#include "base/arena.h"

struct cs_words {
    int count;
    const char *const *name;
};

/* Split a text at its commas, except those between the parameters of a policy. The names live in
 * the arena. */
struct cs_words cs_words_split(const char *text, struct cs_arena *arena);

#endif
