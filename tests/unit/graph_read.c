/* graph_read: task graphs in every format, what is refused and how, and the way through a file. */
#include "base/strbuf.h"
#include "io/graph_json.h"
#include "unit/kit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct cs_graph *read_text(const char *text, const struct cs_graph_reading *how)
{
    struct cs_error err = {0};
    struct cs_graph *graph = cs_graph_read_memory("dir/f.txt", text, strlen(text), how, &err);

    if (!graph)
        fail_msg("%s", err.text);
    return graph;
}

/* Refused with this sentence; without libexpat there is another one for XML. */
static void refused(const char *text, const char *why)
{
    struct cs_error err = {0};

    assert_null(cs_graph_read_memory("f.txt", text, strlen(text), NULL, &err));
    if (text[0] != '<' || !strstr(err.text, "without libexpat"))
        assert_string_equal(err.text, why);
}

static void expect_arc(const struct cs_graph *graph, int arc, int from, int to, double bytes)
{
    assert_int_equal(graph->arc[arc].from, from);
    assert_int_equal(graph->arc[arc].to, to);
    assert_true(graph->arc[arc].bytes == bytes);
}

static void expect_task(const struct cs_graph *graph, int task, const char *name, double flops,
                        double alpha)
{
    assert_string_equal(graph->task[task].name, name);
    assert_true(graph->task[task].flops == flops);
    assert_true(graph->task[task].alpha == alpha);
}

static void json_may_leave_out_names_and_alpha(void **state)
{
    struct cs_graph *graph = read_text("\xef\xbb\xbf{\"tasks\": [{\"flops\": 5}, {\"flops\": 0, "
                                       "\"name\": \"end\"}], \"arcs\": [[0, 1], [0, 1, 7]]}",
                                       NULL);

    (void)state;
    assert_string_equal(graph->name, "f");
    assert_int_equal(graph->tasks, 2);
    expect_task(graph, 0, "0", 5, 0);
    expect_task(graph, 1, "end", 0, 0);
    assert_int_equal(graph->arcs, 1);
    expect_arc(graph, 0, 0, 1, 7);
    cs_graph_destroy(graph);
}

static void bad_json_is_refused(void **state)
{
    (void)state;
    refused("", "f.txt: the file is empty");
    refused(" \n ", "f.txt: the file is empty");
    refused("{\"tasks\": [], \"arcs\": []}", "f.txt: the graph is empty: it has no task");
    refused("{\"tasks\": [{\"flops\": -1}], \"arcs\": []}",
            "f.txt: task 0: the amount of work is -1 flop, it must be a number from 0 on");
    refused("{\"tasks\": [{\"flops\": 1, \"alpha\": 1.5}], \"arcs\": []}",
            "f.txt: task 0: alpha is 1.5, it must be in 0 .. 1");
    refused("{\"tasks\": [{\"flops\": 1}], \"arcs\": [[0, 1, 3]]}",
            "f.txt: arcs[0]: unknown task 1, there are 1, counted from 0");
    refused("{\"tasks\": [{\"flops\": 1}], \"arcs\": [[0, 0, 3]]}",
            "f.txt: arc 0 is a self loop of task 0");
    refused("{\"tasks\": [{\"flops\": 1}, {\"flops\": 1}], \"arcs\": [[0, 1, -3]]}",
            "f.txt: arc 0 from 0 to 1: the arc weight is -3 bytes, it must be a number from 0 on");
    refused("{\"tasks\": [{\"flops\": 1}, {\"flops\": 1}], \"arcs\": [[0, 1, 3], [1, 0, 3]]}",
            "f.txt: the graph has a cycle, through task 0");
    refused("{\"tasks\": [{\"flops\": 1, \"name\": \"a\"}, {\"flops\": 1, \"name\": \"a\"}], "
            "\"arcs\": []}",
            "f.txt: task 1: the name a is that of task 0 too");
    refused("{\"tasks\": [{\"flops\": 1e308}, {\"flops\": 1e308}], \"arcs\": []}",
            "f.txt: the sum of all work is too large for a number");
    refused("{\"tasks\": [{\"flops\": 1}], \"arcs\": [[0]]}",
            "f.txt: arcs[0]: found 1 values, expected from, to and bytes");
    refused("{\"format\": \"x\", \"tasks\": [], \"arcs\": []}",
            "f.txt: format is x, expected cosched-graph-1");
    refused("{\"tasks\": [{\"flop\": 1}], \"arcs\": []}",
            "f.txt: tasks[0]: unknown key \"flop\", expected one of: name, flops, alpha, "
            "memory, cores");
}

