/* choose.c - a new configuration: each task goes where the measure of the whole is best.
 *
 * Source: spec/volatile.md 4 (greedy choice of the passive heuristics, section VI of the paper),
 * 3.4 (bounds and the cache of sets).
 * Idea: each of m steps gives one task to the best of the p hosts that are up; sets are numbers in
 * a table, so most candidates cost a look-up.  The winner of the same step last time is measured
 * first, then bounds (step.h) exclude most of the others.  Two caches avoid the steps altogether:
 *   choices: each step keeps its lead over the second best (slack); changes of hosts spend it, and
 *       the step is repeated without a search while some slack is left.
 *   single:  duels of two hosts decide that all tasks go to one host, remembered by what both have
 *       received and by a range of tau.
 * Invariants: the plan equals that of a choice from scratch (tests/property/volatile_core.c
 * compares them); ties go to the lower index; bounds keep CS_VOLATILE_MARGIN, far above rounding.
 * Complexity: O(m p) candidates for a choice from scratch, each O(1), or O(hosts with tasks) when
 * Ecomm changes and the measure needs P; a repeated choice costs O(m) for each host that changed.
 * bench/README.md ("Hosts that come and go"): the caches made a simulated slot 1.0 (ie) to 7.4
 * times (p-iay, e-iay, y-iay) as fast.
 *
 * Constants (all set by hand; effect of half and double: not measured):
 *   ROUNDING   1.000001  factor   sums of spent slack, against rounding
 *   HUGE_SCORE 1e300     score    below -1e300 no step is taken as certain
 *   NEAR       1e-6      rate     as in chain.c
 *   FAINT      -690      log P    smaller probabilities may have vanished (exp gives about 1e-300)
 *   RANGES     17        count    of tau: 0 and [16^i, 16^(i+1)); covers 64 bits
 *   MOST_BYTES 2^25      bytes    of verdicts; then rows are no longer added
 *   LONGEST    1e20      slots    longer times are not decided by duels
 *   RECENT     8         hosts    tried as the single host, the last one first
 */
#include "problems/volatile/choose.h"
#include "base/bug.h"
#include "problems/volatile/step.h"

#include <string.h>

/* the slack of a choice, and what is spent of it. */

struct cs_volatile_choices;

#define ROUNDING 1.000001 /* of sums of what is spent */
#define HUGE_SCORE 1e300
#define NEAR 1e-6    /* as in chain.c */
#define FAINT -690.0 /* log of a probability: what is below may have vanished */

/* A step: its partial configuration before the task, and its winner. */
struct mark {
    struct cs_volatile_partial before;
    double score, loss;  /* loss: of the set that it began with */
    double slack, spent; /* slack 0: the step is not certain */
    int host;
    bool caveat; /* of the doubted, whose bounds are too high here, and of them alone */
};

struct cs_volatile_choices {
    const struct cs_volatile_gauge *gauge;
    bool known;                /* are there steps? */
    bool walked;               /* does the choice that is under way take the same steps so far? */
    struct mark *mark;         /* by step */
    int *tasks;                /* by host: of the choice */
    int *program, *got, *part; /* by host that has tasks: when it was examined last */
    int *member, members;
    int64_t tau;
    int *doubted, caveats; /* hosts */
    double late;           /* spent since then by the time, in every step */
    double *rate, highest; /* by host: no higher is the rate at which it goes down */
    double hazard;         /* that of all with tasks and of one more */
    double least_time;     /* of any workload */
};

/* The supremum of -P_ND'(t) / P_ND(t); +inf where that is not known. */
static double rate_of(const struct cs_volatile_chain *chain)
{
    double slow = -chain->log1;

    if (chain->distance <= NEAR || chain->y2 >= 1)
        return INFINITY;
    return fmax(slow, chain->alpha * slow - chain->beta * chain->log2);
}

/* Lives in the arena, as the gauge must. */
static struct cs_volatile_choices *volatile_choices_create(const struct cs_volatile_gauge *gauge,
                                                           struct cs_arena *arena)
{
    const struct cs_volatile_instance *in = gauge->estimator->in;
    struct cs_volatile_choices *choices = CS_NEW(arena, struct cs_volatile_choices);

    *choices = (struct cs_volatile_choices){
        .gauge = gauge,
        .mark = CS_NEW_ARRAY(arena, struct mark, in->app.tasks),
        .tasks = CS_NEW_ARRAY(arena, int, in->hosts),
        .program = CS_NEW_ARRAY(arena, int, in->hosts),
        .got = CS_NEW_ARRAY(arena, int, in->hosts),
        .part = CS_NEW_ARRAY(arena, int, in->hosts),
        .member = CS_NEW_ARRAY(arena, int, in->hosts),
        .doubted = CS_NEW_ARRAY(arena, int, in->hosts),
        .rate = CS_NEW_ARRAY(arena, double, in->hosts),
        .least_time = INFINITY,
    };
    for (int q = 0; q < in->hosts; q++) {
        choices->rate[q] = rate_of(cs_volatile_sets_chain(gauge->estimator->sets, q));
        choices->highest = fmax(choices->highest, choices->rate[q]);
        choices->least_time = fmin(choices->least_time, in->host[q].slots);
    }
    return choices;
}

/* No step is certain. */
static void volatile_choices_discard(struct cs_volatile_choices *choices)
{
    choices->known = false;
    choices->caveats = 0;
}

