/* schedule.c - stretches of slots made into bars, one host at a time.
 *
 * Source: the letters of spec/volatile.md 2 and III.8 as reported by simulate.c, or the iterations
 * of optimum.c.
 * Invariants: bars of a host do not overlap; computing bars count as lost unless their iteration
 * ended with the configuration, or a save was completed after them.
 * Complexity: O(hosts) for each stretch, and one sort of the bars.
 */
#include "problems/volatile/schedule.h"

#include "base/plain.h"
#include "model/extpol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The activity of a host, since when. */
struct open {
    char act;
    int64_t from;
};

struct record {
    const struct cs_volatile_instance *in;
    struct cs_arena *arena;
    struct open *open; /* by host */
    struct cs_bar *bar;
    size_t bars, bar_room;
    struct cs_volatile_declared_configuration *configuration;
    int configurations, configuration_room;
    int64_t running; /* number of the running configuration, 0 for none */
    int iteration, attempt;
    int64_t saves;    /* that were completed */
    int64_t slot;     /* the end of what has been seen */
    size_t computing; /* bars from here on may still be lost */
};

static void *schedule_grow(struct cs_arena *arena, void *old, size_t count, size_t size,
                           size_t room)
{
    void *bigger = cs_arena_alloc(arena, room, size);

    if (count)
        memcpy(bigger, old, count * size);
    return bigger;
}

static enum cs_bar_kind schedule_kind_of(char act)
{
    if (act == 'C')
        return CS_BAR_WORK;
    if (act == 'S')
        return CS_BAR_CHECKPOINT;
    return act == 'P' || act == 'p' ? CS_BAR_PROGRAM : CS_BAR_MOVE;
}

static void close_bar(struct record *r, int host)
{
    struct open *open = &r->open[host];
    struct cs_interval *set;

    if (open->act != '.' && open->act != 'I') {
        set = CS_NEW(r->arena, struct cs_interval);
        *set = (struct cs_interval){host, host};
        if (r->bars == r->bar_room) {
            r->bar_room = r->bar_room ? 2 * r->bar_room : 1024;
            r->bar = schedule_grow(r->arena, r->bar, r->bars, sizeof *r->bar, r->bar_room);
        }
        r->bar[r->bars++] = (struct cs_bar){
            .kind = schedule_kind_of(open->act),
            .task = r->iteration,
            .attempt = r->attempt > 0 ? r->attempt : 1,
            .group = open->act == 'p' || open->act == 'd' ? -1 : r->configurations - 1,
            .start = (double)open->from,
            .end = (double)r->slot,
            .intervals = 1,
            .procs = set,
        };
    }
    open->act = '.';
}

static void close_all(struct record *r)
{
    for (int q = 0; q < r->in->hosts; q++)
        close_bar(r, q);
}

/* A configuration is over: its computing counts when the iteration ended with it. */
static void schedule_settle(struct record *r, bool complete)
{
    for (; r->computing < r->bars; r->computing++)
        if (!complete && r->bar[r->computing].kind == CS_BAR_WORK)
            r->bar[r->computing].kind = CS_BAR_LOST;
}

static void add_configuration(struct record *r, const struct cs_volatile_span *span)
{
    size_t count = (size_t)r->configurations;
    int *tasks = CS_NEW_ARRAY(r->arena, int, r->in->hosts);

    if (r->configurations == r->configuration_room) {
        r->configuration_room = count ? 2 * r->configuration_room : 64;
        r->configuration = schedule_grow(r->arena, r->configuration, count,
                                         sizeof *r->configuration, (size_t)r->configuration_room);
    }
    memcpy(tasks, span->tasks, (size_t)r->in->hosts * sizeof *tasks);
    r->configuration[r->configurations++] =
        (struct cs_volatile_declared_configuration){span->iteration, span->from, tasks};
    r->attempt++;
}

static void turn_page(struct record *r, const struct cs_volatile_span *span)
{
    bool complete = span->iteration != r->iteration;

    close_all(r);
    schedule_settle(r, complete);
    if (complete)
        r->attempt = 0;
    r->iteration = span->iteration;
    if (span->configuration > 0 && span->configuration != r->running)
        add_configuration(r, span);
    r->running = span->configuration;
}

