/* rigid_operate: replays of random logs on random machines.
 *
 * Never more than there is of any pool, outages included; every job runs; nobody starts before he
 * arrives; conservative keeps its promises under any priority; the forms of policies that know one
 * pool only do what those for any machine do; what has to be equal is. */
#include "base/splitmix.h"
#include "problems/queue/simulate.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define JOBS 60
#define POOLS 8
#define SEEDS 120

static int below(struct cs_splitmix *random, int m)
{
    return (int)cs_splitmix_below(random, (uint64_t)m);
}

struct scene {
    struct cs_arena *arena;
    const struct cs_site *site;
    struct cs_log_job job[JOBS];
    int count, next;
    struct cs_queue_operation op;
    struct cs_policy_call call;
    /* What ran. */
    int64_t free[POOLS][CS_LOG_RESOURCES];
    double start[JOBS], end[JOBS], promise[JOBS], fair[JOBS];
    int done;
};

static int next(void *source, struct cs_log_job *out, struct cs_error *err)
{
    struct scene *s = source;

    (void)err;
    if (s->next == s->count)
        return 0;
    *out = s->job[s->next++];
    return 1;
}

static void take(struct scene *s, const struct cs_queue_history *history, int sign)
{
    for (int h = 0; h < history->pools; h++)
        for (int r = 0; r < CS_LOG_RESOURCES; r++) {
            int64_t *free = &s->free[history->taken[h].pool][r];

            *free -= sign * history->taken[h].units * history->job.demand[r];
            assert_true(*free >= 0);
        }
    if (history->pools == 0)
        s->free[0][0] -= sign * history->job.procs;
    assert_true(s->free[0][0] >= 0);
}

static void started(void *who, const struct cs_queue_history *history, double now)
{
    assert_true(now >= history->job.submit);
    take(who, history, 1);
}

static void ended(void *who, const struct cs_queue_history *history, double now, bool done)
{
    struct scene *s = who;

    take(s, history, -1);
    s->start[history->number] = history->first;
    s->end[history->number] = now;
    s->promise[history->number] = history->promise;
    s->fair[history->number] = history->fair;
    s->done += done;
}

static void draw_jobs(struct scene *s, struct cs_splitmix *random)
{
    double now = 0;

    s->count = 1 + below(random, JOBS);
    for (int k = 0; k < s->count; k++) {
        struct cs_log_job *job = &s->job[k];
        int longer = below(random, 4);

        now += below(random, 3) ? below(random, 40) : 0;
        *job = (struct cs_log_job){.id = k + 1, .submit = now, .recorded = NAN};
        job->seconds = 1 + below(random, 100);
        job->request = job->seconds * (longer ? longer : 0.5) + below(random, 2) * 30;
        job->partition = below(random, s->site->partitions);
        job->user = below(random, 4);
        job->account = job->qos = -1;
        job->cores = 1 + below(random, 6);
        job->nodes = s->site->kind == CS_SITE_PROCESSORS ? -1 : 1 + below(random, 3);
        job->memory = below(random, 30);
        job->gpus = below(random, 3) ? 0 : 1;
        job->failures = below(random, 6) ? 0 : 1;
        while (cs_site_size(s->site, false, job) != CS_SITE_FITS) {
            job->nodes = s->site->kind == CS_SITE_PROCESSORS ? -1 : 1;
            job->cores = 1;
            job->memory = job->gpus = 0;
        }
    }
}

