/* log_study.c - rows shared out over threads; tables of jobs put together in the end. */
#include "problems/queue/log_study.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/source.h"
#include "base/vector.h"
#include "io/jobs_csv.h"
#include "io/names.h"
#include "model/procset.h"
#include "problems/queue/joules.h"
#include "problems/queue/measures.h"
#include "sched/bound.h"
#include "sched/scenarios.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* integrals spread over the bins that a stretch of time touches. */

/* `epoch`: the Unix time of 0 on the log's clock. */
static struct cs_queue_series *queue_series_create(int64_t epoch, const struct cs_zone *zone)
{
    struct cs_queue_series *s = cs_block_zero(1, sizeof *s);

    s->epoch = epoch;
    s->zone = zone;
    return s;
}

static void queue_series_destroy(struct cs_queue_series *s)
{
    cs_block_free(s);
}

static void log_study_add(struct cs_queue_bin *to, const struct cs_queue_bin *from)
{
    to->used += from->used;
    to->queue += from->queue;
    to->work += from->work;
    to->arrivals += from->arrivals;
    to->starts += from->starts;
    to->measured += from->measured;
    to->wait += from->wait;
}

static void log_study_join(struct cs_queue_series *s)
{
    const int count = (s->count + 1) / 2;

    for (int i = 0; i < count; i++) {
        struct cs_queue_bin sum = s->bin[2 * i];

        if (2 * i + 1 < s->count)
            log_study_add(&sum, &s->bin[2 * i + 1]);
        s->bin[i] = sum;
    }
    memset(s->bin + count, 0, (size_t)(CS_QUEUE_BINS - count) * sizeof *s->bin);
    s->count = count;
    s->length *= 2;
}

/* Join bins until they are as long as `length` (a power of two hours), so that several series have
 * the same. */
static void queue_series_widen(struct cs_queue_series *s, double length)
{
    while (s->count && s->length < length)
        log_study_join(s);
}

static struct cs_queue_bin *bin_at(struct cs_queue_series *s, double time)
{
    int64_t at;

    while ((time - s->origin) / s->length >= CS_QUEUE_BINS)
        log_study_join(s);
    at = (int64_t)fmax(0, floor((time - s->origin) / s->length));
    if (at >= s->count)
        s->count = (int)at + 1;
    return &s->bin[at];
}

static void log_study_spread(struct cs_queue_series *s, double from, double to)
{
    while (from < to) {
        struct cs_queue_bin *bin = bin_at(s, from);
        const double end = s->origin + s->length * (double)(bin - s->bin + 1);
        const double time = fmin(to, end) - from;

        if (!(time > 0))
            break;
        bin->used += s->used * time;
        bin->queue += (double)s->queue * time;
        bin->work += s->work * time;
        from = fmin(to, end);
    }
}

static void log_study_advance(struct cs_queue_series *s, double now)
{
    if (now > s->now && (s->used > 0 || s->queue > 0)) {
        bin_at(s, now);
        log_study_spread(s, s->now, now);
    }
    s->now = now;
}

static void series_begin(struct cs_queue_series *s, double now)
{
    const int64_t unix_time = s->epoch + (int64_t)floor(now);
    const int64_t local = unix_time + cs_zone_offset(s->zone, unix_time);

    s->origin = floor(now) - (double)(((local % 86400) + 86400) % 86400);
    s->length = 3600;
    s->now = now;
}

static void log_study_wait(struct cs_queue_series *s, const struct cs_queue_history *history,
                           int change)
{
    s->queue += change;
    s->work += change * (history->request > 0 ? history->request : 0) * (double)history->job.procs;
    if (s->queue == 0)
        s->work = 0;
}

static void series_arrived(void *who, const struct cs_queue_history *history, double now)
{
    struct cs_queue_series *s = who;

    if (s->length == 0)
        series_begin(s, now);
    log_study_advance(s, now);
    bin_at(s, now)->arrivals++;
    log_study_wait(s, history, 1);
}

static void log_study_started(void *who, const struct cs_queue_history *history, double now)
{
    struct cs_queue_series *s = who;

    log_study_advance(s, now);
    bin_at(s, now)->starts++;
    log_study_wait(s, history, -1);
    s->used += (double)history->job.procs;
}

static void series_ended(void *who, const struct cs_queue_history *history, double now, bool done)
{
    struct cs_queue_series *s = who;
    struct cs_queue_bin *bin;

    log_study_advance(s, now);
    s->used -= (double)history->job.procs;
    if (!done) {
        log_study_wait(s, history, 1);
        return;
    }
    bin = bin_at(s, history->job.submit);
    bin->measured++;
    bin->wait += cs_queue_history_wait(history);
}

