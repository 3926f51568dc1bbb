/* queue.c - the view of queue: jobs that arrive. */
#include "api/views/queue.h"
#include "api/view.h"
#include "base/csv.h"
#include "base/plain.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "problem/inputs.h"
#include "problem/problem.h"
#include "problems/queue/problem.h"
#include "report/gantt.h"
#include "report/human.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows of a replay for programs: JSON (cosched-replay-1) and CSV. */

static const char *policy_of(const struct cs_replay_request *request, int row)
{
    return row ? request->study.variant[row - 1].policy : "recorded";
}

static const char *priority_of(const struct cs_replay_request *request, int row)
{
    return row ? request->study.variant[row - 1].priority : NULL;
}

static void put_input(const struct cs_replay_request *request, const struct cs_log_counts *c,
                      struct cs_jsonw *w)
{
    cs_jsonw_key(w, "input");
    cs_jsonw_open(w, '{');
    cs_jsonw_key(w, "files");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < request->files && !request->model; i++)
        cs_jsonw_string(w, request->path[i] == request->spool ? "-" : request->path[i]);
    cs_jsonw_close(w);
    if (request->model)
        cs_jsonw_put_string(w, "drawn", request->model);
    cs_jsonw_put_string(w, "kind", cs_log_kind_name(request->kind));
    cs_jsonw_put_int(w, "lines", c->lines);
    cs_jsonw_put_int(w, "jobs", c->kept);
    cs_jsonw_key(w, "rules");
    cs_jsonw_open(w, '{');
    for (int rule = 0; rule < CS_LOG_RULES; rule++)
        cs_jsonw_put_int(w, cs_log_rule_key((enum cs_log_rule)rule), c->rule[rule]);
    cs_jsonw_close(w);
    cs_jsonw_put_double(w, "processor_seconds", c->kept_seconds);
    cs_jsonw_put_double(w, "not_ended_processor_seconds", c->not_ended_seconds);
    cs_jsonw_put_double(w, "too_wide_processor_seconds", c->too_wide_seconds);
    cs_jsonw_key(w, "malformed_lines");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < c->notes; i++)
        cs_jsonw_string(w, c->note[i]);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "warnings");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < request->warnings; i++)
        cs_jsonw_string(w, request->warning[i]);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

/* "gres": {"gpu:a100": 4} of a node. */
static void put_gres(const struct cs_site *site, const struct cs_site_group *group,
                     struct cs_jsonw *w)
{
    cs_jsonw_key(w, "gres");
    cs_jsonw_open_flat(w, '{');
    for (int i = 0; i < group->gres; i++) {
        const struct cs_site_kind_of_gres *kind = &site->kind_of_gres[group->gres_list[i].kind];
        char name[160];

        cs_plain_print(name, sizeof name, "%.70s%s%.70s", kind->name, *kind->type ? ":" : "",
                       kind->type);
        cs_jsonw_put_int(w, name, group->gres_list[i].count);
    }
    cs_jsonw_close(w);
}

static void put_out_of_service(const struct cs_site_file *file, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "out_of_service");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "down", file->down);
    cs_jsonw_put_int(w, "drained", file->drained);
    cs_jsonw_put_int(w, "future", file->future);
    cs_jsonw_put_int(w, "procs", file->out_procs);
    cs_jsonw_close(w);
}

