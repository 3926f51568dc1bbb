/* schedule_json: what is written reads back the same, and what is wrong is refused with its
 * place. */
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "unit/draft.h"
#include "unit/kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cs_schedule_file *read_text(const char *text, struct cs_error *err)
{
    return cs_schedule_file_read_memory("plan", text, strlen(text), err);
}

static struct cs_schedule_file *good(const char *text)
{
    struct cs_error err = {0};
    struct cs_schedule_file *file = read_text(text, &err);

    if (!file)
        fail_msg("%s", err.text);
    return file;
}

static void write_draft(struct cs_strbuf *text, const struct draft *draft)
{
    struct cs_schedule *schedule = draft_schedule(draft);
    struct cs_pack_declared declared = draft->declared;
    struct cs_jsonw w = cs_jsonw_begin(text);

    declared.pack = draft->pack;
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, "by-hand:seed=1");
    cs_keys_put(&w, cs_keys_pack, schedule, &declared);
    cs_schedule_json_put_tail(&w, schedule, draft->workload, false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_schedule_destroy(schedule);
}

static void same_bars(const struct draft *draft, const struct cs_schedule *schedule)
{
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);

    assert_int_equal(bars, draft->bars);
    for (size_t i = 0; i < bars; i++) {
        const struct cs_bar *want = &draft->bar[i];

        assert_int_equal(bar[i].kind, want->kind);
        assert_int_equal(bar[i].task, want->task);
        assert_int_equal(bar[i].attempt, want->attempt);
        assert_int_equal(bar[i].group, want->group);
        assert_true(bar[i].start == want->start && bar[i].end == want->end);
        assert_int_equal(bar[i].intervals, 1);
        assert_int_equal(bar[i].procs->first, draft->set[i]->first);
        assert_int_equal(bar[i].procs->last, draft->set[i]->last);
    }
}

static void same_claims(const struct draft *draft, const struct cs_pack_declared *got)
{
    const struct cs_pack_declared *want = &draft->declared;

    assert_int_equal(got->pack_size, want->pack_size);
    assert_int_equal(got->packs, want->packs);
    assert_true(got->cost == want->cost && got->one_pack_cost == want->one_pack_cost);
    assert_true(got->relative_cost == want->relative_cost);
    assert_true(got->packing_ratio == want->packing_ratio);
    assert_true(got->relative_response_time == want->relative_response_time);
    assert_true(got->lower_bound == want->lower_bound && got->gap == want->gap);
    for (int b = 0; b < got->packs; b++)
        for (int i = 0; i < got->pack[b].tasks; i++) {
            assert_int_equal(got->pack[b].task[i].task, draft->pack[b].task[i].task);
            assert_int_equal(got->pack[b].task[i].procs, draft->pack[b].task[i].procs);
            assert_true(got->pack[b].task[i].seconds == draft->pack[b].task[i].seconds);
        }
}

static void reads_back_plans_to_the_last_bit(void **state)
{
    static struct draft draft;

    (void)state;
    for (unsigned seed = 0; seed < 200; seed++) {
        struct cs_strbuf text = CS_STRBUF_INIT;
        struct cs_check_report *report = cs_check_report_create(9);
        struct cs_schedule_file *file;

        draft_make(&draft, seed);
        write_draft(&text, &draft);
        file = good(text.text);
        same_bars(&draft, file->schedule);
        same_claims(&draft, file->pack);
        assert_string_equal(file->policy, "by-hand:seed=1");
        assert_string_equal(file->source, "plan");
        assert_true(file->makespan == cs_schedule_makespan(file->schedule));
        cs_check_file(file, report);
        if (report->total)
            fail_msg("seed %u: %s", seed, report->item[0].text);
        cs_check_report_destroy(report);
        cs_schedule_file_destroy(file);
        cs_strbuf_release(&text);
        draft_release(&draft);
    }
}

static void sees_a_change_in_the_file(void **state)
{
    static struct draft draft;
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_check_report *report = cs_check_report_create(9);
    struct cs_schedule_file *file;
    char *at;

    (void)state;
    draft_make(&draft, 5);
    write_draft(&text, &draft);
    at = strstr(text.text, "\"task\": 3,");
    assert_non_null(at);
    at[8] = '4';
    file = good(text.text);
    cs_check_file(file, report);
    assert_true(report->total > 0);
    cs_check_report_destroy(report);
    cs_schedule_file_destroy(file);
    cs_strbuf_release(&text);
    draft_release(&draft);
}

