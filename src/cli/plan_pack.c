/* plan_pack.c - cosched plan pack: which applications run together, on how many processors. */
#include "cli/plan_pack.h"

#include "base/file.h"
#include "base/thread.h"
#include "cli/base/output.h"
#include "pack/declare.h"
#include "report/gantt.h"
#include "report/human.h"
#include "report/png.h"
#include "study/rows.h"

#include <math.h>
#include <string.h>

#define PATIENCE_FOR_ONE 60
#define PATIENCE_FOR_EACH 10

/* How long one policy, or the strong bound, may take. */
static double patience(const struct cs_arguments *args)
{
    const char *policy = cs_arguments_text(args, "policy");

    if (cs_arguments_given(args, "time-limit"))
        return cs_arguments_real(args, "time-limit");
    return policy && !strcmp(policy, "all") ? PATIENCE_FOR_EACH : PATIENCE_FOR_ONE;
}

int cs_plan_pack_request(struct cs_plan_pack *job, const char *policy, struct cs_error *err)
{
    const struct cs_arguments *args = job->args;
    int64_t threads = cs_arguments_integer(args, "threads");
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    job->request = (struct cs_pack_request){
        .seed = (uint64_t)cs_arguments_integer(args, "seed"),
        .threads = threads ? (int)threads : cs_thread_limit(),
        .expired = cs_deadline_expired,
        .who = &job->deadline,
    };
    job->deadline = cs_deadline_in(patience(args));
    return policy ? cs_policy_parse(policy, list, count, &job->request.call, err) : 0;
}

void cs_plan_pack_put_size(const struct cs_plan_pack *job, struct cs_strbuf *out)
{
    int procs = cs_pack_instance_procs(job->instance);
    int size = cs_pack_instance_pack_size(job->instance);

    cs_human_units(out, cs_pack_instance_tasks(job->instance), "task");
    cs_strbuf_puts(out, " on ");
    cs_human_units(out, procs, job->unit);
    if (size < procs)
        cs_strbuf_printf(out, ", at most %d in a pack", size);
}

/* What can be known to fail is told before any work is done. */
static int check_line(const struct cs_arguments *args, struct cs_error *err)
{
    const char *gantt = cs_arguments_text(args, "gantt");
    const char *policy = cs_arguments_text(args, "policy");

    if (policy && cs_arguments_text(args, "effort"))
        return cs_error_set(err, "--policy and --effort both choose a policy: give one of them");
    if (policy && !strcmp(policy, "all") && (gantt || cs_arguments_text(args, "output")))
        return cs_error_set(err, "--policy all makes no single plan that --output or --gantt "
                                 "could write: name a policy");
    return gantt ? cs_picture_check(gantt, err) : 0;
}

static int check_outputs(const struct cs_arguments *args, struct cs_error *err)
{
    const char *input = cs_arguments_operand(args, 0);
    const char *gantt = cs_arguments_text(args, "gantt");
    const char *output = cs_arguments_text(args, "output");

    if (cs_output_check(gantt, err) || cs_output_check(output, err))
        return -1;
    if (cs_output_apart(gantt, input, "the input", err) ||
        cs_output_apart(output, input, "the input", err))
        return -1;
    return cs_output_apart(gantt, output, "where --output goes; give --gantt a file of its own",
                           err);
}

