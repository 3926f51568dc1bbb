/* instance.c - hosts and an application, checked.
 *
 * Source: spec/volatile.md 1 (data) and 7 (rejected input); the diagonal of a chain is recomputed
 * from the other entries of its row.
 * Invariants: entries are in [0, 1]; the capacities hold all tasks; the instance is not changed
 * later.
 * Constants (values of section 7): ROW_SLACK 1e-9, how far a row sum may be from 1; DIAGONAL_SLACK
 * 1e-12, down to which a negative diagonal is taken as 0.
 */
#include "problems/volatile/instance.h"

#include "base/bug.h"
#include "base/guard.h"
#include "base/plain.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROW_SLACK 1e-9
#define DIAGONAL_SLACK 1e-12
#define MOST_HOSTS 1000000
#define ITERATIONS_MOST 1000000

static const char *const state_names[] = {"up", "reclaimed", "down"};

char cs_volatile_state_letter(enum cs_volatile_state state)
{
    CS_ASK((int)state >= CS_VOLATILE_UP && state <= CS_VOLATILE_DOWN, NULL, '\0');
    return "urd"[state];
}

/* Read a row; its diagonal is 1 minus the other two.  -1 with err. */
static int instance_read_row(const char *name, int from, const double *supplied, double *row,
                             struct cs_error *err)
{
    double sum = 0, rest = 1;

    for (int to = 0; to < CS_VOLATILE_STATES; to++) {
        if (!(supplied[to] >= 0 && supplied[to] <= 1))
            return cs_error_set(err,
                                "host %s: the probability of %s after %s is %g, it must be between "
                                "0 and 1",
                                name, state_names[to], state_names[from], supplied[to]);
        sum += supplied[to];
        row[to] = supplied[to] + 0.0;
        if (to != from)
            rest -= supplied[to];
    }
    if (fabs(sum - 1) > ROW_SLACK || rest < -DIAGONAL_SLACK)
        return cs_error_set(err,
                            "host %s: the probabilities after %s sum to %.15g, they must sum to 1",
                            name, state_names[from], sum);
    row[from] = rest > 0 ? rest : 0;
    return 0;
}

static int read_host(const struct cs_volatile_host *supplied, const char *name,
                     struct cs_volatile_host *host, struct cs_error *err)
{
    *host = (struct cs_volatile_host){name, supplied->slots, supplied->capacity, {{0}}};
    if (supplied->slots < 1)
        return cs_error_set(err, "host %s: a task takes %d slots, it must be at least 1", name,
                            supplied->slots);
    if (supplied->capacity < 0)
        return cs_error_set(err, "host %s: its capacity is %d tasks, it must be at least 0", name,
                            supplied->capacity);
    for (int from = 0; from < CS_VOLATILE_STATES; from++)
        if (instance_read_row(name, from, supplied->chain[from], host->chain[from], err))
            return -1;
    return 0;
}