static struct cs_queue_observer queue_series_observer(struct cs_queue_series *s)
{
    return (struct cs_queue_observer){
        .arrived = series_arrived,
        .started = log_study_started,
        .ended = series_ended,
        .who = s,
    };
}

/* jobs and bars as they come, put together in the end. */

struct log_schedule_job {
    const char *name;
    double submit, seconds, estimate;
    int procs, user;
    int64_t lost; /* attempts that failed */
};

struct cs_queue_log_kept {
    struct cs_arena *arena;
    struct cs_names *names, *user;
    double verification;
    const struct cs_log_names *users; /* of the log, while it is read */
    struct log_schedule_job *job;     /* by number */
    int64_t jobs, job_room;
    struct cs_bar *bar;
    int64_t bars, bar_room;
    bool fractions; /* some time is no whole number of seconds */
    bool nameless;  /* some attempt has not as many names as processors */
    bool cut;       /* some attempt was ended by an outage */
};

static struct cs_queue_log_kept *queue_log_kept_create(double verification,
                                                       const struct cs_log_names *users)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_queue_log_kept *kept = CS_NEW(arena, struct cs_queue_log_kept);

    kept->arena = arena;
    kept->names = cs_names_create(arena);
    kept->user = cs_names_create(arena);
    kept->users = users;
    kept->verification = verification;
    return kept;
}

static void queue_log_kept_destroy(struct cs_queue_log_kept *kept)
{
    if (kept)
        cs_arena_destroy(kept->arena);
}

/* ---- what happens ---- */

static const char *log_study_name_of(struct cs_queue_log_kept *kept, const struct cs_log_job *job)
{
    char number[32];

    cs_plain_print(number, sizeof number, "%lld", (long long)job->id);
    return cs_names_distinct(kept->names, job->label ? job->label : number);
}

/* The number of the name of the user; -1: unknown. */
static int log_study_user_of(struct cs_queue_log_kept *kept, const struct cs_log_job *job)
{
    if (job->user < 0 || job->user >= kept->users->count)
        return -1;
    return cs_names_add(kept->user, kept->users->name[job->user]);
}

static void log_study_arrived(void *who, const struct cs_queue_history *history, double now)
{
    struct cs_queue_log_kept *kept = who;

    (void)now;
    CS_ARENA_ROOM(kept->arena, kept->job, kept->jobs, kept->job_room, 1024);
    kept->job[kept->jobs++] = (struct log_schedule_job){
        .name = log_study_name_of(kept, &history->job),
        .submit = history->job.submit,
        .seconds = history->job.seconds,
        .estimate = history->estimate,
        .procs = (int)history->job.procs,
        .user = log_study_user_of(kept, &history->job),
    };
    kept->fractions |= history->job.submit != floor(history->job.submit);
}

static struct cs_interval *copy_set(struct cs_queue_log_kept *kept,
                                    const struct cs_queue_history *history)
{
    struct cs_interval *set = CS_NEW_ARRAY(kept->arena, struct cs_interval, history->intervals);

    if (history->intervals)
        memcpy(set, history->set, (size_t)history->intervals * sizeof *set);
    return set;
}

static void log_schedule_ended(void *who, const struct cs_queue_history *history, double now,
                               bool done)
{
    struct cs_queue_log_kept *kept = who;
    struct log_schedule_job *job = &kept->job[history->number];

    CS_ARENA_ROOM(kept->arena, kept->bar, kept->bars, kept->bar_room, 1024);
    kept->bar[kept->bars++] = (struct cs_bar){
        .kind = done ? CS_BAR_WORK : CS_BAR_LOST,
        .task = (int)history->number,
        .attempt = history->attempt,
        .group = history->shelf,
        .start = history->start,
        .end = history->end,
        .intervals = history->intervals,
        .procs = copy_set(kept, history),
    };
    kept->fractions |= now != floor(now) || history->start != floor(history->start);
    kept->nameless |= cs_procset_size(history->set, history->intervals) != history->job.procs;
    kept->cut |= history->requeued > 0;
    job->lost += !done;
    if (history->killed)
        job->seconds = (history->end - history->start) - kept->verification;
}

static struct cs_queue_observer queue_log_kept_observer(struct cs_queue_log_kept *kept)
{
    return (struct cs_queue_observer){
        .arrived = log_study_arrived, .ended = log_schedule_ended, .who = kept};
}

