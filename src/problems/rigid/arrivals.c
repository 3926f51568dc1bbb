/* arrivals.c - the former spelling of the problem queue, rigid with `arrivals`, for one release:
 * options go there, outcomes come back under their names here. */
#include "base/plain.h"
#include "problems/rigid/case.h"

#include <math.h>
#include <string.h>

static const struct cs_study *arrivals_in(const struct cs_study *study)
{
    return &((const struct cs_rigid_case *)(const void *)study)->queue->study;
}

static bool is_among(const char *name, const char *list, struct cs_arena *arena)
{
    const struct cs_words words = cs_words_split(list, arena);
    bool found = false;

    for (int w = 0; w < words.count; w++)
        found |= !cs_plain_compare(words.name[w], name);
    return found;
}

/* Does it use options that cosched 0.2 passed to a replay? */
static bool has_site(const struct cs_rigid_options *o)
{
    const struct cs_replay_options *s = &o->site;

    return s->machine || s->nodes > 0 || s->unit > 0 || s->outages || s->overrun > 0 ||
           !isnan(s->default_request) || s->user_jobs > 0 || s->user_procs > 0 || s->arrive > 0 ||
           s->zone || s->from || s->to || s->partition_field > 0 || s->warmup > 0 ||
           s->cooldown > 0 || s->fairness > 0 || o->estimates == 2;
}

/* "all" are those that were made for batches and do not learn. */
static const char *arrivals_priority(const char *text, struct cs_arena *arena)
{
    struct cs_strbuf all = CS_STRBUF_INIT;
    const char *copy;
    int count;
    const struct cs_sched_priority *list = cs_sched_priorities(&count);

    if (!text || cs_plain_compare(text, "all"))
        return text;
    cs_strbuf_puts(&all, "fcfs");
    for (int p = 0; p < count; p++)
        if (!list[p].learns)
            cs_strbuf_printf(&all, ",%s", list[p].name);
    copy = cs_arena_strdup(arena, all.text);
    cs_strbuf_release(&all);
    return copy;
}

static int64_t arrivals_scenarios(const struct cs_rigid_options *o)
{
    if (o->scenarios != CS_PARAM_NONE || o->failures)
        return o->scenarios;
    return o->study.scenario + 1;
}

/* Sets of jobs in memory, unless an option is for a site. */
static struct cs_queue_options *queue_options(const struct cs_rigid_options *o,
                                              struct cs_arena *arena)
{
    struct cs_queue_options *q = cs_problem_options(&cs_problem_queue, arena);
    const int64_t lookahead = q->site.lookahead;
    const bool site = has_site(o) || (o->priority && is_among("slurm", o->priority, arena));

    q->study = o->study;
    q->set = o->set;
    q->site = o->site;
    q->site.lookahead = lookahead;
    q->site.procs = o->procs;
    q->site.policy = cs_plain_compare(o->policy, "all") ? o->policy : cs_rigid_policy_all(arena);
    q->site.priority = arrivals_priority(o->priority, arena);
    q->site.program = o->policy_program;
    q->site.patience = o->patience;
    q->site.estimates = o->estimates;
    q->site.mean = o->mean;
    q->site.mtbe = o->mtbe;
    q->site.failures = o->failures;
    q->site.verification = o->verification;
    q->site.scenarios = site ? o->scenarios : arrivals_scenarios(o);
    q->site.by_day = o->by_day;
    q->site.day = o->day;
    q->site.by_count = o->by_count;
    q->site.month = o->month;
    q->site.bound =
        site && o->bound != 1 && !o->by_day && o->day < 1 && o->by_count < 1 ? -1 : o->bound;
    q->site.former = !site;
    q->site.jobs_format = CS_QUEUE_TABLE_ATTEMPTS;
    q->former = true;
    return q;
}

int cs_rigid_arrivals_check(const struct cs_rigid_options *o, struct cs_error *err)
{
    struct cs_arena *arena;
    int status;

    if (!o->study.input)
        return cs_error_set(err, "arrivals is for a job log, which has the times when jobs were "
                                 "submitted: give input");
    arena = cs_arena_create();
    status = cs_problem_queue.check(queue_options(o, arena), err);
    cs_arena_destroy(arena);
    return status;
}

static void warn_moved(const struct cs_study_context *context)
{
    const struct cs_param *flag = cs_problem_rigid.param;
    struct cs_strbuf text = CS_STRBUF_INIT;

    while (!flag->moved)
        flag++;
    cs_problem_put_moved(&cs_problem_rigid, flag, &text);
    cs_study_warn_lines(context, text.text);
    cs_strbuf_release(&text);
}

