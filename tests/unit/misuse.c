/* misuse: what a caller gets wrong is an error with a sentence, and never the end of his program.
 *
 * The mistakes that once ended it, one by one; foreign/ tries the rest.  Public headers only.
 */
#include "check/check.h"
#include "model/fleet.h"
#include "problems/malleable/malleable.h"
#include "problems/moldable/moldable.h"
#include "problems/pack/pack.h"
#include "problems/ptg/ptg.h"
#include "problems/rigid/study.h"
#include "problems/volatile/volatile.h"
#include "unit/kit.h"

#include <cosched/campaign.h>
#include <cosched/case.h>
#include <cosched/chart.h>
#include <cosched/convert.h>
#include <cosched/run.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cs_profile profile[] = {
    {.kind = CS_PROFILE_AMDAHL, .seq_time = 9},
    {.kind = CS_PROFILE_AMDAHL, .seq_time = 5},
    {.kind = CS_PROFILE_AMDAHL, .seq_time = 7},
};

static int make(int room, int policy, struct cs_error *err)
{
    const struct cs_pack_request request = {.call = {.policy = policy}};
    struct cs_workload *workload = cs_workload_create(3, NULL, profile, NULL);
    struct cs_pack_instance *in = cs_pack_instance_create(workload, 4, CS_PACK_UNLIMITED, err);
    struct cs_pack_plan *plan = cs_pack_plan_create(room);
    int status = cs_pack_plan_make(in, &request, plan, err);

    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(in);
    cs_workload_destroy(workload);
    return status;
}

static void a_plan_for_fewer_tasks_is_refused(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(make(1, 0, &err), -1);
    assert_string_equal(err.text, "the plan has room for 1 task, the instance has 3");
    assert_int_equal(make(3, 0, &err), 0);
}

static void a_picture_that_cannot_be_drawn_is_refused(void **state)
{
    static const struct {
        struct cs_chart_options how;
        const char *says;
    } wrong[] = {
        {{.size = 8}, "found 8 bytes"},
        {{.size = sizeof(struct cs_chart_options), .style = "pink"}, "style cannot be \"pink\""},
        {{.size = sizeof(struct cs_chart_options), .width = -5}, "-5"},
        {{.size = sizeof(struct cs_chart_options), .height = INT_MAX}, "2147483647"},
    };
    struct cs_schedule *schedule = cs_schedule_create("pack", 4, 1, NULL);
    struct cs_schedule *planned = cs_schedule_create("pack", 4, 2, NULL);
    struct cs_error err[6] = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct cs_error why = {0};

        assert_null(cs_schedule_svg(schedule, NULL, &wrong[i].how, NULL, &why));
        if (!strstr(why.text, wrong[i].says))
            fail_msg("%s: %s", wrong[i].says, why.text);
    }
    assert_null(cs_schedule_svg(schedule, planned, NULL, NULL, &err[0]));
    assert_string_equal(err[0].text, "what was planned has 2 tasks, what is drawn has 1");
    assert_null(cs_schedule_svg(NULL, planned, NULL, NULL, &err[1]));
    assert_non_null(strstr(err[1].text, "called wrongly"));
    assert_int_equal(cs_chart_check(NULL, &err[2]), -1);
    assert_int_equal(cs_chart_write("x.svg", NULL, 96, &err[3]), -1);
    assert_int_equal(cs_chart_write("x.gif", "<svg/>", 96, &err[4]), -1);
    assert_null(cs_chart_image("<svg/>", "gif", 96, NULL, &err[5]));
    assert_non_null(strstr(err[4].text, "x.gif: a picture is written as .svg"));
    cs_schedule_destroy(schedule);
    cs_schedule_destroy(planned);
}