/* ---- the schedule ---- */

static int log_study_check(const struct cs_queue_log_kept *kept, int64_t procs,
                           struct cs_error *err)
{
    if (kept->cut)
        return cs_error_set(err, "an outage ended attempts, which a schedule cannot represent: "
                                 "--jobs has their last ones");
    if (kept->nameless)
        return cs_error_set(err, "a schedule assigns processors or whole nodes, and here nodes "
                                 "are shared: --jobs needs no names");
    if (procs > INT_MAX || kept->jobs > INT_MAX)
        return cs_error_set(err, "the replay is too large for a schedule");
    return 0;
}

/* By job, in the arena; NULL if no user is known. */
static const char *const *log_study_users(const struct cs_queue_log_kept *kept,
                                          struct cs_arena *arena)
{
    const char **user = CS_NEW_ARRAY(arena, const char *, kept->jobs), **own;
    const char *const *name;
    int users;

    name = cs_names_list(kept->user, &users);
    own = CS_NEW_ARRAY(arena, const char *, users);
    for (int u = 0; u < users; u++)
        own[u] = cs_arena_strdup(arena, name[u]);
    for (int64_t j = 0; j < kept->jobs; j++)
        user[j] = kept->job[j].user < 0 ? NULL : own[kept->job[j].user];
    return users ? user : NULL;
}

/* Numbers of processors are those of the site, times count from `from`. */
static void log_study_declare(const struct cs_queue_log_kept *kept, int procs, double from,
                              struct cs_rigid_declared *d, struct cs_arena *arena)
{
    const int jobs = (int)kept->jobs;
    double *seconds = CS_NEW_ARRAY(arena, double, jobs);
    double *submit = CS_NEW_ARRAY(arena, double, jobs);
    double *estimate = CS_NEW_ARRAY(arena, double, jobs);
    int *width = CS_NEW_ARRAY(arena, int, jobs);
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, jobs);

    for (int j = 0; j < jobs; j++) {
        const struct log_schedule_job *job = &kept->job[j];

        seconds[j] = job->seconds;
        submit[j] = job->submit - from;
        estimate[j] = job->estimate;
        width[j] = job->procs;
        failures[j] = job->lost;
    }
    *d = (struct cs_rigid_declared){
        .verification = kept->verification,
        .lower_bound =
            (jobs ? submit[0] : 0) +
            cs_queue_bound(&(struct cs_sched_jobs){jobs, procs, kept->verification, seconds, width},
                           submit, failures),
        .seconds = seconds,
        .procs = width,
        .failures = failures,
        .submit = submit,
        .estimate = estimate,
        .user = log_study_users(kept, arena),
    };
}

static int add_bars(const struct cs_queue_log_kept *kept, double from, struct cs_schedule *schedule,
                    struct cs_error *err)
{
    for (int64_t b = 0; b < kept->bars; b++) {
        struct cs_bar bar = kept->bar[b];

        bar.start -= from;
        bar.end -= from;
        if (cs_schedule_add(schedule, &bar, err))
            return -1;
    }
    return 0;
}

struct cs_schedule *cs_queue_log_kept_schedule(const struct cs_queue_log_kept *kept, int64_t procs,
                                               struct cs_rigid_declared *declared,
                                               struct cs_arena *arena, struct cs_error *err)
{
    const double from = kept->jobs && !kept->fractions ? kept->job[0].submit : 0;
    const char **name = CS_NEW_ARRAY(arena, const char *, kept->jobs);
    struct cs_schedule *schedule;

    if (log_study_check(kept, procs, err))
        return NULL;
    for (int64_t j = 0; j < kept->jobs; j++)
        name[j] = kept->job[j].name;
    log_study_declare(kept, (int)procs, from, declared, arena);
    schedule = cs_schedule_create("rigid", (int)procs, (int)kept->jobs, name);
    if (!add_bars(kept, from, schedule, err))
        return schedule;
    cs_schedule_destroy(schedule);
    return NULL;
}

/* CSV, a line at a time. */

struct cs_queue_log_table {
    FILE *file;
    enum cs_queue_table_form form;
    const char *policy, *priority, *workload;
    bool csv_safe;
    const struct cs_log *log;
    struct cs_strbuf line;
    bool failed;
};

