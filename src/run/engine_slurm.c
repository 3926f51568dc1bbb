/* engine_slurm.c - steps inside an allocation: a slot is a node, or some processors of one.
 *
 * Signals never go to srun, which would kill its tasks immediately: they go to the step, which is
 * found by its name. --exact and --mem always, or a step takes its nodes whole and the next one
 * waits.
 */
#define _GNU_SOURCE
#include "run/slurm.h"

#include "base/plain.h"
#include "run/program.h"
#include "run/slurm_words.h"
#include "run/values.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MEBIBYTE 1048576.0
#define SHORT_TASK 10.0  /* seconds; thousands of shorter ones do not belong on srun */
#define END_OF_STEP 10.0 /* seconds until what was cancelled must be gone */

static int find_programs(struct cs_run_slurm *s, struct cs_arena *arena, struct cs_error *err)
{
    const struct {
        const char *name, **path;
    } program[] = {{"srun", &s->srun},
                   {"scancel", &s->scancel},
                   {"squeue", &s->squeue},
                   {"sinfo", &s->sinfo},
                   {"scontrol", &s->scontrol}};
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status = 0;

    for (size_t k = 0; !status && k < sizeof program / sizeof *program; k++) {
        status = cs_run_program_find(program[k].name, "", &path, err);
        if (!status)
            *program[k].path = cs_arena_strdup(arena, path.text);
    }
    cs_strbuf_release(&path);
    return status;
}

static int read_environment(struct cs_run_slurm *s, struct cs_arena *arena, struct cs_error *err)
{
    const char *job = getenv("SLURM_JOB_ID"), *nodes = getenv("SLURM_JOB_NODELIST");

    if (!job || !*job || !nodes || !*nodes)
        return cs_error_set(err,
                            "engine slurm works inside an allocation only (SLURM_JOB_ID is not "
                            "set): salloc -N 4 --exclusive --no-kill --mem=0, and there cosched "
                            "run; or a script for sbatch, see docs/run.md");
    s->job = cs_arena_strdup(arena, job);
    s->nodes = cs_arena_strdup(arena, nodes);
    return find_programs(s, arena, err);
}

/* One line a node, and the processors that the allocation has on each. */
static int list_nodes(struct cs_run_slurm *s, struct cs_arena *arena, int **cpus,
                      struct cs_strbuf *names, struct cs_error *err)
{
    const char *text = getenv("SLURM_JOB_CPUS_PER_NODE");
    int nodes = 0;

    if (!cs_run_slurm_ask((const char *const[]){s->scontrol, "show", "hostnames", s->nodes, NULL},
                          names) ||
        !names->length)
        return cs_error_set(err, "scontrol show hostnames %.200s: no answer", s->nodes);
    for (const char *c = names->text; *c; c++)
        nodes += *c == '\n';
    *cpus = CS_NEW_ARRAY(arena, int, nodes);
    return s->by_cpu ? cs_run_slurm_cpus(text ? text : "", nodes, *cpus, err) : 0;
}

static int add_slots(const struct cs_run_slurm *s, const struct cs_run_wanted *wanted,
                     struct cs_arena *arena, const char *names, const int *cpus,
                     struct cs_run_slot *slot)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    int count = 0;

    for (int node = 0; cs_run_slurm_line(&names, &name); node++) {
        int each = s->by_cpu ? cpus[node] / wanted->cpus_per_slot : 1;
        const char *host = slot ? cs_arena_strdup(arena, name.text) : NULL;

        if (cs_run_slurm_is_bad_node(s, name.text, false))
            continue;
        for (int k = 0; k < each && (!wanted->count || count < wanted->count); k++, count++)
            if (slot)
                slot[count] = (struct cs_run_slot){.host = host, .cpus = ""};
    }
    cs_strbuf_release(&name);
    return count;
}

static int open_slurm(const struct cs_run_setup *setup, struct cs_arena *arena, void **state,
                      const struct cs_run_slot **slot, int *count, struct cs_error *err)
{
    struct cs_run_slurm *s = CS_NEW(arena, struct cs_run_slurm);
    struct cs_strbuf names = CS_STRBUF_INIT;
    struct cs_run_slot *list;
    int *cpus = NULL, status;

    *s = (struct cs_run_slurm){
        .by_cpu = setup->wanted.by_cpu,
        .list = CS_STRBUF_INIT,
        .members = CS_STRBUF_INIT,
        .states = CS_STRBUF_INIT,
        .ends = INFINITY,
    };
    *state = s;
    status = read_environment(s, arena, err) || list_nodes(s, arena, &cpus, &names, err) ? -1 : 0;
    if (!status) {
        cs_run_slurm_refresh(s);
        *count = add_slots(s, &setup->wanted, arena, names.text, cpus, NULL);
        list = CS_NEW_ARRAY(arena, struct cs_run_slot, *count);
        add_slots(s, &setup->wanted, arena, names.text, cpus, list);
        *slot = list;
        if (*count < 1 || *count < setup->wanted.count)
            status = cs_error_set(err, "%d slots are wanted, and the allocation %s has %d",
                                  setup->wanted.count, s->job, *count);
    }
    cs_strbuf_release(&names);
    return status;
}