static void documents_that_are_none_are_neither_drawn_nor_shown(void **state)
{
    static const struct cs_chart_source source[] = {{"/nosuch/plan.json", NULL, 0},
                                                    {"half", "{\"format\"", 9},
                                                    {"other", "{\"format\": \"x\"}", 15},
                                                    {NULL, "{}", 2}};
    static const char *const says[] = {"/nosuch/plan.json", "half", "other", "called wrongly"};
    const struct cs_report_options old = {.size = 4};
    struct cs_error err = {0};

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct cs_error why[2] = {0};

        assert_null(cs_chart_svg(&source[i], NULL, NULL, NULL, &why[0]));
        assert_null(cs_report_html(&source[i], 1, NULL, NULL, &why[1]));
        if (!strstr(why[0].text, says[i]) || !strstr(why[1].text, says[i]))
            fail_msg("%s: %s; %s", says[i], why[0].text, why[1].text);
    }
    assert_null(cs_report_html(source, 1, &old, NULL, &err));
    assert_non_null(strstr(err.text, "found 4 bytes"));
    assert_null(cs_report_html(source, 0, NULL, NULL, &err));
    assert_null(cs_report_html(NULL, 1, NULL, NULL, NULL));
    assert_null(cs_chart_svg(NULL, NULL, NULL, NULL, NULL));
}

static void a_policy_that_is_none_is_refused(void **state)
{
    (void)state;
    for (int policy = -1; policy <= 99; policy += 100) {
        struct cs_error err = {0};

        assert_int_equal(make(3, policy, &err), -1);
        assert_non_null(strstr(err.text, "is not one of the"));
    }
}

static void every_problem_refuses_a_policy_that_is_none(void **state)
{
    struct cs_workload *workload = cs_workload_create(3, NULL, profile, NULL);
    struct cs_moldable_instance *bag = cs_moldable_instance_create(workload, 4, NULL, NULL);
    struct cs_moldable_plan *plan = cs_moldable_plan_create(3);
    struct cs_platform *nancy = cs_platform_site("grid5000-nancy", NULL);
    const struct cs_graph_task task = {"a", 1e9, 0, 0, 0};
    struct cs_graph *graph = cs_graph_create("g", 1, &task, 0, NULL, NULL);
    const struct cs_graph *const graphs[] = {graph};
    struct cs_ptg_instance *in = cs_ptg_instance_create(nancy, 1, graphs, NULL, NULL);
    struct cs_malleable_rules rules = cs_malleable_rules_paper();

    (void)state;
    for (int policy = -1; policy <= 99; policy += 100) {
        const struct cs_moldable_request one = {.call = {.policy = policy}};
        const struct cs_ptg_request two = {.call = {.policy = policy}};
        struct cs_error err[4] = {0};

        assert_int_equal(cs_moldable_plan_make(bag, &one, plan, &err[0]), -1);
        assert_non_null(strstr(err[0].text, "is not one of the"));
        assert_null(cs_ptg_plan_make(in, &two, &err[1]));
        assert_non_null(strstr(err[1].text, "is not one of the"));
        rules.on_end = policy;
        assert_int_equal(cs_malleable_rules_check(&rules, &err[2]), -1);
        assert_non_null(strstr(err[2].text, "there is no policy"));
        assert_null(cs_sched_policy_at(policy));
    }
    cs_ptg_instance_destroy(in);
    cs_graph_destroy(graph);
    cs_platform_destroy(nancy);
    cs_moldable_plan_destroy(plan);
    cs_moldable_instance_destroy(bag);
    cs_workload_destroy(workload);
}

/* A caller that fills the call by hand leaves 0 where a word would have set the usual value. */
static void a_bag_is_planned_with_parameters_that_nobody_set(void **state)
{
    struct cs_workload *workload = cs_workload_create(3, NULL, profile, NULL);
    struct cs_moldable_instance *in = cs_moldable_instance_create(workload, 4, NULL, NULL);
    struct cs_moldable_plan *plan = cs_moldable_plan_create(3);
    int count;
    const struct cs_policy *const *list = cs_moldable_policies(&count);

    (void)state;
    for (int p = 0; p < count; p++) {
        const struct cs_moldable_request request = {.call = {.policy = p}};
        struct cs_error err = {0};

        assert_true(!cs_moldable_plan_make(in, &request, plan, &err) == !list[p]->extpol);
    }
    cs_moldable_plan_destroy(plan);
    cs_moldable_instance_destroy(in);
    cs_workload_destroy(workload);
}