static const char *queue_log_table_head(enum cs_queue_table_form form)
{
    if (form == CS_QUEUE_TABLE_ATTEMPTS)
        return CS_JOBS_CSV_HEAD;
    if (form == CS_QUEUE_TABLE_BATSIM)
        return "job_id,workload_name,profile,submission_time,requested_number_of_resources,"
               "requested_time,success,starting_time,execution_time,finish_time,waiting_time,"
               "turnaround_time,stretch,allocated_resources\n";
    return "policy,priority,job_id,number,user,partition,procs,submit,start,end,attempts,estimate,"
           "request,promise,wait,bounded_slowdown,killed,allocated\n";
}

static void put_id(struct cs_strbuf *out, const struct cs_log_job *job)
{
    if (job->label)
        cs_csv_quote(out, job->label);
    else
        cs_strbuf_printf(out, "%" PRId64, job->id);
}

static void log_study_put_name(struct cs_strbuf *out, const struct cs_log_names *names, int number)
{
    cs_strbuf_putc(out, ',');
    if (number >= 0 && number < names->count)
        cs_csv_quote(out, names->name[number]);
}

/* A number; an empty field if it is not finite. */
static void log_study_put(struct cs_strbuf *out, double value)
{
    cs_strbuf_putc(out, ',');
    if (isfinite(value))
        cs_strbuf_put_double(out, value);
}

static void put_set(struct cs_strbuf *out, const struct cs_queue_history *history)
{
    cs_strbuf_putc(out, ',');
    for (int i = 0; i < history->intervals; i++) {
        const struct cs_interval *s = &history->set[i];

        cs_strbuf_printf(out, "%s%d", i ? " " : "", s->first);
        if (s->last > s->first)
            cs_strbuf_printf(out, "-%d", s->last);
    }
}

static void put_ours(const struct cs_queue_log_table *t, const struct cs_queue_history *history,
                     struct cs_strbuf *out)
{
    const struct cs_log_job *job = &history->job;

    cs_csv_quote(out, t->policy);
    cs_strbuf_putc(out, ',');
    cs_csv_quote(out, t->priority);
    cs_strbuf_putc(out, ',');
    put_id(out, job);
    cs_strbuf_printf(out, ",%" PRId64, history->number);
    log_study_put_name(out, cs_log_users(t->log), job->user);
    log_study_put_name(out, cs_log_partitions(t->log), job->named);
    cs_strbuf_printf(out, ",%" PRId64, job->procs);
    log_study_put(out, job->submit);
    log_study_put(out, history->start);
    log_study_put(out, history->end);
    cs_strbuf_printf(out, ",%d", history->attempt);
    log_study_put(out, history->estimate);
    log_study_put(out, history->request > 0 ? history->request : NAN);
    log_study_put(out, history->promise);
    log_study_put(out, cs_queue_history_wait(history));
    log_study_put(out, cs_queue_history_slowdown(history));
    cs_strbuf_printf(out, ",%d", history->killed);
    put_set(out, history);
}

static void put_batsim(const struct cs_queue_history *history, struct cs_strbuf *out)
{
    const struct cs_log_job *job = &history->job;
    const double run = history->end - history->start, turnaround = history->end - job->submit;

    put_id(out, job);
    cs_strbuf_puts(out, ",replay");
    log_study_put(out, run);
    log_study_put(out, job->submit);
    cs_strbuf_printf(out, ",%" PRId64, job->procs);
    log_study_put(out, history->request > 0 ? history->request : -1);
    cs_strbuf_printf(out, ",%d", !history->killed);
    log_study_put(out, history->start);
    log_study_put(out, run);
    log_study_put(out, history->end);
    log_study_put(out, turnaround - run);
    log_study_put(out, turnaround);
    log_study_put(out, turnaround / run);
    put_set(out, history);
}

static void put_attempt(struct cs_queue_log_table *t, const struct cs_queue_history *history,
                        bool done)
{
    cs_jobs_csv_put(&t->line, t->workload,
                    &(struct cs_job_row){
                        .id = history->job.id,
                        .attempt = history->attempt - 1,
                        .success = done && !history->killed,
                        .submit = history->since,
                        .requested = history->estimate,
                        .start = history->start,
                        .finish = history->end,
                        .procs = (int)history->job.procs,
                        .shelf = history->shelf,
                        .intervals = history->intervals,
                        .set = history->set,
                    });
}

static void log_study_ended(void *who, const struct cs_queue_history *history, double now,
                            bool done)
{
    struct cs_queue_log_table *t = who;

    (void)now;
    if ((!done && t->form != CS_QUEUE_TABLE_ATTEMPTS) || t->failed)
        return;
    cs_strbuf_clear(&t->line);
    if (t->form == CS_QUEUE_TABLE_ATTEMPTS) {
        put_attempt(t, history, done);
    } else {
        if (t->form == CS_QUEUE_TABLE_BATSIM)
            put_batsim(history, &t->line);
        else
            put_ours(t, history, &t->line);
        cs_strbuf_putc(&t->line, '\n');
    }
    if (t->csv_safe)
        cs_csv_make_safe(&t->line);
    t->failed = fwrite(t->line.text, 1, t->line.length, t->file) != t->line.length;
}

