/* replay_request.c - from the words of `cosched replay` to a study. */
#include "problems/queue/replay_request.h"

#include "base/bug.h"
#include "base/file.h"
#include "base/plain.h"
#include "base/source.h"
#include "base/zone.h"
#include "io/outages.h"
#include "io/stamp.h"
#include "problem/problem.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cs_replay_warn(struct cs_replay_request *r, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    cs_plain_vprint(text, sizeof text, format, args);
    va_end(args);
    if (r->warn)
        r->warn(text, r->who);
    r->warning = cs_arena_grow(r->arena, r->warning, (size_t)r->warnings, (size_t)r->warnings + 1,
                               sizeof *r->warning);
    r->warning[r->warnings++] = cs_arena_strdup(r->arena, text);
}

/* ---- input ---- */

static int copy_input(int fd, struct cs_error *err)
{
    char bytes[65536];
    ssize_t got = 1;

    while (got > 0) {
        got = read(STDIN_FILENO, bytes, sizeof bytes);
        if (got > 0 && write(fd, bytes, (size_t)got) != got)
            got = -1;
    }
    return got < 0 ? cs_error_set_as(err, CS_ERROR_SYSTEM, "standard input: cannot be copied: %s",
                                     strerror(errno))
                   : 0;
}

static int copy_drawn(int fd, const char *text, struct cs_error *err)
{
    return cs_file_put(fd, text, strlen(text))
               ? cs_error_set_as(err, CS_ERROR_SYSTEM,
                                 "the jobs that were drawn: cannot be written: %s", strerror(errno))
               : 0;
}

/* Standard input, or what was drawn, goes to a file that every row can read. */
static int replay_request_spool(struct cs_replay_request *r, struct cs_error *err)
{
    static const char name[] = "/cosched-replay-XXXXXX";
    const char *folder = getenv("TMPDIR");
    int fd, status;

    cs_plain_print(r->spool, sizeof r->spool, "%s%s",
                   folder && strlen(folder) < 32 ? folder : "/tmp", name);
    fd = mkstemp(r->spool);
    if (fd < 0) {
        r->spool[0] = '\0';
        return cs_error_set_as(err, CS_ERROR_SYSTEM,
                               "standard input: a temporary file cannot be made: %s",
                               strerror(errno));
    }
    status = r->drawn ? copy_drawn(fd, r->drawn, err) : copy_input(fd, err);
    close(fd);
    return status;
}

static int take_files(const char *const *supplied, struct cs_replay_request *r,
                      struct cs_error *err)
{
    const char **path = CS_NEW_ARRAY(r->arena, const char *, r->files + 1);

    r->path = path;
    if (r->drawn) {
        path[0] = r->spool;
        r->files = 1;
        return replay_request_spool(r, err);
    }
    for (int i = 0; i < r->files; i++) {
        path[i] = supplied[i];
        if (strcmp(path[i], "-"))
            continue;
        if (r->spool[0])
            return cs_error_set(err, "standard input: found - twice, expected once");
        if (replay_request_spool(r, err))
            return -1;
        path[i] = r->spool;
    }
    return 0;
}

/* "2025-01-31" or a time; 0 with *out unchanged for NULL. */
static int read_date(const struct cs_replay_request *r, const char *as, const char *text,
                     double *out, struct cs_error *err)
{
    char whole[80];
    int64_t seconds;

    if (!text)
        return 0;
    cs_plain_print(whole, sizeof whole, "%.60s%s", text, strlen(text) == 10 ? "T00:00:00" : "");
    if (cs_stamp_read(whole, r->zone, &seconds) <= CS_STAMP_NONE)
        return cs_error_set(err, "%s is \"%.60s\", expected a date such as 2025-01-31", as, text);
    *out = (double)seconds;
    return 0;
}

