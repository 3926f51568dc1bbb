/* schedule.c - one simulated scenario as a schedule: attempts with the processors they get.
 *
 * Source: spec/rigid.md 1 (valid schedules) and 5 (a job on a shelf keeps its processors).
 *
 * Idea: the simulation reports attempts; sorted by start, each takes whole blocks of free
 * processors by the rule of model/blocks.h.
 * An attempt repeated on its shelf keeps those of the job.
 *
 * Invariants: `free` is the number of free processors in `procs`; attempts that ended give back
 * before any with a later start takes; on shelves all jobs give back together, when none runs.
 *
 * Complexity: O(a log a) for a attempts, plus O(log a) for each interval.
 */
#include "problems/rigid/schedule.h"

#include "base/guard.h"
#include "base/heap.h"
#include "base/plain.h"
#include "base/vector.h"
#include "model/blocks.h"
#include "problem/problem.h"
#include "problems/rigid/study.h"

#include <stdlib.h>
#include <string.h>

#define AHEAD 8 /* attempts; 2 to 16 take the same time, 0 a tenth more */

struct attempt {
    double start, end;
    int job, seen; /* in this order by the watcher */
};

struct record {
    struct attempt *attempt;
    int count, room;
    struct cs_arena *arena;
};

static void schedule_watch(void *who, int job, double start, double end)
{
    struct record *record = who;

    CS_ARENA_ROOM(record->arena, record->attempt, record->count, record->room, 256);
    record->attempt[record->count] = (struct attempt){start, end, job, record->count};
    record->count++;
}

static int compare(const void *a, const void *b)
{
    const struct attempt *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->seen > y->seen) - (x->seen < y->seen);
}

/* A job while bars are laid: all of it in one place, since jobs come in any order. */
struct laid {
    struct cs_blocks_set set;
    int tries;
    bool holds;
};

/* The processors while bars are laid on them. */
struct machine {
    const struct cs_rigid_scene *scene;
    struct cs_schedule *schedule;
    struct cs_blocks procs;
    int free;
    struct laid *job;
    struct cs_heap running; /* jobs by the end of their attempt */
    int *held, helds;       /* the jobs of the shelf */
    int shelf;
    bool counts; /* bars have no numbers of processors */
};

static void schedule_release(struct machine *m, int job)
{
    if (!m->counts)
        cs_blocks_release(&m->procs, &m->job[job].set);
    m->free += m->scene->jobs->procs[job];
    m->job[job].holds = false;
}

/* Attempts that ended by now give their processors back, on a shelf only when all have.  Attempts
 * too short for the clock end when they start. */
static void schedule_advance(struct machine *m, double now)
{
    bool shelves = m->scene->policy->shelf != NULL;

    while (m->running.count && cs_heap_top_key(&m->running) <= now) {
        int job = cs_heap_pop(&m->running);

        if (!shelves)
            schedule_release(m, job);
    }
    if (shelves && !m->running.count) {
        while (m->helds)
            schedule_release(m, m->held[--m->helds]);
        m->shelf++;
    }
}

static void schedule_lay(struct machine *m, const struct attempt *attempt)
{
    int job = attempt->job;
    struct laid *laid = &m->job[job];

    if (!laid->holds) {
        if (m->scene->jobs->procs[job] > m->free)
            schedule_advance(m, attempt->start);
        m->free -= m->scene->jobs->procs[job];
        if (!m->counts)
            cs_blocks_take(&m->procs, m->scene->jobs->procs[job], attempt->end, &laid->set);
        laid->holds = true;
        if (m->scene->policy->shelf)
            m->held[m->helds++] = job;
    }
    if (cs_heap_contains(&m->running, job))
        cs_heap_update(&m->running, job, attempt->end);
    else
        cs_heap_push(&m->running, job, attempt->end);
    laid->tries++;
    cs_schedule_add(m->schedule,
                    &(struct cs_bar){
                        .kind = laid->tries <= m->scene->failures[job] ? CS_BAR_LOST : CS_BAR_WORK,
                        .task = job,
                        .attempt = laid->tries,
                        .group = m->scene->policy->shelf ? m->shelf : -1,
                        .start = attempt->start,
                        .end = attempt->end,
                        .intervals = laid->set.count,
                        .procs = laid->set.interval,
                        .count = m->counts ? m->scene->jobs->procs[job] : 0,
                    },
                    NULL);
}

