/* moldable.c - a bag without barriers: what is shown of plans and runs, and the commands. */
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/verbs.h"
#include "cli/views/launch_show.h"
#include "moldable/problem.h"
#include "report/gantt.h"
#include "report/human.h"
#include "report/table.h"
#include "study/schedule_text.h"

#include <math.h>
#include <string.h>

#define ROWS_FOR_PEOPLE 100

static const struct cs_moldable_case *case_of(const struct cs_study *study)
{
    return (const struct cs_moldable_case *)(const void *)study;
}

/* ---- heads ---- */

static void put_size(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    cs_human_units(out, c->workload->count, "task");
    cs_strbuf_puts(out, " on ");
    cs_human_units(out, c->instance->bag.procs, c->study.options->unit);
    cs_strbuf_printf(out, " (%s)", c->study.options->input);
}

static void put_bound(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "lower bound on the makespan ");
    cs_human_duration(out, c->bounds.best);
    cs_strbuf_putc(out, '\n');
}

/* Of each policy where each has a plan of its own. */
static void put_planned(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "\nplanned makespan%s ", c->plans > 1 ? "s" : "");
    for (int p = 0; p < c->plans; p++) {
        cs_strbuf_puts(out, p ? ", " : "");
        cs_human_duration(out, c->plan[p]->makespan);
        if (c->plans > 1)
            cs_strbuf_printf(out, " (%s)", c->study.way[p].word[0]);
    }
    cs_strbuf_puts(out, c->plans > 1 ? "\n" : ", ");
}

static void put_chance(const struct cs_moldable_case *c, struct cs_strbuf *out)
{
    cs_human_units(out, c->study.runs, "scenario");
    if (c->options->sigma > 0) {
        cs_strbuf_puts(out, ", times uncertain with sigma ");
        cs_human_digits(out, c->options->sigma, 3);
    }
    if (c->options->qbar > 0) {
        cs_strbuf_puts(out, ", attempts fail with probability ");
        cs_human_digits(out, c->options->qbar, 3);
    }
    put_planned(c, out);
}

static void put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_moldable_case *c = case_of(study);

    put_size(c, out);
    cs_strbuf_putc(out, '\n');
    if (!study->certain)
        put_chance(c, out);
    put_bound(c, out);
}

static void put_study(const struct cs_study *study, struct cs_jsonw *w)
{
    const struct cs_moldable_case *c = case_of(study);

    cs_jsonw_put_string(w, "input", study->options->input);
    cs_jsonw_put_int(w, "tasks", c->workload->count);
    cs_jsonw_put_int(w, "procs", c->instance->bag.procs);
    cs_jsonw_put_double(w, "lower_bound", c->bounds.best);
    if (study->certain)
        return;
    cs_jsonw_put_double(w, "sigma", c->options->sigma);
    cs_jsonw_put_double(w, "qbar", c->options->qbar);
    if (c->plans == 1) {
        cs_jsonw_put_double(w, "planned_makespan", c->plan[0]->makespan);
        return;
    }
    cs_jsonw_key(w, "planned_makespans");
    cs_jsonw_open_flat(w, '[');
    for (int p = 0; p < c->plans; p++)
        cs_jsonw_double(w, c->plan[p]->makespan);
    cs_jsonw_close(w);
}

static void put_way(const struct cs_study *study, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "policy %s", study->way[0].word[0]);
}

static int draw(const struct cs_study *study, const struct cs_kept *record, struct cs_strbuf *svg,
                struct cs_error *err)
{
    const struct cs_moldable_kept *kept = (const struct cs_moldable_kept *)(const void *)record;
    struct cs_strbuf subtitle = CS_STRBUF_INIT;
    struct cs_gantt_options options = {.title = cs_view_title(study),
                                       .processor = study->options->unit,
                                       .style = cs_style(study->options->dark)};
    int status;

