/* queue_caveats.c - why a replay may not resemble the site (spec/replay.md 9).
 */
#include "api/views/queue.h"
#include "base/calendar.h"
#include "base/zone.h"
#include "problems/queue/problem.h"
#include "report/human.h"

#include <math.h>
#include <string.h>

int cs_replay_first_row(const struct cs_queue_log_rows *rows)
{
    return cs_queue_is_recorded(rows) ? 0 : 1;
}

struct reasons {
    struct cs_strbuf text;
    int count;
};

static void caveats_give(struct reasons *r)
{
    cs_strbuf_puts(&r->text, r->count++ ? "; " : "");
}

static void put_share(struct cs_strbuf *out, double share)
{
    cs_human_percent(out, share, share < 0.1 ? 1 : 0);
}

static void inspect_use(const struct cs_replay_request *request, const struct cs_queue_log_row *row,
                        struct reasons *r)
{
    const double procs = (double)request->study.log.site->procs;
    const char *unit = cs_replay_unit(request);
    const struct cs_queue_recorded *seen = &row->recorded;

    if (seen->peak > procs) {
        caveats_give(r);
        cs_strbuf_puts(&r->text, "the log uses ");
        cs_human_units(&r->text, (long long)seen->peak, unit);
        cs_strbuf_puts(&r->text, " at the same time, the machine has ");
        cs_human_count(&r->text, (long long)procs);
    }
    if (seen->mostly < 0.95 * procs && row->measured.total_wait > 0) {
        caveats_give(r);
        cs_strbuf_puts(&r->text, "99.9 % of the time no more than ");
        cs_human_count(&r->text, (long long)seen->mostly);
        cs_strbuf_puts(&r->text, " of ");
        cs_human_units(&r->text, (long long)procs, unit);
        cs_strbuf_puts(&r->text, " were in use while jobs waited: the machine was smaller");
    }
}

static void inspect_waiting(const struct cs_replay_request *request,
                            const struct cs_queue_measured *m, struct reasons *r)
{
    const double share = m->total_wait > 0 ? m->unexplained_wait / m->total_wait : 0;

    if (share < 0.25)
        return;
    caveats_give(r);
    put_share(&r->text, share);
    cs_strbuf_printf(&r->text,
                     " of the recorded waiting happened while the job's %ss were free: limits of "
                     "users, memory, shared nodes, partitions, reservations, dependencies or holds",
                     cs_replay_unit(request));
}

static void inspect_counts(const struct cs_log_counts *c, struct reasons *r)
{
    const double all = c->kept_seconds + c->not_ended_seconds + c->too_wide_seconds;
    const double missing = all > 0 ? (c->not_ended_seconds + c->too_wide_seconds) / all : 0;
    const double unknown =
        c->kept ? (double)(c->rule[CS_LOG_NO_REQUEST] + c->rule[CS_LOG_NO_LIMIT]) / (double)c->kept
                : 0;

    if (missing >= 0.01) {
        caveats_give(r);
        cs_strbuf_puts(&r->text, "load is missing: ");
        put_share(&r->text, missing);
        cs_strbuf_puts(&r->text, " of the processor time was still running or too wide");
    }
    if (unknown >= 0.1) {
        caveats_give(r);
        put_share(&r->text, unknown);
        cs_strbuf_puts(&r->text, " of the jobs have no requested time");
    }
}

/* Partitions with at least 5 % of the processor time. */
static int count_partitions(const struct cs_queue_log_row *row)
{
    double all = 0;
    int count, large = 0;
    struct cs_queue_cell *cell;

    if (!row->classes)
        return 0;
    cell = cs_queue_classes_cells(row->classes, CS_QUEUE_BY_PARTITION, &count);
    for (int i = 0; i < count; i++)
        all += cell[i].area;
    for (int i = 0; i < count; i++)
        large += cell[i].key >= 0 && cell[i].area >= 0.05 * all;
    return large;
}

/* Add the reason of several large partitions without a machine file. True if it was added. */
static bool inspect_partitions(const struct cs_replay_request *request,
                               const struct cs_queue_log_row *row, struct reasons *r)
{
    int count = request->file ? 0 : count_partitions(row);

    if (count < 2)
        return false;
    caveats_give(r);
    cs_strbuf_printf(&r->text,
                     "%d partitions have 5 %% of the processor time or more, and no --machine "
                     "defines their nodes",
                     count);
    return true;
}

static bool caveats_differ(double a, double b)
{
    return fabs(a - b) >= 60 && (a >= 2 * b || b >= 2 * a);
}

/* Warn about a large difference of the mean waits, with likely reasons. True if partitions are one
 * of them. */
