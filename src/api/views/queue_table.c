/* queue_table.c - the rows of a replay as a table for people, as JSON and as CSV. */
#include "api/views/queue.h"
#include "base/zone.h"
#include "problems/queue/problem.h"
#include "report/human.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Why a replay may not resemble the site (spec/replay.md 9).
 */

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
        const struct cs_queue_simulated *o = &rows->row[r].operated;

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
    const bool whole = rows->count == request->study.variants + 1; /* no sets */
    bool reported = false;

    caveat_log(request, counts);
    caveat_gres(request, counts);
    if (counts->kept && whole && cs_replay_first_row(rows) > 0) {
        cs_replay_warn(request,
                       "fewer than half of the jobs have a recorded start: there is no row "
                       "of what was recorded");
    } else if (counts->kept && whole) {
        caveat_recorded(request, rows);
        reported = caveat_waits(request, rows);
    }
    if (!reported)
        caveat_partitions(request, rows);
    caveat_overrun(request, counts);
    caveat_variants(request);
    if (whole)
        caveat_effort(request, rows);
}

static bool several_priorities(const struct cs_replay_request *request)
{
    const struct cs_queue_log_study *study = &request->study;

    for (int w = 1; w < study->variants; w++)
        if (strcmp(study->variant[w].priority, study->variant[0].priority))
            return true;
    return false;
}

void cs_replay_put_row(const struct cs_replay_request *request, int row, struct cs_strbuf *out)
{
    if (row == 0) {
        cs_strbuf_puts(out, "recorded");
        return;
    }
    cs_strbuf_puts(out, request->shown[row - 1]);
    if (several_priorities(request) || strcmp(request->study.variant[row - 1].priority, "fcfs"))
        cs_strbuf_printf(out, ", %s", request->study.variant[row - 1].priority);
    if (request->scenarios > 1)
        cs_strbuf_printf(out, ", scenario %d", request->study.variant[row - 1].scenario);
}

/* ---- the input ---- */

/* "left out: 3 steps, 1 row that is no job" of the rules from first on; no text if no rule applied.
 */
static void put_rules(const struct cs_log_counts *c, const char *words, int first, int end,
                      struct cs_strbuf *out)
{
    const char *between = words;

    for (int rule = first; rule < end; rule++) {
        if (!c->rule[rule])
            continue;
        cs_strbuf_puts(out, between);
        cs_human_count(out, c->rule[rule]);
        cs_strbuf_printf(out, " %s", cs_log_rule_words((enum cs_log_rule)rule, c->rule[rule]));
        between = ", ";
    }
    if (between != words)
        cs_strbuf_putc(out, '\n');
}

static void put_left_out(const struct cs_log_counts *c, struct cs_strbuf *out)
{
    put_rules(c, "left out: ", 0, CS_LOG_KEPT, out);
    put_rules(c, "of those kept: ", CS_LOG_KEPT, CS_LOG_RULES, out);
}

static const char *kind_of_site(const struct cs_site *site)
{
    static const char *const kind[] = {
        [CS_SITE_PROCESSORS] = "processors, counted",
        [CS_SITE_NODES] = "whole nodes, counted",
        [CS_SITE_POOLED] = "cores, memory and GPUs of each group pooled",
        [CS_SITE_PACKED] = "cores, memory and GPUs of each node",
    };

    return kind[site->kind];
}

const char *cs_replay_unit(const struct cs_replay_request *request)
{
    const enum cs_log_unit unit = request->study.log.unit;
    const enum cs_site_kind kind = request->study.log.site->kind;
    const bool nodes =
        unit == CS_LOG_NODES || (unit == CS_LOG_UNIT_DEFAULT && request->kind == CS_LOG_ALCF);

    return kind == CS_SITE_NODES || (kind == CS_SITE_PROCESSORS && nodes) ? "node" : "processor";
}

