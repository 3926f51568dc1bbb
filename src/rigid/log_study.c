/* log_study.c - rows shared out over threads; tables of jobs put together in the end. */
#include "rigid/log_study.h"

#include "base/file.h"
#include "base/guard.h"
#include "base/source.h"
#include "base/workers.h"
#include "rigid/log_table.h"
#include "rigid/scenarios.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

struct job {
    const struct cs_rigid_log_study *study;
    struct cs_rigid_log_row *row;
    struct cs_log **log; /* of the first row */
    FILE **part;         /* of the table, of each row; or NULL */
};

/* What one row needs while it runs.  What stays goes to `job` in the end: until then it is the
 * guard's, if memory runs out. */
struct making {
    struct cs_log *log;
    struct cs_rigid_log_row *row;
    struct cs_rigid_log_kept *kept;
    struct cs_rigid_log_jobs *jobs;
    struct cs_rigid_measures *measures;
    struct cs_rigid_series *series;
    struct cs_rigid_classes *classes;
    struct cs_rigid_sums sums;
    struct cs_rigid_log_table table;
    struct cs_rigid_observer observer[8];
    int observers;
};

/* Six digits behind the point, which every library's pow() agrees on. */
static double power_of_ten(double exponent)
{
    return rint(pow(10, exponent) * 1e6) / 1e6;
}

double cs_rigid_share_wait(int i)
{
    return power_of_ten(i / 4.0 * 7 / 15.75);
}

double cs_rigid_share_slowdown(int i)
{
    return power_of_ten(i / 4.0 * 5 / 15.75);
}

static void forget(void *who, const struct cs_rigid_story *story, double now, bool done)
{
    (void)now;
    if (done)
        cs_log_done(who, &story->job);
}

static void forget_job(void *who, const struct cs_log_job *job)
{
    cs_log_done(who, job);
}

static void observe(struct making *m, struct cs_rigid_observer observer)
{
    m->observer[m->observers++] = observer;
}

static void begin_row(const struct job *job, int number, struct making *m)
{
    const struct cs_rigid_log_study *study = job->study;
    const int64_t epoch = cs_log_epoch(m->log);
    const unsigned by = study->by | (number ? 0 : study->recorded_by);

    m->row = &job->row[number];
    m->measures = cs_rigid_measures_create((double)study->log.site->procs, &study->window);
    observe(m, cs_rigid_measures_observer(m->measures));
    if (study->series) {
        m->series = cs_rigid_series_create(epoch, study->log.zone);
        observe(m, cs_rigid_series_observer(m->series));
    }
    if (by) {
        m->classes = cs_rigid_classes_create(by, &study->window, epoch, study->log.zone);
        observe(m, cs_rigid_classes_observer(m->classes));
    }
    if (study->sum && number) {
        m->sums = (struct cs_rigid_sums){.machine = (double)study->log.site->procs,
                                         .verification = study->op.verification};
        observe(m, cs_rigid_sums_observer(&m->sums));
    }
    if (study->keep && number) {
        m->kept = cs_rigid_log_kept_create(study->op.verification);
        observe(m, cs_rigid_log_kept_observer(m->kept));
    }
    if (study->jobs && number) {
        m->jobs = cs_rigid_log_jobs_create();
        observe(m, cs_rigid_log_jobs_observer(m->jobs));
    }
    if (job->part[number]) {
        m->table = (struct cs_rigid_log_table){
            .file = job->part[number],
            .form = study->form,
            .policy = study->way[number - 1].policy,
            .priority = study->way[number - 1].priority,
            .log = m->log,
            .line = CS_STRBUF_INIT,
        };
        observe(m, cs_rigid_log_table_observer(&m->table));
    }
    observe(m, (struct cs_rigid_observer){.ended = forget, .left_out = forget_job, .who = m->log});
}

