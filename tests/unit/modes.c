/* Requirements of applications in tables and documents: what is read, warned of and refused. */
#include "io/modes.h"
#include "io/workload.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static const struct cs_workload_options options = {
    .size = sizeof options, .fill = CS_FILL_STEP, .modes = true};

static struct cs_workload *read_text(const char *name, const char *text)
{
    struct cs_error err = {0};
    struct cs_workload *workload =
        cs_workload_read_memory(name, text, strlen(text), &options, &err);

    if (!workload)
        fail_msg("%s", err.text);
    return workload;
}

static void refused_as(const char *name, const char *text, const char *want)
{
    struct cs_error err = {0};

    assert_null(cs_workload_read_memory(name, text, strlen(text), &options, &err));
    assert_string_equal(err.text, want);
}

static int64_t use_of(const struct cs_modes *m, int mode, const char *resource)
{
    for (int r = 0; r < m->resources; r++)
        if (!strcmp(m->resource_name[r], resource))
            return m->use[mode * m->resources + r];
    return -1;
}

static void rows_of_one_key_are_runs_of_one_mode(void **state)
{
    struct cs_workload *w = read_text("t.csv", "app,procs,GPU,Max-RSS,tokens:Abaqus,after,seconds\n"
                                               "prep,4,0,8G,0,,60\n"
                                               "solve,32,0,100G,1,prep,900\n"
                                               "solve,8,2,60G,1,prep,310\n"
                                               "solve,8,2,61.5GiB,1,,300\n"
                                               "post,1,,500MB,,solve prep,20\n");
    const struct cs_modes *m = w->modes;

    (void)state;
    assert_int_equal(m->first[3], 4);
    assert_true(m->seconds[2] == 300);
    assert_int_equal(use_of(m, 2, "gpus"), 2);
    assert_int_equal(use_of(m, 2, "memory"), 66035122176);
    assert_int_equal(use_of(m, 1, "abaqus"), 1);
    assert_int_equal(use_of(m, 3, "memory"), 500000000);
    assert_int_equal(m->before_first[2] - m->before_first[1], 1);
    assert_int_equal(m->before_first[3] - m->before_first[2], 2);
    assert_string_equal(w->remark, "");
    cs_workload_destroy(w);
}

static void labels_spans_and_dates_are_read(void **state)
{
    struct cs_workload *w =
        read_text("t.csv", "app,procs,mode,span,budget:node hours,gpus:A100,deadline,seconds\n"
                           "md,8,openmp,,0.0005,,2h,100\n"
                           "md,8,mpi,2,1.5,1,,90\n");
    const struct cs_modes *m = w->modes;

    (void)state;
    assert_int_equal(m->first[1], 2);
    assert_string_equal(m->label[1], "mpi");
    assert_int_equal(m->span[1], 2);
    assert_int_equal(m->spend[0], 1);
    assert_int_equal(m->spend[1], 1500);
    assert_string_equal(m->budget_name[0], "node_hours");
    assert_int_equal(use_of(m, 1, "gpus:a100"), 1);
    assert_true(m->deadline[0] == 7200);
    cs_workload_destroy(w);
}

static void a_table_without_requirements_has_no_modes(void **state)
{
    struct cs_workload *w = read_text("t.csv", "app,procs,seconds,release\na,1,5,3\n");

    (void)state;
    assert_null(w->modes);
    cs_workload_destroy(w);
}

static void what_is_not_read_is_named(void **state)
{
    struct cs_workload *w = read_text("t.csv", "app,procs,seconds,gres,afterok,max memory\n"
                                               "a,1,5,gpu:2,x,3\n");

    (void)state;
    assert_string_equal(w->remark,
                        "t.csv: gres is not read: did you mean gpus, memory or resource:NAME?\n"
                        "t.csv: afterok is not read: did you mean after?\n"
                        "t.csv: max memory is not read: did you mean gpus, memory or "
                        "resource:NAME?");
    cs_workload_destroy(w);
}

