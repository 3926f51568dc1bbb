/* case: any problem by names and JSON, as programs in other languages use it. */
#include "check/check.h"
#include "unit/case_jobs.h"

#include <cosched/chart.h>
#include <cosched/convert.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void problems_are_reported_as_data(void **state)
{
    struct cs_error err = {0};
    char *text = cs_case_describe(NULL, &err);
    json_t *all = json_loads(text, 0, NULL), *problems = json_object_get(all, "problems"), *one;
    size_t i;

    (void)state;
    assert_string_equal(json_string_value(json_object_get(all, "version")), cs_version());
    assert_true(json_array_size(problems) >= 6);
    json_array_foreach(problems, i, one)
    {
        assert_true(json_array_size(json_object_get(one, "parameters")) > 5);
        assert_true(json_array_size(json_object_get(one, "metrics")) > 2);
        assert_true(json_array_size(json_object_get(one, "policies")) > 0);
    }
    json_decref(all);
    cs_free(text);
    assert_null(cs_case_describe("packs", &err));
    assert_non_null(strstr(err.text, "pack"));
}

/* The second with the first, run by run, by their makespans. */
static void are_compared(const struct cs_case *c)
{
    double pair[CS_CASE_PAIRINGS], back[CS_CASE_PAIRINGS], first[30], second[30], logs = 0;
    struct cs_error err = {0};

    assert_int_equal(cs_case_compare(c, "makespan", 1, 0, pair, CS_CASE_PAIRINGS, &err), 0);
    assert_int_equal(cs_case_compare(c, "makespan", 0, 1, back, CS_CASE_PAIRINGS, &err), 0);
    assert_int_equal(cs_case_column(c, 0, "makespan", first, 30, NULL), 0);
    assert_int_equal(cs_case_column(c, 1, "makespan", second, 30, NULL), 0);
    for (int r = 0; r < 30; r++)
        logs += log(second[r] / first[r]) / 30;
    assert_int_equal((int)pair[CS_CASE_PAIRS], 30);
    assert_true(fabs(pair[CS_CASE_OVER] - exp(logs)) < 1e-12);
    assert_true(fabs(pair[CS_CASE_OVER] * back[CS_CASE_OVER] - 1) < 1e-12);
    assert_true(pair[CS_CASE_OVER_LOW] <= pair[CS_CASE_OVER] &&
                pair[CS_CASE_OVER] <= pair[CS_CASE_OVER_HIGH]);
    assert_true(pair[CS_CASE_WINS] + back[CS_CASE_WINS] >= 1);
    assert_int_equal(cs_case_compare(c, "makespan", 1, 2, pair, CS_CASE_PAIRINGS, &err), -1);
    assert_string_equal(err.text, "there is no variant 2: there are 2");
    assert_int_equal(cs_case_compare(c, "makespan", 1, 0, pair, 4, &err), -1);
    err.text[0] = 0;
    assert_int_equal(cs_case_compare(c, "beauty", 1, 0, pair, 5, &err), -1);
    assert_non_null(strstr(err.text, "no run has the metric \"beauty\""));
    assert_int_equal(cs_case_compare(NULL, NULL, 0, 0, pair, 5, NULL), -1);
}

static json_int_t sum_of(const json_t *problem, const char *list, const char *key)
{
    const json_t *one;
    json_int_t sum = 0;
    size_t i;

    json_array_foreach(json_object_get(problem, list), i, one)
    {
        assert_non_null(json_object_get(one, "heading"));
        assert_true(json_integer_value(json_object_get(one, key)) > 0);
        sum += json_integer_value(json_object_get(one, key));
    }
    return sum;
}

/* Groups cover all parameters, and choices the policies that are no priorities. */
static void lists_have_parts(void **state)
{
    char *text = cs_case_describe(NULL, NULL);
    json_t *all = json_loads(text, 0, NULL), *one;
    size_t i;

    (void)state;
    json_array_foreach(json_object_get(all, "problems"), i, one)
    {
        const json_t *policies = json_object_get(one, "policies");
        const json_int_t count = sum_of(one, "choices", "policies");

        assert_int_equal(sum_of(one, "groups", "parameters"),
                         json_array_size(json_object_get(one, "parameters")));
        assert_in_range(count, 1, json_array_size(policies));
        for (size_t p = 0; p < json_array_size(policies); p++) {
            const json_t *kind = json_object_get(json_array_get(policies, p), "kind");

            assert_int_equal(!strcmp(json_string_value(kind), "priority"), p >= (size_t)count);
        }
    }
    json_decref(all);
    cs_free(text);
}

