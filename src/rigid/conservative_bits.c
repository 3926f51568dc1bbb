/* conservative_bits.c - slots are planned on demand, and cut by who comes back.
 *
 * As in conservative.c a job is planned only when its reservation begins before the end of a less
 * urgent one that starts now or is planned itself.  Within a plan processors are only taken, so
 * that a slot that was looked for once is a bound of all that are looked for later.
 */
#include "rigid/conservative_bits.h"

#include <math.h>
#include <string.h>

/* From so many on it is asked who may come in the way. */
#define MANY 8

static void slots_init(struct cs_rigid_slots *slots, const struct cs_rigid_instance *in, int words,
                       struct cs_arena *arena)
{
    cs_rigid_free_times_init(&slots->profile, in, arena);
    slots->planned = CS_NEW_ARRAY(arena, uint64_t, words);
    slots->start = CS_NEW_ARRAY(arena, double, in->count);
}

static void slots_copy(struct cs_rigid_slots *slots, const struct cs_rigid_slots *from, int jobs,
                       int words)
{
    cs_rigid_free_times_copy(&slots->profile, &from->profile);
    memcpy(slots->planned, from->planned, (size_t)words * sizeof *slots->planned);
    memcpy(slots->start, from->start, (size_t)jobs * sizeof *slots->start);
    slots->count = from->count;
    slots->earliest = from->earliest;
}

void cs_rigid_conservative_bits_init(struct cs_rigid_conservative_bits *c,
                                     const struct cs_rigid_instance *in,
                                     struct cs_rigid_queue *queue, struct cs_arena *arena)
{
    *c = (struct cs_rigid_conservative_bits){.in = in, .queue = queue, .first_starts = -1};
    slots_init(&c->slots, in, queue->words, arena);
    slots_init(&c->first, in, queue->words, arena);
    c->changed = CS_NEW_ARRAY(arena, uint64_t, queue->words);
    c->bound = CS_NEW_ARRAY(arena, double, in->count);
    c->claim = CS_NEW_ARRAY(arena, struct cs_rigid_claim, in->count);
    c->first_start = CS_NEW_ARRAY(arena, int, in->count);
}

void cs_rigid_conservative_bits_begin(struct cs_rigid_conservative_bits *c)
{
    cs_rigid_conservative_bits_forget(c);
    c->beginning = true;
}

static void forget_bounds(struct cs_rigid_conservative_bits *c)
{
    memset(c->bound, 0, (size_t)c->in->count * sizeof *c->bound);
}

void cs_rigid_conservative_bits_forget(struct cs_rigid_conservative_bits *c)
{
    const size_t size = (size_t)c->queue->words * sizeof *c->changed;

    c->fresh = true;
    c->beginning = false;
    memset(c->slots.planned, 0, size);
    memset(c->changed, 0, size);
    c->slots.count = 0;
    c->slots.earliest = INFINITY;
    forget_bounds(c);
}

