/* conservative.c - R-LIST with m = all: slots are planned on demand, and cut where a job returns.
 *
 * Source: Benoit et al. 2021, Algorithm 1 with m = |Q|; spec/rigid.md 4.3 and II 1.3 (why a plan
 * may be kept, and why only the jobs that start now can be observed).
 *
 * Idea: a job that could start now needs to know only those more urgent jobs whose earliest slot
 * begins before its own slot ends.  These get their slots first, and before them the jobs that
 * conflict with theirs (a stack of claims).  All other jobs stay without a reservation.  A job
 * that returns starts now, or voids the reservations of all jobs behind it; those before it are
 * kept.
 *
 * Two forms with the same starts: sets of bits by rank (a batch of up to CS_SCHED_QUEUE_BITS
 * jobs), and a sorted array of reservations (more jobs, jobs that arrive, ranks that change).
 * With places (`in_order`) the array form plans jobs in order up to the candidate, while that can
 * still start.
 *
 * Invariants:
 * - Between two cuts processors are only taken from the profile.  A slot that was found once is
 *   thus a lower bound of the start of all slots found later for the job (`bound`); a cut clears
 *   the bounds.
 * - `slots.count` is the number of bits in `slots.planned`; `earliest` is not above any start.
 * - plan.reservation[] is in the order of the queue, and each waiting job before plan.next has a
 *   reservation in it.
 * - A claim, or a pending job, begins before the end of the one under it in the stack and is more
 *   urgent than that one; so the stack is at most as deep as the queue is long.
 * - The first decision of a scenario of a batch (no places, no learning) does not depend on
 *   failures: it is made once and copied.
 *
 * Complexity: for each job that returns, K reservations until no other job can start, O(S) each in
 * a profile of S steps; K is the number of waiting jobs at worst (spec/rigid.md II 1.3).  Measured
 * (bench/README.md, Rigid jobs): 248 reservations in a scenario of 100 jobs with LA, where
 * planning all more urgent jobs made 1,241; with LPT 343 ns for an attempt of 100 jobs, 6,151 of a
 * million.
 *
 * Constant                                                  | found        | at half, at double
 * MANY: 8 jobs examined before openings are computed (bits) | not recorded | not measured
 * FEW: 4 jobs, the same for the sorted array                | not recorded | not measured
 * running / 4: attempts; a cut builds the profile again     | not recorded | not measured
 *   when it drops more than it keeps, starts, and these     |
 *
 * None of the three changes a start: each chooses between two methods with the same result.
 */
#include "sched/conservative.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

/* The form of sets of bits.
 *
 * A job is planned only when its reservation begins before the end of a less urgent one that starts
 * now or is planned itself.  Within a plan processors are only taken, so that a slot found once is
 * a lower bound of all found later.
 */

/* After so many jobs without a conflict the openings are computed, and the queue finds the next. */
#define MANY 8

static void slots_init(struct cs_sched_slots *slots, const struct cs_sched_instance *in, int words,
                       struct cs_arena *arena)
{
    cs_sched_free_times_init(&slots->profile, in, arena);
    slots->planned = CS_NEW_ARRAY(arena, uint64_t, words);
    slots->start = CS_NEW_ARRAY(arena, double, in->count);
}

static void slots_copy(struct cs_sched_slots *slots, const struct cs_sched_slots *from, int jobs,
                       int words)
{
    cs_sched_free_times_copy(&slots->profile, &from->profile);
    memcpy(slots->planned, from->planned, (size_t)words * sizeof *slots->planned);
    memcpy(slots->start, from->start, (size_t)jobs * sizeof *slots->start);
    slots->count = from->count;
    slots->earliest = from->earliest;
}

static void rigid_conservative_bits_init(struct cs_sched_conservative_bits *c,
                                         const struct cs_sched_instance *in,
                                         struct cs_sched_queue *queue, struct cs_arena *arena)
{
    *c = (struct cs_sched_conservative_bits){.in = in, .queue = queue, .first_starts = -1};
    slots_init(&c->slots, in, queue->words, arena);
    slots_init(&c->first, in, queue->words, arena);
    c->changed = CS_NEW_ARRAY(arena, uint64_t, queue->words);
    c->bound = CS_NEW_ARRAY(arena, double, in->count);
    c->claim = CS_NEW_ARRAY(arena, struct cs_sched_claim, in->count);
    c->first_start = CS_NEW_ARRAY(arena, int, in->count);
}

