/* case.c - from options to a study of rigid jobs: jobs, variants, failures.
 *
 * Source: spec/rigid.md 2 and 6.
 */
#include "problems/rigid/case.h"
#include "base/arena.h"
#include "base/plain.h"
#include "model/extpol.h"
#include "model/known.h"
#include "problem/cache.h"
#include "problem/problem.h"
#include "problems/rigid/problem.h"
#include "problems/rigid/study.h"
#include "sched/policy.h"

#include <math.h>
#include <string.h>

#define USUAL_PROCS 10000 /* for what is generated */
#define USUAL_SCENARIOS 1000

static struct cs_rigid_case *rigid_case_of(struct cs_study *study)
{
    return (struct cs_rigid_case *)(void *)study;
}

/* ---- choices of the options ---- */

static struct cs_words every_priority(struct cs_arena *arena)
{
    int count;
    const struct cs_sched_priority *list = cs_sched_priorities(&count);
    const char **name = CS_NEW_ARRAY(arena, const char *, count);

    for (int i = 0; i < count; i++)
        name[i] = list[i].name;
    return (struct cs_words){count, name};
}

static const struct cs_sched_priority *find_priority(const char *name, struct cs_error *err)
{
    struct cs_error none = {0};

    if (cs_sched_priority_find(name, &none) || !cs_sched_urgency_find(name, &none))
        return cs_sched_priority_find(name, err);
    cs_error_set(err, "priority \"%s\" is for jobs that arrive: give --arrivals", name);
    return NULL;
}

static int find_priorities(const struct cs_rigid_options *o, struct cs_arena *arena,
                           const struct cs_sched_priority ***found, struct cs_error *err)
{
    const char *text = o->priority ? o->priority : "lpt";
    struct cs_words name =
        cs_plain_compare(text, "all") ? cs_words_split(text, arena) : every_priority(arena);

    *found = CS_NEW_ARRAY(arena, const struct cs_sched_priority *, name.count);
    for (int p = 0; p < name.count; p++)
        if (!((*found)[p] = find_priority(name.name[p], err)))
            return -1;
    return name.count;
}

static int check_priorities(const struct cs_rigid_options *o, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_sched_priority **found;
    int count = find_priorities(o, arena, &found, err);

    cs_arena_destroy(arena);
    return count < 0 ? -1 : 0;
}

int cs_rigid_case_check(const void *options, struct cs_error *err)
{
    const struct cs_rigid_options *o = options;

    if (!isnan(o->mean) + !isnan(o->mtbe) + (o->failures != NULL) > 1)
        return cs_error_set(err, "--mean-failure-probability, --mtbe, --failures: found several, "
                                 "expected one of them");
    if ((o->by_day || o->day != CS_PARAM_NONE) && o->by_count != CS_PARAM_NONE)
        return cs_error_set(err, "--by-day and --by-count both cut the log: give one of them");
    if (!isnan(o->mtbe) && !(o->mtbe > 0))
        return cs_error_set(err, "--mtbe must be longer than 0 s");
    if (o->study.input && o->trap.name)
        return cs_error_set(err, "found input and trap, expected one of them");
    if (o->trap.name && cs_rigid_trap_check(o, err))
        return -1;
    return o->arrivals ? cs_rigid_arrivals_check(o, err) : check_priorities(o, err);
}

/* ---- the jobs ---- */

static bool by_day(const struct cs_rigid_options *o)
{
    return o->by_day || o->day != CS_PARAM_NONE;
}

struct source {
    const char *path;
    struct cs_sched_input_options options;
};

static struct source source_of(const struct cs_rigid_options *o)
{
    return (struct source){
        .path = o->study.input,
        .options = {.procs = (int)cs_param_or(o->procs, 0),
                    .verification = o->verification,
                    .month = o->month,
                    .by_day = by_day(o),
                    .strict = o->strict,
                    .by_count = (int)cs_param_or(o->by_count, 0)},
    };
}

static void *read_input(const void *how, struct cs_error *err)
{
    const struct source *source = how;

    return cs_sched_input_read(source->path, &source->options, err);
}

static void destroy_input(void *input)
{
    cs_sched_input_destroy(input);
}

