/* run_adopt.c - what becomes of attempts on resume, by what their records say and who is alive. */
#include "run_scene.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define RECORD "a/000/000001.rec"

static const char *claim_of(const struct scene *s, const char *host, const char *boot, int pid,
                            unsigned long long start, const char *more)
{
    static char text[600];

    snprintf(text, sizeof text,
             "claim host=%s boot=%s pid=%d start=%llu at=%.6f round=1 task=0 try=1 slots=0\n%s",
             host, boot, pid, start, s->x.began + 55, more);
    return text;
}

static const char *ended(const struct scene *s, int status)
{
    static char text[400];

    snprintf(text, sizeof text,
             "app pid=2 at=%.6f\nend status=%d errno=0 stage=0 timeout=0 asked=0 at=%.6f cpu=1 "
             "rss=1 left=0\n"
             "closed\n",
             s->x.began + 60, status, s->x.began + 70);
    return text;
}

static unsigned long long start_of(int pid)
{
    unsigned long long start = 0;
    char path[64], text[1000] = "";
    FILE *file;

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    sscanf(strrchr(text, ')') + 1,
           " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
           &start);
    return start;
}

/* A process with the mark of the attempt, or without. */
static int sleeper(const struct scene *s, bool marked)
{
    char mark[300], path[64], environment[400] = "";
    char *const argv[] = {(char[]){"sleep"}, (char[]){"1000"}, NULL}, *envp[] = {mark, NULL};
    int pid;

    snprintf(mark, sizeof mark, "COSCHED_MARK=%s/%s", s->x.mark, marked ? "1" : "7");
    pid = fork();
    if (pid == 0) {
        execve("/bin/sleep", argv, envp);
        _exit(1);
    }
    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    while (strcmp(environment, mark) != 0) {
        FILE *file = fopen(path, "r");

        assert_non_null(file);
        environment[fread(environment, 1, sizeof environment - 1, file)] = '\0';
        fclose(file);
    }
    return pid;
}