static void rigid_conservative_bits_discard(struct cs_sched_conservative_bits *c);

static void rigid_conservative_bits_begin(struct cs_sched_conservative_bits *c)
{
    rigid_conservative_bits_discard(c);
    c->beginning = true;
}

static void discard_bounds(struct cs_sched_conservative_bits *c)
{
    memset(c->bound, 0, (size_t)c->in->count * sizeof *c->bound);
}

/* The plan no longer holds. */
static void rigid_conservative_bits_discard(struct cs_sched_conservative_bits *c)
{
    const size_t size = (size_t)c->queue->words * sizeof *c->changed;

    c->fresh = true;
    c->beginning = false;
    memset(c->slots.planned, 0, size);
    memset(c->changed, 0, size);
    c->slots.count = 0;
    c->slots.earliest = INFINITY;
    discard_bounds(c);
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
static inline uint64_t conservative_behind(int rank)
{
    return UINT64_MAX << (rank % 64) << 1;
}

static int count_planned(const struct cs_sched_conservative_bits *c, int rank)
{
    int w = rank / 64,
        count = __builtin_popcountll(c->slots.planned[w] & conservative_behind(rank));

    while (++w < c->queue->words)
        count += __builtin_popcountll(c->slots.planned[w]);
    return count;
}

/* This job waits now: it failed. */
static void rigid_conservative_bits_waits(struct cs_sched_conservative_bits *c, int rank)
{
    int w = rank / 64;
    uint64_t any = c->slots.planned[w] & conservative_behind(rank);

    while (++w < c->queue->words)
        any |= c->slots.planned[w];
    if (any)
        c->changed[rank / 64] |= bit_of(rank);
}

static void give_back_behind(struct cs_sched_conservative_bits *c, int rank)
{
    uint64_t mask = conservative_behind(rank);

    for (int w = rank / 64; w < c->queue->words; w++, mask = UINT64_MAX)
        for (uint64_t bits = c->slots.planned[w] & mask; bits; bits &= bits - 1) {
            int other = 64 * w + first_bit(bits);

            cs_sched_free_times_give_back(&c->slots.profile, other, c->slots.start[other]);
        }
}

/* The profile from nothing: what runs, what starts now, and the reservations that are kept. */
static void conservative_bits_rebuild(struct cs_sched_conservative_bits *c,
                                      const struct cs_sched_view *view, const int *start,
                                      int starting)
{
    struct cs_sched_slots *slots = &c->slots;

    cs_sched_free_times_begin(&slots->profile, view);
    for (int a = 0; a < starting; a++)
        cs_sched_free_times_take(&slots->profile, start[a], view->now);
    for (int w = 0; w < c->queue->words; w++)
        for (uint64_t bits = slots->planned[w]; bits; bits &= bits - 1) {
            int rank = 64 * w + first_bit(bits);

            cs_sched_free_times_take(&slots->profile, rank, slots->start[rank]);
        }
}

static void drop_behind(struct cs_sched_conservative_bits *c, int rank)
{
    int w = rank / 64;

    c->slots.planned[w] &= ~conservative_behind(rank);
    while (++w < c->queue->words)
        c->slots.planned[w] = 0;
}

/* The reservations behind this job are given up.  If they are many, building the
 * profile again is faster. */
static void conservative_bits_cut(struct cs_sched_conservative_bits *c, int rank,
                                  const struct cs_sched_view *view, const int *start, int starting)
{
    int dropped = count_planned(c, rank), kept = c->slots.count - dropped;
    bool again = dropped > kept + starting + cs_sched_running_count(view->running) / 4;

    if (!again)
        give_back_behind(c, rank);
    drop_behind(c, rank);
    c->slots.count = kept;
    if (again)
        conservative_bits_rebuild(c, view, start, starting);
    discard_bounds(c);
}

/* Where the earliest slot of a job begins, next to all that are planned. */
static inline int conservative_bits_inspect(struct cs_sched_conservative_bits *c, int rank)
{
    int step = cs_sched_free_times_find(&c->slots.profile, rank);

    c->bound[rank] = c->slots.profile.time[step];
    return step;
}

static inline void set_claim(struct cs_sched_conservative_bits *c, struct cs_sched_claim *claim,
                             int step)
{
    claim->step = step;
    claim->start = c->slots.profile.time[step];
    claim->end = cs_sched_plan_end(c->in, claim->rank, claim->start);
    claim->next = 0;
    claim->passed = false;
}

/* The step of the slot of the job `rank` if it conflicts with the claim; otherwise -1. */
static inline int step_blocking(struct cs_sched_conservative_bits *c, struct cs_sched_claim *claim,
                                int rank)
{
    int step;

    if (c->bound[rank] >= claim->end)
        return -1;
    step = conservative_bits_inspect(c, rank);
    if (c->bound[rank] >= claim->end)
        return -1;
    claim->next = rank;
    return step;
}

/* The same from a rank on, examining only jobs that fit in an opening that begins before the claim
 * ends. */
static int blocking_from(struct cs_sched_conservative_bits *c, struct cs_sched_claim *claim,
                         int rank)
{
    const struct cs_sched_step_function openings =
        cs_sched_free_times_openings(&c->slots.profile, claim->end);
    struct cs_sched_cursor at = {0, rank};
    int step;

    for (; (rank = cs_sched_queue_first_below(c->queue, &at, &openings)) >= 0 && rank < claim->rank;
         at.at++)
        if (!(c->slots.planned[rank / 64] & bit_of(rank)) &&
            (step = step_blocking(c, claim, rank)) >= 0)
            return step;
    claim->next = claim->rank;
    return -1;
}

/* The next more urgent job that has no reservation and whose slot begins before the claim ends.
 * Returns the step of its slot; -1 if no job is left. */
static inline int conservative_bits_blocking(struct cs_sched_conservative_bits *c,
                                             struct cs_sched_claim *claim)
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
                return blocking_from(c, claim, rank);
            if ((step = step_blocking(c, claim, rank)) >= 0)
                return step;
            claim->passed = true;
        }
    }
    claim->next = claim->rank;
    return -1;
}