static void end_row(struct making *m)
{
    cs_rigid_measures_finish(m->measures, &m->row->measured);
    for (int i = 0; i < CS_RIGID_SHARES; i++) {
        m->row->wait_share[i] = cs_rigid_measures_wait_share(m->measures, cs_rigid_share_wait(i));
        m->row->slowdown_share[i] =
            cs_rigid_measures_slowdown_share(m->measures, cs_rigid_share_slowdown(i));
    }
    cs_rigid_sums_finish(&m->sums, &m->row->operated, &m->row->measured, &m->row->sum);
    cs_rigid_measures_destroy(m->measures);
    if (m->table.file)
        cs_strbuf_release(&m->table.line);
}

/* The jobs of a log, and how often each fails: that of the same place in `simulate rigid`. */
struct failing {
    const struct cs_rigid_log_study *study;
    struct cs_log *log;
    int scenario;
    int64_t next; /* place */
};

int cs_rigid_log_study_read_failures(struct cs_rigid_log_study *study, const char *path,
                                     struct cs_arena *arena, int *scenarios, struct cs_error *err)
{
    if (study->failing > INT_MAX)
        return cs_error_set(err, "%s: failures are told of up to %d jobs", path, INT_MAX);
    return cs_rigid_failures_read(path, (int)study->failing, arena, &study->failures, scenarios,
                                  err);
}

static int draw_failures(const struct failing *f, struct cs_log_job *job, struct cs_error *err)
{
    const double exposure = f->study->error_rate * (job->seconds * (double)job->procs);
    const uint64_t hash = cs_rigid_mix(f->study->seed, CS_RIGID_STREAM_FAILURES, 0,
                                       (uint64_t)f->scenario, (uint64_t)f->next);
    const double failures = cs_rigid_geometric(exposure, cs_rigid_uniform(hash));

    if (failures < 0 || failures > CS_RIGID_FAILURE_CAP)
        return cs_error_set(err,
                            "job %lld of %lld processors and %.15g s would fail more than %lld "
                            "times: errors are too frequent",
                            (long long)job->id, (long long)job->procs, job->seconds,
                            (long long)CS_RIGID_FAILURE_CAP);
    job->failures = (int64_t)failures;
    return 0;
}

static int next_failing(void *who, struct cs_log_job *out, struct cs_error *err)
{
    struct failing *f = who;
    const struct cs_rigid_log_study *study = f->study;
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

static int operate(const struct cs_rigid_log_study *study, const struct cs_rigid_log_way *way,
                   struct making *m, struct cs_error *err)
{
    struct cs_rigid_operation op = study->op;
    struct cs_rigid_multifactor multifactor;
    struct failing failing = {study, m->log, way->scenario, 0};

    op.site = study->log.site;
    op.policy = way->op.policy;
    op.param = way->op.param;
    op.priority = way->op.priority;
    op.draw = (struct cs_rigid_draw){study->seed, 0, (uint64_t)way->scenario, study->error_rate};
    op.observers = m->observers;
    op.observer = m->observer;
    if (op.multifactor) {
        multifactor = *op.multifactor;
        multifactor.users = cs_log_users(m->log);
        multifactor.accounts = cs_log_accounts(m->log);
        multifactor.qualities = cs_log_qualities(m->log);
        op.multifactor = &multifactor;
    }
    return study->error_rate > 0 || study->failures
               ? cs_rigid_operate(&op, next_failing, &failing, &m->row->operated, err)
               : cs_rigid_operate(&op, cs_log_next, m->log, &m->row->operated, err);
}

static int run_row(void *worker, long number, struct cs_error *err)
{
    const struct job *job = *(const struct job **)worker;
    const struct cs_rigid_log_study *study = job->study;
    struct making m = {.log = cs_log_open(study->path, study->files, &study->log, err)};
    int status;

    if (!m.log)
        return -1;
    begin_row(job, (int)number, &m);
    status = number ? operate(study, &study->way[number - 1], &m, err)
                    : cs_rigid_recorded_run((double)study->log.site->procs, cs_log_next, m.log,
                                            m.observer, m.observers, &m.row->recorded, err);
    end_row(&m);
    if (!status && m.table.file && (m.table.failed || fflush(m.table.file)))
        status = cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be written: %s", study->table,
                                 strerror(errno));
    m.row->kept = m.kept;
    m.row->jobs = m.jobs;
    m.row->series = m.series;
    m.row->classes = m.classes;
    if (number)
        cs_log_close(m.log);
    else
        *job->log = m.log;
    return status;
}