static void a_time_that_is_not_there_is_nan(void **state)
{
    struct cs_workload *workload = cs_workload_create(3, NULL, profile, NULL);
    struct cs_pack_instance *in = cs_pack_instance_create(workload, 4, 2, NULL);

    (void)state;
    assert_true(cs_pack_instance_time(in, 1, 1) == 5);
    assert_true(isnan(cs_pack_instance_time(in, 3, 1)));
    assert_true(isnan(cs_pack_instance_time(in, 0, 0)));
    assert_true(isnan(cs_pack_instance_time(in, 0, INT_MAX)));
    assert_true(isnan(cs_pack_instance_time(NULL, 0, 1)));
    cs_pack_instance_destroy(in);
    cs_workload_destroy(workload);
}

static void refuses(const struct cs_profile *wrong, const char *error_text)
{
    struct cs_error err = {0};

    assert_null(cs_workload_create(1, NULL, wrong, &err));
    assert_string_equal(err.text, error_text);
}

static void workloads_are_checked_as_readers_check_them(void **state)
{
    const double seconds[] = {3, 2}, wrong[] = {3, NAN};
    const int falls[] = {4, 2};
    const char *const twice[] = {"a", "b", "a"}, *const empty[] = {"a", "", "c"};
    struct cs_error err[2] = {0};

    (void)state;
    refuses(&(struct cs_profile){.kind = (enum cs_profile_kind)9},
            "task 0: there is no profile of kind 9, only 1 to 8");
    refuses(&(struct cs_profile){.kind = CS_PROFILE_AMDAHL, .seq_time = -1},
            "task 0: seq_time is -1 s, it must be a positive number");
    refuses(&(struct cs_profile){.kind = CS_PROFILE_TABLE, .count = 2, .seconds = wrong},
            "task 0: time 1 is nan s, it must be positive");
    refuses(
        &(struct cs_profile){
            .kind = CS_PROFILE_POINTS, .count = 2, .seconds = seconds, .procs = falls},
        "task 0: the counts of processors must rise from 1 on, number 1 is 2");
    assert_null(cs_workload_create(3, twice, profile, &err[0]));
    assert_string_equal(err[0].text, "two tasks have the name \"a\": names must differ");
    assert_null(cs_workload_create(3, empty, profile, &err[1]));
    assert_string_equal(err[1].text, "task 1 has no name");
}

static void a_platform_without_processors_is_refused(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_platform_homogeneous("node", 0, &err));
    assert_string_equal(err.text, "cluster all has 0 processors, it must have at least 1");
}

static void schedules_name_tasks_that_have_no_names(void **state)
{
    struct cs_schedule *schedule = cs_schedule_create("pack", 4, 2, NULL);

    (void)state;
    assert_string_equal(cs_schedule_task_name(schedule, 1), "task1");
    assert_null(cs_schedule_task_name(schedule, 2));
    cs_schedule_destroy(schedule);
    assert_null(cs_schedule_create("pack", 4, -1, NULL));
}

static void bars_and_platforms_of_others_are_refused(void **state)
{
    struct cs_schedule *schedule = cs_schedule_create("pack", 4, 2, NULL);
    struct cs_platform *eight = cs_platform_homogeneous("node", 8, NULL);
    const struct cs_bar bar = {.kind = CS_BAR_WORK, .task = 2, .attempt = 1, .end = 1};
    struct cs_error err[2] = {0};
    size_t bars;

    (void)state;
    assert_int_equal(cs_schedule_add(schedule, &bar, &err[0]), -1);
    assert_string_equal(err[0].text, "a bar of task 2: the schedule has 2 tasks, from 0 on");
    cs_schedule_bars(schedule, &bars);
    assert_int_equal(bars, 0);
    assert_int_equal(cs_schedule_set_platform(schedule, eight, &err[1]), -1);
    assert_string_equal(err[1].text, "the platform has 8 processors, the schedule has 4");
    cs_platform_destroy(eight);
    cs_schedule_destroy(schedule);
}

static void what_is_not_there_is_reported(void **state)
{
    struct cs_error err = {0};
    int count;

    (void)state;
    assert_int_equal(cs_pack_plan_make(NULL, NULL, NULL, &err), -1);
    assert_string_equal(
        err.text, "cs_pack_plan_make was called wrongly: in && request && plan does not hold");
    assert_int_equal(cs_pack_instance_procs(NULL), 0);
    assert_null(cs_pack_policies(NULL));
    assert_non_null(cs_volatile_policies(&count));
    assert_null(cs_volatile_model_name((enum cs_fit_lifetime_model)99));
}