static bool caveat_waits(struct cs_replay_request *request, const struct cs_queue_log_rows *rows)
{
    const struct cs_queue_log_row *was = &rows->row[0];
    const struct cs_queue_measured *is = &rows->row[1].measured;
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct reasons r = {CS_STRBUF_INIT, 0};
    bool partitions;

    if (!caveats_differ(was->measured.mean_wait, is->mean_wait))
        return false;
    inspect_use(request, was, &r);
    inspect_waiting(request, &was->measured, &r);
    inspect_counts(cs_log_counts(rows->log), &r);
    partitions = inspect_partitions(request, was, &r);
    cs_strbuf_puts(&text, "jobs waited ");
    cs_human_duration(&text, was->measured.mean_wait);
    cs_strbuf_puts(&text, " on average, in the replay with ");
    cs_replay_put_row(request, 1, &text);
    cs_strbuf_puts(&text, " it is ");
    cs_human_duration(&text, is->mean_wait);
    cs_strbuf_puts(&text, r.count ? ": the site did something else than this replay. Likely: "
                                  : ": the site scheduled differently from this replay, for a "
                                    "reason that the log does not contain");
    cs_strbuf_puts(&text, r.text.text);
    cs_replay_warn(request, "%s", text.text);
    cs_strbuf_release(&text);
    cs_strbuf_release(&r.text);
    return partitions;
}

/* "12 jobs WHAT". */
static void warn_jobs(struct cs_replay_request *request, int64_t count, const char *one,
                      const char *many)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!count)
        return;
    cs_human_units(&text, count, "job");
    cs_replay_warn(request, "%s %s", text.text, count == 1 ? one : many);
    cs_strbuf_release(&text);
}

static void warn_malformed(struct cs_replay_request *request, const struct cs_log_counts *c)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!c->notes)
        return;
    cs_human_units(&text, c->rule[CS_LOG_MALFORMED], "malformed line");
    cs_replay_warn(request, "%s left out%s %s", text.text, c->notes > 1 ? "; the first is" : ":",
                   c->note[0]);
    cs_strbuf_release(&text);
}

static void caveat_log(struct cs_replay_request *request, const struct cs_log_counts *c)
{
    const double running = c->not_ended_seconds / (c->kept_seconds + c->not_ended_seconds);

    warn_malformed(request, c);
    if (running > 0.01)
        cs_replay_warn(request, "%.1f %% of the processor time belongs to jobs that had not ended",
                       100 * running);
    warn_jobs(request, c->endless,
              "has neither a State nor an End: it counts as ended, even if it was still running",
              "have neither a State nor an End: they count as ended, even those that were still "
              "running; ask sacct for State");
    if (c->clock_changes >= 10 && !request->options->zone)
        cs_replay_warn(request,
                       "%lld jobs ended an hour off their elapsed time: the clock was changed in "
                       "this log, give --zone, such as --zone Europe/Berlin",
                       (long long)c->clock_changes);
    warn_jobs(request, c->rule[CS_LOG_NEGATIVE_SUBMIT], "was submitted before time 0 of the log",
              "were submitted before time 0 of the log");
    warn_jobs(request, c->rule[CS_LOG_REPEATED_IDS],
              "has the number of an earlier one: each line is a separate job",
              "have the number of an earlier one: each line is a separate job");
    warn_jobs(request, c->rule[CS_LOG_OTHER_PARTITION],
              "names a partition that the machine lacks, and goes to its default",
              "name partitions that the machine lacks, and go to its default");
}

static bool has_gpus(const struct cs_site *site)
{
    for (int g = 0; g < site->groups; g++)
        if (site->group[g].gpus > 0)
            return true;
    return false;
}

/* Warn about GPUs of the machine that the log does not record, and about requests that no node has.
 */
static void caveat_gres(struct cs_replay_request *request, const struct cs_log_counts *c)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (has_gpus(request->study.log.site) && !c->with_gpus)
        cs_replay_warn(request, "the log records no GPUs%s; waiting for GPUs cannot be replayed",
                       request->kind == CS_LOG_SACCT ? " (AccountingStorageTRES without gres/gpu)"
                                                     : "");
    if (!c->lacking)
        return;
    cs_human_units(&text, c->lacking, "job");
    cs_replay_warn(request, "%s left out: no node has what %s, %s%s", text.text,
                   c->lacking == 1 ? "it asks for" : "they ask for", c->lacks,
                   c->lacking == 1 ? "" : " for the first");
    cs_strbuf_release(&text);
}

/* "on 2025-10-25 at 10:00:00" if the log has the date of its beginning, else "at 3600 s". */
static void caveats_put_time(const struct cs_replay_request *request, double time,
                             struct cs_strbuf *out)
{
    const int64_t seconds = request->epoch + (int64_t)floor(time);
    const int64_t local = seconds + cs_zone_offset(request->zone, seconds);
    const int64_t day = cs_calendar_day(local), of_day = local - day * 86400;
    char date[32];

    if (!request->dated) {
        cs_strbuf_printf(out, "at %.15g s", time);
        return;
    }
    cs_calendar_date(day, date);
    cs_strbuf_printf(out, "on %s at %02d:%02d:%02d", date, (int)(of_day / 3600),
                     (int)(of_day / 60 % 60), (int)(of_day % 60));
}