/* Computing before a completed save cannot be lost any more. */
static void schedule_keep(struct record *r, int64_t saves)
{
    if (saves == r->saves)
        return;
    for (int q = 0; q < r->in->hosts; q++)
        if (r->open[q].act == 'C' || r->open[q].act == 'S')
            close_bar(r, q);
    r->computing = r->bars;
    r->saves = saves;
}

static void schedule_watch(void *who, const struct cs_volatile_span *span)
{
    struct record *r = who;

    schedule_keep(r, span->saves);
    if (span->iteration != r->iteration || span->configuration != r->running)
        turn_page(r, span);
    for (int q = 0; q < r->in->hosts; q++) {
        if (r->open[q].act == span->act[q])
            continue;
        close_bar(r, q);
        r->open[q] = (struct open){span->act[q], span->from};
    }
    r->slot = span->to;
}

static int by_start(const void *a, const void *b)
{
    const struct cs_bar *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->procs->first > y->procs->first) - (x->procs->first < y->procs->first);
}

static struct cs_schedule *schedule_lay(struct record *r)
{
    int iterations = r->in->app.iterations;
    char(*text)[16] = cs_arena_alloc(r->arena, (size_t)iterations, sizeof *text);
    const char **name = CS_NEW_ARRAY(r->arena, const char *, iterations);
    struct cs_schedule *schedule;

    for (int i = 0; i < iterations; i++) {
        cs_plain_print(text[i], sizeof text[i], "%d", i + 1);
        name[i] = text[i];
    }
    schedule = cs_schedule_create("volatile", r->in->hosts, iterations, name);
    if (r->bars)
        qsort(r->bar, r->bars, sizeof *r->bar, by_start);
    for (size_t i = 0; i < r->bars; i++)
        cs_schedule_add(schedule, &r->bar[i], NULL);
    return schedule;
}

static void schedule_declare(struct cs_volatile_trial *trial, const struct record *r,
                             struct cs_volatile_source *source, enum cs_volatile_prefetch prefetch)
{
    const struct cs_volatile_application *app = &r->in->app;
    int hosts = r->in->hosts, *slots = CS_NEW_ARRAY(trial->arena, int, hosts);
    const char **name = CS_NEW_ARRAY(trial->arena, const char *, hosts);
    const char **trace = CS_NEW_ARRAY(trial->arena, const char *, hosts);

    for (int q = 0; q < hosts; q++) {
        name[q] = r->in->host[q].name;
        slots[q] = r->in->host[q].slots;
        trace[q] = cs_volatile_source_trace(source, q, trial->outcome.slots, trial->arena);
    }
    trial->declared = (struct cs_volatile_declared){
        .hosts = hosts,
        .tasks = app->tasks,
        .iterations = app->iterations,
        .program = app->program,
        .data = app->data,
        .transfers = app->transfers,
        .save_every = app->save_every,
        .save_cost = app->save_cost,
        .spares = app->spares,
        .prefetch = (int)prefetch,
        .slots = trial->outcome.slots,
        .completed = trial->outcome.iterations,
        .host = name,
        .slots_per_task = slots,
        .capacity = r->in->capacity,
        .trace = trace,
        .configurations = r->configurations,
        .configuration = r->configuration,
        .lower_bound = NAN,
    };
}

static void schedule_run(struct cs_volatile_trial *trial, const struct cs_volatile_instance *in,
                         const struct cs_volatile_policy *policy,
                         const struct cs_volatile_request *request,
                         struct cs_volatile_source *source)
{
    struct cs_volatile_options options = cs_volatile_options_of(policy, request->call.param);
    struct cs_volatile_estimator *estimator = cs_volatile_estimator_create(in);
    struct record r = {.in = in, .arena = trial->arena};

    options.lifetime_model = request->lifetime_model;
    r.open = CS_NEW_ARRAY(r.arena, struct open, in->hosts);
    for (int q = 0; q < in->hosts; q++)
        r.open[q].act = '.';
    cs_volatile_simulation_run(
        cs_volatile_simulation_create(
            in, cs_volatile_decider_create(estimator, policy, options, trial->arena),
            options.prefetch, trial->arena),
        source, request->seed, CS_VOLATILE_SKIPPING, schedule_watch, &r, &trial->outcome);
    schedule_keep(&r, trial->outcome.saves);
    close_all(&r);
    schedule_settle(&r, trial->outcome.iterations > r.iteration);
    trial->schedule = schedule_lay(&r);
    schedule_declare(trial, &r, source, options.prefetch);
    cs_volatile_estimator_destroy(estimator);
}