static int read_input(struct cs_plan_pack *job, struct cs_error *err)
{
    const struct cs_arguments *args = job->args;
    const struct cs_workload_options options = {
        .fill = cs_arguments_choice(args, "fill") ? CS_FILL_STEP : CS_FILL_POWER,
        .fewer = cs_arguments_choice(args, "fewer") ? CS_FEWER_SCALE : CS_FEWER_REFUSE,
    };
    int procs, size;

    job->workload = cs_workload_read(job->input, &options, err);
    if (!job->workload)
        return -1;
    procs = cs_arguments_given(args, "procs") ? (int)cs_arguments_integer(args, "procs")
                                              : job->workload->procs;
    size = cs_arguments_given(args, "pack-size") ? (int)cs_arguments_integer(args, "pack-size")
                                                 : job->workload->pack_size;
    if (!size && !cs_arguments_given(args, "pack-size"))
        size = CS_PACK_UNLIMITED;
    if (!procs && !cs_arguments_given(args, "procs"))
        return cs_error_set(err, "%s does not say how many processors there are: give --procs P",
                            job->input);
    job->instance = cs_pack_instance_create(job->workload, procs, size, err);
    return job->instance ? 0 : cs_error_prefix(err, "%s", job->input);
}

/* Less than this is rounding. */
#define WORTH_A_WORD 1e-6

/* Profiles that had to be repaired are worth a word: the plan is made with other times. */
static void warn_of_repair(const struct cs_plan_pack *job)
{
    int tasks = cs_pack_instance_tasks(job->instance), repaired = 0, worst = 0;
    double most = 0;
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int i = 0; i < tasks; i++) {
        double change = cs_pack_instance_repair(job->instance, i).largest;

        repaired += change > WORTH_A_WORD;
        if (change > most) {
            most = change;
            worst = i;
        }
    }
    if (repaired) {
        if (isfinite(most)) {
            cs_strbuf_puts(&text, "by up to ");
            cs_human_percent(&text, most, 1);
        } else {
            cs_strbuf_puts(&text, "which had next to no time, or none, on more processors");
        }
        cs_output_warn("the times of %d of %d tasks were changed so that more processors never "
                       "take longer and never do less work; most for %s, %s",
                       repaired, tasks, job->workload->name[worst], text.text);
    }
    cs_strbuf_release(&text);
}

static int find_bound(struct cs_plan_pack *job, struct cs_error *err)
{
    struct cs_pack_bounds bounds;

    cs_pack_bounds_compute(job->instance, &bounds);
    job->bound = bounds.best;
    if (cs_arguments_choice(job->args, "bound") == 0)
        return 0;
    if (cs_plan_pack_request(job, NULL, err))
        return -1;
    return cs_pack_bound_strong(job->instance, &job->request, &job->bound, err);
}

static const char *note_word(const struct cs_pack_plan *plan, const char *name)
{
    for (int i = 0; i < CS_PACK_NOTES && plan->note[i].name; i++)
        if (!strcmp(plan->note[i].name, name))
            return plan->note[i].word;
    return NULL;
}

static enum cs_pack_effort effort_of(const struct cs_arguments *args)
{
    const char *word = cs_arguments_text(args, "effort");

    for (int effort = 0; word && cs_pack_effort_name(effort); effort++)
        if (!strcmp(word, cs_pack_effort_name(effort)))
            return (enum cs_pack_effort)effort;
    return CS_PACK_EFFORT_DEFAULT;
}

static int make_plan(struct cs_plan_pack *job, struct cs_plan_pack_result *result,
                     struct cs_error *err)
{
    const char *policy = cs_arguments_text(job->args, "policy");
    double start;
    int status;

    if (cs_plan_pack_request(job, policy, err))
        return -1;
    start = cs_clock_now();
    status = policy ? cs_pack_plan_make(job->instance, &job->request, result->plan, err)
                    : cs_pack_effort_plan(job->instance, effort_of(job->args), &job->request,
                                          result->plan, err);
    result->seconds = cs_clock_now() - start;
    result->policy = policy ? policy : note_word(result->plan, "chosen");
    if (!result->policy)
        result->policy = "nothing to do";
    return status;
}