static int set_dates(struct cs_replay_request *r, struct cs_error *err)
{
    const struct cs_replay_options *o = r->options;
    struct cs_log_options *log = &r->study.log;

    if (!o->from && !o->to)
        return 0;
    if (!r->dated)
        return cs_error_set(err, "--from and --to need a log with a start time (UnixStartTime)");
    log->from = -INFINITY;
    log->to = INFINITY;
    if (read_date(r, "--from", o->from, &log->from, err) ||
        read_date(r, "--to", o->to, &log->to, err))
        return -1;
    return log->from < log->to
               ? 0
               : cs_error_set(err, "--from %.60s is not before --to %.60s", o->from, o->to);
}

/* The jobs of a month, in UTC. */
static int set_month(struct cs_replay_request *r, struct cs_error *err)
{
    struct cs_log_options *log = &r->study.log;
    int year, month;

    if (!r->options->month)
        return 0;
    if (r->options->from || r->options->to)
        return cs_error_set(err, "found month with from or to, expected one of them");
    if (cs_calendar_month(r->options->month, &year, &month, err))
        return -1;
    log->from = (double)cs_calendar_days(year, month, 1) * 86400;
    log->to = (double)cs_calendar_days(year + month / 12, month % 12 + 1, 1) * 86400;
    return 0;
}

/* ---- machine ---- */

#define MIRA 49152 /* nodes, which ALCF's logs do not state */

static int64_t machine_of(const struct cs_log *log, bool former)
{
    return former && cs_log_kind(log, 0) == CS_LOG_ALCF ? MIRA : cs_log_machine(log);
}

static int take_processors(struct cs_replay_request *r, const struct cs_log *log,
                           struct cs_error *err)
{
    const struct cs_replay_options *o = r->options;
    int64_t procs = o->procs > 0 ? o->procs : o->nodes > 0 ? o->nodes : machine_of(log, o->former);

    if (procs < 1)
        return cs_error_set(
            err, "%s: machine size is missing; give --nodes N, --procs P or --machine FILE",
            r->path[0]);
    if (procs > INT_MAX)
        return cs_error_set(err, "%s: the machine has %lld processors: give --procs P", r->path[0],
                            (long long)procs);
    r->study.log.site = cs_site_of_processors((int)procs, r->arena);
    return 0;
}

/* Each with its line; in another file with that. */
static void warn_unmodelled(struct cs_replay_request *r)
{
    const struct cs_site_file *file = r->file;
    struct cs_strbuf words = CS_STRBUF_INIT;

    for (int i = 0; i < file->unmodelled; i++) {
        const bool here = !strcmp(file->word_file[i], cs_source_name(r->options->machine));

        cs_strbuf_printf(&words, "%s%s (%s%s%ld)", i ? ", " : "", file->word[i],
                         here ? "line " : file->word_file[i], here ? "" : ":", file->word_line[i]);
    }
    if (file->unmodelled)
        cs_replay_warn(r, "%s: not modelled, and it changes scheduling: %s", r->options->machine,
                       words.text);
    cs_strbuf_release(&words);
}

/* Parts of GPUs are not tied to them. */
static void warn_gres(struct cs_replay_request *r)
{
    const struct cs_site *site = r->file->site;

    for (int k = 0; k < site->kinds; k++)
        if (!cs_plain_compare(site->kind_of_gres[k].name, "shard") ||
            !cs_plain_compare(site->kind_of_gres[k].name, "mps")) {
            cs_replay_warn(r,
                           "%s: shard and mps are counted as separate resources, not tied "
                           "to GPUs",
                           r->options->machine);
            return;
        }
}

static int take_machine(struct cs_replay_request *r, struct cs_error *err)
{
    const struct cs_replay_options *o = r->options;
    const struct cs_site_reading how = {.alloc = o->alloc, .assume_up = o->assume_up};

    r->file = cs_site_file_read(o->machine, &how, r->arena, err);
    if (!r->file)
        return -1;
    r->study.log.site = r->file->site;
    warn_unmodelled(r);
    warn_gres(r);
    if (r->file->no_real_memory)
        cs_replay_warn(r,
                       "%s: SelectTypeParameters counts memory, but no node has a "
                       "RealMemory: it is not looked at",
                       o->machine);
    return 0;
}

