/* malleable_scene.h - a schedule of malleable tasks worked out by hand, to be broken. */
#ifndef CS_TESTS_UNIT_MALLEABLE_SCENE_H
#define CS_TESTS_UNIT_MALLEABLE_SCENE_H

#include "unit/bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two tasks on 9 processors, mtbf 10,000 s and downtime 10 s.  C = 8 gives Young's work of
 * 400 s / j between checkpoints of 8 s / j; data 100 gives moves of 25 s between 2 and 4.
 *
 * a (1000 s / j) starts on 0-1, b (1800 s / j) on 2-5.  At 250 s processor 0 fails: a falls back
 * to 204 s and gets 4-5 of b.  At 277 s b is hit in the checkpoint after its move, so that
 * its work since 204 s is lost, at 290 s a in its own. */
static const struct cs_interval low = {0, 1}, middle = {2, 5}, pair = {2, 3};
static const struct cs_interval wide[] = {{0, 1}, {4, 5}}, odd = {2, 4}, other[] = {{0, 1}, {6, 7}};
static const struct cs_interval top = {6, 7};

static const struct cs_profile profiles[] = {
    {.kind = CS_PROFILE_COMMUNICATION, .seq_time = 1000},
    {.kind = CS_PROFILE_COMMUNICATION, .seq_time = 1800},
};
static const char *const names[] = {"a", "b"};

static const struct cs_malleable_declared_fault faults[] = {
    {100, 8, "idle", false},
    {250, 0, "rollback-redistributed", false},
    {255, 1, "ignored", false},
    {277, 3, "initial-checkpoint", false},
    {290, 5, "initial-checkpoint", false},
    {300, 3, "ignored", false},
    {600, 0, "idle", false},
};

#define FAULTS 7

/* Bars by name. */
enum {
    A_WORK,
    A_SAVE,
    A_LOST,
    A_DOWN,
    A_RECOVER,
    A_MOVE,
    A_CUT,
    A_DOWN_2,
    A_RECOVER_2,
    A_MOVE_2,
    A_PROTECT,
    A_WORK_2,
    A_SAVE_2,
    A_LAST,
    B_WORK,
    B_SAVE,
    B_WORK_2,
    B_SAVE_2,
    B_UNDONE,
    B_MOVE,
    B_CUT,
    B_DOWN,
    B_RECOVER,
    B_MOVE_2,
    B_PROTECT,
    B_WORK_3,
    B_SAVE_3,
    B_WORK_4,
    B_SAVE_4,
    B_LAST,
    BARS
};

struct scene {
    struct cs_malleable_declared declared;
    struct cs_profile profile[2];
    struct cs_malleable_declared_fault fault[FAULTS];
    struct cs_bar bar[BARS + 1];
    int bars, procs;
    const char *name; /* of task a in the instance */
};