static const struct cs_cache_kind kind_of_input = {"input", read_input, destroy_input};

/* A log is read once and cut alike for all cells, whichever day each takes. */
static int get_input(struct cs_rigid_case *c, struct cs_cache *cache, struct cs_error *err)
{
    const struct source source = source_of(c->options);
    struct cs_rigid_options same = *c->options;
    const struct cs_cache_by by = {c->study.problem, &same, CS_SCOPE_INSTANCE, "day"};

    if (!cache) {
        c->input = c->owned = read_input(&source, err);
        return c->input ? 0 : -1;
    }
    same.by_day = source.options.by_day;
    c->input = cs_cache_get_by(cache, &by, &kind_of_input, &source, err);
    return c->input ? 0 : -1;
}

static void take_sets(struct cs_rigid_case *c)
{
    int64_t day = cs_param_or(c->options->day, 0);

    c->machine = c->input->machine;
    c->first = day ? (int)day - 1 : 0;
    c->sets = c->input->sets - c->first;
    if (day && c->sets > 1)
        c->sets = 1;
    if (c->sets < 0)
        c->first = c->sets = 0;
    c->set = c->input->set + c->first;
}

/* The one set of jobs that were made. */
static void take_jobs(struct cs_rigid_case *c, const struct cs_sched_jobs *jobs)
{
    struct cs_sched_input_set *set = CS_NEW(c->study.arena, struct cs_sched_input_set);

    *set = (struct cs_sched_input_set){.name = "", .jobs = *jobs};
    c->set = set;
    c->sets = 1;
    c->machine = jobs->machine;
}

static int get_trap(struct cs_rigid_case *c, struct cs_error *err)
{
    struct cs_known *known = CS_NEW(c->study.arena, struct cs_known);
    const struct cs_trap_jobs *trap = cs_rigid_trap_create(c->options, c->study.arena, err);
    const double v = c->options->verification;

    if (!trap || cs_known_parse(trap->known, known, c->study.arena, err))
        return -1;
    take_jobs(c, &(struct cs_sched_jobs){trap->count, trap->procs, isnan(v) ? 0 : v, trap->seconds,
                                         trap->width});
    if (isnan(c->options->mean) && isnan(c->options->mtbe))
        c->failures = trap->failures;
    c->known = known;
    return cs_sched_jobs_check(&c->set[0].jobs, err);
}

static int draw_jobs(struct cs_rigid_case *c, struct cs_error *err)
{
    const struct cs_rigid_options *o = c->options;
    int count = (int)o->jobs;
    double *seconds = CS_NEW_ARRAY(c->study.arena, double, count);
    int *procs = CS_NEW_ARRAY(c->study.arena, int, count);
    const struct cs_sched_jobs jobs = {count, (int)cs_param_or(o->procs, USUAL_PROCS),
                                       isnan(o->verification) ? 0 : o->verification, seconds,
                                       procs};

    cs_sched_draw_jobs((uint64_t)o->study.seed, (uint64_t)o->set, count, seconds, procs);
    take_jobs(c, &jobs);
    return cs_sched_jobs_check(&jobs, err);
}

static void name_groups(struct cs_rigid_case *c)
{
    struct cs_study_group *group = CS_NEW_ARRAY(c->study.arena, struct cs_study_group, c->sets);

    for (int s = 0; s < c->sets; s++) {
        group[s] = (struct cs_study_group){c->set[s].name, c->set[s].jobs.count};
        c->jobs += c->set[s].jobs.count;
    }
    c->study.groups = c->sets;
    c->study.group = group;
}

static int get_jobs(struct cs_rigid_case *c, struct cs_cache *cache, struct cs_error *err)
{
    const struct cs_rigid_options *o = c->options;

    if (o->study.input ? get_input(c, cache, err)
        : o->trap.name ? get_trap(c, err)
                       : draw_jobs(c, err))
        return -1;
    if (c->input)
        take_sets(c);
    name_groups(c);
    return 0;
}

/* ---- variants ---- */

const char *cs_rigid_policy_all(struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int count;
    const char *const *all = cs_sched_policy_all(arena, &count), *copy;

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(&text, "%s%s", i ? "," : "", all[i]);
    copy = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return copy;
}