static void take_number(double from, double *to)
{
    if (!isnan(from))
        *to = from;
}

static const struct cs_sched_named *replay_request_named(const struct cs_site_weight *weight,
                                                         int count, struct cs_arena *arena)
{
    struct cs_sched_named *list = CS_NEW_ARRAY(arena, struct cs_sched_named, count);

    for (int i = 0; i < count; i++)
        list[i] = (struct cs_sched_named){weight[i].name, weight[i].value};
    return list;
}

static void take_priority(struct cs_replay_request *r)
{
    const struct cs_site_priority *p = &r->file->priority;
    struct cs_sched_multifactor *m = &r->multifactor;

    take_number(p->age_weight, &m->age_weight);
    take_number(p->fairshare_weight, &m->fairshare_weight);
    take_number(p->size_weight, &m->size_weight);
    take_number(p->partition_weight, &m->partition_weight);
    take_number(p->qos_weight, &m->qos_weight);
    take_number(p->max_age, &m->max_age);
    take_number(p->half_life, &m->half_life);
    take_number(p->calc_period, &m->calc_period);
    if (p->favor_small >= 0)
        m->favor_small = p->favor_small;
    if (p->classic >= 0)
        m->classic = p->classic;
    m->shares_count = p->shares;
    m->shares = replay_request_named(p->share, p->shares, r->arena);
    m->qos_count = p->qualities;
    m->qos = replay_request_named(p->quality, p->qualities, r->arena);
}

/* ---- policies ---- */

/* The backfill parameters of slurm.conf, before those of the command line. */
static const char *slurm_words(const struct cs_replay_request *r, const char *word)
{
    const struct cs_site_backfill *b = &r->file->backfill;
    const struct {
        const char *name;
        double value;
    } known[] = {{"interval", b->interval}, {"depth", b->depth},           {"queue", b->queue},
                 {"window", b->window},     {"resolution", b->resolution}, {"user", b->user}};
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *rest = strchr(word, ':'), *out;

    cs_strbuf_puts(&text, "slurm");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char supplied[32];

        cs_plain_print(supplied, sizeof supplied, "%s=", known[i].name);
        if (isnan(known[i].value) || (rest && strstr(rest, supplied)))
            continue;
        cs_strbuf_printf(&text, "%c%s=", strchr(text.text, ':') ? ',' : ':', known[i].name);
        cs_strbuf_put_double(&text, known[i].value);
    }
    if (rest)
        cs_strbuf_printf(&text, "%c%s", strchr(text.text, ':') ? ',' : ':', rest + 1);
    out = cs_arena_strdup(r->arena, text.text);
    cs_strbuf_release(&text);
    return out;
}

static int parse_policies(struct cs_replay_request *r, struct cs_policy_call **call,
                          const char *const **word, const char *const **shown, struct cs_error *err)
{
    static const struct cs_problem_choice policies = {"policy", "policies", cs_sched_policies};
    const struct cs_problem_choice *choice = &policies;
    const char *text = r->options->policy ? r->options->policy : "easy";
    struct cs_strbuf all = CS_STRBUF_INIT;
    int count = cs_study_policies(choice, text, 0, r->arena, call, word, err);

    *shown = *word;
    if (count < 0 || !r->file || !r->file->slurm)
        return count;
    for (int p = 0; p < count; p++) {
        const bool slurm =
            cs_plain_begins((*word)[p], "slurm") && ((*word)[p][5] == '\0' || (*word)[p][5] == ':');

        cs_strbuf_printf(&all, "%s%s", p ? "," : "",
                         slurm ? slurm_words(r, (*word)[p]) : (*word)[p]);
    }
    count = cs_study_policies(choice, cs_arena_strdup(r->arena, all.text), 0, r->arena, call, word,
                              err);
    cs_strbuf_release(&all);
    return count;
}