static int check_application(const struct cs_volatile_application *app, struct cs_error *err)
{
    if (app->tasks < 1)
        return cs_error_set(err, "an iteration has %d tasks, it must have at least 1", app->tasks);
    if (app->iterations < 1 || app->iterations > ITERATIONS_MOST)
        return cs_error_set(err, "there are %d iterations, there must be from 1 to %d",
                            app->iterations, ITERATIONS_MOST);
    if (app->program < 0)
        return cs_error_set(err, "the program takes %d slots to send, it must be at least 0",
                            app->program);
    if (app->data < 0)
        return cs_error_set(err, "the data of a task take %d slots to send, it must be at least 0",
                            app->data);
    if (app->transfers < 1)
        return cs_error_set(err,
                            "the master can send to %d hosts at the same time, it must be "
                            "at least 1",
                            app->transfers);
    if (app->cap < 1 || app->cap > CS_VOLATILE_CAP_MAX)
        return cs_error_set(err, "the cap is %d slots, it must be between 1 and %d", app->cap,
                            CS_VOLATILE_CAP_MAX);
    if (app->save_every < 0 || app->save_cost < 0)
        return cs_error_set(err, "%s is %d slots, it must be at least 0",
                            app->save_every < 0 ? "the computation between two saves" : "a save",
                            app->save_every < 0 ? app->save_every : app->save_cost);
    if (app->spares < 0)
        return cs_error_set(err, "there are %d spares, there must be at least 0", app->spares);
    if (app->program + (int64_t)app->tasks * app->data > INT_MAX)
        return cs_error_set(err,
                            "the program and the data of %d tasks take %lld slots to send, it must "
                            "be at most %d",
                            app->tasks, (long long)(app->program + (int64_t)app->tasks * app->data),
                            INT_MAX);
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int instance_check_names(const struct cs_volatile_instance *in, struct cs_error *err)
{
    const char **name = CS_NEW_ARRAY(in->arena, const char *, in->hosts);

    for (int q = 0; q < in->hosts; q++) {
        name[q] = in->host[q].name;
        if (!*name[q])
            return cs_error_set(err, "host %d has an empty name", q);
    }
    qsort(name, (size_t)in->hosts, sizeof *name, by_name);
    for (int q = 1; q < in->hosts; q++)
        if (!strcmp(name[q - 1], name[q]))
            return cs_error_set(err, "two hosts have the name \"%s\"", name[q]);
    return 0;
}

/* The total capacity of the hosts, and the largest workload and need of one of them. */
static int instance_measure(struct cs_volatile_instance *in, struct cs_error *err)
{
    int *capacity = CS_NEW_ARRAY(in->arena, int, in->hosts);
    int64_t together = 0;

    for (int q = 0; q < in->hosts; q++) {
        const struct cs_volatile_host *host = &in->host[q];
        int64_t workload;

        capacity[q] = host->capacity < in->app.tasks ? host->capacity : in->app.tasks;
        workload = (int64_t)capacity[q] * host->slots;
        if (workload > INT_MAX)
            return cs_error_set(err,
                                "host %s: %d tasks of %d slots take %lld slots, it must be at most "
                                "%d",
                                host->name, capacity[q], host->slots, (long long)workload, INT_MAX);
        together += capacity[q];
        if (workload > in->most_workload)
            in->most_workload = workload;
    }
    if (together < in->app.tasks)
        return cs_error_set(err,
                            "the hosts can hold %lld tasks at the same time, an iteration has "
                            "%d: no configuration can ever exist",
                            (long long)together, in->app.tasks);
    in->capacity = capacity;
    in->most_need = in->app.program + in->app.tasks * in->app.data;
    return 0;
}

static int instance_fill(struct cs_volatile_instance *in, const struct cs_volatile_host *supplied,
                         struct cs_error *err)
{
    struct cs_volatile_host *host = CS_NEW_ARRAY(in->arena, struct cs_volatile_host, in->hosts);

    in->host = host;
    for (int q = 0; q < in->hosts; q++) {
        char number[16];

        cs_plain_print(number, sizeof number, "%d", q);
        if (read_host(&supplied[q],
                      cs_arena_strdup(in->arena, supplied[q].name ? supplied[q].name : number),
                      &host[q], err))
            return -1;
    }
    return instance_check_names(in, err) || instance_measure(in, err) ? -1 : 0;
}

struct cs_volatile_instance *
cs_volatile_instance_create(int hosts, const struct cs_volatile_host *host,
                            const struct cs_volatile_application *application, struct cs_error *err)
{
    CS_ASK((host || hosts < 1) && application, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena;
    struct cs_volatile_instance *in;

    if (hosts < 1 || hosts > MOST_HOSTS) {
        cs_error_set(err, "there are %d hosts, there must be between 1 and %d", hosts, MOST_HOSTS);
        return NULL;
    }
    if (check_application(application, err))
        return NULL;
    arena = cs_arena_create();
    in = CS_NEW(arena, struct cs_volatile_instance);
    *in = (struct cs_volatile_instance){.arena = arena, .hosts = hosts, .app = *application};
    if (instance_fill(in, host, err)) {
        cs_arena_destroy(arena);
        return NULL;
    }
    return in;
}

void cs_volatile_instance_destroy(struct cs_volatile_instance *in)
{
    if (in)
        cs_arena_destroy(in->arena);
}

int cs_volatile_instance_hosts(const struct cs_volatile_instance *in)
{
    CS_ASK(in, NULL, 0);
    return in->hosts;
}

const struct cs_volatile_host *cs_volatile_instance_host(const struct cs_volatile_instance *in,
                                                         int host)
{
    CS_ASK(in && host >= 0 && host < in->hosts, NULL, NULL);
    return &in->host[host];
}

const struct cs_volatile_application *
cs_volatile_instance_application(const struct cs_volatile_instance *in)
{
    CS_ASK(in, NULL, NULL);
    return &in->app;
}