struct cs_volatile_trial *cs_volatile_trial_create(const struct cs_volatile_instance *in,
                                                   const struct cs_volatile_request *request,
                                                   struct cs_volatile_source *source,
                                                   struct cs_error *err)
{
    int count;
    const struct cs_volatile_policy *const *list = cs_volatile_policy_list(&count);
    struct cs_volatile_trial *trial;
    struct cs_arena *arena;

    if (request->call.policy < 0 || request->call.policy >= count) {
        cs_error_set(err, "policy number %d does not exist, there are %d", request->call.policy,
                     count);
        return NULL;
    }
    if (list[request->call.policy]->info.extpol && !cs_extpol_of(request->call.param, err))
        return NULL;
    arena = cs_arena_create();
    trial = CS_NEW(arena, struct cs_volatile_trial);
    trial->arena = arena;
    schedule_run(trial, in, list[request->call.policy], request, source);
    return trial;
}

/* One iteration: nothing until it begins, then work whenever all of its hosts are up. */
static void lay_stage(struct record *r, const struct cs_volatile_stage *stage, int number,
                      const char *const *trace)
{
    int hosts = r->in->hosts;
    char *act = CS_NEW_ARRAY(r->arena, char, hosts);
    struct cs_volatile_span span = {.from = r->slot,
                                    .to = stage->from,
                                    .iteration = number,
                                    .tasks = CS_NEW_ARRAY(r->arena, int, hosts),
                                    .act = act};

    memset(act, '.', (size_t)hosts);
    if (span.from < span.to)
        schedule_watch(r, &span);
    span.configuration = number + 1;
    span.tasks = stage->tasks;
    for (int64_t t = stage->from; t < stage->to; t++) {
        bool all = true;

        for (int q = 0; q < hosts; q++)
            all &= stage->tasks[q] == 0 || trace[q][t] == 'u';
        for (int q = 0; q < hosts; q++)
            act[q] = stage->tasks[q] == 0 ? '.' : all ? 'C' : 'I';
        span.from = t;
        span.to = t + 1;
        schedule_watch(r, &span);
    }
}

struct cs_volatile_trial *cs_volatile_trial_of_optimum(const struct cs_volatile_instance *in,
                                                       struct cs_volatile_source *source,
                                                       const struct cs_volatile_optimum *optimum)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_trial *trial = CS_NEW(arena, struct cs_volatile_trial);
    struct record r = {.in = in, .arena = arena};
    const char **trace = CS_NEW_ARRAY(arena, const char *, in->hosts);

    CS_REQUIRE(optimum->exact && optimum->slots > 0);
    trial->arena = arena;
    r.open = CS_NEW_ARRAY(arena, struct open, in->hosts);
    for (int q = 0; q < in->hosts; q++) {
        r.open[q].act = '.';
        trace[q] = cs_volatile_source_trace(source, q, optimum->slots, arena);
    }
    for (int i = 0; i < optimum->stages; i++) {
        lay_stage(&r, &optimum->stage[i], i, trace);
        trial->outcome.computed += optimum->stage[i].workload;
    }
    close_all(&r);
    schedule_settle(&r, true);
    trial->outcome.finished = true;
    trial->outcome.slots = trial->outcome.makespan = optimum->slots;
    trial->outcome.iterations = optimum->stages;
    trial->outcome.installed = optimum->stages;
    trial->schedule = schedule_lay(&r);
    schedule_declare(trial, &r, source, CS_VOLATILE_PREFETCH_NONE);
    trial->declared.lower_bound = (double)optimum->slots;
    return trial;
}

void cs_volatile_trial_destroy(struct cs_volatile_trial *trial)
{
    if (!trial)
        return;
    cs_schedule_destroy(trial->schedule);
    cs_arena_destroy(trial->arena);
}