/* "wfp3,fcfs" one after the other; the next begins at *at. */
static bool next_word(const char **at, char *word, size_t size)
{
    size_t length = 0;

    *at += strspn(*at, ", ");
    length = strcspn(*at, ", ");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    return true;
}

/* Add one variant for each further scenario of the last variant. */
static void add_scenarios(struct cs_replay_request *r, struct cs_queue_log_variant *variant,
                          const char **shown)
{
    for (int scenario = 1; scenario < r->scenarios; scenario++) {
        const int w = r->study.variants++;

        variant[w] = variant[w - 1];
        variant[w].scenario = scenario;
        shown[w] = shown[w - 1];
    }
}

/* A priority of batches by its formula there, which the draws and the verification are part of. */
static const struct cs_sched_urgency *former_priority(const char *name, struct cs_arena *arena)
{
    struct cs_error none = {0};
    const struct cs_sched_priority *batch = cs_sched_priority_find(name, &none);
    struct cs_sched_urgency *urgency;

    if (!batch || batch->learns)
        return NULL;
    urgency = CS_NEW(arena, struct cs_sched_urgency);
    urgency->name = batch->name;
    return urgency;
}

static int add_variant(const struct cs_replay_request *r, struct cs_queue_log_variant *variant,
                       const char *policy, const struct cs_policy_call *call, const char *priority,
                       struct cs_error *err)
{
    const struct cs_sched_urgency *former =
        r->options->former ? former_priority(priority, r->arena) : NULL;

    variant->policy = policy;
    variant->op.policy = cs_sched_policy_at(call->policy);
    variant->op.param = call->param;
    variant->op.priority = former ? former : cs_sched_urgency_find(priority, err);
    variant->priority = variant->op.priority ? variant->op.priority->name : NULL;
    return variant->op.priority ? 0 : cs_error_prefix(err, "--priority");
}

/* Without --priority: fcfs, and slurm's own for slurm where the file has it. */
static const char *usual_priority(const struct cs_replay_request *r, const char *policy)
{
    const bool slurm = cs_plain_begins(policy, "slurm") && r->file && r->file->priority.multifactor;

    return slurm ? "slurm" : "fcfs";
}

static int take_variants(struct cs_replay_request *r, struct cs_error *err)
{
    struct cs_policy_call *call;
    const char *const *word, *const *shown, *priorities = r->options->priority, **name_of;
    struct cs_queue_log_variant *variant;
    int count = parse_policies(r, &call, &word, &shown, err), most, policies;

    if (count < 0)
        return -1;
    if (priorities && (!*priorities || priorities[strlen(priorities) - 1] == ','))
        return cs_error_set(err, "--priority: there is no priority \"\"");
    r->extpol = cs_extpol_create(r->options->program, r->options->patience);
    cs_extpol_attach(r->extpol, cs_sched_policies(&policies), call, count);
    most = (priorities ? (int)strlen(priorities) : 1) * r->scenarios;
    variant = CS_NEW_ARRAY(r->arena, struct cs_queue_log_variant, (size_t)count * (size_t)most);
    r->shown = name_of = CS_NEW_ARRAY(r->arena, const char *, (size_t)count *(size_t)most);
    for (int p = 0; p < count; p++) {
        const char *at = priorities ? priorities : usual_priority(r, word[p]);
        char name[64];

        while (next_word(&at, name, sizeof name)) {
            name_of[r->study.variants] = shown[p];
            if (add_variant(r, &variant[r->study.variants++], word[p], &call[p], name, err))
                return -1;
            add_scenarios(r, variant, name_of);
        }
        if (*at)
            return cs_error_set(err, "--priority: there is no priority \"%.80s\"", at);
    }
    r->study.variant = variant;
    return 0;
}

