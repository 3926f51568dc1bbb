/* workload_read: tables and documents, what they mean, and every way to get them wrong. */
#include "io/workload.h"
#include "unit/kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct cs_workload_options fallback = {.size = sizeof(struct cs_workload_options),
                                                    .fill = CS_FILL_POWER,
                                                    .fewer = CS_FEWER_REFUSE,
                                                    .times = CS_TIMES_MIN};

static struct cs_workload *read_text(const char *text, struct cs_error *err)
{
    return cs_workload_read_memory("runs", text, strlen(text), &fallback, err);
}

static struct cs_workload *good(const char *text)
{
    struct cs_error err = {0};
    struct cs_workload *workload = read_text(text, &err);

    if (!workload)
        fail_msg("%s", err.text);
    return workload;
}

static void reads_a_table_in_any_order(void **state)
{
    struct cs_workload *w = good("# measured in May\n"
                                 "Seconds,run,app,procs\n"
                                 "4.5,a,md,8\n"
                                 "100,b,\"cfd, large\",1\n"
                                 "9,c,md,2\n"
                                 "\n"
                                 "40,d,\"cfd, large\",4\n");

    (void)state;
    assert_int_equal(w->count, 2);
    assert_string_equal(w->name[0], "md");
    assert_string_equal(w->name[1], "cfd, large");
    assert_string_equal(w->source, "runs");
    assert_int_equal(w->profile[0].kind, CS_PROFILE_POINTS);
    assert_int_equal(w->profile[0].count, 2);
    assert_int_equal(w->profile[0].procs[0], 2);
    assert_true(w->profile[0].seconds[0] == 9);
    assert_true(w->profile[0].seconds[1] == 4.5);
    assert_int_equal(w->profile[1].procs[1], 4);
    assert_true(w->profile[1].seconds[1] == 40);
    cs_workload_destroy(w);
}

static void keeps_the_best_of_several_runs(void **state)
{
    struct cs_workload *w = good("app,procs,seconds\r\nmd,4,5\r\nmd,4,3\r\nmd,1,9\r\nmd,4,4");

    (void)state;
    assert_int_equal(w->profile[0].count, 2);
    assert_true(w->profile[0].seconds[0] == 9);
    assert_true(w->profile[0].seconds[1] == 3);
    cs_workload_destroy(w);
}

static void keeps_every_run_and_takes_the_one_asked_for(void **state)
{
    struct cs_workload_options options = {.size = sizeof(struct cs_workload_options),
                                          .fill = CS_FILL_STEP,
                                          .fewer = CS_FEWER_REFUSE,
                                          .times = CS_TIMES_MEDIAN};
    const char csv[] = "app,procs,seconds\nmd,1,9\nmd,4,5\nmd,4,3\nmd,8,2\nmd,4,4\nmd,8,3\n";
    struct cs_error err = {0};
    struct cs_workload *w = cs_workload_read_memory("runs", csv, strlen(csv), &options, &err);
    const struct cs_profile *p = &w->profile[0];

    (void)state;
    assert_int_equal(p->count, 3);
    assert_true(p->runs[0] == 1 && p->runs[1] == 3 && p->runs[2] == 2);
    assert_true(p->run[0] == 9 && p->run[1] == 3 && p->run[2] == 4 && p->run[3] == 5);
    assert_true(p->run[4] == 2 && p->run[5] == 3);
    assert_true(p->seconds[1] == 4 && p->seconds[2] == 2.5);
    cs_workload_destroy(w);
    options.times = CS_TIMES_MAX;
    w = cs_workload_read_memory("runs", csv, strlen(csv), &options, &err);
    assert_true(w->profile[0].seconds[1] == 5 && w->profile[0].seconds[2] == 3);
    cs_workload_destroy(w);
}

static void expect_two_apps(const char *text)
{
    struct cs_workload *w = good(text);

    assert_int_equal(w->count, 2);
    assert_string_equal(w->name[0], "cfd");
    assert_string_equal(w->name[1], "md");
    assert_int_equal(w->profile[0].procs[0], 8);
    assert_true(w->profile[0].seconds[0] == 731);
    assert_true(w->profile[1].seconds[0] == 93784);
    cs_workload_destroy(w);
}