static void put_machine(const struct cs_replay_request *request, struct cs_jsonw *w)
{
    static const char *const kind[] = {"processors", "node", "pooled", "packed"};
    const struct cs_site *site = request->study.log.site;

    cs_jsonw_key(w, "machine");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "alloc", kind[site->kind]);
    cs_jsonw_put_int(w, "procs", site->procs);
    cs_jsonw_put_string(w, "unit", cs_replay_unit(request));
    if (request->file && request->file->down + request->file->drained + request->file->future)
        put_out_of_service(request->file, w);
    cs_jsonw_key(w, "groups");
    cs_jsonw_open(w, '[');
    for (int g = 0; g < site->groups && site->kind != CS_SITE_PROCESSORS; g++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "name", site->group[g].name);
        cs_jsonw_put_int(w, "nodes", site->group[g].nodes);
        cs_jsonw_put_int(w, "cores", site->group[g].cores);
        cs_jsonw_put_int(w, "memory", site->group[g].memory);
        cs_jsonw_put_int(w, "gpus", site->group[g].gpus);
        if (site->kinds && site->group[g].gres)
            put_gres(site, &site->group[g], w);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_key(w, "partitions");
    cs_jsonw_open_flat(w, '[');
    for (int p = 0; p < site->partitions && site->kind != CS_SITE_PROCESSORS; p++)
        cs_jsonw_string(w, site->partition[p].name);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void put_recorded(const struct cs_queue_log_row *row, struct cs_jsonw *w)
{
    cs_jsonw_put_double(w, "peak_in_use", row->recorded.peak);
    cs_jsonw_put_double(w, "p999_of_time_in_use", row->recorded.mostly);
    cs_jsonw_put_int(w, "instants_above_machine", row->recorded.over);
    cs_jsonw_put_double(w, "total_wait", row->measured.total_wait);
    cs_jsonw_put_double(w, "unexplained_wait", row->measured.unexplained_wait);
}

static void put_cell(struct cs_queue_cell *cell, enum cs_queue_by by, const struct cs_log *log,
                     struct cs_jsonw *w)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    const double jobs = (double)cell->jobs;

    cs_queue_class_put(by, cell->key, cs_replay_names(log, by), &name);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "class", name.text);
    cs_jsonw_put_int(w, "key", cell->key);
    cs_jsonw_put_int(w, "jobs", cell->jobs);
    cs_jsonw_put_double(w, "processor_hours", cell->area / 3600);
    cs_jsonw_put_double(w, "mean_wait", cs_neumaier(&cell->wait) / jobs);
    cs_jsonw_put_double(w, "median_wait", cs_sketch_quantile(&cell->waits, 0.5));
    cs_jsonw_put_double(w, "p95_wait", cs_sketch_quantile(&cell->waits, 0.95));
    cs_jsonw_put_double(w, "longest_wait", cs_sketch_quantile(&cell->waits, 1));
    cs_jsonw_put_double(w, "mean_bounded_slowdown", cs_neumaier(&cell->slowdown) / jobs);
    cs_jsonw_close(w);
    cs_strbuf_release(&name);
}