/* "out of service: 3 nodes with 12 processors (1 down, 2 future)". */
static void put_out_of_service(const struct cs_site_file *file, struct cs_strbuf *out)
{
    const struct {
        int nodes;
        const char *word;
    } of[] = {{file->down, "down"}, {file->drained, "drained"}, {file->future, "future"}};
    const char *gap = " (";

    if (file->down + file->drained + file->future == 0)
        return;
    cs_strbuf_puts(out, "out of service: ");
    cs_human_units(out, file->down + file->drained + file->future, "node");
    cs_strbuf_puts(out, " with ");
    cs_human_units(out, file->out_procs, "processor");
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        if (!of[i].nodes)
            continue;
        cs_strbuf_printf(out, "%s%d %s", gap, of[i].nodes, of[i].word);
        gap = ", ";
    }
    cs_strbuf_puts(out, ")\n");
}

void cs_replay_put_head(const struct cs_replay_request *request, const struct cs_log_counts *c,
                        struct cs_strbuf *out)
{
    const struct cs_site *site = request->study.log.site;

    cs_human_units(out, c->kept, "job");
    cs_strbuf_puts(out, " of ");
    cs_human_units(out, c->lines, request->model ? "drawn job" : "line");
    cs_strbuf_printf(out, " (%s",
                     request->model ? request->model : cs_log_kind_name(request->kind));
    if (request->files > 1)
        cs_strbuf_printf(out, ", %d files", request->files);
    cs_strbuf_puts(out, ") on ");
    cs_human_units(out, site->procs, cs_replay_unit(request));
    if (request->file) {
        cs_strbuf_printf(out, " (%s", kind_of_site(site));
        cs_strbuf_puts(out, "; ");
        cs_human_units(out, site->partitions, "partition");
        cs_strbuf_putc(out, ')');
    }
    cs_strbuf_putc(out, '\n');
    if (request->file)
        put_out_of_service(request->file, out);
    put_left_out(c, out);
}

/* ---- the table ---- */

static const struct cs_column columns[] = {
    {.key = "policy", .kind = CS_COLUMN_WORD},
    {.key = "mean", .heading = "wait", .unit = "mean", .kind = CS_COLUMN_WORD},
    {.key = "sure", .heading = "", .unit = "95 % sure", .kind = CS_COLUMN_WORD},
    {.key = "median", .heading = "", .unit = "median", .kind = CS_COLUMN_WORD},
    {.key = "p95", .heading = "", .unit = "95 % of jobs", .kind = CS_COLUMN_WORD},
    {.key = "longest", .heading = "", .unit = "longest", .kind = CS_COLUMN_WORD},
    {.key = "weighted", .heading = "", .unit = "by area", .kind = CS_COLUMN_WORD},
    {.key = "slowdown",
     .heading = "slowdown",
     .unit = "mean",
     .kind = CS_COLUMN_NUMBER,
     .digits = 1},
    {.key = "queue", .heading = "queue", .unit = "mean", .kind = CS_COLUMN_NUMBER, .digits = 1},
    {.key = "longest_queue", .heading = "", .unit = "longest", .kind = CS_COLUMN_COUNT},
    {.key = "utilisation", .heading = "utilisation", .kind = CS_COLUMN_FRACTION, .digits = 1},
    {.key = "lost", .heading = "lost", .kind = CS_COLUMN_FRACTION, .digits = 1},
    {.key = "unfair", .heading = "unfair", .unit = "jobs", .kind = CS_COLUMN_FRACTION, .digits = 1},
    {.key = "unfairness", .heading = "", .unit = "mean", .kind = CS_COLUMN_WORD},
    {.key = "energy", .heading = "energy", .unit = "kWh", .kind = CS_COLUMN_NUMBER, .digits = 3},
    {.key = "idle", .heading = "", .unit = "idle", .kind = CS_COLUMN_NUMBER, .digits = 3},
};

enum { ALL_COLUMNS = sizeof columns / sizeof columns[0], PLAIN_COLUMNS = ALL_COLUMNS - 4 };