static void reads_tables_as_people_have_them(void **state)
{
    (void)state;
    expect_two_apps("name,nodes,time\ncfd,8,00:12:11\nmd,4,1-02:03:04\n");
    expect_two_apps("Application;Nodes;Wall Time (s)\r\ncfd;8;731s\r\nmd; 4 ;93784\r\n");
    expect_two_apps("\xef\xbb\xbftask\tranks\telapsed\ncfd\t8\t12:11\nmd\t4\t93784.0\n");
    expect_two_apps("# in blanks\n  job   cores   walltime \n cfd 8  731 \n\"md\"\t4 26:03:04\n");
    expect_two_apps("nodes,cores,app,seconds\n8,1024,cfd,731\n4,512,md,93784\n");
}

static void reports_of_two_columns_that_could_be_the_count(void **state)
{
    struct cs_workload *w = good("nodes,cores,app,seconds\n8,1024,cfd,731\n");

    (void)state;
    assert_non_null(strstr(w->remark, "nodes is the number of processors; cores left aside"));
    cs_workload_destroy(w);
    w = good("nodes,procs,app,seconds\n8,1024,cfd,731\n");
    assert_string_equal(w->remark, "");
    assert_int_equal(w->profile[0].procs[0], 1024);
    cs_workload_destroy(w);
}

static void reads_limits_extra_measured_times(void **state)
{
    struct cs_workload *w = good(
        "app,procs,time,min_procs,max_nodes,counts,walltime,release\n"
        "a,8,5,2,16,\"4,8\",1:00,\na,16,3,,16,,60s,0\nb,1,2,,,powers-of-two,,10\nc,1,1,,,,,\n");

    (void)state;
    assert_int_equal(w->limit[0].min_procs, 2);
    assert_int_equal(w->limit[0].max_procs, 16);
    assert_int_equal(w->limit[0].counts, 2);
    assert_int_equal(w->limit[0].count[1], 8);
    assert_true(w->limit[0].walltime == 60 && w->limit[0].release == 0);
    assert_true(w->limit[1].powers_of_two && w->limit[1].release == 10);
    assert_int_equal(w->limit[2].counts, 0);
    cs_workload_destroy(w);
    w = good("app,procs,seconds\na,8,5\n");
    assert_null(w->limit);
    cs_workload_destroy(w);
}

static void gives_points_the_options_of_the_caller(void **state)
{
    const struct cs_workload_options options = {.size = sizeof(struct cs_workload_options),
                                                .fill = CS_FILL_STEP,
                                                .fewer = CS_FEWER_SCALE,
                                                .times = CS_TIMES_MIN};
    const char csv[] = "app,procs,seconds\nmd,4,5\n";
    const char json[] = "{\"format\":\"cosched-workload-1\",\"tasks\":["
                        "{\"name\":\"a\",\"points\":[[4,5]]},"
                        "{\"name\":\"b\",\"points\":[[4,5]],\"fill\":\"power\","
                        "\"fewer\":\"refuse\"}]}";
    struct cs_error err = {0};
    struct cs_workload *w = cs_workload_read_memory("runs", csv, strlen(csv), &options, &err);

    (void)state;
    assert_int_equal(w->profile[0].fill, CS_FILL_STEP);
    assert_int_equal(w->profile[0].fewer, CS_FEWER_SCALE);
    cs_workload_destroy(w);
    w = cs_workload_read_memory("runs", json, strlen(json), &options, &err);
    assert_int_equal(w->profile[0].fill, CS_FILL_STEP);
    assert_int_equal(w->profile[0].fewer, CS_FEWER_SCALE);
    assert_int_equal(w->profile[1].fill, CS_FILL_POWER);
    assert_int_equal(w->profile[1].fewer, CS_FEWER_REFUSE);
    cs_workload_destroy(w);
}