static void stores_that_are_not_there_are_reported(void **state)
{
    const char *const none[] = {"/nosuch/store.db", NULL};
    const struct cs_campaign_merge_options old = {.size = 4};
    const struct cs_campaign_export_options newer = {.size = 4000};
    struct cs_error err[10] = {0};
    char *text;

    (void)state;
    assert_null(cs_campaign_slurm(NULL, NULL, &err[7]));
    assert_non_null(strstr(err[7].text, "called wrongly: sweep"));
    assert_null(cs_paper_run(NULL, 1, NULL, NULL, NULL, &err[8]));
    assert_non_null(strstr(err[8].text, "called wrongly: cs_are_paths(names, count)"));
    assert_null(cs_paper_run(none, 2, NULL, NULL, NULL, NULL));
    assert_null(cs_paper_run(none, 1, NULL, NULL, NULL, NULL));
    assert_null(cs_paper_list("/nosuch", false, &err[9]));
    assert_non_null(strstr(err[9].text, "/nosuch: there is no such folder of papers"));
    assert_null(cs_campaign_run("sweep.json", NULL, NULL, NULL, NULL, &err[6]));
    assert_non_null(strstr(err[6].text, "sweep && store"));
    assert_null(cs_campaign_status(none, 1, &err[0]));
    assert_non_null(strstr(err[0].text, "/nosuch/store.db"));
    assert_null(cs_campaign_status(none, 2, &err[1]));
    assert_string_equal(
        err[1].text,
        "cs_campaign_status was called wrongly: cs_are_paths(stores, count) does not hold");
    assert_null(cs_campaign_verify(none[0], -1, 1, NULL, &err[2]));
    assert_non_null(strstr(err[2].text, "again >= 0"));
    assert_null(cs_campaign_verify(none[0], 1, INT_MAX, NULL, NULL));
    text = cs_campaign_verify(none[0], 0, 1, NULL, NULL);
    assert_non_null(strstr(text, "\"verdict\": \"damaged\""));
    cs_free(text);
    assert_int_equal(cs_campaign_merge(none, 1, "/nosuch/to.db", &old, NULL, NULL, &err[3]), -1);
    assert_non_null(strstr(err[3].text, "found 4 bytes"));
    assert_null(cs_campaign_export(none[0], &newer, NULL, NULL, &err[4]));
    assert_non_null(strstr(err[4].text, "found 4000 bytes"));
    assert_null(cs_campaign_export(none[0], NULL, NULL, NULL, &err[5]));
    assert_non_null(strstr(err[5].text, "/nosuch/store.db"));
}

static void what_cannot_be_converted_is_reported(void **state)
{
    static const struct {
        struct cs_convert_options how;
        const char *says;
    } wrong[] = {
        {{.size = 8}, "found 8 bytes"},
        {{.size = sizeof(struct cs_convert_options)}, "to is one of swf|batsim"},
        {{.size = sizeof(struct cs_convert_options), .to = "odt"}, "to cannot be \"odt\""},
        {{.size = sizeof(struct cs_convert_options), .to = "swf", .unit = "gpus"},
         "unit cannot be"},
        {{.size = sizeof(struct cs_convert_options), .to = "paje", .tracks = "lanes"},
         "tracks cannot be"},
        {{.size = sizeof(struct cs_convert_options), .to = "csv", .procs = -1},
         "cannot be negative"},
        {{.size = sizeof(struct cs_convert_options), .to = "csv", .speed = NAN}, "speed cannot be"},
        {{.size = sizeof(struct cs_convert_options), .to = "bars", .margin = 0.5},
         "margin cannot be 0.5"},
        {{.size = sizeof(struct cs_convert_options), .to = "swf", .zone = "Mars"}, "Mars"},
        {{.size = sizeof(struct cs_convert_options), .to = "swf"}, "/nosuch/log"},
        {{.size = sizeof(struct cs_convert_options), .to = "bars"}, "/nosuch/log"},
    };
    const char *const path[] = {"/nosuch/log"};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct cs_error err = {0};

        assert_null(cs_convert(path, 1, &wrong[i].how, NULL, NULL, &err));
        if (!strstr(err.text, wrong[i].says))
            fail_msg("%s: %s", wrong[i].says, err.text);
    }
}

