/* case_site.c - from the options of an experiment to those of a replay, and back to outcomes. */
#include "problems/rigid/case_site.h"

#include "base/calendar.h"
#include "base/plain.h"
#include "problem/problem.h"

#include <math.h>
#include <string.h>

static bool is_among(const char *name, const char *list)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_words words = cs_words_split(list, arena);
    bool found = false;

    for (int w = 0; w < words.count; w++)
        found |= !cs_plain_compare(words.name[w], name);
    cs_arena_destroy(arena);
    return found;
}

bool cs_rigid_site_asked(const struct cs_rigid_options *o)
{
    const struct cs_replay_options *s = &o->site;

    return s->machine || s->nodes > 0 || s->unit > 0 || s->outages || s->overrun > 0 ||
           !isnan(s->default_request) || s->user_jobs > 0 || s->user_procs > 0 || s->arrive > 0 ||
           s->zone || s->from || s->to || s->partition_field > 0 || s->warmup > 0 ||
           s->cooldown > 0 || s->fairness > 0 || o->estimates == 2 ||
           (o->priority && is_among("slurm", o->priority));
}

static int check_priorities(const struct cs_rigid_options *o, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_words name = cs_words_split(o->priority, arena);
    int status = 0;

    for (int p = 0; !status && p < name.count; p++)
        if (!cs_sched_urgency_find(name.name[p], err))
            status = cs_error_prefix(err, "priority");
    cs_arena_destroy(arena);
    return status;
}

int cs_rigid_site_check(const struct cs_rigid_options *o, struct cs_error *err)
{
    if (!o->study.input)
        return cs_error_set(err, "options of cosched replay for a machine and its users need a "
                                 "job log: give input");
    if (o->by_day || o->day != CS_FIELD_NONE || o->by_count != CS_FIELD_NONE)
        return cs_error_set(err, "by_day, day and by_count cannot be combined with options of "
                                 "cosched replay: cut the log by month, or by from and to");
    if (o->month && (o->site.from || o->site.to))
        return cs_error_set(err, "found month with from or to, expected one of them");
    if (o->bound == 1)
        return cs_error_set(err, "bound is for machines of equal processors, without options of "
                                 "cosched replay");
    return o->priority ? check_priorities(o, err) : 0;
}

/* ---- opening ---- */

/* The dates of a month, in the arena.  -1 with err. */
static int take_month(const char *month, struct cs_replay_options *to, struct cs_arena *arena,
                      struct cs_error *err)
{
    char text[16];
    int year, number;

    if (cs_calendar_month(month, &year, &number, err))
        return -1;
    cs_plain_print(text, sizeof text, "%04d-%02d-01", year, number);
    to->from = cs_arena_strdup(arena, text);
    cs_plain_print(text, sizeof text, "%04d-%02d-01", year + number / 12, number % 12 + 1);
    to->to = cs_arena_strdup(arena, text);
    return 0;
}

/* The options that the problem has fields for. */
static int take_options(const struct cs_rigid_options *o, struct cs_replay_options *to,
                        struct cs_arena *arena, struct cs_error *err)
{
    *to = o->site;
    to->procs = o->procs;
    to->policy = o->policy;
    to->priority = o->priority;
    to->program = o->policy_program;
    to->patience = o->patience;
    to->estimates = o->estimates;
    to->mean = o->mean;
    to->mtbe = o->mtbe;
    to->failures = o->failures;
    to->verification = o->verification;
    to->scenarios = o->scenarios;
    to->seed = o->study.seed;
    to->threads = 1;
    return o->month ? take_month(o->month, to, arena, err) : 0;
}

static void name_variants(struct cs_rigid_case *c)
{
    const struct cs_replay_request *r = c->site;
    const int variants = r->study.variants / r->scenarios;
    struct cs_variant *variant = CS_NEW_ARRAY(c->study.arena, struct cs_variant, variants);

    for (int w = 0; w < variants; w++) {
        const struct cs_queue_log_variant *from =
            &r->study.variant[(size_t)w * (size_t)r->scenarios];

        variant[w] = (struct cs_variant){{from->policy, from->priority}};
    }
    c->study.variants = variants;
    c->study.variant = variant;
    c->scenarios = r->scenarios;
    c->study.runs = r->scenarios;
}

int cs_rigid_site_open(struct cs_rigid_case *c, const struct cs_study_context *context,
                       struct cs_error *err)
{
    struct cs_arena *arena = c->study.arena;
    struct cs_replay_options *options = CS_NEW(arena, struct cs_replay_options);
    const char **path = CS_NEW_ARRAY(arena, const char *, 1);

    c->cache = context->cache;
    c->site = CS_NEW(arena, struct cs_replay_request);
    c->site->arena = arena;
    c->site->warn = context->warn;
    c->site->who = context->who;
    path[0] = c->options->study.input;
    if (take_options(c->options, options, arena, err) ||
        cs_replay_prepare(path, 1, options, c->site, err))
        return -1;
    c->site->study.sum = true;
    c->machine = (int)c->site->study.log.site->procs;
    name_variants(c);
    return 0;
}

void cs_rigid_site_close(struct cs_rigid_case *c)
{
    if (c->site)
        cs_replay_release(c->site);
}

/* ---- running ---- */

/* Waits and slowdowns of the jobs that are measured, where some are not. */
static void take_window(const struct cs_queue_measured *m, struct cs_rigid_seen *seen)
{
    seen->arrivals.mean_wait = m->mean_wait;
    seen->arrivals.max_wait = m->longest_wait;
    seen->arrivals.mean_slowdown = m->mean_slowdown;
    seen->arrivals.max_slowdown = NAN;
    seen->arrivals.largest_queue = (double)m->longest_queue;
}

int cs_rigid_site_run(const struct cs_rigid_case *c, struct cs_error *err)
{
    const struct cs_queue_log_study *study = &c->site->study;
    struct cs_rigid_seen *seen = c->study.outcome;
    struct cs_queue_log_rows rows;

    if (cs_queue_log_study_run(study, &rows, err))
        return -1;
    for (int w = 0; w < study->variants; w++) {
        const struct cs_queue_log_row *row = &rows.row[w + 1];
        const struct cs_queue_replay_outcome outcome = {row->sum, NAN, NAN};

        seen[w] = cs_rigid_seen_of(&outcome);
        seen[w].first = study->variant[w].scenario == 0;
        seen[w].jobs = (int)row->sum.jobs;
        if (study->window.warmup > 0 || study->window.cooldown > 0)
            take_window(&row->measured, &seen[w]);
    }
    cs_queue_log_rows_release(&rows);
    return cs_extpol_check(c->site->extpol, err);
}

void cs_rigid_site_identify(const struct cs_rigid_case *c, struct cs_digest *digest)
{
    cs_replay_identify(c->site, c->cache, digest);
}
