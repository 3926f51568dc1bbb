/* trap.c - jobs and failures with known optima.
 *
 * Source: docs/spec/science.md 3.1 and 3.3; spec/rigid.md 10; Benoit et al. 2021, Propositions 1 to
 * 4.
 *
 * Proposition 3 (shelf): job j = 1 .. P takes 1 / j and fails j - 1 times, 1 in total for each.
 * Proposition 4 (shelf-fill), for each i = 1 .. P: a job of P^(1 - i) that fails P^(i - 1) - 1
 * times, 1 in total, and (P - 1) P^(i - 1) jobs slightly longer than P^-i that do not fail.  Greedy
 * and ljf: model/trap.c.
 */
#include "base/file.h"
#include "base/watch.h"
#include "model/known.h"
#include "problems/rigid/case.h"
#include "sched/random_jobs.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SHELF_MOST 10000           /* processors */
#define FILL_MOST 6                /* there are P^P jobs */
#define SLIGHTLY (1.0 / (1 << 20)) /* share by which they are longer; not measured */

static bool is_trap(const struct cs_rigid_options *o, const char *name)
{
    return !strcmp(o->trap.name, name);
}

/* Of ljf: as given, or those of the machine of 8 Q - 4 processors. */
static int64_t trap_groups(const struct cs_rigid_options *o)
{
    if (o->groups != CS_PARAM_NONE || o->procs == CS_PARAM_NONE)
        return cs_param_or(o->groups, 8);
    return (o->procs + 4) / 8;
}

int cs_rigid_trap_check(const struct cs_rigid_options *o, struct cs_error *err)
{
    if (cs_trap_check("rigid", CS_RIGID_TRAPS, o->trap.name, err))
        return -1;
    if (!is_trap(o, "ljf") && (o->groups != CS_PARAM_NONE || o->slots != CS_PARAM_NONE))
        return cs_error_set(err, "--groups, --slots: only for the trap ljf");
    if (is_trap(o, "ljf") && o->procs != CS_PARAM_NONE && o->procs != 8 * trap_groups(o) - 4)
        return cs_error_set(err,
                            "--procs: the trap ljf is for 8 Q - 4 processors with Q groups, not "
                            "for %" PRId64,
                            o->procs);
    return 0;
}

static struct cs_trap_jobs *trap_begin(int64_t count, int procs, struct cs_arena *arena)
{
    struct cs_trap_jobs *jobs = CS_NEW(arena, struct cs_trap_jobs);

    *jobs = (struct cs_trap_jobs){.procs = procs,
                                  .seconds = CS_NEW_ARRAY(arena, double, count),
                                  .width = CS_NEW_ARRAY(arena, int, count),
                                  .failures = CS_NEW_ARRAY(arena, int64_t, count)};
    return jobs;
}

static void trap_add(struct cs_trap_jobs *jobs, double seconds, int64_t failures)
{
    jobs->seconds[jobs->count] = seconds;
    jobs->width[jobs->count] = 1;
    jobs->failures[jobs->count++] = failures;
}

static struct cs_trap_jobs *trap_shelf(int procs, double unit, struct cs_arena *arena)
{
    struct cs_trap_jobs *jobs = trap_begin(procs, procs, arena);

    for (int j = 1; j <= procs; j++)
        trap_add(jobs, unit / j, j - 1);
    jobs->optimum = unit;
    return jobs;
}

static int power_of(int base, int exponent)
{
    return exponent ? base * power_of(base, exponent - 1) : 1;
}

static struct cs_trap_jobs *trap_shelf_fill(int procs, double unit, struct cs_arena *arena)
{
    struct cs_trap_jobs *jobs = trap_begin(procs + power_of(procs, procs), procs, arena);

    for (int i = 1; i <= procs; i++) {
        const int power = power_of(procs, i - 1);

        trap_add(jobs, unit / power, power - 1);
        for (int k = 0; k < (procs - 1) * power; k++)
            trap_add(jobs, unit * (1 + SLIGHTLY) / procs / power, 0);
    }
    jobs->optimum = unit * (2 - 1.0 / procs + SLIGHTLY * (procs - 1) / procs);
    return jobs;
}

static struct cs_trap_jobs *trap_shelves(const struct cs_rigid_options *o, struct cs_arena *arena,
                                         struct cs_error *err)
{
    const bool fill = is_trap(o, "shelf-fill");
    const int most = fill ? FILL_MOST : SHELF_MOST, procs = (int)cs_param_or(o->procs, 0);
    const double unit = isnan(o->time_unit) ? 1 : o->time_unit;

    if (procs < 1 || procs > most) {
        cs_error_set(err, "--procs: the trap %s is for 1 to %d processors, not for %d",
                     o->trap.name, most, procs);
        return NULL;
    }
    return fill ? trap_shelf_fill(procs, unit, arena) : trap_shelf(procs, unit, arena);
}

/* A job of a processors and one second for each number; the text of `known` is made here. */
static struct cs_trap_jobs *trap_partition(const struct cs_rigid_options *o, struct cs_arena *arena,
                                           struct cs_error *err)
{
    const struct cs_partition *p =
        cs_trap_partition(&o->trap, (uint64_t)o->study.seed, (uint64_t)o->set, arena, err);
    struct cs_strbuf known = CS_STRBUF_INIT;
    struct cs_trap_jobs *jobs;