static void reads_formulas_from_a_table(void **state)
{
    struct cs_workload *w = good("app,seconds,seq_fraction,checkpoint,remark\n"
                                 "cfd,100,0.25,60,?\n"
                                 "md,1e3,0,,\n");

    (void)state;
    assert_int_equal(w->count, 2);
    assert_int_equal(w->profile[0].kind, CS_PROFILE_COMMUNICATION);
    assert_true(cs_profile_time(&w->profile[0], 3) == 50);
    assert_true(w->checkpoint[0] == 60 && isnan(w->checkpoint[1]));
    assert_null(w->data);
    cs_workload_destroy(w);
}

static void reads_sizes_as_the_tasks_of_the_paper(void **state)
{
    struct cs_workload *w = good("app,size,data\na,1024,\nb,16,3\n");

    (void)state;
    assert_int_equal(w->profile[0].kind, CS_PROFILE_COMMUNICATION);
    assert_true(w->profile[0].seq_time == 20480 && w->profile[0].overhead == 10240);
    assert_true(w->profile[0].seq_fraction == 0.08);
    assert_true(w->checkpoint[0] == 1024 && w->data[0] == 1024);
    assert_true(w->checkpoint[1] == 16 && w->data[1] == 3);
    cs_workload_destroy(w);
}

static void reads_states_extra_measured_times(void **state)
{
    struct cs_workload *w = good("app,procs,seconds,data,checkpoint\n"
                                 "md,1,9,3,\nmd,2,5,,\ncfd,2,8,,\nmd,4,3,3,\n");

    (void)state;
    assert_int_equal(w->profile[0].count, 3);
    assert_true(w->data[0] == 3 && isnan(w->data[1]));
    assert_null(w->checkpoint);
    cs_workload_destroy(w);
}

static void takes_no_task_for_an_answer(void **state)
{
    struct cs_workload *w = good("\xef\xbb\xbf"
                                 "app,procs,seconds\n");

    (void)state;
    assert_int_equal(w->count, 0);
    cs_workload_destroy(w);
    w = good("\xef\xbb\xbf {\"format\": \"cosched-workload-1\", \"tasks\": []}");
    assert_int_equal(w->count, 0);
    cs_workload_destroy(w);
}

static const char document[] =
    "{\"format\": \"cosched-workload-1\", \"note\": \"by hand\", \"procs\": 16, \"pack_size\": 4,"
    " \"tasks\": ["
    "{\"name\": \"a\", \"table\": [null, 8, 5.5]},"
    "{\"name\": \"b\", \"points\": [[8, 2], [1, 9], [8, 3]], \"fewer\": \"scale\"},"
    "{\"name\": \"c\", \"amdahl\": {\"seq_time\": 100, \"seq_fraction\": 0.25}, \"note\": \"?\"},"
    "{\"name\": \"d\", \"overhead\": {\"seq_time\": 1e3, \"seq_fraction\": 0, \"overhead\": 0.1}},"
    "{\"name\": \"e\", \"communication\": {\"seq_time\": 1e3, \"seq_fraction\": 0.25, "
    "\"overhead\": 50},"
    " \"checkpoint\": 0.5, \"data\": 0},"
    "{\"name\": \"f\", \"universal\": {\"seq_time\": 100, \"seq_fraction\": 0.5, "
    "\"overhead\": 0.25}},"
    "{\"name\": \"g\", \"power\": {\"seq_time\": 100, \"seq_fraction\": 0.5, \"overhead\": 0.25, "
    "\"exponent\": 0.5}}"
    "]}";