/* The job gets its slot. */
static inline void conservative_bits_plan(struct cs_sched_conservative_bits *c, int rank, int step)
{
    struct cs_sched_slots *slots = &c->slots;
    double start = slots->profile.time[step];

    cs_sched_free_times_take_at(&slots->profile, rank, step);
    slots->planned[rank / 64] |= bit_of(rank);
    slots->count++;
    slots->start[rank] = start;
    slots->earliest = start < slots->earliest ? start : slots->earliest;
}

/* Is the slot, after others got theirs, still before the end of the job that it is in the way of?
 */
static inline bool is_still(struct cs_sched_conservative_bits *c, struct cs_sched_claim *claim)
{
    int step = conservative_bits_inspect(c, claim->rank);

    if (c->bound[claim->rank] >= claim[-1].end)
        return false;
    if (c->bound[claim->rank] == claim->start)
        claim->step = step;
    else
        set_claim(c, claim, step);
    return true;
}

/* Plan the jobs that conflict with a job that could start now, and before them those that conflict
 * with theirs.  Returns whether it still can start. */
static bool conservative_bits_can_start(struct cs_sched_conservative_bits *c, int candidate)
{
    struct cs_sched_claim *claim = c->claim;
    int rank, step;

    claim->rank = candidate;
    set_claim(c, claim, c->slots.profile.first);
    for (;;) {
        step = conservative_bits_blocking(c, claim);
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
        conservative_bits_plan(c, rank, step);
        while (claim > c->claim && !is_still(c, claim))
            claim--;
        if (claim == c->claim && !cs_sched_free_times_fits_now(&c->slots.profile, candidate))
            return false;
    }
}

static int start_now(struct cs_sched_conservative_bits *c, int rank)
{
    cs_sched_free_times_take_at(&c->slots.profile, rank, c->slots.profile.first);
    cs_sched_queue_remove(c->queue, rank);
    return rank;
}

/* A job that returned starts now, or voids the plan behind it. */
static int conservative_bits_start_changed(struct cs_sched_conservative_bits *c,
                                           const struct cs_sched_view *view, int *start)
{
    int count = 0;

    for (int w = 0; w < c->queue->words; w++) {
        for (uint64_t bits = c->changed[w]; bits; bits &= bits - 1) {
            int rank = 64 * w + first_bit(bits);

            if (cs_sched_free_times_fits_now(&c->slots.profile, rank) &&
                conservative_bits_can_start(c, rank))
                start[count++] = start_now(c, rank);
            else
                conservative_bits_cut(c, rank, view, start, count);
        }
        c->changed[w] = 0;
    }
    return count;
}

