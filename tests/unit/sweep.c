/* Sweeps: ranges to the last bit, unions of grids, what a place in the file has wrong. */
#include "kit.h"

#include "campaign/experiment_reader.h"
#include "campaign/parameters.h"
#include "campaign/store.h"
#include "campaign_kit.h"

/* JSON is written with ' for " here. */
static json_t *parse(const char *text)
{
    char *copy = strdup(text);
    json_t *json;

    for (char *c = copy; *c; c++)
        if (*c == '\'')
            *c = '"';
    json = json_loads(copy, JSON_DECODE_ANY, NULL);
    if (!json)
        fail_msg("no JSON: %s", text);
    free(copy);
    return json;
}

static void range_is(const char *text, bool whole, const char *wanted)
{
    struct cs_json_at at = cs_json_root("f", parse(text));
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_error err = {0};
    json_t *values = cs_range_read(&at, whole, &err);

    for (size_t v = 0; v < json_array_size(values); v++) {
        if (v)
            cs_strbuf_putc(&out, ' ');
        cs_parameters_put_value(json_array_get(values, v), &out);
        if (whole)
            assert_true(json_is_integer(json_array_get(values, v)));
    }
    assert_string_equal(values ? out.text : err.text, wanted);
    cs_strbuf_release(&out);
    json_decref(values);
    json_decref(at.value);
}

