/* run_observe.c - what attempts that save their state show, and what follows when they do not. */
#include "run_scene.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* The attempt runs since 60, by its record. */
static void begin_program(struct scene *s)
{
    char record[300];

    snprintf(record, sizeof record,
             "claim host=here boot=this-boot pid=1 start=1 at=%.6f\napp pid=2 at=%.6f\n",
             s->x.began + 55, s->x.began + 60);
    scene_write(s, "a/000/000001.rec", record);
    s->settings.checkpoint = &s->checkpoint;
    cs_run_observe(&s->x, &s->attempt);
    assert_true(s->attempt.begun && fabs(s->attempt.began - 60) < 0.01);
    assert_int_equal(scene_event(s)->kind, CS_RUN_BEGAN);
    assert_true(scene_event(s)->value == !s->checkpoint.progress);
    s->x.events = 0;
}

static void set_time(const struct scene *s, const char *name, double moment)
{
    const double wall = s->x.began + moment;
    const struct timespec times[2] = {{.tv_sec = (time_t)wall}, {.tv_sec = (time_t)wall}};

    assert_int_equal(utimensat(AT_FDCWD, scratch_path(s->folder, name), times, 0), 0);
}

static void without_a_checkpoint_nothing_is_observed(void **state)
{
    struct scene s;

    (void)state;
    scene_begin(&s);
    cs_run_observe(&s.x, &s.attempt);
    cs_run_observe_all(&s.x);
    assert_int_equal(s.x.events, 0);
    scene_end(&s);
}

static void nothing_counts_before_the_program_has_begun(void **state)
{
    struct scene s;

    (void)state;
    scene_begin(&s);
    s.settings.checkpoint = &s.checkpoint;
    s.checkpoint.progress = "share";
    scene_write(&s, "share", "0.5");
    cs_run_observe(&s.x, &s.attempt);
    assert_true(s.x.events == 0 && !s.attempt.begun);
    scene_write(&s, "a/000/000001.rec", "claim host=here boot=this-boot pid=1 start=1 at=1.0\n");
    cs_run_observe(&s.x, &s.attempt);
    assert_true(s.x.events == 0 && !s.attempt.begun);
    scene_end(&s);
}

static void progress_is_a_share_or_a_fraction(void **state)
{
    static const struct {
        const char *text;
        double share; /* NaN: none */
    } cases[] = {{"0.25", 0.25},   {"3/4\n", 0.75}, {" 1 / 8 \n", 0.125}, {"7/5", 1},
                 {"2", 1},         {"0", 0},        {"-0.1", NAN},        {"", NAN},
                 {"x", NAN},       {"1/0", NAN},    {"1/-2", NAN},        {"0.5x", NAN},
                 {"0.5 0.6", NAN}, {"nan", NAN},    {"1/", NAN}};
    struct scene s;

    (void)state;
    scene_begin(&s);
    s.checkpoint.progress = "share";
    begin_program(&s);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        scene_write(&s, "share", cases[k].text);
        s.attempt.progress = NAN;
        s.x.events = 0;
        cs_run_observe(&s.x, &s.attempt);
        assert_int_equal(s.x.events, !isnan(cases[k].share));
        if (s.x.events) {
            assert_int_equal(scene_event(&s)->kind, CS_RUN_PROGRESS);
            assert_true(scene_event(&s)->value == cases[k].share);
        }
    }
    scene_end(&s);
}

static void progress_counts_once_and_not_from_before(void **state)
{
    struct scene s;

    (void)state;
    scene_begin(&s);
    s.checkpoint.progress = "share";
    begin_program(&s);
    scene_write(&s, "share", "0.5");
    set_time(&s, "share", 40);
    cs_run_observe(&s.x, &s.attempt);
    assert_int_equal(s.x.events, 0);
    set_time(&s, "share", 70);
    cs_run_observe(&s.x, &s.attempt);
    assert_true(fabs(scene_event(&s)->time - 70) <= 1);
    cs_run_observe(&s.x, &s.attempt);
    assert_int_equal(s.x.events, 1);
    scene_end(&s);
}