/* A duration, "-" for none; approximate ones carry a sign. */
static void add_time(struct cs_table *table, double seconds, bool approximate)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (isnan(seconds)) {
        cs_table_unknown(table);
        return;
    }
    cs_strbuf_puts(&text, approximate ? "\xe2\x89\x88" : "");
    cs_human_duration(&text, seconds);
    cs_table_text(table, text.text);
    cs_strbuf_release(&text);
}

/* Half the width of the interval, in brackets if it is probably too small. */
static void add_half(struct cs_table *table, const struct cs_queue_confidence *c)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const bool doubtful = c->related > 0.3;

    if (c->batch == 0 || isnan(c->half)) {
        cs_table_unknown(table);
        return;
    }
    cs_strbuf_puts(&text, doubtful ? "(\xc2\xb1 " : "\xc2\xb1 ");
    cs_human_duration(&text, c->half);
    cs_strbuf_puts(&text, doubtful ? ")" : "");
    cs_table_text(table, text.text);
    cs_strbuf_release(&text);
}

static void add_fairness(struct cs_table *table, const struct cs_queue_measured *m)
{
    if (m->fair_jobs)
        cs_table_number(table, (double)m->unfair_jobs / (double)m->fair_jobs);
    else
        cs_table_unknown(table);
    add_time(table, m->mean_unfairness, false);
}

static void add_row(struct cs_table *table, const char *name, const struct cs_queue_measured *m)
{
    cs_table_text(table, name);
    add_time(table, m->mean_wait, false);
    add_half(table, &m->wait);
    add_time(table, m->median_wait, m->approximate);
    add_time(table, m->p95_wait, m->approximate);
    add_time(table, m->longest_wait, false);
    add_time(table, m->area_weighted_wait, false);
    cs_table_number(table, m->mean_slowdown);
    cs_table_number(table, m->mean_queue);
    cs_table_count(table, m->longest_queue);
    cs_table_number(table, m->utilisation);
    cs_table_number(table, m->loss_of_capacity);
}

static void show_put_table(const struct cs_table *table, int width, struct cs_strbuf *out)
{
    if (width)
        cs_table_fit(table, width, out);
    else
        cs_table_write(table, CS_TABLE_TEXT, 0, out);
}

static void put_rows(const struct cs_replay_request *request, const struct cs_queue_log_rows *rows,
                     int width, struct cs_strbuf *out)
{
    const bool fairness = request->options->fairness > 0, energy = request->study.energy;
    struct cs_column shown[ALL_COLUMNS];
    struct cs_table *table;
    int count = PLAIN_COLUMNS;

    memcpy(shown, columns, sizeof shown);
    for (int c = 0; c < 2 && fairness; c++)
        shown[count++] = columns[PLAIN_COLUMNS + c];
    for (int c = 2; c < 4 && energy; c++)
        shown[count++] = columns[PLAIN_COLUMNS + c];
    table = cs_table_create(shown, count);

    for (int r = cs_replay_first_row(rows); r < rows->count; r++) {
        struct cs_strbuf name = CS_STRBUF_INIT;

        cs_replay_put_row(request, r, &name);
        add_row(table, name.text, &rows->row[r].measured);
        if (fairness)
            add_fairness(table, &rows->row[r].measured);
        if (energy) {
            cs_table_number(table, rows->row[r].energy.total / 3.6e6);
            cs_table_number(table, rows->row[r].energy.idle / 3.6e6);
        }
        cs_strbuf_release(&name);
    }
    show_put_table(table, width, out);
    cs_table_destroy(table);
}