static const struct cs_site *draw_site(struct cs_arena *arena, int kind)
{
    static const struct cs_site_group group[] = {
        {.name = "thin", .nodes = 4, .cores = 8, .memory = 64},
        {.name = "gpu", .nodes = 2, .cores = 8, .memory = 128, .gpus = 4},
    };
    static const int both[] = {0, 1}, second[] = {1};
    static const struct cs_site_partition partition[] = {
        {.name = "all", .groups = 2, .group = both, .tier = 1, .priority = 1, .seconds = INFINITY},
        {.name = "gpu", .groups = 1, .group = second, .tier = 2, .priority = 1, .seconds = 500},
    };
    struct cs_site *site = CS_NEW(arena, struct cs_site);
    struct cs_error err;

    if (kind == CS_SITE_PROCESSORS)
        return cs_site_of_processors(10, arena);
    *site = (struct cs_site){.kind = (enum cs_site_kind)kind,
                             .groups = 2,
                             .partitions = 2,
                             .group = group,
                             .partition = partition};
    assert_int_equal(cs_site_finish(site, arena, &err), 0);
    return site;
}

static void scene_init(struct scene *s, uint64_t seed, int kind)
{
    struct cs_splitmix random = {seed};

    memset(s, 0, sizeof *s);
    s->arena = cs_arena_create();
    s->site = draw_site(s->arena, kind);
    draw_jobs(s, &random);
    s->op = (struct cs_queue_operation){.site = s->site};
}

static void run(struct scene *s, const char *policy, const char *priority)
{
    const struct cs_queue_observer observer = {.started = started, .ended = ended, .who = s};
    struct cs_queue_simulated result;
    struct cs_error err = {0};

    s->op.policy = cs_sched_policy_parse(policy, &s->call, &err);
    s->op.param = s->call.param;
    s->op.priority = cs_sched_urgency_find(priority, &err);
    s->op.observers = 1;
    s->op.observer = &observer;
    s->next = s->done = 0;
    for (int p = 0; p < s->site->pools; p++)
        memcpy(s->free[p], s->site->pool[p].capacity, sizeof s->free[p]);
    if (!s->op.policy || !s->op.priority || cs_queue_simulate(&s->op, next, s, &result, &err))
        fail_msg("%s %s: %s", policy, priority, err.text);
    assert_int_equal(s->done, s->count);
}

static void same(const struct scene *a, const struct scene *b, double factor, const char *what)
{
    for (int k = 0; k < a->count; k++)
        if (a->start[k] * factor != b->start[k] || a->end[k] * factor != b->end[k])
            fail_msg("%s: job %d runs in [%g, %g] and [%g, %g]", what, k + 1, a->start[k],
                     a->end[k], b->start[k], b->end[k]);
}

static const char *const policies[] = {
    "fcfs",
    "greedy",
    "easy",
    "easy:reservations=2",
    "easy:backfill=spt",
    "conservative",
    "conservative:compress=3",
    "conservative:compress=now",
    "conservative:compress=none",
    "list:reservations=1",
    "list:reservations=all",
    "slurm",
};

#define POLICIES ((int)(sizeof policies / sizeof *policies))

static void promises_are_kept_and_no_pool_has_too_many(void **state)
{
    static const char *const priorities[] = {"fcfs", "spt", "hpa", "wfp3", "f1", "slurm"};
    struct scene s;

    (void)state;
    for (int seed = 0; seed < SEEDS; seed++) {
        scene_init(&s, (uint64_t)seed, seed % 4);
        s.op.overrun = seed % 3 == 2 ? CS_QUEUE_KILL : CS_QUEUE_RAISE;
        for (int p = 0; p < POLICIES; p++) {
            run(&s, policies[p], priorities[seed / 4 % 6]);
            for (int k = 0; k < s.count && !strncmp(policies[p], "conservative", 12); k++)
                assert_true(s.start[k] <= s.promise[k]);
        }
        cs_arena_destroy(s.arena);
    }
}

