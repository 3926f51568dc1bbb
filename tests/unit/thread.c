/* Teams of threads: members, threads that the system does not start, and processes that fork. */
#define _GNU_SOURCE
#include "base/thread.h"

#include "base/guard.h"
#include "base/lock.h"
#include "base/plain.h"
#include "run/executor.h"
#include "unit/kit.h"

#include <cosched/case.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 60 /* seconds after which a child that hangs is ended */

/* ---- threads that cannot be started: the linker puts this in place of pthread_create ---- */

static atomic_int startable = 1000000; /* threads that may still be started */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*work)(void *), void *who);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*work)(void *), void *who);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*work)(void *), void *who)
{
    return startable-- > 0 ? __real_pthread_create(thread, attributes, work, who) : EAGAIN;
}

/* ---- members ---- */

struct seen {
    atomic_int members, nested, wrong;
    atomic_int times[8];
    sigset_t mask; /* of a program that the last member would start */
};

static void see_nested(void *who, int member)
{
    struct seen *seen = who;

    seen->nested++;
    seen->wrong += member != 0;
}

static void see(void *who, int member)
{
    struct seen *seen = who;
    sigset_t mask;

    seen->members++;
    seen->times[member]++;
    seen->wrong += cs_thread_index() != member || cs_team_size(4) != 1;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    seen->wrong += sigismember(&mask, SIGINT) != (member > 0) || sigismember(&mask, SIGSEGV);
    cs_thread_mask(&mask);
    seen->wrong += sigismember(&mask, SIGINT);
    cs_team_run(3, see_nested, who);
}

static void members_are_numbered_and_alone(void **state)
{
    struct seen seen = {.members = 0};

    (void)state;
    cs_team_run(4, see, &seen);
    assert_int_equal(seen.members, cs_team_size(4));
    for (int m = 0; m < cs_team_size(4); m++)
        assert_int_equal(seen.times[m], 1);
    assert_int_equal(seen.nested, cs_team_size(4));
    assert_int_equal(seen.wrong, 0);
    assert_int_equal(cs_thread_index(), 0);
}

static void run_out(void *who, int member)
{
    cs_block_zero(1, 100);
    if (member == *(const int *)who)
        cs_block_zero(SIZE_MAX / 4, 3);
}

static int team_fails(int at, struct cs_error *err)
{
    CS_GUARD(err, -1);

    cs_team_run(3, run_out, &at);
    return 0;
}

static void a_member_without_memory_fails_the_call(void **state)
{
    struct cs_error err = {0};

    (void)state;
    for (int at = 0; at < cs_team_size(3); at++) {
        assert_int_equal(team_fails(at, &err), -1);
        assert_memory_equal(err.text, "out of memory", 13);
        assert_int_equal(cs_team_size(3), cs_team_size(9) < 3 ? 1 : 3);
    }
}

static void the_environment_and_the_affinity_mask_limit_threads(void **state)
{
    cpu_set_t before, one;
    int cpu = 0;

    (void)state;
    if (cs_team_size(2) == 1)
        skip();
    setenv("OMP_NUM_THREADS", "7,2", 1);
    assert_int_equal(cs_thread_limit(), 7);
    setenv("OMP_THREAD_LIMIT", "5", 1);
    assert_int_equal(cs_thread_limit(), 5);
    unsetenv("OMP_THREAD_LIMIT");
    setenv("OMP_NUM_THREADS", "99999999", 1);
    assert_int_equal(cs_thread_limit(), CS_THREADS);
    setenv("OMP_NUM_THREADS", "many", 1);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(cs_thread_limit(), CPU_COUNT(&before));
    unsetenv("OMP_NUM_THREADS");
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(cs_thread_limit(), 1);
    sched_setaffinity(0, sizeof before, &before);
}

/* ---- results ---- */

struct asked {
    const char *problem, *action, *options;
};

static char folder[] = "/tmp/cosched-thread-XXXXXX";

