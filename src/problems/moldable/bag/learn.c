/* learn.c - conflict-driven search over bounds.
 *
 * Source: spec/bag.md 6.4; Ohrimenko, Stuckey, Codish 2009 (lazy clause generation); Moskewicz et
 * al. 2001 (watched literals, activities); Luby, Sinclair, Zuckerman 1993 (restarts).
 * Idea: every raised bound has a reason.  A conflict is resolved backwards over the trail until one
 * literal of the last level is left; the negation of what was collected is a clause.  It is learnt,
 * and the search goes back to the level at which it forces a bound.
 * Invariants: low[side] + low[side ^ 1] <= 0; the literals of a reason were true before the bound
 * that they imply; of a clause the first two literals are watched: if one is false, the other is
 * true or the clause has been used; a clause follows from the rules alone.
 * Complexity: a raised bound costs its rules, a binary search in the watches of its side, and the
 * clauses of which it makes a watched literal false.
 *
 *   constant  value  unit                         how found    half, double
 *   DECAY     0.95   of an activity per conflict  measured     0.9 and 0.99: as good on 4 files
 *   KEEP      1000   learnt clauses               measured     4000: j3029_6 takes over 10 s, not 8
 *   MORE      300    clauses per reduction        spec 6.4     not measured
 *   LOOKS     30     entries per literal          measured     5 and 200: as good on 4 files
 */
#include "problems/moldable/bag/learn.h"

#include "base/vector.h"

#include <limits.h>
#include <string.h>

#define DECAY 0.95
#define KEEP 1000
#define MORE 300
#define LOOKS 30
#define NO_NEED INT_MIN

struct entry {
    int side, old, now;
    int before; /* the entry of this side before; -1 */
    int level;
    struct cs_reason reason;
};

struct rule {
    int to, other, offset; /* to >= side + low[other], or + offset where other is -1 */
    int next;              /* of the same side; -1 */
};

struct watch {
    int clause;
    struct cs_literal hint;
};

/* Its literals are false when the side is at least `at`. */
struct watches {
    int at, count, room;
    struct watch *watch;
};

/* Of a side, by rising `at`. */
struct watchers {
    struct watches *watches;
    int count, room;
};

struct clause {
    int begin, size, levels;
    double activity;
};

/* A literal of learnt clauses: variable >= bound. */
struct atom {
    int variable, bound;
    int place; /* in the heap; -1 */
    int next;  /* of the same variable among those taken out of the heap */
    double activity;
};

struct cs_learn {
    struct cs_learn_owner owner;
    int sides;
    int *low, *root, *last;
    int *need, *need_at; /* by side, in an analysis */
    int *touched, touches;
    int *rule_of;
    struct rule *rule;
    int rules, rules_room;
    struct entry *trail;
    int trail_size, trail_room, head;
    int *level_begin, level, level_room;
    struct cs_literal *stored; /* of reasons */
    int stored_size, stored_room, stored_begin;
    int *stored_at; /* by level */
    struct cs_literal *because;
    int becauses, because_room;
    struct watchers *watchers;
    struct clause *clause;
    int clauses, clause_room;
    struct cs_literal *pool;
    int pool_size, pool_room;
    struct cs_literal *learnt;
    int learnt_size, learnt_room;
    struct atom *atom;
    int atoms, atom_room;
    int *table, table_size; /* hash of atoms */
    int *heap, heap_size, heap_room;
    int *parked; /* by variable: a list of atoms */
    int *preferred;
    bool *prefers;
    double step, clause_step;
    int keep;
    long long conflicts;
    int restarts;
    bool failed; /* there is no solution */
};

#define GROW(array, size, room) CS_BLOCK_ROOM(array, size, room, 64)

struct cs_learn *cs_learn_create(int variables, const struct cs_learn_owner *owner)
{
    struct cs_learn *s = cs_block_zero(1, sizeof *s);
    const size_t sides = 2 * (size_t)variables;

