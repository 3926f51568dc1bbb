/* malleable.c - the applications, the machine and the rules of a malleable problem. */
#include "cli/malleable.h"

#include "cli/base/output.h"
#include "io/faults.h"
#include "model/workload.h"
#include "report/human.h"

#include <math.h>

#define YEAR (365 * 86400.0)
#define PAPER_MTBF (100 * YEAR)

static double seconds_or(const struct cs_arguments *args, const char *name, double fallback)
{
    return cs_arguments_given(args, name) ? cs_arguments_real(args, name) : fallback;
}

static void read_rules(struct cs_malleable_job *job)
{
    const struct cs_arguments *args = job->args;
    bool paper = cs_arguments_choice(args, "rules") == 1;
    struct cs_malleable_rules *r = &job->rules;

    *r = paper ? cs_malleable_rules_paper() : cs_malleable_rules_recommended();
    r->period_factor = seconds_or(args, "period-factor", r->period_factor);
    r->kappa = seconds_or(args, "kappa", r->kappa);
    r->hysteresis = seconds_or(args, "hysteresis", r->hysteresis);
    if (cs_arguments_given(args, "layout"))
        r->layout = cs_arguments_choice(args, "layout") ? CS_MALLEABLE_TAIL : CS_MALLEABLE_YOUNG;
    if (cs_arguments_given(args, "minimal-disruption"))
        r->minimal_disruption = cs_arguments_choice(args, "minimal-disruption") == 1;
    if (cs_arguments_given(args, "wake"))
        r->wake = cs_arguments_choice(args, "wake") == 1;
}

/* The list, and what it shows of the mean time between failures. */
static int read_faults(struct cs_malleable_job *job, struct cs_error *err)
{
    const char *path = job->faults;
    struct cs_faults *faults = cs_faults_read(path, job->system, err);
    struct cs_fault *list;

    if (!faults)
        return -1;
    list = CS_NEW_ARRAY(job->arena, struct cs_fault, faults->count + 1);
    for (size_t i = 0; i < faults->count; i++)
        list[i] = faults->fault[i];
    job->source.list = list;
    job->source.listed = faults->count;
    job->kind = faults->kind;
    if (faults->skipped)
        cs_output_warn("%s: %ld of %ld failures do not say where they struck and are left out",
                       path, faults->skipped, faults->lines);
    if (!cs_arguments_given(job->args, "mtbf") && faults->count > 1)
        job->platform.mtbf =
            list[faults->count - 1].time * faults->processors / (double)faults->count;
    cs_faults_destroy(faults);
    return 0;
}

static int read_machine(struct cs_malleable_job *job, struct cs_error *err)
{
    const struct cs_arguments *args = job->args;

    job->platform = (struct cs_malleable_platform){
        .procs = cs_arguments_given(args, "procs") ? (int)cs_arguments_integer(args, "procs")
                                                   : job->workload->procs,
        .mtbf = seconds_or(args, "mtbf", PAPER_MTBF),
        .downtime = cs_arguments_real(args, "downtime"),
        .fault_free = cs_arguments_given(args, "fault-free"),
    };
    if (!(job->platform.mtbf > 0))
        return cs_error_set(err, "--mtbf must be longer than 0 s");
    if (!job->platform.procs)
        return cs_error_set(err, "%s does not say how many processors there are: give --procs P",
                            job->path);
    return 0;
}

/* What the input does not say of a task, the command line says of all. */
static void fill_state(struct cs_malleable_job *job, const double *given, const char *option,
                       double *filled)
{
    double fallback = seconds_or(job->args, option, NAN);

    for (int i = 0; i < job->workload->count; i++)
        filled[i] = given && !isnan(given[i]) ? given[i] : fallback;
}

static void fill_states(struct cs_malleable_job *job)
{
    struct cs_workload *workload = job->workload;
    double *checkpoint = CS_NEW_ARRAY(job->arena, double, workload->count);
    double *data = CS_NEW_ARRAY(job->arena, double, workload->count);

    fill_state(job, workload->checkpoint, "checkpoint", checkpoint);
    fill_state(job, workload->data, "data", data);
    cs_workload_set_state(workload, checkpoint, data);
}

int cs_malleable_job_read(struct cs_malleable_job *job, struct cs_error *err)
{
    const struct cs_arguments *args = job->args;
    const struct cs_workload_options options = {
        .fill = cs_arguments_choice(args, "fill") ? CS_FILL_STEP : CS_FILL_POWER,
        .fewer = cs_arguments_choice(args, "fewer") ? CS_FEWER_SCALE : CS_FEWER_REFUSE,
    };
    const char *warning;

    job->path = cs_arguments_operand(args, 0);
    job->unit = cs_arguments_text(args, "unit");
    job->workload = cs_workload_read(job->path, &options, err);
    if (!job->workload || read_machine(job, err))
        return -1;
    read_rules(job);
    if (job->faults && read_faults(job, err))
        return -1;
    fill_states(job);
    job->instance =
        cs_malleable_instance_from_workload(job->workload, NAN, NAN, &job->platform, err);
    if (!job->instance)
        return cs_error_prefix(err, "%s", job->path);
    warning = cs_malleable_instance_warning(job->instance);
    if (warning)
        cs_output_warn("%s", warning);
    return cs_malleable_rules_check(&job->rules, err);
}

void cs_malleable_job_release(struct cs_malleable_job *job)
{
    cs_malleable_instance_destroy(job->instance);
    cs_workload_destroy(job->workload);
}

void cs_malleable_job_put(const struct cs_malleable_job *job, struct cs_strbuf *out)
{
    const struct cs_malleable_platform *p = &job->platform;

    cs_human_units(out, job->workload->count, "application");
    cs_strbuf_puts(out, " on ");
    cs_human_units(out, p->procs, job->unit);
    cs_strbuf_printf(out, " (%s), ", job->path);
    if (p->fault_free) {
        cs_strbuf_puts(out, "no failures and no checkpoints");
        return;
    }
    cs_strbuf_printf(out, "MTBF of one %s ", job->unit);
    if (p->mtbf >= 2 * YEAR && isfinite(p->mtbf)) {
        cs_human_digits(out, p->mtbf / YEAR, 4);
        cs_strbuf_puts(out, " years");
    } else {
        cs_human_duration(out, p->mtbf);
    }
    cs_strbuf_puts(out, ", downtime ");
    cs_human_duration(out, p->downtime);
}

void cs_malleable_job_json(const struct cs_malleable_job *job, const struct cs_malleable_rules *r,
                           struct cs_jsonw *w)
{
    cs_jsonw_put_string(w, "input", job->path);
    cs_jsonw_put_int(w, "tasks", job->workload->count);
    cs_jsonw_put_int(w, "procs", job->platform.procs);
    cs_jsonw_put_double(w, "mtbf", job->platform.mtbf);
    cs_jsonw_put_double(w, "downtime", job->platform.downtime);
    cs_jsonw_put_bool(w, "fault_free", job->platform.fault_free);
    cs_jsonw_put_double(w, "period_factor", r->period_factor);
    cs_jsonw_put_string(w, "layout", r->layout == CS_MALLEABLE_TAIL ? "tail" : "young");
    cs_jsonw_put_double(w, "kappa", r->kappa);
    cs_jsonw_put_double(w, "hysteresis", r->hysteresis);
    cs_jsonw_put_bool(w, "minimal_disruption", r->minimal_disruption);
    cs_jsonw_put_bool(w, "wake", r->wake);
    cs_jsonw_put_double(w, "lower_bound", cs_malleable_lower_bound(job->instance));
}