/* More GPUs a processor explain a time that falls by more. */
static void times_that_cannot_be_are_named(void **state)
{
    struct cs_workload *w = read_text("t.csv", "app,procs,gpus,size,seconds\n"
                                               "nn,8,1,3,900\nnn,16,4,3,100\nnn,32,8,3,24\n"
                                               "box,4,0,1M,100\nbox,4,0,2M,245\nbox,4,1,2M,10\n");

    (void)state;
    assert_string_equal(w->remark,
                        "t.csv: nn is 4.2 times faster on 32 than on 16: a failed run?\n"
                        "t.csv: box on 4: 100 s and 245 s: two inputs? the column size differs");
    cs_workload_destroy(w);
}

static void faults_of_tables_are_refused(void **state)
{
    static const char *const fault[][2] = {
        {"app,procs,seconds,after\na,1,5,\nb,1,5,c\n",
         "t.csv:3: after: there is no task \"c\", only: a, b"},
        {"app,procs,seconds,after\na,1,5,a\n", "t.csv:2: after: a cannot wait for itself"},
        {"app,procs,seconds,after\nx,1,5,a\na,1,5,c\nb,1,5,a\nc,1,5,b\n",
         "t.csv: after: a -> c -> b -> a is a circle"},
        {"app,procs,seconds,gpus\na,1,5,0.5\n",
         "t.csv:2: gpus: found \"0.5\", expected a whole number from 0 on: to share a GPU, count "
         "shares (cosched help run, \"GPU kinds and shares\")"},
        {"app,procs,seconds,tokens:x\na,1,5,-1\n",
         "t.csv:2: tokens:x: found \"-1\", expected a whole number from 0 on"},
        {"app,procs,seconds,memory\na,1,5,64\n",
         "t.csv:2: memory: 64 means 64 bytes: write a unit, such as 64G"},
        {"app,procs,seconds,memory\na,1,5,9P\n",
         "t.csv:2: memory: found \"9P\", expected at most 9007199254740992 (2^53)"},
        {"app,procs,seconds,gpus,gpu\na,1,5,1,1\n", "t.csv:1: gpu: the column gpus is the same"},
        {"app,procs,seconds,resource:memory\na,1,5,1\n",
         "t.csv:1: resource:memory: this is the name of another column"},
        {"app,procs,seconds,budget:9\na,1,5,1\n",
         "t.csv:1: budget:9: expected a name such as abaqus: letters, digits and _"},
        {"app,procs,seconds,deadline\na,1,5,6\na,2,4,7\n",
         "t.csv:3: deadline: found 7, but an earlier row of this application has 6"},
        {"app,procs,seconds,span\na,1,5,0\n",
         "t.csv:2: span: found \"0\", expected a whole number from 1 on"},
        {"app,procs,seconds,budget:b\na,1,5,-2\n",
         "t.csv:2: budget:b: found \"-2\", expected a number from 0 on"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof fault / sizeof *fault; k++)
        refused_as("t.csv", fault[k][0], fault[k][1]);
}

static void faults_of_documents_are_refused(void **state)
{
#define DOCUMENT(rest) "{\"format\": \"cosched-workload-1\", " rest "}"
#define TASKS(keys) "\"tasks\": [{\"name\": \"a\", \"points\": [[1, 5]]" keys "}]"
    static const char *const fault[][2] = {
        {DOCUMENT(TASKS(", \"after\": [\"b\"]")),
         "d.json: tasks[0].after[0]: there is no task \"b\""},
        {DOCUMENT(TASKS(", \"gpus\": 1.5")),
         "d.json: tasks[0].gpus: found \"1.5\", expected a whole number from 0 on: to share a GPU, "
         "count shares (cosched help run, \"GPU kinds and shares\")"},
        {DOCUMENT(TASKS(", \"memory\": 64")),
         "d.json: tasks[0].memory: 64 means 64 bytes: write a unit, such as 64G"},
        {DOCUMENT(
             "\"machine\": {\"windows\": [{\"from\": 7, \"to\": 7, \"less\": {}}]}, " TASKS("")),
         "d.json: machine.windows[0]: found to 7, expected a time after from, 7"},
        {DOCUMENT("\"machine\": {\"resources\": {\"procs\": 7}}, " TASKS("")),
         "d.json: machine.resources.procs: processors are the key \"procs\" of the document"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof fault / sizeof *fault; k++)
        refused_as("d.json", fault[k][0], fault[k][1]);
}

static const char document[] =
    "{\"format\": \"cosched-workload-1\", \"procs\": 64,\n"
    " \"machine\": {\"nodes\": 2, \"resources\": {\"gpus\": {\"per_node\": 4},\n"
    "   \"memory\": {\"per_node\": \"256G\"}, \"abaqus\": 2},\n"
    "   \"windows\": [{\"from\": \"2h\", \"to\": \"3h\", \"less\": {\"procs\": 32, \"gpus\": "
    "4}}],\n"
    "   \"budgets\": {\"node_hours\": 40}},\n"
    " \"tasks\": [{\"name\": \"prep\", \"points\": [[4, 60], [8, 35]], \"memory\": \"8G\"},\n"
    "  {\"name\": \"solve\", \"after\": [\"prep\"], \"deadline\": \"2h\", \"modes\": [\n"
    "   {\"procs\": 32, \"seconds\": 900, \"memory\": \"100G\", \"resources\": {\"abaqus\": 1}},\n"
    "   {\"name\": \"gpu\", \"procs\": 8, \"seconds\": 300, \"gpus\": 2, \"span\": 1,\n"
    "    \"budgets\": {\"node_hours\": 0.5}}]}]}";

static void check_document(const struct cs_modes *m)
{
    assert_int_equal(m->nodes, 2);
    assert_string_equal(m->resource_name[1], "gpus");
    assert_int_equal(m->per_node[1], 4);
    assert_int_equal(m->per_node[2], (int64_t)256 << 30);
    assert_int_equal(m->capacity[3], 2);
    assert_int_equal(m->budget[0], 40000);
    assert_int_equal(m->windows, 1);
    assert_true(m->from[0] == 7200 && m->to[0] == 10800);
    assert_int_equal(m->less[0], 32);
    assert_int_equal(m->less[1], 4);
    assert_int_equal(m->first[2], 3);
    assert_int_equal(use_of(m, 0, "procs"), 0);
    assert_int_equal(use_of(m, 0, "memory"), (int64_t)8 << 30);
    assert_int_equal(use_of(m, 2, "gpus"), 2);
    assert_string_equal(m->label[2], "gpu");
    assert_int_equal(m->spend[2], 500);
    assert_true(isinf(m->deadline[0]) && m->deadline[1] == 7200);
    assert_int_equal(m->before[0], 0);
}

static void documents_are_read_and_written(void **state)
{
    struct cs_workload *w = read_text("d.json", document), *again;
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw out = cs_jsonw_begin(&text);

    (void)state;
    check_document(w->modes);
    cs_workload_json_put(&out, w, NULL);
    cs_jsonw_end(&out);
    again = read_text("again.json", text.text);
    check_document(again->modes);
    cs_strbuf_release(&text);
    cs_workload_destroy(again);
    cs_workload_destroy(w);
}

static void sizes_are_exact(void **state)
{
    static const struct {
        const char *text;
        int64_t bytes; /* -1: refused */
    } size[] = {{"0", 0},
                {"8G", (int64_t)8 << 30},
                {"8GB", 8000000000},
                {"8 g", (int64_t)8 << 30},
                {"1.5T", (int64_t)3 << 39},
                {"0.3K", 308},
                {"8P", CS_MODES_MOST},
                {"1048576", 1048576},
                {"1048575", -1},
                {"9P", -1},
                {"3B", -1},
                {"5.G", -1},
                {".5G", -1},
                {"+8G", -1},
                {"1e3", -1},
                {"", -1}};

    (void)state;
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        struct cs_error err = {0};
        int64_t bytes = -1;

        if (cs_modes_size(size[k].text, &bytes, &err))
            bytes = -1;
        assert_int_equal(bytes, size[k].bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_one_key_are_runs_of_one_mode),
        cmocka_unit_test(labels_spans_and_dates_are_read),
        cmocka_unit_test(a_table_without_requirements_has_no_modes),
        cmocka_unit_test(what_is_not_read_is_named),
        cmocka_unit_test(times_that_cannot_be_are_named),
        cmocka_unit_test(faults_of_tables_are_refused),
        cmocka_unit_test(faults_of_documents_are_refused),
        cmocka_unit_test(documents_are_read_and_written),
        cmocka_unit_test(sizes_are_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