    if (!p)
        return NULL;
    jobs = trap_begin(3 * (int64_t)p->triples, p->bound, arena);
    for (int i = 0; i < 3 * p->triples; i++) {
        trap_add(jobs, 1, 0);
        jobs->width[i] = p->number[i];
    }
    cs_trap_put_partition(p, p->triples, p->triples + 1,
                          &(struct cs_trap_instance){"rigid", p->bound, 0}, &known);
    jobs->known = cs_arena_strdup(arena, known.text);
    cs_strbuf_release(&known);
    return jobs;
}

static const char *why_of(const struct cs_rigid_options *o)
{
    return is_trap(o, "greedy") ? "work over processors, with the long job first (Proposition 2)"
           : is_trap(o, "ljf")
               ? "work over processors, reached by wrapping the jobs of four processors around "
                 "(Proposition 1)"
           : is_trap(o, "shelf") ? "every job takes one unit, failures included (Proposition 3)"
                                 : "work over processors (Proposition 4)";
}

static void trap_put_known(const struct cs_rigid_options *o, const struct cs_trap_jobs *jobs,
                           struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_known_open(&w, jobs->optimum, jobs->optimum, jobs->optimum, jobs->procs, o->trap.name);
    if (is_trap(o, "ljf")) {
        cs_jsonw_put_int(&w, "groups", trap_groups(o));
        cs_jsonw_put_int(&w, "slots", cs_param_or(o->slots, 32));
    }
    if (!isnan(o->time_unit))
        cs_jsonw_put_double(&w, "time_unit", o->time_unit);
    cs_known_close(&w, why_of(o));
}

struct cs_trap_jobs *cs_rigid_trap_create(const struct cs_rigid_options *o, struct cs_arena *arena,
                                          struct cs_error *err)
{
    struct cs_strbuf known = CS_STRBUF_INIT;
    struct cs_trap_jobs *jobs;

    if (is_trap(o, "three-partition"))
        return trap_partition(o, arena, err);
    jobs = is_trap(o, "greedy") ? cs_trap_greedy(cs_param_or(o->procs, 0), arena, err)
           : is_trap(o, "ljf")  ? cs_trap_ljf(trap_groups(o), cs_param_or(o->slots, 32), arena, err)
                                : trap_shelves(o, arena, err);
    if (!jobs)
        return NULL;
    trap_put_known(o, jobs, &known);
    jobs->known = cs_arena_strdup(arena, known.text);
    cs_strbuf_release(&known);
    return jobs;
}

/* ---- files ---- */

static void put_job(struct cs_strbuf *text, int number, int procs, double seconds)
{
    cs_strbuf_printf(text, "job%d,%d,", number, procs);
    cs_strbuf_put_double(text, seconds);
    cs_strbuf_putc(text, '\n');
}

static int write_failures(const struct cs_rigid_options *o, const struct cs_trap_jobs *jobs,
                          struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status;

    if (!o->failures_output)
        return 0;
    for (int j = 0; j < jobs->count; j++)
        cs_strbuf_printf(&text, "%s%lld", j ? " " : "", (long long)jobs->failures[j]);
    cs_strbuf_putc(&text, '\n');
    status = cs_file_write(o->failures_output, text.text, text.length, err);
    cs_strbuf_release(&text);
    return status;
}

static int generate_trap(const struct cs_rigid_options *o, struct cs_strbuf *text,
                         struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_trap_jobs *jobs = cs_rigid_trap_create(o, arena, err);

    if (!jobs || write_failures(o, jobs, err))
        return -1;
    cs_strbuf_puts(text, "# known: ");
    for (const char *c = jobs->known; *c; c++)
        if (*c != '\n' && !(*c == ' ' && c[-1] == ' '))
            cs_strbuf_putc(text, *c);
    cs_strbuf_puts(text, "\nname,procs,seconds\n");
    for (int j = 0; j < jobs->count; j++)
        put_job(text, j + 1, jobs->width[j], jobs->seconds[j]);
    return 0;
}

static int generate_jobs(const struct cs_rigid_options *o, struct cs_strbuf *text,
                         struct cs_arena *arena, struct cs_error *err)
{
    const int count = (int)o->jobs;
    double *seconds = CS_NEW_ARRAY(arena, double, count);
    int *procs = CS_NEW_ARRAY(arena, int, count);

    cs_sched_draw_jobs((uint64_t)o->study.seed, (uint64_t)o->set, count, seconds, procs);
    cs_strbuf_puts(text, "name,procs,seconds\n");
    for (int j = 0; j < count && !cs_watch_calls(); j++)
        put_job(text, j + 1, procs[j], seconds[j]);
    return cs_watch_settle(0, err);
}

int cs_rigid_case_generate(const void *options, struct cs_error *err)
{
    const struct cs_rigid_options *o = options;
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status =
        o->trap.name ? generate_trap(o, &text, arena, err) : generate_jobs(o, &text, arena, err);

    if (!status)
        status =
            cs_file_write(o->study.output ? o->study.output : "-", text.text, text.length, err);
    cs_strbuf_release(&text);
    cs_arena_destroy(arena);
    return status;
}