static void check_document(const struct cs_workload *w)
{
    assert_int_equal(w->count, 7);
    assert_int_equal(w->procs, 16);
    assert_int_equal(w->pack_size, 4);
    assert_int_equal(w->profile[0].kind, CS_PROFILE_TABLE);
    assert_int_equal(w->profile[0].count, 3);
    assert_true(isinf(w->profile[0].seconds[0]));
    assert_true(w->profile[0].seconds[2] == 5.5);
    assert_int_equal(w->profile[1].count, 2);
    assert_int_equal(w->profile[1].procs[0], 1);
    assert_true(w->profile[1].seconds[1] == 2);
    assert_int_equal(w->profile[1].fewer, CS_FEWER_SCALE);
    assert_true(w->profile[2].seq_fraction == 0.25);
    assert_int_equal(w->profile[3].kind, CS_PROFILE_OVERHEAD);
    assert_true(w->profile[3].overhead == 0.1);
    assert_string_equal(w->name[3], "d");
    assert_int_equal(w->profile[4].kind, CS_PROFILE_COMMUNICATION);
    assert_true(cs_profile_time(&w->profile[4], 4) == 250 + 800 / 4.0);
    assert_true(isnan(w->checkpoint[0]) && isnan(w->data[3]));
    assert_true(w->checkpoint[4] == 0.5 && w->data[4] == 0);
    assert_true(cs_profile_time(&w->profile[5], 5) == 100 * (0.5 + 0.5 / 5 + 0.25 * 4));
    assert_true(cs_profile_time(&w->profile[6], 4) == 100 * (0.5 + 0.5 / 4 + 0.25 * 2));
}

static void reads_a_document_with_every_kind_of_profile(void **state)
{
    struct cs_workload *w = good(document);

    (void)state;
    check_document(w);
    cs_workload_destroy(w);
}

static void reads_back_what_it_wrote(void **state)
{
    struct cs_workload *w = good(document), *again;
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw writer = cs_jsonw_begin(&text);

    (void)state;
    cs_workload_json_put(&writer, w, "by hand");
    cs_jsonw_end(&writer);
    assert_non_null(strstr(text.text, "\"note\": \"by hand\""));
    again = good(text.text);
    check_document(again);
    cs_workload_destroy(again);
    cs_workload_destroy(w);
    cs_strbuf_release(&text);
}

static void finds_the_instance_in_a_schedule(void **state)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_workload *w;

    (void)state;
    cs_strbuf_printf(&text, "{\"format\": \"cosched-schedule-1\", \"instance\": %s}", document);
    w = good(text.text);
    check_document(w);
    cs_workload_destroy(w);
    cs_strbuf_release(&text);
}

static void reads_and_writes_files(void **state)
{
    char path[] = "/tmp/cosched-workload-XXXXXX";
    struct cs_workload *w = good(document), *again;
    struct cs_error err = {0};

    (void)state;
    assert_true(mkstemp(path) >= 0);
    assert_int_equal(cs_workload_write(w, NULL, path, &err), 0);
    again = cs_workload_read(path, NULL, &err);
    assert_non_null(again);
    check_document(again);
    assert_string_equal(again->source, path);
    cs_workload_destroy(again);
    remove(path);
    assert_null(cs_workload_read(path, NULL, &err));
    assert_non_null(strstr(err.text, path));
    assert_int_equal(cs_workload_write(w, NULL, "/nowhere/at/all", &(struct cs_error){0}), -1);
    cs_workload_destroy(w);
}

#define ROWS "app,procs,seconds\nmd,1,9\n"
#define TASK(body) "{\"format\":\"cosched-workload-1\",\"tasks\":[{\"name\":\"a\"," body "}]}"
#define ROOT(body) "{\"format\":\"cosched-workload-1\"," body "}"
#define FORMULAS "app,seconds,seq_fraction,overhead,checkpoint,data\n"
#define POSITIVE "expected a positive number"
#define SECONDS POSITIVE " of seconds, or a time such as 1.5h or 00:12:11"

