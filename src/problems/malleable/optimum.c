/* optimum.c - a search over allocations, with the failures of a scenario known in advance.
 *
 * Source: docs/spec/science.md 10; the events are those of spec/malleable.md 5 to 7.
 *
 * Idea: depth first over the points of decision; at each of them all allocations of the tasks
 * that may change (L), the present one first.  A state is left when the work that remains cannot
 * be done before the best end: no task can be faster than on all processors, and the shares of
 * all tasks must fit the machine (bound.h).  The best of the policies none, local and greedy is
 * where the search starts.
 *
 * Invariants: a state is a copy, so that a branch does not change its parent; events between
 * decisions are those of simulate.c; the makespan is never above that of the three policies.
 *
 * Complexity: exponential; a node costs O(tasks) and a copy of the state.  The levels of the search
 * are in a list, since there are as many as decisions after each other: thousands with failures.
 *
 * | constant | value | unit | how found | at half, at double |
 * |----------|-------|------|-----------|--------------------|
 * | NODES | 1e8 | nodes | spec 10.2: the search ends there | not measured |
 * | DEPTH | 20000 | decisions | 110 MB of levels at most | not measured |
 * | LESS | 1 - 1e-12 | ratio | spec 10.2: cut at the best within rounding | not measured |
 */
#include "problems/malleable/optimum.h"

#include "base/guard.h"
#include "base/watch.h"
#include "problems/malleable/bound.h"
#include "problems/malleable/expected.h"
#include "problems/malleable/plan.h"

#include <string.h>

#define NODES 100000000LL
#define LESS (1 - 1e-12)
#define MOST CS_MALLEABLE_OPTIMUM_MOST_TASKS
#define DEPTH 20000 /* decisions after each other */

struct strand {
    double alpha, start, end;
    struct cs_malleable_running run;
    uint64_t pairs; /* bits */
    int procs;      /* 0: it has ended */
};

struct moment {
    double now;
    size_t fault; /* the next one */
    uint64_t free;
    int living;
    struct strand strand[MOST];
};

/* The choices that lead to a moment, the last one first. */
struct path {
    const struct path *before;
    double time;
    int procs[MOST];
};

struct search {
    const struct cs_malleable_model *model;
    const struct cs_malleable_hulls *hulls;
    struct cs_malleable_optimum *best;
    struct cs_arena *arena;
    const struct cs_fault *fault;
    size_t faults;
    bool wake;
    int tasks;
    double shortest[MOST]; /* seconds on all processors */
};

/* ---- what happens between decisions ---- */

static void strand_begin(const struct search *s, struct strand *strand, int task)
{
    const struct cs_malleable_rate *rate = &s->model->rate[task];
    struct cs_malleable_running *run = &strand->run;

    run->seconds = cs_malleable_rate_time(rate, strand->procs);
    run->pieces = cs_malleable_model_pieces(s->model, task, strand->procs, strand->alpha);
    run->period = run->pieces.work + rate->checkpoint / strand->procs;
    strand->end = strand->start + run->pieces.last;
    if (run->pieces.pieces > 0)
        strand->end += run->pieces.pieces * run->period;
}

static struct cs_malleable_progress strand_progress(const struct strand *strand, double now)
{
    return cs_malleable_progress(&strand->run, strand->start, now);
}

/* The share that is left, of a task in a window that at its start. */
static double strand_left(const struct strand *strand, double now)
{
    struct cs_malleable_progress p;

    if (now <= strand->start)
        return strand->alpha;
    p = strand_progress(strand, now);
    return cs_malleable_live(&strand->run, &p, strand->alpha);
}

static void strand_down(const struct search *s, struct moment *m, int task, int procs)
{
    struct strand *strand = &m->strand[task];

    strand->run.recovered =
        m->now + s->model->downtime + cs_malleable_rate_recovery(&s->model->rate[task], procs);
}

static void moment_end(struct moment *m, int tasks)
{
    for (int i = 0; i < tasks; i++) {
        struct strand *strand = &m->strand[i];

        if (!strand->procs || strand->end > m->now)
            continue;
        m->free |= strand->pairs;
        strand->pairs = 0;
        strand->procs = 0;
        m->living--;
    }
}