/* The lead over a score of at most `rival`.  A probability that has vanished may come back. */
static double lead_over(const struct cs_volatile_choices *choices, double score, double rival)
{
    if (choices->gauge->choice != CS_VOLATILE_TIME && rival < FAINT)
        rival = FAINT;
    return cs_volatile_cut_below(score) - rival;
}

static double choose_left(const struct cs_volatile_choices *choices, const struct mark *m)
{
    return m->slack - (m->spent + choices->late) * ROUNDING;
}

/* The most that a fall of Ecomm by so much adds to the score of another host. */
static double choose_worth(const struct cs_volatile_choices *choices, double fall)
{
    double p = choices->hazard * fall;

    switch (choices->gauge->choice) {
    case CS_VOLATILE_TIME:
        return fall;
    case CS_VOLATILE_PROBABILITY:
        return p;
    case CS_VOLATILE_YIELD:
        return p + fall / (choices->least_time + (double)choices->tau);
    case CS_VOLATILE_APPARENT_YIELD:
        return p + fall / choices->least_time;
    default:
        return INFINITY;
    }
}

/* For a host with tasks: the number of slots that it has received, 0 if the data it has lost does
 * not count for its tasks, -1 if it does. */
static int choose_received(const struct cs_volatile_choices *choices,
                           const struct cs_volatile_view *view, int q)
{
    int program = choices->program[q] - view->program[q], got = view->got[q] - choices->got[q],
        part = view->part[q] - choices->part[q];

    if (program < 0 || got < 0)
        return -1;
    if (got == 0 && part < 0)
        return choices->tasks[q] <= view->got[q] ? program : -1;
    return program + got * view->in->app.data + part;
}

/* No step from its first task on is certain. */
static void choose_stumble(struct cs_volatile_choices *choices, int tasks, int host)
{
    int task = 0;

    while (choices->mark[task].host != host)
        task++;
    for (; task < tasks; task++)
        choices->mark[task].slack = 0;
}

/* Another host may be better by so much, but where this one gets its first task. */
static void choose_spend(struct cs_volatile_choices *choices, int tasks, int host, double price)
{
    bool met = false;

    for (int task = 0; task < tasks; task++) {
        struct mark *m = &choices->mark[task];

        m->spent += met || m->host != host ? price : 0;
        met |= m->host == host;
    }
}

static void choices_inspect_at(struct cs_volatile_choices *choices,
                               const struct cs_volatile_view *view, int host)
{
    choices->program[host] = view->program[host];
    choices->got[host] = view->got[host];
    choices->part[host] = view->part[host];
}

/* A host with tasks. */
static void choose_follow(struct cs_volatile_choices *choices, const struct cs_volatile_view *view,
                          int q)
{
    const struct cs_volatile_gauge *g = choices->gauge;
    int slots = choose_received(choices, view, q), tasks = choices->tasks[q], more, before;
    double fall;

    if (view->state[q] != CS_VOLATILE_UP || slots < 0) {
        choose_stumble(choices, view->in->app.tasks, q);
        return;
    }
    if (slots == 0)
        return;
    more = tasks < view->in->capacity[q] ? tasks + 1 : tasks;
    before = choices->program[q];
    if (more > choices->got[q])
        before += (more - choices->got[q]) * view->in->app.data - choices->part[q];
    fall = cs_volatile_single(g->estimator, g->estimate, q, before) -
           cs_volatile_single(g->estimator, g->estimate, q, before > slots ? before - slots : 0);
    if (fall < INFINITY)
        choose_spend(choices, view->in->app.tasks, q,
                     choose_worth(choices, fmax(fall, slots / g->estimator->transfers)));
    else
        choose_stumble(choices, view->in->app.tasks, choices->mark[0].host);
    choices_inspect_at(choices, view, q);
}

/* Another host: is it worse in every step? */
static void choose_outdo(struct cs_volatile_choices *choices, const struct cs_volatile_view *view,
                         int q)
{
    struct cs_volatile_gauge g = *choices->gauge;
    struct cs_volatile_candidate k;
    bool caveat = false;

    if (view->state[q] != CS_VOLATILE_UP || view->in->capacity[q] == 0)
        return;
    g.tau = choices->tau;
    k = cs_volatile_candidate_of(&g, view, q);
    for (int task = 0; task < view->in->app.tasks; task++) {
        struct mark *m = &choices->mark[task];
        double cut = cs_volatile_cut_below(m->score), lead;
        struct cs_volatile_partial after;

        cs_volatile_extend(&g, &m->before, &k, &after);
        lead = lead_over(choices, m->score,
                         cs_volatile_bound_of(&g, &m->before, m->loss, &k, &after, cut - m->slack));
        if (lead >= m->slack)
            continue;
        if (lead > (m->spent + choices->late) * ROUNDING)
            m->slack = lead;
        else
            m->caveat = caveat = true;
    }
    if (caveat)
        choices->doubted[choices->caveats++] = q;
}

/* Is every step certain?  The view lists the hosts that have changed since the last inspection, or
 * since the choice was made. */
static bool volatile_choices_inspect(struct cs_volatile_choices *choices,
                                     const struct cs_volatile_view *view)
{
    choices->known &= view->tau >= choices->tau;
    if (!choices->known)
        return false;
    if (choices->gauge->choice == CS_VOLATILE_YIELD)
        choices->late = log1p((double)(view->tau - choices->tau) /
                              (choices->least_time + (double)choices->tau));
    for (int i = 0; i < view->touches; i++) {
        int q = view->touched[i];

        if (choices->tasks[q] > 0)
            choose_follow(choices, view, q);
        else
            choose_outdo(choices, view, q);
    }
    for (int task = 0; task < view->in->app.tasks; task++)
        if (!(choose_left(choices, &choices->mark[task]) > 0) || choices->mark[task].caveat)
            return false;
    return true;
}

