/* queue.c - the view of queue: jobs that arrive. */
#include "api/views/queue.h"

#include "api/view.h"
#include "problem/schedule_text.h"
#include "problems/queue/problem.h"
#include "report/human.h"

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

    if (c->request.scenarios == 1)
        cs_replay_put_events(&c->request, &c->rows, out);
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
    .warn = queue_warn,
};
