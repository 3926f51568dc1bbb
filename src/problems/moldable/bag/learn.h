/* learn.h - a search that learns from conflicts, over whole numbers and their bounds.
 *
 * A variable x has two sides, 2x and 2x + 1, which stand for x and -x.  A literal is "this side is
 * at least b"; it is true, false or open by the bounds of its variable, and is never stored.  So
 * the size of a domain does not matter.  The caller adds rules and propagates what is not a rule;
 * each bound that it raises has a reason: literals that imply it.
 */
#ifndef CS_MOLDABLE_BAG_LEARN_H
#define CS_MOLDABLE_BAG_LEARN_H

#include <stdbool.h>
#include <stdint.h>

struct cs_literal {
    int side, bound;
};

enum cs_reason_kind {
    CS_REASON_NONE,   /* a decision, or a fact of the root */
    CS_REASON_CLAUSE, /* a: the clause; its first literal is implied */
    CS_REASON_STORED, /* a, b: b literals from a on */
    CS_REASON_SHIFT,  /* side >= B by side a >= B - b */
    CS_REASON_SUM,    /* side >= B by side a >= b and side c >= B - b */
    CS_REASON_OWNER,  /* the caller explains it; a is its own */
};

struct cs_reason {
    enum cs_reason_kind kind;
    int a, b, c;
};

struct cs_learn;

struct cs_learn_owner {
    void *self;
    /* A bound of this side was raised. */
    bool (*wake)(void *self, int side);
    /* No bound waits: propagate what is costly; false: a conflict. */
    bool (*settle)(void *self);
    /* Call cs_learn_because for literals that imply side >= bound; `tag` is a of the reason. */
    void (*explain)(void *self, int tag, int side, int bound);
    /* The next decision if no literal of a learnt clause is open or wanted; a side of -1: all is
     * decided. */
    struct cs_literal (*decide)(void *self);
    /* Is it time to stop?  Asked once for each decision. */
    bool (*expired)(void *self);
};

struct cs_learn *cs_learn_create(int variables, const struct cs_learn_owner *owner);
void cs_learn_destroy(struct cs_learn *learn); /* NULL is fine */

/* Before the search: the domain of a variable; to >= from + offset; to >= a + b. */
void cs_learn_domain(struct cs_learn *learn, int variable, int low, int high);
void cs_learn_add_shift(struct cs_learn *learn, int from, int to, int offset);
void cs_learn_add_sum(struct cs_learn *learn, int to, int a, int b);

/* Propagate the first bounds; false: there is no solution. */
bool cs_learn_start(struct cs_learn *learn);

/* The bounds of all sides, which change with the search, and those of the root. */
const int *cs_learn_low(const struct cs_learn *learn);
const int *cs_learn_root(const struct cs_learn *learn);

/* Raise a bound; false: that is a conflict. */
bool cs_learn_raise(struct cs_learn *learn, int side, int bound, struct cs_reason reason);

/* Collect the literals of a stored reason: begin, add, end. */
void cs_learn_why_begin(struct cs_learn *learn);
void cs_learn_why(struct cs_learn *learn, int side, int bound);
struct cs_reason cs_learn_why_end(struct cs_learn *learn);

/* These literals cannot hold together; returns false. */
bool cs_learn_conflict(struct cs_learn *learn, struct cs_reason reason);

void cs_learn_because(struct cs_learn *learn, int side, int bound);

/* The value that decisions prefer for a variable. */
void cs_learn_prefer(struct cs_learn *learn, int variable, int value);

enum cs_learn_end {
    CS_LEARN_FOUND,   /* everything is decided: read the bounds */
    CS_LEARN_NEVER,   /* there is no solution */
    CS_LEARN_REFUTED, /* none with the assumption */
    CS_LEARN_LIMIT,   /* so many conflicts */
};

/* `conflicts` more at most.  `literals`: decide on literals of learnt clauses first. */
enum cs_learn_end cs_learn_search(struct cs_learn *learn, long long conflicts, bool literals);

/* Back to the root, where a bound may be raised for good; false: there is no solution. */
bool cs_learn_fact(struct cs_learn *learn, int side, int bound);

long long cs_learn_conflicts(const struct cs_learn *learn);

#endif