/* The move is made again, from the checkpoint before it. */
static void redo_window(const struct search *s, struct moment *m, int task)
{
    const struct cs_malleable_rate *rate = &s->model->rate[task];
    struct strand *strand = &m->strand[task];
    struct cs_malleable_running *run = &strand->run;

    strand_down(s, m, task, run->old_procs);
    strand->alpha = run->old_alpha;
    run->move_end = run->recovered + cs_malleable_rate_move(rate, run->old_procs, strand->procs);
    strand->start = run->move_end + rate->checkpoint / strand->procs;
    strand_begin(s, strand, task);
}

static void strand_roll_back(const struct search *s, struct moment *m, int task)
{
    struct strand *strand = &m->strand[task];
    const struct cs_malleable_progress p = strand_progress(strand, m->now);

    strand->alpha = cs_malleable_saved(&strand->run, &p, strand->alpha);
    strand_down(s, m, task, strand->procs);
    strand->run.move_end = strand->run.recovered;
    strand->run.moved = false;
    strand->start = strand->run.recovered;
    strand_begin(s, strand, task);
}

/* The task that computes and is struck, or -1: no decision. */
static int moment_strike(const struct search *s, struct moment *m)
{
    const int processor = s->fault[m->fault++].processor;

    for (int i = 0; i < s->tasks && processor / 2 < CS_MALLEABLE_OPTIMUM_MOST_PAIRS; i++) {
        const struct strand *strand = &m->strand[i];

        if (!(strand->pairs >> (processor / 2) & 1))
            continue;
        if (m->now >= strand->start) {
            strand_roll_back(s, m, i);
            return i;
        }
        if (strand->run.moved && m->now >= strand->run.move_end)
            redo_window(s, m, i);
        return -1;
    }
    return -1;
}

/* ---- decisions ---- */

/* A point of decision: who may change. */
struct turn {
    const struct moment *at;
    int faulty; /* or -1 */
    int members, member[MOST];
    int share[MOST]; /* by member */
    int room;        /* processors of members and free ones */
    bool first;      /* time 0 */
};

/* What is tried next at a level: to keep all, the first shares, the shares after those. */
enum stage { STAGE_PRESENT, STAGE_FIRST, STAGE_OTHERS };

struct level {
    struct level *before, *after; /* after: for the levels below, one at a time */
    int depth;
    enum stage stage;
    struct moment moment;
    struct turn turn;
    struct path path; /* the choice that leads here */
    const struct path *led;
};

static double bound_of(const struct search *s, const struct moment *m, double *left)
{
    double bound = m->now;

    for (int i = 0; i < s->tasks; i++) {
        const struct strand *strand = &m->strand[i];

        left[i] = 0;
        if (!strand->procs)
            continue;
        left[i] = strand_left(strand, m->now);
        bound = cs_malleable_larger(bound, cs_malleable_larger(strand->start, m->now) +
                                               left[i] * s->shortest[i]);
    }
    return bound;
}

/* Can no choice from here on end before the best? */
static bool is_hopeless(const struct search *s, const struct moment *m)
{
    const double limit = s->best->makespan * LESS;
    double left[MOST];

    return bound_of(s, m, left) >= limit || !cs_malleable_hulls_fit(s->hulls, left, limit - m->now);
}

static uint64_t highest_bit(uint64_t set)
{
    return UINT64_C(1) << (63 - __builtin_clzll(set));
}

static void give_pairs(struct moment *m, struct strand *strand, int count)
{
    for (; count > 0; count--) {
        const uint64_t pair = highest_bit(strand->pairs);

        strand->pairs &= ~pair;
        m->free |= pair;
    }
}

static void take_pairs(struct moment *m, struct strand *strand, int count)
{
    for (; count > 0; count--) {
        const uint64_t pair = m->free & -m->free;

        m->free &= ~pair;
        strand->pairs |= pair;
    }
}

static void change_strand(const struct search *s, const struct turn *turn, struct moment *m,
                          int task, int share)
{
    const struct cs_malleable_rate *rate = &s->model->rate[task];
    struct strand *strand = &m->strand[task];
    struct cs_malleable_running *run = &strand->run;

    run->moved = !turn->first;
    run->old_procs = strand->procs;
    run->old_alpha = strand->alpha;
    if (task != turn->faulty && !turn->first) {
        const struct cs_malleable_progress p = strand_progress(strand, m->now);

        run->old_alpha = cs_malleable_saved(run, &p, strand->alpha);
        strand->alpha = cs_malleable_live(run, &p, strand->alpha);
        run->recovered = m->now;
    }
    strand->procs = share;
    if (!turn->first) {
        run->move_end = run->recovered + cs_malleable_rate_move(rate, run->old_procs, share);
        strand->start = run->move_end + rate->checkpoint / share;
    }
    strand_begin(s, strand, task);
}