    cs_strbuf_printf(&subtitle, "%s \xc2\xb7 ", study->way[0].word[0]);
    cs_human_duration(&subtitle, kept->makespan);
    if (kept->plan && kept->plan->optimal) {
        cs_strbuf_puts(&subtitle, ", no plan is shorter");
    } else {
        cs_strbuf_puts(&subtitle, ", ");
        cs_human_percent(&subtitle, kept->makespan / kept->bound - 1, 1);
        cs_strbuf_puts(&subtitle, " above the bound");
    }
    options.subtitle = subtitle.text;
    status = cs_gantt_svg(record->schedule, &options, svg, err);
    cs_strbuf_release(&subtitle);
    return status;
}

/* ---- the plan ---- */

struct shown {
    const struct cs_moldable_case *of;
    const struct cs_moldable_plan *plan;
    const struct cs_moldable_seen *seen;
    int *order;
    int marked; /* times that nobody measured for their count */
};

static enum cs_time_origin origin_of(const struct shown *s, int task)
{
    return cs_moldable_instance_candidate(s->of->instance, task, s->plan->choice[task]).origin;
}

static bool is_marked(const struct shown *s, int task)
{
    enum cs_time_origin origin = origin_of(s, task);

    return origin == CS_ORIGIN_INTERPOLATED || origin == CS_ORIGIN_SCALED;
}

static struct shown look(const struct cs_study *study)
{
    struct shown s = {.of = case_of(study)};
    int n;

    s.plan = s.of->plan[0];
    s.seen = cs_study_outcome(study, 0, 0);
    n = s.plan->tasks;
    s.order = CS_NEW_ARRAY(study->arena, int, n);
    cs_moldable_sort_plan(&s.of->instance->bag, s.plan, s.order, study->arena);
    for (int i = 0; i < n; i++)
        s.marked += is_marked(&s, i);
    return s;
}

static void put_line(struct cs_strbuf *out, const char *name)
{
    cs_strbuf_printf(out, "%-20s", name);
}

static void put_seconds(struct cs_strbuf *out, const char *name, double seconds)
{
    put_line(out, name);
    cs_human_digits(out, seconds, 7);
    cs_strbuf_puts(out, " s");
    if (seconds >= 60) {
        cs_strbuf_puts(out, " (");
        cs_human_duration(out, seconds);
        cs_strbuf_putc(out, ')');
    }
    cs_strbuf_putc(out, '\n');
}

static void put_share(struct cs_strbuf *out, const char *name, double share)
{
    put_line(out, name);
    cs_human_percent(out, share, 1);
    cs_strbuf_putc(out, '\n');
}

static const char *bound_word(const struct cs_moldable_bounds *b, double bound)
{
    return bound > b->best          ? "widths and times do not fit together"
           : b->best == b->critical ? "the longest task at its fastest"
           : b->best == b->area     ? "the work over the processors"
           : b->best == b->knapsack ? "long tasks have to run together"
                                    : "wide tasks do not fit side by side";
}

static void put_gap(const struct shown *s, struct cs_strbuf *out)
{
    put_line(out, "gap");
    if (s->plan->optimal)
        cs_strbuf_puts(out, "none: no plan on these counts and times is shorter (proven)");
    else
        cs_human_percent(out, s->seen->makespan / s->seen->bound - 1, 2);
    cs_strbuf_putc(out, '\n');
}

static void put_notes(const struct cs_moldable_plan *plan, struct cs_strbuf *out)
{
    for (int a = 0; a < CS_MOLDABLE_NOTES && plan->note[a].name; a++) {
        put_line(out, plan->note[a].name);
        if (plan->note[a].word)
            cs_strbuf_puts(out, plan->note[a].word);
        else
            cs_human_digits(out, plan->note[a].number, 9);
        cs_strbuf_putc(out, '\n');
    }
}

