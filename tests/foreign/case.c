/* case.c - calls by name, and of the checker. */
#include "calls.h"
#include "check/check.h"

#include <cosched/case.h>
#include <cosched/chart.h>
#include <math.h>
#include <string.h>

static void end_case(void *c)
{
    cs_case_close(c);
}

static void end_report(void *r)
{
    cs_check_report_destroy(r);
}

static void end_file(void *f)
{
    cs_schedule_file_destroy(f);
}

static void describe(struct caller *c)
{
    char *text = cs_case_describe(is_wild(c) ? NULL : word(c, "rigid"), err_of(c));

    reported(c, !text);
    cs_free(text);
    cs_version();
}

/* Its runs and their texts. */
static void show_case(struct caller *c)
{
    static const char *const forms[] = {"table", "json", "csv", "runs"};
    const struct cs_chart_options how = {.size = is_wild(c) ? 3 : sizeof how,
                                         .width = whole(c, 240, 900),
                                         .style = word(c, "grey"),
                                         .title = word(c, "title"),
                                         .processor = word(c, "node")};
    struct cs_case *k = pick(c, CASE);
    size_t length = 0;
    long size;
    char *text = cs_case_text(k, word(c, forms[draw(c) % 4]), whole(c, 0, 200),
                              is_wild(c) ? NULL : &length, err_of(c));

    reported(c, !text);
    cs_free(text);
    text = cs_case_svg(k, whole(c, 0, 0), whole(c, 0, 0), is_wild(c) ? NULL : &how, NULL, &length,
                       err_of(c));
    reported(c, !text);
    cs_free(text);
    cs_free(cs_case_jobs(k, whole(c, 0, 0), whole(c, 0, 0), NULL, &length, err_of(c)));
    reported(c, cs_case_set_command(k, word(c, "a command"), err_of(c)) != 0);
    {
        struct cs_case_param param;
        const size_t room = is_wild(c) ? 5 : sizeof param;

        reported(c, cs_case_param_at(word(c, "pack"), whole(c, 0, 9), is_wild(c) ? NULL : &param,
                                     room, err_of(c)) < 0);
        text = cs_case_words(word(c, "rigid"), whole(c, 0, 9), err_of(c));
        reported(c, !text);
        cs_free(text);
    }
    cs_case_groups(k);
    cs_case_group(k, whole(c, 0, 1), is_wild(c) ? NULL : &size);
    reported(c, cs_case_check(word(c, "rigid"), word(c, "simulate"), word(c, "{\"procs\": 8}"),
                              err_of(c)) != 0);
}

static void open_case(struct caller *c)
{
    static const char *const options[] = {
        "{\"procs\": 8000, \"policy\": \"easy\", \"scenarios\": 2}",
        "{\"procs\": \"x\"}",
        "[1, 2",
        "{\"procs\": -1, \"policy\": \"none\"}",
        "{\"procs\": 8000, \"policy\": \"shelf,greedy\", \"scenarios\": 1}",
    };
    struct cs_case *made =
        cs_case_open(word(c, "rigid"), word(c, "simulate"),
                     word(c, options[c->tame ? 0 : draw(c) % 5]), NULL, err_of(c));

    reported(c, !made);
    keep(c, CASE, made, end_case);
    made = pick(c, CASE);
    if (!c->tame)
        reported(c, cs_case_run(made, NULL, err_of(c)) != 0);
    else
        cs_case_run(made, NULL, err_of(c));
}

static void ask_case(struct caller *c)
{
    struct cs_case *k = pick(c, CASE);
    const char *value = is_wild(c) ? NULL : cs_case_metric(k, whole(c, 0, 3));
    const char *const input[] = {word(c, "/dev/null")};
    double out[8], figure[32];
    size_t length;
    char *text;

    cs_case_variants(k);
    cs_case_runs(k);
    cs_case_keys(k);
    cs_case_metrics(k);
    cs_case_key(k, whole(c, 0, 1));
    cs_case_label(k, whole(c, 0, 1), whole(c, 0, 1));
    cs_case_figure(whole(c, 0, 9));
    reported(c, cs_case_column(k, whole(c, 0, 0), value, out, count(c, 8), err_of(c)) != 0);
    reported(c, cs_case_figures(k, whole(c, 0, 0), value, figure, count(c, 32), err_of(c)) != 0);
    reported(c, cs_case_compare(k, value, whole(c, 0, 0), whole(c, 0, 0), out, count(c, 8),
                                err_of(c)) != 0);
    text = cs_case_schedule(k, whole(c, 0, 0), whole(c, 0, 0), NULL, is_wild(c) ? NULL : &length,
                            err_of(c));
    if (reported(c, !text)) {
        keep(c, SCHEDULE_FILE,
             cs_schedule_file_read_memory(word(c, "plan"), text, strlen(text) - is_wild(c),
                                          err_of(c)),
             end_file);
        cs_free(cs_schedule_text_svg(text, strlen(text) - is_wild(c), whole(c, 0, 900),
                                     word(c, "title"), &length, err_of(c)));
        cs_free(cs_check_text(text, strlen(text) - is_wild(c), is_wild(c) ? NULL : input,
                              count(c, 1), err_of(c)));
    }
    cs_free(text);
    reported(c, cs_case_schedule_write(k, whole(c, 0, 0), whole(c, 0, 0), "/dev/null", NULL,
                                       err_of(c)) != 0);
    cs_free(cs_check_text(word(c, "{}"), 0, NULL, 0, err_of(c)));
}