/* The jobs whose reservations begin now. */
static int conservative_bits_start_planned(struct cs_sched_conservative_bits *c, double now,
                                           int *start)
{
    struct cs_sched_slots *slots = &c->slots;
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
            cs_sched_queue_remove(c->queue, rank);
            start[count++] = rank;
        }
    slots->earliest = earliest;
    return count;
}

/* All jobs that have no reservation and can start now.  A job that cannot start next to what is
 * planned cannot later either, as planning only takes processors. */
static int conservative_bits_start_others(struct cs_sched_conservative_bits *c, int *start)
{
    struct cs_sched_cursor at = {0, 0};
    int count = 0, rank;

    while ((rank = cs_sched_free_times_candidate(&c->slots.profile, c->queue, &at)) >= 0) {
        if (conservative_bits_can_start(c, rank))
            start[count++] = start_now(c, rank);
        at.at++;
    }
    return count;
}

/* The first decision of a scenario is that of every scenario. */
static int conservative_bits_decide_first(struct cs_sched_conservative_bits *c,
                                          const struct cs_sched_view *view, int *start)
{
    if (c->first_starts < 0) {
        cs_sched_free_times_begin(&c->slots.profile, view);
        c->first_starts = conservative_bits_start_others(c, c->first_start);
        slots_copy(&c->first, &c->slots, c->in->count, c->queue->words);
    } else {
        slots_copy(&c->slots, &c->first, c->in->count, c->queue->words);
        for (int a = 0; a < c->first_starts; a++)
            cs_sched_queue_remove(c->queue, c->first_start[a]);
    }
    memcpy(start, c->first_start, (size_t)c->first_starts * sizeof *start);
    return c->first_starts;
}

/* Takes the jobs that start now out of the queue. */
static int rigid_conservative_bits_decide(struct cs_sched_conservative_bits *c,
                                          const struct cs_sched_view *view, int *start)
{
    bool fresh = c->fresh, beginning = c->beginning;
    int count;

    c->fresh = c->beginning = false;
    if (beginning && view->now == 0 && view->free == c->in->machine)
        return conservative_bits_decide_first(c, view, start);
    if (fresh)
        cs_sched_free_times_begin(&c->slots.profile, view);
    else
        cs_sched_free_times_advance(&c->slots.profile, view->now);
    count = conservative_bits_start_changed(c, view, start);
    count += conservative_bits_start_planned(c, view->now, start + count);
    count += conservative_bits_start_others(c, start + count);
    if (cs_sched_end_at_once(c->in, start, count, view->now))
        rigid_conservative_bits_discard(c);
    return count;
}

/* So many jobs are examined one by one before the openings are computed. */
#define FEW 4

static const struct cs_sched_place before_all = {.key = -INFINITY};

static void plan_init(struct cs_sched_plan *plan, const struct cs_sched_instance *in,
                      struct cs_arena *arena)
{
    cs_sched_free_times_init(&plan->profile, in, arena);
    plan->room = in->count;
    plan->reservation = CS_NEW_ARRAY(arena, struct cs_sched_reservation, in->count);
}

static void plan_copy(struct cs_sched_plan *plan, const struct cs_sched_plan *from)
{
    cs_sched_free_times_copy(&plan->profile, &from->profile);
    plan->next = from->next;
    plan->planned = from->planned;
    plan->earliest = from->earliest;
    memcpy(plan->reservation, from->reservation, (size_t)from->planned * sizeof *plan->reservation);
}

void cs_sched_conservative_init(struct cs_sched_conservative *c, const struct cs_sched_instance *in,
                                struct cs_sched_queue *queue, struct cs_arena *arena)
{
    *c = (struct cs_sched_conservative){.in = in,
                                        .queue = queue,
                                        .arena = arena,
                                        .in_order = in->place,
                                        .room = in->count,
                                        .first_starts = -1};
    if (queue->kind == CS_SCHED_QUEUE_OF_BITS) {
        c->bits = CS_NEW(arena, struct cs_sched_conservative_bits);
        rigid_conservative_bits_init(c->bits, in, queue, arena);
        return;
    }
    plan_init(&c->plan, in, arena);
    c->changed = CS_NEW_ARRAY(arena, int, in->count);
    if (in->place || in->learns)
        return;
    plan_init(&c->first, in, arena);
    c->first_start = CS_NEW_ARRAY(arena, int, in->count);
}