static void the_last_match_of_a_log_counts(void **state)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct scene s;

    (void)state;
    scene_begin(&s);
    s.checkpoint.progress = "log";
    s.checkpoint.last = "^step ([0-9]+)";
    s.checkpoint.of = 200;
    begin_program(&s);
    for (int k = 0; k < 2000; k++)
        cs_strbuf_printf(&text, "step %d\nenergy %d\n", k % 100, k);
    cs_strbuf_puts(&text, "step 150\nenergy 3\n");
    scene_write(&s, "log", text.text);
    cs_run_observe(&s.x, &s.attempt);
    assert_true(scene_event(&s)->value == 0.75);
    cs_strbuf_release(&text);
    s.x.events = 0;
    scene_write(&s, "log", "no such line\n");
    cs_run_observe(&s.x, &s.attempt);
    assert_int_equal(s.x.events, 0);
    scene_end(&s);
}

static void the_newest_state_counts_once(void **state)
{
    static const char *const saved[] = {"one", "two"};
    struct scene s;

    (void)state;
    scene_begin(&s);
    s.checkpoint.saved = (struct cs_run_texts){2, saved};
    begin_program(&s);
    cs_run_observe(&s.x, &s.attempt);
    assert_int_equal(s.x.events, 0);
    scene_write(&s, "one", "x");
    set_time(&s, "one", 30);
    cs_run_observe(&s.x, &s.attempt);
    assert_int_equal(s.x.events, 0);
    scene_write(&s, "two", "x");
    set_time(&s, "two", 80);
    cs_run_observe(&s.x, &s.attempt);
    cs_run_observe(&s.x, &s.attempt);
    assert_int_equal(scene_event(&s)->kind, CS_RUN_SAVED);
    assert_true(fabs(scene_event(&s)->time - 80) <= 1);
    scene_end(&s);
}

/* A process in the place of the keeper, which dies of the signal that asks it. */
static void stand_in(struct scene *s)
{
    s->attempt.pid = fork();
    if (s->attempt.pid == 0)
        for (;;)
            pause();
}

static void assert_asked(const struct scene *s)
{
    int status;

    assert_int_equal(waitpid(s->attempt.pid, &status, 0), s->attempt.pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGRTMIN);
}

static void one_that_hangs_after_a_restart_is_killed(void **state)
{
    struct scene s;

    (void)state;
    scene_begin(&s);
    s.checkpoint.progress = "share";
    s.checkpoint.stall = 1000;
    begin_program(&s);
    s.attempt.restarts = true;
    stand_in(&s);
    cs_run_observe_all(&s.x);
    assert_false(s.attempt.stalled);
    s.checkpoint.stall = 10;
    s.attempt.restarts = false;
    cs_run_observe_all(&s.x);
    assert_false(s.attempt.stalled);
    s.attempt.restarts = true;
    s.x.terms.poll = 1000;
    cs_run_observe_all(&s.x);
    assert_true(s.attempt.stalled && s.attempt.asked && s.attempt.sent == 3);
    assert_asked(&s);
    scene_end(&s);
}

static void the_timeout_asks_it_to_save(void **state)
{
    struct scene s;

    (void)state;
    scene_begin(&s);
    s.checkpoint.progress = "share";
    s.checkpoint.stop.file = "stop";
    s.checkpoint.stop.text = "now\n";
    s.settings.timeout = 1000;
    begin_program(&s);
    stand_in(&s);
    cs_run_observe_all(&s.x);
    assert_false(s.attempt.timed_out);
    s.settings.timeout = 20;
    s.x.terms.poll = 1000;
    cs_run_observe_all(&s.x);
    assert_true(s.attempt.timed_out && s.attempt.sent == 1);
    assert_int_equal(access(scratch_path(s.folder, "stop"), F_OK), 0);
    assert_asked(&s);
    s.attempt.timed_out = false;
    cs_run_observe_all(&s.x);
    assert_false(s.attempt.timed_out);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_checkpoint_nothing_is_observed),
        cmocka_unit_test(nothing_counts_before_the_program_has_begun),
        cmocka_unit_test(progress_is_a_share_or_a_fraction),
        cmocka_unit_test(progress_counts_once_and_not_from_before),
        cmocka_unit_test(the_last_match_of_a_log_counts),
        cmocka_unit_test(the_newest_state_counts_once),
        cmocka_unit_test(one_that_hangs_after_a_restart_is_killed),
        cmocka_unit_test(the_timeout_asks_it_to_save),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