static void apply_turn(const struct search *s, const struct turn *turn, struct moment *m)
{
    for (int a = 0; a < turn->members; a++) {
        struct strand *strand = &m->strand[turn->member[a]];

        if (turn->share[a] < strand->procs)
            give_pairs(m, strand, (strand->procs - turn->share[a]) / 2);
    }
    for (int a = 0; a < turn->members; a++) {
        struct strand *strand = &m->strand[turn->member[a]];

        if (turn->share[a] == strand->procs)
            continue;
        if (turn->share[a] > strand->procs)
            take_pairs(m, strand, (turn->share[a] - strand->procs) / 2);
        change_strand(s, turn, m, turn->member[a], turn->share[a]);
    }
}

static bool is_over(const struct search *s)
{
    return s->best->nodes >= NODES || cs_watch_calls();
}

static bool is_present(const struct turn *turn)
{
    for (int a = 0; a < turn->members; a++)
        if (turn->share[a] != turn->at->strand[turn->member[a]].procs)
            return false;
    return true;
}

static int least_of(const struct search *s, const struct turn *turn, int a)
{
    return s->model->rate[turn->member[a]].least;
}

/* Members from `from` on get the first shares, the most to the first of them; false: there is not
 * room for all. */
static bool shares_fill(const struct search *s, struct turn *turn, int from)
{
    int room = turn->room, later = 0;

    for (int a = 0; a < from; a++)
        room -= turn->share[a];
    for (int a = from; a < turn->members; a++)
        later += least_of(s, turn, a);
    for (int a = from; a < turn->members; a++) {
        later -= least_of(s, turn, a);
        turn->share[a] = room - later;
        room = later;
        if (turn->share[a] < least_of(s, turn, a))
            return false;
    }
    return true;
}

/* The next shares, counts descending. */
static bool shares_next(const struct search *s, struct turn *turn)
{
    for (int a = turn->members - 1; a >= 0; a--) {
        if (turn->share[a] - 2 < least_of(s, turn, a))
            continue;
        turn->share[a] -= 2;
        return shares_fill(s, turn, a + 1);
    }
    return false;
}

/* The next choice of a level, in its turn; false: there is none. */
static bool level_choose(const struct search *s, struct level *l)
{
    struct turn *turn = &l->turn;

    if (l->stage == STAGE_PRESENT) {
        l->stage = STAGE_FIRST;
        if (!turn->first)
            return true;
    }
    if (l->stage == STAGE_FIRST) {
        l->stage = STAGE_OTHERS;
        if (!turn->members || is_hopeless(s, &l->moment) || !shares_fill(s, turn, 0))
            return false;
    } else if (!shares_next(s, turn)) {
        return false;
    }
    while (!turn->first && is_present(turn))
        if (!shares_next(s, turn))
            return false;
    return true;
}

/* The moment and, from there, those who may change are known. */
static void level_begin(struct level *l)
{
    struct turn *turn = &l->turn;

    l->stage = STAGE_PRESENT;
    turn->room = 2 * __builtin_popcountll(l->moment.free);
    for (int a = 0; a < turn->members; a++) {
        turn->share[a] = l->moment.strand[turn->member[a]].procs;
        turn->room += turn->share[a];
    }
}

/* Those that may change now; `faulty` is struck, or -1. */
static struct turn turn_of(const struct search *s, const struct moment *m, int faulty, bool wake)
{
    struct turn turn = {.at = m, .faulty = faulty};
    const double back = faulty >= 0 ? m->strand[faulty].start : -INFINITY;

    for (int i = 0; i < s->tasks; i++) {
        const struct strand *strand = &m->strand[i];
        const bool computes = wake ? m->now >= strand->start : m->now > strand->start;

        if (strand->procs && (i == faulty || (computes && strand->end > back)))
            turn.member[turn.members++] = i;
    }
    return turn;
}

/* ---- the events ---- */