void cs_sched_conservative_begin(struct cs_sched_conservative *c)
{
    if (c->bits) {
        rigid_conservative_bits_begin(c->bits);
        return;
    }
    cs_sched_conservative_discard(c);
    c->beginning = !c->in->place && !c->in->learns;
}

void cs_sched_conservative_discard(struct cs_sched_conservative *c)
{
    if (c->bits) {
        rigid_conservative_bits_discard(c->bits);
        return;
    }
    c->fresh = true;
    c->beginning = false;
    c->plan.next = before_all;
    c->plan.planned = c->changes = 0;
    c->plan.earliest = INFINITY;
}

static bool is_before(const struct cs_sched_conservative *c, int ticket,
                      const struct cs_sched_place *place)
{
    return c->in->place ? cs_sched_place_before(&c->in->place[ticket], place)
                        : ticket < place->number;
}

static bool is_before_plan(const struct cs_sched_conservative *c, int ticket)
{
    const struct cs_sched_plan *plan = &c->plan;

    return is_before(c, ticket, &plan->next) ||
           (plan->planned > 0 &&
            cs_sched_before(c->in, ticket, plan->reservation[plan->planned - 1].ticket));
}

/* Keep them in order: they are few. */
void cs_sched_conservative_waits(struct cs_sched_conservative *c, int ticket)
{
    int at = c->changes;

    if (c->bits) {
        rigid_conservative_bits_waits(c->bits, ticket);
        return;
    }
    if (!is_before_plan(c, ticket))
        return;
    CS_ARENA_ROOM(c->arena, c->changed, c->changes, c->room, 16);
    for (; at > 0 && cs_sched_before(c->in, ticket, c->changed[at - 1]); at--)
        c->changed[at] = c->changed[at - 1];
    c->changed[at] = ticket;
    c->changes++;
}

/* The profile from nothing: what runs, what starts now, and the reservations that are kept. */
static void conservative_rebuild(struct cs_sched_conservative *c, const struct cs_sched_view *view,
                                 const int *start, int starting)
{
    cs_sched_free_times_begin(&c->plan.profile, view);
    for (int a = 0; a < starting; a++)
        cs_sched_free_times_take(&c->plan.profile, start[a], view->now);
    for (int a = 0; a < c->plan.planned; a++)
        cs_sched_free_times_take(&c->plan.profile, c->plan.reservation[a].ticket,
                                 c->plan.reservation[a].start);
}

/* The reservations behind this job are given up.  If they are many, building the
 * profile again is faster. */
static void conservative_cut(struct cs_sched_conservative *c, int ticket,
                             const struct cs_sched_view *view, const int *start, int starting)
{
    const struct cs_sched_reservation *reservation = c->plan.reservation;
    int kept = c->plan.planned;

    if (is_before(c, ticket, &c->plan.next))
        c->plan.next = cs_sched_place_of(c->in, ticket);
    while (kept > 0 && cs_sched_before(c->in, ticket, reservation[kept - 1].ticket))
        kept--;
    if (c->plan.planned - kept > kept + starting + cs_sched_running_count(view->running) / 4) {
        c->plan.planned = kept;
        conservative_rebuild(c, view, start, starting);
        return;
    }
    for (; c->plan.planned > kept; c->plan.planned--)
        cs_sched_free_times_give_back(&c->plan.profile, reservation[c->plan.planned - 1].ticket,
                                      reservation[c->plan.planned - 1].start);
}

/* The job has its slot in the profile, and comes behind all that have. */
static inline void conservative_append(struct cs_sched_conservative *c, int ticket, double start)
{
    CS_ARENA_ROOM(c->arena, c->plan.reservation, c->plan.planned, c->plan.room, 16);
    c->plan.reservation[c->plan.planned++] = (struct cs_sched_reservation){start, ticket};
    c->plan.earliest = start < c->plan.earliest ? start : c->plan.earliest;
}