static int draw(const struct cs_plan_pack *job, const struct cs_plan_pack_result *result,
                const char *path, struct cs_error *err)
{
    const char *slash = strrchr(job->input, '/'), *title = cs_arguments_text(job->args, "title");
    struct cs_strbuf svg = CS_STRBUF_INIT, subtitle = CS_STRBUF_INIT;
    struct cs_gantt_options options = {
        .title = title   ? title
                 : slash ? slash + 1
                         : job->input,
        .dark = cs_arguments_given(job->args, "dark"),
    };
    int status;

    cs_plan_pack_put_size(job, &subtitle);
    cs_strbuf_printf(&subtitle, " · %s · ", result->policy);
    cs_human_duration(&subtitle, result->plan->total);
    options.subtitle = subtitle.text;
    status = cs_gantt_svg(result->schedule, &options, &svg, err);
    if (!status)
        status = cs_picture_write(path, svg.text, err);
    cs_strbuf_release(&svg);
    cs_strbuf_release(&subtitle);
    return status;
}

static int write_files(const struct cs_plan_pack *job, const struct cs_plan_pack_result *result,
                       struct cs_error *err)
{
    const char *output = cs_arguments_text(job->args, "output");
    const char *gantt = cs_arguments_text(job->args, "gantt");
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = 0;

    if (gantt && draw(job, result, gantt, err))
        return -1;
    if (output) {
        cs_plan_pack_show(job, result, CS_FORMAT_JSON, &text);
        status = cs_file_write(output, text.text, text.length, err);
    }
    cs_strbuf_release(&text);
    return status;
}

static void name_processors(const struct cs_plan_pack *job, struct cs_schedule *schedule)
{
    struct cs_platform *platform =
        cs_platform_homogeneous(job->unit, cs_pack_instance_procs(job->instance));

    cs_schedule_set_platform(schedule, platform);
    cs_platform_destroy(platform);
}

static int plan_once(struct cs_plan_pack *job, struct cs_error *err)
{
    enum cs_format format = (enum cs_format)cs_arguments_choice(job->args, "format");
    struct cs_plan_pack_result result = {
        .plan = cs_pack_plan_create(cs_pack_instance_tasks(job->instance))};
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = make_plan(job, &result, err);

    if (!status) {
        cs_pack_metrics_compute(job->instance, result.plan, &result.metrics);
        result.declared = cs_pack_declare(job->instance, result.plan, job->bound, job->arena);
        result.schedule =
            cs_pack_schedule(job->instance, result.plan,
                             (enum cs_pack_order)cs_arguments_choice(job->args, "order"));
        name_processors(job, result.schedule);
        status = write_files(job, &result, err);
    }
    if (!status) {
        cs_plan_pack_show(job, &result, format, &text);
        cs_output_put(&text);
    }
    cs_strbuf_release(&text);
    cs_schedule_destroy(result.schedule);
    cs_pack_plan_destroy(result.plan);
    return status;
}

static int plan(struct cs_plan_pack *job, struct cs_error *err)
{
    const char *policy = cs_arguments_text(job->args, "policy");

    if (check_outputs(job->args, err) || read_input(job, err))
        return -1;
    if (policy && strcmp(policy, "all") && cs_plan_pack_request(job, policy, err))
        return -1;
    warn_of_repair(job);
    if (find_bound(job, err))
        return -1;
    return policy && !strcmp(policy, "all") ? cs_plan_pack_compare(job, err) : plan_once(job, err);
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_plan_pack job = {
        .args = args,
        .arena = cs_arena_create(),
        .input = cs_arguments_operand(args, 0),
        .unit = cs_arguments_text(args, "unit"),
    };
    int status = check_line(args, err) ? CS_EXIT_USAGE : plan(&job, err);

    cs_pack_instance_destroy(job.instance);
    cs_workload_destroy(job.workload);
    cs_arena_destroy(job.arena);
    return status;
}

static void policy_words(struct cs_strbuf *words)
{
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(words, "%s ", list[i]->name);
    cs_strbuf_puts(words, "all");
}

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .kind = CS_FIELD_PATH,
     .summary = "the applications: CSV with the columns app,procs,seconds, or JSON with tables or "
                "formulas (cosched-workload-1); - reads standard input; .gz and .xz are fine"},
    {0},
};