static void generate(struct caller *c)
{
    reported(c, cs_case_generate(word(c, "rigid"), word(c, "{\"jobs\": 3}"), target(c), NULL,
                                 err_of(c)) != 0);
}

static void reports(struct caller *c)
{
    keep(c, REPORT, cs_check_report_create((size_t)whole(c, 0, 9)), end_report);
    keep(c, SCHEDULE_FILE, cs_schedule_file_read(word(c, "/dev/null"), err_of(c)), end_file);
    cs_violation_name((enum cs_violation)whole(c, 1, CS_VIOLATION_INPUT));
}

static void checks(struct caller *c)
{
    static const double seconds[] = {10, 20, 30, 5};
    static const int procs[] = {1, 4, 2, 8};
    const struct cs_schedule *s = pick(c, SCHEDULE);
    const struct cs_workload *w = pick(c, WORKLOAD);
    struct cs_check_report *r = pick(c, REPORT);
    const struct cs_rigid_declared rigid = {.priority = "",
                                            .lower_bound = real(c, 0, 1),
                                            .seconds = seconds,
                                            .procs = procs,
                                            .scenario = -1,
                                            .shelves = draw(c) & 1};
    const struct cs_pack_declared pack = {.pack_size = whole(c, 1, 4),
                                          .lower_bound = real(c, 0, 9)};
    const struct cs_malleable_declared malleable = {.mtbf = real(c, 1e4, 1e5),
                                                    .on_end = "",
                                                    .on_failure = "",
                                                    .rules = {.period_factor = 1, .kappa = 1},
                                                    .fatal = -1};
    const struct cs_moldable_declared moldable = {.lower_bound = real(c, 0, 9), .gap = NAN};
    const struct cs_schedule_file file = {
        .schedule = c->tame ? pick(c, SCHEDULE) : NULL, .policy = "", .command = "", .source = ""};

    cs_check_general(s, draw(c) & 1, r);
    cs_check_pack(s, w, whole(c, 1, 4), is_wild(c) ? NULL : &pack, r);
    if (!s || cs_schedule_tasks(s) <= 4)
        cs_check_rigid(s, is_wild(c) ? NULL : &rigid, r);
    cs_check_malleable(s, w, is_wild(c) ? NULL : &malleable, r);
    cs_check_moldable(s, w, is_wild(c) ? NULL : &moldable, r);
    cs_check_ptg(s, NULL, r);
    cs_check_volatile(s, NULL, r);
    cs_check_file(is_wild(c) ? NULL : &file, r);
}

/* No bar of it is there, which is told, and no mistake of the caller. */
static void judge_schedule(struct caller *c)
{
    static const char *const commands[] = {"cosched plan pack bag.csv --procs 8", NULL, "",
                                           "simulate rigid 'x y' --jobs", "plan ptg"};
    static const char *const names[] = {"ocean",   "genome", "solver",
                                        "weather", "render", "protein"};
    const struct cs_schedule_input supplied = {word(c, "input"), word(c, "bag.csv"), word(c, "")};
    const char *const input[] = {is_wild(c) ? word(c, "/nosuch") : EXAMPLES "/quickstart.csv"};
    struct cs_schedule *schedule = cs_schedule_create("pack", 8, 6, names);
    const struct cs_schedule_file file = {
        .schedule = is_wild(c) ? pick(c, SCHEDULE) : schedule,
        .command = commands[c->tame ? 0 : draw(c) % 5],
        .inputs = count(c, 1),
        .input = is_wild(c) ? NULL : &supplied,
        .source = word(c, "plan.json"),
        .policy = "",
    };

    reported(c, cs_check_schedule(is_wild(c) ? NULL : &file, is_wild(c) ? NULL : input, count(c, 1),
                                  NULL, pick(c, REPORT), err_of(c)) != 0);
    cs_schedule_destroy(schedule);
}

const struct call case_calls[] = {
    {"case_describe", describe}, {"case_open", open_case},           {"case_ask", ask_case},
    {"case_show", show_case},    {"case_generate", generate},        {"reports", reports},
    {"checks", checks},          {"judge_schedule", judge_schedule}, {NULL, NULL},
};