/* Append the events of the jobs of a row. */
static void put_events_of(const struct cs_queue_simulated *o, struct cs_strbuf *out)
{
    const struct {
        int64_t count;
        const char *thing, *what; /* "3 THINGs WHAT" */
    } event[] = {{o->raised, "estimate", "raised to the run time"},
                 {o->killed, "job", "killed at the request"},
                 {o->extended, "extension", "of estimates that were too short"},
                 {o->requeued, "attempt", "ended by outages"},
                 {o->failures, "attempt", "ended by errors"},
                 {o->over_limit, "job", "left out: alone above the limit of a user"},
                 {o->broken, "promise", "broken"}};

    for (size_t i = 0; i < sizeof event / sizeof event[0]; i++) {
        if (!event[i].count)
            continue;
        cs_strbuf_puts(out, out->length ? ", " : "");
        cs_human_units(out, event[i].count, event[i].thing);
        cs_strbuf_printf(out, " %s", event[i].what);
    }
}

/* One line if all rows have the same events. */
void cs_replay_put_events(const struct cs_replay_request *request,
                          const struct cs_queue_log_rows *rows, struct cs_strbuf *out)
{
    struct cs_strbuf first = CS_STRBUF_INIT, text = CS_STRBUF_INIT;
    bool same = rows->count > 2;

    put_events_of(&rows->row[1].operated, &first);
    for (int r = 2; r < rows->count; r++) {
        cs_strbuf_clear(&text);
        put_events_of(&rows->row[r].operated, &text);
        same = same && !strcmp(text.text, first.text);
    }
    for (int r = 1; r < (same ? 2 : rows->count); r++) {
        cs_strbuf_clear(&text);
        put_events_of(&rows->row[r].operated, &text);
        if (!text.length)
            continue;
        if (same)
            cs_strbuf_puts(out, "every policy");
        else
            cs_replay_put_row(request, r, out);
        cs_strbuf_printf(out, ": %s\n", text.text);
    }
    cs_strbuf_release(&first);
    cs_strbuf_release(&text);
}

/* ---- tables by class ---- */

const struct cs_log_names *cs_replay_names(const struct cs_log *log, enum cs_queue_by by)
{
    switch (by) {
    case CS_QUEUE_BY_USER:
        return cs_log_users(log);
    case CS_QUEUE_BY_ACCOUNT:
        return cs_log_accounts(log);
    case CS_QUEUE_BY_PARTITION:
        return cs_log_partitions(log);
    case CS_QUEUE_BY_QOS:
        return cs_log_qualities(log);
    default:
        return NULL;
    }
}

enum { HOURS = 3 };

static const struct cs_column cell_columns[] = {
    {.key = "class", .kind = CS_COLUMN_WORD},
    {.key = "row", .heading = "policy", .kind = CS_COLUMN_WORD},
    {.key = "jobs", .kind = CS_COLUMN_COUNT},
    [HOURS] = {.key = "hours", .heading = "processor hours", .kind = CS_COLUMN_NUMBER, .digits = 0},
    {.key = "mean", .heading = "wait", .unit = "mean", .kind = CS_COLUMN_WORD},
    {.key = "median", .heading = "", .unit = "median", .kind = CS_COLUMN_WORD},
    {.key = "p95", .heading = "", .unit = "95 % of jobs", .kind = CS_COLUMN_WORD},
    {.key = "longest", .heading = "", .unit = "longest", .kind = CS_COLUMN_WORD},
    {.key = "slowdown",
     .heading = "slowdown",
     .unit = "mean",
     .kind = CS_COLUMN_NUMBER,
     .digits = 1},
};

static void add_cell(struct cs_table *table, const char *class, const char *row,
                     struct cs_queue_cell *cell)
{
    const bool approximate = cs_sketch_packed(&cell->waits);

    cs_table_text(table, class);
    cs_table_text(table, row);
    cs_table_count(table, cell->jobs);
    cs_table_number(table, cell->area / 3600);
    add_time(table, cs_neumaier(&cell->wait) / (double)cell->jobs, false);
    add_time(table, cs_sketch_quantile(&cell->waits, 0.5), approximate);
    add_time(table, cs_sketch_quantile(&cell->waits, 0.95), approximate);
    add_time(table, cs_sketch_quantile(&cell->waits, 1), false);
    cs_table_number(table, cs_neumaier(&cell->slowdown) / (double)cell->jobs);
}