static int case_find_variants(struct cs_rigid_case *c, struct cs_error *err)
{
    struct cs_arena *arena = c->study.arena;
    const char *text = c->options->policy;
    const struct cs_sched_priority **priority;
    struct cs_policy_call *call;
    const char *const *word;
    struct cs_variant *variant;
    int count, priorities,
        policies =
            cs_study_policies(c->study.problem->choice,
                              cs_plain_compare(text, "all") ? text : cs_rigid_policy_all(arena), 0,
                              arena, &call, &word, err);

    priorities = policies < 0 ? -1 : find_priorities(c->options, arena, &priority, err);
    if (priorities < 0)
        return -1;
    c->extpol = cs_extpol_create(c->options->policy_program, c->options->patience);
    cs_extpol_attach(c->extpol, cs_sched_policies(&count), call, policies);
    variant = CS_NEW_ARRAY(arena, struct cs_variant, policies * priorities);
    c->variant = CS_NEW_ARRAY(arena, struct cs_rigid_variant, policies * priorities);
    for (int p = 0; p < policies; p++) {
        for (int r = 0; r < priorities; r++) {
            c->variant[c->study.variants] = (struct cs_rigid_variant){
                cs_sched_policy_at(call[p].policy), call[p].param, priority[r]};
            variant[c->study.variants++] = (struct cs_variant){{word[p], priority[r]->name}};
        }
    }
    c->study.variant = variant;
    return 0;
}

/* ---- the failures ---- */

static int set_law(struct cs_rigid_case *c, struct cs_error *err)
{
    const struct cs_rigid_options *o = c->options;

    if (c->action == CS_EXPERIMENT && o->mean >= 1)
        return cs_error_set(err,
                            "mean_failure_probability: %g means that no average job ever "
                            "succeeds; it must be below 1",
                            o->mean);
    if (!isnan(o->mean))
        c->law = (struct cs_sched_law){.mean = o->mean};
    else if (!isnan(o->mtbe))
        c->law = (struct cs_sched_law){NAN, 1 / o->mtbe};
    else if (c->input && !isnan(c->input->rate))
        c->law = (struct cs_sched_law){NAN, c->input->rate};
    return 0;
}

static bool is_random(const struct cs_rigid_case *c)
{
    bool random = isnan(c->law.mean) ? c->law.rate > 0 : c->law.mean > 0;

    for (int w = 0; w < c->study.variants; w++)
        random |= c->variant[w].priority->per_scenario;
    return random;
}

static int scenarios_of(const struct cs_rigid_case *c)
{
    if (c->options->scenarios != CS_PARAM_NONE)
        return (int)c->options->scenarios;
    return is_random(c) ? USUAL_SCENARIOS : 1;
}

static int read_failures(struct cs_rigid_case *c, struct cs_error *err)
{
    const struct cs_rigid_options *o = c->options;
    int wanted = (int)cs_param_or(o->scenarios, 0);
    struct cs_sched_scenarios *drawn;

    if (c->sets != 1)
        return cs_error_set(err, "--failures is for one set of jobs, not for the %d sets of %s",
                            c->sets, o->study.input);
    drawn = c->drawn[0] = cs_sched_scenarios_read(&c->set[0].jobs, o->failures, err);
    if (!drawn)
        return -1;
    if (wanted > drawn->count)
        return cs_error_set(err, "%s: found %d scenarios, expected %d", o->failures, drawn->count,
                            wanted);
    if (wanted)
        drawn->count = wanted;
    drawn->seed = (uint64_t)o->study.seed;
    drawn->set = (uint64_t)(o->set + c->first);
    if (c->input && !isnan(c->input->rate))
        drawn->law.rate = c->input->rate;
    c->scenarios = drawn->count;
    return 0;
}