static struct cs_queue_observer queue_log_table_observer(struct cs_queue_log_table *table)
{
    return (struct cs_queue_observer){.ended = log_study_ended, .who = table};
}

struct job {
    const struct cs_queue_log_study *study;
    struct cs_queue_log_row *row;
    int sets;
    struct cs_log **log; /* of the first row */
    FILE **part;         /* of the table, of each variant; or NULL */
};

/* The data that one row needs while it runs.  Results that remain go to `job` in the end; until
 * then the guard owns them, in case memory runs out. */
struct making {
    struct cs_log *log;
    struct cs_queue_log_row *row;
    struct cs_queue_log_kept *kept;
    struct cs_queue_log_jobs *jobs;
    struct cs_queue_window window;
    struct cs_queue_measures *measures;
    struct cs_queue_series *series;
    struct cs_queue_classes *classes;
    struct cs_queue_sums sums;
    struct cs_queue_log_table table;
    struct cs_queue_joules *joules;
    struct cs_queue_observer observer[9];
    int observers;
};

static double set_last(const struct cs_queue_set *set)
{
    return set->jobs.count ? set->submit[set->jobs.count - 1] : 0;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Six digits behind the point, which every library's pow() agrees on. */
static double power_of_ten(double exponent)
{
    return rint(pow(10, exponent) * 1e6) / 1e6;
}

double cs_queue_share_wait(int i)
{
    return power_of_ten(i / 4.0 * 7 / 15.75);
}

double cs_queue_share_slowdown(int i)
{
    return power_of_ten(i / 4.0 * 5 / 15.75);
}

static void log_study_discard(void *who, const struct cs_queue_history *history, double now,
                              bool done)
{
    (void)now;
    if (done)
        cs_log_done(who, &history->job);
}

static void discard_job(void *who, const struct cs_log_job *job)
{
    cs_log_done(who, job);
}

static void log_study_observe(struct making *m, struct cs_queue_observer observer)
{
    m->observer[m->observers++] = observer;
}

static void begin_row(const struct job *job, int number, int set, struct making *m)
{
    const struct cs_queue_log_study *study = job->study;
    const int64_t epoch = cs_log_epoch(m->log);
    const unsigned by = study->by | (number ? 0 : study->recorded_by);

    m->row->made = true;
    m->row->bound = NAN;
    m->window = study->window;
    if (study->cut)
        m->window.last = set_last(&study->cut->set[set]);
    m->measures = cs_queue_measures_create((double)study->log.site->procs, &m->window);
    log_study_observe(m, cs_queue_measures_observer(m->measures));
    if (study->energy) {
        m->joules =
            cs_queue_joules_create((double)study->log.site->procs, study->energy, &m->window);
        log_study_observe(m, cs_queue_joules_observer(m->joules));
    }
    if (study->series) {
        m->series = queue_series_create(epoch, study->log.zone);
        log_study_observe(m, queue_series_observer(m->series));
    }
    if (by) {
        m->classes = cs_queue_classes_create(by, &m->window, epoch, study->log.zone);
        log_study_observe(m, cs_queue_classes_observer(m->classes));
    }
    if (number) {
        m->sums = (struct cs_queue_sums){.machine = (double)study->log.site->procs,
                                         .verification = study->op.verification};
        log_study_observe(m, cs_queue_sums_observer(&m->sums));
    }
    if (study->keep && number) {
        m->kept = queue_log_kept_create(study->op.verification, cs_log_users(m->log));
        log_study_observe(m, queue_log_kept_observer(m->kept));
    }
    if (study->jobs && number) {
        m->jobs = cs_queue_log_jobs_create();
        log_study_observe(m, cs_queue_log_jobs_observer(m->jobs));
    }
    if (job->part[number]) {
        m->table = (struct cs_queue_log_table){
            .file = job->part[number],
            .form = study->form,
            .csv_safe = study->csv_safe,
            .policy = study->variant[number - 1].policy,
            .priority = study->variant[number - 1].priority,
            .workload = file_name(cs_source_name(study->path[0])),
            .log = m->log,
            .line = CS_STRBUF_INIT,
        };
        log_study_observe(m, queue_log_table_observer(&m->table));
    }
    if (!study->cut)
        log_study_observe(m, (struct cs_queue_observer){.ended = log_study_discard,
                                                        .left_out = discard_job,
                                                        .who = m->log});
}

static void end_row(struct making *m)
{
    cs_queue_measures_finish(m->measures, &m->row->measured);
    m->row->energy = (struct cs_energy){NAN, NAN, NAN, NAN, NAN, NAN};
    if (m->joules)
        m->row->energy = cs_queue_joules_finish(m->joules);
    cs_queue_joules_destroy(m->joules);
    if (m->series) {
        m->row->shares = cs_block_zero(1, sizeof *m->row->shares);
        for (int i = 0; i < CS_QUEUE_SHARES; i++) {
            m->row->shares->wait[i] =
                cs_queue_measures_wait_share(m->measures, cs_queue_share_wait(i));
            m->row->shares->slowdown[i] =
                cs_queue_measures_slowdown_share(m->measures, cs_queue_share_slowdown(i));
        }
    }
    cs_queue_sums_finish(&m->sums, &m->row->operated, &m->row->measured, &m->row->sum);
    cs_queue_measures_destroy(m->measures);
    if (m->table.file)
        cs_strbuf_release(&m->table.line);
}

/* The jobs of a log, and how often each fails: that of the same place in `simulate rigid`. */
struct failing {
    const struct cs_queue_log_study *study;
    struct cs_log *log;
    int scenario;
    int64_t next;                   /* place */
    const struct cs_queue_set *set; /* instead of the log, or NULL; */
    const int64_t *failures;        /* of its jobs; NULL: none */
};

int cs_queue_log_study_read_failures(struct cs_queue_log_study *study, const char *path,
                                     struct cs_arena *arena, int *scenarios, struct cs_error *err)
{
    if (study->failing > INT_MAX)
        return cs_error_set(err, "%s: failures are supported for up to %d jobs", path, INT_MAX);
    return cs_sched_failures_read(path, (int)study->failing, arena, &study->failures, scenarios,
                                  err);
}

static int draw_failures(const struct failing *f, struct cs_log_job *job, struct cs_error *err)
{
    const double exposure = f->study->error_rate * (job->seconds * (double)job->procs);
    const uint64_t hash = cs_sched_mix(f->study->seed, CS_SCHED_STREAM_FAILURES, f->study->set,
                                       (uint64_t)f->scenario, (uint64_t)f->next);
    const double failures = cs_sched_geometric(exposure, cs_sched_uniform(hash));

    if (failures < 0 || failures > CS_SCHED_FAILURE_CAP)
        return cs_error_set(err,
                            "job %lld of %lld processors and %.15g s would fail more than %lld "
                            "times: errors are too frequent",
                            (long long)job->id, (long long)job->procs, job->seconds,
                            (long long)CS_SCHED_FAILURE_CAP);
    job->failures = (int64_t)failures;
    return 0;
}

static int next_failing(void *who, struct cs_log_job *out, struct cs_error *err)
{
    struct failing *f = who;
    const struct cs_queue_log_study *study = f->study;
    const int status = cs_log_next(f->log, out, err);

    if (status <= 0)
        return status;
    if (!study->failures && draw_failures(f, out, err))
        return -1;
    if (study->failures && f->next < study->failing)
        out->failures = study->failures[f->scenario * study->failing + f->next];
    f->next++;
    return 1;
}

static int next_of_set(void *who, struct cs_log_job *out, struct cs_error *err)
{
    struct failing *f = who;

    (void)err;
    if (f->next == f->set->jobs.count)
        return 0;
    *out = f->set->job[f->next];
    if (f->study->cut->from_zero)
        out->submit -= f->set->submit[0];
    out->failures = f->failures ? f->failures[f->next] : 0;
    f->next++;
    return 1;
}

/* A scenario of a set. */
static int operate_set(const struct cs_queue_log_study *study, struct failing *f, int set,
                       struct cs_queue_operation *op, struct cs_queue_log_row *row,
                       struct cs_error *err)
{
    const struct cs_queue_cut *cut = study->cut;
    const struct cs_sched_scenarios *drawn = cut->drawn[set];
    const struct cs_sched_jobs *jobs = &cut->set[set].jobs;
    struct cs_arena *arena = cs_arena_create();
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, jobs->count);
    int status = cs_sched_scenarios_get(drawn, f->scenario, failures, err);

    f->set = &cut->set[set];
    f->failures = failures;
    op->draw =
        (struct cs_sched_draw){drawn->seed, drawn->set, (uint64_t)f->scenario, drawn->law.rate};
    if (cut->fairness)
        op->fair = (jobs->count + cut->fairness - 1) / cut->fairness;
    if (!status)
        status = cs_queue_simulate(op, next_of_set, f, &row->operated, err);
    row->bound = cs_queue_bound(jobs, f->set->submit, failures);
    if (cut->strong)
        row->bound = fmax(row->bound, cs_sched_bound_strong(jobs, failures, arena));
    cs_arena_destroy(arena);
    return status;
}

