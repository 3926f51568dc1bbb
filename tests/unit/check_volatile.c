/* check_volatile.c - a schedule of hosts that come and go, broken in every way. */
#include "unit/bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BARS 14
#define SLOTS 14

/* Two hosts with room for one task of 2 slots each; program and data take a slot, one host at a
 * time.  Host b is down in slot 5: what was computed in slot 4 is lost, and b has nothing left. */
struct scene {
    struct cs_volatile_declared declared;
    struct cs_volatile_declared_configuration configuration[4];
    int tasks[4][2], slots[2], capacity[2];
    char text[2][SLOTS + 1];
    const char *trace[2];
    struct cs_bar bar[BARS + 2];
    int bars;
    const char *second; /* name of iteration 1 */
};

static const struct cs_interval host[] = {{0, 0}, {1, 1}, {0, 1}};
static const char *const names[] = {"a", "b"};

static struct cs_bar bar(enum cs_bar_kind kind, int q, int from, int to, int iteration, int attempt,
                         int configuration)
{
    return (struct cs_bar){kind, iteration, attempt, configuration, from, to, 1, &host[q], 0};
}

static void sound(struct scene *s)
{
    static const int iteration[] = {0, 0, 1}, slot[] = {0, 6, 10};
    int at = 0;

    *s = (struct scene){.slots = {2, 2}, .capacity = {1, 1}, .second = "2"};
    memset(s->text[0], 'u', SLOTS);
    memset(s->text[1], 'u', SLOTS);
    s->text[1][5] = 'd';
    for (int q = 0; q < 2; q++)
        s->trace[q] = s->text[q];
    for (int c = 0; c < 3; c++) {
        s->tasks[c][0] = s->tasks[c][1] = 1;
        s->configuration[c] =
            (struct cs_volatile_declared_configuration){iteration[c], slot[c], s->tasks[c]};
    }
    s->declared = (struct cs_volatile_declared){
        .hosts = 2,
        .tasks = 2,
        .iterations = 2,
        .program = 1,
        .data = 1,
        .transfers = 1,
        .slots = SLOTS,
        .completed = 2,
        .host = names,
        .slots_per_task = s->slots,
        .capacity = s->capacity,
        .trace = s->trace,
        .configurations = 3,
        .configuration = s->configuration,
        .lower_bound = 10,
    };
    s->bar[at++] = bar(CS_BAR_PROGRAM, 0, 0, 1, 0, 1, 0);
    s->bar[at++] = bar(CS_BAR_MOVE, 0, 1, 2, 0, 1, 0);
    s->bar[at++] = bar(CS_BAR_PROGRAM, 1, 2, 3, 0, 1, 0);
    s->bar[at++] = bar(CS_BAR_MOVE, 1, 3, 4, 0, 1, 0);
    s->bar[at++] = bar(CS_BAR_LOST, 0, 4, 5, 0, 1, 0);
    s->bar[at++] = bar(CS_BAR_LOST, 1, 4, 5, 0, 1, 0);
    s->bar[at++] = bar(CS_BAR_PROGRAM, 1, 6, 7, 0, 2, 1);
    s->bar[at++] = bar(CS_BAR_MOVE, 1, 7, 8, 0, 2, 1);
    s->bar[at++] = bar(CS_BAR_WORK, 0, 8, 10, 0, 2, 1);
    s->bar[at++] = bar(CS_BAR_WORK, 1, 8, 10, 0, 2, 1);
    s->bar[at++] = bar(CS_BAR_MOVE, 0, 10, 11, 1, 1, 2);
    s->bar[at++] = bar(CS_BAR_MOVE, 1, 11, 12, 1, 1, 2);
    s->bar[at++] = bar(CS_BAR_WORK, 0, 12, 14, 1, 1, 2);
    s->bar[at++] = bar(CS_BAR_WORK, 1, 12, 14, 1, 1, 2);
    s->bars = at;
}

static struct cs_check_report *judge(const struct scene *s)
{
    const char *const iterations[] = {"1", s->second};
    struct cs_schedule *schedule = cs_schedule_create("volatile", 2, 2, iterations);
    struct cs_check_report *report = cs_check_report_create(40);