static int begin(void *worker, const void *job, struct cs_error *err)
{
    (void)err;
    *(const struct job **)worker = job;
    return 0;
}

/* ---- the table of jobs ---- */

static int copy(FILE *from, int to)
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
    const char *head = cs_rigid_log_table_head(job->study->form);

    if (cs_file_put(to, head, strlen(head)))
        return -1;
    for (int w = 1; w <= job->study->ways; w++)
        if (copy(job->part[w], to))
            return -1;
    return 0;
}

static int open_parts(const struct job *job, struct cs_error *err)
{
    for (int w = 1; job->study->table && w <= job->study->ways; w++) {
        job->part[w] = tmpfile();
        if (!job->part[w])
            return cs_error_set_as(err, CS_ERROR_SYSTEM, "a temporary file cannot be made: %s",
                                   strerror(errno));
    }
    return 0;
}

/* ---- all rows ---- */

static void widen(const struct cs_rigid_log_rows *rows)
{
    double length = 0;

    for (int r = 0; r < rows->count; r++)
        if (rows->row[r].series)
            length = fmax(length, rows->row[r].series->length);
    for (int r = 0; r < rows->count; r++)
        if (rows->row[r].series)
            cs_rigid_series_widen(rows->row[r].series, length);
}

/* A replay without any job is a mistake of its input. */
static int check_jobs(const struct job *job, struct cs_error *err)
{
    const struct cs_rigid_log_study *study = job->study;
    const struct cs_log_counts *counts = cs_log_counts(*job->log);
    const char *path = study->path[0];
    const bool spool = study->log.spool && !strcmp(path, study->log.spool);

    if (!counts->kept)
        return cs_log_no_job(cs_source_name(spool ? "-" : path), counts, err);
    if (study->ways && !job->row[1].operated.jobs)
        return cs_error_set(err,
                            "no job is left: each wants more than the %lld processors of "
                            "--user-procs",
                            (long long)study->op.user_procs);
    return 0;
}

int cs_rigid_log_study_run(const struct cs_rigid_log_study *study, struct cs_rigid_log_rows *rows,
                           struct cs_error *err)
{
    const size_t count = (size_t)study->ways + 1;
    struct cs_log *log = NULL;
    struct job job = {study, cs_block_zero(count, sizeof *job.row), &log,
                      cs_block_zero(count, sizeof *job.part)};
    const struct cs_workers share = {
        .runs = (long)count,
        .threads = study->threads,
        .size = sizeof(const struct job *),
        .job = &job,
        .begin = begin,
        .run = run_row,
        .progress = study->progress,
        .who = study->who,
    };
    int status = open_parts(&job, err);

    *rows = (struct cs_rigid_log_rows){(int)count, job.row, NULL};
    if (!status)
        status = cs_workers_run(&share, err) ? -1 : check_jobs(&job, err);
    if (!status && study->table)
        status = cs_file_fill(study->table, join_parts, &job, err);
    rows->log = log;
    for (size_t r = 0; r < count; r++)
        if (job.part[r])
            fclose(job.part[r]);
    cs_block_free(job.part);
    if (status)
        cs_rigid_log_rows_release(rows);
    else
        widen(rows);
    return status;
}

void cs_rigid_log_rows_release(struct cs_rigid_log_rows *rows)
{
    for (int r = 0; r < rows->count; r++) {
        cs_rigid_series_destroy(rows->row[r].series);
        cs_rigid_classes_destroy(rows->row[r].classes);
        cs_rigid_log_kept_destroy(rows->row[r].kept);
        cs_rigid_log_jobs_destroy(rows->row[r].jobs);
    }
    cs_block_free(rows->row);
    cs_log_close(rows->log);
    *rows = (struct cs_rigid_log_rows){0};
}