static void a_graph_survives_a_file(void **state)
{
    const struct cs_graph_task task[] = {
        {"a \"b\" \xc3\xa4", 1e10, 0.1, 0, 0}, {"c", 0, 1, 3e9, 0}, {"d", 7, 0, 0.5, 12}};
    const struct cs_graph_arc arc[] = {{0, 1, 5}, {0, 2, 0}, {1, 2, 12}};
    struct cs_graph *graph = cs_graph_create("my graph", 3, task, 3, arc, NULL);
    static const char *const path[] = {"graph_read.tmp.json", "graph_read.tmp.dot"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct cs_error err = {0};
        struct cs_graph *again;

        assert_int_equal(cs_graph_write(graph, path[i], &err), 0);
        again = cs_graph_read(path[i], NULL, &err);
        if (!again)
            fail_msg("%s", err.text);
        assert_string_equal(again->name, "my graph");
        assert_int_equal(again->tasks, 3);
        for (int v = 0; v < 3; v++)
            expect_task(again, v, task[v].name, task[v].flops, task[v].alpha);
        for (int v = 0; v < 3; v++) {
            assert_true(again->task[v].memory == (i == 0 ? task[v].memory : 0));
            assert_int_equal(again->task[v].cores, i == 0 ? task[v].cores : 0);
        }
        for (int a = 0; a < 3; a++)
            expect_arc(again, a, arc[a].from, arc[a].to, arc[a].bytes);
        cs_graph_destroy(again);
        unlink(path[i]);
    }
    cs_graph_destroy(graph);
}

static void a_name_that_dot_cannot_say_is_refused(void **state)
{
    const struct cs_graph_task task = {"a\\", 1, 0, 0, 0};
    struct cs_graph *graph = cs_graph_create("g", 1, &task, 0, NULL, NULL);
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_graph_write(graph, "graph_read.never.dot", &err), -1);
    assert_string_equal(err.text, "the name a\\ ends with a backslash: DOT cannot represent it");
    assert_int_not_equal(access("graph_read.never.dot", F_OK), 0);
    cs_graph_destroy(graph);
}

static void dot_has_defaults_chains_ports_and_dummies(void **state)
{
    struct cs_graph *graph = read_text("# made by hand\n"
                                       "strict DiGraph \"the graph\" {\r\n"
                                       "  graph [size=\"7,10\"]; rankdir = LR;\n"
                                       "  node [size=4, alpha=\".5\", color=red]\n"
                                       "  edge [size=3];\n"
                                       "  a; b [alpha=0][size=\"1\" + \"0\"]; root [size=0]\n"
                                       "  c -> a:n -> b:p:sw [label=\"\\\"x\\\"\"]; /* later */\n"
                                       "  \"c\" [size = 6; shape=box,]\n"
                                       "  root -> c; b -> end; end [size=0]\n"
                                       "  c -> b [size=-1]\n"
                                       "}\n",
                                       NULL);

    (void)state;
    assert_string_equal(graph->name, "the graph");
    assert_int_equal(graph->tasks, 3);
    expect_task(graph, 0, "a", 4, 0.5);
    expect_task(graph, 1, "b", 10, 0);
    expect_task(graph, 2, "c", 6, 0.5);
    assert_int_equal(graph->arcs, 3);
    expect_arc(graph, 0, 0, 1, 3);
    expect_arc(graph, 1, 2, 0, 3);
    expect_arc(graph, 2, 2, 1, 0);
    cs_graph_destroy(graph);
}

