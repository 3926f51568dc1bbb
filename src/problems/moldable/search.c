/* search - threshold accepting over counts and an order, which FIT makes into a plan.
 *
 * Source: spec/moldable.md 6.6; Dueck, Scheuer 1990, with thresholds that fall with the cube of
 * the moves left.
 * Idea: a move changes a count, a place in the order, or both, with probability 1/2 those of the
 * task that ends last; it is kept when the decoded makespan is at most current + theta * best *
 * x^3.  The decoder narrows tasks into holes and widens the last ones.  With release dates it is
 * EARLIEST, because waiting can pay, but not where tasks hold consecutive processors.
 * Invariants: the same result for the same seed and number of moves (time only stops it between
 * moves); a refused move restores counts and order; the plan changes only for a shorter makespan.
 * Complexity: one FIT or EARLIEST and O(tasks) a move; ends early when the plan meets max(area,
 * critical).
 *
 *   constant  value            unit        how found             half, double
 *   theta     min(.02, 3/n^2)  of best     3 is the best of 0.3, 1, 3, 10, 30 on five kinds of bags
 *                                          (spec/moldable.md Part II, 2); half, double not measured
 *   exponent  3                            spec/moldable.md 6.6; not measured
 *   moves     20000            moves       gaps for 2,000, 20,000 and 2,000,000: Part II, 2
 *   PATIENCE  256              moves       not recorded; no influence on the result without a limit
 */
#include "base/splitmix.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/fit.h"
#include "problems/moldable/policy.h"

#include <string.h>

#define PATIENCE 256 /* moves between two looks at the clock */

struct state {
    const struct cs_moldable_bag *bag;
    struct cs_moldable_plan *plan; /* the best */
    struct cs_splitmix random;
    int *choice, *order;
    double current;
    int last;
    struct cs_moldable_fit fit;
    struct cs_moldable_skyline skyline; /* where waiting pays */
    double *start;
};

/* The changes of a move: enough to undo it. */
struct move {
    bool widened, swapped, moved;
    int task, choice; /* as it was */
    int from, to;
};

static int search_below(struct state *s, int m)
{
    return (int)cs_splitmix_below(&s->random, (uint64_t)m);
}

static bool decode_earliest(struct state *s, double limit, double *value, int *last)
{
    double most = 0;

    *value = cs_moldable_earliest(&s->skyline, s->choice, s->order, nextafter(limit, INFINITY),
                                  s->start);
    if (*value > limit)
        return false;
    for (int i = 0; i < s->bag->tasks; i++) {
        double end = s->start[i] + cs_moldable_seconds(s->bag, i, s->choice[i]);

        if (end > most) {
            most = end;
            *last = i;
        }
    }
    if (*value < s->plan->makespan)
        cs_moldable_plan_set(s->bag, s->plan, s->choice, s->start, NULL);
    return true;
}

static bool waiting_pays(const struct cs_moldable_bag *bag)
{
    return bag->release && !bag->contiguous;
}

/* The makespan of counts and order, if it is at most `limit`; the plan becomes it if better. */
static bool search_decode(struct state *s, double limit, double *value, int *last)
{
    if (waiting_pays(s->bag))
        return decode_earliest(s, limit, value, last);
    cs_moldable_fit_clear(&s->fit);
    if (!cs_moldable_fit(&s->fit, s->choice, s->order, s->bag->tasks, s->plan->makespan, limit))
        return false;
    *value = s->fit.makespan;
    *last = s->fit.last;
    if (*value < s->plan->makespan)
        cs_moldable_plan_set(s->bag, s->plan, s->fit.choice, s->fit.start, s->fit.first);
    return true;
}

static int search_place_of(const struct state *s, int task)
{
    int at = 0;

    while (s->order[at] != task)
        at++;
    return at;
}

static void search_shift(int *order, int from, int to)
{
    int task = order[from];

    if (from < to)
        memmove(order + from, order + from + 1, (size_t)(to - from) * sizeof *order);
    else
        memmove(order + to + 1, order + to, (size_t)(from - to) * sizeof *order);
    order[to] = task;
}

static void search_swap(int *order, int a, int b)
{
    int task = order[a];

    order[a] = order[b];
    order[b] = task;
}

/* Another count for a task that has `most` of them. */
static void draw_count(struct state *s, struct move *move, int most)
{
    int k = s->choice[move->task];

    move->widened = true;
    move->choice = k;
    if (search_below(s, 4) == 0) {
        int q = search_below(s, most - 1);

        k = q + (q >= k);
    } else {
        int up = search_below(s, 2);

        k = k == 0 ? 1 : k == most - 1 ? most - 2 : up ? k + 1 : k - 1;
    }
    s->choice[move->task] = k;
}