/* The job gets its slot. */
static void conservative_plan(struct cs_sched_conservative *c, int ticket, double start)
{
    struct cs_sched_reservation *last;

    cs_sched_free_times_take(&c->plan.profile, ticket, start);
    conservative_append(c, ticket, start);
    last = &c->plan.reservation[c->plan.planned - 1];
    for (; last > c->plan.reservation && cs_sched_before(c->in, ticket, last[-1].ticket); last--)
        *last = last[-1];
    *last = (struct cs_sched_reservation){start, ticket};
}

/* This job and all before it have a reservation. */
static void conservative_pass(struct cs_sched_conservative *c, int ticket)
{
    if (c->in->place)
        c->plan.next = c->in->place[ticket];
    else
        c->plan.next.number = ticket;
    c->plan.next.number++;
}

static bool is_planned(const struct cs_sched_conservative *c, int ticket)
{
    int low = 0, high = c->plan.planned;

    while (low < high) {
        int middle = (low + high) / 2;

        if (cs_sched_before(c->in, c->plan.reservation[middle].ticket, ticket))
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->plan.planned && c->plan.reservation[low].ticket == ticket;
}

static void conservative_push(struct cs_sched_conservative *c, int ticket)
{
    if (c->depth == c->depth_room) {
        c->depth_room = 2 * c->depth + 16;
        c->pending = cs_arena_grow(c->arena, c->pending, (size_t)c->depth, (size_t)c->depth_room,
                                   sizeof *c->pending);
    }
    c->pending[c->depth++] = (struct cs_sched_pending){.ticket = ticket, .start = -INFINITY};
}

/* The first job that is not planned. */
static struct cs_sched_cursor first_open(struct cs_sched_conservative *c)
{
    struct cs_sched_cursor at = cs_sched_queue_find(c->queue, &c->plan.next);
    int ticket;

    for (; (ticket = cs_sched_queue_at(c->queue, &at)) >= 0 && is_planned(c, ticket); at.at++)
        conservative_pass(c, ticket);
    return at;
}

/* The slot of the last pending job next to all that are planned, and where to search conflicts. */
static struct cs_sched_pending *conservative_inspect(struct cs_sched_conservative *c)
{
    struct cs_sched_pending *p = &c->pending[c->depth - 1];
    double start = cs_sched_free_times_earliest(&c->plan.profile, p->ticket);

    if (start != p->start) {
        p->start = start;
        p->end = cs_sched_plan_end(c->in, p->ticket, start);
        p->next = first_open(c);
        p->asked = 0;
    }
    return p;
}

/* The next job from the cursor on that is not planned and may begin before the slot ends: at first
 * any job; -1 for none. */
static int conservative_blocking(struct cs_sched_conservative *c, struct cs_sched_pending *p)
{
    bool any = p->asked++ < FEW;
    struct cs_sched_step_function openings = {0};

    if (cs_sched_queue_at(c->queue, &p->next) == p->ticket)
        return -1;
    if (!any)
        openings = cs_sched_free_times_openings(&c->plan.profile, p->end);
    for (;; p->next.at++) {
        int ticket = any ? cs_sched_queue_at(c->queue, &p->next)
                         : cs_sched_queue_first_below(c->queue, &p->next, &openings);

        if (ticket < 0 || !cs_sched_before(c->in, ticket, p->ticket))
            return -1;
        if (!is_planned(c, ticket))
            return ticket;
    }
}

/* Plan the jobs that conflict with a job that could start now, and before them those that conflict
 * with theirs.  Returns whether it still can start. */
static bool can_start(struct cs_sched_conservative *c, int candidate, double now)
{
    c->depth = 0;
    conservative_push(c, candidate);
    for (;;) {
        struct cs_sched_pending *p = conservative_inspect(c);
        bool is_candidate = c->depth == 1;
        int ticket;

        if (is_candidate && p->start > now)
            return false;
        if (!is_candidate && !(p->start < p[-1].end)) {
            p[-1].next.at++;
            c->depth--;
        } else if ((ticket = conservative_blocking(c, p)) >= 0) {
            conservative_push(c, ticket);
        } else if (is_candidate) {
            return true;
        } else {
            conservative_plan(c, p->ticket, p->start);
            c->depth--;
        }
    }
}

/* Plan the jobs before a job that could start now, as long as it can. */
static bool can_start_in_order(struct cs_sched_conservative *c, int candidate, double now)
{
    struct cs_sched_cursor at = cs_sched_queue_find(c->queue, &c->plan.next);
    double end = cs_sched_plan_end(c->in, candidate, now);
    int procs = c->in->procs[candidate], ticket;
    bool can = true;

    for (; can && (ticket = cs_sched_queue_at(c->queue, &at)) != candidate; at.at++) {
        double start = cs_sched_free_times_reserve(&c->plan.profile, ticket);

        conservative_append(c, ticket, start);
        can = start >= end || cs_sched_free_times_free_until(&c->plan.profile, procs, end);
    }
    conservative_pass(c, ticket);
    return can;
}

/* A job that returned or arrived starts now, or voids the plan behind it. */
static int start_changed(struct cs_sched_conservative *c, const struct cs_sched_view *view,
                         int *start)
{
    int count = 0;

    for (int a = 0; a < c->changes; a++) {
        int ticket = c->changed[a];

        if (!is_before_plan(c, ticket))
            break;
        if (cs_sched_free_times_fits_now(&c->plan.profile, ticket) &&
            (c->in_order || can_start(c, ticket, view->now))) {
            cs_sched_free_times_reserve(&c->plan.profile, ticket);
            cs_sched_queue_remove(c->queue, ticket);
            start[count++] = ticket;
        } else {
            conservative_cut(c, ticket, view, start, count);
        }
    }
    c->changes = 0;
    return count;
}

/* The jobs whose reservations begin now. */
static int start_planned(struct cs_sched_conservative *c, double now, int *start)
{
    struct cs_sched_reservation *reservation = c->plan.reservation;
    double earliest = INFINITY;
    int kept = 0, count = 0;

    if (c->plan.earliest > now)
        return 0;
    for (int a = 0; a < c->plan.planned; a++) {
        double at = reservation[a].start;

        if (at <= now) {
            cs_sched_queue_remove(c->queue, reservation[a].ticket);
            start[count++] = reservation[a].ticket;
            continue;
        }
        earliest = at < earliest ? at : earliest;
        reservation[kept++] = reservation[a];
    }
    c->plan.earliest = earliest;
    c->plan.planned = kept;
    return count;
}

/* All jobs that have no reservation and can start now. */
static int start_others(struct cs_sched_conservative *c, double now, int *start)
{
    int count = 0;

    for (;;) {
        struct cs_sched_cursor at = cs_sched_queue_find(c->queue, &c->plan.next);
        int ticket = cs_sched_free_times_candidate(&c->plan.profile, c->queue, &at);

        if (ticket < 0)
            return count;
        if (!(c->in_order ? can_start_in_order(c, ticket, now) : can_start(c, ticket, now)))
            continue;
        cs_sched_free_times_reserve(&c->plan.profile, ticket);
        cs_sched_queue_remove_at(c->queue, at);
        start[count++] = ticket;
    }
}

/* The first decision of a scenario is that of every scenario. */
static int decide_first(struct cs_sched_conservative *c, const struct cs_sched_view *view,
                        int *start)
{
    if (c->first_starts < 0) {
        cs_sched_free_times_begin(&c->plan.profile, view);
        c->first_starts = start_others(c, view->now, c->first_start);
        plan_copy(&c->first, &c->plan);
    } else {
        plan_copy(&c->plan, &c->first);
        for (int a = 0; a < c->first_starts; a++)
            cs_sched_queue_remove(c->queue, c->first_start[a]);
    }
    memcpy(start, c->first_start, (size_t)c->first_starts * sizeof *start);
    return c->first_starts;
}

int cs_sched_conservative_decide(struct cs_sched_conservative *c, const struct cs_sched_view *view,
                                 int *start)
{
    bool fresh = c->fresh, beginning = c->beginning;
    int count;

    if (c->bits)
        return rigid_conservative_bits_decide(c->bits, view, start);
    c->fresh = c->beginning = false;
    if (beginning && view->now == 0 && view->free == c->in->machine)
        return decide_first(c, view, start);
    if (fresh)
        cs_sched_free_times_begin(&c->plan.profile, view);
    else
        cs_sched_free_times_advance(&c->plan.profile, view->now);
    count = start_changed(c, view, start);
    count += start_planned(c, view->now, start + count);
    count += start_others(c, view->now, start + count);
    if (cs_sched_end_at_once(c->in, start, count, view->now))
        cs_sched_conservative_discard(c);
    return count;
}