    s->owner = *owner;
    s->sides = (int)sides;
    s->low = cs_block_zero(sides, sizeof *s->low);
    s->root = cs_block_zero(sides, sizeof *s->root);
    s->last = cs_block_zero(sides, sizeof *s->last);
    s->need = cs_block_zero(sides, sizeof *s->need);
    s->need_at = cs_block_zero(sides, sizeof *s->need_at);
    s->touched = cs_block_zero(sides, sizeof *s->touched);
    s->rule_of = cs_block_zero(sides, sizeof *s->rule_of);
    s->watchers = cs_block_zero(sides, sizeof *s->watchers);
    s->parked = cs_block_zero(sides / 2, sizeof *s->parked);
    s->preferred = cs_block_zero(sides / 2, sizeof *s->preferred);
    s->prefers = cs_block_zero(sides / 2, sizeof *s->prefers);
    for (size_t v = 0; v < sides; v++) {
        s->last[v] = s->rule_of[v] = s->need_at[v] = s->parked[v / 2] = -1;
        s->need[v] = NO_NEED;
    }
    s->step = s->clause_step = 1;
    s->keep = KEEP;
    return s;
}

static void watchers_clear(struct watchers *w)
{
    for (int k = 0; k < w->count; k++)
        cs_block_free(w->watches[k].watch);
    w->count = 0;
}

void cs_learn_destroy(struct cs_learn *s)
{
    if (!s)
        return;
    for (int v = 0; v < s->sides; v++) {
        watchers_clear(&s->watchers[v]);
        cs_block_free(s->watchers[v].watches);
    }
    cs_block_free(s->low);
    cs_block_free(s->root);
    cs_block_free(s->last);
    cs_block_free(s->need);
    cs_block_free(s->need_at);
    cs_block_free(s->touched);
    cs_block_free(s->rule_of);
    cs_block_free(s->watchers);
    cs_block_free(s->parked);
    cs_block_free(s->preferred);
    cs_block_free(s->prefers);
    cs_block_free(s->rule);
    cs_block_free(s->trail);
    cs_block_free(s->level_begin);
    cs_block_free(s->stored);
    cs_block_free(s->stored_at);
    cs_block_free(s->because);
    cs_block_free(s->clause);
    cs_block_free(s->pool);
    cs_block_free(s->learnt);
    cs_block_free(s->atom);
    cs_block_free(s->table);
    cs_block_free(s->heap);
    cs_block_free(s);
}

void cs_learn_domain(struct cs_learn *s, int variable, int low, int high)
{
    s->low[2 * variable] = s->root[2 * variable] = low;
    s->low[2 * variable + 1] = s->root[2 * variable + 1] = -high;
    s->failed |= low > high;
}

static void rule_add(struct cs_learn *s, int side, struct rule rule)
{
    GROW(s->rule, s->rules, s->rules_room);
    rule.next = s->rule_of[side];
    s->rule[s->rules] = rule;
    s->rule_of[side] = s->rules++;
}

void cs_learn_add_shift(struct cs_learn *s, int from, int to, int offset)
{
    rule_add(s, from, (struct rule){to, -1, offset, -1});
    rule_add(s, to ^ 1, (struct rule){from ^ 1, -1, offset, -1});
}

void cs_learn_add_sum(struct cs_learn *s, int to, int a, int b)
{
    rule_add(s, a, (struct rule){to, b, 0, -1});
    rule_add(s, b, (struct rule){to, a, 0, -1});
    rule_add(s, to ^ 1, (struct rule){a ^ 1, b, 0, -1});
    rule_add(s, b, (struct rule){a ^ 1, to ^ 1, 0, -1});
    rule_add(s, to ^ 1, (struct rule){b ^ 1, a, 0, -1});
    rule_add(s, a, (struct rule){b ^ 1, to ^ 1, 0, -1});
}

const int *cs_learn_low(const struct cs_learn *s)
{
    return s->low;
}

const int *cs_learn_root(const struct cs_learn *s)
{
    return s->root;
}

long long cs_learn_conflicts(const struct cs_learn *s)
{
    return s->conflicts;
}

void cs_learn_prefer(struct cs_learn *s, int variable, int value)
{
    s->preferred[variable] = value;
    s->prefers[variable] = true;
}

void cs_learn_why_begin(struct cs_learn *s)
{
    s->stored_begin = s->stored_size;
}

void cs_learn_why(struct cs_learn *s, int side, int bound)
{
    if (bound <= s->root[side])
        return;
    GROW(s->stored, s->stored_size, s->stored_room);
    s->stored[s->stored_size++] = (struct cs_literal){side, bound};
}