static void end_sleeper(int pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static void find(struct scene *s, enum cs_run_outcome outcome)
{
    struct cs_error err = {0};

    assert_int_equal(cs_run_find_attempts(&s->x, &err), 0);
    assert_int_equal(scene_event(s)->kind, CS_RUN_ENDED);
    assert_int_equal(scene_event(s)->outcome, outcome);
    s->x.events = 0;
}

static void one_without_a_record_never_began(void **state)
{
    struct cs_run_record record;
    struct scene s;

    (void)state;
    scene_begin(&s);
    find(&s, CS_RUN_VOID);
    assert_int_equal(cs_run_record_load(scratch_path(s.folder, RECORD), &record, NULL), 1);
    assert_true(record.voided);
    find(&s, CS_RUN_VOID);
    scene_end(&s);
}

static void one_whose_record_is_closed_has_ended(void **state)
{
    struct scene s;

    (void)state;
    scene_begin(&s);
    scene_write(&s, RECORD, claim_of(&s, "here", "this-boot", 1, 1, ended(&s, 0)));
    find(&s, CS_RUN_OK);
    scene_write(&s, RECORD, claim_of(&s, "elsewhere", "other-boot", 1, 1, ended(&s, 256)));
    find(&s, CS_RUN_FAILED);
    scene_end(&s);
}

static void one_of_another_boot_or_a_dead_keeper_is_lost(void **state)
{
    struct scene s;

    (void)state;
    scene_begin(&s);
    scene_write(&s, RECORD, claim_of(&s, "here", "other-boot", 1, 1, ""));
    find(&s, CS_RUN_LOST);
    scene_write(&s, RECORD, claim_of(&s, "here", "this-boot", 0, 1, ""));
    find(&s, CS_RUN_LOST);
    s.attempt.asked = true;
    find(&s, CS_RUN_STOPPED);
    scene_end(&s);
}

static void one_on_another_host_is_not_judged(void **state)
{
    struct cs_error err = {0};
    struct scene s;

    (void)state;
    scene_begin(&s);
    scene_write(&s, RECORD, claim_of(&s, "elsewhere", "other-boot", 1, 1, ""));
    assert_int_equal(cs_run_find_attempts(&s.x, &err), -1);
    assert_non_null(strstr(err.text, "elsewhere"));
    assert_int_equal(s.x.events, 0);
    s.x.terms.declare_lost = true;
    find(&s, CS_RUN_LOST);
    scene_end(&s);
}

static void one_whose_keeper_lifetimes_is_adopted(void **state)
{
    struct cs_error err = {0};
    struct scene s;
    int pid;

    (void)state;
    scene_begin(&s);
    pid = sleeper(&s, true);
    scene_write(&s, RECORD, claim_of(&s, "here", "this-boot", pid, start_of(pid), ""));
    assert_int_equal(cs_run_find_attempts(&s.x, &err), 0);
    assert_int_equal(s.x.events, 0);
    assert_true(s.attempt.pid == pid && s.attempt.adopted == start_of(pid));
    assert_true(cs_run_keeper_is_there(&s.attempt));
    kill(pid, SIGSTOP);
    cs_run_wake_keeper(&s.attempt);
    cs_run_signal_keeper(&s.attempt, SIGTERM);
    waitpid(pid, NULL, 0);
    assert_false(cs_run_keeper_is_there(&s.attempt));
    scene_end(&s);
}

static void a_number_that_is_another_process_is_left_alone(void **state)
{
    struct scene s;
    int pid;

    (void)state;
    scene_begin(&s);
    pid = sleeper(&s, false);
    scene_write(&s, RECORD, claim_of(&s, "here", "this-boot", pid, start_of(pid), ""));
    find(&s, CS_RUN_LOST);
    assert_int_equal(kill(pid, 0), 0);
    end_sleeper(pid);
    pid = sleeper(&s, true);
    scene_write(&s, RECORD, claim_of(&s, "here", "this-boot", pid, start_of(pid) + 1, ""));
    find(&s, CS_RUN_LOST);
    end_sleeper(pid);
    scene_end(&s);
}

static void runs_of_0_2_with_an_emptied_record_are_rejected(void **state)
{
    const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    struct cs_error err = {0};
    struct scene s;

    (void)state;
    scene_begin(&s);
    s.x.empties = true;
    scene_write(&s, RECORD, "");
    assert_int_equal(utimensat(AT_FDCWD, scratch_path(s.folder, RECORD), long_ago, 0), 0);
    assert_int_equal(cs_run_find_attempts(&s.x, &err), -1);
    assert_non_null(strstr(err.text, "it may have ended"));
    s.x.boot_before = "other-boot";
    find(&s, CS_RUN_LOST);
    scene_end(&s);
}

/* ---- those that the journal has lost ---- */

static int find_lost(struct scene *s, struct cs_error *err)
{
    int64_t number = 1;
    const struct cs_run_numbers unknown = {&number, 1, 1};

    s->x.run.count = 0;
    s->x.run.last = 0;
    s->x.run.slots.count = 1;
    s->usage.state = CS_RUN_WAITING;
    return cs_run_find_lost(&s->x, &unknown, err);
}

static void a_lost_attempt_is_found_by_its_record(void **state)
{
    struct cs_error err = {0};
    struct scene s;

    (void)state;
    scene_begin(&s);
    scene_write(&s, RECORD, claim_of(&s, "here", "this-boot", 1, 1, ended(&s, 0)));
    assert_int_equal(find_lost(&s, &err), 0);
    assert_int_equal(scene_event(&s)->kind, CS_RUN_FOUND);
    assert_int_equal(scene_event(&s)->outcome, CS_RUN_OK);
    assert_true(scene_event(&s)->attempt == 1 && scene_event(&s)->try == 1);
    assert_true(scene_event(&s)->count == 1 && scene_event(&s)->held[0] == 0);
    assert_non_null(strstr(s.said, "had lost 1 attempt"));
    s.x.events = 0;
    scene_write(&s, RECORD, claim_of(&s, "here", "this-boot", 0, 1, ""));
    assert_int_equal(find_lost(&s, &err), 0);
    assert_int_equal(scene_event(&s)->outcome, CS_RUN_LOST);
    scene_end(&s);
}

static void after_a_power_cut_only_good_ends_count(void **state)
{
    struct cs_error err = {0};
    struct scene s;

    (void)state;
    scene_begin(&s);
    scene_write(&s, RECORD, claim_of(&s, "here", "other-boot", 1, 1, ended(&s, 0)));
    assert_int_equal(find_lost(&s, &err), 0);
    assert_int_equal(scene_event(&s)->outcome, CS_RUN_OK);
    s.x.events = 0;
    s.x.terms.durable = true;
    scene_write(&s, RECORD, claim_of(&s, "here", "other-boot", 1, 1, ended(&s, 256)));
    assert_int_equal(find_lost(&s, &err), 0);
    assert_int_equal(scene_event(&s)->outcome, CS_RUN_FAILED);
    s.x.events = 0;
    s.x.terms.durable = false;
    assert_int_equal(find_lost(&s, &err), 0);
    assert_int_equal(s.x.events, 0);
    assert_int_equal(access(scratch_path(s.folder, "orphans/000001.rec"), F_OK), 0);
    scene_end(&s);
}

static void one_that_lifetimes_or_has_no_task_is_rejected(void **state)
{
    struct cs_error err = {0};
    struct scene s;
    char *task;
    int pid;

    (void)state;
    scene_begin(&s);
    pid = sleeper(&s, true);
    scene_write(&s, RECORD, claim_of(&s, "here", "this-boot", pid, start_of(pid), ""));
    assert_int_equal(find_lost(&s, &err), -1);
    assert_non_null(strstr(err.text, "which still runs"));
    assert_int_equal(kill(pid, 0), 0);
    end_sleeper(pid);
    task = strdup(claim_of(&s, "here", "this-boot", 1, 1, ended(&s, 0)));
    memcpy(strstr(task, "task="), "what=", 5);
    scene_write(&s, RECORD, task);
    free(task);
    err = (struct cs_error){0};
    assert_int_equal(find_lost(&s, &err), -1);
    assert_non_null(strstr(err.text, "does not name its task"));
    assert_int_equal(s.x.events, 0);
    scene_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_without_a_record_never_began),
        cmocka_unit_test(one_whose_record_is_closed_has_ended),
        cmocka_unit_test(one_of_another_boot_or_a_dead_keeper_is_lost),
        cmocka_unit_test(one_on_another_host_is_not_judged),
        cmocka_unit_test(one_whose_keeper_lifetimes_is_adopted),
        cmocka_unit_test(a_number_that_is_another_process_is_left_alone),
        cmocka_unit_test(runs_of_0_2_with_an_emptied_record_are_rejected),
        cmocka_unit_test(a_lost_attempt_is_found_by_its_record),
        cmocka_unit_test(after_a_power_cut_only_good_ends_count),
        cmocka_unit_test(one_that_lifetimes_or_has_no_task_is_rejected),
    };

    signal(SIGCHLD, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