/* The number of the set separates its random draws from those of the others. */
static int draw_set(struct cs_rigid_case *c, int set, struct cs_error *err)
{
    const struct cs_rigid_options *o = c->options;
    const char *name = c->set[set].name;

    c->drawn[set] = cs_sched_scenarios_create(&c->set[set].jobs, c->law, (uint64_t)o->study.seed,
                                              (uint64_t)(o->set + c->first + set), c->scenarios,
                                              c->action == CS_EXPERIMENT ? NULL : err);
    if (c->drawn[set])
        return 0;
    c->left_out++;
    if (c->action == CS_EXPERIMENT)
        return 0;
    return *name ? cs_error_prefix(err, "%s, %s", o->study.input, name)
                 : cs_error_prefix(err, "%s", o->study.input);
}

static int draw_failures(struct cs_rigid_case *c, struct cs_error *err)
{
    c->drawn = CS_NEW_ARRAY(c->study.arena, struct cs_sched_scenarios *, c->sets);
    if (c->options->failures)
        return read_failures(c, err);
    c->scenarios = c->failures ? 1 : scenarios_of(c);
    if (c->failures) {
        c->drawn[0] = cs_sched_scenarios_measured(&c->set[0].jobs, 1, c->failures, err);
        return c->drawn[0] ? 0 : -1;
    }
    for (int s = 0; s < c->sets; s++)
        if (draw_set(c, s, err))
            return -1;
    return 0;
}

/* Do the jobs fail as those of the trap? Then work over processors, or a job, is as long as is
 * proven; the jobs of 3-PARTITION do not fail. */
static bool case_fails_so(const struct cs_rigid_case *c, const struct cs_known *known, int scenario)
{
    const struct cs_sched_jobs *jobs = &c->set[0].jobs;
    int64_t *failures = CS_NEW_ARRAY(c->study.arena, int64_t, jobs->count);
    double work = 0, longest = 0, once = 0;

    if (cs_sched_scenarios_get(c->drawn[0], scenario, failures, NULL))
        return false;
    for (int j = 0; j < jobs->count; j++) {
        const double all = jobs->seconds[j] * ((double)failures[j] + 1);

        once += jobs->procs[j] * jobs->seconds[j];
        work += jobs->procs[j] * all;
        longest = fmax(longest, all);
    }
    if (strstr(known->text, "\"three-partition\""))
        return work <= once;
    return fabs(fmax(work / known->procs, longest) - known->at_least) <= 1e-9 * known->at_least;
}

/* An optimum holds for the failures of its trap: those of the trap itself or of a file, else none.
 */
static void case_know(struct cs_rigid_case *c, const struct cs_study_context *context)
{
    const struct cs_known *known = c->input ? c->input->known : c->known;
    bool other = isnan(c->law.mean) ? c->law.rate > 0 : c->law.mean > 0;

    if (!known)
        return;
    other |= c->sets != 1 || c->set[0].jobs.verification != 0;
    for (int s = 0; !other && s < c->scenarios; s++)
        other = !case_fails_so(c, known, s);
    if (other)
        cs_study_warn(context, "known: the optimum is that of one set of jobs with the failures of "
                               "the trap and no verification: ignored");
    else
        cs_study_know(&c->study, known, c->machine, 0, context);
}

struct cs_study *cs_rigid_case_open(const void *options, const struct cs_study_context *context,
                                    struct cs_error *err)
{
    struct cs_rigid_case *c = cs_study_create(&cs_problem_rigid, options, sizeof *c);

    c->options = options;
    c->action = context->action;
    if (c->options->arrivals) {
        if (!set_law(c, err) && !cs_rigid_arrivals_open(c, context, err))
            return &c->study;
        cs_study_close(&c->study);
        return NULL;
    }
    if (case_find_variants(c, err) || get_jobs(c, context->cache, err) || set_law(c, err) ||
        draw_failures(c, err)) {
        cs_study_close(&c->study);
        return NULL;
    }
    case_know(c, context);
    c->study.runs = c->sets ? (long)c->sets * c->scenarios : 1;
    return &c->study;
}

void cs_rigid_case_close(struct cs_study *study)
{
    struct cs_rigid_case *c = rigid_case_of(study);

    for (int s = 0; c->drawn && s < c->sets; s++)
        cs_sched_scenarios_destroy(c->drawn[s]);
    cs_sched_input_destroy(c->owned);
    cs_extpol_destroy(c->extpol);
    cs_study_close(c->queue ? &c->queue->study : NULL);
}