static const struct {
    const char *text, *message;
} refused[] = {
    {"", "runs: empty, expected a row with the names of the columns"},
    {"app,procs\nmd,1\n", "runs:1: the header lacks the column seconds, it has only: app, procs; a "
                          "correct first line is app,procs,seconds"},
    {"naam,proc,sek\n", "runs:1: the header lacks the columns app and seconds, it has only: naam, "
                        "proc, sek; a correct first line is app,procs,seconds"},
    {"a,8,100\n", "runs:1: the header lacks the columns app, procs and seconds, it has only: a, 8, "
                  "100; a correct first line is app,procs,seconds"},
    {"; a log of SWF\n; MaxProcs: 64\n1 2 3\n",
     "runs:1: the header lacks the columns app, procs and seconds, it has only: a log of SWF; a "
     "correct first line is app,procs,seconds; if this is a job log: 'cosched replay' reads it"},
    {",app,procs,watt\n", "runs:1: the header lacks the column seconds, it has only: app, procs, "
                          "watt; a correct first line is app,procs,seconds"},
    {"app;procs;seconds\na;1;1,500\n", "runs:2: \"1,500\" may be 1500 or 1.500: use --decimal"},
    {"app;procs;seconds\na;1;1,5\nb;1;1.5\n", "runs:2: decimal commas and decimal points in one"},
    {ROWS "md,2,22 min\n", "runs:3: column seconds: found \"22 min\", " SECONDS},
    {"app,procs,seconds,min_procs\na,1,2,4\na,2,1,8\n",
     "runs:3: column min_procs: found 8, but an earlier row of this application has 4"},
    {"app,procs,seconds,min_procs,max_procs\na,1,2,4,2\n",
     "runs:2: column max_procs: found 2, which is below the min_procs of this application, 4"},
    {"app,procs,seconds,counts\na,1,2,4 8\na,2,1,8\n",
     "runs:3: column counts: found \"8\", but an earlier row of this application has \"4,8\""},
    {"app,procs,seconds,counts\na,1,2,some\n",
     "runs:2: column counts: found \"some\", expected counts such as 4,8,16"},
    {"app,procs,seconds,walltime\na,1,2,-3\n", "runs:2: column walltime: found \"-3\", " SECONDS},
    {ROWS "md,2\n", "runs:3: "},
    {ROWS ",2,5\n", "runs:3: column app: empty"},
    {ROWS "m\x01,2,5\n", "runs:3: column app: this cannot be the name of an application: it has a "
                         "control character"},
    {ROWS "m\xc2\x9b,2,5\n",
     "runs:3: column app: this cannot be the name of an application: it has "
     "a control character"},
    {ROWS "m\xff,2,5\n", "runs:3: column app: this cannot be the name of an application: it is "
                         "not UTF-8"},
    {ROWS "md,0,5\n", "runs:3: column procs: found \"0\", expected"},
    {ROWS "md,-2,5\n", "runs:3: column procs: found \"-2\", expected"},
    {ROWS "md,2.5,5\n", "runs:3: column procs: found \"2.5\", expected"},
    {ROWS "md,99999999999,5\n", "runs:3: column procs: found \"99999999999\", expected"},
    {ROWS "md,,5\n", "runs:3: column procs: empty, expected"},
    {ROWS "md,2,nan\n", "runs:3: column seconds: found \"nan\", " SECONDS},
    {ROWS "md,2,inf\n", "runs:3: column seconds: found \"inf\", " SECONDS},
    {ROWS "md,2,-inf\n", "runs:3: column seconds: found \"-inf\", " SECONDS},
    {ROWS "md,2,0\n", "runs:3: column seconds: found \"0\", " SECONDS},
    {ROWS "md,2,-1\n", "runs:3: column seconds: found \"-1\", " SECONDS},
    {ROWS "md,2,x\n", "runs:3: column seconds: found \"x\", " SECONDS},
    {ROWS "md,2,1e999\n", "runs:3: column seconds: found \"1e999\", " SECONDS},
    {ROWS "md,2,5 s\n", "runs:3: column seconds: found \"5 s\", " SECONDS},
    {ROWS "md,2,\n", "runs:3: column seconds: empty, " SECONDS},
    {"{", "runs:1:"},
    {"[]", "runs: found an array, expected an object"},
    {"{\"tasks\":[]}", "runs: key \"format\" is missing"},
    {"{\"format\":\"cosched-workload-2\"}",
     "runs: format: found \"cosched-workload-2\", expected \"cosched-workload-1\""},
    {"{\"format\":\"cosched-schedule-1\"}",
     "runs: key \"instance\" is missing: this schedule does not hold the applications that it was "
     "made of"},
    {ROOT("\"tasks\":[]} x"), "runs:1:"},
    {ROOT("\"procs\":2"), "runs: key \"tasks\" is missing"},
    {ROOT("\"tasks\":{}"), "runs: tasks: found an object, expected an array"},
    {ROOT("\"tasks\":[3]"), "runs: tasks[0]: found 3, expected an object"},
    {ROOT("\"procs\":0,\"tasks\":[]"), "runs: procs: found 0, expected a whole number"},
    {ROOT("\"pack_size\":\"4\",\"tasks\":[]"), "runs: pack_size: found "},
    {ROOT("\"task\":[],\"tasks\":[]"), "runs: unknown key \"task\", expected one of: format"},
    {ROOT("\"tasks\":[{\"table\":[1]}]"), "runs: tasks[0]: key \"name\" is missing"},
    {ROOT("\"tasks\":[{\"name\":\"\",\"table\":[1]}]"),
     "runs: tasks[0].name: this cannot be the name of a task: it is empty"},
    {ROOT("\"tasks\":[{\"name\":\"a\",\"table\":[1]},{\"name\":\"a\",\"table\":[1]}]"),
     "runs: tasks[1].name: \"a\" is the name of tasks[0] already"},
    {TASK("\"note\":\"\""), "runs: tasks[0]: 0 of the keys table, points, amdahl, overhead, "
                            "communication, universal, power, downey, expected one of them"},
    {TASK("\"table\":[1],\"points\":[[1,2]]"), "runs: tasks[0]: 2 of the keys"},
    {TASK("\"downey\":{\"seq_time\":1,\"parallelism\":0.5,\"sigma\":0}"),
     "runs: tasks[0].downey.parallelism: found 0.5, expected a number from 1 to 1e+15"},
    {TASK("\"downey\":{\"seq_time\":1,\"parallelism\":2,\"sigma\":-1}"),
     "runs: tasks[0].downey.sigma: found -1, expected a number from 0 to 1e+15"},
    {TASK("\"tabel\":[1]"), "runs: tasks[0]: unknown key \"tabel\""},
    {TASK("\"table\":[]"), "runs: tasks[0].table: no time, expected at least one number of "
                           "seconds"},
    {TASK("\"table\":[null,null]"), "runs: tasks[0].table: no time"},
    {TASK("\"table\":[3,\"NaN\"]"), "runs: tasks[0].table[1]: found "},
    {TASK("\"table\":[3,-1]"), "runs: tasks[0].table[1]: found -1, " POSITIVE},
    {TASK("\"table\":[0,0]"), "runs: tasks[0].table[0]: found 0, " POSITIVE},
    {TASK("\"table\":[1e999]"), "runs:1:"},
    {TASK("\"points\":[]"), "runs: tasks[0].points: 0 points, expected at least one"},
    {TASK("\"points\":[[1]]"), "runs: tasks[0].points[0]: 1 values, expected two"},
    {TASK("\"points\":[[0,1]]"), "runs: tasks[0].points[0][0]: found 0, expected"},
    {TASK("\"points\":[[1,0]]"), "runs: tasks[0].points[0][1]: found 0, " POSITIVE},
    {TASK("\"points\":[[1,1]],\"fill\":\"spline\""),
     "runs: tasks[0].fill: found \"spline\", expected \"power\", \"step\" or "
     "\"measured\""},
    {TASK("\"amdahl\":{\"seq_time\":1}"), "runs: tasks[0].amdahl: key \"seq_fraction\" is missing"},
    {TASK("\"amdahl\":{\"seq_time\":0,\"seq_fraction\":0}"),
     "runs: tasks[0].amdahl.seq_time: found 0, " POSITIVE},
    {TASK("\"amdahl\":{\"seq_time\":1,\"seq_fraction\":1.5}"),
     "runs: tasks[0].amdahl.seq_fraction: found 1.5, expected a number from 0 to 1"},
    {TASK("\"amdahl\":{\"seq_time\":1,\"seq_fraction\":0,\"overhead\":0}"),
     "runs: tasks[0].amdahl: unknown key \"overhead\""},
    {TASK("\"overhead\":{\"seq_time\":1,\"seq_fraction\":0,\"overhead\":-1}"),
     "runs: tasks[0].overhead.overhead: found -1, expected"},
    {TASK("\"communication\":{\"seq_time\":1,\"seq_fraction\":2,\"overhead\":0}"),
     "runs: tasks[0].communication.seq_fraction: found 2, expected a number from 0 to 1"},
    {TASK("\"universal\":{\"seq_time\":1,\"seq_fraction\":0,\"overhead\":-1}"),
     "runs: tasks[0].universal.overhead: found -1, expected"},
    {TASK("\"universal\":{\"seq_time\":1,\"seq_fraction\":0,\"overhead\":0,\"exponent\":1}"),
     "runs: tasks[0].universal: unknown key \"exponent\""},
    {TASK("\"power\":{\"seq_time\":1,\"seq_fraction\":0,\"overhead\":0}"),
     "runs: tasks[0].power: key \"exponent\" is missing"},
    {TASK("\"power\":{\"seq_time\":1,\"seq_fraction\":0,\"overhead\":0,\"exponent\":-2}"),
     "runs: tasks[0].power.exponent: found -2, expected a number from -1 to 10"},
    {TASK("\"table\":[1],\"checkpoint\":-1"), "runs: tasks[0].checkpoint: found -1, expected"},
    {TASK("\"table\":[1],\"data\":\"1\""), "runs: tasks[0].data: found a string, expected"},
    {FORMULAS "a,0,0,0,1,1\n", "runs:2: column seconds: found \"0\", " SECONDS},
    {FORMULAS "a,5,1.5,0,1,1\n",
     "runs:2: column seq_fraction: found 1.5, expected a number from 0 to 1"},
    {FORMULAS "a,5,,0,1,1\n", "runs:2: column seq_fraction: empty, expected"},
    {FORMULAS "a,5,0,-1,1,1\n", "runs:2: column overhead: found \"-1\", expected"},
    {FORMULAS "a,5,0,0,nan,1\n", "runs:2: column checkpoint: found \"nan\", expected"},
    {FORMULAS "a,5,0,0,1,-2\n", "runs:2: column data: found \"-2\", expected"},
    {FORMULAS "a,5,0,0,1,1\na,6,0,0,1,1\n",
     "runs:3: column app: \"a\" has a row already, and a formula needs but one"},
    {"app,size\na,1\n", "runs:2: column size: found 1, expected a number above 1"},
    {"app,size\na,nan\n", "runs:2: column size: found \"nan\", expected"},
    {"app,size,seconds\na,2,3\n", "an application has a size or seconds, not both"},
    {"app,procs,seconds,data\nmd,1,9,3\nmd,2,5,4\n",
     "runs:3: column data: found 4, but an earlier row of this application has 3"},
};