static void variants_run_on_the_same_scenarios(void **state)
{
    struct cs_error err = {0};
    struct cs_case *c = cs_case_open("rigid", "simulate", rigid, NULL, &err);
    double one[30], two[30];

    (void)state;
    assert_string_equal(err.text, "");
    assert_non_null(c);
    assert_int_equal(cs_case_variants(c), 2);
    assert_int_equal(cs_case_runs(c), 30);
    assert_string_equal(cs_case_key(c, 0), "policy");
    assert_string_equal(cs_case_label(c, 1, 0), "greedy");
    assert_null(cs_case_label(c, 2, 0));
    assert_int_equal(cs_case_column(c, 0, "failures", one, 30, &err), -1);
    assert_string_equal(err.text, "the case has not run yet");
    assert_int_equal(cs_case_run(c, NULL, &err), 0);
    assert_true(cs_case_metrics(c) > 3);
    assert_int_equal(cs_case_column(c, 0, "failures", one, 30, NULL), 0);
    assert_int_equal(cs_case_column(c, 1, "failures", two, 30, NULL), 0);
    assert_memory_equal(one, two, sizeof one);
    are_compared(c);
    cs_case_close(c);
}

/* Twice, with the names of both and the command. */
static void shown_as_a_page(const char *text)
{
    const struct cs_chart_source source[] = {{"folder/one.json", text, strlen(text)},
                                             {"two.json", text, strlen(text)}};
    const struct cs_report_options how = {.size = sizeof how, .command = "made by hand"};
    struct cs_error err = {0};
    size_t length;
    char *html = cs_report_html(source, 2, &how, &length, &err);
    char *svg = cs_chart_svg(&source[0], NULL, NULL, NULL, &err);

    assert_string_equal(err.text, "");
    assert_int_equal(length, strlen(html));
    assert_non_null(strstr(html, "<title>2 results"));
    assert_non_null(strstr(html, "one.json"));
    assert_non_null(strstr(html, "made by hand"));
    assert_null(strstr(html, "folder/"));
    assert_non_null(strstr(svg, "</svg>"));
    assert_null(cs_chart_svg(&source[0], "time", NULL, NULL, &err));
    assert_non_null(strstr(err.text, "folder/one.json: is a schedule, which is one figure"));
    cs_free(html);
    cs_free(svg);
}

/* The text with the command that the tool would have said, on these files. */
static char *judged_by(const char *text, const char *input, struct cs_error *err)
{
    const char *const inputs[] = {input};
    const char *at = strstr(text, "\"inputs\": ");
    char *said, *with = malloc(strlen(text) + 200);

    assert_null(strstr(text, "\"command\""));
    assert_non_null(at);
    snprintf(with, strlen(text) + 200, "%.*s\"command\": \"cosched plan pack x.csv --procs 4\", %s",
             (int)(at - text), text, at);
    said = cs_check_text(with, strlen(with), inputs, 1, err);
    free(with);
    return said;
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    fputs(text, file);
    fclose(file);
}

static void a_plan_is_judged_by_what_it_was_made_from(void **state)
{
    static const char bag[] = "app,procs,seconds\na,1,10\na,2,6\nb,1,8\nb,4,3\n";
    char path[] = "/tmp/cs-against-XXXXXX", options[200];
    struct cs_error err = {0}, why = {0};
    struct cs_case *c;
    char *text, *said;

    (void)state;
    close(mkstemp(path));
    put_file(path, bag);
    snprintf(options, sizeof options, "{\"input\": \"%s\", \"procs\": 4}", path);
    c = cs_case_open("pack", "plan", options, NULL, &err);
    assert_int_equal(cs_case_run(c, NULL, &err), 0);
    text = cs_case_schedule(c, 0, 0, NULL, NULL, &err);
    said = judged_by(text, path, &err);
    assert_string_equal(err.text, "");
    assert_non_null(strstr(said, "\"verdict\": \"valid\""));
    cs_free(said);
    put_file(path, "app,procs,seconds\na,1,10\na,2,6\nb,1,8\nb,4,4\n");
    said = judged_by(text, path, &err);
    assert_non_null(strstr(said, "the schedule was made from another input"));
    cs_free(said);
    unlink(path);
    assert_null(judged_by(text, path, &err));
    assert_null(cs_check_text(text, strlen(text), (const char *const[]){path}, 1, &why));
    assert_non_null(strstr(why.text, "it has no \"command\""));
    cs_free(text);
    cs_case_close(c);
}