static void search_keep(struct search *s, double makespan, const struct path *path)
{
    struct cs_malleable_optimum *best = s->best;
    struct cs_malleable_choice *choice;
    int at = 0;

    for (const struct path *p = path; p; p = p->before)
        at++;
    best->makespan = makespan;
    best->choices = at;
    best->choice = choice = CS_NEW_ARRAY(s->arena, struct cs_malleable_choice, at);
    for (const struct path *p = path; p; p = p->before) {
        int *procs = CS_NEW_ARRAY(s->arena, int, s->tasks);

        memcpy(procs, p->procs, (size_t)s->tasks * sizeof *procs);
        choice[--at] = (struct cs_malleable_choice){p->time, procs};
    }
}

static double next_end(const struct search *s, const struct moment *m)
{
    double end = INFINITY;

    for (int i = 0; i < s->tasks; i++)
        if (m->strand[i].procs && m->strand[i].end < end)
            end = m->strand[i].end;
    return end;
}

static double next_start(const struct search *s, const struct moment *m)
{
    double start = INFINITY;

    for (int i = 0; i < s->tasks && s->wake && m->free; i++)
        if (m->strand[i].procs && m->strand[i].start > m->now && m->strand[i].start < start)
            start = m->strand[i].start;
    return start;
}

/* The next event; true if there is a decision, `turn` then. */
static bool moment_step(const struct search *s, struct moment *m, struct turn *turn)
{
    const double end = next_end(s, m), wake = next_start(s, m);
    const double fault = m->fault < s->faults ? s->fault[m->fault].time : INFINITY;
    int faulty = -1;

    if (end <= fault && end <= wake) {
        m->now = end;
        moment_end(m, s->tasks);
    } else if (wake <= fault) {
        m->now = wake;
    } else {
        m->now = fault;
        faulty = moment_strike(s, m);
        if (faulty < 0)
            return false;
    }
    if (m->living)
        *turn = turn_of(s, m, faulty, wake <= fault && wake < end);
    return true;
}

/* From a choice on; true: there is a decision, which is the turn of the level. */
static bool level_play(struct search *s, struct level *l)
{
    while (l->moment.now < s->best->makespan) {
        if (!moment_step(s, &l->moment, &l->turn))
            continue;
        if (l->moment.living)
            return true;
        if (l->moment.now < s->best->makespan)
            search_keep(s, l->moment.now, l->led);
        return false;
    }
    return false;
}

static struct level *level_after(struct search *s, struct level *l)
{
    if (!l->after) {
        l->after = CS_NEW(s->arena, struct level);
        *l->after = (struct level){.before = l, .depth = l->depth + 1};
        l->after->led = &l->after->path;
    }
    return l->after;
}

/* Make the choice of a level; true: the level after it has a decision. */
static bool level_try(struct search *s, const struct level *l, struct level *after)
{
    struct moment *m = &after->moment;

    s->best->nodes++;
    *m = l->moment;
    apply_turn(s, &l->turn, m);
    if (is_hopeless(s, m))
        return false;
    after->path = (struct path){.before = l->led, .time = m->now};
    for (int i = 0; i < s->tasks; i++)
        after->path.procs[i] = m->strand[i].procs;
    return level_play(s, after);
}

/* ---- where it starts ---- */

struct witness {
    struct search *search;
    const struct path *last;
};

/* The choices of a policy. */
static void witness_see(void *who, const struct cs_malleable_event *event)
{
    struct witness *witness = who;
    struct path *path;

    if (event->effect != CS_MALLEABLE_REDISTRIBUTED && event->kind != CS_MALLEABLE_START)
        return;
    path = CS_NEW(witness->search->arena, struct path);
    *path = (struct path){.before = witness->last, .time = event->time};
    for (int i = 0; i < witness->search->tasks; i++)
        path->procs[i] = event->state[i].procs;
    witness->last = path;
}

static int try_policies(struct search *s, const struct cs_malleable_instance *in,
                        const struct cs_malleable_rules *rules, struct cs_malleable_trace *trace,
                        uint64_t scenario, struct cs_error *err)
{
    static const int policy[] = {CS_MALLEABLE_END_NONE, CS_MALLEABLE_END_LOCAL,
                                 CS_MALLEABLE_END_GREEDY};

    for (int p = 0; p < (int)(sizeof policy / sizeof *policy); p++) {
        struct cs_malleable_rules now = *rules;
        struct witness witness = {.search = s};
        const struct cs_malleable_observer observer = {.event = witness_see, .who = &witness};
        struct cs_malleable_simulation *simulation;
        struct cs_malleable_outcome outcome;

        now.on_end = policy[p];
        now.on_failure = CS_MALLEABLE_FAILURE_NONE;
        simulation = cs_malleable_simulation_create(in, &now, err);
        if (!simulation)
            return -1;
        if (trace)
            cs_malleable_trace_begin(trace, scenario);
        cs_malleable_simulation_run(simulation, trace, &observer, &outcome);
        if (outcome.makespan < s->best->makespan)
            search_keep(s, outcome.makespan, witness.last);
        cs_malleable_simulation_destroy(simulation);
    }
    return 0;
}