static int log_study_operate(const struct cs_queue_log_study *study,
                             const struct cs_queue_log_variant *variant, int set, struct making *m,
                             struct cs_error *err)
{
    struct cs_queue_operation op = study->op;
    struct cs_sched_multifactor multifactor;
    struct failing failing = {.study = study, .log = m->log, .scenario = variant->scenario};

    op.site = study->log.site;
    op.policy = variant->op.policy;
    op.param = variant->op.param;
    op.priority = variant->op.priority;
    op.draw = (struct cs_sched_draw){study->seed, study->set, (uint64_t)variant->scenario,
                                     study->error_rate};
    op.sets |= study->energy && !isnan(study->energy->watts.off_after);
    op.observers = m->observers;
    op.observer = m->observer;
    if (op.multifactor) {
        multifactor = *op.multifactor;
        multifactor.users = cs_log_users(m->log);
        multifactor.accounts = cs_log_accounts(m->log);
        multifactor.qualities = cs_log_qualities(m->log);
        op.multifactor = &multifactor;
    }
    if (study->cut)
        return operate_set(study, &failing, set, &op, m->row, err);
    return study->error_rate > 0 || study->failures
               ? cs_queue_simulate(&op, next_failing, &failing, &m->row->operated, err)
               : cs_queue_simulate(&op, cs_log_next, m->log, &m->row->operated, err);
}