static void choose_mark(struct cs_volatile_choices *choices, int task,
                        const struct cs_volatile_partial *before, int host, double score,
                        double slack)
{
    choices->mark[task] = (struct mark){
        .before = *before,
        .score = score,
        .loss = cs_volatile_sets_get(choices->gauge->estimator->sets, before->set)->loss,
        .slack = slack > 0 && score > -HUGE_SCORE ? slack : 0,
        .host = host,
    };
}

/* A choice begins, after such a look. */
static void volatile_choices_begin(struct cs_volatile_choices *choices)
{
    choices->walked = choices->known;
    choices->known = false;
}

/* The next step: the host that has won it, when that is certain but for the doubted; else -1. */
static int volatile_choices_ask(const struct cs_volatile_choices *choices, int task,
                                const int **doubted, int *caveats)
{
    const struct mark *m = &choices->mark[task];

    *doubted = choices->doubted;
    *caveats = m->caveat ? choices->caveats : 0;
    return choices->walked && choose_left(choices, m) > 0 ? m->host : -1;
}

/* Repeat the win of the host: the step begins with `before`, it has this score, and the doubted
 * hosts have at most `rival`, -inf if there are no doubted hosts.  False if that is not certain. */
static bool volatile_choices_repeat(struct cs_volatile_choices *choices, int task,
                                    const struct cs_volatile_partial *before, double score,
                                    double rival)
{
    const struct mark *m = &choices->mark[task];
    double slack = fmin(choose_left(choices, m), lead_over(choices, score, rival));

    if (!(slack > 0))
        return false;
    choose_mark(choices, task, before, m->host, score, slack);
    return true;
}

/* A step that was examined as a whole: others have at most `rival`. */
static void volatile_choices_report(struct cs_volatile_choices *choices, int task,
                                    const struct cs_volatile_partial *before, int host,
                                    double score, double rival)
{
    choices->walked &= choices->mark[task].host == host;
    choose_mark(choices, task, before, host, score, lead_over(choices, score, rival));
}

/* The choice is over. */
static void volatile_choices_end(struct cs_volatile_choices *choices,
                                 const struct cs_volatile_view *view,
                                 const struct cs_volatile_plan *plan)
{
    for (int i = 0; i < choices->members; i++)
        choices->tasks[choices->member[i]] = 0;
    choices->members = plan->members;
    choices->hazard = choices->highest;
    for (int i = 0; i < plan->members; i++) {
        int q = plan->member[i];

        choices->member[i] = q;
        choices->tasks[q] = plan->tasks[q];
        choices->hazard += choices->rate[q];
        choices_inspect_at(choices, view, q);
    }
    choices->tau = view->tau;
    choices->late = 0;
    choices->caveats = 0;
    choices->known = true;
}

/* Comparisons of two hosts, each with the messages it has received, cached in two bits. */

struct cs_volatile_single;

#define RANGES 17            /* of the time since the iteration began: 0, and [16^i, 16^(i+1)) */
#define MOST_BYTES (1 << 25) /* of what is remembered */
#define LONGEST 1e20         /* times of which the logarithm is below 50 */

enum finding { UNKNOWN, WORSE, NOT_WORSE };

/* Values that a step compares. */
struct weight {
    double log_p, time;
};

/* For a host and its received messages. */
struct row {
    unsigned char *duel; /* by other host and its messages: two bits; NULL until needed */
    /* Sets of hosts: those that have nothing and are worse, those that have the program and are
     * worse, those that have nothing and are not worse, and those that have the program. */
    uint64_t *sure;
    struct weight *alone; /* by tasks */
};

struct cs_volatile_single {
    const struct cs_volatile_gauge *gauge;
    struct cs_arena *arena;
    bool able, seen;    /* is this measure examined?  Are the sets those of the last view? */
    int codes, words;   /* of what a host may have; of a set of hosts */
    size_t bytes, used; /* of a row; of all rows */
    uint64_t *up, *bare, *ready;
    struct row *row[RANGES]; /* by range, and by host and its received messages */
};

/* Lives in the arena, as the gauge must. */
static struct cs_volatile_single *volatile_single_create(const struct cs_volatile_gauge *gauge,
                                                         struct cs_arena *arena)
{
    const struct cs_volatile_instance *in = gauge->estimator->in;
    struct cs_volatile_single *single = CS_NEW(arena, struct cs_volatile_single);
    size_t codes = (size_t)in->most_need + 1, hosts = (size_t)in->hosts;

    *single = (struct cs_volatile_single){
        .gauge = gauge,
        .arena = arena,
        .able = gauge->choice != CS_VOLATILE_RESTARTS &&
                hosts * codes * sizeof(struct row) < MOST_BYTES / 4,
        .codes = in->most_need + 1,
        .words = (in->hosts + 63) / 64,
    };
    single->bytes = (hosts * codes + 3) / 4 + 4 * (size_t)single->words * sizeof(uint64_t) +
                    ((size_t)in->app.tasks + 1) * sizeof(struct weight);
    single->up = CS_NEW_ARRAY(arena, uint64_t, single->words);
    single->bare = CS_NEW_ARRAY(arena, uint64_t, single->words);
    single->ready = CS_NEW_ARRAY(arena, uint64_t, single->words);
    return single;
}