/* False when the task drawn has no other count. */
static bool search_draw(struct state *s, struct move *move)
{
    int n = s->bag->tasks, kind = search_below(s, 4);

    *move = (struct move){0};
    move->task = search_below(s, 2) == 1 ? s->last : search_below(s, n);
    if (kind <= 1) {
        int most = cs_moldable_candidates(s->bag, move->task);

        if (most == 1)
            return false;
        draw_count(s, move, most);
    }
    if (kind == 0)
        return true;
    move->from = search_place_of(s, move->task);
    move->to = search_below(s, n);
    move->swapped = kind == 2;
    move->moved = kind != 2;
    if (kind == 2)
        search_swap(s->order, move->from, move->to);
    else
        search_shift(s->order, move->from, move->to);
    return true;
}

/* Counts and order as before the move: the reverse of search_draw. */
static void search_undo(struct state *s, const struct move *move)
{
    if (move->widened)
        s->choice[move->task] = move->choice;
    if (move->swapped)
        search_swap(s->order, move->from, move->to);
    if (move->moved)
        search_shift(s->order, move->to, move->from);
}

static void search_init(struct state *s, const struct cs_moldable_bag *bag, uint64_t seed,
                        const struct cs_moldable_plan *from, struct cs_moldable_plan *plan,
                        struct cs_arena *scratch)
{
    *s = (struct state){.bag = bag, .plan = plan, .random = {seed}};
    s->choice = CS_NEW_ARRAY(scratch, int, bag->tasks);
    s->order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    s->start = CS_NEW_ARRAY(scratch, double, bag->tasks);
    memcpy(s->choice, from->choice, (size_t)bag->tasks * sizeof *s->choice);
    cs_moldable_sort_starts(bag, from->start, s->order, scratch);
    if (waiting_pays(bag))
        cs_moldable_skyline_init(&s->skyline, bag, scratch);
    else
        cs_moldable_fit_init(&s->fit, bag, scratch);
}

/* Moves from the plan on, until they are used up or the plan meets the bound `least`; x falls from
 * 1 to 0 with the moves granted, not with those that a time limit leaves.  Returns the moves done.
 */
static long long search_walk(struct state *s, const struct cs_moldable_hunt *hunt, double least)
{
    double n = s->bag->tasks, theta = fmin(0.02, 3.0 / (n * n)), moves = (double)hunt->moves;
    long long m = 0;

    search_decode(s, INFINITY, &s->current, &s->last);
    for (; m < hunt->moves && s->plan->makespan > least * (1 + 1e-12); m++) {
        double x = 1.0 - (double)m / moves, value;
        double limit = s->current + theta * s->plan->makespan * (x * x * x);
        struct move move;
        int last = 0;

        if (m % PATIENCE == 0 && hunt->expired && hunt->expired(hunt->who))
            break;
        if (!search_draw(s, &move))
            continue;
        if (search_decode(s, limit, &value, &last)) {
            s->current = value;
            s->last = last;
        } else {
            search_undo(s, &move);
        }
    }
    return m;
}

long long cs_moldable_search(const struct cs_moldable_bag *bag, const struct cs_moldable_hunt *hunt,
                             struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    double threshold, least = cs_moldable_area(bag, &threshold, scratch);
    struct state state;
    long long done;

    search_init(&state, bag, hunt->seed, hunt->from ? hunt->from : plan, plan, scratch);
    done = search_walk(&state, hunt, fmax(least, cs_moldable_critical(bag)));
    cs_arena_rewind(scratch, mark);
    return done;
}

void cs_moldable_start(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                       struct cs_arena *scratch)
{
    cs_moldable_ludwig_tiwari(bag, plan, scratch);
    cs_moldable_turek_wolf_yu(bag, plan, scratch);
    cs_moldable_sweep(bag, 1, 3, plan, scratch);
    if (cs_moldable_shelves_apply(bag))
        cs_moldable_mounie_rapine_trystram(bag, plan, scratch);
}

enum { MOVES };

static int plan_search(const struct cs_moldable_instance *in,
                       const struct cs_policy_context *context, struct cs_moldable_plan *plan)
{
    const struct cs_moldable_hunt hunt = {
        .seed = context->seed,
        .moves = (long long)context->param[MOVES],
        .expired = context->expired,
        .who = context->who,
    };
    long long done;

    cs_moldable_start(&in->bag, plan, context->scratch);
    cs_moldable_plan_note(plan, "start", NULL, plan->makespan);
    done = cs_moldable_search(&in->bag, &hunt, plan, context->scratch);
    cs_moldable_plan_note(plan, "moves", NULL, (double)done);
    cs_moldable_plan_note(plan, "moves granted", NULL, (double)hunt.moves);
    return 0;
}

static const struct cs_policy_param params[] = {
    [MOVES] = {.name = "moves",
               .kind = CS_POLICY_PARAM_INTEGER,
               .default_text = "20000",
               .low = 0,
               .high = 1e12,
               .summary = "how many changes of counts and order are tried"},
    {0},
};

const struct cs_moldable_policy cs_moldable_policy_search = {
    .info =
        {
            .name = "search",
            .problem = "moldable",
            .summary = "threshold accepting over counts and order, from the best of the others",
            .source = "cosched; Dueck, Scheuer 1990",
            .params = params,
        },
    .plan = plan_search,
};