static inline int first_bit(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

static inline uint64_t bit_of(int rank)
{
    return (uint64_t)1 << (rank % 64);
}

/* The bits of its word that are less urgent than a job. */
static inline uint64_t behind(int rank)
{
    return UINT64_MAX << (rank % 64) << 1;
}

static int count_planned(const struct cs_rigid_conservative_bits *c, int rank)
{
    int w = rank / 64, count = __builtin_popcountll(c->slots.planned[w] & behind(rank));

    while (++w < c->queue->words)
        count += __builtin_popcountll(c->slots.planned[w]);
    return count;
}

void cs_rigid_conservative_bits_waits(struct cs_rigid_conservative_bits *c, int rank)
{
    int w = rank / 64;
    uint64_t any = c->slots.planned[w] & behind(rank);

    while (++w < c->queue->words)
        any |= c->slots.planned[w];
    if (any)
        c->changed[rank / 64] |= bit_of(rank);
}

static void give_back_behind(struct cs_rigid_conservative_bits *c, int rank)
{
    uint64_t mask = behind(rank);

    for (int w = rank / 64; w < c->queue->words; w++, mask = UINT64_MAX)
        for (uint64_t bits = c->slots.planned[w] & mask; bits; bits &= bits - 1) {
            int other = 64 * w + first_bit(bits);

            cs_rigid_free_times_give_back(&c->slots.profile, other, c->slots.start[other]);
        }
}

/* The profile from nothing: what runs, what starts now, and the reservations that are kept. */
static void rebuild(struct cs_rigid_conservative_bits *c, const struct cs_rigid_view *view,
                    const int *start, int starting)
{
    struct cs_rigid_slots *slots = &c->slots;

    cs_rigid_free_times_begin(&slots->profile, view);
    for (int a = 0; a < starting; a++)
        cs_rigid_free_times_take(&slots->profile, start[a], view->now);
    for (int w = 0; w < c->queue->words; w++)
        for (uint64_t bits = slots->planned[w]; bits; bits &= bits - 1) {
            int rank = 64 * w + first_bit(bits);

            cs_rigid_free_times_take(&slots->profile, rank, slots->start[rank]);
        }
}

static void drop_behind(struct cs_rigid_conservative_bits *c, int rank)
{
    int w = rank / 64;

    c->slots.planned[w] &= ~behind(rank);
    while (++w < c->queue->words)
        c->slots.planned[w] = 0;
}

/* The reservations behind this job are given up.  Many are given up faster by making the profile
 * anew. */
static void cut(struct cs_rigid_conservative_bits *c, int rank, const struct cs_rigid_view *view,
                const int *start, int starting)
{
    int dropped = count_planned(c, rank), kept = c->slots.count - dropped;
    bool anew = dropped > kept + starting + cs_rigid_running_count(view->running) / 4;

    if (!anew)
        give_back_behind(c, rank);
    drop_behind(c, rank);
    c->slots.count = kept;
    if (anew)
        rebuild(c, view, start, starting);
    forget_bounds(c);
}

/* Where the earliest slot of a job begins beside all that are planned. */
static inline int look(struct cs_rigid_conservative_bits *c, int rank)
{
    int step = cs_rigid_free_times_find(&c->slots.profile, rank);

    c->bound[rank] = c->slots.profile.time[step];
    return step;
}

static inline void set_claim(struct cs_rigid_conservative_bits *c, struct cs_rigid_claim *claim,
                             int step)
{
    claim->step = step;
    claim->start = c->slots.profile.time[step];
    claim->end = cs_rigid_plan_end(c->in, claim->rank, claim->start);
    claim->next = 0;
    claim->passed = false;
}

/* The step of the slot of somebody who comes in the way of the job; -1 when he does not. */
static inline int step_in_the_way(struct cs_rigid_conservative_bits *c,
                                  struct cs_rigid_claim *claim, int rank)
{
    int step;

    if (c->bound[rank] >= claim->end)
        return -1;
    step = look(c, rank);
    if (c->bound[rank] >= claim->end)
        return -1;
    claim->next = rank;
    return step;
}

/* The same from a rank on, where only those are looked at who fit in an opening that begins before
 * the job ends. */
static int in_the_way_from(struct cs_rigid_conservative_bits *c, struct cs_rigid_claim *claim,
                           int rank)
{
    const struct cs_rigid_stairs openings =
        cs_rigid_free_times_openings(&c->slots.profile, claim->end);
    struct cs_rigid_cursor at = {0, rank};
    int step;

    for (; (rank = cs_rigid_queue_first_below(c->queue, &at, &openings)) >= 0 && rank < claim->rank;
         at.at++)
        if (!(c->slots.planned[rank / 64] & bit_of(rank)) &&
            (step = step_in_the_way(c, claim, rank)) >= 0)
            return step;
    claim->next = claim->rank;
    return -1;
}

/* The next before the job who is not planned and whose slot begins before that of the job ends.
 * Returns the step of his slot; -1 for nobody. */
static inline int in_the_way(struct cs_rigid_conservative_bits *c, struct cs_rigid_claim *claim)
{
    const uint64_t *wait = c->queue->wait, *planned = c->slots.planned;
    int w = claim->next / 64, last = claim->rank / 64, step, asked = 0;
    uint64_t mask = UINT64_MAX << (claim->next % 64);

    for (; w <= last; w++, mask = UINT64_MAX) {
        uint64_t bits = wait[w] & ~planned[w] & mask;

        if (w == last)
            bits &= bit_of(claim->rank) - 1;
        for (; bits; bits &= bits - 1) {
            int rank = 64 * w + first_bit(bits);

            if (asked++ == MANY)
                return in_the_way_from(c, claim, rank);
            if ((step = step_in_the_way(c, claim, rank)) >= 0)
                return step;
            claim->passed = true;
        }
    }
    claim->next = claim->rank;
    return -1;
}

/* The job gets its slot. */
static inline void plan(struct cs_rigid_conservative_bits *c, int rank, int step)
{
    struct cs_rigid_slots *slots = &c->slots;
    double start = slots->profile.time[step];

    cs_rigid_free_times_take_at(&slots->profile, rank, step);
    slots->planned[rank / 64] |= bit_of(rank);
    slots->count++;
    slots->start[rank] = start;
    slots->earliest = start < slots->earliest ? start : slots->earliest;
}

/* Is the slot, after others got theirs, still before the end of the job that it is in the way of?
 */
static inline bool is_still(struct cs_rigid_conservative_bits *c, struct cs_rigid_claim *claim)
{
    int step = look(c, claim->rank);

    if (c->bound[claim->rank] >= claim[-1].end)
        return false;
    if (c->bound[claim->rank] == claim->start)
        claim->step = step;
    else
        set_claim(c, claim, step);
    return true;
}

/* Plan who comes in the way of a job that could start now, and before them who comes in theirs.
 * Returns whether it still can. */
static bool can_start(struct cs_rigid_conservative_bits *c, int candidate)
{
    struct cs_rigid_claim *claim = c->claim;
    int rank, step;

    claim->rank = candidate;
    set_claim(c, claim, c->slots.profile.first);
    for (;;) {
        step = in_the_way(c, claim);
        rank = claim->next;
        if (step >= 0 && claim->passed) {
            claim[1].rank = rank;
            set_claim(c, ++claim, step);
            continue;
        }
        if (step < 0 && claim == c->claim)
            return true;
        if (step < 0)
            step = (claim--)->step;
        plan(c, rank, step);
        while (claim > c->claim && !is_still(c, claim))
            claim--;
        if (claim == c->claim && !cs_rigid_free_times_fits_now(&c->slots.profile, candidate))
            return false;
    }
}

static int start_now(struct cs_rigid_conservative_bits *c, int rank)
{
    cs_rigid_free_times_take_at(&c->slots.profile, rank, c->slots.profile.first);
    cs_rigid_queue_remove(c->queue, rank);
    return rank;
}

/* Who came back starts at once, or makes the plan behind it void. */
static int start_changed(struct cs_rigid_conservative_bits *c, const struct cs_rigid_view *view,
                         int *start)
{
    int count = 0;

    for (int w = 0; w < c->queue->words; w++) {
        for (uint64_t bits = c->changed[w]; bits; bits &= bits - 1) {
            int rank = 64 * w + first_bit(bits);

            if (cs_rigid_free_times_fits_now(&c->slots.profile, rank) && can_start(c, rank))
                start[count++] = start_now(c, rank);
            else
                cut(c, rank, view, start, count);
        }
        c->changed[w] = 0;
    }
    return count;
}

/* The jobs whose reservations begin now. */
static int start_planned(struct cs_rigid_conservative_bits *c, double now, int *start)
{
    struct cs_rigid_slots *slots = &c->slots;
    double earliest = INFINITY;
    int count = 0;

    if (slots->earliest > now)
        return 0;
    for (int w = 0; w < c->queue->words; w++)
        for (uint64_t bits = slots->planned[w]; bits; bits &= bits - 1) {
            int rank = 64 * w + first_bit(bits);
            double at = slots->start[rank];

            if (at > now) {
                earliest = at < earliest ? at : earliest;
                continue;
            }
            slots->planned[w] &= ~(bits & -bits);
            slots->count--;
            cs_rigid_queue_remove(c->queue, rank);
            start[count++] = rank;
        }
    slots->earliest = earliest;
    return count;
}

/* Everybody who is not planned and can start now.  Who could not, beside what is planned, cannot
 * later. */
static int start_others(struct cs_rigid_conservative_bits *c, int *start)
{
    struct cs_rigid_cursor at = {0, 0};
    int count = 0, rank;

    while ((rank = cs_rigid_free_times_candidate(&c->slots.profile, c->queue, &at)) >= 0) {
        if (can_start(c, rank))
            start[count++] = start_now(c, rank);
        at.at++;
    }
    return count;
}

/* The first decision of a scenario is that of every scenario. */
static int decide_first(struct cs_rigid_conservative_bits *c, const struct cs_rigid_view *view,
                        int *start)
{
    if (c->first_starts < 0) {
        cs_rigid_free_times_begin(&c->slots.profile, view);
        c->first_starts = start_others(c, c->first_start);
        slots_copy(&c->first, &c->slots, c->in->count, c->queue->words);
    } else {
        slots_copy(&c->slots, &c->first, c->in->count, c->queue->words);
        for (int a = 0; a < c->first_starts; a++)
            cs_rigid_queue_remove(c->queue, c->first_start[a]);
    }
    memcpy(start, c->first_start, (size_t)c->first_starts * sizeof *start);
    return c->first_starts;
}

int cs_rigid_conservative_bits_decide(struct cs_rigid_conservative_bits *c,
                                      const struct cs_rigid_view *view, int *start)
{
    bool fresh = c->fresh, beginning = c->beginning;
    int count;

    c->fresh = c->beginning = false;
    if (beginning && view->now == 0 && view->free == c->in->machine)
        return decide_first(c, view, start);
    if (fresh)
        cs_rigid_free_times_begin(&c->slots.profile, view);
    else
        cs_rigid_free_times_advance(&c->slots.profile, view->now);
    count = start_changed(c, view, start);
    count += start_planned(c, view->now, start + count);
    count += start_others(c, start + count);
    if (cs_rigid_end_at_once(c->in, start, count, view->now))
        cs_rigid_conservative_bits_forget(c);
    return count;
}
