/* foreign.c - a program that runs others through the public headers, beside what else it does.
 *
 * usage: run_foreign FOLDER
 *
 * COSCHED_KEEPER is the keeper.  In FOLDER, which is empty, each part has a run of its own.
 */
#include <cosched/case.h>
#include <cosched/run.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int failed, count;

static void ok(bool condition, const char *what)
{
    failed += !condition;
    printf("%sok %d - %s\n", condition ? "" : "not ", ++count, what);
}

static void put_jobs(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file || fputs(text, file) < 0 || fclose(file))
        abort();
}

static struct cs_run_options shell(const char *line)
{
    static const char *command[] = {"/bin/sh", "-c", NULL, "{name}"};
    struct cs_run_options how;

    command[2] = line;
    cs_run_defaults(&how);
    how.command = command;
    how.words = 4;
    how.slots = 2;
    how.oversubscribe = true;
    return how;
}

static void is_status(const char *folder, const char *wanted)
{
    char *text = cs_run_status(folder, NULL), what[80];

    snprintf(what, sizeof what, "%s: the state is %s", folder, wanted);
    ok(text && strstr(text, wanted), what);
    cs_free(text);
}

/* ---- what would happen, and then it does ---- */

static void dry_and_real(void)
{
    struct cs_run_options how = shell("echo I am $0; test $0 != b");
    static const char *const set[] = {"retries=0"};
    struct cs_run_ended ended;
    struct cs_error err = {0};
    char *text;

    how.set = set;
    how.settings = 1;
    text = cs_run_dry("jobs.csv", &how, NULL, &err);
    ok(text && strstr(text, "\"I am") == NULL && strstr(text, "\"makespan\": 30"),
       "a dry run says when all is over");
    ok(text && strstr(text, "cosched-schedule-1"), "and has a schedule");
    cs_free(text);
    ok(access("real", F_OK) != 0, "nothing was written");
    ok(!cs_run_start("jobs.csv", "real", &how, NULL, &ended, &err), "a run begins and ends");
    ok(ended.ending == CS_RUN_SOME_FAILED && ended.tasks == 3 && ended.done == 2 &&
           ended.failed == 1,
       "one of three has failed");
    ok(*ended.folder == '/' && strstr(ended.folder, "/real"), "the folder is told");
    is_status("real", "failed");
    how = shell("true");
    how.retry_failed = true;
    ok(!cs_run_resume("real", &how, NULL, &ended, &err), "it is gone on with");
    ok(ended.failed == 1, "what failed fails again: the command is that of the beginning");
    ok(cs_run_start("jobs.csv", "real", &how, NULL, &ended, &err) &&
           strstr(err.text, "not empty") && !ended.tasks,
       "a folder is not used twice");
}

/* ---- watched and stopped ---- */

struct viewer {
    enum cs_run_stopping wanted;
    int asked, looks, running, said;
    double planned, end;
    bool odd;
};

static enum cs_run_stopping stop(void *who)
{
    struct viewer *v = who;

    v->asked++;
    return v->running ? v->wanted : CS_RUN_CONTINUE;
}

static void show(void *who, const struct cs_run_view *run)
{
    struct cs_run_state state = {.size = sizeof state}, wrong = {.size = 3};
    struct cs_run_running one = {.size = sizeof one};
    struct viewer *v = who;

    v->looks++;
    v->odd = v->odd || cs_run_view_state(run, &state) || !cs_run_view_state(run, &wrong) ||
             !cs_run_view_running(run, -1, &one) || !cs_run_view_running(run, state.running, &one);
    for (int a = 0; a < state.running; a++)
        v->odd = v->odd || cs_run_view_running(run, a, &one) || !one.task || one.procs < 1 ||
                 one.slot[0] < 0 || one.slot[one.procs - 1] > 1 || one.attempt < 1;
    v->running = state.running > v->running ? state.running : v->running;
    v->planned = state.planned;
    v->end = isfinite(state.end) ? state.end : v->end;
    v->odd = v->odd || state.used > state.slots || state.tasks != 3;
}

static void say(void *who, const char *error_text)
{
    ((struct viewer *)who)->said += strlen(error_text) > 0;
}

static void stopped(enum cs_run_stopping wanted, const char *folder)
{
    struct viewer v = {.wanted = wanted};
    const struct cs_run_watch watch = {.size = sizeof watch,
                                       .stop = stop,
                                       .show = show,
                                       .say = say,
                                       .foresee = true,
                                       .plan = true,
                                       .who = &v};
    struct cs_run_options how = shell("sleep 1");
    struct cs_run_ended ended;
    struct cs_error err = {0};

    how.slots = 2;
    how.oversubscribe = true;
    ok(!cs_run_start("jobs.csv", folder, &how, &watch, &ended, &err),
       "a run is stopped by who watches it");
    ok(ended.ending == CS_RUN_ASKED_TO_STOP && ended.done < 3 &&
           (wanted == CS_RUN_DRAIN || ended.done == 0),
       wanted == CS_RUN_DRAIN ? "what ran could end" : "what ran was stopped");
    ok(v.asked > 1 && v.looks > 1 && !v.odd, "it was asked and shown what there is");
    ok(v.planned == 30 && v.end > 0, "it was told when all would be over");
    is_status(folder, "stopped");
    v.wanted = CS_RUN_CONTINUE;
    ok(!cs_run_resume(folder, NULL, &watch, &ended, &err) && ended.ending == CS_RUN_ALL_DONE &&
           ended.done == 3,
       "it is gone on with to its end");
}

