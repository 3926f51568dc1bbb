/* ptg.c - graphs, a platform and strategies, as the command line has them; their plans. */
#include "cli/ptg.h"

#include "base/lines.h"
#include "base/number.h"
#include "base/seconds.h"
#include "cli/base/output.h"
#include "cli/base/progress.h"
#include "ptg/strategy.h"
#include "study/words.h"

#include <math.h>
#include <string.h>

#define SITE "grid5000"

static double real_or(const struct cs_arguments *args, const char *name, double fallback)
{
    return cs_arguments_given(args, name) ? cs_arguments_real(args, name) : fallback;
}

static int read_platform(struct cs_ptg_job *job, struct cs_error *err)
{
    const char *text = cs_arguments_text(job->args, "platform");

    job->platform = strncmp(text, SITE, strlen(SITE)) || strpbrk(text, "./")
                        ? cs_platform_read(text, err)
                        : cs_platform_site(text, err);
    if (!job->platform)
        return -1;
    for (int k = 0; k < job->platform->clusters; k++)
        if (!(job->platform->cluster[k].speed > 0))
            return cs_error_set(err, "%s: cluster %.60s has no speed: task graphs need flop/s",
                                text, job->platform->cluster[k].name);
    return 0;
}

/* "0.1", or "0:0.25" to draw from. */
static int read_alpha(const char *text, struct cs_graph_reading *how, struct cs_error *err)
{
    const char *colon = strchr(text, ':');
    struct cs_strbuf low = CS_STRBUF_INIT;
    bool fine;

    cs_strbuf_append(&low, text, colon ? (size_t)(colon - text) : strlen(text));
    fine = cs_number_double(low.text, &how->alpha) == CS_NUMBER_FINE;
    how->alpha_high = how->alpha;
    fine = fine && (!colon || cs_number_double(colon + 1, &how->alpha_high) == CS_NUMBER_FINE);
    fine = fine && how->alpha >= 0 && how->alpha <= how->alpha_high && how->alpha_high <= 1;
    cs_strbuf_release(&low);
    return fine ? 0
                : cs_error_set(err,
                               "--alpha: found \"%.60s\", expected a number from 0 to 1, or two "
                               "with a colon between, such as 0:0.25",
                               text);
}

static int read_graphs(struct cs_ptg_job *job, struct cs_error *err)
{
    const struct cs_arguments *args = job->args;
    struct cs_graph_reading how = {.seed = (uint64_t)cs_arguments_integer(args, "seed")};
    double slowest = INFINITY;

    for (int k = 0; k < job->platform->clusters; k++)
        slowest = fmin(slowest, job->platform->cluster[k].speed);
    how.speed = real_or(args, "speed", slowest);
    if (read_alpha(cs_arguments_text(args, "alpha"), &how, err))
        return -1;
    for (int i = 0; i < args->operands; i++, how.seed++)
        if (cs_graph_list_read(&job->list, cs_arguments_operand(args, i), &how, err))
            return -1;
    return 0;
}

/* Release times. */

static double *times_from_text(struct cs_ptg_job *job, const char *text, int *count,
                               struct cs_error *err)
{
    struct cs_words list = cs_words_split(text, job->arena);
    double *time = CS_NEW_ARRAY(job->arena, double, list.count);

    *count = list.count;
    for (int i = 0; i < list.count; i++)
        if (cs_seconds_parse(list.name[i], &time[i])) {
            cs_error_set(err, "found \"%.60s\", expected a time such as 90, 1.5, 30s or 2m",
                         list.name[i]);
            return NULL;
        }
    return time;
}

/* A list with commas, or one time; else a file. */
static bool is_list(const char *text)
{
    double ignored;

    return strchr(text, ',') || cs_seconds_parse(text, &ignored) == 0;
}