/* A limit that nobody reaches makes a machine general. */
static void one_pool_is_no_special_case(void **state)
{
    static const char *const priorities[] = {"fcfs", "spt", "la", "f3"};
    struct scene s, other;

    (void)state;
    for (int seed = 0; seed < KIT_ROUNDS(4 * SEEDS); seed++) {
        scene_init(&s, (uint64_t)seed, CS_SITE_PROCESSORS);
        s.op.overrun = (enum cs_queue_overrun)(seed % 3);
        s.op.notify = (enum cs_queue_notify)(seed / 3 % 3);
        for (int p = 0; p < POLICIES; p++) {
            s.op.user_jobs = 0;
            run(&s, policies[p], priorities[seed % 4]);
            other = s;
            other.op.user_jobs = 1000;
            run(&other, policies[p], priorities[seed % 4]);
            same(&s, &other, 1, policies[p]);
        }
        cs_arena_destroy(s.arena);
    }
}

static void what_has_to_be_equal_is(void **state)
{
    static const char *const equal[][2] = {
        {"conservative", "conservative:compress=now"},
        {"conservative", "conservative:compress=none"},
        {"conservative", "list:reservations=all"},
        {"easy:reservations=1000", "list:reservations=all"},
    };
    struct scene s, other;

    (void)state;
    for (int seed = 0; seed < SEEDS; seed++) {
        scene_init(&s, (uint64_t)seed, CS_SITE_PROCESSORS);
        for (int k = 0; k < s.count; k++)
            s.job[k].failures = 0;
        for (int e = 0; e < 4; e++) {
            s.op.notify = e < 3 ? CS_QUEUE_EXACT : CS_QUEUE_REQUESTED;
            run(&s, equal[e][0], "fcfs");
            other = s;
            run(&other, equal[e][1], "fcfs");
            same(&s, &other, 1, equal[e][1]);
        }
        cs_arena_destroy(s.arena);
    }
}

static void times_twice_as_long_are_instants_twice_as_late(void **state)
{
    struct scene s, other;

    (void)state;
    for (int seed = 0; seed < SEEDS; seed++) {
        scene_init(&s, (uint64_t)seed, CS_SITE_PROCESSORS);
        for (int p = 0; p < POLICIES - 1; p++) {
            run(&s, policies[p], "fcfs");
            other = s;
            for (int k = 0; k < s.count; k++) {
                other.job[k].submit *= 2;
                other.job[k].seconds *= 2;
                other.job[k].request *= 2;
            }
            run(&other, policies[p], "fcfs");
            same(&s, &other, 2, policies[p]);
        }
        cs_arena_destroy(s.arena);
    }
}

/* What follows is as if nobody had looked; fair starts are those of shorter logs. */
static void fair_starts_are_those_without_what_comes_later(void **state)
{
    struct scene s, alone;

    (void)state;
    for (int seed = 0; seed < SEEDS / 6; seed++) {
        scene_init(&s, (uint64_t)seed, seed % 4);
        s.op.overrun = (enum cs_queue_overrun)(seed % 3);
        s.op.notify = (enum cs_queue_notify)(seed / 3 % 3);
        for (int p = seed % 2; p < POLICIES; p += 2) {
            alone = s;
            run(&alone, policies[p], seed % 5 ? "fcfs" : "slurm");
            s.op.fair = 2;
            run(&s, policies[p], seed % 5 ? "fcfs" : "slurm");
            same(&alone, &s, 1, policies[p]);
            for (int k = 0; k < s.count; k++) {
                alone.count = k + 1;
                if (k % 2 == 0)
                    assert_true(isnan(s.fair[k]));
                else
                    run(&alone, policies[p], seed % 5 ? "fcfs" : "slurm");
                if (k % 2 && alone.start[k] != s.fair[k])
                    fail_msg("%s: job %d has the fair start %g, alone it starts at %g", policies[p],
                             k + 1, s.fair[k], alone.start[k]);
            }
        }
        cs_arena_destroy(s.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises_are_kept_and_no_pool_has_too_many),
        cmocka_unit_test(one_pool_is_no_special_case),
        cmocka_unit_test(what_has_to_be_equal_is),
        cmocka_unit_test(fair_starts_are_those_without_what_comes_later),
        cmocka_unit_test(times_twice_as_long_are_instants_twice_as_late),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