int cs_rigid_arrivals_open(struct cs_rigid_case *c, const struct cs_study_context *context,
                           struct cs_error *err)
{
    const struct cs_queue_options *options = queue_options(c->options, c->study.arena);
    struct cs_study *study;

    warn_moved(context);
    study = cs_study_open(&cs_problem_queue, options, context, err);
    if (!study)
        return -1;
    c->queue = (struct cs_queue_case *)(void *)study;
    c->machine = (int)c->queue->request.study.log.site->procs;
    c->scenarios = c->queue->request.scenarios;
    c->sets = study->groups;
    for (int s = 0; s < study->groups; s++)
        c->jobs += (int)study->group[s].size;
    c->study.variants = study->variants;
    c->study.variant = study->variant;
    c->study.groups = study->groups;
    c->study.group = study->group;
    c->study.runs = study->runs;
    return 0;
}

/* ---- outcomes ---- */

static struct cs_rigid_seen arrivals_see(const struct cs_rigid_case *c, long run,
                                         const struct cs_queue_outcome *o)
{
    const struct cs_queue_log_study *study = &c->queue->request.study;
    struct cs_rigid_seen seen = {
        .made = o->made,
        .first = o->made && run % c->scenarios == 0,
        .jobs = (int)o->sum.jobs,
        .makespan = o->sum.makespan,
        .bound = o->bound,
        .ratio = o->bound > 0 ? o->sum.makespan / o->bound : o->bound + 1,
        .failures = (double)o->sum.failures,
        .waste = o->sum.waste,
        .utilisation = o->sum.utilisation,
        .arrives = true,
        .arrivals = o->sum,
    };

    if (study->window.warmup > 0 || study->window.cooldown > 0) {
        seen.arrivals.mean_wait = o->measured.mean_wait;
        seen.arrivals.max_wait = o->measured.longest_wait;
        seen.arrivals.mean_slowdown = o->measured.mean_slowdown;
        seen.arrivals.max_slowdown = NAN;
        seen.arrivals.largest_queue = o->measured.longest_queue;
    }
    if (c->options->estimates == 1)
        seen.arrivals.raised = 0;
    return seen;
}

int cs_rigid_arrivals_run(struct cs_rigid_case *c, const struct cs_study_progress *progress,
                          struct cs_error *err)
{
    struct cs_rigid_seen *seen = c->study.outcome;
    struct cs_study *study = &c->queue->study;

    if (cs_study_run(study, progress, err))
        return -1;
    for (int v = 0; v < study->variants; v++)
        for (long r = 0; r < study->runs; r++)
            *seen++ = arrivals_see(c, r, cs_study_outcome(study, v, r));
    return 0;
}

void cs_rigid_arrivals_identify(const struct cs_rigid_case *c, struct cs_digest *digest)
{
    const struct cs_queue_cut *cut = c->queue->request.study.cut;

    if (!cut)
        cs_replay_identify(&c->queue->request, digest);
    for (int s = 0; cut && s < cut->sets; s++) {
        const struct cs_queue_set *set = &cut->set[s];

        cs_rigid_identify_jobs(digest, &set->jobs);
        cs_digest_put_text(digest, "arrivals");
        for (int j = 0; j < set->jobs.count; j++) {
            const bool exact = c->options->estimates == 1 || !(set->job[j].request > 0);

            cs_digest_put_double(digest, set->submit[j]);
            cs_digest_put_double(digest, exact ? set->job[j].seconds
                                               : fmax(set->job[j].request, set->job[j].seconds));
        }
    }
}

/* ---- one run, kept ---- */

struct cs_kept *cs_rigid_arrivals_record(const struct cs_study *study, int variant, long run,
                                         struct cs_error *err)
{
    return cs_problem_queue.record(arrivals_in(study), variant, run, err);
}

void cs_rigid_arrivals_put(const struct cs_study *study, const struct cs_kept *record,
                           struct cs_jsonw *w)
{
    cs_problem_queue.put(arrivals_in(study), record, w);
}

int cs_rigid_case_table(const struct cs_study *study, const struct cs_kept *record,
                        struct cs_strbuf *out, struct cs_error *err)
{
    if (!((const struct cs_rigid_case *)(const void *)study)->queue)
        return cs_error_set(err, "there is a table of jobs where they arrive: with the option "
                                 "arrivals");
    return cs_problem_queue.table(arrivals_in(study), record, out, err);
}

int cs_rigid_arrivals_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                               struct cs_error *err)
{
    return cs_problem_queue.supplied(arrivals_in(study), file, err);
}