static inline struct scene sound(void)
{
    struct scene scene =
        {
            .declared = {.mtbf = 10000,
                         .downtime = 10,
                         .on_end = "local",
                         .on_failure = "iterated-greedy",
                         .rules = {.period_factor = 1, .kappa = 1},
                         .faults = FAULTS,
                         .fatal = 1,
                         .has_areas = true,
                         .areas = {2800, 48, 276, 136, 324, 3850},
                         .lower_bound = 2800 / 9.0},
            .bars = BARS,
            .procs = 9,
            .name = "a",
            .bar =
                {
                    [A_WORK] = {CS_BAR_WORK, 0, 1, -1, 0, 200, 1, &low, 0},
                    [A_SAVE] = {CS_BAR_CHECKPOINT, 0, 1, -1, 200, 204, 1, &low, 0},
                    [A_LOST] = {CS_BAR_LOST, 0, 1, -1, 204, 250, 1, &low, 0},
                    [A_DOWN] = {CS_BAR_DOWNTIME, 0, 2, -1, 250, 260, 2, wide, 0},
                    [A_RECOVER] = {CS_BAR_RECOVERY, 0, 2, -1, 260, 264, 2, wide, 0},
                    [A_MOVE] = {CS_BAR_MOVE, 0, 2, -1, 264, 289, 2, wide, 0},
                    [A_CUT] = {CS_BAR_CHECKPOINT, 0, 2, -1, 289, 290, 2, wide, 0},
                    [A_DOWN_2] = {CS_BAR_DOWNTIME, 0, 3, -1, 290, 300, 2, wide, 0},
                    [A_RECOVER_2] = {CS_BAR_RECOVERY, 0, 3, -1, 300, 304, 2, wide, 0},
                    [A_MOVE_2] = {CS_BAR_MOVE, 0, 3, -1, 304, 329, 2, wide, 0},
                    [A_PROTECT] = {CS_BAR_CHECKPOINT, 0, 3, -1, 329, 331, 2, wide, 0},
                    [A_WORK_2] = {CS_BAR_WORK, 0, 3, -1, 331, 431, 2, wide, 0},
                    [A_SAVE_2] = {CS_BAR_CHECKPOINT, 0, 3, -1, 431, 433, 2, wide, 0},
                    [A_LAST] = {CS_BAR_WORK, 0, 3, -1, 433, 483, 2, wide, 0},
                    [B_WORK] = {CS_BAR_WORK, 1, 1, -1, 0, 100, 1, &middle, 0},
                    [B_SAVE] = {CS_BAR_CHECKPOINT, 1, 1, -1, 100, 102, 1, &middle, 0},
                    [B_WORK_2] = {CS_BAR_WORK, 1, 1, -1, 102, 202, 1, &middle, 0},
                    [B_SAVE_2] = {CS_BAR_CHECKPOINT, 1, 1, -1, 202, 204, 1, &middle, 0},
                    [B_UNDONE] = {CS_BAR_LOST, 1, 1, -1, 204, 250, 1, &middle, 0},
                    [B_MOVE] = {CS_BAR_MOVE, 1, 2, -1, 250, 275, 1, &pair, 0},
                    [B_CUT] = {CS_BAR_CHECKPOINT, 1, 2, -1, 275, 277, 1, &pair, 0},
                    [B_DOWN] = {CS_BAR_DOWNTIME, 1, 3, -1, 277, 287, 1, &pair, 0},
                    [B_RECOVER] = {CS_BAR_RECOVERY, 1, 3, -1, 287, 289, 1, &pair, 0},
                    [B_MOVE_2] = {CS_BAR_MOVE, 1, 3, -1, 289, 314, 1, &pair, 0},
                    [B_PROTECT] = {CS_BAR_CHECKPOINT, 1, 3, -1, 314, 318, 1, &pair, 0},
                    [B_WORK_3] = {CS_BAR_WORK, 1, 3, -1, 318, 518, 1, &pair, 0},
                    [B_SAVE_3] = {CS_BAR_CHECKPOINT, 1, 3, -1, 518, 522, 1, &pair, 0},
                    [B_WORK_4] = {CS_BAR_WORK, 1, 3, -1, 522, 722, 1, &pair, 0},
                    [B_SAVE_4] = {CS_BAR_CHECKPOINT, 1, 3, -1, 722, 726, 1, &pair, 0},
                    [B_LAST] = {CS_BAR_WORK, 1, 3, -1, 726, 826, 1, &pair, 0},
                },
        };

    memcpy(scene.profile, profiles, sizeof profiles);
    memcpy(scene.fault, faults, sizeof faults);
    return scene;
}

static inline struct cs_check_report *judge(const struct scene *scene)
{
    static const double checkpoint[] = {8, 8}, data[] = {100, 100};
    const char *const supplied[] = {scene->name, "b"};
    struct cs_workload *workload = cs_workload_create(2, supplied, scene->profile, NULL);
    struct cs_schedule *schedule = cs_schedule_create("malleable", scene->procs, 2, names);
    struct cs_check_report *report = cs_check_report_create(50);
    struct cs_malleable_declared declared = scene->declared;

    workload->checkpoint = checkpoint;
    workload->data = data;
    declared.fault = scene->fault;
    for (int b = 0; b < scene->bars; b++)
        if (scene->bar[b].procs)
            cs_schedule_add(schedule, &scene->bar[b], NULL);
    cs_check_malleable(schedule, workload, &declared, report);
    cs_workload_destroy(workload);
    cs_schedule_destroy(schedule);
    return report;
}

static inline void expect(const struct scene *scene, enum cs_violation violation, const char *text)
{
    bars_expect(judge(scene), violation, text);
}

/* All bars of the task from this one on, and what the list says of failures, later. */
static inline void delay(struct scene *scene, int from, double seconds)
{
    for (int b = from; b < BARS && scene->bar[b].task == scene->bar[from].task; b++) {
        scene->bar[b].start += seconds;
        scene->bar[b].end += seconds;
    }
}

/* Make a bar longer, and put off what follows. */
static inline void stretch(struct scene *scene, int bar, double seconds)
{
    scene->bar[bar].end += seconds;
    if (bar + 1 < BARS && scene->bar[bar + 1].task == scene->bar[bar].task)
        delay(scene, bar + 1, seconds);
}

static inline void leave_out(struct scene *scene, int bar)
{
    stretch(scene, bar, scene->bar[bar].start - scene->bar[bar].end);
    scene->bar[bar].procs = NULL;
}

static inline void passes(const struct scene *scene)
{
    struct cs_check_report *report = judge(scene);

    bars_expect_valid(report);
}

#endif