static void close_state(void *state)
{
    struct cs_run_slurm *s = state;

    cs_strbuf_release(&s->list);
    cs_strbuf_release(&s->members);
    cs_strbuf_release(&s->states);
}

static void put_step_name(const char *tag, int64_t attempt, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "cs-%s-%lld", tag, (long long)attempt);
}

static void engine_slurm_add(struct cs_run_list *argv, struct cs_strbuf *text)
{
    cs_run_list_add(argv, text->text);
    cs_strbuf_clear(text);
}

static int slots_on(const struct cs_run_values *v, const char *host)
{
    int count = 0;

    for (int k = 0; k < v->count; k++)
        count += !strcmp(v->slot[v->held[k]].host, host);
    return count;
}

/* Slots of the attempt on the node that has most of them, and on the one that has fewest. */
static void count_slots(const struct cs_run_values *v, int *most, int *least)
{
    *most = 0;
    *least = v->count;
    for (int k = 0; k < v->count; k++) {
        int here = slots_on(v, v->slot[v->held[k]].host);

        *most = here > *most ? here : *most;
        *least = here < *least ? here : *least;
    }
}

/* Nodes, and how many processes on each when that differs: from 23.11 on srun rejects -N with the
 * list of their hosts. */
static void add_place(const struct cs_run_values *v, const struct cs_run_settings *s,
                      struct cs_run_list *argv, struct cs_strbuf *text, bool even)
{
    struct cs_strbuf hosts = CS_STRBUF_INIT;

    const int nodes = cs_run_put_hosts(v->slot, v->held, v->count, &hosts);

    if (even) {
        cs_strbuf_printf(text, "-N%d", nodes);
        engine_slurm_add(argv, text);
    }
    cs_strbuf_printf(text, "-n%lld", (long long)v->count * s->tasks_per_slot);
    engine_slurm_add(argv, text);
    cs_strbuf_printf(text, "-c%d", s->cpus_per_task);
    engine_slurm_add(argv, text);
    cs_run_list_add(argv, "--cpu-bind=cores");
    if (even) {
        cs_strbuf_puts(text, hosts.text);
    } else {
        cs_run_list_add(argv, "-m");
        cs_run_list_add(argv, "arbitrary");
        for (int k = 0; k < v->count * s->tasks_per_slot; k++)
            cs_strbuf_printf(text, "%s%s", k ? "," : "",
                             v->slot[v->held[k / s->tasks_per_slot]].host);
    }
    cs_run_list_add(argv, "-w");
    engine_slurm_add(argv, text);
    cs_strbuf_release(&hosts);
}

/* A path in which srun sees no pattern. */
static int add_stream(struct cs_run_values *v, const char *template, const char *ending,
                      const char *option, struct cs_run_list *argv, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT, plain = CS_STRBUF_INIT;
    int status = 0;

    if (template)
        status = cs_run_values_path(v, template, &path, err);
    else
        cs_run_attempt_path(v->folder, v->attempt, ending, &path);
    for (const char *c = path.text; *c; c++)
        cs_strbuf_printf(&plain, *c == '%' || *c == '\\' ? "%c%c" : "%c", *c, *c);
    cs_run_list_add(argv, option);
    cs_run_list_add(argv, plain.text);
    cs_strbuf_release(&path);
    cs_strbuf_release(&plain);
    return status;
}

static int engine_slurm_launch(void *state, const char *tag, struct cs_run_values *v,
                               struct cs_run_list *argv, struct cs_error *err)
{
    const struct cs_run_slurm *slurm = state;
    const struct cs_run_settings *s = v->setup->task[v->task].settings;
    struct cs_strbuf text = CS_STRBUF_INIT;
    int most, least;