static void a_run_is_a_valid_schedule_and_a_picture(void **state)
{
    struct cs_error err = {0};
    struct cs_case *c = cs_case_open("rigid", "simulate", rigid, NULL, &err);
    size_t length;
    char *text, *finding, *svg;

    (void)state;
    assert_null(cs_case_schedule(c, 1, 7, NULL, &length, NULL));
    assert_int_equal(cs_case_run(c, NULL, &err), 0);
    text = cs_case_schedule(c, 1, 7, NULL, &length, &err);
    assert_non_null(text);
    assert_non_null(strstr(text, "\"policy\": \"greedy\""));
    finding = cs_check_text(text, length, NULL, 0, &err);
    assert_non_null(strstr(finding, "\"verdict\": \"valid\""));
    svg = cs_schedule_text_svg(text, length, 640, "one run", &length, &err);
    assert_int_equal(length, strlen(svg));
    assert_non_null(strstr(svg, "one run"));
    shown_as_a_page(text);
    cs_free(text);
    cs_free(finding);
    cs_free(svg);
    cs_case_close(c);
}

/* One with a task that is not there, and one that is whole. */
static void becomes_a_script(const struct cs_schedule *half, struct cs_schedule *whole)
{
    const struct cs_interval all = {0, 3};
    const struct cs_bar bar = {.kind = CS_BAR_WORK,
                               .task = 1,
                               .attempt = 1,
                               .start = 10,
                               .end = 20,
                               .intervals = 1,
                               .procs = &all};
    struct cs_error err = {0};
    size_t length;
    char *text;

    assert_null(cs_schedule_sbatch(half, NULL, NULL, NULL, &err));
    assert_string_equal(err.text, "task second is not in the plan");
    err.text[0] = 0;
    assert_int_equal(cs_schedule_add(whole, &bar, &err), 0);
    text = cs_schedule_sbatch(whole, "node", "made by\nhand", &length, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(length, strlen(text));
    assert_non_null(strstr(text, "#SBATCH --nodes=4"));
    assert_non_null(strstr(text, "# Written by: made by hand"));
    cs_free(text);
}

static long most_kilobytes(void)
{
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

/* What is kept is kept of the intervals of a plan, not of its processors. */
static void a_script_for_any_number_of_processors_takes_little_memory(void **state)
{
    static const char *const name[] = {"low", "high", "wide"};
    const struct cs_interval on[] = {{0, 999}, {1000, INT_MAX - 1}, {999, 1000}};
    struct cs_schedule *schedule = cs_schedule_create("moldable", INT_MAX, 3, name);
    struct cs_bar bar = {.kind = CS_BAR_WORK, .attempt = 1, .intervals = 1};
    struct cs_error err = {0};
    const long before = most_kilobytes();
    char *text;

    (void)state;
    for (bar.task = 0; bar.task < 3; bar.task++) {
        bar.start = bar.task < 2 ? 0 : 10;
        bar.end = bar.start + 10;
        bar.procs = &on[bar.task];
        assert_int_equal(cs_schedule_add(schedule, &bar, &err), 0);
    }
    text = cs_schedule_sbatch(schedule, "node", NULL, NULL, &err);
    assert_string_equal(err.text, "");
    assert_non_null(strstr(text, "step high 2147482647 '1001,2147483647p' \"$@\" high"));
    assert_non_null(strstr(text, "wait \"$p0\" \"$p1\"\nstep wide 2 '1000,1001p'"));
    assert_true(most_kilobytes() - before < 100000);
    cs_free(text);
    cs_schedule_destroy(schedule);
}

static void a_schedule_of_ones_own_is_drawn_over_what_was_planned(void **state)
{
    static const char *const name[] = {"first", "second"};
    const struct cs_interval all = {0, 3};
    const struct cs_bar bar = {
        .kind = CS_BAR_WORK, .attempt = 1, .end = 10, .intervals = 1, .procs = &all};
    const struct cs_chart_options how = {
        .size = sizeof how, .width = 400, .title = "mine", .subtitle = "below", .style = "grey"};
    struct cs_schedule *ran = cs_schedule_create("pack", 4, 2, name);
    struct cs_schedule *planned = cs_schedule_create("pack", 4, 2, name);
    struct cs_error err = {0};
    size_t length;
    char *svg, *bare;

    (void)state;
    assert_int_equal(cs_schedule_add(ran, &bar, &err) || cs_schedule_add(planned, &bar, &err), 0);
    svg = cs_schedule_svg(ran, planned, &how, &length, &err);
    bare = cs_schedule_svg(ran, NULL, NULL, NULL, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(length, strlen(svg));
    assert_non_null(strstr(svg, "viewBox=\"0 0 400 "));
    assert_non_null(strstr(svg, ">mine<"));
    becomes_a_script(ran, planned);
    assert_non_null(strstr(svg, ">below<"));
    assert_non_null(strstr(svg, "planned from"));
    assert_null(strstr(bare, "planned from"));
    assert_non_null(strstr(bare, "first"));
    cs_free(svg);
    cs_free(bare);
    cs_schedule_destroy(ran);
    cs_schedule_destroy(planned);
}

static void refused(const char *problem, const char *action, const char *options, const char *why)
{
    struct cs_error err = {0};

    assert_null(cs_case_open(problem, action, options, NULL, &err));
    if (!strstr(err.text, why))
        fail_msg("%s: %s", why, err.text);
}

static void mistakes_are_reported(void **state)
{
    struct cs_error err = {0};
    double one[1];

    (void)state;
    refused(NULL, "plan", "{}", "problem");
    refused("rigid", NULL, "{}", "\"plan\" or \"simulate\"");
    refused("rigid", "plan", "{}", "there is nothing to plan in the problem rigid");
    refused("rigid", "simulate", "{", "options");
    refused("rigid", "simulate", "[]", "an object is wanted");
    refused("rigid", "simulate", "{\"prox\": 3}", "prox");
    refused("rigid", "simulate", "{\"procs\": \"many\"}", "procs");
    refused("rigid", "simulate", "{\"input\": 3}", "a path, or a list of paths");
    refused("rigid", "simulate", "{\"schedule\": \"x\"}", "is for the command line");
    refused("rigid", "simulate", "{\"policy\": [3]}", "policy[0]: a text is wanted");
    refused("pack", "plan", "{\"input\": \"none.csv\", \"procs\": 4}", "none.csv");
    refused("pack", "plan", "{\"input\": {\"bytes\": [110, 255]}, \"procs\": 4}", "n\xff");
    refused("pack", "plan", "{\"input\": [{\"bytes\": [110, 254]}], \"procs\": 4}", "n\xfe");
    refused("pack", "plan", "{\"input\": {\"bytes\": [0]}}", "a list of whole numbers from 1");
    refused("pack", "plan", "{\"policy\": [{\"bytes\": [112]}]}", "p");
    refused("pack", "plan", "{\"policy\": {\"text\": \"p\"}}", "policy: an object is");
    refused("rigid", "generate", "{}", "not for \"generate\"");
    assert_int_equal(cs_case_run(NULL, NULL, &err), -1);
    assert_int_equal(cs_case_column(NULL, 0, "makespan", one, 1, NULL), -1);
    assert_null(cs_case_schedule(NULL, 0, 0, NULL, NULL, NULL));
    assert_null(cs_check_text(NULL, 0, NULL, 0, NULL));
    assert_null(cs_check_text("{}", 2, NULL, 0, NULL));
    assert_int_equal(cs_case_generate("rigid", NULL, NULL, NULL, NULL), -1);
    assert_int_equal(cs_case_variants(NULL) + cs_case_keys(NULL) + cs_case_metrics(NULL), 0);
    cs_case_close(NULL);
}

static bool at_once(void *who)
{
    ++*(int *)who;
    return true;
}

static void a_watch_stops_it(void **state)
{
    int asked = 0;
    const struct cs_watch watch = {.size = sizeof watch, .stop = at_once, .who = &asked};
    struct cs_error err = {0};
    struct cs_case *c = cs_case_open("rigid", "simulate", rigid, NULL, &err);

    (void)state;
    assert_int_equal(cs_case_run(c, &watch, &err), -1);
    assert_string_equal(err.text, "stopped");
    assert_true(asked > 0);
    cs_case_close(c);
}

static void a_watch_stops_the_drawing_of_failures(void **state)
{
    int asked = 0;
    const struct cs_watch watch = {.size = sizeof watch, .stop = at_once, .who = &asked};
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_case_open("rigid", "simulate", rigid, &watch, &err));
    assert_string_equal(err.text, "stopped");
    assert_int_equal(asked, 1);
}

static void a_watch_stops_what_is_generated(void **state)
{
    static const struct {
        const char *problem, *options;
    } long_one[] = {
        {"rigid", "{\"jobs\": 100000}"},
        {"pack", "{\"workload\": \"random\", \"tasks\": 20000, \"procs\": 20}"},
        {"moldable", "{\"tasks\": 1000, \"procs\": 64}"},
        {"malleable", "{\"tasks\": 1000}"},
        {"ptg", "{\"count\": 20, \"tasks\": 50}"},
        {"volatile", "{\"hosts\": 10, \"slots\": 10000}"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof long_one / sizeof *long_one; k++) {
        int asked = 0;
        const struct cs_watch watch = {.size = sizeof watch, .stop = at_once, .who = &asked};
        struct cs_error err = {0};

        assert_int_equal(
            cs_case_generate(long_one[k].problem, long_one[k].options, "stopped.out", &watch, &err),
            -1);
        assert_string_equal(err.text, "stopped");
        assert_int_equal(err.kind, CS_ERROR_STOPPED);
        assert_int_equal(asked, 1);
        assert_int_equal(access("stopped.out", F_OK), -1);
        assert_int_equal(
            cs_case_generate(long_one[k].problem, long_one[k].options, "stopped.out", NULL, &err),
            0);
        assert_int_equal(remove("stopped.out"), 0);
    }
}

static void a_watch_stops_a_run_that_is_kept(void **state)
{
    int asked = 0;
    const struct cs_watch watch = {.size = sizeof watch, .stop = at_once, .who = &asked};
    struct cs_error err = {0};
    struct cs_case *c = cs_case_open("rigid", "simulate", rigid, NULL, &err);
    char *text;

    (void)state;
    assert_int_equal(cs_case_run(c, NULL, &err), 0);
    assert_null(cs_case_schedule(c, 0, 0, &watch, NULL, &err));
    assert_string_equal(err.text, "stopped");
    assert_null(cs_case_svg(c, 0, 0, NULL, &watch, NULL, &err));
    assert_string_equal(err.text, "stopped");
    assert_int_equal(asked, 2);
    text = cs_case_schedule(c, 0, 0, NULL, NULL, &err);
    assert_non_null(text);
    cs_free(text);
    text = cs_case_schedule(c, 0, 0, &watch, NULL, &err);
    assert_non_null(text);
    cs_free(text);
    assert_int_equal(asked, 2);
    cs_case_close(c);
}

static void a_watch_of_another_edition_is_refused(void **state)
{
    const struct cs_watch watch = {.size = 8};
    struct cs_error err = {0};
    struct cs_case *c = cs_case_open("rigid", "simulate", rigid, NULL, &err);

    (void)state;
    assert_null(cs_case_open("rigid", "simulate", rigid, &watch, &err));
    assert_non_null(strstr(err.text, "found 8 bytes"));
    assert_int_equal(cs_case_run(c, &watch, &err), -1);
    assert_int_equal(cs_case_run(c, NULL, &err), 0);
    cs_case_close(c);
}

static void note(void *who, const char *error_text)
{
    (void)error_text;
    ++*(int *)who;
}

static void write_log(char *path, const char *log)
{
    FILE *file = fdopen(mkstemp(path), "w");

    fputs(log, file);
    fclose(file);
}

static void a_log_becomes_another(void **state)
{
    static const char log[] = "; MaxProcs: 8\n1 0 0 10.5 4 -1 -1 4 60 -1 1 1 1 -1 1 1 -1 -1\n"
                              "2 5 0 -1 4 -1 -1 4 60 -1 0 1 1 -1 1 1 -1 -1\n";
    char path[] = "/tmp/cs_log_XXXXXX";
    const char *const paths[] = {path};
    int notes = 0;
    const struct cs_watch watch = {.size = sizeof watch, .warn = note, .who = &notes};
    struct cs_convert_options how = {.size = sizeof how, .to = "swf"};
    struct cs_error err = {0};
    size_t length;
    char *text;

    (void)state;
    write_log(path, log);
    text = cs_convert(paths, 1, &how, &watch, &length, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(strlen(text), length);
    assert_non_null(strstr(text, "; MaxProcs: 8\n"));
    assert_non_null(strstr(text, "cs_convert"));
    assert_int_equal(notes, 2);
    cs_free(text);
    how.to = "csv";
    text = cs_convert(paths, 1, &how, NULL, NULL, &err);
    assert_non_null(strstr(text, "10.5"));
    cs_free(text);
    unlink(path);
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static char *judged(const char *table, const char *log)
{
    char path[2][32] = {"/tmp/cs_table_XXXXXX", "/tmp/cs_log_XXXXXX"};
    const char *const text[] = {table, log}, *const logs[] = {path[1]};
    const struct cs_check_options how = {.size = sizeof how, .rule = "fcfs"};
    struct cs_error err = {0};
    char *verdicts;

    for (int f = 0; f < 2; f++) {
        FILE *file = fdopen(mkstemp(path[f]), "w");

        fputs(text[f], file);
        fclose(file);
    }
    verdicts = cs_check_jobs(path[0], logs, 1, &how, NULL, &err);
    assert_string_equal(err.text, "");
    for (int f = 0; f < 2; f++)
        unlink(path[f]);
    return verdicts;
}

static void tables_of_jobs_are_judged(void **state)
{
    static const char log[] = "; MaxProcs: 8\n1 0 0 10 8 -1 -1 8 60 -1 1 1 1 -1 1 1 -1 -1\n"
                              "2 5 0 10 8 -1 -1 8 60 -1 1 1 1 -1 1 1 -1 -1\n";
#define HEAD "policy,priority,job_id,number,procs,submit,start,end,attempts,killed\n"
    char *good = judged(HEAD "fcfs,fcfs,1,0,8,0,0,10,1,0\nfcfs,fcfs,2,1,8,5,10,20,1,0\n"
                             "easy,fcfs,1,0,8,0,0,10,1,0\neasy,fcfs,2,1,8,5,10,20,1,0\n",
                        log);
    char *bad = judged(HEAD "fcfs,fcfs,1,0,8,0,0,10,1,0\nfcfs,fcfs,2,1,8,5,9,19,1,0\n", log);
    json_t *verdicts = json_loads(good, 0, NULL), *wrong = json_loads(bad, 0, NULL);

    (void)state;
    assert_int_equal(json_array_size(verdicts), 2);
    assert_string_equal(text_of(json_array_get(verdicts, 1), "policy"), "easy");
    assert_string_equal(text_of(json_array_get(verdicts, 1), "verdict"), "valid");
    assert_string_equal(text_of(json_array_get(verdicts, 1), "words"),
                        "2 jobs, no job overtook another");
    assert_string_equal(text_of(json_array_get(wrong, 0), "verdict"), "not valid");
    json_decref(verdicts);
    json_decref(wrong);
    cs_free(good);
    cs_free(bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_becomes_another),
        cmocka_unit_test(tables_of_jobs_are_judged),
        cmocka_unit_test(problems_are_reported_as_data),
        cmocka_unit_test(lists_have_parts),
        cmocka_unit_test(variants_run_on_the_same_scenarios),
        cmocka_unit_test(a_run_is_a_valid_schedule_and_a_picture),
        cmocka_unit_test(a_plan_is_judged_by_what_it_was_made_from),
        cmocka_unit_test(a_schedule_of_ones_own_is_drawn_over_what_was_planned),
        cmocka_unit_test(a_script_for_any_number_of_processors_takes_little_memory),
        cmocka_unit_test(mistakes_are_reported),
        cmocka_unit_test(a_watch_stops_it),
        cmocka_unit_test(a_watch_stops_the_drawing_of_failures),
        cmocka_unit_test(a_watch_stops_what_is_generated),
        cmocka_unit_test(a_watch_stops_a_run_that_is_kept),
        cmocka_unit_test(a_watch_of_another_edition_is_refused),
    };

    return cmocka_run_group_tests(tests, make_jobs, remove_jobs);
}