static int times_from_lines(struct cs_ptg_job *job, struct cs_lines *lines, double *time,
                            int *count, struct cs_error *err)
{
    char *line;
    size_t length;
    int more;

    while ((more = cs_lines_next(lines, &line, &length, err)) > 0) {
        while (length > 0 && strchr(" \t", line[length - 1]))
            line[--length] = '\0';
        line += strspn(line, " \t");
        if (!*line || *line == '#')
            continue;
        if (*count == job->list.graphs)
            return cs_lines_error(lines, err, "there are more times than the %d graphs",
                                  job->list.graphs);
        if (cs_seconds_parse(line, &time[*count]))
            return cs_lines_error(
                lines, err, "found \"%.60s\", expected a time such as 90, 1.5, 30s or 2m", line);
        (*count)++;
    }
    return more;
}

static double *times_from_file(struct cs_ptg_job *job, const char *path, int *count,
                               struct cs_error *err)
{
    struct cs_lines *lines = cs_lines_open(path, err);
    double *time = CS_NEW_ARRAY(job->arena, double, job->list.graphs);
    int status;

    *count = 0;
    if (!lines)
        return NULL;
    status = times_from_lines(job, lines, time, count, err);
    cs_lines_close(lines);
    return status ? NULL : time;
}

static int read_release(struct cs_ptg_job *job, struct cs_error *err)
{
    const char *text = cs_arguments_text(job->args, "release");
    double *time;
    int count;

    if (!text)
        return 0;
    time = is_list(text) ? times_from_text(job, text, &count, err)
                         : times_from_file(job, text, &count, err);
    if (!time)
        return cs_error_prefix(err, "--release");
    if (count != job->list.graphs)
        return cs_error_set(err, "--release: found %d times, expected one for each of %d graphs",
                            count, job->list.graphs);
    job->release = time;
    return 0;
}

static void read_options(struct cs_ptg_job *job)
{
    const struct cs_arguments *args = job->args;
    struct cs_ptg_options options = CS_PTG_OPTIONS;

    options.procedure = (enum cs_ptg_procedure)cs_arguments_choice(args, "allocation");
    options.gain = (enum cs_ptg_gain)cs_arguments_choice(args, "gain");
    options.reference = (enum cs_ptg_reference_speed)cs_arguments_choice(args, "reference");
    options.cap = (enum cs_ptg_cap)cs_arguments_choice(args, "largest");
    options.order = (enum cs_ptg_order)cs_arguments_choice(args, "order");
    options.network =
        cs_arguments_choice(args, "network") ? CS_PTG_NETWORK_PLAIN : CS_PTG_NETWORK_FAN;
    options.pack = cs_arguments_choice(args, "packing") == 0;
    options.efficiency = cs_arguments_real(args, "efficiency");
    options.batch = real_or(args, "batch", CS_PTG_BATCH_AUTO);
    job->mode = cs_arguments_given(args, "online")
                    ? (enum cs_ptg_mode)(CS_PTG_FIXED + cs_arguments_choice(args, "online"))
                    : CS_PTG_OFFLINE;
    options.late_transfer = job->mode != CS_PTG_OFFLINE;
    job->replay = cs_arguments_given(args, "replay");
    job->options = options;
}

/* Strategies. */

static const char *strategy_text(const struct cs_arguments *args)
{
    const char *text = cs_arguments_text(args, "strategy");

    if (text)
        return text;
    return cs_arguments_given(args, "online") || cs_arguments_given(args, "mu") ? "wps-width"
                                                                                : "portfolio";
}

bool cs_ptg_job_several(const struct cs_arguments *args)
{
    const char *text = strategy_text(args);

    return !strcmp(text, "all") || cs_words_count(text) > 1;
}

/* --mu for the strategies that weigh equal shares against others; does this one? */
static bool set_mu(const struct cs_ptg_job *job, struct cs_policy_call *call)
{
    int count;
    const struct cs_policy *policy = cs_ptg_policies(&count)[call->policy];

    if (strncmp(policy->name, "wps-", 4))
        return false;
    for (int p = 0; policy->params[p].name; p++)
        if (!strcmp(policy->params[p].name, "mu"))
            call->param[p] = cs_arguments_real(job->args, "mu");
    return true;
}