struct cs_reason cs_learn_why_end(struct cs_learn *s)
{
    return (struct cs_reason){CS_REASON_STORED, s->stored_begin, s->stored_size - s->stored_begin,
                              0};
}

void cs_learn_because(struct cs_learn *s, int side, int bound)
{
    if (bound <= s->root[side])
        return;
    GROW(s->because, s->becauses, s->because_room);
    s->because[s->becauses++] = (struct cs_literal){side, bound};
}

/* Append the literals of a reason of side >= bound. */
static void reason_expand(struct cs_learn *s, const struct cs_reason *reason, int side, int bound)
{
    switch (reason->kind) {
    case CS_REASON_NONE:
        break;
    case CS_REASON_CLAUSE: {
        const struct clause *c = &s->clause[reason->a];

        for (int k = c->begin + 1; k < c->begin + c->size; k++)
            cs_learn_because(s, s->pool[k].side ^ 1, 1 - s->pool[k].bound);
        break;
    }
    case CS_REASON_STORED:
        for (int k = reason->a; k < reason->a + reason->b; k++)
            cs_learn_because(s, s->stored[k].side, s->stored[k].bound);
        break;
    case CS_REASON_SHIFT:
        cs_learn_because(s, reason->a, bound - reason->b);
        break;
    case CS_REASON_SUM:
        cs_learn_because(s, reason->a, reason->b);
        cs_learn_because(s, reason->c, bound - reason->b);
        break;
    case CS_REASON_OWNER:
        s->owner.explain(s->owner.self, reason->a, side, bound);
        break;
    }
}

bool cs_learn_conflict(struct cs_learn *s, struct cs_reason reason)
{
    s->becauses = 0;
    reason_expand(s, &reason, -1, 0);
    return false;
}

bool cs_learn_raise(struct cs_learn *s, int side, int bound, struct cs_reason reason)
{
    if (bound <= s->low[side])
        return true;
    if (bound > -s->low[side ^ 1]) {
        s->becauses = 0;
        reason_expand(s, &reason, side, bound);
        cs_learn_because(s, side ^ 1, 1 - bound);
        return false;
    }
    GROW(s->trail, s->trail_size, s->trail_room);
    s->trail[s->trail_size] =
        (struct entry){side, s->low[side], bound, s->last[side], s->level, reason};
    s->last[side] = s->trail_size++;
    s->low[side] = bound;
    if (s->level == 0)
        s->root[side] = bound;
    return true;
}

static bool literal_true(const struct cs_learn *s, struct cs_literal l)
{
    return s->low[l.side] >= l.bound;
}

static bool literal_false(const struct cs_learn *s, struct cs_literal l)
{
    return s->low[l.side ^ 1] >= 1 - l.bound;
}