/* The failures before the best end. */
static void list_faults(struct search *s, struct cs_malleable_trace *trace, uint64_t scenario,
                        bool failing)
{
    size_t room = 16;
    struct cs_fault *list = CS_NEW_ARRAY(s->arena, struct cs_fault, room), fault;

    s->fault = list;
    if (!trace || !failing)
        return;
    cs_malleable_trace_begin(trace, scenario);
    while (cs_malleable_trace_next(trace, &fault) && fault.time < s->best->makespan) {
        if (s->faults == room) {
            struct cs_fault *more = CS_NEW_ARRAY(s->arena, struct cs_fault, 2 * room);

            memcpy(more, list, room * sizeof *list);
            s->fault = list = more;
            room *= 2;
        }
        list[s->faults++] = fault;
    }
}

static struct level *level_first(struct search *s, int usable)
{
    struct level *l = CS_NEW(s->arena, struct level);
    struct moment *m = &l->moment;

    *l = (struct level){0};
    m->living = s->tasks;
    m->free = usable == 128 ? UINT64_MAX : (UINT64_C(1) << (usable / 2)) - 1;
    l->turn = (struct turn){.at = m, .faulty = -1, .first = true, .members = s->tasks};
    for (int i = 0; i < s->tasks; i++) {
        m->strand[i].alpha = 1;
        l->turn.member[i] = i;
        s->shortest[i] = cs_malleable_rate_time(&s->model->rate[i], usable);
    }
    level_begin(l);
    return l;
}

static void search_run(struct search *s, int usable)
{
    struct level *l = level_first(s, usable);

    while (l) {
        if (!level_choose(s, l)) {
            l = l->before;
            continue;
        }
        if (is_over(s) || l->depth >= DEPTH) {
            s->best->proven = false;
            l = l->before;
        } else if (level_try(s, l, level_after(s, l))) {
            l = l->after;
            level_begin(l);
        }
    }
}

int cs_malleable_optimum_check(const struct cs_malleable_instance *in,
                               const struct cs_malleable_rules *rules, bool exact,
                               struct cs_error *err)
{
    const int tasks = exact ? MOST : CS_MALLEABLE_OPTIMUM_TASKS;
    const int pairs = exact ? CS_MALLEABLE_OPTIMUM_MOST_PAIRS : CS_MALLEABLE_OPTIMUM_PAIRS;

    if (rules->layout == CS_MALLEABLE_PATTERN)
        return cs_error_set(err, "--optimum: decisions are searched with the layouts young and "
                                 "tail, not with pattern");
    if (in->tasks <= tasks && in->usable / 2 <= pairs)
        return 0;
    return cs_error_set(err, "optimum: %d tasks on %d pairs of processors are more than %d on %d%s",
                        in->tasks, in->usable / 2, tasks, pairs,
                        exact ? "" : "; --effort exact searches more");
}

int cs_malleable_optimum_find(const struct cs_malleable_instance *in,
                              const struct cs_malleable_rules *rules,
                              struct cs_malleable_trace *trace, uint64_t scenario, bool exact,
                              struct cs_arena *arena, struct cs_malleable_optimum *optimum,
                              struct cs_error *err)
{
    struct search s = {.best = optimum, .arena = arena, .tasks = in->tasks, .wake = rules->wake};

    if (cs_malleable_optimum_check(in, rules, exact, err))
        return -1;
    *optimum = (struct cs_malleable_optimum){.makespan = INFINITY, .proven = true};
    s.model = cs_malleable_model_create(in, rules, arena);
    s.hulls = cs_malleable_hulls_create(in, arena);
    optimum->bound = cs_malleable_hulls_least(s.hulls, NULL);
    if (try_policies(&s, in, rules, trace, scenario, err))
        return -1;
    if (isinf(optimum->makespan))
        return cs_error_set(err, "optimum: no policy makes progress in this scenario");
    list_faults(&s, trace, scenario, in->failing);
    search_run(&s, in->usable);
    optimum->proven = optimum->proven && optimum->nodes < NODES;
    return 0;
}