    for (int b = 0; b < s->bars; b++)
        cs_schedule_add(schedule, &s->bar[b], NULL);
    cs_check_volatile(schedule, &s->declared, report);
    for (size_t i = 0; i < report->count; i++)
        assert_true(report->item[i].task < cs_schedule_tasks(schedule));
    cs_schedule_destroy(schedule);
    return report;
}

static void expect(const struct scene *s, enum cs_violation violation, const char *text)
{
    bars_expect(judge(s), violation, text);
}

static void a_sound_schedule_passes(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    bars_expect_valid(judge(&s));
}

static void hosts_work_only_while_they_are_up(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    s.text[0][9] = 'r';
    expect(&s, CS_VIOLATION_NOT_UP, "host a works at slot 9, in which it is reclaimed");
    expect(&s, CS_VIOLATION_TOGETHER,
           "host b computes at slot 9: not all enrolled hosts are up and ready");
    sound(&s);
    s.text[1][3] = 'd';
    expect(&s, CS_VIOLATION_NOT_UP, "host b works at slot 3, in which it is down");
}

static void what_a_host_had_is_lost_when_it_is_down(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    s.bar[6].kind = CS_BAR_MOVE;
    expect(&s, CS_VIOLATION_TRANSFER,
           "host b receives data at slot 6: it has not got the whole program");
    sound(&s);
    s.bar[4].kind = CS_BAR_WORK;
    expect(&s, CS_VIOLATION_BAR_KIND,
           "host a computes from slot 4 on in a configuration that does not end its iteration: its "
           "bar must be lost");
    sound(&s);
    s.bar[13].kind = CS_BAR_LOST;
    expect(&s, CS_VIOLATION_BAR_KIND,
           "host b computes from slot 12 on in a configuration that ends its iteration: its bar "
           "must be work");
    sound(&s);
    s.bar[4].end = s.bar[4].end + 1;
    expect(&s, CS_VIOLATION_TOGETHER, "host a computes at slot 5: it is not enrolled");
}

static void transfers_keep_the_bound_and_the_order(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    s.bar[s.bars++] = bar(CS_BAR_PROGRAM, 1, 1, 2, 0, 1, 0);
    expect(&s, CS_VIOLATION_TRANSFER,
           "2 hosts receive something at slot 1: the master can send to 1");
    expect(&s, CS_VIOLATION_TRANSFER,
           "host b receives something at slot 1: it is not its turn, or it has all it needs");
    sound(&s);
    s.bar[1].start = s.bar[1].end;
    s.bar[1].end++;
    expect(&s, CS_VIOLATION_TRANSFER, "host a receives nothing at slot 1: it is its turn");
    sound(&s);
    s.bar[7].kind = CS_BAR_PROGRAM;
    expect(&s, CS_VIOLATION_TRANSFER, "host b receives the program at slot 7: it has the program");
    sound(&s);
    s.declared.transfers = 2;
    expect(&s, CS_VIOLATION_TRANSFER, "host b receives nothing at slot 0: it is its turn");
}

static void only_prefetch_sends_to_others(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    s.bar[s.bars++] = bar(CS_BAR_PROGRAM, 0, 5, 6, 0, 1, -1);
    expect(&s, CS_VIOLATION_TRANSFER,
           "host a receives something at slot 5, outside the configuration");
    s.declared.prefetch = 2;
    expect(&s, CS_VIOLATION_TRANSFER, "host a receives the program at slot 5: it has the program");
    s.bar[s.bars - 1].kind = CS_BAR_MOVE;
    expect(&s, CS_VIOLATION_TRANSFER,
           "host a receives something at slot 5, outside the configuration");
}

static void all_enrolled_hosts_compute_together(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    s.bar[12].end--;
    expect(&s, CS_VIOLATION_TOGETHER,
           "host a does not compute at slot 13: all enrolled hosts are up and ready");
    sound(&s);
    s.bar[8].start--;
    s.bar[9].start--;
    expect(&s, CS_VIOLATION_TOGETHER,
           "host a computes at slot 7: not all enrolled hosts are up and ready");
}