/* The next view will not list all hosts that have changed. */
static void volatile_single_discard(struct cs_volatile_single *single)
{
    single->seen = false;
}

/* Slots that a host has received. */
static inline int code_of(const struct cs_volatile_view *view, int q)
{
    const struct cs_volatile_application *app = &view->in->app;

    return app->program - view->program[q] + view->got[q] * app->data + view->part[q];
}

static void inspect(struct cs_volatile_single *single, const struct cs_volatile_view *view, int q)
{
    bool up = view->state[q] == CS_VOLATILE_UP && view->in->capacity[q] > 0;
    int code = code_of(view, q), word = q / 64;
    uint64_t bit = (uint64_t)1 << q % 64;

    single->up[word] &= ~bit;
    single->bare[word] &= ~bit;
    single->ready[word] &= ~bit;
    if (!up)
        return;
    single->up[word] |= bit;
    if (code == 0)
        single->bare[word] |= bit;
    else if (code == view->in->app.program)
        single->ready[word] |= bit;
}

/* Update the sets to the present hosts; only those listed in the view may have changed. */
static void volatile_single_inspect(struct cs_volatile_single *single,
                                    const struct cs_volatile_view *view)
{
    if (single->seen)
        for (int i = 0; i < view->touches; i++)
            inspect(single, view, view->touched[i]);
    else
        for (int q = 0; q < view->in->hosts; q++)
            inspect(single, view, q);
    single->seen = true;
}

static int range_of(const struct cs_volatile_single *single, int64_t tau)
{
    int range = 0;

    if (single->gauge->choice == CS_VOLATILE_YIELD)
        for (; tau > 0; tau /= 16)
            range++;
    return range;
}

/* Rooms for verdicts; NULL when there is too much to remember. */
static struct row *row_of(struct cs_volatile_single *single, int range, int host, int code)
{
    const struct cs_volatile_instance *in = single->gauge->estimator->in;
    size_t rows = (size_t)in->hosts * (size_t)single->codes;
    struct row *row;

    if (!single->row[range]) {
        single->row[range] = CS_NEW_ARRAY(single->arena, struct row, rows);
        single->used += rows * sizeof(struct row);
    }
    row = &single->row[range][(size_t)host * (size_t)single->codes + (size_t)code];
    if (row->duel)
        return row;
    if (single->used + single->bytes > MOST_BYTES)
        return NULL;
    row->duel = CS_NEW_ARRAY(single->arena, unsigned char, (rows + 3) / 4);
    row->sure = CS_NEW_ARRAY(single->arena, uint64_t, 4 * (size_t)single->words);
    row->alone = CS_NEW_ARRAY(single->arena, struct weight, (size_t)in->app.tasks + 1);
    single->used += single->bytes;
    return row;
}

struct duel {
    const struct cs_volatile_gauge *gauge;
    const struct cs_volatile_view *view;
    int host, other;
    int64_t tau[2]; /* ends of the range */
};

static double single_log_alive(const struct duel *d, int host, double time)
{
    return log(
        cs_volatile_chain_alive(cs_volatile_sets_chain(d->gauge->estimator->sets, host), time));
}

/* So many tasks on the host, and one on the other unless that is -1. */
static struct weight choose_weigh(const struct duel *d, int tasks, int other)
{
    const struct cs_volatile_gauge *g = d->gauge;
    struct cs_volatile_estimator *e = g->estimator;
    const struct cs_volatile_host *host = d->view->in->host;
    int64_t workload = (int64_t)tasks * host[d->host].slots;
    int set = 0, need = cs_volatile_need(d->view, d->host, tasks), more = 0;
    const struct cs_volatile_set *stats;
    double transfer = 0, log_p = 0;

    if (tasks > 0) {
        set = cs_volatile_sets_add(e->sets, set, d->host);
        transfer = cs_volatile_single(e, g->estimate, d->host, need);
    }
    if (other >= 0) {
        set = cs_volatile_sets_add(e->sets, set, other);
        more = cs_volatile_need(d->view, other, 1);
        transfer = fmax(transfer, cs_volatile_single(e, g->estimate, other, more));
        workload = host[other].slots > workload ? host[other].slots : workload;
    }
    transfer = fmax(transfer, ((double)need + more) / e->transfers);
    stats = cs_volatile_sets_get(e->sets, set);
    if (g->choice != CS_VOLATILE_TIME) {
        log_p = cs_volatile_work_log_p(stats, workload);
        log_p += tasks > 0 ? single_log_alive(d, d->host, transfer) : 0;
        log_p += other >= 0 ? single_log_alive(d, other, transfer) : 0;
    }
    return (struct weight){log_p, transfer + cs_volatile_work_time(stats, g->estimate, workload)};
}

/* No better than this is so many tasks on the host and one on the other: bounds of section 3.4. */
static struct weight weigh_roughly(const struct duel *d, int tasks)
{
    const struct cs_volatile_gauge *g = d->gauge;
    struct cs_volatile_estimator *e = g->estimator;
    const struct cs_volatile_host *host = d->view->in->host;
    int need = cs_volatile_need(d->view, d->host, tasks);
    int more = cs_volatile_need(d->view, d->other, 1);
    int64_t workload = (int64_t)tasks * host[d->host].slots;
    double loss = g->alone[d->other].loss, log_p = 0, transfer;