/* All of them; while graphs arrive, all but those that need all graphs at once. */
static struct cs_words all_strategies(const struct cs_ptg_job *job)
{
    int count, kept = 0;
    const struct cs_ptg_strategy *const *list = cs_ptg_strategies(&count);
    const char **name = CS_NEW_ARRAY(job->arena, const char *, count);

    for (int i = 0; i < count; i++)
        if (job->mode == CS_PTG_OFFLINE || !list[i]->plan || list[i]->arrivals)
            name[kept++] = list[i]->info.name;
    return (struct cs_words){kept, name};
}

static int find_ways(struct cs_ptg_job *job, struct cs_error *err)
{
    const char *text = strategy_text(job->args);
    struct cs_words chosen =
        strcmp(text, "all") ? cs_words_split(text, job->arena) : all_strategies(job);
    bool mu = cs_arguments_given(job->args, "mu"), used = false;
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    job->way = CS_NEW_ARRAY(job->arena, struct cs_ptg_way, chosen.count);
    for (int i = 0; i < chosen.count; i++) {
        struct cs_ptg_way *way = &job->way[job->ways++];

        way->name = chosen.name[i];
        way->request = (struct cs_ptg_request){.options = &job->options, .mode = job->mode};
        if (cs_policy_parse(way->name, list, count, &way->request.call, err))
            return -1;
        used |= mu && set_mu(job, &way->request.call);
    }
    if (mu && !used)
        return cs_error_set(err, "--mu is for the wps strategies, and --strategy %s names none",
                            text);
    return 0;
}

/* A graph whose tasks are all sequential gains nothing from a share. */
static void warn_sequential(const struct cs_ptg_job *job)
{
    for (int g = 0; g < job->list.graphs; g++)
        for (int v = 0; v < job->list.graph[g]->tasks; v++)
            if (job->list.graph[g]->task[v].alpha < 1)
                return;
    cs_output_warn(
        "all tasks are sequential (alpha is 1), so each runs on one processor whatever "
        "the strategy; --alpha says which part of workflows' tasks does not parallelise");
}

int cs_ptg_job_read(struct cs_ptg_job *job, struct cs_error *err)
{
    read_options(job);
    if (read_platform(job, err) || read_graphs(job, err) || read_release(job, err) ||
        find_ways(job, err))
        return -1;
    job->instance =
        cs_ptg_instance_create(job->platform, job->list.graphs,
                               (const struct cs_graph *const *)job->list.graph, job->release, err);
    if (!job->instance ||
        cs_ptg_instance_limit(job->instance,
                              (enum cs_ptg_cores)cs_arguments_choice(job->args, "cores"), err))
        return -1;
    warn_sequential(job);
    return 0;
}

/* Plans. */

/* NULL with err. */
static struct cs_ptg_plan *replay(const struct cs_ptg_job *job, const struct cs_ptg_plan *plan,
                                  struct cs_error *err)
{
    return cs_arguments_choice(job->args, "replay")
               ? cs_ptg_replay_simgrid(job->instance, plan, err)
               : cs_ptg_replay_fluid(job->instance, plan);
}

struct own {
    double *planned, *contended;
};

/* A plan of a single graph with the whole platform is the plan of that graph alone: large ones need
 * not be planned twice.  1 when it was, 0 when it is another, -1 with err. */
static int try_single(struct cs_ptg_job *job, struct cs_ptg_way *way, struct own *own,
                      struct cs_error *err)
{
    if (job->list.graphs > 1 || job->release || job->mode != CS_PTG_OFFLINE)
        return 0;
    way->plan = cs_ptg_plan_make(job->instance, &way->request, err);
    if (!way->plan)
        return -1;
    if (way->plan->beta[0] < 1)
        return 0;
    own->planned[0] = way->plan->makespan;
    if (job->replay) {
        way->replayed = replay(job, way->plan, err);
        if (!way->replayed)
            return -1;
        own->contended[0] = way->replayed->makespan;
    }
    return 1;
}