#define HEAD                                                                                       \
    "{\"format\": \"cosched-schedule-1\", \"problem\": \"rigid\", \"procs\": 8, "                  \
    "\"tasks\": [\"a\", \"b\"], "

static void reads_what_any_problem_has(void **state)
{
    struct cs_schedule_file *file =
        good(HEAD "\"makespan\": 3, \"queue\": [1], \"bars\": ["
                  "{\"task\": 1, \"procs\": \"5 0-2\", \"start\": 0, \"end\": 3},"
                  "{\"task\": 0, \"attempt\": 2, \"kind\": \"lost\", \"group\": 4, \"procs\": "
                  "\"3\", \"start\": 0.5, \"end\": 1}]}");
    const struct cs_bar *bar;
    size_t bars;

    (void)state;
    bar = cs_schedule_bars(file->schedule, &bars);
    assert_int_equal(bars, 2);
    assert_string_equal(cs_schedule_problem(file->schedule), "rigid");
    assert_int_equal(cs_schedule_procs(file->schedule), 8);
    assert_string_equal(cs_schedule_task_name(file->schedule, 1), "b");
    assert_int_equal(bar[0].kind, CS_BAR_WORK);
    assert_int_equal(bar[0].attempt, 1);
    assert_int_equal(bar[0].group, -1);
    assert_int_equal(bar[0].intervals, 2);
    assert_int_equal(bar[0].procs[0].last, 2);
    assert_int_equal(bar[1].kind, CS_BAR_LOST);
    assert_int_equal(bar[1].group, 4);
    assert_null(file->workload);
    assert_null(file->pack);
    assert_string_equal(file->policy, "");
    cs_schedule_file_destroy(file);
    cs_schedule_file_destroy(NULL);
}