    workload = host[d->other].slots > workload ? host[d->other].slots : workload;
    transfer = cs_volatile_single(e, g->estimate, d->other, more);
    if (tasks > 0) {
        loss = fmax(loss, g->alone[d->host].loss);
        transfer = fmax(transfer, cs_volatile_single(e, g->estimate, d->host, need));
    }
    if (g->choice != CS_VOLATILE_TIME) {
        log_p = cs_volatile_single_alive(e, g->estimate, d->other, more);
        if (tasks > 0)
            log_p += cs_volatile_single_alive(e, g->estimate, d->host, need);
        if (workload > 1)
            log_p -= (double)(workload - 1) * loss;
    }
    return (struct weight){log_p, transfer + (double)workload};
}

/* The lead of one yield over another, P / (E + tau), in logarithms. */
static double choose_lead(struct weight host, struct weight other, double tau)
{
    double log_p = host.log_p - other.log_p, rise = (host.time - other.time) / (other.time + tau);

    return rise <= 0 || log_p > rise ? log_p - rise : log_p - log1p(rise);
}

static bool choose_wins(const struct duel *d, struct weight host, struct weight other)
{
    double size = 50 + fabs(host.log_p);

    if (!(host.time < LONGEST) || !(size < LONGEST))
        return false;
    switch (d->gauge->choice) {
    case CS_VOLATILE_PROBABILITY:
        return host.log_p - other.log_p > CS_VOLATILE_MARGIN * size;
    case CS_VOLATILE_TIME:
        return other.time - host.time > CS_VOLATILE_MARGIN * fmax(1, host.time);
    case CS_VOLATILE_YIELD:
        return choose_lead(host, other, (double)d->tau[0]) > CS_VOLATILE_MARGIN * size &&
               choose_lead(host, other, (double)d->tau[1]) > CS_VOLATILE_MARGIN * size;
    default:
        return choose_lead(host, other, 0) > CS_VOLATILE_MARGIN * size;
    }
}

static enum finding choose_fight(const struct duel *d, const struct weight *alone)
{
    int tasks = d->view->in->app.tasks;

    for (int n = 0; n < tasks; n++)
        if (!choose_wins(d, alone[n + 1], weigh_roughly(d, n)) &&
            !choose_wins(d, alone[n + 1], choose_weigh(d, n, d->other)))
            return NOT_WORSE;
    return WORSE;
}

static enum finding choose_decide(const struct cs_volatile_single *single,
                                  const struct cs_volatile_view *view, int range,
                                  const struct row *row, int host, int other)
{
    const struct duel duel = {
        .gauge = single->gauge,
        .view = view,
        .host = host,
        .other = other,
        .tau = {range ? (int64_t)1 << 4 * (range - 1) : 0,
                range < RANGES - 1 ? (int64_t)1 << 4 * range : INT64_MAX},
    };

    if (row->alone[1].time == 0)
        for (int n = 1; n <= view->in->app.tasks; n++)
            row->alone[n] = choose_weigh(&duel, n, -1);
    return choose_fight(&duel, row->alone);
}

static bool choose_beats(const struct cs_volatile_single *single,
                         const struct cs_volatile_view *view, int range, struct row *row, int host,
                         int other)
{
    int code = code_of(view, other), program = view->in->app.program;
    size_t at = (size_t)other * (size_t)single->codes + (size_t)code;
    int shift = (int)(at % 4 * 2);
    enum finding finding = (enum finding)(row->duel[at / 4] >> shift & 3);

    if (finding == UNKNOWN) {
        finding = choose_decide(single, view, range, row, host, other);
        row->duel[at / 4] |= (unsigned char)(finding << shift);
    }
    if (code == 0 || code == program)
        row->sure[(2 * (finding != WORSE) + (code != 0)) * single->words + other / 64] |=
            (uint64_t)1 << other % 64;
    return finding == WORSE;
}

/* Hosts number 64 * word and so on. */
static bool beats_all(const struct cs_volatile_single *single, const struct cs_volatile_view *view,
                      int range, struct row *row, int host, int word)
{
    const uint64_t *sure = row->sure + word;
    uint64_t bare = single->bare[word], ready = single->ready[word], left = single->up[word];

    if ((bare & sure[2 * single->words]) | (ready & sure[3 * single->words]))
        return false;
    left &= ~(bare & sure[0]) & ~(ready & sure[single->words]);
    for (int q = 64 * word; left; q++, left >>= 1)
        if (left & 1 && q != host && !choose_beats(single, view, range, row, host, q))
            return false;
    return true;
}

/* Certainly the choice is to give all tasks to this host.  The last look was at this view. */
static bool volatile_single_is_chosen(struct cs_volatile_single *single,
                                      const struct cs_volatile_view *view, int host)
{
    const struct cs_volatile_instance *in = view->in;
    int range = range_of(single, view->tau);
    struct row *row;

    if (!single->able || view->state[host] != CS_VOLATILE_UP || in->capacity[host] < in->app.tasks)
        return false;
    row = row_of(single, range, host, code_of(view, host));
    for (int w = 0; w < single->words && row; w++)
        if (!beats_all(single, view, range, row, host, w))
            return false;
    return row != NULL;
}

#define RECENT 8

struct step {
    struct cs_volatile_partial after;
    struct cs_volatile_score score;
    int candidate; /* -1: none yet */
};

struct cs_volatile_chooser {
    struct cs_volatile_gauge gauge;
    bool singles;
    const struct cs_volatile_view *view;
    struct cs_volatile_candidate *candidate;
    int candidates, *taken, takens; /* taken: candidates that have a task */
    int *member, *need;             /* room for a load */
    int *place;                     /* by host: its candidate, when that is the same host */
    int *last;                      /* by step: the host that was taken last time */
    struct cs_volatile_choices *choices;
    struct cs_volatile_single *single;
    int recent[RECENT]; /* hosts that got all tasks, the last first; -1 for none */
};