/* Makespans alone: those of the shares are the same for all of these. */
static int find_own(struct cs_ptg_job *job, struct cs_ptg_way *way, struct cs_error *err)
{
    int count, single;
    bool shared = !cs_ptg_strategies(&count)[way->request.call.policy]->itself;
    struct own own = {CS_NEW_ARRAY(job->arena, double, job->list.graphs),
                      CS_NEW_ARRAY(job->arena, double, job->list.graphs)};

    if (shared && job->own) {
        own = (struct own){job->own, job->own_contended};
    } else {
        single = try_single(job, way, &own, err);
        if (single < 0 ||
            (single == 0 && (cs_ptg_own_by(job->instance, &way->request, false, own.planned, err) ||
                             (job->replay && cs_ptg_own_by(job->instance, &way->request, true,
                                                           own.contended, err)))))
            return -1;
    }
    if (shared) {
        job->own = own.planned;
        job->own_contended = own.contended;
    }
    way->own = own.planned;
    way->own_contended = own.contended;
    way->request.own = shared ? own.planned : NULL;
    return 0;
}

static int run_way(struct cs_ptg_job *job, struct cs_ptg_way *way, struct cs_error *err)
{
    if (find_own(job, way, err))
        return -1;
    if (!way->plan)
        way->plan = cs_ptg_plan_make(job->instance, &way->request, err);
    if (!way->plan)
        return -1;
    way->metrics = cs_ptg_metrics_create(job->instance, way->plan, way->own);
    if (job->replay) {
        if (!way->replayed)
            way->replayed = replay(job, way->plan, err);
        if (!way->replayed)
            return -1;
        way->contended = cs_ptg_metrics_create(job->instance, way->replayed, way->own_contended);
    }
    return 0;
}

static int run_ways(struct cs_ptg_job *job, struct cs_error *err)
{
    struct cs_progress bar = cs_progress_begin(job->ways);
    int status = 0;

    for (int w = 0; w < job->ways && !status; w++) {
        status = run_way(job, &job->way[w], err);
        cs_progress_show(&bar, w + 1);
    }
    cs_progress_end(&bar);
    return status;
}

/* The schedule names its tasks GRAPH/TASK, with graphs told apart. */
static const char *const *labels_of(const struct cs_ptg_job *job, const struct cs_ptg_plan *plan)
{
    struct cs_schedule *schedule = cs_ptg_schedule(job->instance, plan);
    const char **label = CS_NEW_ARRAY(job->arena, const char *, plan->graphs);

    for (int g = 0; g < plan->graphs; g++) {
        const char *name = cs_schedule_task_name(schedule, plan->first[g]);

        label[g] = cs_arena_strndup(job->arena, name, strcspn(name, "/"));
    }
    cs_schedule_destroy(schedule);
    return label;
}

int cs_ptg_job_run(struct cs_ptg_job *job, struct cs_error *err)
{
    cs_ptg_bounds_compute(job->instance, &job->bounds);
    if (run_ways(job, err))
        return -1;
    job->label = labels_of(job, job->way[0].plan);
    return 0;
}

double cs_ptg_job_gap(const struct cs_ptg_job *job, double makespan)
{
    return job->bounds.window > 0 ? makespan / job->bounds.window - 1 : NAN;
}

void cs_ptg_job_release(struct cs_ptg_job *job)
{
    for (int w = 0; w < job->ways; w++) {
        cs_ptg_metrics_destroy(job->way[w].metrics);
        cs_ptg_metrics_destroy(job->way[w].contended);
        cs_ptg_plan_destroy(job->way[w].plan);
        cs_ptg_plan_destroy(job->way[w].replayed);
    }
    cs_ptg_instance_destroy(job->instance);
    cs_graph_list_release(&job->list);
    cs_platform_destroy(job->platform);
}