static void configurations_fit_their_hosts(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    s.tasks[2][0] = 2;
    expect(&s, CS_VIOLATION_CONFIGURATION, "host a gets 2 tasks at slot 10: it can hold 1");
    expect(&s, CS_VIOLATION_CONFIGURATION,
           "the configuration of slot 10 has 3 tasks: an iteration has 2");
    sound(&s);
    s.text[1][6] = 'r';
    expect(&s, CS_VIOLATION_CONFIGURATION, "host b is enrolled at slot 6, in which it is not up");
    sound(&s);
    s.configuration[3] = (struct cs_volatile_declared_configuration){1, 20, s.tasks[0]};
    s.declared.configurations = 4;
    expect(&s, CS_VIOLATION_CONFIGURATION, "3 of 4 configurations begin before slot 14, the end");
}

static void iterations_end_when_their_work_is_done(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    s.declared.completed = 1;
    expect(&s, CS_VIOLATION_ITERATION, "2 iterations end: the schedule declares 1");
    sound(&s);
    s.slots[1] = 3;
    expect(&s, CS_VIOLATION_ITERATION,
           "the configuration of slot 10 is of iteration 1: it must be of 0");
    expect(&s, CS_VIOLATION_ITERATION, "host a works on iteration 1 at slot 10: it is iteration 0");
    sound(&s);
    s.bar[12].attempt = 2;
    expect(&s, CS_VIOLATION_ATTEMPT_ORDER,
           "host a has attempt 2, group 2 at slot 12: it must be 1, 2");
    sound(&s);
    s.bar[12].group = 1;
    expect(&s, CS_VIOLATION_ATTEMPT_ORDER,
           "host a has attempt 1, group 1 at slot 12: it must be 1, 2");
    sound(&s);
    s.declared.lower_bound = 15;
    expect(&s, CS_VIOLATION_DECLARED_BOUND,
           "the declared lower bound is 15: it must be from 0 to 14");
    sound(&s);
    s.declared.lower_bound = 11;
    expect(&s, CS_VIOLATION_DECLARED_BOUND,
           "the declared lower bound is 11: so much cannot be shown, neither by a certificate in "
           "the file nor without");
}

static void bars_are_one_host_in_whole_slots(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    s.bar[3].start = 3.5;
    expect(&s, CS_VIOLATION_BAR_TIME,
           "a bar of iteration 0 from 3.5 to 4: it must be one host in whole slots below 14");
    sound(&s);
    s.bar[12].procs = &host[2];
    expect(&s, CS_VIOLATION_BAR_TIME, "it must be one host in whole slots");
    sound(&s);
    s.bar[12].kind = CS_BAR_VERIFY;
    expect(&s, CS_VIOLATION_BAR_KIND,
           "a bar of iteration 1 at slot 12 is of kind verify: hosts compute (work, lost) or "
           "receive (program, move)");
}

static void what_cannot_be_judged_is_reported(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    s.text[1][7] = 'x';
    expect(&s, CS_VIOLATION_INSTANCE, "the trace of host b must be 14 letters u, r, d");
    sound(&s);
    s.declared.hosts = 1;
    expect(&s, CS_VIOLATION_INSTANCE,
           "the schedule has 2 processors and 2 tasks: there are 1 hosts and 2 iterations");
}

static void iterations_are_named_by_their_numbers(void **state)
{
    struct scene s;

    (void)state;
    sound(&s);
    s.second = "02";
    expect(&s, CS_VIOLATION_INSTANCE,
           "task 1 is \"02\": it must be \"2\", the number of its iteration");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_schedule_passes),
        cmocka_unit_test(hosts_work_only_while_they_are_up),
        cmocka_unit_test(what_a_host_had_is_lost_when_it_is_down),
        cmocka_unit_test(transfers_keep_the_bound_and_the_order),
        cmocka_unit_test(only_prefetch_sends_to_others),
        cmocka_unit_test(all_enrolled_hosts_compute_together),
        cmocka_unit_test(configurations_fit_their_hosts),
        cmocka_unit_test(iterations_end_when_their_work_is_done),
        cmocka_unit_test(bars_are_one_host_in_whole_slots),
        cmocka_unit_test(what_cannot_be_judged_is_reported),
        cmocka_unit_test(iterations_are_named_by_their_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