static const struct cs_volatile_set *sets_of_one(struct cs_volatile_sets *sets, int hosts,
                                                 struct cs_arena *arena)
{
    struct cs_volatile_set *alone = CS_NEW_ARRAY(arena, struct cs_volatile_set, hosts);

    for (int q = 0; q < hosts; q++)
        alone[q] = *cs_volatile_sets_get(sets, cs_volatile_sets_add(sets, 0, q));
    return alone;
}

struct cs_volatile_chooser *cs_volatile_chooser_create(struct cs_volatile_estimator *estimator,
                                                       enum cs_volatile_measure choice,
                                                       enum cs_volatile_estimate estimate,
                                                       bool singles, struct cs_arena *arena)
{
    struct cs_volatile_chooser *c = CS_NEW(arena, struct cs_volatile_chooser);
    int hosts = estimator->in->hosts;

    CS_REQUIRE(choice != CS_VOLATILE_NONE && choice != CS_VOLATILE_DICE);
    *c = (struct cs_volatile_chooser){
        .gauge = {.estimator = estimator,
                  .choice = choice,
                  .estimate = choice == CS_VOLATILE_RESTARTS ? CS_VOLATILE_CONDITIONAL : estimate,
                  .alone = sets_of_one(estimator->sets, hosts, arena)},
        .singles = singles,
        .candidate = CS_NEW_ARRAY(arena, struct cs_volatile_candidate, hosts),
        .taken = CS_NEW_ARRAY(arena, int, hosts),
        .member = CS_NEW_ARRAY(arena, int, hosts),
        .need = CS_NEW_ARRAY(arena, int, hosts),
        .place = CS_NEW_ARRAY(arena, int, hosts),
        .last = CS_NEW_ARRAY(arena, int, estimator->in->app.tasks),
    };
    c->choices = volatile_choices_create(&c->gauge, arena);
    c->single = volatile_single_create(&c->gauge, arena);
    for (int i = 0; i < RECENT; i++)
        c->recent[i] = -1;
    return c;
}

bool cs_volatile_possible(const struct cs_volatile_view *view)
{
    int64_t room = 0;

    for (int q = 0; q < view->in->hosts; q++)
        if (view->state[q] == CS_VOLATILE_UP)
            room += view->in->capacity[q];
    return room >= view->in->app.tasks;
}

static bool choose_begin(struct cs_volatile_chooser *c, const struct cs_volatile_view *view)
{
    const struct cs_volatile_instance *in = view->in;
    int64_t room = 0;

    c->view = view;
    c->gauge.tau = view->tau;
    c->candidates = c->takens = 0;
    for (int q = 0; q < in->hosts; q++) {
        if (view->state[q] != CS_VOLATILE_UP || in->capacity[q] == 0)
            continue;
        room += in->capacity[q];
        c->place[q] = c->candidates;
        c->candidate[c->candidates++] = cs_volatile_candidate_of(&c->gauge, view, q);
    }
    return room >= in->app.tasks;
}

/* log Pcomm for a new Ecomm, or with a new host. */
static double log_alive(struct cs_volatile_chooser *c, const struct cs_volatile_partial *before,
                        const struct cs_volatile_candidate *k, double transfer)
{
    struct cs_volatile_estimator *e = c->gauge.estimator;
    double *row = cs_volatile_row_of(e, transfer), sum = 0;

    if (transfer == before->transfer)
        sum = before->log_alive;
    else
        for (int i = 0; i < c->takens; i++)
            sum += cs_volatile_row_at(e, row, transfer, c->candidate[c->taken[i]].host);
    return k->tasks ? sum : sum + cs_volatile_row_at(e, row, transfer, k->host);
}

/* The score without overflow, from scratch: times beyond the range of numbers are compared by their
 * logarithms. */
static struct cs_volatile_score measure_slowly(struct cs_volatile_chooser *c,
                                               const struct cs_volatile_candidate *k,
                                               const struct cs_volatile_partial *after)
{
    struct cs_volatile_load load = {.set = after->set, .workload = after->workload};
    struct cs_volatile_value value;

    for (int i = 0; i < c->takens; i++) {
        const struct cs_volatile_candidate *other = &c->candidate[c->taken[i]];

        c->member[load.members] = other->host;
        c->need[load.members++] = other == k ? k->next : other->need;
    }
    if (k->tasks == 0) {
        c->member[load.members] = k->host;
        c->need[load.members++] = k->next;
    }
    load.member = c->member;
    load.need = c->need;
    value = cs_volatile_evaluate(c->gauge.estimator, c->gauge.estimate, &load);
    value.lifetime = c->gauge.choice == CS_VOLATILE_RESTARTS
                         ? cs_volatile_sets_lifetime(c->gauge.estimator->sets, after->set)
                         : NAN;
    return cs_volatile_score_of(c->gauge.choice, &value, c->gauge.tau);
}

/* Surely worse than another candidate, whose score is above `cut` by more than rounding. */
static inline bool choose_hopeless(const struct cs_volatile_chooser *c,
                                   const struct cs_volatile_partial *before, double loss,
                                   struct cs_volatile_candidate *k,
                                   struct cs_volatile_partial *after, double cut)
{
    if (k->bound < cut)
        return true;
    cs_volatile_extend(&c->gauge, before, k, after);
    k->bound = cs_volatile_bound_of(&c->gauge, before, loss, k, after, cut);
    return k->bound < cut;
}