static void put_summary(const struct shown *s, struct cs_strbuf *out)
{
    put_size(s->of, out);
    cs_strbuf_puts(out, "\n\n");
    put_line(out, "policy");
    cs_strbuf_printf(out, "%s, in ", s->of->study.way[0].word[0]);
    cs_human_duration(out, s->seen->seconds);
    cs_strbuf_putc(out, '\n');
    put_notes(s->plan, out);
    put_seconds(out, "makespan", s->seen->makespan);
    put_seconds(out, "lower bound", s->seen->bound);
    if (!s->plan->optimal) {
        put_line(out, "");
        cs_strbuf_printf(out, "(%s)\n", bound_word(&s->of->bounds, s->seen->bound));
    }
    put_gap(s, out);
    put_share(out, "held", s->seen->held);
    put_share(out, "useful", s->seen->useful);
    put_line(out, "node-hours");
    cs_human_digits(out, s->seen->hours, 6);
    cs_strbuf_puts(out, " of ");
    cs_human_digits(out, s->of->instance->bag.procs * s->seen->makespan / 3600, 6);
    cs_strbuf_putc(out, '\n');
}

static const struct cs_column for_people[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "launched on", .kind = CS_COLUMN_COUNT},
    {.key = "time", .kind = CS_COLUMN_SECONDS},
    {.key = "mark", .heading = "", .kind = CS_COLUMN_WORD},
    {.key = "starts at", .kind = CS_COLUMN_SECONDS},
    {.key = "ends at", .kind = CS_COLUMN_SECONDS},
};

static struct cs_table *people_table(const struct shown *s)
{
    struct cs_table *table = cs_table_create(for_people, sizeof for_people / sizeof *for_people);

    for (int p = 0; p < s->plan->tasks; p++) {
        int i = s->order[p];

        cs_table_text(table, s->of->workload->name[i]);
        cs_table_count(table, s->plan->procs[i]);
        cs_table_number(table, s->plan->end[i] - s->plan->start[i]);
        cs_table_text(table, is_marked(s, i) ? "~" : "");
        cs_table_number(table, s->plan->start[i]);
        cs_table_number(table, s->plan->end[i]);
    }
    return table;
}

static void plan_text(const struct shown *s, struct cs_strbuf *out)
{
    struct cs_table *table;

    put_summary(s, out);
    if (s->plan->tasks > ROWS_FOR_PEOPLE) {
        cs_strbuf_printf(out,
                         "\n%d tasks are too many to show here: use --output, --gantt or "
                         "--format csv.\n",
                         s->plan->tasks);
    } else if (s->plan->tasks > 0) {
        table = people_table(s);
        cs_strbuf_putc(out, '\n');
        cs_output_table(table, CS_TABLE_TEXT, 0, out);
        cs_table_destroy(table);
    }
    cs_view_put_origins(out, s->of->runs, s->marked);
}

static const struct cs_column columns[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},      {.key = "procs", .kind = CS_COLUMN_COUNT},
    {.key = "seconds", .kind = CS_COLUMN_NUMBER}, {.key = "origin", .kind = CS_COLUMN_WORD},
    {.key = "start", .kind = CS_COLUMN_NUMBER},   {.key = "end", .kind = CS_COLUMN_NUMBER},
};

static void plan_csv(const struct shown *s, struct cs_strbuf *out)
{
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int p = 0; p < s->plan->tasks; p++) {
        int i = s->order[p];

        cs_table_text(table, s->of->workload->name[i]);
        cs_table_count(table, s->plan->procs[i]);
        cs_table_number(
            table, cs_moldable_instance_candidate(s->of->instance, i, s->plan->choice[i]).seconds);
        cs_table_text(table, cs_time_origin_name(origin_of(s, i)));
        cs_table_number(table, s->plan->start[i]);
        cs_table_number(table, s->plan->end[i]);
    }
    cs_table_write(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
}

/* As JSON a plan is the schedule that --output writes. */
static void plan_json(const struct cs_study *study, struct cs_strbuf *out)
{
    struct cs_kept *record = study->problem->record(study, 0, 0, NULL);

    cs_study_put_file(study, 0, record, out);
    study->problem->forget(record);
}

static void show_plan(const struct cs_study *study, struct cs_strbuf *out)
{
    struct shown s = look(study);

    if (study->options->format == CS_FORMAT_JSON)
        plan_json(study, out);
    else if (study->options->format == CS_FORMAT_CSV)
        plan_csv(&s, out);
    else
        plan_text(&s, out);
}

