/* pack_files: every policy's plan, written to a file and read back, is found valid with all that
 * it declares. */
#include "problems/pack/problem.h"

#include "check/check.h"
#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "property/pack_kit.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define CASES KIT_ROUNDS(30)

static void put_plan(struct cs_strbuf *text, const struct pack_case *c,
                     const struct cs_pack_plan *plan, enum cs_pack_order order)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_schedule *schedule = cs_pack_schedule(c->instance, plan, order);
    struct cs_jsonw w = cs_jsonw_begin(text);
    struct cs_pack_bounds bounds;

    cs_pack_bounds_compute(c->instance, &bounds);
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, "any");
    cs_keys_put(&w, cs_keys_pack, schedule, cs_pack_declare(c->instance, plan, bounds.best, arena));
    cs_schedule_json_put_tail(&w, schedule, c->workload, false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_schedule_destroy(schedule);
    cs_arena_destroy(arena);
}

static void check_text(const struct cs_strbuf *text, const struct cs_pack_plan *plan,
                       const char *policy)
{
    struct cs_error err = {0};
    struct cs_schedule_file *file =
        cs_schedule_file_read_memory("plan", text->text, text->length, &err);
    struct cs_check_report *report = cs_check_report_create(1);

    if (!file)
        fail_msg("%s: %s", policy, err.text);
    cs_check_file(file, report);
    if (report->total)
        fail_msg("%s: %s", policy, report->item[0].text);
    assert_true(file->pack->cost == plan->total);
    assert_int_equal(file->pack->packs, plan->packs);
    assert_true(file->pack->gap >= 0 && file->pack->lower_bound > 0);
    cs_check_report_destroy(report);
    cs_schedule_file_destroy(file);
}

/* Returns 1 when the policy made a plan; it may refuse an instance in words. */
static int check_policy(const struct pack_case *c, const struct cs_policy *const *list, int policy)
{
    struct cs_pack_plan *plan = cs_pack_plan_create(c->instance->tasks->count);
    struct cs_pack_request request = {.seed = 7, .threads = 1};
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error err = {0};
    int made;

    assert_int_equal(cs_policy_parse(list[policy]->name, list, policy + 1, &request.call, &err), 0);
    made = cs_pack_plan_make(c->instance, &request, plan, &err) == 0;
    if (made) {
        put_plan(&text, c, plan, (enum cs_pack_order)(plan->packs % 3));
        check_text(&text, plan, list[policy]->name);
    }
    cs_strbuf_release(&text);
    cs_pack_plan_destroy(plan);
    return made;
}

/* Random instances of up to so many tasks and processors; how many plans were made. */
static int check_policies(int most, bool exact_too)
{
    int count, made = 0;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = pack_case_create(1000 + seed, most, most);

        for (int policy = 0; policy < count; policy++)
            if ((exact_too || !list[policy]->exact) && !list[policy]->extpol)
                made += check_policy(&c, list, policy);
        pack_case_destroy(&c);
    }
    return made;
}

static void every_plan_is_valid_as_a_file(void **state)
{
    (void)state;
    assert_true(check_policies(4, true) > 5 * CASES);
    assert_true(check_policies(40, false) > 5 * CASES);
}

static void a_plan_without_a_bound_has_no_gap(void **state)
{
    struct pack_case c = pack_case_create(4, 5, 5);
    struct cs_pack_plan *plan = pack_case_plan(&c, "one-by-one", 1);
    const struct cs_pack_declared *declared;

    (void)state;
    plan->bound = 0;
    declared = cs_pack_declare(c.instance, plan, NAN, c.arena);
    assert_true(isnan(declared->lower_bound) && isnan(declared->gap));
    declared = cs_pack_declare(c.instance, plan, plan->total / 2, c.arena);
    assert_true(declared->gap == 1);
    declared = cs_pack_declare(c.instance, plan, nextafter(plan->total, INFINITY), c.arena);
    assert_true(declared->gap == 0 && declared->lower_bound == plan->total);
    cs_pack_plan_destroy(plan);
    pack_case_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plan_is_valid_as_a_file),
        cmocka_unit_test(a_plan_without_a_bound_has_no_gap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