static void bad_dot_is_refused(void **state)
{
    (void)state;
    refused("digraph {\n a [size=1]\n a -> b\n}",
            "f.txt:3: the arc from a to b: unknown task b, it is nowhere declared");
    refused("digraph {\n a [size=1];\n a [size=2];\n}", "f.txt:3: task a is there twice");
    refused("digraph { a }", "f.txt:1: task a has no size, which is its work in flop");
    refused("digraph { a [size=-1] }",
            "f.txt:1: task a: the size is -1 flop, it must not be negative");
    refused("digraph { a [size=1, alpha=2] }", "f.txt:1: task a: alpha is 2, it must be in 0 .. 1");
    refused("digraph { a [size=x] }", "size: f.txt:1: found \"x\", expected a number");
    refused("digraph { a [size=1] ", "f.txt:1: found the end of the file, expected } at the end of "
                                     "the graph");
    refused("digraph { a [size=1] } b", "f.txt:1: found \"b\", expected nothing after the graph");
    refused("graph { a -- b }", "f.txt:1: found \"graph\", expected digraph: task graphs are read "
                                "from DOT, daggen, WfCommons, DAX and JSON of cosched");
    refused("digraph { a -- b }", "f.txt:1: found --, arcs of a digraph are written ->");
    refused("digraph { subgraph x { a } }", "f.txt:1: subgraphs are not read");
    refused("digraph { a -> {b c} }", "f.txt:1: subgraphs are not read");
    refused("digraph { a [size=1] \n /* never", "f.txt:2: the comment that begins here never ends");
    refused("digraph { \"a", "f.txt:1: the quoted text that begins here never ends");
    refused("digraph { a [label=<b>] }",
            "f.txt:1: found the byte 0x3c, where none of the words of DOT begins");
    refused("digraph { a\xff }", "f.txt:1: found a byte 0xff that is not UTF-8 text");
    refused("digraph { a [size=1] b [size=1] a -> b -> a }",
            "f.txt: the graph has a cycle, through task a");
    refused("digraph { }", "f.txt: the graph is empty: it has no task");
}

static void daggen_transfers_become_arcs(void **state)
{
    struct cs_graph *graph = read_text("// daggen\nNODE_COUNT 8\n"
                                       "NODE 0 1,2 ROOT 0.0 0.0\n"
                                       "NODE 1 3,5 COMPUTATION 100 0.25\r\n"
                                       "NODE 2 4,7 COMPUTATION 200 0\n"
                                       "NODE 3 6 TRANSFER 800 0.0\n"
                                       "NODE 4 6 TRANSFER 1600 0.0\n"
                                       "NODE 5 6 TRANSFER 1 0.0\n"
                                       "NODE 6 7 COMPUTATION 3e2 0.0\n"
                                       "NODE 7 - END 0.0 0.0",
                                       NULL);

    (void)state;
    assert_int_equal(graph->tasks, 3);
    expect_task(graph, 0, "1", 100, 0.25);
    expect_task(graph, 2, "6", 300, 0);
    assert_int_equal(graph->arcs, 2);
    expect_arc(graph, 0, 0, 2, 801);
    expect_arc(graph, 1, 1, 2, 1600);
    cs_graph_destroy(graph);
}