static void refuses_what_is_no_workload_and_says_where(void **state)
{
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct cs_error err = {0};
        struct cs_workload *w = read_text(refused[i].text, &err);

        if (!w && strstr(err.text, refused[i].message))
            continue;
        print_message("# %s\n#  said: %s\n#  not:  %s\n", refused[i].text, w ? "fine" : err.text,
                      refused[i].message);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* More names than the first table of names has room for. */
static void reads_many_applications(void **state)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_workload *w;
    char name[16];

    (void)state;
    cs_strbuf_puts(&text, "app,procs,seconds\n");
    for (int i = 0; i < 20000; i++)
        cs_strbuf_printf(&text, "app%d,%d,%d.5\n", i % 5000, 1 + i / 5000, 1 + i);
    w = good(text.text);
    assert_int_equal(w->count, 5000);
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "app%d", i);
        assert_string_equal(w->name[i], name);
        assert_int_equal(w->profile[i].count, 4);
        assert_true(w->profile[i].seconds[3] == i + 15001.5);
    }
    cs_workload_destroy(w);
    cs_strbuf_release(&text);
}

static void reads_timings_of_extra_p(void **state)
{
    struct cs_workload *w = good("# Extra-P\r\nPARAMETER Nodes\r\nPOINTS (4) ( 8 ) 16\r\n\r\n"
                                 "REGION main\nMETRIC bytes\nDATA 1\nDATA 2\nDATA 3\n"
                                 "METRIC time\nDATA 10.5 10\nDATA 5e0\t6\nDATA 2 5\n"
                                 "REGION mesh\nDATA 9\nDATA 3\nDATA 2");

    (void)state;
    assert_int_equal(w->count, 1);
    assert_string_equal(w->name[0], "main");
    assert_int_equal(w->profile[0].count, 3);
    assert_int_equal(w->profile[0].procs[2], 16);
    assert_true(w->profile[0].seconds[0] == 10 && w->profile[0].seconds[1] == 5);
    assert_true(w->profile[0].seconds[2] == 2);
    assert_string_equal(w->remark, "runs: not read: region mesh, metric bytes\n"
                                   "runs: main on 16: 2 s and 5 s: two inputs?");
    cs_workload_destroy(w);
}