    count_slots(v, &most, &least);
    cs_run_list_add(argv, slurm->srun);
    cs_run_list_add(argv, "--exact");
    cs_strbuf_printf(&text, "--mem=%.0f", ceil(s->memory * s->tasks_per_slot * most / MEBIBYTE));
    engine_slurm_add(argv, &text);
    cs_run_list_add(argv, "-Q");
    cs_run_list_add(argv, "-J");
    put_step_name(tag, v->attempt, &text);
    engine_slurm_add(argv, &text);
    add_place(v, s, argv, &text, most == least);
    cs_run_list_add(argv, "--export=ALL");
    cs_run_list_add(argv, "--open-mode=append");
    cs_run_list_add(argv, "--kill-on-bad-exit=1");
    cs_strbuf_release(&text);
    return add_stream(v, s->out, "out", "-o", argv, err) ||
                   add_stream(v, s->err, "err", "-e", argv, err)
               ? -1
               : 0;
}

/* The number of the step of an attempt, in `step`. */
static bool find_step(struct cs_run_executor *x, int64_t attempt, struct cs_strbuf *step)
{
    const struct cs_run_slurm *s = x->engine_state;
    struct cs_strbuf name = CS_STRBUF_INIT, out = CS_STRBUF_INIT;
    bool found;

    put_step_name(x->tag, attempt, &name);
    found = cs_run_slurm_ask((const char *const[]){s->squeue, "-h", "-s", "-j",
                                                   cs_run_slurm_jobs(x), "-o", "%i %j", NULL},
                             &out) &&
            cs_run_slurm_step(out.text, name.text, step);
    cs_strbuf_release(&name);
    cs_strbuf_release(&out);
    return found;
}

static bool signal_step(struct cs_run_executor *x, const struct cs_run_attempt *attempt, int number)
{
    const struct cs_run_slurm *s = x->engine_state;
    struct cs_strbuf step = CS_STRBUF_INIT, out = CS_STRBUF_INIT;
    bool found = find_step(x, attempt->number, &step);
    char option[32];

    cs_plain_print(option, sizeof option, "--signal=%d", number);
    if (found)
        cs_run_slurm_ask((const char *const[]){s->scancel, "-Q", option, step.text, NULL}, &out);
    cs_strbuf_release(&step);
    cs_strbuf_release(&out);
    return found;
}

/* The step ends some seconds after srun. */
static void engine_slurm_cancel(struct cs_run_executor *x, int64_t attempt)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    const struct cs_run_slurm *s = x->engine_state;
    const double end = cs_run_wall() + END_OF_STEP;
    struct cs_strbuf step = CS_STRBUF_INIT, out = CS_STRBUF_INIT;
    bool down = false;

    while (!down && cs_run_wall() < end && find_step(x, attempt, &step)) {
        const struct cs_run_attempt *running = cs_run_attempt_find(&x->run, attempt);

        cs_run_slurm_ask((const char *const[]){s->scancel, "-Q", step.text, NULL}, &out);
        for (int k = 0; running && k < running->count; k++)
            down = down || x->run.slots.down[running->slot[k]];
        nanosleep(&pause, NULL);
    }
    cs_strbuf_release(&step);
    cs_strbuf_release(&out);
}

static const char *engine_slurm_job(const struct cs_run_executor *x)
{
    return ((const struct cs_run_slurm *)x->engine_state)->job;
}

static void engine_slurm_warn(struct cs_run_executor *x)
{
    double sum = 0;

    for (int t = 0; t < x->setup.tasks; t++)
        sum += x->setup.task[t].expected;
    if (!cs_run_slurm_is_kept(x->engine_state))
        x->watcher.say(x->watcher.who,
                       "nothing shows that this allocation was made with --no-kill: "
                       "without it a node that dies ends all of it");
    if (sum < SHORT_TASK * x->setup.tasks)
        x->watcher.say(x->watcher.who,
                       "tasks of less than 10 s are short for steps of Slurm, which serves all "
                       "users: on one node, srun -N1 --exclusive cosched run --engine local is "
                       "faster");
}

const struct cs_run_engine cs_run_engine_slurm = {
    .name = "slurm",
    .paces = true,
    .open = open_slurm,
    .close = close_state,
    .launch = engine_slurm_launch,
    .signal = signal_step,
    .examine = cs_run_slurm_examine,
    .cancel = engine_slurm_cancel,
    .is_gone = cs_run_slurm_is_gone,
    .left = cs_run_slurm_left,
    .is_down = cs_run_slurm_is_down,
    .refresh = cs_run_slurm_refresh,
    .warn = engine_slurm_warn,
    .job = engine_slurm_job,
};
