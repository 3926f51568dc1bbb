/* rigid.c - the view of rigid: jobs of fixed width under silent errors. */
#include "api/view.h"
#include "problem/problem.h"
#include "problem/sample.h"
#include "problems/queue/problem.h"
#include "problems/rigid/problem.h"
#include "report/human.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct cs_rigid_case *rigid_case_of(const struct cs_study *study)
{
    return (const struct cs_rigid_case *)(const void *)study;
}

/* ---- heads ---- */

/* "mean failure probability 0.3", "no failures", ... */
static void put_law(const struct cs_rigid_case *c, struct cs_strbuf *out)
{
    const struct cs_sched_law *law = &c->law;

    if (c->options->failures) {
        cs_strbuf_printf(out, "failures of %s", c->options->failures);
    } else if (!isnan(law->mean) && law->mean > 0) {
        cs_strbuf_puts(out, "mean failure probability ");
        cs_strbuf_put_double(out, law->mean);
    } else if (isnan(law->mean) && law->rate > 0) {
        cs_strbuf_printf(out, "MTBE of a processor %.9g s", 1 / law->rate);
    } else {
        cs_strbuf_puts(out, "no failures");
    }
}

static bool is_doubtful(int rule)
{
    return rule == CS_LOG_NEGATIVE_SUBMIT || rule == CS_LOG_REPEATED_IDS;
}

/* The lines of the log of the jobs, or NULL. */
static const struct cs_log_counts *counts_of(const struct cs_rigid_case *c)
{
    if (c->queue && c->queue->request.study.cut)
        return cs_log_counts(c->queue->request.study.cut->log);
    return c->input && c->input->log ? &c->input->log->counts : NULL;
}

static const char *kind_of(const struct cs_rigid_case *c)
{
    if (c->queue)
        return cs_log_kind_name(c->queue->request.kind);
    return c->input ? c->input->kind : NULL;
}

/* The lines of a log that were left out, and those that are doubtful. */
static void put_lines(const struct cs_rigid_case *c, struct cs_strbuf *out)
{
    const struct cs_log_counts *counts = counts_of(c);
    const char *comma = ": ";

    if (!counts)
        return;
    cs_strbuf_printf(out, "%s, ", kind_of(c));
    cs_human_units(out, counts->lines, "line");
    cs_strbuf_puts(out, " of jobs");
    for (int rule = 0; rule < CS_LOG_RULES; rule++) {
        const bool kept = rule >= CS_LOG_KEPT;

        if (!counts->rule[rule] || (kept && !is_doubtful(rule)))
            continue;
        cs_strbuf_printf(out, "%s%" PRId64 "%s%s%s", comma, counts->rule[rule],
                         kept ? " " : " left out (", cs_log_rule_name((enum cs_log_rule)rule),
                         kept ? "" : ")");
        comma = ", ";
    }
    cs_strbuf_putc(out, '\n');
}

/* The origin of the estimates of all sets. */
struct estimates {
    int requested, exceeded, unknown;
};

static struct estimates count_estimates(const struct cs_rigid_case *c)
{
    const struct cs_queue_cut *cut = c->queue->request.study.cut;
    struct estimates sum = {0, 0, 0};

    for (int s = 0; cut && c->options->estimates != 1 && s < cut->sets; s++) {
        sum.requested += cut->set[s].requested;
        sum.exceeded += cut->set[s].exceeded;
        sum.unknown += cut->set[s].none;
    }
    return sum;
}

static void put_estimates(const struct cs_rigid_case *c, struct cs_strbuf *out)
{
    struct estimates e = count_estimates(c);

    if (c->options->estimates == 1) {
        cs_strbuf_puts(out, "estimates: the running times, as --estimates exact asks\n");
        return;
    }
    if (e.requested + e.exceeded == 0) {
        cs_strbuf_puts(out, "estimates: the log has no requested times, the running times take "
                            "their place\n");
        return;
    }
    cs_strbuf_puts(out, "estimates: requested times; the running time for ");
    cs_human_units(out, e.exceeded, "job");
    cs_strbuf_puts(out, " that ran longer and ");
    cs_human_count(out, e.unknown);
    cs_strbuf_puts(out, " without a request\n");
}

static void put_sets(const struct cs_rigid_case *c, struct cs_strbuf *out)
{
    if (c->queue)
        cs_strbuf_puts(out, " as they were submitted");
    if (c->sets > 1) {
        cs_strbuf_puts(out, c->queue ? ", in " : " in ");
        cs_human_units(out, c->sets, "set");
        cs_strbuf_puts(out, c->queue ? " that each find the machine empty" : "");
    }
    cs_strbuf_puts(out, c->queue ? ", on " : " on ");
}