static int recorded_run(const struct cs_queue_log_study *study, int set, struct making *m,
                        struct cs_error *err)
{
    struct failing of_set = {.study = study, .set = study->cut ? &study->cut->set[set] : NULL};

    return cs_queue_recorded_run(
        (double)study->log.site->procs, study->cut ? next_of_set : cs_log_next,
        study->cut ? (void *)&of_set : m->log, m->observer, m->observers, &m->row->recorded, err);
}

/* Is the set left out, or its recorded schedule not wanted? */
static bool row_is_out(const struct cs_queue_log_study *study, const struct cs_loop_at *at)
{
    return study->cut && (!study->cut->drawn[at->set] || (!at->variant && study->unrecorded));
}

static int run_row(void *worker, const struct cs_loop_at *at, void *row, struct cs_error *err)
{
    const struct job *job = worker;
    const int number = at->variant;
    const struct cs_queue_log_study *study = job->study;
    struct making m = {.row = &job->row[number * job->sets + at->set]};
    int status;

    (void)row;
    if (row_is_out(study, at))
        return 0;
    m.log = study->cut ? study->cut->log : cs_log_open(study->path, study->files, &study->log, err);
    if (!m.log)
        return -1;
    begin_row(job, number, at->set, &m);
    status = number ? log_study_operate(study, &study->variant[number - 1], at->set, &m, err)
                    : recorded_run(study, at->set, &m, err);
    end_row(&m);
    if (!status && number && study->energy && m.row->operated.jobs && isnan(m.row->energy.total))
        status = cs_error_set(err, "energy: this replay does not state which processors run a job; "
                                   "--watts needs them with off-after");
    if (!status && m.table.file && (m.table.failed || fflush(m.table.file)))
        status = cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be written: %s",
                                 study->table ? study->table : "a temporary file", strerror(errno));
    m.row->kept = m.kept;
    m.row->jobs = m.jobs;
    m.row->series = m.series;
    m.row->classes = m.classes;
    if (study->cut)
        return status;
    if (number)
        cs_log_close(m.log);
    else
        *job->log = m.log;
    return status;
}

/* ---- the table of jobs ---- */