/* Cells that are shown, by processor time where they are users or accounts. */
struct order {
    const struct cs_queue_cell *cell;
    int count, *index;
};

static const struct cs_queue_cell *sorted_cells;

static int by_area(const void *a, const void *b)
{
    const struct cs_queue_cell *x = &sorted_cells[*(const int *)a];
    const struct cs_queue_cell *y = &sorted_cells[*(const int *)b];

    if (x->area != y->area)
        return x->area < y->area ? 1 : -1;
    return (x->key > y->key) - (x->key < y->key);
}

static struct order order_cells(const struct cs_replay_request *request,
                                struct cs_queue_log_row *row, enum cs_queue_by by)
{
    struct order order;

    order.cell = cs_queue_classes_cells(row->classes, by, &order.count);
    order.index = CS_NEW_ARRAY(request->arena, int, order.count);
    for (int i = 0; i < order.count; i++)
        order.index[i] = i;
    if (by == CS_QUEUE_BY_USER || by == CS_QUEUE_BY_ACCOUNT) {
        sorted_cells = order.cell;
        qsort(order.index, (size_t)order.count, sizeof *order.index, by_area);
        if (order.count > request->options->top)
            order.count = (int)request->options->top;
    }
    return order;
}

static struct cs_queue_cell *find_cell(struct cs_queue_log_row *row, enum cs_queue_by by,
                                       int64_t key)
{
    int count;
    struct cs_queue_cell *cell = cs_queue_classes_cells(row->classes, by, &count);

    for (int i = 0; i < count; i++)
        if (cell[i].key == key)
            return &cell[i];
    return NULL;
}

static void put_classes(const struct cs_replay_request *request,
                        const struct cs_queue_log_rows *rows, enum cs_queue_by by, int width,
                        struct cs_strbuf *out)
{
    struct cs_column column[sizeof cell_columns / sizeof cell_columns[0]];
    struct cs_table *table;
    struct order order = order_cells(request, &rows->row[1], by);

    memcpy(column, cell_columns, sizeof column);
    if (!strcmp(cs_replay_unit(request), "node"))
        column[HOURS].heading = "node hours";
    table = cs_table_create(column, (int)(sizeof column / sizeof column[0]));
    for (int i = 0; i < order.count; i++) {
        const int64_t key = order.cell[order.index[i]].key;
        struct cs_strbuf class = CS_STRBUF_INIT;

        cs_queue_class_put(by, key, cs_replay_names(rows->log, by), &class);
        for (int r = cs_replay_first_row(rows); r < rows->count; r++) {
            struct cs_queue_cell *cell = find_cell(&rows->row[r], by, key);
            struct cs_strbuf name = CS_STRBUF_INIT;

            cs_replay_put_row(request, r, &name);
            if (cell)
                add_cell(table, class.text, name.text, cell);
            cs_strbuf_release(&name);
        }
        cs_strbuf_release(&class);
    }
    cs_strbuf_printf(out, "\nby %s\n", cs_queue_by_word(by));
    show_put_table(table, width, out);
    cs_table_destroy(table);
}

void cs_replay_put_tables(const struct cs_replay_request *request,
                          const struct cs_queue_log_rows *rows, int width, struct cs_strbuf *out)
{
    for (int by = 0; by < CS_QUEUE_BYS; by++)
        if (request->by >> by & 1)
            put_classes(request, rows, (enum cs_queue_by)by, width, out);
}

void cs_replay_show(const struct cs_replay_request *request, const struct cs_queue_log_rows *rows,
                    int width, struct cs_strbuf *out)
{
    cs_replay_put_head(request, cs_log_counts(rows->log), out);
    cs_strbuf_putc(out, '\n');
    put_rows(request, rows, width, out);
    cs_replay_put_events(request, rows, out);
    cs_replay_put_tables(request, rows, width, out);
}