static inline void measure_time(struct cs_volatile_chooser *c,
                                const struct cs_volatile_candidate *k,
                                const struct cs_volatile_set *set, struct step *step)
{
    struct cs_volatile_partial *after = &step->after;

    step->score.value =
        -(after->transfer + cs_volatile_work_time(set, c->gauge.estimate, after->workload));
    if (isinf(step->score.value))
        step->score = measure_slowly(c, k, after);
}

static inline void measure_other(struct cs_volatile_chooser *c,
                                 const struct cs_volatile_partial *before,
                                 const struct cs_volatile_candidate *k,
                                 const struct cs_volatile_set *set, struct step *step)
{
    struct cs_volatile_partial *after = &step->after;
    struct cs_volatile_value value;

    after->log_alive = log_alive(c, before, k, after->transfer);
    value.log_p = after->log_alive + cs_volatile_work_log_p(set, after->workload);
    step->score.value = value.log_p;
    if (c->gauge.choice == CS_VOLATILE_PROBABILITY)
        return;
    value.time = after->transfer + cs_volatile_work_time(set, c->gauge.estimate, after->workload);
    if (isinf(value.time)) {
        step->score = measure_slowly(c, k, after);
        return;
    }
    value.log_time = c->gauge.choice == CS_VOLATILE_APPARENT_YIELD ? log(value.time) : NAN;
    value.lifetime = c->gauge.choice == CS_VOLATILE_RESTARTS
                         ? cs_volatile_sets_lifetime(c->gauge.estimator->sets, after->set)
                         : NAN;
    step->score = cs_volatile_score_of(c->gauge.choice, &value, c->gauge.tau);
}

/* The whole of a step of this candidate, which has been extended. */
static inline void choose_measure(struct cs_volatile_chooser *c,
                                  const struct cs_volatile_partial *before, struct step *step)
{
    const struct cs_volatile_candidate *k = &c->candidate[step->candidate];
    struct cs_volatile_sets *sets = c->gauge.estimator->sets;
    const struct cs_volatile_set *set;

    step->after.set = k->tasks ? before->set : cs_volatile_sets_add(sets, before->set, k->host);
    set = cs_volatile_sets_get(sets, step->after.set);
    if (c->gauge.choice == CS_VOLATILE_TIME)
        measure_time(c, k, set, step);
    else
        measure_other(c, before, k, set, step);
}

/* The candidate that was taken in this step last time, when it still can be; else -1. */
static int choose_guess(const struct cs_volatile_chooser *c, int task)
{
    int host = c->last[task], at = c->place[host];

    if (at >= c->candidates || c->candidate[at].host != host ||
        c->candidate[at].tasks == c->candidate[at].capacity)
        return -1;
    return at;
}

/* A step that is about to be taken: the best candidate yet, and what all others have at most. */
static void take_step(struct cs_volatile_chooser *c, const struct cs_volatile_partial *before,
                      int task, struct step *best)
{
    const struct cs_volatile_gauge *g = &c->gauge;
    double loss = cs_volatile_sets_get(g->estimator->sets, before->set)->loss;
    double cut = -INFINITY, rival = -INFINITY;
    struct step step, hint = {.candidate = choose_guess(c, task)};

    best->candidate = -1;
    if (hint.candidate >= 0) {
        cs_volatile_extend(g, before, &c->candidate[hint.candidate], &hint.after);
        choose_measure(c, before, &hint);
        cut = cs_volatile_cut_below(hint.score.value);
    }
    for (int i = 0; i < c->candidates; i++) {
        struct cs_volatile_candidate *k = &c->candidate[i];

        step.candidate = i;
        if (k->tasks == k->capacity)
            continue;
        if (i != hint.candidate && choose_hopeless(c, before, loss, k, &step.after, cut)) {
            rival = cs_volatile_larger(rival, k->bound);
            continue;
        }
        if (i == hint.candidate)
            step = hint;
        else
            choose_measure(c, before, &step);
        if (best->candidate >= 0 && !cs_volatile_better(g->choice, &step.score, &best->score)) {
            rival = cs_volatile_larger(rival, step.score.value);
            continue;
        }
        if (best->candidate >= 0)
            rival = cs_volatile_larger(rival, best->score.value);
        *best = step;
        cut = cs_volatile_larger(cut, cs_volatile_cut_below(step.score.value));
    }
    CS_REQUIRE(best->candidate >= 0);
    c->last[task] = c->candidate[best->candidate].host;
    volatile_choices_report(c->choices, task, before, c->last[task], best->score.value, rival);
}

/* The step that was taken last time, when it is certain that it would be taken again. */
static bool repeat_step(struct cs_volatile_chooser *c, const struct cs_volatile_partial *before,
                        int task, struct step *best)
{
    const int *doubted;
    int caveats, host = volatile_choices_ask(c->choices, task, &doubted, &caveats);
    double rival = -INFINITY;

    if (host < 0)
        return false;
    best->candidate = c->place[host];
    cs_volatile_extend(&c->gauge, before, &c->candidate[best->candidate], &best->after);
    choose_measure(c, before, best);
    for (int i = 0; i < caveats; i++) {
        struct step step = {.candidate = c->place[doubted[i]]};

        cs_volatile_extend(&c->gauge, before, &c->candidate[step.candidate], &step.after);
        choose_measure(c, before, &step);
        rival = cs_volatile_larger(rival, step.score.value);
    }
    return volatile_choices_repeat(c->choices, task, before, best->score.value, rival);
}