static void caveat_recorded(struct cs_replay_request *request, const struct cs_queue_log_rows *rows)
{
    const struct cs_queue_recorded *seen = &rows->row[0].recorded;

    warn_jobs(request, seen->early,
              "is recorded as started before it arrived: it counts as not having waited",
              "are recorded as started before they arrived: they count as not having waited");
    if (seen->over) {
        struct cs_strbuf text = CS_STRBUF_INIT;

        cs_human_units(&text, (long long)request->study.log.site->procs, cs_replay_unit(request));
        cs_strbuf_puts(&text, " of the machine in use at ");
        cs_human_units(&text, (long long)seen->over, "instant");
        cs_strbuf_puts(&text, ", up to ");
        cs_human_count(&text, (long long)seen->peak);
        cs_strbuf_puts(&text, "; the first is ");
        caveats_put_time(request, seen->first_over, &text);
        cs_replay_warn(request, "the log has more than the %s", text.text);
        cs_strbuf_release(&text);
    }
}

/* Textbook conservative backfilling moves every job dozens of times under overload. */
static void caveat_effort(struct cs_replay_request *request, const struct cs_queue_log_rows *rows)
{
    for (int r = 1; r < rows->count; r++) {
        const struct cs_queue_operated *o = &rows->row[r].operated;

        if (o->jobs && o->moves > 20 * o->jobs)
            cs_replay_warn(request,
                           "%s moved each job %.0f times: conservative:compress=20 keeps all "
                           "promises too, and is much faster on such a log",
                           request->shown[r - 1], (double)o->moves / (double)o->jobs);
    }
}

/* Does a variant have the policy `list` with this number of reservations (NAN: all)? */
static bool has_list(const struct cs_queue_log_study *study, double reservations)
{
    for (int w = 0; w < study->variants; w++) {
        const struct cs_queue_operation *op = &study->variant[w].op;

        if (!strcmp(op->policy->info.name, "list") &&
            (isnan(reservations) ? isnan(op->param[0]) : op->param[0] == reservations))
            return true;
    }
    return false;
}

static bool has_priority(const struct cs_queue_log_study *study, const char *name)
{
    for (int w = 0; w < study->variants; w++)
        if (!strcmp(study->variant[w].priority, name))
            return true;
    return false;
}

/* Warn about variants whose names promise more. */
static void caveat_variants(struct cs_replay_request *request)
{
    const struct cs_sched_multifactor *m = &request->multifactor;

    if (has_list(&request->study, 1))
        cs_replay_warn(request, "list:reservations=1 is R-LIST-1, in which a first job that fits "
                                "uses up the reservation: EASY is easy");
    if (has_list(&request->study, NAN))
        cs_replay_warn(request, "list:reservations=all renews reservations when a job ends "
                                "early, and breaks promises: conservative keeps them");
    if (has_priority(&request->study, "slurm") &&
        !(m->age_weight != 0 || m->fairshare_weight != 0 || m->size_weight != 0 ||
          m->partition_weight != 0 || m->qos_weight != 0))
        cs_replay_warn(request, "the priority slurm has no weights, so that jobs are in the order "
                                "of fcfs: --machine FILE gives them");
}

/* Warn if the site ends jobs that run longer than requested, but the replay does not. */
static void caveat_overrun(struct cs_replay_request *request, const struct cs_log_counts *c)
{
    const int64_t longer = c->rule[CS_LOG_REQUEST_BELOW_RUN];
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!longer || !request->file || isnan(request->file->grace) ||
        request->study.op.overrun == CS_QUEUE_KILL)
        return;
    cs_human_units(&text, longer, "job");
    cs_replay_warn(request,
                   "%s: OverTimeLimit counts with --overrun kill only: %s that ran longer than "
                   "requested run%s here as long as in the log",
                   request->options->machine, text.text, longer == 1 ? "s" : "");
    cs_strbuf_release(&text);
}

static void caveat_partitions(struct cs_replay_request *request,
                              const struct cs_queue_log_rows *rows)
{
    const int count = cs_log_partitions(rows->log)->count;

    if (!request->file && count > 1)
        cs_replay_warn(request,
                       "the log has %d partitions and no --machine defines their nodes: all jobs "
                       "share one machine",
                       count);
}

void cs_replay_caveat(struct cs_replay_request *request, const struct cs_queue_log_rows *rows)
{
    const struct cs_log_counts *counts = cs_log_counts(rows->log);
    bool reported = false;

    caveat_log(request, counts);
    caveat_gres(request, counts);
    if (counts->kept && cs_replay_first_row(rows) > 0) {
        cs_replay_warn(request,
                       "fewer than half of the jobs have a recorded start: there is no row "
                       "of what was recorded");
    } else if (counts->kept) {
        caveat_recorded(request, rows);
        reported = caveat_waits(request, rows);
    }
    if (!reported)
        caveat_partitions(request, rows);
    caveat_overrun(request, counts);
    caveat_variants(request);
    caveat_effort(request, rows);
}