static void what_a_file_holds_needs_a_file(void **state)
{
    struct cs_error err[2] = {0};
    size_t length = 7;

    (void)state;
    assert_null(cs_what(NULL, &length, &err[0]));
    assert_true(err[0].text[0]);
    assert_null(cs_what("/nosuch/log", NULL, &err[1]));
    assert_non_null(strstr(err[1].text, "/nosuch/log"));
    assert_null(cs_what("/", &length, NULL));
    assert_int_equal(length, 7);
}

static void laws_of_hosts_are_asked_for_rightly(void **state)
{
    const char *const text[] = {"u3 d2 u3", "u7 d1"};
    struct cs_fleet *fleet = cs_fleet_create_text(2, text, 60, NULL);
    static const struct {
        struct cs_fit_availability_options how;
        const char *says;
    } wrong[] = {
        {{.size = 3}, "found 3 bytes"},
        {{.size = sizeof(struct cs_fit_availability_options),
          .lifetime_model = (enum cs_fit_lifetime_model)6},
         "there is no lifetime model 6"},
        {{.size = sizeof(struct cs_fit_availability_options), .pooling = (enum cs_fit_pooling)3},
         "pooling cannot be 3"},
        {{.size = sizeof(struct cs_fit_availability_options), .workload = -1},
         "workload cannot be -1"},
    };
    struct cs_error err[2] = {0};
    char *laws;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct cs_error why = {0};

        assert_null(cs_volatile_laws(fleet, &wrong[i].how, &why));
        if (!strstr(why.text, wrong[i].says))
            fail_msg("%s: %s", wrong[i].says, why.text);
    }
    assert_null(cs_volatile_laws(NULL, NULL, &err[0]));
    assert_null(cs_volatile_scenario(NULL, &err[1]));
    assert_non_null(strstr(err[0].text, "called wrongly"));
    assert_non_null(strstr(err[1].text, "called wrongly"));
    laws = cs_volatile_laws(fleet, NULL, NULL);
    assert_non_null(strstr(laws, "\"lifetime_model\": \"log-normal\""));
    cs_free(laws);
    cs_fleet_destroy(fleet);
}

static void tables_that_cannot_be_judged_are_reported(void **state)
{
    static const struct {
        struct cs_check_options how;
        const char *says;
    } wrong[] = {
        {{.size = 8}, "found 8 bytes"},
        {{.size = sizeof(struct cs_check_options), .rule = "lottery"},
         "rule cannot be \"lottery\""},
        {{.size = sizeof(struct cs_check_options), .estimates = "none"}, "estimates cannot be"},
        {{.size = sizeof(struct cs_check_options), .overrun = "wait"}, "overrun cannot be"},
        {{.size = sizeof(struct cs_check_options), .unit = "gpus"}, "unit cannot be"},
        {{.size = sizeof(struct cs_check_options), .arrive = "late"}, "arrive cannot be"},
        {{.size = sizeof(struct cs_check_options), .tolerance = NAN}, "tolerance cannot be nan"},
        {{.size = sizeof(struct cs_check_options), .grace = -1}, "grace cannot be -1"},
        {{.size = sizeof(struct cs_check_options), .procs = -1}, "procs cannot be -1"},
        {{.size = sizeof(struct cs_check_options), .violations = -1}, "violations cannot be -1"},
        {{.size = sizeof(struct cs_check_options), .nodes = 4}, "--nodes is for tables"},
        {{.size = sizeof(struct cs_check_options), .rule = "limits"}, "this rule is for tables"},
        {{.size = sizeof(struct cs_check_options)}, "/nosuch/log"},
    };
    const char *const log[] = {"/nosuch/log"};
    struct cs_error err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct cs_error why = {0};

        assert_null(cs_check_jobs("/nosuch/jobs.csv", log, 1, &wrong[i].how, NULL, &why));
        if (!strstr(why.text, wrong[i].says))
            fail_msg("%s: %s", wrong[i].says, why.text);
    }
    assert_null(cs_check_jobs(NULL, log, 1, NULL, NULL, &err));
    assert_non_null(strstr(err.text, "called wrongly"));
}