static int log_study_copy(FILE *from, int to)
{
    char bytes[65536];
    size_t size;

    if (fflush(from))
        return -1;
    rewind(from);
    while ((size = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (cs_file_put(to, bytes, size))
            return -1;
    return ferror(from) ? -1 : 0;
}

static int join_parts(void *who, int to)
{
    const struct job *job = who;
    const char *head = queue_log_table_head(job->study->form);

    if (cs_file_put(to, head, strlen(head)))
        return -1;
    for (int w = 1; w <= job->study->variants; w++)
        if (log_study_copy(job->part[w], to))
            return -1;
    return 0;
}

/* The same for memory. */
static int read_parts(const struct job *job, struct cs_strbuf *out, struct cs_error *err)
{
    char bytes[65536];
    size_t size;
    bool failed = false;

    cs_strbuf_puts(out, queue_log_table_head(job->study->form));
    for (int w = 1; w <= job->study->variants; w++) {
        rewind(job->part[w]);
        while ((size = fread(bytes, 1, sizeof bytes, job->part[w])) > 0)
            cs_strbuf_append(out, bytes, size);
        failed |= ferror(job->part[w]) != 0;
    }
    return failed ? cs_error_set_as(err, CS_ERROR_SYSTEM, "a temporary file cannot be read: %s",
                                    strerror(errno))
                  : 0;
}

static bool wants_parts(const struct cs_queue_log_study *study)
{
    return study->table || study->text;
}

static int open_parts(const struct job *job, struct cs_error *err)
{
    for (int w = 1; wants_parts(job->study) && w <= job->study->variants; w++) {
        job->part[w] = tmpfile();
        if (!job->part[w])
            return cs_error_set_as(err, CS_ERROR_SYSTEM, "a temporary file cannot be made: %s",
                                   strerror(errno));
    }
    return 0;
}

/* ---- all rows ---- */

static void log_study_widen(const struct cs_queue_log_rows *rows)
{
    double length = 0;

    for (int r = 0; r < rows->count; r++)
        if (rows->row[r].series)
            length = fmax(length, rows->row[r].series->length);
    for (int r = 0; r < rows->count; r++)
        if (rows->row[r].series)
            queue_series_widen(rows->row[r].series, length);
}

/* A replay without any job is a mistake of its input. */
static int check_jobs(const struct job *job, struct cs_error *err)
{
    const struct cs_queue_log_study *study = job->study;
    const struct cs_log_counts *counts = cs_log_counts(*job->log);
    const char *path = study->path[0];
    const bool spool = study->log.spool && !strcmp(path, study->log.spool);

    if (!counts->kept)
        return cs_log_no_job(cs_source_name(spool ? "-" : path), counts, err);
    if (!study->cut && study->variants && !job->row[1].operated.jobs)
        return cs_error_set(err,
                            "no job is left: each wants more than the %lld processors of "
                            "--user-procs",
                            (long long)study->op.user_procs);
    return 0;
}

int cs_queue_log_study_run(const struct cs_queue_log_study *study, struct cs_queue_log_rows *rows,
                           struct cs_error *err)
{
    const int sets = study->cut ? study->cut->sets : 1;
    const size_t variants = (size_t)study->variants + 1, count = variants * (size_t)sets;
    struct cs_log *log = study->cut ? study->cut->log : NULL;
    struct job job = {study, cs_block_zero(count, sizeof *job.row), sets, &log,
                      cs_block_zero(variants, sizeof *job.part)};
    const struct cs_loop loop = {
        .variants = (int)variants,
        .sets = sets,
        .scenarios = 1,
        .threads = study->threads,
        .job = &job,
        .run = run_row,
        .progress = study->progress,
    };
    int status = open_parts(&job, err);

    *rows = (struct cs_queue_log_rows){(int)count, job.row, NULL, study->cut != NULL};
    if (!status && count)
        status = cs_loop_run(&loop, err) ? -1 : check_jobs(&job, err);
    if (!status && study->table)
        status = cs_file_fill(study->table, join_parts, &job, err);
    if (!status && study->text)
        status = read_parts(&job, study->text, err);
    rows->log = log;
    for (size_t r = 0; r < variants; r++)
        if (job.part[r])
            fclose(job.part[r]);
    cs_block_free(job.part);
    if (status)
        cs_queue_log_rows_release(rows);
    else
        log_study_widen(rows);
    return status;
}

void cs_queue_log_rows_release(struct cs_queue_log_rows *rows)
{
    for (int r = 0; r < rows->count; r++) {
        queue_series_destroy(rows->row[r].series);
        cs_queue_classes_destroy(rows->row[r].classes);
        queue_log_kept_destroy(rows->row[r].kept);
        cs_queue_log_jobs_destroy(rows->row[r].jobs);
        cs_block_free(rows->row[r].shares);
    }
    cs_block_free(rows->row);
    if (!rows->shared)
        cs_log_close(rows->log);
    *rows = (struct cs_queue_log_rows){0};
}