/* ---- beside what else a program does ---- */

static void *wait_and_stop(void *who)
{
    struct cs_run_ended ended = {.tasks = 9};
    struct cs_error err = {0}, other = {0};
    int *works = who;
    const struct timespec pause = {.tv_nsec = 10000000};

    for (int k = 0; k < 500 && access("beside/control", F_OK); k++)
        nanosleep(&pause, NULL);
    is_status("beside", "running");
    ok(cs_run_resume("beside", NULL, NULL, &ended, &err) && strstr(err.text, "another thread") &&
           !ended.tasks,
       "no two threads work on a run");
    is_status("beside", "running");
    *works = !cs_run_stop("beside", true, &other);
    return NULL;
}

static volatile sig_atomic_t children;

static void count_child(int number)
{
    (void)number;
    children++;
}

static void with_others(void)
{
    struct cs_run_options how = shell("sleep 60");
    struct sigaction old, mine = {.sa_handler = count_child, .sa_flags = SA_RESTART};
    struct cs_run_ended ended;
    struct cs_error err = {0};
    pthread_t thread;
    sigset_t before, after;
    pid_t child;
    int works = 0, status;

    sigaction(SIGCHLD, &mine, &old);
    child = fork();
    if (child == 0)
        _exit(7);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    pthread_create(&thread, NULL, wait_and_stop, &works);
    ok(!cs_run_start("jobs.csv", "beside", &how, NULL, &ended, &err) &&
           ended.ending == CS_RUN_ASKED_TO_STOP,
       "a thread stops the run of another");
    pthread_join(thread, NULL);
    ok(works, "and hears that it was heard");
    ok(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7,
       "another child is left to who started it");
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    ok(sigismember(&before, SIGINT) == sigismember(&after, SIGINT) &&
           sigismember(&before, SIGCHLD) == sigismember(&after, SIGCHLD),
       "signals are as they were");
    ok(children > 0, "and those of children came to their handler");
    sigaction(SIGCHLD, &old, NULL);
}

static void where_nobody_waits(void)
{
    struct cs_run_options how = shell("exit 0");
    struct cs_run_ended ended;
    struct cs_error err = {0};

    signal(SIGCHLD, SIG_IGN);
    ok(!cs_run_start("jobs.csv", "ignored", &how, NULL, &ended, &err) &&
           ended.ending == CS_RUN_ALL_DONE,
       "a program that ignores the ends of its children runs others all the same");
    signal(SIGCHLD, SIG_DFL);
    how.engine = "dry";
    ok(!cs_run_start("jobs.csv", "ignored", &how, NULL, &ended, &err) &&
           ended.ending == CS_RUN_ONLY_DRY,
       "a dry engine starts nothing");
}

/* Applications that are asked to save by a command: nobody is left who has to be waited for. */
static void asked_by_a_command(void)
{
    static const char *const set[] = {
        "checkpoint={\"stop\": {\"command\": [\"/bin/sh\", \"-c\", \"touch asked\"]}, "
        "\"done\": {\"status\": 9}}"};
    struct viewer v = {.wanted = 2};
    const struct cs_run_watch watch = {
        .size = sizeof watch, .stop = stop, .show = show, .say = say, .who = &v};
    struct cs_run_options how = shell("until [ -e asked ]; do sleep 0.05; done");
    struct cs_run_ended ended;
    struct cs_error err = {0};

    how.set = set;
    how.settings = 1;
    ok(!cs_run_start("jobs.csv", "asked.run", &how, &watch, &ended, &err) &&
           ended.ending == CS_RUN_ASKED_TO_STOP && !access("asked", F_OK),
       "a command asks to save");
    ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "and leaves no child, dead or alive");
}

int main(int argc, char **argv)
{
    if (argc != 2 || chdir(argv[1]))
        return 2;
    put_jobs("jobs.csv", "name,procs,seconds\na,1,10\nb,1,20\nc,1,20\n");
    dry_and_real();
    stopped(CS_RUN_DRAIN, "soon");
    stopped(CS_RUN_STOP_NOW, "now");
    with_others();
    where_nobody_waits();
    asked_by_a_command();
    printf("1..%d\n", count);
    return failed > 0;
}