static void bad_daggen_is_refused(void **state)
{
    (void)state;
    refused("NODE_COUNT 2\nNODE 0 - COMPUTATION 1 0\n",
            "f.txt: NODE_COUNT is 2, but there are 1 nodes");
    refused("NODE_COUNT x\n", "f.txt:1: NODE_COUNT: found \"x\", expected one whole number");
    refused("NODE 0 - COMPUTATION 1\n",
            "f.txt:1: found fewer than 5 fields after NODE, expected id, "
            "children, type, cost and alpha");
    refused("NODE 0 - COMPUTATION 1 0 0\n",
            "f.txt:1: found more than 5 fields after NODE, expected "
            "id, children, type, cost and alpha");
    refused("NODE 0 - TASK 1 0\n",
            "f.txt:1: type: found \"TASK\", expected ROOT, COMPUTATION, TRANSFER or END");
    refused("NODE 0 - COMPUTATION nan 0\n",
            "f.txt:1: cost: found \"nan\", expected a number that is not negative");
    refused("NODE 0 - COMPUTATION 1 2\n",
            "f.txt:1: alpha: found \"2\", expected a number in 0 .. 1");
    refused("NODE 0 1 COMPUTATION 1 0\n", "f.txt:1: node 0 has the child 1, an unknown task");
    refused("NODE 0 - COMPUTATION 1 0\nNODE 0 - COMPUTATION 1 0\n",
            "f.txt:2: id: found \"0\", expected one that no other node has");
    refused("NODE 0 1 COMPUTATION 1 0\nNODE 1 - TRANSFER 1 0\n",
            "f.txt:2: transfer 1 has 1 parents and 0 children, it must have one of each");
    refused("NODE 0 1 COMPUTATION 1 0\nNODE 1 2 TRANSFER 1 0\nNODE 2 0 TRANSFER 1 0\n",
            "f.txt:2: transfer 1 leads to transfer 2");
    refused("NODE 0 1 COMPUTATION 1 0\nNODE 1 0 TRANSFER 1 0\n",
            "f.txt: arc 0 is a self loop of task 0");
    refused("NODE 0 - COMPUTATION 1 0\nfoo\n", "f.txt:2: line: found \"foo\", expected NODE_COUNT "
                                               "or NODE");
}

#define NEW_FORM "specification" /* spec/ptg.md 9 */
#define WF(tasks, more)                                                                            \
    "{\"name\": \"w f\", \"workflow\": {\"" NEW_FORM "\": {\"tasks\": [" tasks "]" more            \
    "}, \"execution\": {\"tasks\": [{\"id\": \"A\", \"runtimeInSeconds\": 2, \"coreCount\": 4}, "  \
    "{\"id\": \"B\", \"runtimeInSeconds\": 3, \"memoryInBytes\": 5000}]}}}"

static void wfcommons_counts_each_arc_and_file_once(void **state)
{
    const struct cs_graph_reading how = {.speed = 10, .alpha = 0.2};
    struct cs_graph *graph = read_text(
        WF("{\"id\": \"A\", \"name\": \"t\", \"children\": [\"B\"], \"outputFiles\": [\"x\", "
           "\"y\", \"x\"]}, "
           "{\"id\": \"B\", \"name\": \"t\", \"parents\": [\"A\"], \"inputFiles\": [\"y\", \"x\", "
           "\"z\"]}",
           ", \"files\": [{\"id\": \"x\", \"sizeInBytes\": 100}, {\"id\": \"y\", \"sizeInBytes\": "
           "11}, {\"id\": \"z\", \"sizeInBytes\": 5}]"),
        &how);

    (void)state;
    assert_string_equal(graph->name, "w f");
    expect_task(graph, 0, "A", 80, 0.2);
    expect_task(graph, 1, "B", 30, 0.2);
    assert_true(graph->task[0].memory == 0 && graph->task[0].cores == 4);
    assert_true(graph->task[1].memory == 5000 && graph->task[1].cores == 0);
    assert_int_equal(graph->arcs, 1);
    expect_arc(graph, 0, 0, 1, 111);
    cs_graph_destroy(graph);
}

static void older_wfcommons_keep_all_in_the_task(void **state)
{
    static const char *const text[] = {
        "{\"workflow\": {\"tasks\": [{\"name\": \"a\", \"runtimeInSeconds\": 2, \"cores\": 3, "
        "\"files\": "
        "[{\"name\": \"f\", \"link\": \"output\", \"sizeInBytes\": 9}]}, {\"name\": \"b\", \"id\": "
        "\"7\", "
        "\"runtimeInSeconds\": 1, \"parents\": [\"a\"], \"files\": [{\"name\": \"f\", \"link\": "
        "\"input\", "
        "\"sizeInBytes\": 9}]}]}}",
        "{\"workflow\": {\"jobs\": [{\"name\": \"a\", \"runtime\": 2, \"cores\": 3, \"children\": "
        "[\"b\"], "
        "\"files\": [{\"name\": \"f\", \"link\": \"output\", \"size\": 9}]}, {\"name\": \"b\", "
        "\"id\": \"7\", "
        "\"runtime\": 1, \"files\": [{\"name\": \"f\", \"link\": \"input\", \"size\": 9}]}]}}",
    };

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct cs_graph *graph = read_text(text[i], NULL);

        expect_task(graph, 0, "a", 6e9, 0);
        assert_int_equal(graph->task[0].cores, 3);
        expect_task(graph, 1, "7", 1e9, 0);
        expect_arc(graph, 0, 0, 1, 9);
        cs_graph_destroy(graph);
    }
}