static void rigid_put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_rigid_case *c = rigid_case_of(study);

    cs_human_units(out, c->jobs, "job");
    put_sets(c, out);
    cs_human_units(out, c->machine, study->options->unit);
    cs_strbuf_printf(out, " (%s), ", cs_view_input(study));
    if (!c->queue || c->scenarios > 1) {
        cs_human_units(out, c->scenarios, "scenario");
        cs_strbuf_puts(out, c->sets > 1 ? " each, " : ", ");
    }
    put_law(c, out);
    cs_strbuf_putc(out, '\n');
    put_lines(c, out);
    if (c->queue)
        put_estimates(c, out);
}

static void put_variant(const struct cs_study *study, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "policy %s, priority %s", study->variant[0].word[0],
                     study->variant[0].word[1]);
}

static void json_skipped(const struct cs_log_counts *counts, struct cs_jsonw *w)
{
    if (!counts)
        return;
    cs_jsonw_put_int(w, "lines", counts->lines);
    cs_jsonw_key(w, "rules");
    cs_jsonw_open(w, '{');
    for (int rule = 0; rule < CS_LOG_RULES; rule++)
        cs_jsonw_put_int(w, cs_log_rule_key((enum cs_log_rule)rule), counts->rule[rule]);
    cs_jsonw_close(w);
}

static void json_estimates(const struct cs_rigid_case *c, struct cs_jsonw *w)
{
    struct estimates e = count_estimates(c);

    cs_jsonw_key(w, "estimates");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "requested", e.requested);
    cs_jsonw_put_int(w, "exceeded", e.exceeded);
    cs_jsonw_put_int(w, "unknown", e.unknown);
    cs_jsonw_close(w);
}

static void rigid_put_json(const struct cs_study *study, struct cs_jsonw *w)
{
    const struct cs_rigid_case *c = rigid_case_of(study);

    cs_jsonw_put_string(w, "input", study->options->input);
    cs_jsonw_put_string(w, "kind", kind_of(c));
    if (c->queue)
        cs_jsonw_put_bool(w, "arrivals", true);
    cs_jsonw_put_int(w, "procs", c->machine);
    cs_jsonw_put_int(w, "jobs", c->jobs);
    cs_jsonw_put_int(w, "sets", c->sets);
    json_skipped(counts_of(c), w);
    if (c->queue)
        json_estimates(c, w);
}

/* ---- below the table ---- */

static const struct cs_value *rigid_value_of(const struct cs_study *study, const char *name)
{
    const struct cs_value *v = study->problem->value;

    while (strcmp(v->name, name))
        v++;
    return v;
}

static void put_best(const struct cs_study *study, const char *name, const char *what,
                     struct cs_strbuf *out)
{
    double *room = CS_NEW_ARRAY(study->arena, double, study->runs), least = INFINITY;
    int best = 0;

    for (int w = 0; w < study->variants; w++) {
        long count = cs_study_values(study, w, rigid_value_of(study, name), room);
        double mean = cs_sample_make(room, count).figure[CS_FIGURE_MEAN];

        if (mean < least) {
            least = mean;
            best = w;
        }
    }
    cs_strbuf_printf(out, "%s: ", what);
    cs_study_put_variant(study, best, ", ", out);
    cs_strbuf_putc(out, '\n');
}

static void put_foot(const struct cs_study *study, struct cs_strbuf *out)
{
    if (!rigid_case_of(study)->queue || study->variants == 1)
        return;
    cs_strbuf_putc(out, '\n');
    put_best(study, "mean_wait", "best mean wait", out);
    put_best(study, "max_wait", "best longest wait", out);
    put_best(study, "mean_bounded_slowdown", "best mean bounded slowdown", out);
}

static int rigid_draw(const struct cs_study *study, const struct cs_view_run *run,
                      struct cs_strbuf *svg, struct cs_error *err)
{
    struct cs_strbuf subtitle = CS_STRBUF_INIT;
    struct cs_gantt_options options;
    int status;

    cs_study_put_variant(study, run->variant, " \xc2\xb7 ", &subtitle);
    cs_strbuf_printf(&subtitle, " \xc2\xb7 scenario %ld \xc2\xb7 ", run->run);
    cs_human_duration(&subtitle, cs_schedule_makespan(run->record->schedule));
    options = cs_view_gantt(study, run, subtitle.text);
    options.processor = run->processor ? run->processor : study->options->unit;
    options.group = "shelf";
    if (rigid_case_of(study)->queue) {
        options.submit = cs_queue_kept_of(run->record)->declared.submit;
        options.user = cs_queue_kept_of(run->record)->declared.user;
    }
    status = cs_gantt_svg(run->record->schedule, &options, svg, err);
    cs_strbuf_release(&subtitle);
    return status;
}

const struct cs_view cs_view_rigid = {
    .problem = &cs_problem_rigid,
    .head = rigid_put_head,
    .json = rigid_put_json,
    .variant = put_variant,
    .draw = rigid_draw,
    .foot = put_foot,
};