/* ---- tables ---- */

static int take_tables(struct cs_replay_request *r, struct cs_error *err)
{
    const char *at = r->options->by;
    char word[64];

    while (at && next_word(&at, word, sizeof word)) {
        int by = cs_choice_index(CS_QUEUE_BY_WORDS, word);

        if (by < 0)
            return cs_choice_error("--by", word, CS_QUEUE_BY_WORDS, err);
        r->by |= 1U << by;
    }
    r->study.by = r->by;
    if (r->options->full)
        r->study.by |= (1U << CS_QUEUE_BYS) - 1 - (1U << CS_QUEUE_BY_DAY);
    r->study.recorded_by = r->file ? 0 : 1U << CS_QUEUE_BY_PARTITION;
    return 0;
}

/* ---- all of it ---- */

/* Read the beginnings of the logs: kind, dates, time zone and machine. */
static int inspect_logs(struct cs_replay_request *r, struct cs_error *err)
{
    struct cs_log *log = cs_log_open(r->path, r->files, &r->study.log, err);
    int status;

    if (!log)
        return -1;
    r->kind = cs_log_kind(log, 0);
    r->dated = cs_log_dated(log);
    r->epoch = cs_log_epoch(log);
    if (!r->zone && cs_log_zone(log)) {
        struct cs_error none = {0};

        r->zone = cs_zone_open(cs_log_zone(log), &none);
        r->study.log.zone = r->zone;
        r->zone_name = r->zone ? cs_arena_strdup(r->arena, cs_log_zone(log)) : NULL;
    }
    status = r->options->machine ? take_machine(r, err) : take_processors(r, log, err);
    cs_log_close(log);
    return status;
}

/* Read the logs once for the values that need a full pass: the last arrival, which a cooldown
 * counts from, the number of jobs, some of which are sampled for their fair starts, and their mean
 * area. */
static int find_lookahead(struct cs_replay_request *r, struct cs_error *err)
{
    const int64_t fairness = r->options->fairness;
    struct cs_log *log;
    struct cs_log_job job;
    const double mean = r->options->mean;
    int64_t jobs = 0;
    double area = 0;
    int status;

    if (!(r->study.window.cooldown > 0) && !fairness && !(mean > 0) && !r->options->failures)
        return 0;
    log = cs_log_open(r->path, r->files, &r->study.log, err);
    if (!log)
        return -1;
    for (; (status = cs_log_next(log, &job, err)) > 0; jobs++) {
        r->study.window.last = job.submit;
        area += job.seconds * (double)job.procs;
        cs_log_done(log, &job);
    }
    cs_log_close(log);
    r->study.failing = jobs;
    if (mean > 0 && jobs)
        r->study.error_rate = -log1p(-mean) / (area / (double)jobs);
    r->study.op.fair = fairness && jobs ? (jobs + fairness - 1) / fairness : 0;
    return status;
}

/* A file gives the number of scenarios and the failures of each job in them. */
static int read_failures(struct cs_replay_request *r, struct cs_error *err)
{
    const struct cs_replay_options *o = r->options;
    const int wanted = o->scenarios == CS_PARAM_NONE ? 0 : (int)o->scenarios;

    r->scenarios = wanted ? wanted : 1;
    if (!o->failures)
        return 0;
    if (cs_queue_log_study_read_failures(&r->study, o->failures, r->arena, &r->scenarios, err))
        return -1;
    if (wanted > r->scenarios)
        return cs_error_set(err, "%s: found %d scenarios, expected %d", o->failures, r->scenarios,
                            wanted);
    r->scenarios = wanted ? wanted : r->scenarios;
    return 0;
}

/* ---- sets ---- */

static bool has_sets(const struct cs_replay_options *o)
{
    return o->by_day || o->day > 0 || o->by_count > 0 || o->sequences > 0 || o->bound >= 0;
}