static void schedules_that_cannot_be_judged_are_reported(void **state)
{
    static const char *const commands[] = {NULL,
                                           "",
                                           "rm -rf .",
                                           "cosched plan rigid x.csv",
                                           "cosched plan pack /nosuch.csv --procs 4 --nonsense",
                                           "cosched plan pack /nosuch.csv --procs 4"};
    static const char *const says[] = {"called wrongly",  "it has no \"command\"",
                                       "is not one that", "is not one that",
                                       "--nonsense",      "/nosuch.csv"};
    const char *const input[] = {"/nosuch.csv", NULL};
    const struct cs_schedule_input broken = {"input", NULL, ""};
    struct cs_schedule *schedule = cs_schedule_create("pack", 4, 1, NULL);
    struct cs_check_report *report = cs_check_report_create(9);
    struct cs_schedule_file file = {.schedule = schedule, .policy = "", .source = "plan.json"};
    struct cs_error err[5] = {0};

    (void)state;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct cs_error why = {0};

        file.command = commands[i];
        assert_int_equal(cs_check_schedule(&file, input, 1, NULL, report, &why), -1);
        if (!strstr(why.text, says[i]))
            fail_msg("%s: %s", says[i], why.text);
    }
    assert_int_equal(cs_check_schedule(NULL, input, 1, NULL, report, &err[0]), -1);
    assert_int_equal(cs_check_schedule(&file, input, 1, NULL, NULL, &err[1]), -1);
    assert_int_equal(cs_check_schedule(&file, input, 2, NULL, report, &err[2]), -1);
    assert_int_equal(cs_check_schedule(&file, NULL, -1, NULL, report, &err[3]), -1);
    file.inputs = 1;
    file.input = &broken;
    assert_int_equal(cs_check_schedule(&file, input, 1, NULL, report, &err[4]), -1);
    for (int i = 0; i < 5; i++)
        assert_non_null(strstr(err[i].text, "called wrongly"));
    assert_int_equal(report->total, 0);
    cs_check_report_destroy(report);
    cs_schedule_destroy(schedule);
}

static void runs_that_cannot_begin_are_reported(void **state)
{
    static const char *const none[] = {NULL}, *const no_text[] = {"\xff"};
    static const struct {
        struct cs_run_options how;
        const char *says;
    } wrong[] = {
        {{.size = 8}, "found 8 bytes"},
        {{.size = sizeof(struct cs_run_options)}, "poll cannot be 0"},
        {{.size = sizeof(struct cs_run_options), .poll = 1, .margin = NAN}, "margin cannot be nan"},
        {{.size = sizeof(struct cs_run_options), .poll = 1, .slots = -1}, "slots cannot be -1"},
        {{.size = sizeof(struct cs_run_options), .poll = 1, .engine = "x"}, "engine cannot be"},
        {{.size = sizeof(struct cs_run_options), .poll = 1, .words = 1}, "none of them NULL"},
        {{.size = sizeof(struct cs_run_options), .poll = 1, .words = -1}, "none of them NULL"},
        {{.size = sizeof(struct cs_run_options), .poll = 1, .set = none, .settings = 1},
         "none of them NULL"},
        {{.size = sizeof(struct cs_run_options), .poll = 1, .command = no_text, .words = 1},
         "is no UTF-8"},
        {{.size = sizeof(struct cs_run_options), .poll = 1}, "/nosuch.csv"},
    };
    const struct cs_run_watch small = {.size = 1};
    struct cs_error err[3] = {0}, why = {0};
    struct cs_run_ended ended;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct cs_error one = {0}, other = {0};

        assert_null(cs_run_dry("/nosuch.csv", &wrong[i].how, NULL, &one));
        assert_int_equal(
            cs_run_start("/nosuch.csv", "/nosuch/run", &wrong[i].how, NULL, &ended, &other), -1);
        assert_string_equal(one.text, other.text);
        assert_int_equal(ended.tasks, 0);
        if (!strstr(one.text, wrong[i].says))
            fail_msg("%s: %s", wrong[i].says, one.text);
    }
    assert_null(cs_run_dry(NULL, NULL, NULL, &err[0]));
    assert_int_equal(cs_run_start("/nosuch.csv", NULL, NULL, NULL, NULL, &err[1]), -1);
    assert_int_equal(cs_run_resume(NULL, NULL, NULL, NULL, &err[2]), -1);
    for (int i = 0; i < 3; i++)
        assert_non_null(strstr(err[i].text, "called wrongly"));
    assert_int_equal(cs_run_resume("/nosuch", NULL, &small, NULL, &why), -1);
    assert_non_null(strstr(why.text, "found 1 bytes"));
    assert_int_equal(cs_run_view_state(NULL, NULL), -1);
    assert_int_equal(cs_run_view_running(NULL, 0, NULL), -1);
    cs_run_defaults(NULL);
}