static void give_task(struct cs_volatile_chooser *c, int candidate)
{
    struct cs_volatile_candidate *k = &c->candidate[candidate];

    if (k->tasks++ == 0)
        c->taken[c->takens++] = candidate;
    cs_volatile_lookahead(&c->gauge, c->view, k);
}

/* All tasks to one host instead, where that is better still. */
static void try_singles(struct cs_volatile_chooser *c, struct cs_volatile_score best)
{
    struct cs_volatile_estimator *e = c->gauge.estimator;
    int tasks = e->in->app.tasks, found = -1;

    for (int i = 0; i < c->candidates; i++) {
        const struct cs_volatile_candidate *k = &c->candidate[i];
        int need = cs_volatile_need(c->view, k->host, tasks);
        struct cs_volatile_load load = {.set = cs_volatile_sets_add(e->sets, 0, k->host),
                                        .members = 1,
                                        .member = &k->host,
                                        .need = &need,
                                        .workload = (int64_t)tasks * k->slots};
        struct cs_volatile_value value;
        struct cs_volatile_score score;

        if (k->capacity < tasks)
            continue;
        value = cs_volatile_evaluate(e, c->gauge.estimate, &load);
        if (c->gauge.choice == CS_VOLATILE_RESTARTS)
            value.lifetime = cs_volatile_sets_lifetime(e->sets, load.set);
        score = cs_volatile_score_of(c->gauge.choice, &value, c->gauge.tau);
        if (cs_volatile_better(c->gauge.choice, &score, &best)) {
            best = score;
            found = i;
        }
    }
    if (found < 0)
        return;
    for (int i = 0; i < c->candidates; i++)
        c->candidate[i].tasks = i == found ? tasks : 0;
}

static void write_plan(const struct cs_volatile_chooser *c, struct cs_volatile_plan *plan)
{
    for (int i = 0; i < plan->members; i++)
        plan->tasks[plan->member[i]] = 0;
    plan->members = 0;
    plan->workload = 0;
    for (int i = 0; i < c->candidates; i++) {
        const struct cs_volatile_candidate *k = &c->candidate[i];
        int64_t work = (int64_t)k->tasks * k->slots;

        if (k->tasks == 0)
            continue;
        plan->tasks[k->host] = k->tasks;
        plan->member[plan->members++] = k->host;
        plan->workload = work > plan->workload ? work : plan->workload;
    }
}

static void move_to_front(struct cs_volatile_chooser *c, int host)
{
    int at = 0;

    while (at < RECENT - 1 && c->recent[at] != host)
        at++;
    for (; at > 0; at--)
        c->recent[at] = c->recent[at - 1];
    c->recent[0] = host;
}

bool cs_volatile_choose(struct cs_volatile_chooser *c, const struct cs_volatile_view *view,
                        struct cs_volatile_plan *plan)
{
    struct cs_volatile_partial partial = {0};
    struct step best = {.candidate = -1};

    volatile_choices_begin(c->choices);
    if (!choose_begin(c, view))
        return false;
    for (int task = 0; task < view->in->app.tasks; task++) {
        if (!repeat_step(c, &partial, task, &best))
            take_step(c, &partial, task, &best);
        give_task(c, best.candidate);
        partial = best.after;
    }
    if (c->singles)
        try_singles(c, best.score);
    write_plan(c, plan);
    if (c->singles)
        return true;
    volatile_choices_end(c->choices, view, plan);
    if (plan->members == 1)
        move_to_front(c, plan->member[0]);
    return true;
}

void cs_volatile_chooser_discard(struct cs_volatile_chooser *c)
{
    volatile_choices_discard(c->choices);
    volatile_single_discard(c->single);
}

/* The host that certainly gets all tasks, or -1. */
static int find_single(struct cs_volatile_chooser *c, const struct cs_volatile_view *view)
{
    for (int i = 0; i < RECENT; i++)
        if (c->recent[i] >= 0 && volatile_single_is_chosen(c->single, view, c->recent[i]))
            return c->recent[i];
    return -1;
}

static void give_all(struct cs_volatile_chooser *c, const struct cs_volatile_view *view, int host,
                     struct cs_volatile_plan *plan)
{
    for (int i = 0; i < plan->members; i++)
        plan->tasks[plan->member[i]] = 0;
    plan->members = 1;
    plan->member[0] = host;
    plan->tasks[host] = view->in->app.tasks;
    plan->workload = (int64_t)plan->tasks[host] * view->in->host[host].slots;
    move_to_front(c, host);
}

enum cs_volatile_again cs_volatile_choose_again(struct cs_volatile_chooser *c,
                                                const struct cs_volatile_view *view,
                                                struct cs_volatile_plan *plan)
{
    int host;
    bool same;

    if (c->singles)
        return CS_VOLATILE_UNCERTAIN;
    volatile_single_inspect(c->single, view);
    if (plan->members > 1 && volatile_choices_inspect(c->choices, view))
        return CS_VOLATILE_SAME;
    host = find_single(c, view);
    if (host < 0)
        return plan->members == 1 && volatile_choices_inspect(c->choices, view)
                   ? CS_VOLATILE_SAME
                   : CS_VOLATILE_UNCERTAIN;
    volatile_choices_discard(c->choices);
    same = plan->tasks[host] == view->in->app.tasks;
    if (!same)
        give_all(c, view, host, plan);
    return same ? CS_VOLATILE_SAME : CS_VOLATILE_OTHER;
}