static void alphas_are_drawn_from_the_seed(void **state)
{
    const struct cs_graph_reading how = {.speed = 1, .alpha = 0.1, .alpha_high = 0.3, .seed = 4};
    const char *text = WF("{\"id\": \"A\"}, {\"id\": \"B\"}", "");
    struct cs_graph *graph = read_text(text, &how), *again = read_text(text, &how);

    (void)state;
    for (int v = 0; v < 2; v++) {
        assert_true(graph->task[v].alpha >= 0.1 && graph->task[v].alpha < 0.3);
        assert_true(graph->task[v].alpha == again->task[v].alpha);
    }
    assert_true(graph->task[0].alpha != graph->task[1].alpha);
    cs_graph_destroy(graph);
    cs_graph_destroy(again);
}

static void bad_wfcommons_are_refused(void **state)
{
    (void)state;
    refused(WF("{\"id\": \"A\", \"children\": [\"C\"]}", ""),
            "f.txt: workflow." NEW_FORM ".tasks[0].children[0]: unknown task C");
    refused(WF("{\"id\": \"C\"}", ""), "f.txt: workflow." NEW_FORM ".tasks[0]: task C is not in "
                                       "workflow.execution.tasks");
    refused(WF("{\"id\": \"A\"}, {\"id\": \"A\"}", ""),
            "f.txt: workflow." NEW_FORM ".tasks[1]: the name \"A\" of a task: another task has it "
            "already");
    refused(WF("{\"id\": \"A\", \"name\": \"t\", \"children\": [\"t\"]}, {\"id\": \"B\", \"name\": "
               "\"t\"}",
               ""),
            "f.txt: workflow." NEW_FORM ".tasks[0].children[0]: unknown task t");
    refused("{\"workflow\": {\"tasks\": [{\"name\": \"a\"}]}}",
            "f.txt: workflow.tasks[0]: there is no runtime");
    refused("{\"workflow\": 3}", "f.txt: workflow: found 3, expected an object");
}

static void dax_links_jobs_by_files(void **state)
{
    const char *text =
        "<?xml version=\"1.0\"?>\n<!-- made by hand -->\n"
        "<adag name=\"d\"><job id=\"a\" runtime=\"2\"><uses name=\"f\" link=\"output\" "
        "size=\"5\"/><uses file=\"g\" link=\"output\" size=\"6\"/></job>"
        "<job id=\"b\" runtime=\"1.5\"><uses file=\"f\" link=\"input\"/><uses file=\"g\" "
        "link=\"input\"/><uses file=\"h\" link=\"output\" size=\"1\"/></job>"
        "<child ref=\"b\"><parent ref=\"a\"/></child></adag>";
    struct cs_error err = {0};
    struct cs_graph *graph = cs_graph_read_memory("f", text, strlen(text), NULL, &err);

    (void)state;
    if (!graph && strstr(err.text, "without libexpat"))
        skip();
    assert_non_null(graph);
    assert_string_equal(graph->name, "d");
    expect_task(graph, 1, "b", 1.5e9, 0);
    assert_int_equal(graph->arcs, 1);
    expect_arc(graph, 0, 0, 1, 11);
    cs_graph_destroy(graph);
}