static void stories_that_are_not_there_are_reported(void **state)
{
    struct cs_error err[5] = {0};

    (void)state;
    assert_null(cs_run_history_read(NULL, &err[0]));
    assert_null(cs_run_history_planned(NULL, &err[1]));
    assert_null(cs_run_history_text(NULL, NULL, &err[2]));
    assert_null(cs_run_history_reported(NULL, &err[3]));
    assert_null(cs_run_history_schedule(NULL));
    for (int i = 0; i < 4; i++)
        assert_non_null(strstr(err[i].text, "called wrongly"));
    assert_null(cs_run_history_read("/nosuch/run", &err[4]));
    assert_non_null(strstr(err[4].text, "/nosuch/run"));
    cs_run_history_destroy(NULL);
}

static void fleets_are_read_without_options(void **state)
{
    char path[] = "/tmp/cs_fleet_XXXXXX";
    const char *const paths[] = {path}, *const none[] = {NULL};
    struct cs_error err[2] = {0};
    FILE *file = fdopen(mkstemp(path), "w");
    struct cs_fleet *fleet;

    (void)state;
    fputs("{\"metadata\": {\"gap_seconds\": 60}, \"data\": [1, 2, 0, 1]}\n", file);
    fclose(file);
    fleet = cs_fleet_read(paths, 1, NULL, &err[0]);
    assert_string_equal(err[0].text, "");
    assert_int_equal(fleet->slots, 4);
    cs_fleet_destroy(fleet);
    assert_null(cs_fleet_read(none, 1, NULL, &err[1]));
    assert_non_null(strstr(err[1].text, "called wrongly"));
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(a_plan_for_fewer_tasks_is_refused),
        cmocka_unit_test(a_picture_that_cannot_be_drawn_is_refused),
        cmocka_unit_test(documents_that_are_none_are_neither_drawn_nor_shown),
        cmocka_unit_test(a_policy_that_is_none_is_refused),
        cmocka_unit_test(every_problem_refuses_a_policy_that_is_none),
        cmocka_unit_test(a_bag_is_planned_with_parameters_that_nobody_set),
        cmocka_unit_test(a_time_that_is_not_there_is_nan),
        cmocka_unit_test(workloads_are_checked_as_readers_check_them),
        cmocka_unit_test(a_platform_without_processors_is_refused),
        cmocka_unit_test(schedules_name_tasks_that_have_no_names),
        cmocka_unit_test(bars_and_platforms_of_others_are_refused),
        cmocka_unit_test(what_is_not_there_is_reported),
        cmocka_unit_test(stores_that_are_not_there_are_reported),
        cmocka_unit_test(what_cannot_be_converted_is_reported),
        cmocka_unit_test(what_a_file_holds_needs_a_file),
        cmocka_unit_test(laws_of_hosts_are_asked_for_rightly),
        cmocka_unit_test(schedules_that_cannot_be_judged_are_reported),
        cmocka_unit_test(tables_that_cannot_be_judged_are_reported),
        cmocka_unit_test(runs_that_cannot_begin_are_reported),
        cmocka_unit_test(stories_that_are_not_there_are_reported),
        cmocka_unit_test(fleets_are_read_without_options),
    };

    return cmocka_run_group_tests(all, NULL, NULL);
}
