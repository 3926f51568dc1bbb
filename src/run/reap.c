/* reap.c - keepers that have ended, of any executor. */
#define _GNU_SOURCE
#include "run/executor.h"
#include "run/values.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNWRITTEN 126 /* status of a keeper that could not write its record */
#define TICK 1.0      /* seconds between two looks at those that are no children of this process */
#define LOOKS 100     /* adopted keepers at each of them */

/* A keeper that is being started has all descriptors for a moment longer than its exec takes here:
 * closing this one would not end its being waited for. */
static void discard_pidfd(const struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    if (attempt->pidfd < 0)
        return;
    epoll_ctl(x->pidfds, EPOLL_CTL_DEL, attempt->pidfd, NULL);
    cs_run_attempt_let_go(attempt);
}

/* Its keeper has ended: the outcome is in the record, or unknown. A keeper that could not write its
 * claim has started nothing. */
static void reap_collect(struct cs_run_executor *x, struct cs_run_attempt *attempt, bool unwritten)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct cs_run_record record = {0};

    cs_run_attempt_path(x->folder, attempt->number, "rec", &path);
    cs_run_record_load(path.text, &record, NULL);
    cs_strbuf_release(&path);
    discard_pidfd(x, attempt);
    attempt->pid = 0;
    attempt->adopted = 0;
    if (record.closed) {
        cs_run_add_end(x, attempt, &record);
        return;
    }
    if (unwritten)
        cs_run_pause_starts(x);
    if (unwritten && !record.claimed) {
        cs_run_add_outcome(x, attempt, CS_RUN_VOID, NULL);
        return;
    }
    cs_run_mark_kill(x, attempt->number);
    if (x->engine->cancel)
        x->engine->cancel(x, attempt->number);
    cs_run_add_lost(x, attempt, "its keeper was killed, or could not write its record");
}

/* Children that have ended; unknown ones are orphans of killed keepers. A stopped keeper is
 * continued, because only it ends its program at its timeout. */
static void reap_one(struct cs_run_executor *x, struct cs_run_attempt *attempt, int status)
{
    if (WIFSTOPPED(status))
        kill(attempt->pid, SIGCONT);
    else
        reap_collect(x, attempt, WIFEXITED(status) && WEXITSTATUS(status) == UNWRITTEN);
}

static void reap_all(struct cs_run_executor *x)
{
    int status;
    pid_t pid;

    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0)
        for (int a = 0; a < x->run.count; a++)
            if (x->run.running[a]->pid == pid && !x->run.running[a]->adopted) {
                reap_one(x, x->run.running[a], status);
                break;
            }
}

/* In a program that has other children: one by one. If it ignores SIGCHLD no child can be waited
 * for, and the outcome is taken from the record. */
static void reap_own(struct cs_run_executor *x)
{
    for (int a = 0; a < x->run.count; a++) {
        struct cs_run_attempt *attempt = x->run.running[a];
        int status = 0;
        pid_t pid;

        if (!attempt->pid || attempt->adopted)
            continue;
        pid = waitpid(attempt->pid, &status, WNOHANG | WUNTRACED);
        if (pid > 0 || (pid < 0 && errno == ECHILD))
            reap_one(x, attempt, pid > 0 ? status : 0);
    }
}

/* The same for keepers that are not children of this process: by their descriptors.  One whose
 * attempt is over already may be seen for a moment. */
void cs_run_collect_adopted(struct cs_run_executor *x)
{
    struct epoll_event seen[64];
    const int count = epoll_wait(x->pidfds, seen, sizeof seen / sizeof *seen, 0);

    for (int k = 0; k < count; k++) {
        struct cs_run_attempt *attempt = cs_run_attempt_find(&x->run, (int64_t)seen[k].data.u64);

        if (attempt && attempt->pidfd >= 0)
            reap_collect(x, attempt, false);
    }
}

/* Without pidfds all of them; of the others about a hundred, to detect stopped ones. */
static void inspect_adopted(struct cs_run_executor *x)
{
    const int shares = 1 + x->run.count / LOOKS;
    const double now = cs_run_clock(x);

    if (now < x->woken + TICK)
        return;
    x->woken = now;
    x->looks++;
    for (int a = 0; a < x->run.count; a++) {
        struct cs_run_attempt *attempt = x->run.running[a];

        if (attempt->adopted && attempt->pidfd < 0 && !cs_run_keeper_is_there(attempt))
            reap_collect(x, attempt, false);
        else if (attempt->adopted && attempt->number % shares == x->looks % shares)
            cs_run_wake_keeper(attempt);
    }
}

void cs_run_reap(struct cs_run_executor *x)
{
    if (x->terms.signals)
        reap_all(x);
    else
        reap_own(x);
    inspect_adopted(x);
}