static void writes_null_for_what_is_not_defined(void **state)
{
    const struct cs_pack_declared declared = {
        .pack_size = 4, .relative_cost = NAN, .packing_ratio = NAN, .lower_bound = NAN, .gap = NAN};
    struct cs_schedule *schedule = cs_schedule_create("pack", 4, 0, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    struct cs_schedule_file *file;

    (void)state;
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, NULL);
    cs_keys_put(&w, cs_keys_pack, schedule, &declared);
    cs_schedule_json_put_tail(&w, schedule, NULL, false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    assert_non_null(strstr(text.text, "\"relative_cost\": null"));
    assert_null(strstr(text.text, "nan"));
    file = good(text.text);
    assert_true(isnan(file->pack->relative_cost) && isnan(file->pack->gap));
    assert_true(file->pack->cost == 0);
    cs_schedule_file_destroy(file);
    cs_strbuf_release(&text);
    cs_schedule_destroy(schedule);
}

#define BAR(body) HEAD "\"bars\": [{" body "}]}"
#define PLACE "\"procs\": \"0\", \"start\": 0, \"end\": 1"
#define PACK                                                                                       \
    "{\"format\": \"cosched-schedule-1\", \"problem\": \"pack\", \"procs\": 8, \"tasks\": "        \
    "[\"a\"], \"bars\": [], "

static const struct {
    const char *text, *message;
} refused[] = {
    {"", "plan: empty, expected JSON"},
    {"[]", "plan: found an array, expected an object"},
    {"{\"format\": \"cosched-workload-1\"}",
     "plan: format: found \"cosched-workload-1\", expected \"cosched-schedule-1\"; this is a "
     "workload, which "
     "'cosched plan pack' and 'cosched plan moldable' read"},
    {"{\"tasks\": []}",
     "plan: key \"format\" is missing; a schedule has \"cosched-schedule-1\" there"},
    {"{\"vary\": {}}", "plan: key \"format\" is missing; a schedule has \"cosched-schedule-1\" "
                       "there; this looks like "
                       "a sweep, which 'cosched campaign run' reads"},
    {"{\"format\": 1}", "plan: format: found 1, expected a string"},
    {"{\"format\": \"cosched-schedule-1\"}", "plan: key \"procs\" is missing"},
    {"{\"format\": \"cosched-schedule-1\", \"problem\": \"rigid\", \"procs\": 0}",
     "plan: procs: found 0, expected a whole number"},
    {"{\"format\": \"cosched-schedule-1\", \"problem\": \"rigid\", \"procs\": 1}",
     "plan: key \"tasks\" is missing"},
    {"{\"format\": \"cosched-schedule-1\", \"problem\": \"rigid\", \"procs\": 1, \"tasks\": "
     "[\"a\", \"a\"]}",
     "plan: tasks[1]: \"a\" is tasks[0] already"},
    {"{\"format\": \"cosched-schedule-1\", \"problem\": \"rigid\", \"procs\": 1, \"tasks\": "
     "[\"\"]}",
     "plan: tasks[0]: this cannot be the name of a task: it is empty"},
    {HEAD "\"makespan\": \"3\"}", "plan: makespan: found a string, expected a"},
    {HEAD "\"makespan\": 3}", "plan: key \"bars\" is missing"},
    {HEAD "\"bars\": 3}", "plan: bars: found 3, expected an array"},
    {HEAD "\"bars\": [], \"instance\": []}", "plan: instance: found an array, expected an object"},
    {BAR(PLACE), "plan: bars[0]: key \"task\" is missing"},
    {BAR("\"task\": 2, " PLACE),
     "plan: bars[0].task: found 2, but there are only 2 tasks, from 0 on"},
    {BAR("\"task\": -1, " PLACE), "plan: bars[0].task: found -1, expected"},
    {BAR("\"task\": \"a\", " PLACE), "plan: bars[0].task: found a string, expected"},
    {BAR("\"task\": 0, \"kind\": \"sleep\", " PLACE),
     "plan: bars[0].kind: found \"sleep\", expected work, checkpoint, recovery, downtime, verify, "
     "move, lost or program"},
    {BAR("\"task\": 0, \"color\": 3, " PLACE), "plan: bars[0]: unknown key \"color\""},
    {BAR("\"task\": 0, \"group\": -2, " PLACE), "plan: bars[0].group: found -2, expected"},
    {BAR("\"task\": 0, \"attempt\": 1.5, " PLACE), "plan: bars[0].attempt: found 1.5, expected"},
    {BAR("\"task\": 0, \"procs\": \"1-\", \"start\": 0, \"end\": 1"),
     "plan: bars[0].procs: \"1-\" is not a set of processors"},
    {BAR("\"task\": 0, \"procs\": \"1 1\", \"start\": 0, \"end\": 1"),
     "plan: bars[0].procs: the set of processors \"1 1\" names processor 1 twice"},
    {BAR("\"task\": 0, \"procs\": \"1\", \"start\": null, \"end\": 1"),
     "plan: bars[0].start: found null, expected a"},
    {"{\"format\": \"cosched-schedule-1\", \"problem\": \"rigid\", \"procs\": 1, \"tasks\": "
     "[\"a\"], \"bars\": [], \"jobs\": [{\"procs\": 1, \"seconds\": 1}], \"scenario\": -1}",
     "plan: scenario: found -1, expected a whole number of at least 0"},
    {PACK "\"packs\": []}", "plan: key \"pack_size\" is missing"},
    {PACK "\"pack_size\": 2}", "plan: key \"packs\" is missing"},
    {PACK "\"pack_size\": 2, \"cost\": [], \"packs\": []}", "plan: cost: found an array, expected"},
    {PACK "\"pack_size\": 2, \"packing_ratio_used\": 0, \"packs\": []}",
     "plan: packing_ratio_used: found 0, expected a positive number"},
    {PACK "\"pack_size\": 2, \"smith_response_time\": 0, \"packs\": []}",
     "plan: smith_response_time: found 0, expected a positive number"},
    {PACK "\"pack_size\": 2, \"packs\": [], \"seed\": \"one\"}",
     "plan: seed: found a string, expected"},
    {PACK "\"pack_size\": 2, \"packs\": [], \"seed\": 1.5}", "plan: seed: found 1.5, expected"},
    {PACK "\"pack_size\": 2, \"packs\": [], \"seed\": -1}", "plan: seed: found -1, expected"},
    {PACK "\"pack_size\": 2, \"packs\": [], \"notes\": [1]}",
     "plan: notes: found an array, expected an object"},
    {PACK "\"pack_size\": 2, \"packs\": [], \"notes\": {\"moves\": 3, \"method\": \"x\", "
          "\"why\": {}}}",
     "plan: notes.why: found an object, expected a string or a number"},
    {PACK "\"pack_size\": 2, \"packs\": [{\"cost\": 1}]}",
     "plan: packs[0]: key \"tasks\" is missing"},
    {PACK "\"pack_size\": 2, \"packs\": [{\"cost\": 1, \"tasks\": [{\"name\": \"z\"}]}]}",
     "plan: packs[0].tasks[0].name: \"z\" is not in the list of tasks"},
    {PACK "\"pack_size\": 2, \"packs\": [{\"cost\": 1, \"tasks\": [{\"name\": \"a\", \"procs\": "
          "0}]}]}",
     "plan: packs[0].tasks[0].procs: found 0, expected"},
};

static void refuses_what_is_no_schedule_and_says_where(void **state)
{
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct cs_error err = {0};
        struct cs_schedule_file *file = read_text(refused[i].text, &err);

        if (!file && strstr(err.text, refused[i].message))
            continue;
        print_message("# %s\n#  said: %s\n#  not:  %s\n", refused[i].text, file ? "fine" : err.text,
                      refused[i].message);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void names_a_file_that_cannot_be_read(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_schedule_file_read("/nowhere/plan.json", &err));
    assert_non_null(strstr(err.text, "/nowhere/plan.json"));
}

static const char malleable[] =
    "{\"format\":\"cosched-schedule-1\",\"problem\":\"malleable\",\"procs\":4,\"tasks\":[\"a\"],"
    "\"mtbf\":1e9,\"downtime\":0.5,\"wake\":true,\"on_end\":\"local\",\"layout\":\"tail\","
    "\"kappa\":0.75,\"faults\":[{\"time\":3,\"processor\":9,\"effect\":\"idle\"}],"
    "\"areas\":{\"work\":1,\"checkpoint\":2,\"lost\":3,\"down\":4,\"move\":5,\"idle\":6},\"bars\":["
    "]}";

static void reads_what_a_malleable_schedule_says(void **state)
{
    struct cs_schedule_file *file = good(malleable);
    const struct cs_malleable_declared *d = file->malleable;

    (void)state;
    assert_true(d->mtbf == 1e9 && d->downtime == 0.5 && d->rules.kappa == 0.75 &&
                d->rules.period_factor == 1);
    assert_true(d->rules.wake && d->rules.layout == CS_MALLEABLE_TAIL && !d->fault_free &&
                d->has_areas && isnan(d->lower_bound));
    assert_true(d->areas.lost == 3 && d->areas.idle == 6);
    assert_string_equal(d->on_end, "local");
    assert_string_equal(d->on_failure, "");
    assert_int_equal(d->fatal, -1);
    assert_int_equal(d->faults, 1);
    assert_true(d->fault->time == 3 && d->fault->processor == 9);
    assert_string_equal(d->fault->effect, "idle");
    cs_schedule_file_destroy(file);
    file =
        good("{\"format\":\"cosched-schedule-1\",\"problem\":\"malleable\",\"procs\":4,\"tasks\":"
             "[],\"bars\":[]}");
    assert_null(file->malleable);
    cs_schedule_file_destroy(file);
}

/* The text with one piece of it changed. */
static void refuses_change(const char *from, const char *to, const char *want)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error err = {0};
    const char *at = strstr(malleable, from);

    assert_non_null(at);
    cs_strbuf_append(&text, malleable, (size_t)(at - malleable));
    cs_strbuf_puts(&text, to);
    cs_strbuf_puts(&text, at + strlen(from));
    assert_null(read_text(text.text, &err));
    if (strcmp(err.text, want) != 0)
        fail_msg("%s", err.text);
    cs_strbuf_release(&text);
}