/* Jobs come in any order, so that each would wait for memory. */
static void schedule_prefetch(const struct machine *m, int job)
{
    __builtin_prefetch(&m->job[job]);
    __builtin_prefetch(&m->scene->jobs->procs[job]);
    __builtin_prefetch(&m->scene->failures[job]);
}

/* An attempt too short for the clock is alone on its shelf: others may start when it ends. */
static struct cs_schedule *lay_all(const struct cs_rigid_scene *scene, const struct record *record)
{
    int jobs = scene->jobs->count;
    struct machine m = {
        .scene = scene,
        .schedule = cs_schedule_create("rigid", scene->jobs->machine, jobs, scene->name),
        .job = CS_NEW_ARRAY(record->arena, struct laid, jobs),
        .held = CS_NEW_ARRAY(record->arena, int, jobs),
        .free = scene->jobs->machine,
        .shelf = -1,
        .counts = scene->processors == CS_PROCESSORS_COUNTS ||
                  (scene->processors == CS_PROCESSORS_AUTO && record->count > CS_PROCESSORS_MANY),
    };

    cs_blocks_init(&m.procs, scene->jobs->machine, record->arena);
    cs_heap_init(&m.running, jobs, record->arena);
    for (int a = 0; a < record->count; a++) {
        if (a + AHEAD < record->count)
            schedule_prefetch(&m, record->attempt[a + AHEAD].job);
        if (a == 0 || record->attempt[a].start != record->attempt[a - 1].start ||
            scene->policy->shelf)
            schedule_advance(&m, record->attempt[a].start);
        schedule_lay(&m, &record->attempt[a]);
    }
    return m.schedule;
}

static struct cs_schedule *schedule_simulate(const struct cs_rigid_scene *scene,
                                             struct cs_arena *arena, struct cs_error *err)
{
    struct record record = {.arena = arena};
    const struct cs_sched_instance *in;
    struct cs_rigid_simulation *simulation;

    in = cs_sched_priority_instance(scene->priority, scene->jobs, &scene->draw, arena);
    simulation = cs_rigid_simulation_create(in, scene->policy, scene->param, arena, err);
    if (!simulation)
        return NULL;
    cs_rigid_simulation_run(simulation, scene->failures, schedule_watch, &record);
    if (record.count)
        qsort(record.attempt, (size_t)record.count, sizeof *record.attempt, compare);
    return lay_all(scene, &record);
}

struct cs_schedule *cs_rigid_schedule_create(const struct cs_rigid_scene *scene,
                                             struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_schedule *schedule = schedule_simulate(scene, arena, err);

    cs_arena_destroy(arena);
    return schedule;
}

/* "0", "1", ... */
static const char *const *schedule_numbers(int count, struct cs_arena *arena)
{
    const char **name = CS_NEW_ARRAY(arena, const char *, count);

    for (int j = 0; j < count; j++) {
        char text[16];

        cs_plain_print(text, sizeof text, "%d", j);
        name[j] = cs_arena_strdup(arena, text);
    }
    return name;
}

struct cs_schedule *cs_rigid_study_schedule(const struct cs_rigid_study *study, int scenario,
                                            const char *const *name, struct cs_error *err)
{
    CS_ASK(cs_rigid_study_is_whole(study), err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_sched_scenarios *scenarios = study->scenarios;
    struct cs_arena *arena = cs_arena_create();
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, study->jobs->count);
    const struct cs_rigid_scene scene = {
        .jobs = study->jobs,
        .name = name ? name : schedule_numbers(study->jobs->count, arena),
        .policy = study->policy,
        .param = study->param,
        .priority = study->priority,
        .draw = {scenarios->seed, scenarios->set, (uint64_t)scenario, scenarios->law.rate},
        .failures = failures,
        .processors = study->processors,
    };
    struct cs_schedule *schedule = NULL;

    if (scenario < 0 || scenario >= scenarios->count)
        cs_error_set(err, "there is no scenario %d: there are %d, from 0 on", scenario,
                     scenarios->count);
    else if (cs_sched_scenarios_get(scenarios, scenario, failures, err) == 0)
        schedule = cs_rigid_schedule_create(&scene, err);
    cs_arena_destroy(arena);
    return schedule;
}