static void *sets_read(const void *how, struct cs_error *err)
{
    return cs_queue_sets_read(how, err);
}

static void sets_destroy(void *sets)
{
    cs_queue_sets_destroy(sets);
}

/* Standard input and jobs that were drawn are read each time: the next file may have the name. */
static int get_sets(struct cs_replay_request *r, struct cs_error *err)
{
    static const struct cs_cache_kind kind = {"sets", sets_read, sets_destroy};
    static const struct cs_cache_kind former = {"former sets", sets_read, sets_destroy};
    const struct cs_replay_options *o = r->options;
    const struct cs_queue_sets_options how = {
        .path = r->path,
        .files = r->files,
        .log = &r->study.log,
        .verification = r->study.op.verification,
        .by_day = o->by_day || o->day > 0,
        .count = o->by_count,
        .sequences = o->sequences,
        .length = o->length,
        .seed = (uint64_t)o->seed,
        .by_id = o->former,
    };
    const struct cs_queue_sets *sets;

    if (r->cache && !r->spool[0] && o->sequences < 1)
        sets = cs_cache_get_by(r->cache, r->by_options, o->former ? &former : &kind, &how, err);
    else
        sets = r->own_sets = cs_queue_sets_read(&how, err);
    if (!sets)
        return -1;
    if (o->day > sets->count && !o->former)
        return cs_error_set(err, "%s: there is no day %lld: %d days have jobs", r->path[0],
                            (long long)o->day, sets->count);
    r->cut.log = sets->log;
    r->cut.set = sets->set;
    r->cut.sets = sets->count;
    if (o->day > 0) {
        r->cut.sets = o->day <= sets->count;
        r->cut.set += r->cut.sets ? o->day - 1 : 0;
    }
    r->cut.fairness = o->fairness;
    r->cut.strong = o->bound == 1;
    r->study.cut = &r->cut;
    return 0;
}

static int read_set_failures(struct cs_replay_request *r, struct cs_error *err)
{
    const struct cs_replay_options *o = r->options;
    struct cs_sched_scenarios *drawn;

    if (r->cut.sets != 1)
        return cs_error_set(err, "--failures is for one set of jobs, not for the %d sets of %s",
                            r->cut.sets, r->path[0]);
    drawn = r->drawn_of[0] = cs_sched_scenarios_read(&r->cut.set[0].jobs, o->failures, err);
    if (!drawn)
        return -1;
    if (o->scenarios > drawn->count)
        return cs_error_set(err, "%s: found %d scenarios, expected %d", o->failures, drawn->count,
                            (int)o->scenarios);
    if (o->scenarios > 0)
        drawn->count = (int)o->scenarios;
    drawn->seed = (uint64_t)o->seed;
    drawn->set = (uint64_t)(o->set + (o->day > 0 ? o->day - 1 : 0));
    r->scenarios = drawn->count;
    return 0;
}

/* The number of the set separates its draws from those of the others. */
static int draw_set(struct cs_replay_request *r, int s, struct cs_error *err)
{
    const struct cs_replay_options *o = r->options;
    const struct cs_queue_set *set = &r->cut.set[s];
    const struct cs_sched_law law = {.mean = !isnan(o->mean)  ? o->mean
                                             : isnan(o->mtbe) ? 0
                                                              : NAN,
                                     .rate = isnan(o->mtbe) ? 0 : 1 / o->mtbe};
    const int64_t number = o->set + (o->day > 0 ? o->day - 1 : 0) + s;

    r->drawn_of[s] = cs_sched_scenarios_create(&set->jobs, law, (uint64_t)o->seed, (uint64_t)number,
                                               r->scenarios, r->lenient ? NULL : err);
    if (r->drawn_of[s])
        return 0;
    r->left_out++;
    if (r->lenient)
        return 0;
    return *set->name ? cs_error_prefix(err, "%s, %s", r->path[0], set->name)
                      : cs_error_prefix(err, "%s", r->path[0]);
}