static void steps_are_those_of_decimals(void **state)
{
    (void)state;
    range_is("{'from': 0, 'to': 0.9, 'step': 0.1}", false, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9");
    range_is("{'from': -0.3, 'to': 0.3, 'step': 0.1}", false, "-0.3 -0.2 -0.1 0 0.1 0.2 0.3");
    range_is("{'from': 1, 'to': 0, 'step': -0.25}", false, "1 0.75 0.5 0.25 0");
    range_is("{'from': 1e-7, 'to': 3e-7, 'step': 1e-7}", false, "1e-07 2e-07 3e-07");
    range_is("{'from': 1e300, 'to': 3e300, 'step': 1e300}", false, "1e+300 2e+300 3e+300");
    range_is("{'from': 5, 'to': 5, 'step': 2}", true, "5");
    range_is("{'from': 10, 'to': 30, 'step': 10.0}", true, "10 20 30");
    range_is("{'from': 0.1, 'to': 0.3, 'step': 0.06666666666666667}", false,
             "f: does not meet its end 0.3: before it comes 0.233333333333333, then "
             "0.3");
    range_is("{'from': 0, 'to': 10, 'step': 3}", true,
             "f: does not meet its end 10: before it comes 9, then 12");
    range_is("{'from': 0, 'to': 10, 'step': -3}", true, "f: steps of -3 do not lead from 0 to 10");
    range_is("{'from': 0, 'to': 10, 'step': 0}", true, "f: steps of 0 do not lead from 0 to 10");
    range_is("{'from': 0, 'to': 1, 'step': 0.5}", true,
             "f: comes to 0.5, and only whole numbers are allowed here");
    range_is("{'from': 0, 'to': 1, 'step': 1e-9}", false, "f: has more than 10000000 values");
    range_is("{'from': 0, 'to': 1, 'step': 1e-300}", false,
             "f: from, to and step differ too much in size; write a list, or a count");
}

static void products_are_those_of_decimals(void **state)
{
    (void)state;
    range_is("{'from': 1000, 'to': 8000, 'times': 2}", true, "1000 2000 4000 8000");
    range_is("{'from': 0.001, 'to': 1, 'times': 10}", false, "0.001 0.01 0.1 1");
    range_is("{'from': 8, 'to': 0.125, 'times': 0.25}", false, "8 2 0.5 0.125");
    range_is("{'from': 1e-300, 'to': 1e300, 'times': 1e200}", false, "1e-300 1e-100 1e+100 1e+300");
    range_is("{'from': 3, 'to': 3, 'times': 2}", true, "3");
    range_is("{'from': 1, 'to': 7, 'times': 2}", true,
             "f: does not meet its end 7: before it comes 4, then 8");
    range_is("{'from': 1, 'to': 8, 'times': 0.5}", true, "f: times 0.5 does not lead from 1 to 8");
    range_is("{'from': 1, 'to': 8, 'times': 1}", true, "f: times 1 does not lead from 1 to 8");
    range_is("{'from': 0, 'to': 8, 'times': 2}", true,
             "f: with times, from, to and times have to be above 0");
    range_is("{'from': 1, 'to': 8, 'times': 1.0000000001}", false,
             "f: has more than 10000000 values");
}

/* 1.5^20 has more digits than 64 bits, and is a double. */
static void long_products_are_nearest(void **state)
{
    struct cs_json_at at = cs_json_root("f", parse("{'from': 1, 'to': 3325.256730079651, "
                                                   "'times': 1.5}"));
    json_t *values = cs_range_read(&at, false, NULL);

    (void)state;
    assert_int_equal(json_array_size(values), 21);
    for (int i = 0; i <= 20; i++)
        assert_true(json_number_value(json_array_get(values, (size_t)i)) == pow(1.5, i));
    json_decref(values);
    json_decref(at.value);
}

static void counts_divide_evenly(void **state)
{
    (void)state;
    range_is("{'from': 0, 'to': 1, 'count': 11}", false, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
    range_is("{'from': -0.3, 'to': 0.3, 'count': 7}", false, "-0.3 -0.2 -0.1 0 0.1 0.2 0.3");
    range_is("{'from': 1, 'to': 16, 'count': 4}", true, "1 6 11 16");
    range_is("{'from': 1, 'to': 4, 'count': 9}", true, "1 2 3 4");
    range_is("{'from': 0.001, 'to': 1000, 'count': 7, 'scale': 'log'}", false,
             "0.001 0.01 0.1 1 10 100 1000");
    range_is("{'from': 1, 'to': 1000, 'count': 7, 'scale': 'log'}", true, "1 3 10 32 100 316 1000");
    range_is("{'from': 0, 'to': 1, 'count': 3, 'scale': 'log'}", false,
             "f: on a log scale from and to have to be above 0");
    range_is("{'from': 0.5, 'to': 3, 'count': 3}", true,
             "f: from and to have to be whole numbers here");
    range_is("{'from': 0, 'to': 1, 'count': 1}", false,
             "f: count: found 1, expected a whole number from 2 to 10000000");
    range_is("{'from': 0, 'to': 1, 'count': 3, 'scale': 'cubic'}", false,
             "f: scale: found \"cubic\", expected one of: linear, log");
}

static void a_range_has_one_kind(void **state)
{
    static const char one[] = "f: a range has from, to, and one of step, times and count";

    (void)state;
    range_is("{'from': 0, 'to': 1}", false, one);
    range_is("{'from': 0, 'to': 1, 'step': 1, 'count': 2}", false, one);
    range_is("{'from': 0, 'step': 1}", false, "f: key \"to\" is missing");
    range_is("{'from': 0, 'to': 1, 'by': 1}", false,
             "f: unknown key \"by\", expected one of: from, to, step, times, count, scale");
    range_is("{'from': 0, 'to': 1, 'step': 1, 'scale': 'log'}", false,
             "f: scale goes with count only");
    range_is("{'from': '0', 'to': 1, 'step': 1}", false,
             "f: from: found a string, expected a number");
}

static struct cs_experiment *must_read(const char *text)
{
    json_t *document = parse(text);
    struct cs_error err = {0};
    struct cs_experiment *sweep = cs_experiment_create(document, "folder/s.json", NULL, &err);

    assert_string_equal(err.text, "");
    json_decref(document);
    return sweep;
}

static void put_cells(const struct cs_experiment *sweep, struct cs_strbuf *out)
{
    for (int c = 0; c < sweep->count; c++) {
        cs_parameters_put(sweep->cell[c].parameters, out);
        cs_strbuf_printf(out, " %d\n", sweep->cell[c].replicate);
    }
}

static void cells_are(const char *text, const char *wanted)
{
    struct cs_experiment *sweep = must_read(text);
    struct cs_strbuf out = CS_STRBUF_INIT;

    put_cells(sweep, &out);
    for (char *c = out.text; *c; c++)
        if (*c == '"')
            *c = '\'';
    assert_string_equal(out.text, wanted);
    cs_strbuf_release(&out);
    cs_experiment_destroy(sweep);
}

static void the_last_axis_is_the_fastest(void **state)
{
    (void)state;
    cells_are("{'problem': 'rigid', 'replicates': 2, 'set': {'jobs': 5},"
              " 'vary': {'policy': ['greedy', 'easy'], 'procs': {'from': 1, 'to': 2, 'step': 1}}}",
              "{'jobs':5,'policy':'greedy','procs':1} 0\n"
              "{'jobs':5,'policy':'greedy','procs':1} 1\n"
              "{'jobs':5,'policy':'greedy','procs':2} 0\n"
              "{'jobs':5,'policy':'greedy','procs':2} 1\n"
              "{'jobs':5,'policy':'easy','procs':1} 0\n"
              "{'jobs':5,'policy':'easy','procs':1} 1\n"
              "{'jobs':5,'policy':'easy','procs':2} 0\n"
              "{'jobs':5,'policy':'easy','procs':2} 1\n");
    cells_are("{'problem': 'rigid', 'set': {'policy': 'easy'}}", "{'policy':'easy'} 0\n");
}

static void axes_lie_over_what_is_set(void **state)
{
    (void)state;
    cells_are("{'problem': 'rigid', 'set': {'policy': 'easy', 'jobs': 9},"
              " 'vary': {'jobs': [1, 2]}}",
              "{'jobs':1,'policy':'easy'} 0\n{'jobs':2,'policy':'easy'} 0\n");
}

static void variants_set_several_parameters(void **state)
{
    struct cs_experiment *sweep = must_read(
        "{'problem': 'rigid', 'vary': {'way': [{'policy': 'easy', 'priority': 'lpt', 'label': "
        "'EASY'}, {'policy': 'greedy', 'procs': 7}], 'jobs': [3, 4]}}");

    (void)state;
    assert_int_equal(sweep->axes, 2);
    assert_string_equal(sweep->axis[0].name, "way");
    assert_string_equal(sweep->axis[0].value[0].name, "EASY");
    assert_string_equal(sweep->axis[0].value[1].name, "greedy 7");
    assert_true(isnan(sweep->axis[0].value[1].number));
    assert_false(sweep->axis[0].numbers);
    assert_true(sweep->axis[1].numbers && sweep->axis[1].value[1].number == 4);
    assert_int_equal(sweep->varied, 4);
    assert_string_equal(sweep->parameter[0], "policy");
    assert_string_equal(sweep->parameter[3], "jobs");
    assert_int_equal(sweep->x, 1);
    assert_int_equal(sweep->series, 0);
    assert_int_equal(sweep->panel, -1);
    cs_experiment_destroy(sweep);
}

/* The second grid has one new cell; 0.50 and 0.5 are the same. */
static void grids_are_united(void **state)
{
    struct cs_experiment *sweep =
        must_read("{'problem': 'rigid', 'set': {'policy': 'easy', 'procs': 8},"
                  " 'vary': [{'jobs': [1, 2], 'mean_failure_probability': [0.5]},"
                  "          {'jobs': [2, 3], 'mean_failure_probability': [0.50]},"
                  "          {'procs': [8, 9], 'jobs': [1], 'mean_failure_probability': [0.5]}]}");

    (void)state;
    assert_int_equal(sweep->combinations, 4);
    assert_int_equal(sweep->count, 4);
    assert_int_equal(sweep->axes, 3);
    assert_int_equal(sweep->axis[0].count, 3);
    assert_int_equal(sweep->axis[1].count, 1);
    assert_int_equal(sweep->combination[2].at[0], 2);
    assert_int_equal(sweep->combination[2].at[2], -1);
    assert_int_equal(sweep->combination[3].at[2], 1);
    assert_int_equal(sweep->cell[3].combination, 3);
    cs_experiment_destroy(sweep);
}

static void replicates_have_the_same_seed_everywhere(void **state)
{
    struct cs_experiment *sweep = must_read("{'problem': 'rigid', 'seed': 9, 'replicates': 3,"
                                            " 'vary': {'policy': ['easy', 'greedy']}}");

    (void)state;
    for (int c = 0; c < sweep->count; c++)
        assert_true(sweep->cell[c].seed == cs_grid_seed(9, c % 3));
    cs_experiment_destroy(sweep);
}

static void metrics_are_all_but_the_measured(void **state)
{
    struct cs_experiment *sweep =
        must_read("{'problem': 'pack', 'set': {'policy': 'exact', 'workload': 'i'}}");
    int all = cs_cell_metric_count(sweep->problem);

    (void)state;
    assert_int_equal(sweep->metrics, all - 1);
    cs_experiment_destroy(sweep);
    sweep = must_read("{'problem': 'pack', 'set': {'policy': 'exact', 'workload': 'i'}, "
                      "'metrics': ['milliseconds', "
                      "'cost']}");
    assert_int_equal(sweep->metrics, 2);
    assert_int_equal(sweep->metric[1].index, 0);
    cs_experiment_destroy(sweep);
}

static void the_figure_is_what_is_said_or_guessed(void **state)
{
    struct cs_experiment *sweep = must_read("{'problem': 'rigid', 'vary': {'jobs': [1, 2], "
                                            "'procs': [1, 2, 3], 'policy': ['list', 'shelf'], "
                                            "'priority': ['lpt', 'hpa']}}");

    (void)state;
    assert_int_equal(sweep->x, 1);
    assert_int_equal(sweep->series, 2);
    assert_int_equal(sweep->panel, 0);
    cs_experiment_destroy(sweep);
    sweep = must_read("{'problem': 'rigid', 'set': {'policy': 'list'}, 'vary': {'jobs': [1, 2], "
                      "'procs': [1, 2, 3], 'priority': ['lpt', 'hpa']}, 'figure': {'x': 'jobs', "
                      "'panel': 'priority'}}");
    assert_int_equal(sweep->x, 0);
    assert_int_equal(sweep->series, 1);
    assert_int_equal(sweep->panel, 2);
    cs_experiment_destroy(sweep);
}

static void a_document_gives_the_same_cells_again(void **state)
{
    struct cs_experiment *sweep = must_read(
        "{'problem': 'rigid', 'title': 'x', 'seed': 9223372036854775807, 'replicates': 2,"
        " 'set': {'jobs': 5}, 'vary': [{'policy': ['easy'], 'mean_failure_probability': {'from': "
        "0.1, 'to': 0.7, 'count': 17}}, {'way': [{'policy': 'shelf', 'procs': 3}]}]}");
    struct cs_strbuf text[2] = {CS_STRBUF_INIT, CS_STRBUF_INIT};
    struct cs_strbuf first = CS_STRBUF_INIT, again = CS_STRBUF_INIT;
    struct cs_document document = cs_experiment_document(sweep, text);
    struct cs_experiment *compiled = cs_experiment_compile(&document, NULL);

    (void)state;
    assert_non_null(compiled);
    assert_string_equal(document.name, "s");
    put_cells(sweep, &first);
    put_cells(compiled, &again);
    assert_int_equal(compiled->count, 36);
    assert_string_equal(first.text, again.text);
    for (int c = 0; c < sweep->count; c++)
        assert_true(sweep->cell[c].seed == compiled->cell[c].seed);
    cs_experiment_destroy(compiled);
    cs_strbuf_release(&text[0]);
    cs_strbuf_release(&text[1]);
    cs_strbuf_release(&first);
    cs_strbuf_release(&again);
    cs_experiment_destroy(sweep);
}

static void kept(const struct cs_experiment *sweep, const char *a, const char *b, int wanted)
{
    const char *const condition[] = {a, b};
    bool keep[64];
    struct cs_error err = {0};
    int count = 0;

    memset(keep, true, sizeof keep);
    cs_experiment_where(sweep, condition, b ? 2 : 1, keep, &err);
    assert_string_equal(err.text, "");
    for (int c = 0; c < sweep->count; c++)
        count += keep[c];
    assert_int_equal(count, wanted);
}

static void not_kept(const struct cs_experiment *sweep, const char *condition, const char *why)
{
    bool keep[64];
    struct cs_error err = {0};

    assert_int_equal(cs_experiment_where(sweep, &condition, 1, keep, &err), -1);
    assert_string_equal(err.text, why);
}

static void some_cells_are_chosen(void **state)
{
    struct cs_experiment *sweep = must_read(
        "{'problem': 'rigid', 'replicates': 2, 'vary': {'way': [{'policy': 'easy', 'priority': "
        "'lpt', 'label': 'EASY=1'}, {'policy': 'greedy', 'priority': 'lpt'}, {'policy': 'easy', "
        "'priority': 'hpa'}], 'mean_failure_probability': [0.1, 0.25]}}");

    (void)state;
    kept(sweep, "way=EASY=1", NULL, 4);
    kept(sweep, "way=EASY=1", "way=greedy lpt", 8);
    kept(sweep, "policy=easy", NULL, 8);
    kept(sweep, "policy=easy", "priority=hpa", 4);
    kept(sweep, "mean_failure_probability=2.5e-1", "replicate=1", 3);
    not_kept(sweep, "way", "'way' is not NAME=VALUE");
    not_kept(sweep, "way=x",
             "folder/s.json: way has no value 'x'; there are EASY=1, greedy lpt, easy hpa");
    not_kept(sweep, "ways=x",
             "'ways' does not vary in folder/s.json; there are way, mean_failure_probability, "
             "policy, priority, replicate");
    not_kept(sweep, "replicate=2", "folder/s.json: replicate '2' is not there; they are 0 to 1");
    not_kept(sweep, "mean_failure_probability=0.3",
             "folder/s.json: mean_failure_probability has no value '0.3'; there are 0.1, 0.25");
    cs_experiment_destroy(sweep);
}

static void refused(const char *text, const char *why)
{
    json_t *document = parse(text);
    struct cs_error err = {0};

    assert_null(cs_experiment_create(document, "f", NULL, &err));
    if (strncmp(err.text, why, strlen(why)))
        assert_string_equal(err.text, why);
    json_decref(document);
}

static void mistakes_are_reported_with_their_place(void **state)
{
    (void)state;
    refused("[]", "f: found an array, expected an object");
    refused("{'problem': 'rigid', 'varry': {}}",
            "f: unknown key \"varry\", expected one of: base, title, subtitle");
    refused("{}", "f: key \"problem\" is missing");
    refused("{'problem': 'rigged'}", "f: problem: 'rigged' is not a problem; did you mean ");
    refused("{'problem': 'rigid', 'seed': -1}",
            "f: seed: found -1, expected a whole number of at least 0");
    refused("{'problem': 'rigid', 'replicates': 0}",
            "f: replicates: found 0, expected a whole number from 1 to 1000000");
    refused("{'problem': 'rigid', 'set': {'job': 1}}",
            "f: set.job: 'job' is not a parameter; there are input, jobs, set, trap");
    refused("{'problem': 'rigid', 'set': {'jobs': 'x'}}",
            "f: set.jobs: jobs is \"x\"; it must be a whole number from 1 to 10000000");
    refused("{'problem': 'rigid', 'set': {'input': '-'}}",
            "f: set.input: standard input can be read only once, a file is wanted");
    refused("{'problem': 'rigid', 'vary': []}", "f: vary: has no grids");
    refused("{'problem': 'rigid', 'vary': 3}", "f: vary: found 3, expected an object");
    refused("{'problem': 'rigid', 'set': {'policy': 'x'}, 'metrics': []}",
            "f: metrics: has no metrics");
    refused("{'problem': 'rigid', 'set': {'policy': 'x'}, 'metrics': ['ratios']}",
            "f: metrics[0]: 'ratios' is not a metric; there are mean_wait,");
    refused("{'problem': 'rigid', 'set': {'policy': 'x'}, 'metrics': ['ratio', 'ratio']}",
            "f: metrics[1]: the same as metrics[0]");
}

static void vary_refused(const char *vary, const char *why)
{
    char text[1024];

    snprintf(text, sizeof text, "{'problem': 'rigid', 'set': {'policy': 'easy'}, 'vary': %s}",
             vary);
    refused(text, why);
}

static void mistakes_on_axes_are_reported_with_their_place(void **state)
{
    (void)state;
    vary_refused("{'jobs': []}", "f: vary.jobs: has no values");
    vary_refused("{'jobs': 3}", "f: vary.jobs: expected a list of values, or a range such as");
    vary_refused("{'jobs': [1, 2, 1]}", "f: vary.jobs[2]: the same as jobs[0]");
    vary_refused("{'mean_failure_probability': [0, 0.0]}",
                 "f: vary.mean_failure_probability[1]: the same as mean_failure_probability[0]");
    vary_refused("{'jobs': [1, 1.5]}",
                 "f: vary.jobs[1]: jobs is \"1.5\"; it must be a whole number");
    vary_refused("{'mean_failure_probability': {'from': 0, 'to': 1, 'step': 0.3}}",
                 "f: vary.mean_failure_probability: does not meet its end 1: before it comes 0.9, "
                 "then 1.2");
    vary_refused("{'policy': {'from': 0, 'to': 1, 'step': 1}}",
                 "f: vary.policy: a range is for parameters that are numbers, expected a list");
    vary_refused("{'proc': [1]}", "f: vary.proc: 'proc' is not a parameter; there are input,");
    vary_refused("{'way': [{}]}", "f: vary.way[0]: sets no parameter");
    vary_refused("{'way': [{'label': ''}]}", "f: vary.way[0].label: a label is not empty");
    vary_refused("{'way': [{'proc': 1}]}", "f: vary.way[0].proc: 'proc' is not a parameter");
    vary_refused("{'way': [{'jobs': 0}]}",
                 "f: vary.way[0].jobs: jobs is \"0\"; it must be a whole number");
    vary_refused("{'procs': [{'jobs': 1}]}",
                 "f: vary.procs[0]: does not set procs, on whose axis it is");
    vary_refused("{'way': [{'jobs': 1}], 'jobs': [2]}", "f: vary: way and jobs both set jobs");
    vary_refused("{'way': [{'jobs': 1, 'label': 'a'}, {'jobs': 2, 'label': 'a'}]}",
                 "f: vary.way[1]: a second value is called 'a'");
    vary_refused("[{'way': [{'jobs': 1, 'label': 'a'}]}, {'way': [{'jobs': 1, 'label': 'b'}]}]",
                 "f: vary[1].way[0]: is called 'b' here and 'a' before");
    vary_refused("{'seed': [{'jobs': 1}]}",
                 "f: vary.seed: 'seed' means something else, take another word");
    vary_refused("{'ratio': [{'jobs': 1}]}",
                 "f: vary.ratio: 'ratio' is a metric, what varies is a parameter");
    vary_refused("{'a=b': [{'jobs': 1}]}",
                 "f: vary.a=b: the name of an axis is a word without quotes, = and ,");
    vary_refused("{'jobs': [1]}, 'figure': {'x': 'procs'}",
                 "f: figure.x: 'procs' does not vary; there are jobs");
    vary_refused("{'jobs': [1], 'procs': [2]}, 'figure': {'x': 'jobs', 'series': 'jobs'}",
                 "f: figure: x, series and panel are three different axes");
}

static void too_many_runs_are_refused_without_making_them(void **state)
{
    (void)state;
    vary_refused("{'jobs': {'from': 1, 'to': 100000, 'step': 1}, 'procs': {'from': 1, 'to': "
                 "100000, 'step': 1}, 'scenarios': {'from': 1, 'to': 100000, 'step': 1}, 'day': "
                 "{'from': 1, 'to': 30, 'step': 1}}",
                 "f: vary: makes more than 10000000 runs");
    vary_refused("[{'jobs': [1, 2]}, {'jobs': {'from': 1, 'to': 100, 'step': 1}}], 'replicates': "
                 "100000",
                 "f: vary[1]: makes more than 10000000 runs");
}

static void file_refused(const char *bytes, const char *why)
{
    struct cs_error err = {0};
    char path[128], text[512];

    snprintf(path, sizeof path, "%s/s.json", kit_folder());
    kit_write("s.json", bytes);
    assert_null(cs_experiment_read(path, NULL, &err));
    snprintf(text, sizeof text, "%s:%s", path, why);
    if (strncmp(err.text, text, strlen(text)))
        assert_string_equal(err.text, text);
}

static void files_of_other_systems_are_read(void **state)
{
    char path[128];
    struct cs_experiment *sweep;

    (void)state;
    snprintf(path, sizeof path, "%s/s.json", kit_folder());
    kit_write("s.json", "\xef\xbb\xbf{\"problem\": \"rigid\",\r\n\"set\": {\"policy\": \"easy\"}}");
    sweep = cs_experiment_read(path, NULL, NULL);
    assert_non_null(sweep);
    assert_int_equal(sweep->count, 1);
    assert_string_equal(sweep->title, "s");
    cs_experiment_destroy(sweep);
    file_refused("", " empty, expected JSON");
    file_refused("{\"problem\": NaN}", "1:");
    file_refused("{\"seed\": 1e400}", "1:");
    file_refused("{\"seed\": 99999999999999999999}", "1:");
    file_refused("{\"seed\": 1, \"seed\": 2}", "1:");
    file_refused("{} {}", "1:");
    kit_remove("s.json");
    rmdir(kit_folder());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_decimals),
        cmocka_unit_test(products_are_those_of_decimals),
        cmocka_unit_test(long_products_are_nearest),
        cmocka_unit_test(counts_divide_evenly),
        cmocka_unit_test(a_range_has_one_kind),
        cmocka_unit_test(the_last_axis_is_the_fastest),
        cmocka_unit_test(axes_lie_over_what_is_set),
        cmocka_unit_test(variants_set_several_parameters),
        cmocka_unit_test(grids_are_united),
        cmocka_unit_test(replicates_have_the_same_seed_everywhere),
        cmocka_unit_test(metrics_are_all_but_the_measured),
        cmocka_unit_test(the_figure_is_what_is_said_or_guessed),
        cmocka_unit_test(a_document_gives_the_same_cells_again),
        cmocka_unit_test(some_cells_are_chosen),
        cmocka_unit_test(mistakes_are_reported_with_their_place),
        cmocka_unit_test(mistakes_on_axes_are_reported_with_their_place),
        cmocka_unit_test(too_many_runs_are_refused_without_making_them),
        cmocka_unit_test(files_of_other_systems_are_read),
    };

    return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