/* What uses threads: runs, packs for many tasks, members of a portfolio. */
static const struct asked all_asked[] = {
    {"rigid", "simulate",
     "{\"input\": \"jobs.csv\", \"procs\": 8000, \"policy\": \"easy,greedy\", \"scenarios\": 40, "
     "\"threads\": 4}"},
    {"pack", "plan",
     "{\"input\": \"tasks.json\", \"procs\": 64, \"policy\": \"pack-by-pack\", \"threads\": 4}"},
    {"ptg", "plan",
     "{\"input\": \"graphs.json\", \"platform\": \"grid5000-lille\", \"policy\": \"portfolio\"}"},
};

#define ASKED (sizeof all_asked / sizeof *all_asked)

static void make_input(const char *problem, const char *options, const char *path)
{
    struct cs_error err = {0};

    cs_case_generate(problem, options, path, NULL, &err);
    assert_string_equal(err.text, "");
}

static void make_inputs(void)
{
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    make_input("rigid", "{\"jobs\": 30}", "jobs.csv");
    make_input("pack", "{\"workload\": \"formula\", \"tasks\": 10000, \"procs\": 64}",
               "tasks.json");
    make_input("ptg", "{\"count\": 3}", "graphs.json");
}

static char *answer_of(const struct asked *asked, struct cs_error *err)
{
    struct cs_case *c = cs_case_open(asked->problem, asked->action, asked->options, NULL, err);
    char *text = NULL;

    if (c && !cs_case_run(c, NULL, err))
        text = cs_case_text(c, "csv", 0, NULL, err);
    cs_case_close(c);
    return text;
}

static void fewer_threads_give_the_same_results(void **state)
{
    (void)state;
    setenv("OMP_NUM_THREADS", "4", 1);
    for (size_t a = 0; a < ASKED; a++) {
        struct cs_error err = {0};
        char *expected = answer_of(&all_asked[a], &err);

        assert_string_equal(err.text, "");
        assert_non_null(expected);
        for (int threads = 0; threads < 3; threads++) {
            char *text;

            startable = threads;
            text = answer_of(&all_asked[a], &err);
            if (cs_team_size(2) > 1)
                assert_true(startable < threads);
            assert_string_equal(text, expected);
            cs_free(text);
        }
        startable = 1000000;
        cs_free(expected);
    }
    unsetenv("OMP_NUM_THREADS");
}

/* ---- fork ---- */