static int take_sets(struct cs_replay_request *r, struct cs_error *err)
{
    if (get_sets(r, err))
        return -1;
    r->drawn_of = CS_NEW_ARRAY(r->arena, struct cs_sched_scenarios *, r->cut.sets);
    r->cut.drawn = r->drawn_of;
    r->scenarios = r->options->scenarios > 0 ? (int)r->options->scenarios : 1;
    if (r->options->failures)
        return read_set_failures(r, err);
    for (int s = 0; s < r->cut.sets; s++)
        if (draw_set(r, s, err))
            return -1;
    return 0;
}

static int check_sets(const struct cs_replay_options *o, struct cs_error *err)
{
    if ((o->by_day || o->day > 0) && o->by_count > 0)
        return cs_error_set(err, "--by-day and --by-count both cut the log: give one of them");
    if (o->sequences > 0 && (o->by_day || o->day > 0 || o->by_count > 0))
        return cs_error_set(err, "--sequences and --by-day, --day or --by-count all cut the log: "
                                 "give one of them");
    if ((o->by || o->report) && has_sets(o))
        return cs_error_set(err, "--%s is for one run of the log, not for sets or bounds of it",
                            o->by ? "by" : "report");
    return 0;
}

static int check_errors(const struct cs_replay_options *o, struct cs_error *err)
{
    if (!isnan(o->mean) + !isnan(o->mtbe) + (o->failures != NULL) > 1)
        return cs_error_set(err, "--mean-failure-probability, --mtbe, --failures: found several, "
                                 "expected one of them");
    return o->mean >= 1
               ? cs_error_set(err, "--mean-failure-probability is %g, it must be below 1", o->mean)
               : 0;
}

static int take_errors(struct cs_replay_request *r, struct cs_error *err)
{
    const struct cs_replay_options *o = r->options;

    if (check_errors(o, err))
        return -1;
    r->study.error_rate = o->mtbe > 0 ? 1 / o->mtbe : 0;
    r->study.seed = (uint64_t)o->seed;
    r->study.set = (uint64_t)o->set;
    r->study.op.verification = isnan(o->verification) ? 0 : o->verification;
    return 0;
}

static void take_rules(struct cs_replay_request *r)
{
    const struct cs_replay_options *o = r->options;
    struct cs_queue_operation *op = &r->study.op;
    const bool own_grace = r->file && !isnan(r->file->grace) && isnan(o->grace);

    op->notify = (enum cs_queue_notify)o->estimates;
    op->overrun = (enum cs_queue_overrun)o->overrun;
    op->grace = own_grace ? r->file->grace : isnan(o->grace) ? 0 : o->grace;
    op->default_request = isnan(o->default_request) ? 0 : o->default_request;
    op->user_jobs = o->user_jobs == CS_PARAM_NONE ? 0 : o->user_jobs;
    op->user_procs = o->user_procs == CS_PARAM_NONE ? 0 : o->user_procs;
    op->multifactor = &r->multifactor;
    op->sets = o->jobs || o->keep || o->keep_jobs;
    r->study.window.warmup = o->warmup;
    r->study.window.cooldown = o->cooldown;
}

static void take_log_options(struct cs_replay_request *r)
{
    const struct cs_replay_options *o = r->options;
    struct cs_log_options *log = &r->study.log;

    log->zone = r->zone;
    log->by_submit = o->arrive == 1;
    log->by_queue = o->partition_field == 1;
    log->every = o->sequences > 0;
    log->unit = o->unit >= 0   ? (enum cs_log_unit)(o->unit + 1)
                : o->nodes > 0 ? CS_LOG_NODES
                               : CS_LOG_UNIT_DEFAULT;
    log->lookahead = (long)o->lookahead;
    log->strict = o->strict;
    log->spool = r->spool[0] ? r->spool : NULL;
}