static void put_tables(const struct cs_replay_request *request,
                       const struct cs_queue_log_rows *rows, int r, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "tables");
    cs_jsonw_open(w, '{');
    for (int by = 0; by < CS_QUEUE_BYS; by++) {
        int count;
        struct cs_queue_cell *cell;

        if (!(request->study.by >> by & 1))
            continue;
        cell = cs_queue_classes_cells(rows->row[r].classes, (enum cs_queue_by)by, &count);
        cs_jsonw_key(w, cs_queue_by_word((enum cs_queue_by)by));
        cs_jsonw_open(w, '[');
        for (int i = 0; i < count; i++)
            put_cell(&cell[i], (enum cs_queue_by)by, rows->log, w);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* ---- data of charts ---- */

static void data_put_time(const struct cs_replay_request *request,
                          const struct cs_queue_log_rows *rows, struct cs_jsonw *w)
{
    const struct cs_queue_operation *op = &request->study.op;

    cs_jsonw_key(w, "time");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_int(w, "epoch", request->epoch);
    cs_jsonw_put_bool(w, "dated", request->dated);
    cs_jsonw_put_string(w, "zone", request->zone_name);
    cs_jsonw_put_double(w, "last_arrival", rows->row[cs_replay_first_row(rows)].measured.last);
    cs_jsonw_key(w, "outages");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < op->outages; i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_double(w, "start", op->outage[i].start);
        cs_jsonw_put_double(w, "end", op->outage[i].end);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

typedef double bin_f(const struct cs_queue_bin *bin);

static double data_busy(const struct cs_queue_bin *bin)
{
    return bin->used;
}

static double data_queue(const struct cs_queue_bin *bin)
{
    return bin->queue;
}

static double data_work(const struct cs_queue_bin *bin)
{
    return bin->work;
}

static double data_arrivals(const struct cs_queue_bin *bin)
{
    return (double)bin->arrivals;
}

static double data_starts(const struct cs_queue_bin *bin)
{
    return (double)bin->starts;
}

static double data_measured(const struct cs_queue_bin *bin)
{
    return (double)bin->measured;
}

static double data_waited(const struct cs_queue_bin *bin)
{
    return bin->wait;
}

/* Sums over bins of equal length. */
static void put_series(const struct cs_queue_series *series, struct cs_jsonw *w)
{
    static const struct {
        const char *key;
        bin_f *of;
    } curve[] = {{"busy_processor_seconds", data_busy},
                 {"waiting_job_seconds", data_queue},
                 {"waiting_work_seconds", data_work},
                 {"arrivals", data_arrivals},
                 {"starts", data_starts},
                 {"measured_jobs", data_measured},
                 {"total_wait", data_waited}};

    cs_jsonw_key(w, "series");
    cs_jsonw_open(w, '{');
    cs_jsonw_put_double(w, "origin", series->origin);
    cs_jsonw_put_double(w, "seconds", series->length);
    for (size_t c = 0; c < sizeof curve / sizeof curve[0]; c++) {
        cs_jsonw_key(w, curve[c].key);
        cs_jsonw_open_flat(w, '[');
        for (int b = 0; b < series->count; b++)
            cs_jsonw_double(w, curve[c].of(&series->bin[b]));
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* A distribution function: the share of jobs with at most each value. */
static void put_shares(const char *key, double (*at)(int), const double *share, struct cs_jsonw *w)
{
    cs_jsonw_key(w, key);
    cs_jsonw_open(w, '{');
    cs_jsonw_key(w, "at");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < CS_QUEUE_SHARES; i++)
        cs_jsonw_double(w, at(i));
    cs_jsonw_close(w);
    cs_jsonw_key(w, "share");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < CS_QUEUE_SHARES; i++)
        cs_jsonw_double(w, share[i]);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void data_put_row(const struct cs_replay_request *request,
                         const struct cs_queue_log_rows *rows, int r, struct cs_jsonw *w)
{
    const struct cs_queue_log_row *row = &rows->row[r];
    const struct cs_queue_outcome outcome = cs_queue_outcome_of(row);
    struct cs_strbuf name = CS_STRBUF_INIT;

    cs_replay_put_row(request, r, &name);
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "name", name.text);
    cs_jsonw_put_string(w, "policy", policy_of(request, r));
    cs_jsonw_put_string(w, "priority", priority_of(request, r));
    if (request->scenarios > 1 && r)
        cs_jsonw_put_int(w, "scenario", request->study.variant[r - 1].scenario);
    for (const struct cs_value *v = cs_problem_queue.value; cs_queue_is_replay_value(v); v++)
        cs_jsonw_put_double(w, v->name, v->of(NULL, &outcome));
    if (request->study.energy) {
        cs_jsonw_put_double(w, "energy_kwh", row->energy.total / 3.6e6);
        cs_jsonw_put_double(w, "idle_kwh", row->energy.idle / 3.6e6);
        cs_energy_put(&row->energy, request->study.energy, w);
    }
    cs_jsonw_put_bool(w, "quantiles_are_approximate", row->measured.approximate);
    if (r == 0)
        put_recorded(row, w);
    if (request->study.by)
        put_tables(request, rows, r, w);
    put_series(row->series, w);
    put_shares("waits", cs_queue_share_wait, row->shares->wait, w);
    put_shares("slowdowns", cs_queue_share_slowdown, row->shares->slowdown, w);
    cs_jsonw_close(w);
    cs_strbuf_release(&name);
}

void cs_replay_json(const struct cs_replay_request *request, const struct cs_queue_log_rows *rows,
                    const char *command, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "format", "cosched-replay-1");
    cs_jsonw_put_string(&w, "command", command);
    put_input(request, cs_log_counts(rows->log), &w);
    put_machine(request, &w);
    data_put_time(request, rows, &w);
    cs_jsonw_key(&w, "rows");
    cs_jsonw_open(&w, '[');
    for (int r = cs_replay_first_row(rows); r < rows->count; r++)
        data_put_row(request, rows, r, &w);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void data_put_number(struct cs_strbuf *out, double value)
{
    cs_strbuf_putc(out, ',');
    if (isfinite(value))
        cs_strbuf_put_double(out, value);
}

static void put_row_names(const struct cs_replay_request *request, int r, struct cs_strbuf *out)
{
    cs_csv_quote(out, policy_of(request, r));
    cs_strbuf_putc(out, ',');
    if (priority_of(request, r))
        cs_csv_quote(out, priority_of(request, r));
    if (request->scenarios > 1)
        cs_strbuf_putc(out, ',');
    if (request->scenarios > 1 && r)
        cs_strbuf_printf(out, "%d", request->study.variant[r - 1].scenario);
}

/* The titles of the columns that identify a row. */
static const char *row_heads(const struct cs_replay_request *request)
{
    return request->scenarios > 1 ? "policy,priority,scenario" : "policy,priority";
}

void cs_replay_csv(const struct cs_replay_request *request, const struct cs_queue_log_rows *rows,
                   struct cs_strbuf *out)
{
    cs_strbuf_puts(out, row_heads(request));
    for (const struct cs_value *v = cs_problem_queue.value; cs_queue_is_replay_value(v); v++)
        cs_strbuf_printf(out, ",%s", v->name);
    cs_strbuf_puts(out, request->study.energy ? ",energy_kwh,idle_kwh\n" : "\n");
    for (int r = cs_replay_first_row(rows); r < rows->count; r++) {
        const struct cs_queue_outcome outcome = cs_queue_outcome_of(&rows->row[r]);

        put_row_names(request, r, out);
        for (const struct cs_value *v = cs_problem_queue.value; cs_queue_is_replay_value(v); v++)
            data_put_number(out, v->of(NULL, &outcome));
        if (request->study.energy) {
            data_put_number(out, rows->row[r].energy.total / 3.6e6);
            data_put_number(out, rows->row[r].energy.idle / 3.6e6);
        }
        cs_strbuf_putc(out, '\n');
    }
}

void cs_replay_series_csv(const struct cs_replay_request *request,
                          const struct cs_queue_log_rows *rows, struct cs_strbuf *out)
{
    const double procs = (double)request->study.log.site->procs;

    cs_strbuf_printf(out,
                     "%s,start,seconds,utilisation,mean_queue,mean_queued_work,"
                     "arrivals,starts,mean_wait_of_arrivals\n",
                     row_heads(request));
    for (int r = cs_replay_first_row(rows); r < rows->count; r++) {
        const struct cs_queue_series *s = rows->row[r].series;

        for (int b = 0; b < s->count; b++) {
            const struct cs_queue_bin *bin = &s->bin[b];

            put_row_names(request, r, out);
            data_put_number(out, s->origin + s->length * b);
            data_put_number(out, s->length);
            data_put_number(out, bin->used / (procs * s->length));
            data_put_number(out, bin->queue / s->length);
            data_put_number(out, bin->work / s->length);
            data_put_number(out, (double)bin->arrivals);
            data_put_number(out, (double)bin->starts);
            data_put_number(out, bin->measured ? bin->wait / (double)bin->measured : NAN);
            cs_strbuf_putc(out, '\n');
        }
    }
}

/* The schedule of a replay of one policy: as a file, as a picture. */

/* The logs, and the files that options name. */
static int put_inputs(const struct cs_replay_request *r, struct cs_jsonw *w, struct cs_error *err)
{
    const struct cs_replay_options *o = r->options;
    const struct cs_schedule_input named[] = {
        {"machine", o->machine, ""}, {"outages", o->outages, ""}, {"failures", o->failures, ""}};
    struct cs_schedule_input *input =
        CS_NEW_ARRAY(r->arena, struct cs_schedule_input, (size_t)r->files + 3);
    int count = 0;

    for (int i = 0; i < r->files; i++)
        if (r->path[i] != r->spool)
            input[count++] = (struct cs_schedule_input){"input", r->path[i], ""};
    for (int i = 0; i < 3; i++)
        if (named[i].file)
            input[count++] = named[i];
    if (cs_inputs_digest(input, count, r->arena, err))
        return -1;
    cs_schedule_json_put_inputs(w, count, input);
    return 0;
}

/* The schedule, and the metadata with the input of the policy in *declared; NULL with err. */
static struct cs_schedule *schedule_of(const struct cs_replay_request *r,
                                       const struct cs_queue_log_rows *rows,
                                       struct cs_rigid_declared *declared, struct cs_error *err)
{
    struct cs_schedule *schedule = cs_queue_log_kept_schedule(
        rows->row[1].kept, r->study.log.site->procs, declared, r->arena, err);

    if (!schedule)
        cs_error_prefix(err, "--%s", r->options->keep);
    declared->priority = r->study.variant[0].priority;
    declared->shelves = r->study.variant[0].op.policy->shelf != NULL;
    return schedule;
}

int cs_replay_schedule_json(const struct cs_queue_case *c, const char *command, struct cs_spill *to,
                            struct cs_error *err)
{
    const struct cs_replay_request *r = &c->request;
    const struct cs_energy_options *watts = r->study.energy;
    struct cs_rigid_declared declared;
    struct cs_schedule *schedule = schedule_of(r, &c->rows, &declared, err);
    struct cs_jsonw w = cs_jsonw_begin(to->out);
    struct cs_energy energy;
    int status;

    if (!schedule || (watts && cs_energy_of(schedule, watts, &energy, err))) {
        cs_schedule_destroy(schedule);
        return -1;
    }
    cs_jsonw_stream(&w, to);
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, r->study.variant[0].policy);
    if (command)
        cs_jsonw_put_string(&w, "command", command);
    status = put_inputs(r, &w, err);
    if (watts)
        cs_energy_put(&energy, watts, &w);
    cs_keys_put(&w, cs_keys_rigid, schedule, &declared);
    cs_schedule_json_put_tail(&w, schedule, NULL, cs_study_counts(&c->study, schedule));
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_schedule_destroy(schedule);
    return status;
}

static const char *title_of(const struct cs_replay_request *r)
{
    const char *slash = strrchr(r->path[0], '/');

    if (r->path[0] == r->spool)
        return r->model ? "jobs that are drawn" : "standard input";
    return slash ? slash + 1 : r->path[0];
}

int cs_replay_gantt(const struct cs_replay_request *r, const struct cs_queue_log_rows *rows,
                    struct cs_strbuf *svg, struct cs_error *err)
{
    struct cs_rigid_declared declared;
    struct cs_schedule *schedule = schedule_of(r, rows, &declared, err);
    struct cs_strbuf name = CS_STRBUF_INIT;
    struct cs_gantt_options options = {
        .title = title_of(r),
        .processor = cs_replay_unit(r),
        .group = "shelf",
        .style = CS_STYLE_COLOR,
    };
    int status;

    if (!schedule)
        return -1;
    options.submit = declared.submit;
    options.user = declared.user;
    cs_replay_put_row(r, 1, &name);
    cs_strbuf_puts(&name, " \xc2\xb7 ");
    cs_human_duration(&name, cs_schedule_makespan(schedule));
    options.subtitle = name.text;
    status = cs_gantt_svg(schedule, &options, svg, err);
    cs_strbuf_release(&name);
    cs_schedule_destroy(schedule);
    return status;
}

static const struct cs_queue_case *queue_case_of(const struct cs_study *study)
{
    return (const struct cs_queue_case *)(const void *)study;
}

static void queue_put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_queue_case *c = queue_case_of(study);

    cs_replay_put_head(&c->request, cs_log_counts(c->rows.log), out);
    if (c->request.scenarios > 1) {
        cs_human_units(out, c->request.scenarios, "scenario");
        cs_strbuf_puts(out, " of failures\n");
    }
}