/* Runs the work in a child: its status, 0 when all was well. */
static int in_child(bool (*work)(const void *who), const void *who)
{
    int status = -1;
    const pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        alarm(PATIENCE);
        _exit(!work(who));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static bool answers_are(const void *who)
{
    char *const *expected = who;
    bool same = true;

    for (size_t a = 0; a < ASKED; a++) {
        struct cs_error err = {0};
        char *text = answer_of(&all_asked[a], &err);

        same = same && text && !strcmp(text, expected[a]);
        cs_free(text);
    }
    return same;
}

struct busy {
    pthread_t thread;
    atomic_bool ends;
    atomic_int rounds;
    char *expected[ASKED];
};

static void *be_busy(void *who)
{
    struct busy *busy = who;

    while (!busy->ends) {
        answers_are(busy->expected);
        busy->rounds++;
    }
    return NULL;
}

static void wait_for(atomic_int *count, int least)
{
    const struct timespec pause = {.tv_nsec = 1000000};

    while (*count < least)
        nanosleep(&pause, NULL);
}

static void children_use_the_library(void **state)
{
    struct busy busy = {.rounds = 0};
    struct cs_error err = {0};

    (void)state;
    for (size_t a = 0; a < ASKED; a++)
        busy.expected[a] = answer_of(&all_asked[a], &err);
    assert_int_equal(in_child(answers_are, busy.expected), 0);
#if KIT_ROUNDS(4) == 4 /* allocators of sanitizers do not survive a fork in the middle */
    assert_int_equal(pthread_create(&busy.thread, NULL, be_busy, &busy), 0);
    for (int round = 0; round < 5; round++) {
        assert_int_equal(in_child(answers_are, busy.expected), 0);
        wait_for(&busy.rounds, round);
    }
    busy.ends = true;
    pthread_join(busy.thread, NULL);
#else
    (void)be_busy;
    (void)wait_for;
#endif
    for (size_t a = 0; a < ASKED; a++)
        cs_free(busy.expected[a]);
}

/* ---- fork while a lock is held ---- */

struct holder {
    struct cs_lock *lock;
    atomic_int holds, may_end;
    int things; /* that the lock protects: two, but for a moment */
};

static struct cs_lock inner = CS_LOCK_PROCESS;

/* Also takes another lock while fork() waits for the first. */
static void *hold_lock(void *who)
{
    struct holder *holder = who;
    const struct timespec moment = {.tv_nsec = 200000000};

    cs_lock_take(holder->lock);
    holder->things = 1;
    holder->holds = 1;
    nanosleep(&moment, NULL);
    if (holder->lock->fork == CS_LOCK_FORK_FREES)
        wait_for(&holder->may_end, 1);
    cs_lock_take(&inner);
    cs_lock_give(&inner);
    holder->things = 2;
    cs_lock_give(holder->lock);
    return NULL;
}

static bool take_lock(const void *who)
{
    const struct holder *holder = who;
    int things;

    cs_lock_take(holder->lock);
    things = holder->things;
    cs_lock_give(holder->lock);
    return things == (holder->lock->fork == CS_LOCK_FORK_WAITS ? 2 : 1);
}

static void children_find_locks_free(void **state)
{
    static struct cs_lock waits = CS_LOCK_PROCESS, frees = CS_LOCK_LONG;
    struct cs_lock *const lock[] = {&waits, &frees};

    (void)state;
    for (int l = 0; l < 2; l++) {
        struct holder holder = {.lock = lock[l]};
        pthread_t thread;

        assert_int_equal(pthread_create(&thread, NULL, hold_lock, &holder), 0);
        wait_for(&holder.holds, 1);
        assert_int_equal(in_child(take_lock, &holder), 0);
        holder.may_end = 1;
        pthread_join(thread, NULL);
        assert_true(take_lock(&(struct holder){.lock = lock[l], .things = l ? 1 : 2}));
    }
}

/* A child has none of the locks of files that its parent holds. */
static bool is_refused(const void *who)
{
    const char *const path = who;
    struct cs_run_executor x = {.folder = path, .host = "here", .lock = -1};
    struct cs_error err = {0};
    char expected[200], holder[128];

    cs_plain_print(expected, sizeof expected,
                   "%s: another process works on this run (host here, process %d)", path,
                   (int)getppid());
    return cs_run_lock(&x, &err) && !strcmp(err.text, expected) &&
           cs_run_is_locked(path, holder, sizeof holder) && strstr(expected, holder);
}

static void children_do_not_have_the_locks_of_runs(void **state)
{
    struct cs_run_executor x = {.folder = folder, .host = "here", .lock = -1};
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_run_lock(&x, &err), 0);
    assert_int_equal(in_child(is_refused, folder), 0);
    cs_run_unlock(&x);
}

static int set_up(void **state)
{
    (void)state;
    make_inputs();
    return 0;
}

static int tear_down(void **state)
{
    static const char *const names[] = {"jobs.csv", "tasks.json", "graphs.json", "lock"};

    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        unlink(names[n]);
    return chdir("/") || rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_numbered_and_alone),
        cmocka_unit_test(a_member_without_memory_fails_the_call),
        cmocka_unit_test(the_environment_and_the_affinity_mask_limit_threads),
        cmocka_unit_test(fewer_threads_give_the_same_results),
        cmocka_unit_test(children_use_the_library),
        cmocka_unit_test(children_find_locks_free),
        cmocka_unit_test(children_do_not_have_the_locks_of_runs),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
