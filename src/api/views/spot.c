/* spot.c - the view of spot: jobs with a deadline on spot and on-demand instances. */
#include "api/view.h"
#include "problems/spot/problem.h"
#include "report/human.h"

static const struct cs_spot_case *spot_case_of(const struct cs_study *study)
{
    return (const struct cs_spot_case *)(const void *)study;
}

static void put_prices(const struct cs_spot_case *c, struct cs_strbuf *out)
{
    const bool traced = c->zone[0].market.price;

    cs_strbuf_puts(out, traced ? ", prices of the trace on spot and " : ", prices ");
    if (!traced) {
        cs_human_digits(out, c->options->spot_price, 6);
        cs_strbuf_puts(out, " on spot and ");
    }
    cs_human_digits(out, c->options->demand_price, 6);
    cs_strbuf_puts(out, " on demand\n");
}

static void spot_put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_spot_case *c = spot_case_of(study);
    const double tick = c->fleet->slot;

    cs_strbuf_puts(out, "a job of ");
    cs_human_duration(out, (double)c->job.work * tick);
    cs_strbuf_puts(out, " to be done in ");
    cs_human_duration(out, (double)c->job.deadline * tick);
    cs_strbuf_puts(out, ", change-over ");
    cs_human_duration(out, (double)c->job.change * tick);
    put_prices(c, out);
    cs_human_units(out, study->runs, "scenario");
    cs_strbuf_puts(out, " on ");
    cs_human_units(out, c->zones, "trace");
    cs_strbuf_puts(out, " in slots of ");
    cs_human_duration(out, tick);
    cs_strbuf_puts(out, ", after a history of ");
    cs_human_units(out, c->history, "slot");
    cs_strbuf_putc(out, '\n');
    if (!cs_spot_case_hopeless(c))
        return;
    cs_strbuf_puts(out,
                   "no plan can promise the deadline: on demand from the beginning the job is ");
    cs_human_duration(out, (double)(c->job.work + c->job.change - c->job.deadline) * tick);
    cs_strbuf_puts(out, " late\n");
}

static void spot_put_json(const struct cs_study *study, struct cs_jsonw *w)
{
    const struct cs_spot_case *c = spot_case_of(study);
    const double tick = c->fleet->slot;

    cs_jsonw_put_double(w, "work", (double)c->job.work * tick);
    cs_jsonw_put_double(w, "deadline", (double)c->job.deadline * tick);
    cs_jsonw_put_double(w, "change_over", (double)c->job.change * tick);
    cs_jsonw_put_double(w, "slot", tick);
    cs_jsonw_put_int(w, "markets", c->zones);
    cs_jsonw_put_int(w, "history", c->history);
    cs_jsonw_put_bool(w, "promised", !cs_spot_case_hopeless(c));
}

static void put_variant(const struct cs_study *study, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "policy %s", study->variant[0].word[0]);
}

static int spot_draw(const struct cs_study *study, const struct cs_view_run *run,
                     struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_spot_declared *d =
        &((const struct cs_spot_kept *)(const void *)run->record)->declared;
    struct cs_strbuf subtitle = CS_STRBUF_INIT;
    struct cs_gantt_options options;
    int status;

    cs_strbuf_printf(&subtitle, "%s \xc2\xb7 cost ", study->variant[run->variant].word[0]);
    cs_human_digits(&subtitle, d->cost, 4);
    cs_strbuf_puts(&subtitle, " \xc2\xb7 ");
    cs_human_units(&subtitle, d->starts, "start");
    cs_strbuf_puts(&subtitle, " \xc2\xb7 ");
    cs_human_duration(&subtitle, cs_schedule_makespan(run->record->schedule));
    options = cs_view_gantt(study, run, subtitle.text);
    status = cs_gantt_svg(run->record->schedule, &options, svg, err);
    cs_strbuf_release(&subtitle);
    return status;
}

const struct cs_view cs_view_spot = {
    .problem = &cs_problem_spot,
    .head = spot_put_head,
    .json = spot_put_json,
    .variant = put_variant,
    .draw = spot_draw,
};
