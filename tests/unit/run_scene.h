/* run_scene.h - an executor with one task and one attempt, in a directory, without processes. */
#ifndef CS_TESTS_UNIT_RUN_SCENE_H
#define CS_TESTS_UNIT_RUN_SCENE_H

#include "kit.h"
#include "scratch.h"

#include "base/guard.h"
#include "run/executor.h"
#include "run/program.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

struct scene {
    struct cs_run_executor x;
    struct cs_run_settings settings;
    struct cs_run_checkpoint checkpoint;
    struct cs_run_task task;
    struct cs_run_usage usage;
    struct cs_run_slot slot;
    struct cs_run_attempt attempt, *running;
    int held;
    char folder[512], said[1000];
};

static void scene_say(void *who, const char *error_text)
{
    struct scene *s = who;

    snprintf(s->said, sizeof s->said, "%s", error_text);
}

/* The run began 100 s ago, its attempt at 50. */
static void scene_begin(struct scene *s)
{
    *s = (struct scene){
        .settings = {.grace = 1, .retries = 2, .max_corrupt = 2},
        .checkpoint = {.done_status = -1},
        .task = {"a", 1, 10, -1, &s->settings},
        .slot = {"here", ""},
        .running = &s->attempt,
        .attempt = {.number = 1,
                    .try = 1,
                    .count = 1,
                    .slot = &s->held,
                    .start = 50,
                    .pidfd = -1,
                    .kill_at = INFINITY,
                    .timeout_at = INFINITY,
                    .began = NAN,
                    .progress = NAN,
                    .progress_at = NAN,
                    .saved_at = NAN},
    };
    assert_non_null(scratch_create(s->folder));
    s->x = (struct cs_run_executor){
        .arena = cs_arena_create(),
        .scratch = cs_arena_create(),
        .folder = s->folder,
        .id = "0123456789abcdef0123456789abcdef",
        .setup = {.file = "test", .folder = s->folder, .tasks = 1, .task = &s->task},
        .run = {.usage = &s->usage, .running = &s->running, .count = 1, .last = 1, .now = 50},
        .watcher = {.who = s, .say = scene_say},
        .engine = cs_run_engine_find("local"),
        .slot = &s->slot,
        .slots = 1,
        .host = "here",
        .boot = "this-boot",
        .boot_before = "this-boot",
        .began = cs_run_wall() - 100,
        .shift = 100 - cs_run_ticks(),
        .pidfds = -1,
        .signals = -1,
    };
    s->x.run.setup = &s->x.setup;
    s->usage.state = CS_RUN_RUNNING;
    s->x.mark = cs_run_mark_of(&s->x);
    mkdir(scratch_path(s->folder, "a"), 0700);
    mkdir(scratch_path(s->folder, "a/000"), 0700);
}

static void scene_end(struct scene *s)
{
    cs_run_attempt_let_go(&s->attempt);
    if (s->x.pidfds >= 0)
        close(s->x.pidfds);
    cs_block_free(s->x.event);
    cs_block_free(s->x.finish);
    cs_arena_destroy(s->x.scratch);
    cs_arena_destroy(s->x.arena);
    scratch_remove(s->folder);
}

static inline void scene_write(const struct scene *s, const char *name, const char *text)
{
    scratch_write(scratch_path(s->folder, name), text, strlen(text));
}

/* The one event that there is. */
static inline const struct cs_run_event *scene_event(const struct scene *s)
{
    assert_int_equal(s->x.events, 1);
    return &s->x.event[0];
}

#endif