static void refuses_what_a_malleable_schedule_cannot_say(void **state)
{
    (void)state;
    refuses_change("1e9", "0", "plan: mtbf: found 0, expected a positive number");
    refuses_change("\"tail\"", "\"long\"",
                   "plan: layout: found \"long\", expected young, tail or pattern");
    refuses_change("\"idle\"}", "\"sad\"}",
                   "plan: faults[0].effect: found \"sad\", expected idle, ignored, "
                   "initial-checkpoint, rollback, rollback-not-longest, rollback-redistributed or "
                   "rollback-no-better-plan");
    refuses_change("\"processor\":9", "\"processor\":-1",
                   "plan: faults[0].processor: found -1, expected a whole number of at least 0");
    refuses_change("[{\"time\":3", "[{\"at\":3",
                   "plan: faults[0]: unknown key \"at\", expected one of: "
                   "time, processor, effect, disk");
    refuses_change("\"move\":5,", "", "plan: areas: key \"move\" is missing");
}

static void reads_counts_instead_of_processors(void **state)
{
#define COUNTS "{\"format\": \"cosched-schedule-1\", \"procs\": 8, \"tasks\": [\"a\", \"b\"], "
    static const struct {
        const char *text, *want;
    } wrong[] = {
        {COUNTS "\"bars\": [{\"task\": 0, \"count\": 0, \"start\": 0, \"end\": 1}]}",
         "plan: bars[0].count: found 0, expected a whole number from 1 to 2147483646"},
        {COUNTS
         "\"bars\": [{\"task\": 0, \"count\": 1, \"procs\": \"1\", \"start\": 0, \"end\": 1}]}",
         "plan: bars[0]: found \"procs\" and \"count\", expected one of them"},
        {COUNTS "\"bars\": [{\"task\": 0, \"procs\": \"1\", \"start\": 0, \"end\": 1},"
                "{\"task\": 0, \"count\": 1, \"start\": 0, \"end\": 1}]}",
         "plan: bars[1]: found \"count\", expected \"procs\" as in the bars before"},
        {COUNTS "\"bars\": [{\"task\": 0, \"start\": 0, \"end\": 1}]}",
         "plan: bars[0]: key \"procs\" is missing"},
        {COUNTS "\"problem\": \"volatile\", \"bars\": [{\"task\": 0, \"count\": 1, \"start\": 0, "
                "\"end\": 1}]}",
         "plan: bars[0]: found \"count\", expected \"procs\": the processors of problem volatile "
         "are "
         "not interchangeable"},
        {COUNTS
         "\"observed\": {}, \"bars\": [{\"task\": 0, \"count\": 1, \"start\": 0, \"end\": 1}]}",
         "plan: bars[0]: found \"count\", expected the \"procs\" that were observed"},
        {COUNTS "\"bars\": [{\"task\": 5, \"count\": \"1\", \"start\": 0, \"end\": 1}]}",
         "plan: bars[0].task: found 5, but there are only 2 tasks, from 0 on"},
    };
    struct cs_schedule_file *file =
        good("{\"bars\": [{\"task\": 0, \"count\": 5, \"start\": 0, \"end\": 2},"
             "{\"task\": 1, \"count\": 3, \"start\": 1, \"end\": 2}], \"tasks\": [\"a\", \"b\"], "
             "\"procs\": 8, \"format\": \"cosched-schedule-1\"}");
    const struct cs_bar *bar = cs_schedule_bars(file->schedule, NULL);

    (void)state;
    assert_int_equal(bar[0].procs->last, 4);
    assert_int_equal(bar[1].procs->first, 5);
    cs_schedule_file_destroy(file);
    file = good(COUNTS "\"bars\": [{\"task\": 0, \"count\": 9, \"start\": 0, \"end\": 2}]}");
    bar = cs_schedule_bars(file->schedule, NULL);
    assert_int_equal(bar->count, 9);
    cs_schedule_file_destroy(file);
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        struct cs_error err = {0};

        assert_null(read_text(wrong[w].text, &err));
        assert_string_equal(err.text, wrong[w].want);
    }
#undef COUNTS
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back_plans_to_the_last_bit),
        cmocka_unit_test(sees_a_change_in_the_file),
        cmocka_unit_test(reads_what_any_problem_has),
        cmocka_unit_test(writes_null_for_what_is_not_defined),
        cmocka_unit_test(refuses_what_is_no_schedule_and_says_where),
        cmocka_unit_test(reads_what_a_malleable_schedule_says),
        cmocka_unit_test(refuses_what_a_malleable_schedule_cannot_say),
        cmocka_unit_test(reads_counts_instead_of_processors),
        cmocka_unit_test(names_a_file_that_cannot_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