static const struct cs_field options[] = {
    CS_FIELD_PROCS_GROUP("What is planned", -100000000), /* the instance refuses below 1 */
    {.name = "pack-size",
     .letter = 'k',
     .kind = CS_FIELD_INTEGER,
     .argument = "K",
     .low = -100000000, /* the instance refuses what is below 1 */
     .high = 100000000,
     .summary = "most tasks in a pack; default: as many as processors"},
    {.name = "fill",
     .kind = CS_FIELD_CHOICE,
     .choices = "power|step",
     .fallback = "power",
     .summary = "times between measured points: on the power law through both, or that of the "
                "next smaller measured count"},
    {.name = "fewer",
     .kind = CS_FIELD_CHOICE,
     .choices = "refuse|scale",
     .fallback = "refuse",
     .summary = "below the smallest measured count: the task cannot run there, or it takes the "
                "time of perfect scaling"},
    {.name = "policy",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME[:PARAM=VALUE,...]",
     .group = "How it is planned",
     .values = policy_words,
     .summary = "the policy, see 'cosched list pack'; all compares every one in a table"},
    {.name = "effort",
     .kind = CS_FIELD_CHOICE,
     .choices = "fast|default|high|exact",
     .summary = "instead of a policy: how hard to try; default: default"},
    {.name = "time-limit",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e9,
     .summary = "searches end after this time with the best plan so far and its proven gap; "
                "default: 60 s, 10 s for each of --policy all"},
    {.name = "bound",
     .kind = CS_FIELD_CHOICE,
     .choices = "cheap|strong",
     .fallback = "cheap",
     .summary = "the lower bound that the gap is measured against; strong is column generation, "
                "within the time limit"},
    CS_FIELD_SEED_ROW("for the policies that draw at random"),
    CS_FIELD_THREADS_ROW,
    CS_FIELD_FORMAT_GROUP("What comes out"),
    {.name = "output",
     .letter = 'o',
     .kind = CS_FIELD_PATH,
     .argument = "PLAN.json",
     .summary = "write the plan as JSON (cosched-schedule-1), which 'cosched check' judges"},
    CS_FIELD_GANTT_ROW("draw the plan"),
    {.name = "order",
     .kind = CS_FIELD_CHOICE,
     .choices = "creation|cost|smith",
     .fallback = "creation",
     .summary = "how the packs follow one another: as made, shortest first, or by least cost for "
                "each task, which is best for the mean response time"},
    CS_FIELD_UNIT_ROW,
    CS_FIELD_TITLE_ROW,
    CS_FIELD_DARK_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Plan measured applications on 32 nodes and draw the plan:",
     "cosched plan pack examples/archer2.csv --procs 32 --unit node --gantt plan.svg"},
    {"Every policy in one table:",
     "cosched plan pack examples/archer2.csv --procs 32 --policy all"},
    {"At most four together, proven optimal if a minute is enough:",
     "cosched plan pack examples/archer2.csv --procs 32 --pack-size 4 --effort exact"},
    {"Write the plan and have it judged:",
     "cosched plan pack examples/quickstart.csv --procs 8 --output plan.json && "
     "cosched check plan.json"},
    {0},
};

const struct cs_command cs_command_plan_pack = {
    .words = "plan pack",
    .summary = "group applications into packs that run one after the other",
    .description =
        "Partition the applications into packs and give each application of a pack processors, so "
        "that the packs, run one after the other, finish soonest. All applications of a pack start "
        "together; a pack lasts as long as its longest one.\n\n"
        "Every plan comes with its cost (the sum of the pack costs), the cost relative to running "
        "each application alone on all processors, the packing ratio (how busy the processors "
        "are), the relative response time, a lower bound, and the gap to it: no plan costs less "
        "than the bound.\n\n"
        "Times are repaired before planning so that more processors never take longer and never "
        "do less work in all; a warning tells how much that changed.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