static void queue_put_json(const struct cs_study *study, struct cs_jsonw *w)
{
    const struct cs_queue_case *c = queue_case_of(study);
    const struct cs_log_counts *counts = cs_log_counts(c->rows.log);

    cs_jsonw_put_string(w, "input", study->options->input);
    cs_jsonw_put_string(w, "kind", cs_log_kind_name(c->request.kind));
    cs_jsonw_put_int(w, "procs", c->request.study.log.site->procs);
    cs_jsonw_put_int(w, "jobs", counts->kept);
    cs_jsonw_put_int(w, "lines", counts->lines);
    cs_jsonw_key(w, "rules");
    cs_jsonw_open(w, '{');
    for (int rule = 0; rule < CS_LOG_RULES; rule++)
        cs_jsonw_put_int(w, cs_log_rule_key((enum cs_log_rule)rule), counts->rule[rule]);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "warnings");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < c->request.warnings; i++)
        cs_jsonw_string(w, c->request.warning[i]);
    cs_jsonw_close(w);
}

static void queue_put_variant(const struct cs_study *study, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "policy %s, priority %s", study->variant[0].word[0],
                     study->variant[0].word[1]);
}

static void queue_put_foot(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_queue_case *c = queue_case_of(study);

    if (c->request.scenarios == 1 && c->rows.count == c->request.study.variants + 1)
        cs_replay_put_events(&c->request, &c->rows, out);
    cs_replay_put_tables(&c->request, &c->rows, 0, out);
}