const struct cs_view cs_view_moldable = {
    .problem = &cs_problem_moldable,
    .head = put_head,
    .json = put_study,
    .way = put_way,
    .draw = draw,
    .plan = show_plan,
    .one = "for one policy",
};

/* ---- commands ---- */

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .kind = CS_FIELD_PATH,
     .summary = "the tasks: CSV with the columns app,procs,seconds (measured) or "
                "app,seconds,seq_fraction,overhead (formulas), or JSON (cosched-workload-1); - "
                "reads standard input; .gz, .xz and .zst are fine"},
    {0},
};

static const struct cs_example plan_examples[] = {
    {"Eight applications as they were measured on ARCHER2, on 16 nodes:",
     "cosched plan moldable examples/archer2.csv --procs 16 --unit node"},
    {"Every planner side by side:",
     "cosched plan moldable examples/quickstart.csv --procs 8 --policy all"},
    {0},
};

const struct cs_command cs_command_plan_moldable = {
    .words = "plan moldable",
    .summary = "decide on how many processors each task runs, and when, without barriers",
    .description =
        "Give each task of a bag a number of processors and a start, so that the last one ends "
        "soonest. A task keeps its processors from start to end; nothing waits for a pack. Plans "
        "are made and judged on the times as given: a task is launched only on counts that were "
        "measured (or that a formula knows), and holds exactly those. Times between measured "
        "counts (--fill power) and below them (--fewer scale) are used only when asked for, and "
        "carry the mark ~.\n\n"
        "The planners are those of Turek, Wolf, Yu; Ludwig, Tiwari; and Mounie, Rapine, Trystram; "
        "lists around the area bound; and a search whose result depends on the seed and the number "
        "of moves alone. Every plan comes with a lower bound that no plan can beat.",
    .operands = operands,
    .examples = plan_examples,
    .view = &cs_view_moldable,
    .verb = CS_PLAN,
};

static const struct cs_example simulate_examples[] = {
    {"What becomes of a plan when times are 10 % off:",
     "cosched simulate moldable examples/quickstart.csv --procs 8 --sigma 0.1 --policy "
     "order,list,follow,replan"},
    {"The resilient moldable papers' policies, where attempts fail:",
     "cosched generate moldable --model amdahl -o bag.json && cosched simulate moldable bag.json "
     "--qbar 0.1 --effort fast --policy lpa,batch,again"},
    {0},
};

const struct cs_command cs_command_simulate_moldable = {
    .words = "simulate moldable",
    .summary = "carry a bag out while times are uncertain and attempts fail",
    .description =
        "Real times are those of the input times a random factor (--sigma), attempts fail and run "
        "again (--qbar), or both. A plan is carried out as it is or decided again at every event "
        "(order, list, follow, replan), or there is none and counts are chosen task by task or "
        "for all that waits (lpa, batch, mintime, minarea, lt, expected, again, rolling). All meet "
        "the same scenarios. The lower bound knows the real times and failures.",
    .operands = operands,
    .examples = simulate_examples,
    .view = &cs_view_moldable,
    .verb = CS_SIMULATE,
};

static const struct cs_example generate_examples[] = {
    {"Fifty tasks with an overhead for each processor, for 200 processors:",
     "cosched generate moldable --model linear --tasks 50 --procs 200"},
    {0},
};

const struct cs_command cs_command_generate_moldable = {
    .words = "generate moldable",
    .summary = "write a random bag of moldable tasks",
    .description =
        "Write a workload as JSON (cosched-workload-1): tasks as in Benoit, Le Fevre, Perotin, "
        "Raghavan, Robert, Sun, \"Resilient scheduling of moldable jobs to cope with silent "
        "errors\": roofline, communication (here: linear), Amdahl's law, or a mix of the three.",
    .examples = generate_examples,
    .view = &cs_view_moldable,
    .verb = CS_GENERATE,
};