static void bad_dax_is_refused(void **state)
{
    (void)state;
    refused("<platform/>", "f.txt:1: found <platform>, expected <adag>: this is not DAX");
    refused("<adag>\n<job runtime=\"1\"/></adag>", "f.txt:2: <job> has no id");
    refused("<adag><job id=\"a\"/></adag>", "f.txt:1: <job id=\"a\"> has no runtime");
    refused("<adag><job id=\"a\" runtime=\"-1\"/></adag>",
            "f.txt:1: <job runtime=\"-1\">: expected a number that is not negative");
    refused(
        "<adag><job id=\"a\" runtime=\"1\"/><child ref=\"a\"><parent ref=\"b\"/></child></adag>",
        "f.txt: <child ref=\"a\"> of <parent ref=\"b\">: unknown task b");
    refused("<adag><job id=\"a\" runtime=\"1\"/>", "f.txt:1: no element found");
    refused("<adag><job id=\"a\" runtime=\"1\"/></job>", "f.txt:1: mismatched tag");
    refused("<adag/>", "f.txt: the graph is empty: it has no task");
}

static void a_reading_out_of_range_is_refused(void **state)
{
    struct cs_graph_reading how = CS_GRAPH_READING;
    struct cs_error err = {0};

    (void)state;
    how.speed = 0;
    assert_null(cs_graph_read_memory("f", "{}", 2, &how, &err));
    assert_string_equal(err.text, "the speed is 0 flop/s, it must be a positive number");
    err = (struct cs_error){0};
    how = (struct cs_graph_reading){.speed = 1, .alpha = 0.1, .alpha_high = 3};
    assert_null(cs_graph_read_memory("f", "{}", 2, &how, &err));
    assert_string_equal(err.text, "alpha is 3, it must be in 0 .. 1");
}

static void levels_and_paths_are_those_of_the_longest_variant(void **state)
{
    const struct cs_graph_task task[] = {
        {NULL, 1, 0, 0, 0}, {NULL, 2, 0.5, 0, 0}, {NULL, 4, 0, 0, 0}, {NULL, 8, 1, 0, 0}};
    const struct cs_graph_arc arc[] = {{3, 0, 1}, {3, 2, 1}, {0, 2, 1}, {2, 1, 1}, {3, 0, 2}};
    struct cs_graph *graph = cs_graph_create("g", 4, task, 5, arc, NULL);
    const int procs[] = {1, 2, 4, 8};
    double bottom[4];

    (void)state;
    assert_int_equal(graph->arcs, 4);
    expect_arc(graph, 2, 3, 0, 3);
    assert_int_equal(graph->levels, 4);
    assert_int_equal(graph->level[1], 3);
    assert_int_equal(graph->level[2], 2);
    assert_int_equal(graph->width, 1);
    assert_true(graph->work == 15);
    assert_true(cs_graph_critical_path(graph, NULL, 1, NULL) == 15);
    assert_true(cs_graph_critical_path(graph, procs, 2, bottom) == (8 + 1 + 1 + 1.5) / 2);
    assert_true(bottom[2] == 1.25);
    cs_graph_destroy(graph);
    cs_graph_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_may_leave_out_names_and_alpha),
        cmocka_unit_test(bad_json_is_refused),
        cmocka_unit_test(a_graph_survives_a_file),
        cmocka_unit_test(a_name_that_dot_cannot_say_is_refused),
        cmocka_unit_test(dot_has_defaults_chains_ports_and_dummies),
        cmocka_unit_test(bad_dot_is_refused),
        cmocka_unit_test(daggen_transfers_become_arcs),
        cmocka_unit_test(bad_daggen_is_refused),
        cmocka_unit_test(wfcommons_counts_each_arc_and_file_once),
        cmocka_unit_test(older_wfcommons_keep_all_in_the_task),
        cmocka_unit_test(alphas_are_drawn_from_the_seed),
        cmocka_unit_test(bad_wfcommons_are_refused),
        cmocka_unit_test(dax_links_jobs_by_files),
        cmocka_unit_test(bad_dax_is_refused),
        cmocka_unit_test(a_reading_out_of_range_is_refused),
        cmocka_unit_test(levels_and_paths_are_those_of_the_longest_variant),
    };

    return cmocka_run_group_tests_name("graph_read", tests, NULL, NULL);
}