/* The place of the first watches with a larger `at`. */
static int watchers_above(const struct watchers *w, int at)
{
    int low = 0, high = w->count;

    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (w->watches[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct watches *watchers_find(struct watchers *w, int at)
{
    const int place = watchers_above(w, at);

    if (place > 0 && w->watches[place - 1].at == at)
        return &w->watches[place - 1];
    GROW(w->watches, w->count, w->room);
    memmove(w->watches + place + 1, w->watches + place,
            (size_t)(w->count - place) * sizeof *w->watches);
    w->watches[place] = (struct watches){.at = at};
    w->count++;
    return &w->watches[place];
}

static void watch_add(struct cs_learn *s, struct cs_literal l, int clause, struct cs_literal hint)
{
    struct watches *w = watchers_find(&s->watchers[l.side ^ 1], 1 - l.bound);

    CS_BLOCK_ROOM(w->watch, w->count, w->room, 4);
    w->watch[w->count++] = (struct watch){clause, hint};
}

/* Make the false literal the second one, then watch another instead; false: there is no other. */
static bool clause_rewatch(struct cs_learn *s, int clause, struct cs_literal gone)
{
    const struct clause *c = &s->clause[clause];
    struct cs_literal *l = s->pool + c->begin;

    if (l[0].side == gone.side && l[0].bound == gone.bound) {
        l[0] = l[1];
        l[1] = gone;
    }
    if (literal_true(s, l[0]))
        return false;
    for (int k = 2; k < c->size; k++)
        if (!literal_false(s, l[k])) {
            l[1] = l[k];
            l[k] = gone;
            watch_add(s, l[1], clause, l[0]);
            return true;
        }
    return false;
}

/* One watch of a literal that has become false; *stays: it remains in the list. */
static bool watch_visit(struct cs_learn *s, struct cs_literal gone, struct watch *watch,
                        bool *stays)
{
    struct cs_literal first;

    if (clause_rewatch(s, watch->clause, gone)) {
        *stays = false;
        return true;
    }
    first = s->pool[s->clause[watch->clause].begin];
    watch->hint = first;
    return cs_learn_raise(s, first.side, first.bound,
                          (struct cs_reason){CS_REASON_CLAUSE, watch->clause, 0, 0});
}

/* Other watches of the clauses are of other sides: a clause has one literal a side. */
static bool watches_visit(struct cs_learn *s, struct cs_literal gone, struct watches *w)
{
    bool fine = true;
    int kept = 0;

    for (int k = 0; k < w->count; k++) {
        bool stays = true;

        if (fine && !literal_true(s, w->watch[k].hint))
            fine = watch_visit(s, gone, &w->watch[k], &stays);
        if (kept < k && stays)
            w->watch[kept] = w->watch[k];
        kept += stays;
    }
    w->count = kept;
    return fine;
}

/* A side was raised from `old` to `now`: literals in between are false from here on. */
static bool clauses_propagate(struct cs_learn *s, int side, int old, int now)
{
    struct watchers *w = &s->watchers[side];

    for (int k = watchers_above(w, old); k < w->count && w->watches[k].at <= now; k++)
        if (!watches_visit(s, (struct cs_literal){side ^ 1, 1 - w->watches[k].at}, &w->watches[k]))
            return false;
    return true;
}

static bool rules_propagate(struct cs_learn *s, int side)
{
    for (int k = s->rule_of[side]; k >= 0; k = s->rule[k].next) {
        const struct rule *r = &s->rule[k];
        const int low = s->low[side], other = r->other < 0 ? r->offset : s->low[r->other];
        struct cs_reason reason = {CS_REASON_SHIFT, side, r->offset, 0};

        if (low + other <= s->low[r->to])
            continue;
        if (r->other >= 0)
            reason = (struct cs_reason){CS_REASON_SUM, side, low, r->other};
        if (!cs_learn_raise(s, r->to, low + other, reason))
            return false;
    }
    return true;
}

static bool bounds_propagate(struct cs_learn *s)
{
    while (s->head < s->trail_size) {
        const struct entry e = s->trail[s->head++];
        const int side = e.side;

        if (!rules_propagate(s, side) || !clauses_propagate(s, side, e.old, e.now) ||
            !s->owner.wake(s->owner.self, side))
            return false;
    }
    return true;
}

static bool all_propagate(struct cs_learn *s)
{
    do {
        if (!bounds_propagate(s) || !s->owner.settle(s->owner.self))
            return false;
    } while (s->head < s->trail_size);
    return true;
}

/* The heap of atoms: the largest activity first, ties: the older atom. */
static bool atom_before(const struct cs_learn *s, int a, int b)
{
    const double x = s->atom[a].activity, y = s->atom[b].activity;

    return x > y || (x == y && a < b);
}

static void heap_set(struct cs_learn *s, int place, int atom)
{
    s->heap[place] = atom;
    s->atom[atom].place = place;
}

static void heap_up(struct cs_learn *s, int place)
{
    const int atom = s->heap[place];

    while (place > 0 && atom_before(s, atom, s->heap[(place - 1) / 2])) {
        heap_set(s, place, s->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    heap_set(s, place, atom);
}

static void heap_down(struct cs_learn *s, int place)
{
    const int atom = s->heap[place];

    for (;;) {
        int child = 2 * place + 1;

        if (child + 1 < s->heap_size && atom_before(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (child >= s->heap_size || !atom_before(s, s->heap[child], atom))
            break;
        heap_set(s, place, s->heap[child]);
        place = child;
    }
    heap_set(s, place, atom);
}

static void heap_insert(struct cs_learn *s, int atom)
{
    if (s->atom[atom].place >= 0)
        return;
    GROW(s->heap, s->heap_size, s->heap_room);
    heap_set(s, s->heap_size, atom);
    heap_up(s, s->heap_size++);
}

static int heap_pop(struct cs_learn *s)
{
    const int atom = s->heap[0];

    s->heap_size--;
    s->atom[atom].place = -1;
    if (s->heap_size > 0) {
        heap_set(s, 0, s->heap[s->heap_size]);
        heap_down(s, 0);
    }
    return atom;
}

static unsigned atom_hash(int variable, int bound)
{
    uint64_t z = ((uint64_t)(unsigned)variable << 32 | (unsigned)bound) * 0x9e3779b97f4a7c15u;

    return (unsigned)(z >> 32);
}

static void table_insert(struct cs_learn *s, int atom)
{
    unsigned at = atom_hash(s->atom[atom].variable, s->atom[atom].bound);

    while (s->table[at % (unsigned)s->table_size] >= 0)
        at++;
    s->table[at % (unsigned)s->table_size] = atom;
}

static void table_make(struct cs_learn *s, int size)
{
    s->table = cs_block_resize(s->table, (size_t)size * sizeof *s->table);
    s->table_size = size;
    for (int k = 0; k < size; k++)
        s->table[k] = -1;
    for (int a = 0; a < s->atoms; a++)
        table_insert(s, a);
}

/* The atom of a literal or of its negation. */
static int atom_find(struct cs_learn *s, struct cs_literal l)
{
    const int variable = l.side / 2, bound = l.side % 2 ? 1 - l.bound : l.bound;

    if (2 * (s->atoms + 1) > s->table_size)
        table_make(s, s->table_size ? 2 * s->table_size : 1024);
    for (unsigned at = atom_hash(variable, bound);; at++) {
        const int a = s->table[at % (unsigned)s->table_size];

        if (a < 0)
            break;
        if (s->atom[a].variable == variable && s->atom[a].bound == bound)
            return a;
    }
    GROW(s->atom, s->atoms, s->atom_room);
    s->atom[s->atoms] = (struct atom){variable, bound, -1, -1, 0};
    table_insert(s, s->atoms);
    heap_insert(s, s->atoms);
    return s->atoms++;
}

static void atom_bump(struct cs_learn *s, struct cs_literal l)
{
    const int a = atom_find(s, l);

    s->atom[a].activity += s->step;
    if (s->atom[a].place >= 0)
        heap_up(s, s->atom[a].place);
    if (s->atom[a].activity > 1e100) {
        for (int k = 0; k < s->atoms; k++)
            s->atom[k].activity *= 1e-100;
        s->step *= 1e-100;
    }
}

static bool atom_open(const struct cs_learn *s, int atom)
{
    const struct cs_literal l = {2 * s->atom[atom].variable, s->atom[atom].bound};

    return !literal_true(s, l) && !literal_false(s, l);
}

/* Atoms of this variable may be open again. */
static void atoms_return(struct cs_learn *s, int variable)
{
    int *from = &s->parked[variable];

    while (*from >= 0) {
        const int a = *from;

        if (atom_open(s, a)) {
            *from = s->atom[a].next;
            heap_insert(s, a);
        } else
            from = &s->atom[a].next;
    }
}

static void levels_cancel(struct cs_learn *s, int level)
{
    const int begin = level < s->level ? s->level_begin[level + 1] : s->trail_size;

    if (level >= s->level)
        return;
    for (int k = s->trail_size - 1; k >= begin; k--) {
        const struct entry *e = &s->trail[k];

        s->low[e->side] = e->old;
        s->last[e->side] = e->before;
    }
    for (int k = begin; k < s->trail_size; k++)
        atoms_return(s, s->trail[k].side / 2);
    s->trail_size = s->head = begin;
    s->stored_size = s->stored_at[level + 1];
    s->level = level;
}

static void level_begin(struct cs_learn *s)
{
    s->level++;
    if (s->level >= s->level_room) {
        const size_t room = 2 * (size_t)s->level_room + 64;

        s->level_begin = cs_block_resize(s->level_begin, room * sizeof *s->level_begin);
        s->stored_at = cs_block_resize(s->stored_at, room * sizeof *s->stored_at);
        s->level_room = (int)room;
    }
    s->level_begin[s->level] = s->trail_size;
    s->stored_at[s->level] = s->stored_size;
}

/* The entry that made the literal true. */
static int entry_find(const struct cs_learn *s, int side, int bound)
{
    int at = s->last[side];

    while (s->trail[at].old >= bound)
        at = s->trail[at].before;
    return at;
}

/* A literal takes part; *count: those of the last level. */
static void need_add(struct cs_learn *s, struct cs_literal l, int *count)
{
    const int begin = s->level_begin[s->level];

    if (l.bound <= s->root[l.side] || l.bound <= s->need[l.side])
        return;
    if (s->need_at[l.side] < 0)
        s->touched[s->touches++] = l.side;
    if (s->need[l.side] != NO_NEED && s->need_at[l.side] >= begin)
        --*count;
    s->need[l.side] = l.bound;
    s->need_at[l.side] = entry_find(s, l.side, l.bound);
    if (s->need_at[l.side] >= begin)
        ++*count;
}

static int because_level(const struct cs_learn *s)
{
    int level = 0;

    for (int k = 0; k < s->becauses; k++) {
        const int at = entry_find(s, s->because[k].side, s->because[k].bound);

        if (s->trail[at].level > level)
            level = s->trail[at].level;
    }
    return level;
}

static void clause_bump(struct cs_learn *s, int clause)
{
    s->clause[clause].activity += s->clause_step;
    if (s->clause[clause].activity > 1e100) {
        for (int k = 0; k < s->clauses; k++)
            s->clause[k].activity *= 1e-100;
        s->clause_step *= 1e-100;
    }
}

/* Resolve until one literal of the last level is left; returns its side. */
static int conflict_resolve(struct cs_learn *s)
{
    int count = 0, at = s->trail_size;

    for (int k = 0; k < s->becauses; k++)
        need_add(s, s->because[k], &count);
    for (;;) {
        const struct entry *e;
        int bound;

        do
            e = &s->trail[--at];
        while (s->need[e->side] == NO_NEED || s->need_at[e->side] != at);
        if (count == 1)
            return e->side;
        bound = s->need[e->side];
        s->need[e->side] = NO_NEED;
        count--;
        if (e->reason.kind == CS_REASON_CLAUSE)
            clause_bump(s, e->reason.a);
        s->becauses = 0;
        reason_expand(s, &e->reason, e->side, bound);
        for (int k = 0; k < s->becauses; k++)
            need_add(s, s->because[k], &count);
    }
}

/* Do other literals of the clause that were true before entry `at` imply this one, side >= bound,
 * which that entry made true?  *left: entries that may still be looked at. */
static bool need_implied(struct cs_learn *s, int at, int bound, int *left)
{
    const struct entry *e = &s->trail[at];
    const int begin = s->becauses;
    bool implied = e->reason.kind != CS_REASON_NONE && --*left > 0;

    if (implied)
        reason_expand(s, &e->reason, e->side, bound);
    for (int k = begin; k < s->becauses && implied; k++) {
        const struct cs_literal l = s->because[k];

        if (s->need[l.side] < l.bound || s->need_at[l.side] >= at)
            implied = need_implied(s, entry_find(s, l.side, l.bound), l.bound, left);
    }
    s->becauses = begin;
    return implied;
}

static bool need_redundant(struct cs_learn *s, int side)
{
    int left = LOOKS;

    s->becauses = 0;
    return need_implied(s, s->need_at[side], s->need[side], &left);
}

static void learnt_add(struct cs_learn *s, int side)
{
    GROW(s->learnt, s->learnt_size, s->learnt_room);
    s->learnt[s->learnt_size++] = (struct cs_literal){side ^ 1, 1 - s->need[side]};
}

/* The clause, its implied literal first and one of the level to go back to next; returns the level
 * to go back to. */
static int learnt_collect(struct cs_learn *s, int last)
{
    int level = 0;

    s->learnt_size = 0;
    learnt_add(s, last);
    for (int k = 0; k < s->touches; k++) {
        const int side = s->touched[k];

        if (side == last || s->need[side] == NO_NEED || need_redundant(s, side))
            continue;
        learnt_add(s, side);
        if (s->trail[s->need_at[side]].level > level) {
            const struct cs_literal l = s->learnt[s->learnt_size - 1];

            level = s->trail[s->need_at[side]].level;
            s->learnt[s->learnt_size - 1] = s->learnt[1];
            s->learnt[1] = l;
        }
    }
    return level;
}

static int learnt_levels(const struct cs_learn *s)
{
    int levels = 0;

    for (int k = 0; k < s->learnt_size; k++) {
        const int level = s->trail[s->need_at[s->learnt[k].side ^ 1]].level;
        bool seen = false;

        for (int j = 0; j < k && !seen; j++)
            seen = s->trail[s->need_at[s->learnt[j].side ^ 1]].level == level;
        levels += !seen;
    }
    return levels;
}

static int clause_add(struct cs_learn *s, int levels)
{
    const int clause = s->clauses;

    GROW(s->clause, s->clauses, s->clause_room);
    s->clause[s->clauses++] = (struct clause){s->pool_size, s->learnt_size, levels, s->clause_step};
    for (int k = 0; k < s->learnt_size; k++) {
        GROW(s->pool, s->pool_size, s->pool_room);
        s->pool[s->pool_size++] = s->learnt[k];
    }
    watch_add(s, s->learnt[0], clause, s->learnt[1]);
    watch_add(s, s->learnt[1], clause, s->learnt[0]);
    return clause;
}

/* Learn from the literals that were collected and go back; false: there is no solution. */
static bool conflict_learn(struct cs_learn *s)
{
    const int level = because_level(s);
    struct cs_reason reason = {CS_REASON_NONE, 0, 0, 0};
    int last, back, levels;

    s->conflicts++;
    if (level == 0)
        return false;
    levels_cancel(s, level);
    s->touches = 0;
    last = conflict_resolve(s);
    back = learnt_collect(s, last);
    levels = learnt_levels(s);
    for (int k = 0; k < s->touches; k++) {
        s->need[s->touched[k]] = NO_NEED;
        s->need_at[s->touched[k]] = -1;
    }
    for (int k = 0; k < s->learnt_size; k++)
        atom_bump(s, s->learnt[k]);
    s->step /= DECAY;
    s->clause_step /= 0.999;
    levels_cancel(s, back);
    if (s->learnt_size > 1)
        reason = (struct cs_reason){CS_REASON_CLAUSE, clause_add(s, levels), 0, 0};
    return cs_learn_raise(s, s->learnt[0].side, s->learnt[0].bound, reason);
}

/* Forget half of the long clauses, those of least activity; at the root only. */
static bool clause_weak(const struct cs_learn *s, int clause, double least)
{
    const struct clause *c = &s->clause[clause];

    return c->levels > 2 && c->size > 2 && c->activity < least;
}

static double activity_median(const struct cs_learn *s)
{
    double low = 0, high = 0;

    for (int k = 0; k < s->clauses; k++)
        high = s->clause[k].activity > high ? s->clause[k].activity : high;
    for (int step = 0; step < 40; step++) {
        const double middle = low + (high - low) / 2;
        int below = 0;

        for (int k = 0; k < s->clauses; k++)
            below += s->clause[k].activity < middle;
        if (below > s->clauses / 2)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static bool clause_satisfied(const struct cs_learn *s, const struct clause *c)
{
    for (int k = c->begin; k < c->begin + c->size; k++)
        if (literal_true(s, s->pool[k]))
            return true;
    return false;
}

static void watches_make(struct cs_learn *s)
{
    for (int v = 0; v < s->sides; v++)
        watchers_clear(&s->watchers[v]);
    for (int k = 0; k < s->clauses; k++) {
        const struct cs_literal *l = s->pool + s->clause[k].begin;

        watch_add(s, l[0], k, l[1]);
        watch_add(s, l[1], k, l[0]);
    }
}

/* Put two literals that are not false in front; false literals of the root go. */
static void clause_tidy(const struct cs_learn *s, struct clause *c)
{
    int kept = c->begin;

    for (int k = c->begin; k < c->begin + c->size; k++)
        if (!literal_false(s, s->pool[k]))
            s->pool[kept++] = s->pool[k];
    c->size = kept - c->begin;
}

static void clauses_reduce(struct cs_learn *s)
{
    const double least = activity_median(s);
    int kept = 0, size = 0;

    for (int k = 0; k < s->clauses; k++) {
        struct clause c = s->clause[k];

        if (clause_weak(s, k, least) || clause_satisfied(s, &c))
            continue;
        clause_tidy(s, &c);
        memmove(s->pool + size, s->pool + c.begin, (size_t)c.size * sizeof *s->pool);
        c.begin = size;
        size += c.size;
        s->clause[kept++] = c;
    }
    s->clauses = kept;
    s->pool_size = size;
    s->keep += MORE;
    watches_make(s);
}

/* Atoms of no clause are forgotten. */
static void atoms_reduce(struct cs_learn *s)
{
    int kept = 0;

    for (int k = 0; k < s->pool_size; k++) {
        struct atom *a = &s->atom[atom_find(s, s->pool[k])];

        a->place = -2;
    }
    for (int a = 0; a < s->atoms; a++)
        if (s->atom[a].place == -2) {
            s->atom[kept] = s->atom[a];
            s->atom[kept++].place = -1;
        }
    s->atoms = kept;
    s->heap_size = 0;
    for (int x = 0; x < s->sides / 2; x++)
        s->parked[x] = -1;
    table_make(s, s->table_size);
    for (int a = 0; a < kept; a++)
        heap_insert(s, a);
}

/* 1 1 2 1 1 2 4 ... */
static long long luby(int k)
{
    long long power = 1;

    for (k++;;) {
        power = 1;
        while (2 * power - 1 < k)
            power *= 2;
        if (2 * power - 1 == k)
            return power;
        k -= (int)(power - 1);
    }
}

/* The open literal of the largest activity, towards the value that is preferred. */
static struct cs_literal decide_literal(struct cs_learn *s)
{
    while (s->heap_size > 0) {
        const int a = heap_pop(s), x = s->atom[a].variable, bound = s->atom[a].bound;

        if (!atom_open(s, a)) {
            s->atom[a].next = s->parked[x];
            s->parked[x] = a;
            continue;
        }
        s->atom[a].next = s->parked[x];
        s->parked[x] = a;
        if (s->prefers[x] && s->preferred[x] >= bound)
            return (struct cs_literal){2 * x, bound};
        return (struct cs_literal){2 * x + 1, 1 - bound};
    }
    return (struct cs_literal){-1, 0};
}

/* One more decision; CS_LEARN_LIMIT: the search continues. */
static enum cs_learn_end decide_next(struct cs_learn *s, bool literals)
{
    struct cs_literal l = {-1, 0};

    if (literals)
        l = decide_literal(s);
    if (l.side < 0)
        l = s->owner.decide(s->owner.self);
    if (l.side < 0)
        return CS_LEARN_FOUND;
    level_begin(s);
    cs_learn_raise(s, l.side, l.bound, (struct cs_reason){CS_REASON_NONE, 0, 0, 0});
    return CS_LEARN_LIMIT;
}

static enum cs_learn_end descent(struct cs_learn *s, long long conflicts, bool literals)
{
    for (long long begin = s->conflicts;;) {
        enum cs_learn_end end;

        if (!all_propagate(s)) {
            if (!conflict_learn(s))
                return CS_LEARN_NEVER;
            continue;
        }
        if (s->conflicts - begin >= conflicts || s->owner.expired(s->owner.self))
            return CS_LEARN_LIMIT;
        end = decide_next(s, literals);
        if (end != CS_LEARN_LIMIT)
            return end;
    }
}

enum cs_learn_end cs_learn_search(struct cs_learn *s, long long conflicts, bool literals)
{
    const long long most = s->conflicts + conflicts;
    enum cs_learn_end end = CS_LEARN_LIMIT;

    while (end == CS_LEARN_LIMIT && !s->failed && s->conflicts < most &&
           !s->owner.expired(s->owner.self)) {
        const long long run = 100 * luby(s->restarts++), left = most - s->conflicts;

        levels_cancel(s, 0);
        if (s->clauses > s->keep) {
            if (!all_propagate(s)) {
                s->failed = true;
                break;
            }
            clauses_reduce(s);
            atoms_reduce(s);
        }
        end = descent(s, run < left ? run : left, literals);
    }
    s->failed |= end == CS_LEARN_NEVER;
    return s->failed ? CS_LEARN_NEVER : end;
}

bool cs_learn_start(struct cs_learn *s)
{
    for (int side = 0; side < s->sides && !s->failed; side++)
        s->failed = !rules_propagate(s, side);
    s->failed = s->failed || !all_propagate(s);
    return !s->failed;
}

bool cs_learn_fact(struct cs_learn *s, int side, int bound)
{
    levels_cancel(s, 0);
    if (!s->failed && !cs_learn_raise(s, side, bound, (struct cs_reason){CS_REASON_NONE, 0, 0, 0}))
        s->failed = true;
    return !s->failed;
}