static void refuses_other_timings_of_extra_p(void **state)
{
    static const char *const text[][2] = {
        {"PARAMETER p\nPOINTS 1.5\nDATA 1\n", "runs:3: p: found 1.5, expected a whole number"},
        {"PARAMETER p\nPOINTS x\n", "runs:2: POINTS: found \"x\", expected a number"},
        {"PARAMETER x y\nPOINTS 1 2\nDATA 1\n", "runs: none of the parameters x, y is a number of"},
        {"PARAMETER x y\nPOINTS 1\n", "runs:2: POINTS: found 1 values, expected 2 for each point"},
        {"PARAMETER p\nPOINTS 1\nREGION a\nDATA -1\n",
         "runs:4: found -1, expected a positive numb"},
        {"PARAMETER p\nPOINTS 1\nREGION a\nDATA nan\n",
         "runs:4: DATA: found \"nan\", expected a n"},
        {"PARAMETER p\nPOINTS 1\nREGION a\nDATA 1\nDATA 2\n",
         "runs:5: DATA: more lines than the 1"},
        {"PARAMETER p\nPOINTS 1 2\nREGION a\nDATA 1\nREGION b\n",
         "runs:5: DATA: found 1 lines bef"},
        {"PARAMETER p\nPOINTS 1\nREGION a\nDATA\n", "runs:4: DATA: expected a value"},
        {"PARAMETER p\nPOINTS 1\nREGION a\n", "runs: Extra-P text without a measurement"},
        {"PARAMETER p\nPOINTS 1\nREGION a\nDATA 1\nREGION b\nDATA 1\n", "runs: 2 regions (a, b): "},
        {"PARAMETER p\nPOINTS 1\nMETRIC bytes\nDATA 1\nMETRIC visits\nDATA 1\n",
         "runs: several metrics (bytes, visits) and none is a time"},
        {"PARAMETER p\nEVENTS 1\n", "runs:2: found \"EVENTS\", expected PARAMETER, POINTS"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        struct cs_error err = {0};

        assert_null(read_text(text[i][0], &err));
        if (strncmp(err.text, text[i][1], strlen(text[i][1])) != 0)
            fail_msg("%zu: %s", i, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_table_in_any_order),
        cmocka_unit_test(keeps_the_best_of_several_runs),
        cmocka_unit_test(keeps_every_run_and_takes_the_one_asked_for),
        cmocka_unit_test(reads_tables_as_people_have_them),
        cmocka_unit_test(reports_of_two_columns_that_could_be_the_count),
        cmocka_unit_test(reads_limits_extra_measured_times),
        cmocka_unit_test(gives_points_the_options_of_the_caller),
        cmocka_unit_test(reads_formulas_from_a_table),
        cmocka_unit_test(reads_sizes_as_the_tasks_of_the_paper),
        cmocka_unit_test(reads_states_extra_measured_times),
        cmocka_unit_test(takes_no_task_for_an_answer),
        cmocka_unit_test(reads_a_document_with_every_kind_of_profile),
        cmocka_unit_test(reads_back_what_it_wrote),
        cmocka_unit_test(finds_the_instance_in_a_schedule),
        cmocka_unit_test(reads_and_writes_files),
        cmocka_unit_test(refuses_what_is_no_workload_and_says_where),
        cmocka_unit_test(reads_many_applications),
        cmocka_unit_test(reads_timings_of_extra_p),
        cmocka_unit_test(refuses_other_timings_of_extra_p),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