static int queue_replay(const struct cs_study *study, struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_queue_case *c = queue_case_of(study);

    if (!c->request.study.series || c->request.study.cut)
        return cs_error_set(err, "the form replay needs the option report");
    cs_replay_json(&c->request, &c->rows, study->options->command, out);
    return 0;
}

static int queue_draw(const struct cs_study *study, const struct cs_view_run *run,
                      struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_queue_case *c = queue_case_of(study);
    struct cs_strbuf subtitle = CS_STRBUF_INIT;
    struct cs_gantt_options options;
    int status;

    cs_study_put_variant(study, run->variant, " \xc2\xb7 ", &subtitle);
    if (study->runs > 1)
        cs_strbuf_printf(&subtitle, " \xc2\xb7 scenario %ld", run->run);
    cs_strbuf_puts(&subtitle, " \xc2\xb7 ");
    cs_human_duration(&subtitle, cs_schedule_makespan(run->record->schedule));
    options = cs_view_gantt(study, run, subtitle.text);
    options.processor = run->processor ? run->processor : cs_replay_unit(&c->request);
    options.group = "shelf";
    options.submit = cs_queue_kept_of(run->record)->declared.submit;
    options.user = cs_queue_kept_of(run->record)->declared.user;
    status = cs_gantt_svg(run->record->schedule, &options, svg, err);
    cs_strbuf_release(&subtitle);
    return status;
}

void cs_queue_warn(struct cs_queue_case *c, void (*warn)(const char *text, void *who), void *who)
{
    c->request.warn = warn;
    c->request.who = who;
    cs_replay_caveat(&c->request, &c->rows);
    c->request.warn = NULL;
}

static void queue_warn(struct cs_study *study, void (*warn)(const char *text, void *who), void *who)
{
    cs_queue_warn((struct cs_queue_case *)(void *)study, warn, who);
}

const struct cs_view cs_view_queue = {
    .problem = &cs_problem_queue,
    .head = queue_put_head,
    .json = queue_put_json,
    .variant = queue_put_variant,
    .draw = queue_draw,
    .foot = queue_put_foot,
    .replay = queue_replay,
    .warn = queue_warn,
};