/* Tables of jobs and schedules distinguish policies and priorities, not scenarios. */
static int check_variants(const struct cs_replay_request *r, struct cs_error *err)
{
    const struct cs_replay_options *o = r->options;
    const char *one = o->keep ? o->keep : o->jobs_format > 0 ? "jobs-format batsim" : NULL;

    if (one && r->study.variants > 1)
        return cs_error_set(err,
                            "--%s is for one policy, one priority and one scenario, not for %d "
                            "rows",
                            one, r->study.variants);
    if (o->jobs && r->scenarios > 1)
        return cs_error_set(err, "--jobs is for one scenario, not for %d", r->scenarios);
    return 0;
}

/* The machine must be given by at most one option. */
static int check_machine(const struct cs_replay_options *o, struct cs_error *err)
{
    const char *first = o->procs > 0 ? "--procs" : "--nodes";
    const char *second = o->machine ? "--machine" : "--nodes";

    if ((o->procs > 0) + (o->nodes > 0) + (o->machine != NULL) > 1)
        return cs_error_set(err, "found the machine size in %s and %s, expected one of them", first,
                            second);
    if (o->nodes > 0 && o->unit == 0)
        return cs_error_set(err,
                            "--nodes counts nodes, --unit cpus does not: give --procs instead");
    return 0;
}

int cs_replay_check(const struct cs_replay_options *options, struct cs_error *err)
{
    return check_machine(options, err) || check_errors(options, err) || check_sets(options, err)
               ? -1
               : 0;
}

int cs_replay_prepare(const char *const *path, int files, const struct cs_replay_options *options,
                      struct cs_replay_request *r, struct cs_error *err)
{
    *r = (struct cs_replay_request){
        .options = options,
        .files = files,
        .arena = r->arena,
        .drawn = r->drawn,
        .cache = r->cache,
        .by_options = r->by_options,
        .lenient = r->lenient,
        .warn = r->warn,
        .who = r->who,
        .zone_name = options->zone,
        .multifactor = cs_sched_multifactor_default(),
    };
    if (check_machine(options, err))
        return -1;
    if (options->program && options->fairness)
        return cs_error_set(err, "--fairness goes back in time, which --policy-program cannot");
    if (options->zone && !(r->zone = cs_zone_open(options->zone, err)))
        return -1;
    if (take_files(path, r, err))
        return -1;
    take_log_options(r);
    if (inspect_logs(r, err) || set_dates(r, err) || set_month(r, err))
        return -1;
    if (r->file)
        take_priority(r);
    take_rules(r);
    if (take_errors(r, err))
        return -1;
    if (options->outages &&
        cs_outages_read(options->outages, r->study.log.site, r->zone, -(double)r->epoch, r->arena,
                        &r->study.op.outage, &r->study.op.outages, err))
        return -1;
    r->study.path = r->path;
    r->study.files = r->files;
    r->study.table = options->jobs;
    r->study.keep = options->keep != NULL;
    r->study.jobs = options->keep_jobs;
    r->study.form = (enum cs_queue_table_form)options->jobs_format;
    r->study.csv_safe = options->csv_safe;
    r->study.series = options->full;
    r->study.threads = (int)options->threads;
    if (has_sets(options) ? take_sets(r, err) : (find_lookahead(r, err) || read_failures(r, err)))
        return -1;
    return take_tables(r, err) || take_variants(r, err) || check_variants(r, err) ? -1 : 0;
}

void cs_replay_discard(struct cs_replay_request *r)
{
    if (r->spool[0])
        unlink(r->spool);
}

void cs_replay_release(struct cs_replay_request *r)
{
    for (int s = 0; r->drawn_of && s < r->cut.sets; s++)
        cs_sched_scenarios_destroy(r->drawn_of[s]);
    cs_queue_sets_destroy(r->own_sets);
    cs_replay_discard(r);
    cs_zone_destroy(r->zone);
    cs_extpol_destroy(r->extpol);
}
