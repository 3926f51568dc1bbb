/* simulate_volatile_files.c - every trial as a row, one as a schedule. */
#include "cli/base/output.h"
#include "cli/simulate_volatile.h"
#include "io/schedule_json.h"
#include "report/hosts_chart.h"
#include "report/human.h"
#include "report/png.h"
#include "report/table.h"
#include "study/words.h"
#include "volatile/schedule.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const files[] = {"per-trial", "schedule", "gantt", NULL};

int cs_simulate_volatile_check_line(const struct cs_arguments *args, struct cs_error *err)
{
    const char *policy = cs_arguments_text(args, "policy");
    const char *gantt = cs_arguments_text(args, "gantt");
    bool several = !strcmp(policy, "all") || cs_words_count(policy) > 1;

    if (several && cs_output_refuse_options(args, files + 1, "is for one policy: name it", err))
        return -1;
    return gantt ? cs_picture_check(gantt, err) : 0;
}

int cs_simulate_volatile_check_outputs(const struct cs_arguments *args, struct cs_error *err)
{
    return cs_output_check_options(args, files, cs_arguments_operand(args, 0), "the input", err);
}

static void put_row(const struct cs_simulate_volatile *run, int way, int trial,
                    struct cs_strbuf *out)
{
    const struct cs_volatile_outcome *o = cs_simulate_volatile_outcome(run, way, trial);

    cs_strbuf_printf(out, "%d,", trial);
    cs_table_put_csv(out, run->name[way]);
    cs_strbuf_printf(out, ",%d,", o->finished);
    if (o->finished)
        cs_strbuf_printf(out, "%" PRId64, o->makespan);
    cs_strbuf_putc(out, ',');
    if (run->limit[trial].slots >= 0)
        cs_strbuf_printf(out, "%" PRId64, run->limit[trial].slots);
    cs_strbuf_printf(out,
                     ",%s,%d,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
                     ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n",
                     cs_simulate_volatile_limit_name(run, trial), o->iterations, o->slots,
                     o->installed, o->aborts, o->switches, o->decisions, o->computed, o->lost,
                     o->suspended, o->sent, o->prefetched, o->idle);
}

static int write_trials(const struct cs_simulate_volatile *run, const char *path,
                        struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_puts(
        &text, "trial,policy,finished,makespan,bound,bound_kind,iterations,slots,installed,aborts,"
               "switches,decisions,computed,lost,suspended,sent,prefetched,idle\n");
    for (int t = 0; t < run->trials; t++)
        for (int w = 0; w < run->ways; w++)
            put_row(run, w, t, &text);
    return cs_output_save(path, &text, err);
}

static int write_schedule(const struct cs_simulate_volatile *run,
                          const struct cs_volatile_trial *trial, const char *path,
                          struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, trial->schedule, run->name[0]);
    cs_arguments_put_command(run->args, run->words, &w);
    cs_schedule_json_put_volatile(&w, &trial->declared);
    cs_schedule_json_put_tail(&w, trial->schedule, NULL);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_output_save(path, &text, err);
}

static void put_subtitle(const struct cs_simulate_volatile *run,
                         const struct cs_volatile_outcome *o, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%s · ", run->name[0]);
    cs_human_count(out, o->iterations);
    cs_strbuf_puts(out, " of ");
    cs_human_units(out, run->scenario->iterations, "iteration");
    cs_strbuf_puts(out, " in ");
    cs_human_units(out, o->slots, "slot");
    cs_strbuf_puts(out, " · restarts: ");
    cs_human_count(out, o->aborts);
    cs_strbuf_puts(out, " down, ");
    cs_human_count(out, o->switches);
    cs_strbuf_puts(out, " switched");
}

static int draw(const struct cs_simulate_volatile *run, const struct cs_volatile_trial *trial,
                const char *path, struct cs_error *err)
{
    const char *slash = strrchr(run->path, '/'), *title = cs_arguments_text(run->args, "title");
    struct cs_strbuf svg = CS_STRBUF_INIT, subtitle = CS_STRBUF_INIT;
    struct cs_hosts_chart_options options = {
        .title = title   ? title
                 : slash ? slash + 1
                         : run->path,
        .dark = cs_arguments_given(run->args, "dark"),
    };
    int status;

    put_subtitle(run, &trial->outcome, &subtitle);
    options.subtitle = subtitle.text;
    status = cs_hosts_chart_svg(trial->schedule, &trial->declared, &options, &svg, err);
    if (!status)
        status = cs_picture_write(path, svg.text, err);
    cs_strbuf_release(&svg);
    cs_strbuf_release(&subtitle);
    return status;
}

int cs_simulate_volatile_put_trial(const struct cs_simulate_volatile *run,
                                   const struct cs_volatile_trial *trial, struct cs_error *err)
{
    const char *schedule = cs_arguments_text(run->args, "schedule");
    const char *gantt = cs_arguments_text(run->args, "gantt");

    if (schedule && write_schedule(run, trial, schedule, err))
        return -1;
    return gantt ? draw(run, trial, gantt, err) : 0;
}

/* One trial once more, kept this time. */
static int write_one(const struct cs_simulate_volatile *run, struct cs_error *err)
{
    int number = (int)cs_arguments_integer(run->args, "trial"), status = -1;
    struct cs_volatile_request request = {.call = run->call[0]};
    struct cs_volatile_source *source;
    struct cs_volatile_trial *trial;
    struct cs_volatile_sky *sky;

    if (number >= run->trials)
        return cs_error_set(err, "there is no trial %d: they are 0 to %d", number, run->trials - 1);
    sky = cs_volatile_sky_create(&run->world, run->instance, run->arena, err);
    if (!sky)
        return -1;
    source = cs_volatile_sky_source(sky, run->seed, (uint64_t)number);
    request.seed = cs_volatile_dice_seed(run->seed, (uint64_t)number);
    trial = cs_volatile_trial_create(run->instance, &request, source, err);
    if (trial) {
        trial->declared.lower_bound =
            run->limit[number].slots < 0 ? NAN : (double)run->limit[number].slots;
        status = cs_simulate_volatile_put_trial(run, trial, err);
    }
    cs_volatile_trial_destroy(trial);
    cs_volatile_source_destroy(source);
    return status;
}

int cs_simulate_volatile_files(const struct cs_simulate_volatile *run, struct cs_error *err)
{
    const char *rows = cs_arguments_text(run->args, "per-trial");

    if (rows && write_trials(run, rows, err))
        return -1;
    if (!cs_arguments_text(run->args, "schedule") && !cs_arguments_text(run->args, "gantt"))
        return 0;
    return write_one(run, err);
}
